//! What only a file has: its lock, its version, its limits, other programs.

use std::{path::Path, time::Duration};

use futures_util::future::{join, join_all};
use lusoria_services::sqlite::File;
use lusoria_store::{
    AppendError, Store, StoreError,
    sqlite::{OpenError, SqliteOptions},
};

use super::{
    append, events, guest, guest_of, hash, invitation, key, match_id, new_match, node, node_id, open, player,
    session,
};

async fn refusal(path: &Path) -> OpenError {
    match Store::open_file(path, SqliteOptions::default()).await {
        Ok(_) => panic!("the file should be refused"),
        Err(error) => error,
    }
}

#[tokio::test]
async fn everything_is_there_when_the_file_is_opened_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.db");
    let store = open(&path).await;
    let mut new = new_match(1);
    (new.key, new.invitation) = (Some(key(1, "make")), Some(invitation(1)));
    store.create(new).await.expect("created");
    store.append(append(1, 1)).await.expect("appended");
    store.add_guest(guest(1), session(1)).await.expect("added");
    store.join(node(1), 1_000).await.expect("joined");
    store.close().await;

    let store = open(&path).await;
    assert_eq!(
        store.events(match_id(1), 0, 10).await.expect("read").events,
        [events(0, 1, 1_000), events(1, 1, 2_000)].concat()
    );
    assert_eq!(store.secret(match_id(1)).await.expect("read").expect("a secret").reveal(), &[9; 32]);
    assert_eq!(guest_of(&store, 1).await, Some(guest(1)));
    assert_eq!(store.invited_to(hash(1), 0).await.expect("read"), Some(match_id(1)));
    assert!(store.used_key(player(1), "make".to_owned()).await.expect("read").is_some());
    store.join(node(1), 5_000).await.expect("joined");
    assert_eq!(store.outages(0).await.expect("read").len(), 1);
    store.close().await;
}

#[tokio::test]
async fn a_closed_store_refuses_and_leaves_no_wal() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.db");
    let store = open(&path).await;
    // What waits when the store is closed is still made.
    let (answers, ()) = join(join_all((0..50).map(|n| store.create(new_match(n)))), store.close()).await;
    assert!(answers.into_iter().all(|answer| answer.is_ok()));
    store.close().await;
    assert!(matches!(store.create(new_match(99)).await, Err(AppendError::Store(StoreError::Closed))));
    assert!(matches!(store.head(match_id(1)).await, Err(StoreError::Closed)));
    assert!(!folder.path().join("test.db-wal").exists());
    let store = open(&path).await;
    assert_eq!(store.head(match_id(49)).await.expect("read").expect("a head").version.head, 1);
    store.close().await;
}

#[tokio::test]
async fn a_second_server_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.db");
    let store = open(&path).await;
    let refused = refusal(&path).await;
    assert!(matches!(refused, OpenError::InUse(_)));
    assert!(refused.to_string().starts_with("another server is using "), "{refused}");
    store.close().await;
    open(&path).await.close().await;
}

#[tokio::test]
async fn a_newer_database_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.db");
    open(&path).await.close().await;
    let later = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9999, 'of the future', 1, x'00', 0)";
    File::open(&path).and_then(|file| file.run(later)).expect("a later version");
    let refused = refusal(&path).await;
    assert!(matches!(refused, OpenError::Newer { found: 9999, .. }), "{refused}");
    assert!(refused.to_string().contains("newer server"), "{refused}");
}

#[tokio::test]
async fn a_database_of_another_making_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.db");
    open(&path).await.close().await;
    let change = "UPDATE _sqlx_migrations SET checksum = x'00'";
    File::open(&path).and_then(|file| file.run(change)).expect("another checksum");
    assert!(matches!(refusal(&path).await, OpenError::Foreign { migration: 1, .. }));
}

#[tokio::test]
async fn a_file_that_is_not_a_database_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.db");
    std::fs::write(&path, "Zeno threw 2, 6 and 5. ".repeat(100)).expect("written");
    assert!(matches!(refusal(&path).await, OpenError::NotADatabase(_)));
    assert!(matches!(refusal(&folder.path().join("missing/test.db")).await, OpenError::File { .. }));
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(&folder.path().join("test.db")).await;
    store.create(new_match(1)).await.expect("created");
    for name in ["test.db", "test.db-wal", "test.db-shm"] {
        let mode = std::fs::metadata(folder.path().join(name)).expect("a file").permissions().mode();
        assert_eq!(mode & 0o077, 0, "{name}");
    }
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bad_write_harms_no_other_in_its_transaction() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(&folder.path().join("test.db")).await;
    store.add_guest(guest(0), session(0)).await.expect("added");
    // Guests with a token that is taken fail inside of the transaction; appends with a
    // wrong head are refused in it; both at once with others that are good.
    let guests = join_all((1..60_u8).map(|n| {
        let session = session(if n % 5 == 0 { 0 } else { n });
        store.add_guest(guest(u32::from(n)), session)
    }));
    let matches = join_all((1..60).map(|n| store.create(new_match(n))));
    let appends = join_all((1..60).map(|n| store.append(append(n, 1 + n % 2))));
    let (guests, (matches, appends)) = join(guests, join(matches, appends)).await;
    for (n, answer) in (1..60_u32).zip(guests) {
        assert_eq!(answer.is_ok(), n % 5 != 0, "guest {n}");
        assert_eq!(store.guest(player(n)).await.expect("read").is_some(), n % 5 != 0, "guest {n}");
    }
    assert!(matches.iter().all(Result::is_ok));
    for (n, answer) in (1..60).zip(appends) {
        let good = n % 2 == 0;
        assert!(
            if good { answer.is_ok() } else { matches!(answer, Err(AppendError::Conflict)) },
            "match {n}"
        );
        let head = store.head(match_id(n)).await.expect("read").expect("a head");
        assert_eq!(head.version.head, if good { 2 } else { 1 }, "match {n}");
    }
    store.close().await;
}

#[tokio::test]
async fn a_full_disk_refuses_and_the_store_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.db");
    let options = SqliteOptions { pages_max: Some(192), ..SqliteOptions::default() };
    let store = Store::open_file(&path, options).await.expect("the file opens");
    let mut made = 0;
    let full = loop {
        match store.create(new_match(made)).await {
            Ok(()) => made += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(full, AppendError::Store(StoreError::Full(_))), "{full}");
    assert!(made > 0);
    assert_eq!(store.head(match_id(made - 1)).await.expect("read").expect("a head").version.head, 1);
    assert_eq!(store.head(match_id(made)).await.expect("read"), None);
    store.beat(node_id(1), 1).await.expect("what fits is still written");
    store.close().await;

    let store = open(&path).await;
    store.create(new_match(made)).await.expect("created, with room again");
    store.close().await;
}

#[tokio::test]
async fn a_locked_database_refuses_as_busy_and_the_store_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.db");
    let options = SqliteOptions { busy_timeout: Duration::from_millis(1), ..SqliteOptions::default() };
    let store = Store::open_file(&path, options).await.expect("the file opens");
    let other = File::open(&path).expect("a connection");
    other.run("BEGIN IMMEDIATE").expect("a lock");
    assert!(matches!(store.create(new_match(1)).await, Err(AppendError::Store(StoreError::Busy(_)))));
    assert_eq!(store.head(match_id(1)).await.expect("reads go on"), None);
    other.run("ROLLBACK").expect("no lock");
    store.create(new_match(1)).await.expect("created");
    drop(other);
    store.close().await;
}

#[tokio::test]
async fn a_full_queue_refuses_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = SqliteOptions { queue_max: 4, ..SqliteOptions::default() };
    let store = Store::open_file(&folder.path().join("test.db"), options).await.expect("the file opens");
    // On this one thread all are queued before the writer can take any.
    let answers = join_all((0..10).map(|n| store.create(new_match(n)))).await;
    let busy =
        |answer: &&Result<(), AppendError>| matches!(answer, Err(AppendError::Store(StoreError::Busy(_))));
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 4);
    assert_eq!(answers.iter().filter(busy).count(), 6);
    store.close().await;
}

#[tokio::test]
async fn a_write_without_a_waiting_caller_is_committed() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(&folder.path().join("test.db")).await;
    let mut forgotten = Box::pin(store.create(new_match(1)));
    assert!(futures_util::poll!(&mut forgotten).is_pending());
    drop(forgotten);
    store.create(new_match(2)).await.expect("created, after the other");
    assert_eq!(store.head(match_id(1)).await.expect("read").expect("a head").version.head, 1);
    store.close().await;
}

#[tokio::test]
async fn a_full_disk_is_distinguished_from_lasting_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let small = SqliteOptions { pages_max: Some(4), ..SqliteOptions::default() };
    let Err(full) = Store::open_file(&folder.path().join("small.db"), small).await else {
        panic!("the tables need more than four pages")
    };
    assert!(full.is_disk_full(), "{full}");
    let Err(other) = Store::open_file(folder.path(), SqliteOptions::default()).await else {
        panic!("a folder is no file")
    };
    assert!(!other.is_disk_full(), "{other}");
}
