//! A backup while people play, and what a restore makes of it.

use std::{fs, path::Path, sync::Arc};

use serde_json::Value;
use tempfile::TempDir;
use tokio::{sync::watch, task::JoinSet};

use super::{child::Process, done, name, refused, running_on_a_file, sound_record, table::Table};

const GAMES: [&str; 5] = ["zeno", "tavla", "scripta", "tabula", "tablut"];

/// Events of all matches that are acknowledged before the backup begins, and afterwards.
const BEFORE: usize = 60;
const AFTER: usize = 60;

fn events(tables: &[usize]) -> usize {
    tables.iter().sum()
}

/// Every event that was acknowledged before the backup began is there after the restore, and
/// every match goes on to its end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_match_goes_on_from_a_backup_that_was_made_while_it_was_played() {
    let (folder, database, server) = running_on_a_file();
    let copy = folder.path().join("copy.db");
    let address = server.address();
    let (counts, mut so_far) = watch::channel(vec![0; GAMES.len()]);
    let counts = Arc::new(counts);
    let mut playing = JoinSet::new();
    for (index, game) in GAMES.into_iter().enumerate() {
        let counts = Arc::clone(&counts);
        playing.spawn(async move {
            let mut table = Table::new(game, address).await.expect("the server runs");
            while table.turn(address).await.is_ok_and(|played| played) {
                counts.send_modify(|counts| counts[index] = table.acknowledged.len());
            }
            (index, table)
        });
    }
    let acknowledged = so_far.wait_for(|counts| events(counts) >= BEFORE).await.expect("they play").clone();
    let said = tokio::task::block_in_place(|| done(&["backup", name(&copy)], &database));
    assert!(said.contains("copy.db: sound, version ") && said.contains(", 5 matches ("), "{said}");
    let then = events(&so_far.borrow().clone());
    so_far.wait_for(|counts| events(counts) >= then + AFTER).await.expect("they go on playing");

    let said = refused(&["restore", name(&copy)], &database);
    assert!(said.contains("another server is using"), "{said}");
    server.kill();
    let tables = playing.join_all().await;
    let said = done(&["restore", name(&copy)], &database);
    assert!(said.contains("lusoria.db.replaced-1"), "{said}");

    let server = Process::start(&database);
    let address = server.address();
    let mut behind = 0;
    for (index, mut table) in tables {
        let record = table.record(address).await.expect("the server runs");
        let events = record["events"].as_array().expect("events");
        // What the server adds first is the credit for the time since the backup.
        let head = events.iter().position(|event| event["type"] == "credited").expect("a credit");
        let kept = |event: &&Value| event["seq"].as_u64().is_some_and(|seq| seq <= head as u64);
        let (before, kept) = (acknowledged[index], table.acknowledged.iter().filter(kept).count());
        assert!(kept >= before, "{before} were acknowledged before the backup began, {kept} are there");
        let last = table.acknowledged.last().expect("an event")["seq"].as_u64().expect("a number");
        let last = usize::try_from(last).expect("small");
        if last > events.len() {
            behind += 1;
            let refused = table.events_since(last, address).await;
            let refused = refused.expect("the server runs");
            assert_eq!((refused.status, &refused.json()["code"]), (409, &Value::from("ahead_of_journal")));
        }
        table.go_back_to(head);
        table.assert_nothing_is_lost(address).await;
        while table.turn(address).await.expect("the server runs") {}
        table.assert_nothing_is_lost(address).await;
        let record = sound_record(&table, &server).await;
        assert!(!record["result"].is_null(), "the match was played to its end");
    }
    assert!(behind > 0, "somebody had played on after the backup");
    // What was replaced is whole: it can be put back in the same way.
    server.kill();
    let replaced = folder.path().join("lusoria.db.replaced-1");
    done(&["restore", name(&replaced)], &database);
    drop(Process::start(&database));
}

#[test]
fn a_backup_replaces_nothing_unless_it_is_told_to() {
    let (folder, database, server) = running_on_a_file();
    drop(server);
    let copy = folder.path().join("copy.db");
    fs::write(&copy, "something else").expect("room");
    let refusals = |arguments: &[&str], why: &str| {
        let said = refused(arguments, &database);
        assert!(said.contains(why), "{said}");
    };
    refusals(&["backup", name(&copy)], "is there already; it is only replaced with --force");
    assert_eq!(fs::read(&copy).expect("a file"), b"something else");
    refusals(&["backup", name(folder.path()), "--force"], "is not a file");
    let missing = folder.path().join("missing/copy.db");
    refusals(&["backup", name(&missing)], "missing/copy.db-lock cannot be opened");
    for ending in ["-wal", "-shm", "-journal", "-lock", "-restoring"] {
        let part = folder.path().join(format!("lusoria.db{ending}"));
        let before = fs::read(&part).ok();
        refusals(&["backup", name(&part), "--force"], &format!("ends with \"{ending}\""));
        assert_eq!(fs::read(&part).ok(), before);
    }
    // Nor a database that somebody uses, least of all the one that is copied.
    let used = folder.path().join("used.db");
    let server = Process::start(&used);
    refusals(&["backup", name(&used), "--force"], "may be in use");
    drop(server);
    let before = fs::read(&database).expect("a file");
    for same in [&database, &folder.path().join("./lusoria.db")] {
        refusals(&["backup", name(same), "--force"], "is the database itself");
    }
    assert_eq!(fs::read(&database).expect("a file"), before);

    done(&["backup", name(&copy), "--force"], &database);
    assert!(fs::read(&copy).expect("a file").starts_with(b"SQLite format 3"));
    let left: Vec<_> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    let is_left = |name: &str| name.contains("partial") || name == "copy.db-lock";
    assert!(!left.iter().any(|name| is_left(&name.to_string_lossy())), "{left:?}");
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_a_backup() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, database, server) = running_on_a_file();
    drop(server);
    let (copy, restored) = (folder.path().join("copy.db"), folder.path().join("restored.db"));
    done(&["backup", name(&copy)], &database);
    done(&["restore", name(&copy)], &restored);
    for file in [copy, restored] {
        let mode = fs::metadata(&file).expect("a file").permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}", file.display());
    }
}

/// If root restores, the server's user must still be able to open the database and its lock. For any other
/// user the files are their own.
#[cfg(unix)]
#[test]
fn restored_files_belong_to_the_owner_of_the_database_or_its_folder() {
    use std::os::unix::fs::{MetadataExt, chown};

    const SERVER: u32 = 12_345;
    let folder = TempDir::new().expect("a temporary folder");
    let of = |name: &str| folder.path().join(name);
    let owner = |path: &Path| fs::metadata(path).expect("a file").uid();
    for name in ["one", "two"] {
        fs::create_dir(of(name)).expect("room");
    }
    let (first, second) = (of("one/lusoria.db"), of("two/lusoria.db"));
    drop(Process::start(&first));
    let copy = of("copy.db");
    done(&["backup", name(&copy)], &first);
    fs::remove_file(of("one/lusoria.db-lock")).expect("it is there");
    let given = [first.clone(), of("two")].map(|path| chown(path, Some(SERVER), Some(SERVER)).is_ok());
    assert_eq!(given[0], given[1]);
    let expected = if given[0] { SERVER } else { owner(&copy) };
    for database in [first, second] {
        done(&["restore", name(&copy)], &database);
        assert_eq!(owner(&database), expected);
        assert_eq!(owner(&database.with_file_name("lusoria.db-lock")), expected);
    }
}
