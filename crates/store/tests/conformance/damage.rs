//! A WAL that was cut, changed or removed while no server ran, and a disk without room.

use std::{fs, path::PathBuf};

use lusoria_store::sqlite::{OnLostCommits, OpenError};

use super::*;

/// So many that they fill more of the WAL than the migrations have, which it was used for first.
const EVENTS: u32 = 60;

/// The files of a database that outlast a killed server.
const FILES: [&str; 3] = ["", "-wal", "-commits"];

const STRICT: fn() -> SqliteOptions =
    || SqliteOptions { on_lost_commits: OnLostCommits::Refuse, ..SqliteOptions::default() };

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
async fn with_wal() -> (TempDir, PathBuf, Uuid) {
    let (folder, path) = folder();
    let s = Fixture(open(&path).await);
    s.matches([1]).await;
    for head in 1..EVENTS {
        done!(s.append(append(1, head)));
    }
    let (killed, history) = (killed(&path, folder.path()), history_of(&s).await);
    s.close().await;
    (folder, killed, history)
}

async fn opened(path: &Path) -> Fixture {
    Fixture(open(path).await)
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
    let (_folder, path, history) = with_wal().await;
    let s = opened(&path).await;
    assert_eq!((s.lost_commits(), s.is_loss_unknown(), history_of(&s).await), (0, false, history));
    is!(s.length(1), EVENTS);
    s.close().await;
}

#[tokio::test]
async fn a_loss_is_refused_or_reported_and_begins_another_history() {
    for (what, how) in DAMAGES {
        let (_folder, path, history) = with_wal().await;
        damage(&path, how);
        // A WAL that is empty is as good as none.
        let files = || FILES.map(|end| fs::read(beside(&path, end)).unwrap_or_default());
        let before = files();
        match Store::open_file(&path, STRICT()).await {
            Err(OpenError::LostCommits { noted, found, .. }) => assert!(found < noted, "{what}"),
            Err(other) => panic!("{what}: {other}"),
            Ok(_) => panic!("{what}: it was opened"),
        }
        assert!(files() == before, "{what}: the files were changed");
        let s = opened(&path).await;
        assert!(done!(s.length(1)) < EVENTS && s.lost_commits() > 0, "{what}: something is lost");
        let begun = history_of(&s).await;
        assert_ne!(begun, history, "{what}");
        // What is there goes on, and the loss is told once.
        s.guests([9]).await;
        s.close().await;
        let s = opened(&path).await;
        assert_eq!((s.lost_commits(), history_of(&s).await), (0, begun), "{what}");
        s.close().await;
    }
}

#[tokio::test]
async fn a_damaged_wal_whose_all_is_in_the_database_loses_nothing() {
    for (what, how) in DAMAGES {
        let (_folder, path, history) = with_wal().await;
        // Opening it copies the WAL at once, and a second killing leaves both.
        let s = opened(&path).await;
        let bytes = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        let whole: u64 = File::open(&path).and_then(|file| file.value(bytes)).expect("read");
        while fs::metadata(&path).expect("a file").len() < whole {
            tokio::task::yield_now().await;
        }
        let again = TempDir::new().expect("a folder");
        let copy = killed(&path, again.path());
        s.close().await;
        damage(&copy, how);
        let s = opened(&copy).await;
        if done!(s.length(1)) == EVENTS {
            assert_eq!((s.lost_commits(), history_of(&s).await), (0, history), "{what}");
        } else {
            assert!(s.lost_commits() > 0, "{what}: it was not copied yet");
        }
        s.close().await;
    }
}

/// One statement commits both turns; the note must not be ahead of what it wrote.
#[tokio::test]
async fn a_turn_that_is_refused_last_is_no_loss() {
    let (_folder, path) = folder();
    let s = opened(&path).await;
    s.matches([1, 2]).await;
    for n in [1, 2] {
        done!(s.append(append(n, 1)));
    }
    for (of, stale) in [(append(1, 2), append(2, 1)), (append(1, 9), append(2, 1))] {
        let _ = tokio::join!(s.append(of), s.append(stale));
        let copy = TempDir::new().expect("a folder");
        let copy = opened(&killed(&path, copy.path())).await;
        assert_eq!((copy.lost_commits(), done!(copy.length(1))), (0, 3));
        copy.close().await;
    }
    s.close().await;
}

#[tokio::test]
async fn a_lost_heartbeat_is_no_loss() {
    let (folder, path) = folder();
    let s = opened(&path).await;
    s.matches([1]).await;
    let until = fs::metadata(beside(&path, "-wal")).expect("a WAL").len();
    done!(s.beat(node_id(1), 1_000));
    let copy = killed(&path, folder.path());
    s.close().await;
    let wal = fs::read(beside(&copy, "-wal")).expect("a WAL");
    let kept = usize::try_from(until).expect("a short file");
    assert!(wal.len() > kept, "the note lies behind it");
    fs::write(beside(&copy, "-wal"), &wal[..kept]).expect("room");
    let s = opened(&copy).await;
    assert_eq!((s.lost_commits(), done!(s.length(1))), (0, 1));
    assert_eq!(done!(s.join(node(1), 500)).time, 500);
    s.close().await;
}

/// By hand, without `lusoria restore`: clients know more than it does.
#[tokio::test]
async fn an_older_copy_of_the_database_is_a_loss() {
    let (_folder, path) = folder();
    let s = opened(&path).await;
    s.matches([1]).await;
    s.close().await;
    let older = fs::read(&path).expect("a file");
    let s = opened(&path).await;
    done!(s.append(append(1, 1)));
    s.close().await;
    fs::write(&path, older).expect("room");
    let s = opened(&path).await;
    assert_eq!(s.lost_commits(), 1);
    s.close().await;
    fs::remove_file(&path).expect("it is there");
    let s = opened(&path).await;
    assert!(s.lost_commits() > 1, "all of it");
    s.close().await;
}

#[tokio::test]
async fn a_note_that_cannot_be_read_does_not_stop_the_server() {
    let (_folder, path, history) = with_wal().await;
    fs::write(beside(&path, "-commits"), "17\n").expect("room");
    assert!(matches!(Store::open_file(&path, STRICT()).await, Err(OpenError::File { .. })));
    let s = opened(&path).await;
    assert_eq!((s.lost_commits(), history_of(&s).await), (0, history));
    s.close().await;
}

/// As when two of the three files were copied.
#[tokio::test]
async fn without_the_note_a_damaged_wal_cannot_be_told_from_a_whole_one() {
    for (what, how) in DAMAGES {
        let (_folder, path, _) = with_wal().await;
        damage(&path, how);
        fs::remove_file(beside(&path, "-commits")).expect("it is there");
        let has_wal = fs::metadata(beside(&path, "-wal")).is_ok_and(|wal| wal.len() > 0);
        // It is told once.
        for is_unknown in [has_wal, false] {
            let s = opened(&path).await;
            assert_eq!((s.lost_commits(), s.is_loss_unknown()), (0, is_unknown), "{what}");
            s.close().await;
        }
    }
}

#[tokio::test]
async fn without_room_for_the_copy_of_the_wal_nothing_is_written() {
    let (_folder, path) = folder();
    open(&path).await.close().await;
    let options = SqliteOptions { reserve_bytes: u64::MAX, ..SqliteOptions::default() };
    let s = Fixture(Arc::new(Store::open_file(&path, options).await.expect("the file opens")));
    assert!(s.is_full());
    refused!(s.create(new_match(1)), AppendError::Store(StoreError::Full(_)));
    refused!(s.beat(node_id(1), 1), StoreError::Full(_));
    is!(s.length(1), 0);
    // Not while what opening wrote is still being copied.
    while !done!(s.erase_remains()) {}
    s.close().await;
    let s = opened(&path).await;
    assert!(!s.is_full());
    s.matches([1]).await;
    s.close().await;
}
