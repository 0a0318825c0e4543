//! What only a file has: its lock, its version, its limits, other programs.

use std::path::PathBuf;

use lusoria_store::sqlite::OpenError;

use super::*;

async fn refusal(path: &Path) -> OpenError {
    match Store::open_file(path, SqliteOptions::default()).await {
        Ok(_) => panic!("the file should be refused"),
        Err(error) => error,
    }
}

async fn open_with(path: &Path, options: SqliteOptions) -> Fixture {
    Fixture(Arc::new(Store::open_file(path, options).await.expect("the file opens")))
}

/// A file with that done to it by another program.
async fn changed(sql: &str) -> (TempDir, PathBuf) {
    let (folder, path) = folder();
    open(&path).await.close().await;
    File::open(&path).and_then(|file| file.run(sql)).expect("changed");
    (folder, path)
}

#[tokio::test]
async fn a_second_server_is_refused() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let refused = refusal(&path).await;
    assert!(matches!(refused, OpenError::InUse(_)));
    assert!(refused.to_string().starts_with("another server is using "), "{refused}");
    store.close().await;
    open(&path).await.close().await;
}

#[tokio::test]
async fn a_newer_or_another_database_is_refused() {
    let later = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9999, 'of the future', 1, x'00', 0)";
    let (_folder, path) = changed(later).await;
    let refused = refusal(&path).await;
    assert!(matches!(refused, OpenError::Newer { found: 9999, .. }), "{refused}");
    assert!(refused.to_string().contains("newer server"), "{refused}");
    let (_folder, path) = changed("UPDATE _sqlx_migrations SET checksum = x'00'").await;
    assert!(matches!(refusal(&path).await, OpenError::Foreign { migration: 1, .. }));
    let (folder, path) = folder();
    std::fs::write(&path, "Zeno threw 2, 6 and 5. ".repeat(100)).expect("written");
    assert!(matches!(refusal(&path).await, OpenError::NotADatabase(_)));
    assert!(matches!(refusal(&folder.path().join("missing/test.db")).await, OpenError::File { .. }));
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, path) = folder();
    let s = Fixture(open(&path).await);
    s.matches([1]).await;
    for name in ["test.db", "test.db-wal", "test.db-shm"] {
        let mode = std::fs::metadata(folder.path().join(name)).expect("a file").permissions().mode();
        assert_eq!(mode & 0o077, 0, "{name}");
    }
    s.close().await;
}

#[tokio::test]
async fn a_full_disk_refuses_and_the_store_goes_on() {
    let (folder, path) = folder();
    let s = open_with(&path, SqliteOptions { pages_max: Some(192), ..SqliteOptions::default() }).await;
    let mut made = 0;
    let full = loop {
        match s.create(new_match(made)).await {
            Ok(()) => made += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(full, AppendError::Store(StoreError::Full(_))), "{full}");
    for (n, length) in [(made - 1, 1), (made, 0)] {
        is!(s.length(n), length);
    }
    // What fits is still written.
    done!(s.beat(node_id(1), 1));
    s.close().await;
    let s = Fixture(open(&path).await);
    s.matches([made]).await;
    s.close().await;

    let small = SqliteOptions { pages_max: Some(4), ..SqliteOptions::default() };
    for (path, options, is_full) in [
        (folder.path().join("small.db"), small, true),
        (folder.path().to_owned(), SqliteOptions::default(), false),
    ] {
        let Err(refused) = Store::open_file(&path, options).await else { panic!("{path:?} was opened") };
        assert_eq!(refused.is_disk_full(), is_full, "{refused}");
    }
}

#[tokio::test]
async fn a_locked_database_refuses_as_busy_and_the_store_goes_on() {
    let (_folder, path) = folder();
    let s = open_with(
        &path,
        SqliteOptions { busy_timeout: Duration::from_millis(1), ..SqliteOptions::default() },
    )
    .await;
    let other = File::open(&path).expect("a connection");
    other.run("BEGIN IMMEDIATE").expect("a lock");
    refused!(s.create(new_match(1)), AppendError::Store(StoreError::Busy(_)));
    is!(s.length(1), 0);
    other.run("ROLLBACK").expect("no lock");
    s.matches([1]).await;
    drop(other);
    s.close().await;
}
