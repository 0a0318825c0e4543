//! Files that are no database to work with: every command says what is wrong with them and
//! where, ends with 2, and leaves them as they were.

use std::{fs, path::Path};

use rusqlite::Connection;
use tempfile::TempDir;

use super::{child::Process, lusoria, table::Table};

/// A database that a server has made, with what some statements made of it.
async fn made(path: &Path, statements: &[&'static str]) {
    assert_eq!(Process::start(path).terminate().await.code(), Some(0), "it closes the file");
    let connection = stranger(path);
    for statement in statements {
        connection.execute_batch(statement).expect("a statement");
    }
}

fn stranger(path: &Path) -> Connection {
    Connection::open(path).expect("a connection")
}

/// What the commands that need a database say of this one: `serve`, `admin`, `backup`, and
/// `restore` from it.
fn sayings(path: &Path) -> Vec<String> {
    let folder = TempDir::new().expect("a temporary folder");
    let elsewhere = folder.path().join("elsewhere.db");
    let (name, copy) = (path.to_str().expect("UTF-8"), elsewhere.to_str().expect("UTF-8"));
    let outputs = [
        lusoria(&["serve", "--listen", "127.0.0.1:0"], path),
        lusoria(&["admin", "statistics"], path),
        lusoria(&["backup", copy], path),
        lusoria(&["restore", name], &elsewhere),
    ];
    assert!(!elsewhere.exists(), "nothing was made");
    let said = outputs.map(|output| {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(name), "it says where: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        said
    });
    said.to_vec()
}

#[tokio::test]
async fn a_foreign_database_is_refused_by_its_name() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("text"), "Zeno threw 2, 6 and 5. ".repeat(1_000)).expect("room");
    fs::create_dir(path("folder")).expect("room");
    let other = stranger(&path("other"));
    other.execute_batch("CREATE TABLE bookmarks (url TEXT)").expect("made");
    drop(other);
    made(
        &path("newer"),
        &["INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
           VALUES (9999, 'of the future', 1, x'00', 0)"],
    )
    .await;
    made(&path("foreign"), &["UPDATE _sqlx_migrations SET checksum = x'00' WHERE version = 2"]).await;
    made(&path("half"), &["UPDATE _sqlx_migrations SET success = 0 WHERE version = 2"]).await;
    for name in ["truncated", "cut off"] {
        made(&path(name), &[]).await;
        let bytes = fs::read(path(name)).expect("a file");
        let kept = if name == "truncated" { bytes.len() / 2 } else { 2_000 };
        fs::write(path(name), &bytes[..kept]).expect("room");
    }
    for (name, why) in [
        ("text", "is not a database"),
        ("folder", "is not a file"),
        ("other", "is a database of another program"),
        ("newer", "is of version 9999, and this server knows versions up to "),
        ("foreign", "its migration 2 is a different one"),
        ("half", "is damaged: its tables were not brought to version 2 as a whole"),
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

/// A server that was ended before it had made its tables leaves one.
#[test]
fn an_empty_file_is_refused_by_its_name() {
    let folder = TempDir::new().expect("a temporary folder");
    let (empty, copy) = (folder.path().join("empty.db"), folder.path().join("copy.db"));
    fs::write(&empty, "").expect("room");
    let output = lusoria(&["backup", copy.to_str().expect("UTF-8")], &empty);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("empty.db is empty: no server has used it yet"), "{said}");
    assert!(!copy.exists());
}

#[test]
fn a_missing_database_cannot_be_copied() {
    let folder = TempDir::new().expect("a temporary folder");
    let (missing, copy) = (folder.path().join("missing.db"), folder.path().join("copy.db"));
    let output = lusoria(&["backup", copy.to_str().expect("UTF-8")], &missing);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no file "));
    assert!(!missing.exists() && !copy.exists());
}

/// A server and a restore may make the file, but not its folder.
#[test]
fn a_folder_that_is_not_there_is_not_made() {
    let folder = TempDir::new().expect("a temporary folder");
    let database = folder.path().join("missing/lusoria.db");
    let output = lusoria(&["serve", "--listen", "127.0.0.1:0"], &database);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing/lusoria.db-lock cannot be opened: "));
    assert!(!folder.path().join("missing").exists());
}

#[tokio::test]
async fn a_database_that_somebody_else_has_locked_is_told_so() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("lusoria.db");
    made(&path, &[]).await;
    let other = stranger(&path);
    other.execute_batch("PRAGMA locking_mode = EXCLUSIVE").expect("set");
    other.execute_batch("BEGIN EXCLUSIVE").expect("begun");
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
    made(&path, &[]).await;
    assert_eq!(lusoria(&["backup", copy.to_str().expect("UTF-8")], &path).status.code(), Some(0));
    let before = fs::read(&path).expect("a file");
    let other = stranger(&path);
    for hold in ["BEGIN IMMEDIATE", "BEGIN; SELECT COUNT(*) FROM guests; DELETE FROM outages"] {
        other.execute_batch(hold).expect("begun");
        let (from, to) = (copy.clone(), path.clone());
        let restore = move || lusoria(&["restore", from.to_str().expect("UTF-8")], &to);
        let output = tokio::task::spawn_blocking(restore).await.expect("it does not panic");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("lusoria.db is locked by another program"), "{said}");
        other.execute_batch("ROLLBACK").expect("ended");
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
        &["WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 20000) \
           INSERT INTO outages (began_at, ended_at) SELECT n, n FROM n"],
    )
    .await;
    let mut bytes = fs::read(&path).expect("a file");
    let middle = bytes.len() / 8192 * 4096;
    bytes[middle..middle + 4096].fill(0x5a);
    fs::write(&path, bytes).expect("room");
    let (name, copied) = (path.to_str().expect("UTF-8"), copy.to_str().expect("UTF-8"));
    for output in [lusoria(&["backup", copied], &path), lusoria(&["restore", name], &copy)] {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("lusoria.db is damaged: "), "{said}");
    }
    assert!(!copy.exists());
}

/// No server reads half of a restore.
#[tokio::test]
async fn a_restore_that_was_broken_off_must_be_done_again() {
    let folder = TempDir::new().expect("a temporary folder");
    let (path, copy) = (folder.path().join("lusoria.db"), folder.path().join("copy.db"));
    made(&path, &[]).await;
    assert_eq!(lusoria(&["backup", copy.to_str().expect("UTF-8")], &path).status.code(), Some(0));
    // As if it had ended between its last two steps.
    fs::rename(&path, folder.path().join("lusoria.db.replaced-1")).expect("moved");
    fs::copy(&copy, folder.path().join("lusoria.db-restoring")).expect("copied");
    let refused = lusoria(&["serve", "--listen", "127.0.0.1:0"], &path);
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("a restore of ") && said.contains("was interrupted: run it again"), "{said}");
    assert!(!path.exists());
    assert_eq!(lusoria(&["restore", copy.to_str().expect("UTF-8")], &path).status.code(), Some(0));
    drop(Process::start(&path));
}

/// To get the old one back: with what it had in its log alone, which still lies where it was.
#[tokio::test]
async fn a_database_moved_by_an_interrupted_restore_is_restored_with_its_wal() {
    let folder = TempDir::new().expect("a temporary folder");
    let beside = |end: &str| folder.path().join(format!("lusoria.db{end}"));
    let path = beside("");
    made(&path, &[]).await;
    let empty = fs::read(&path).expect("a file");
    let server = Process::start(&path);
    Table::new("zeno", server.address()).await.expect("the server runs");
    server.kill();
    assert!(fs::metadata(beside("-wal")).expect("a log").len() > 0);
    fs::rename(&path, beside(".replaced-1")).expect("moved");
    fs::write(beside("-restoring"), empty).expect("room");
    let back = lusoria(&["restore", beside(".replaced-1").to_str().expect("UTF-8")], &path);
    let said = String::from_utf8_lossy(&back.stdout).into_owned();
    assert_eq!(back.status.code(), Some(0), "{}", String::from_utf8_lossy(&back.stderr));
    assert!(said.contains(" 2 guests, 1 matches "), "{said}");
}

/// What the old database had in its log alone goes with it, at whichever step it ended.
#[tokio::test]
async fn a_restore_that_was_broken_off_does_not_part_the_old_database_from_its_log() {
    let folder = TempDir::new().expect("a temporary folder");
    let beside = |end: &str| folder.path().join(format!("lusoria.db{end}"));
    let (path, copy) = (beside(""), folder.path().join("copy.db"));
    made(&path, &[]).await;
    assert_eq!(lusoria(&["backup", copy.to_str().expect("UTF-8")], &path).status.code(), Some(0));
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
        let restored = lusoria(&["restore", copy.to_str().expect("UTF-8")], &path);
        let said = String::from_utf8_lossy(&restored.stdout).into_owned();
        assert_eq!(restored.status.code(), Some(0), "{}", String::from_utf8_lossy(&restored.stderr));
        assert!(said.contains(&format!("lusoria.db.replaced-{number}\n")), "{said}");
        let told = lusoria(
            &["backup", beside("-told").to_str().expect("UTF-8"), "--force"],
            &beside(&format!(".replaced-{number}")),
        );
        let said = String::from_utf8_lossy(&told.stdout).into_owned();
        assert!(said.contains(" 2 guests, 1 matches "), "{said}");
    }
    assert_eq!(fs::read(beside(".replaced-2")).expect("a file"), b"long ago");
    assert!(!beside(".replaced-5").exists() && !beside(".replaced-2-wal").exists());
    drop(Process::start(&path));
}
