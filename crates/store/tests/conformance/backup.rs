//! What a copy of the file holds, and what the store makes of it.

use std::time::Duration;

use lusoria_services::sqlite::File;
use lusoria_store::{
    Outage,
    sqlite::{BackupError, BackupOptions, Contents, RestoreError, back_up, check, restore},
};
use tempfile::TempDir;

use super::{append, guest, guest_of, history_of, match_id, new_match, node, node_id, open, session};

const OPTIONS: BackupOptions = BackupOptions { replace: false, within: Duration::from_mins(1) };

#[tokio::test]
async fn a_copy_holds_what_was_committed_before_it_began() {
    let folder = TempDir::new().expect("a folder");
    let (path, copy) = (folder.path().join("test.db"), folder.path().join("copy.db"));
    let store = open(&path).await;
    store.add_guest(guest(1), session(1)).await.expect("added");
    for n in 1..=3 {
        store.create(new_match(n)).await.expect("created");
    }
    store.append(append(1, 1)).await.expect("appended");
    let contents = back_up(&path, &copy, OPTIONS).await.expect("copied");
    let Contents { guests, unfinished, finished, events, .. } = contents;
    assert_eq!((guests, unfinished, finished, events), (1, 3, 0, 4));
    store.append(append(2, 1)).await.expect("appended");
    store.close().await;

    let copied = open(&copy).await;
    assert_eq!(copied.head(match_id(1)).await.expect("read").expect("a head").version.head, 2);
    assert_eq!(copied.head(match_id(2)).await.expect("read").expect("a head").version.head, 1);
    assert_eq!(guest_of(&copied, 1).await, Some(guest(1)));
    assert!(copied.secret(match_id(3)).await.expect("read").is_some());
    copied.close().await;
}

/// Clocks do not run between the backup and the start of the server that continues from it.
#[tokio::test]
async fn the_time_since_the_backup_is_an_outage() {
    let folder = TempDir::new().expect("a folder");
    let (path, copy) = (folder.path().join("test.db"), folder.path().join("copy.db"));
    let store = open(&path).await;
    store.join(node(1), 1_000).await.expect("joined");
    store.create(new_match(1)).await.expect("created");
    store.beat(node_id(1), 5_000).await.expect("noted");
    back_up(&path, &copy, OPTIONS).await.expect("copied");
    store.beat(node_id(1), 9_000).await.expect("noted");
    store.close().await;
    restore(&copy, &path).await.expect("restored");
    let store = open(&path).await;
    store.join(node(1), 20_000).await.expect("joined");
    assert_eq!(store.outages(0).await.expect("read"), [Outage { from: 5_000, until: 20_000 }]);
    store.close().await;
}

#[tokio::test]
async fn a_restore_begins_another_history_and_a_start_does_not() {
    let folder = TempDir::new().expect("a folder");
    let (path, copy) = (folder.path().join("test.db"), folder.path().join("copy.db"));
    let histories = async || {
        let store = open(&path).await;
        let history = history_of(&*store).await;
        store.close().await;
        history
    };
    let first = histories().await;
    assert_eq!(histories().await, first);
    back_up(&path, &copy, OPTIONS).await.expect("copied");
    let restored = restore(&copy, &path).await.expect("restored");
    assert!(restored.replaced.is_some_and(|replaced| replaced.ends_with("test.db.replaced-1")));
    let second = histories().await;
    assert_ne!(second, first);
    let restored = restore(&copy, &path).await.expect("restored");
    assert!(restored.replaced.is_some_and(|replaced| replaced.ends_with("test.db.replaced-2")));
    assert!(![first, second].contains(&histories().await));
}

#[tokio::test]
async fn a_database_is_not_restored_from_itself() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("test.db");
    open(&path).await.close().await;
    assert!(matches!(restore(&path, &path).await, Err(RestoreError::Same(_))));
    check(&path).await.expect("it is as it was");
}

#[tokio::test]
async fn a_copy_that_takes_too_long_is_given_up() {
    let folder = TempDir::new().expect("a folder");
    let (path, copy) = (folder.path().join("test.db"), folder.path().join("copy.db"));
    let store = open(&path).await;
    for n in 1..=300 {
        store.create(new_match(n)).await.expect("created");
    }
    let late = BackupOptions { within: Duration::ZERO, ..OPTIONS };
    let given_up = back_up(&path, &copy, late).await;
    assert!(matches!(given_up, Err(BackupError::TooSlow { .. })), "{given_up:?}");
    store.close().await;
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 3, "the database, its lock and the note of its commits");
}

/// The pages may be whole and the journal not.
#[tokio::test]
async fn a_journal_with_a_gap_is_found() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("test.db");
    let store = open(&path).await;
    store.create(new_match(1)).await.expect("created");
    store.append(append(1, 1)).await.expect("appended");
    store.close().await;
    let delete = "DELETE FROM journal WHERE first = 1; DELETE FROM secrets";
    File::open(&path).and_then(|file| file.run(delete)).expect("deleted");
    let found = check(&path).await.expect_err("a gap").to_string();
    assert!(found.contains("1 matches whose journal has gaps"), "{found}");
    assert!(found.contains("1 matches without the secret of their dice"), "{found}");
}
