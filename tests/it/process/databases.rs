//! Files that are no database to work with: every command says what is wrong with them and
//! where, ends with 2, and leaves them as they were.

use std::{fs, path::Path};

use lusoria_services::sqlite::File;
use tempfile::TempDir;

use super::{child::Process, done, name, refused, table::Table};

/// A database that a server has made, with what some statements made of it.
async fn made(path: &Path, statements: &str) {
    assert_eq!(Process::start(path).terminate().await.code(), Some(0), "it closes the file");
    stranger(path).run(statements).expect("good SQL");
}

fn stranger(path: &Path) -> File {
    File::open(path).expect("a connection")
}

/// What the commands that need a database say of this one: `serve`, `admin`, `backup`, and
/// `restore` from it.
fn sayings(path: &Path) -> Vec<String> {
    let folder = TempDir::new().expect("a temporary folder");
    let elsewhere = folder.path().join("elsewhere.db");
    let sayings = vec![
        refused(&["serve", "--listen", "127.0.0.1:0"], path),
        refused(&["admin", "statistics"], path),
        refused(&["backup", name(&elsewhere)], path),
        refused(&["restore", name(path)], &elsewhere),
    ];
    assert!(!elsewhere.exists(), "nothing was made");
    for said in &sayings {
        assert!(said.contains(name(path)), "it says where: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    sayings
}

#[tokio::test]
async fn a_foreign_database_is_refused_by_its_name() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("text"), "Zeno threw 2, 6 and 5. ".repeat(1_000)).expect("room");
    fs::create_dir(path("folder")).expect("room");
    let other = File::create(&path("other"));
    other.and_then(|other| other.run("CREATE TABLE bookmarks (url TEXT)")).expect("made");
    made(
        &path("newer"),
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9999, 'of the future', 1, x'00', 0)",
    )
    .await;
    made(&path("foreign"), "UPDATE _sqlx_migrations SET checksum = x'00'").await;
    made(&path("half"), "UPDATE _sqlx_migrations SET success = 0").await;
    for name in ["truncated", "cut off"] {
        made(&path(name), "").await;
        let bytes = fs::read(path(name)).expect("a file");
        let kept = if name == "truncated" { bytes.len() / 2 } else { 2_000 };
        fs::write(path(name), &bytes[..kept]).expect("room");
    }
    for (name, why) in [
        ("text", "is not a database"),
        ("folder", "is not a file"),
        ("other", "is a database of another program"),
        ("newer", "is of version 9999, and this server knows versions up to "),
        ("foreign", "its migration 1 is a different one"),
        ("half", "is damaged: its tables were not brought to version 1 as a whole"),
        ("truncated", "is damaged: "),
        ("cut off", "is damaged: "),
    ] {
        let before = fs::read(path(name)).ok();
        for said in sayings(&path(name)) {
            assert!(said.contains(why), "{name}: {said}");
        }
        assert_eq!(fs::read(path(name)).ok(), before, "{name} was changed");
    }
}

/// A server that was ended before it had made its tables leaves an empty one. A server and a restore may
/// make the file, but not its folder.
#[test]
fn a_database_that_is_empty_or_not_there_is_refused_and_not_made() {
    let folder = TempDir::new().expect("a temporary folder");
    let copy = folder.path().join("copy.db");
    fs::write(folder.path().join("empty.db"), "").expect("room");
    let (backup, serve) = (["backup", name(&copy)], ["serve", "--listen", "127.0.0.1:0"]);
    for (file, command, why) in [
        ("empty.db", &backup[..], "empty.db is empty: no server has used it yet"),
        ("missing.db", &backup, "there is no file "),
        ("missing/lusoria.db", &serve, "missing/lusoria.db-lock cannot be opened: "),
    ] {
        let said = refused(command, &folder.path().join(file));
        assert!(said.contains(why), "{file}: {said}");
    }
    for file in ["missing.db", "missing", "copy.db"] {
        assert!(!folder.path().join(file).exists(), "{file} was made");
    }
}

#[tokio::test]
async fn a_database_that_somebody_else_has_locked_is_told_so() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("lusoria.db");
    made(&path, "").await;
    let other = stranger(&path);
    other.run("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE").expect("begun");
    for said in tokio::task::spawn_blocking(move || sayings(&path)).await.expect("it does not panic") {
        assert!(said.contains("is locked by another program"), "{said}");
    }
    drop(other);
}

/// Otherwise the other program's writes would go into the file that is moved away.
#[tokio::test]
async fn a_database_that_somebody_else_uses_is_not_replaced() {
    let folder = TempDir::new().expect("a temporary folder");
    let (path, copy) = (folder.path().join("lusoria.db"), folder.path().join("copy.db"));
    made(&path, "").await;
    done(&["backup", name(&copy)], &path);
    let before = fs::read(&path).expect("a file");
    let other = stranger(&path);
    for hold in ["BEGIN IMMEDIATE", "BEGIN; SELECT COUNT(*) FROM guests; DELETE FROM outages"] {
        other.run(hold).expect("begun");
        let (from, to) = (copy.clone(), path.clone());
        let restore = move || refused(&["restore", name(&from)], &to);
        let said = tokio::task::spawn_blocking(restore).await.expect("it does not panic");
        assert!(said.contains("lusoria.db is locked by another program"), "{said}");
        other.run("ROLLBACK").expect("ended");
    }
    drop(other);
    assert_eq!(fs::read(&path).expect("a file"), before);
    for end in ["-partial", "-restoring", ".replaced-1"] {
        assert!(!folder.path().join(format!("lusoria.db{end}")).exists(), "{end} is left");
    }
}

/// A page in the middle that nobody has read yet.
#[tokio::test]
async fn damage_in_the_middle_is_found_by_a_backup_and_by_a_restore() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("lusoria.db");
    let copy = folder.path().join("copy.db");
    made(
        &path,
        "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 20000) \
         INSERT INTO outages (began_at, ended_at) SELECT n, n FROM n",
    )
    .await;
    let mut bytes = fs::read(&path).expect("a file");
    let middle = bytes.len() / 8192 * 4096;
    // Pages of the table and of its index, which a copy writes anew, lie beside each other.
    bytes[middle..middle + 8 * 4096].fill(0x5a);
    fs::write(&path, bytes).expect("room");
    for said in [refused(&["backup", name(&copy)], &path), refused(&["restore", name(&path)], &copy)] {
        assert!(said.contains("lusoria.db is damaged: "), "{said}");
    }
    assert!(!copy.exists());
}

/// No server reads half of a restore.
#[tokio::test]
async fn a_restore_that_was_broken_off_must_be_done_again() {
    let folder = TempDir::new().expect("a temporary folder");
    let (path, copy) = (folder.path().join("lusoria.db"), folder.path().join("copy.db"));
    made(&path, "").await;
    done(&["backup", name(&copy)], &path);
    // As if it had ended between its last two steps.
    fs::rename(&path, folder.path().join("lusoria.db.replaced-1")).expect("moved");
    fs::copy(&copy, folder.path().join("lusoria.db-restoring")).expect("copied");
    let said = refused(&["serve", "--listen", "127.0.0.1:0"], &path);
    assert!(said.contains("a restore of ") && said.contains("was interrupted: run it again"), "{said}");
    assert!(!path.exists());
    done(&["restore", name(&copy)], &path);
    drop(Process::start(&path));
}

/// To get the old one back: with what it had in its log alone, which still lies where it was.
#[tokio::test]
async fn a_database_moved_by_an_interrupted_restore_is_restored_with_its_wal() {
    let folder = TempDir::new().expect("a temporary folder");
    let beside = |end: &str| folder.path().join(format!("lusoria.db{end}"));
    let path = beside("");
    made(&path, "").await;
    let empty = fs::read(&path).expect("a file");
    let server = Process::start(&path);
    Table::new("zeno", server.address()).await.expect("the server runs");
    server.kill();
    assert!(fs::metadata(beside("-wal")).expect("a log").len() > 0);
    fs::rename(&path, beside(".replaced-1")).expect("moved");
    fs::write(beside("-restoring"), empty).expect("room");
    let said = done(&["restore", name(&beside(".replaced-1"))], &path);
    assert!(said.contains(" 2 guests, 1 matches "), "{said}");
}

/// What the old database had in its log alone goes with it, at whichever step it ended.
#[tokio::test]
async fn a_restore_that_was_broken_off_does_not_part_the_old_database_from_its_log() {
    let folder = TempDir::new().expect("a temporary folder");
    let beside = |end: &str| folder.path().join(format!("lusoria.db{end}"));
    let (path, copy) = (beside(""), folder.path().join("copy.db"));
    made(&path, "").await;
    done(&["backup", name(&copy)], &path);
    // One that was replaced long ago, and one that has been deleted since.
    fs::write(beside(".replaced-2"), "long ago").expect("room");
    for (number, steps) in [(3, 1), (4, 2)] {
        let server = Process::start(&path);
        Table::new("zeno", server.address()).await.expect("the server runs");
        server.kill();
        assert!(fs::metadata(beside("-wal")).expect("a log").len() > 0);
        // As if it had ended after so many steps.
        for end in ["", "-wal"].into_iter().take(steps) {
            fs::rename(beside(end), beside(&format!(".replaced-{number}{end}"))).expect("moved");
        }
        fs::copy(&copy, beside("-restoring")).expect("copied");
        let said = done(&["restore", name(&copy)], &path);
        assert!(said.contains(&format!("lusoria.db.replaced-{number}\n")), "{said}");
        let replaced = beside(&format!(".replaced-{number}"));
        let said = done(&["backup", name(&beside("-told")), "--force"], &replaced);
        assert!(said.contains(" 2 guests, 1 matches "), "{said}");
    }
    assert_eq!(fs::read(beside(".replaced-2")).expect("a file"), b"long ago");
    assert!(!beside(".replaced-5").exists() && !beside(".replaced-2-wal").exists());
    drop(Process::start(&path));
}
