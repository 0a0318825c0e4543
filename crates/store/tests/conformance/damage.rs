//! A WAL that was cut, changed or removed while no server ran, and a disk without room.

use std::{
    fs,
    path::{Path, PathBuf},
};

use lusoria_services::sqlite::File;
use lusoria_store::{
    AppendError, Store, StoreError,
    sqlite::{OnLostCommits, OpenError, SqliteOptions},
};
use uuid::Uuid;

use super::{append, guest, history_of, match_id, new_match, node, node_id, open, session};

/// So many that they fill more of the WAL than the migrations have, which it was used for first.
const EVENTS: u32 = 60;

/// The files of a database that outlast a killed server.
const FILES: [&str; 3] = ["", "-wal", "-commits"];

fn beside(path: &Path, end: &str) -> PathBuf {
    PathBuf::from(format!("{}{end}", path.display()))
}

/// The files as they are, as a server that was killed would leave them.
fn killed(path: &Path, folder: &Path) -> PathBuf {
    let copy = folder.join("killed.db");
    for end in FILES {
        fs::copy(beside(path, end), beside(&copy, end)).expect("copied");
    }
    copy
}

/// A database with a match of some events, whose server was killed before the WAL was copied.
/// Its history, too.
async fn with_wal(folder: &Path) -> (PathBuf, Uuid) {
    let path = folder.join("running.db");
    let store = open(&path).await;
    store.create(new_match(1)).await.expect("created");
    for head in 1..EVENTS {
        store.append(append(1, head)).await.expect("appended");
    }
    let (killed, history) = (killed(&path, folder), history_of(&*store).await);
    store.close().await;
    (killed, history)
}

async fn head(store: &Store) -> u32 {
    store.head(match_id(1)).await.expect("read").map_or(0, |head| head.version.head)
}

async fn opened(path: &Path) -> Store {
    Store::open_file(path, SqliteOptions::default()).await.expect("the file opens")
}

type Damage = fn(Vec<u8>) -> Option<Vec<u8>>;

/// Ways to harm a WAL; none of it left is none.
const DAMAGES: [(&str, Damage); 4] = [
    ("removed", |_| None),
    ("cut to nothing", |_| Some(Vec::new())),
    ("its last quarter cut", |mut bytes| {
        bytes.truncate(bytes.len() / 4 * 3);
        Some(bytes)
    }),
    ("a bit flipped in the middle", |mut bytes| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        Some(bytes)
    }),
];

fn damage(path: &Path, how: Damage) {
    let wal = beside(path, "-wal");
    match how(fs::read(&wal).expect("a WAL")) {
        Some(bytes) => fs::write(&wal, bytes).expect("room"),
        None => fs::remove_file(&wal).expect("it is there"),
    }
}

#[tokio::test]
async fn what_a_killed_server_leaves_is_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, history) = with_wal(folder.path()).await;
    let store = opened(&path).await;
    assert_eq!((store.lost_commits(), history_of(&store).await), (0, history));
    assert!(!store.is_loss_unknown());
    assert_eq!(head(&store).await, EVENTS);
    store.close().await;
}

#[tokio::test]
async fn a_loss_is_reported_and_begins_another_history() {
    for (what, how) in DAMAGES {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, history) = with_wal(folder.path()).await;
        damage(&path, how);
        let store = opened(&path).await;
        assert!(head(&store).await < EVENTS, "{what}: something is lost");
        assert!(store.lost_commits() > 0, "{what}");
        assert_ne!(history_of(&store).await, history, "{what}");
        // What is there goes on, and the loss is told once.
        store.add_guest(guest(9), session(9)).await.expect("added");
        let begun = history_of(&store).await;
        store.close().await;
        let store = opened(&path).await;
        assert_eq!((store.lost_commits(), history_of(&store).await), (0, begun), "{what}");
        store.close().await;
    }
}

#[tokio::test]
async fn refusing_lost_commits_leaves_the_files_as_they_are() {
    for (what, how) in DAMAGES {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, _) = with_wal(folder.path()).await;
        damage(&path, how);
        // A WAL that is empty is as good as none.
        let files = || FILES.map(|end| fs::read(beside(&path, end)).unwrap_or_default());
        let before = files();
        let options = SqliteOptions { on_lost_commits: OnLostCommits::Refuse, ..SqliteOptions::default() };
        match Store::open_file(&path, options).await {
            Err(OpenError::LostCommits { noted, found, .. }) => assert!(found < noted, "{what}"),
            Err(other) => panic!("{what}: {other}"),
            Ok(_) => panic!("{what}: it was opened"),
        }
        assert!(files() == before, "{what}: the files were changed");
    }
}

#[tokio::test]
async fn a_damaged_wal_whose_all_is_in_the_database_loses_nothing() {
    for (what, how) in DAMAGES {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, history) = with_wal(folder.path()).await;
        // Opening it copies the WAL at once, and a second killing leaves both.
        let store = opened(&path).await;
        let bytes = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        let whole: u64 = File::open(&path).and_then(|file| file.value(bytes)).expect("read");
        while fs::metadata(&path).expect("a file").len() < whole {
            tokio::task::yield_now().await;
        }
        let again = tempfile::tempdir().expect("a folder");
        let copy = killed(&path, again.path());
        store.close().await;
        damage(&copy, how);
        let store = opened(&copy).await;
        if head(&store).await == EVENTS {
            assert_eq!((store.lost_commits(), history_of(&store).await), (0, history), "{what}");
        } else {
            assert!(store.lost_commits() > 0, "{what}: it was not copied yet");
        }
        store.close().await;
    }
}

/// One statement commits both turns; the note must not be ahead of what it wrote.
#[tokio::test]
async fn a_turn_that_is_refused_last_is_no_loss() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("running.db");
    let store = open(&path).await;
    for n in [1, 2] {
        store.create(new_match(n)).await.expect("created");
        store.append(append(n, 1)).await.expect("appended");
    }
    for (of, stale) in [(append(1, 2), append(2, 1)), (append(1, 9), append(2, 1))] {
        let _ = tokio::join!(store.append(of), store.append(stale));
        let copy = tempfile::tempdir().expect("a folder");
        let copy = opened(&killed(&path, copy.path())).await;
        assert_eq!((copy.lost_commits(), head(&copy).await), (0, 3));
        copy.close().await;
    }
    store.close().await;
}

#[tokio::test]
async fn a_lost_heartbeat_is_no_loss() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("running.db");
    let store = open(&path).await;
    store.create(new_match(1)).await.expect("created");
    let until = fs::metadata(beside(&path, "-wal")).expect("a WAL").len();
    store.beat(node_id(1), 1_000).await.expect("noted");
    let copy = killed(&path, folder.path());
    store.close().await;
    let wal = fs::read(beside(&copy, "-wal")).expect("a WAL");
    let kept = usize::try_from(until).expect("a short file");
    assert!(wal.len() > kept, "the note lies behind it");
    fs::write(beside(&copy, "-wal"), &wal[..kept]).expect("room");
    let store = opened(&copy).await;
    assert_eq!((store.lost_commits(), head(&store).await), (0, 1));
    assert_eq!(store.join(node(1), 500).await.expect("joined").time, 500);
    store.close().await;
}

/// By hand, without `lusoria restore`: clients know more than it does.
#[tokio::test]
async fn an_older_copy_of_the_database_is_a_loss() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.db");
    let store = open(&path).await;
    store.create(new_match(1)).await.expect("created");
    store.close().await;
    let older = fs::read(&path).expect("a file");
    let store = open(&path).await;
    store.append(append(1, 1)).await.expect("appended");
    store.close().await;
    fs::write(&path, older).expect("room");
    let store = opened(&path).await;
    assert_eq!(store.lost_commits(), 1);
    store.close().await;
    fs::remove_file(&path).expect("it is there");
    let store = opened(&path).await;
    assert!(store.lost_commits() > 1, "all of it");
    store.close().await;
}

#[tokio::test]
async fn a_note_that_cannot_be_read_does_not_stop_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, history) = with_wal(folder.path()).await;
    fs::write(beside(&path, "-commits"), "17\n").expect("room");
    let strict = SqliteOptions { on_lost_commits: OnLostCommits::Refuse, ..SqliteOptions::default() };
    assert!(matches!(Store::open_file(&path, strict).await, Err(OpenError::File { .. })));
    let store = opened(&path).await;
    assert_eq!((store.lost_commits(), history_of(&store).await), (0, history));
    store.close().await;
}

/// As when somebody has copied two of the three files.
#[tokio::test]
async fn without_the_note_a_damaged_wal_cannot_be_told_from_a_whole_one() {
    for (what, how) in DAMAGES {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, _) = with_wal(folder.path()).await;
        damage(&path, how);
        fs::remove_file(beside(&path, "-commits")).expect("it is there");
        let has_wal = fs::metadata(beside(&path, "-wal")).is_ok_and(|wal| wal.len() > 0);
        let store = opened(&path).await;
        assert_eq!((store.lost_commits(), store.is_loss_unknown()), (0, has_wal), "{what}");
        store.close().await;
        let store = opened(&path).await;
        assert!(!store.is_loss_unknown(), "{what}: it is told once");
        store.close().await;
    }
}

#[tokio::test]
async fn without_room_for_the_copy_of_the_wal_nothing_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.db");
    open(&path).await.close().await;
    let options = SqliteOptions { reserve_bytes: u64::MAX, ..SqliteOptions::default() };
    let store = Store::open_file(&path, options).await.expect("the file opens");
    assert!(store.is_full());
    let refused = store.create(new_match(1)).await;
    assert!(matches!(refused, Err(AppendError::Store(StoreError::Full(_)))), "{refused:?}");
    assert!(matches!(store.beat(node_id(1), 1).await, Err(StoreError::Full(_))));
    assert_eq!(store.head(match_id(1)).await.expect("read").map(|head| head.version.head), None);
    // Not while what opening wrote is still being copied.
    while !store.erase_remains().await.expect("it needs no room") {}
    store.close().await;
    let store = opened(&path).await;
    assert!(!store.is_full());
    store.create(new_match(1)).await.expect("created");
    store.close().await;
}
