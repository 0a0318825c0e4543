//! What a copy of the file holds, and what the store makes of it.

use lusoria_store::sqlite::{BackupError, BackupOptions, Contents, RestoreError, back_up, check, restore};

use super::*;

const OPTIONS: BackupOptions = BackupOptions { replace: false, within: Duration::from_mins(1) };

#[tokio::test]
async fn a_copy_holds_what_was_committed_before_it_began() {
    let (folder, path) = folder();
    let copy = folder.path().join("copy.db");
    let s = Fixture(open(&path).await);
    s.guests([1]).await;
    s.matches(1..=3).await;
    done!(s.append(append(1, 1)));
    let Contents { guests, unfinished, finished, events, .. } =
        back_up(&path, &copy, OPTIONS).await.expect("copied");
    assert_eq!((guests, unfinished, finished, events), (1, 3, 0, 4));
    done!(s.append(append(2, 1)));
    s.close().await;

    let s = Fixture(open(&copy).await);
    for (n, length) in [(1, 2), (2, 1), (3, 1)] {
        is!(s.length(n), length);
    }
    is!(s.guest_of(1), Some(guest(1)));
    there!(s.secret(match_id(3)));
    s.close().await;
}

/// Clocks do not run between the backup and the start of the server that continues from it.
#[tokio::test]
async fn the_time_since_the_backup_is_an_outage() {
    let (folder, path) = folder();
    let copy = folder.path().join("copy.db");
    let s = Fixture(open(&path).await);
    done!(s.join(node(1), 1_000));
    s.matches([1]).await;
    done!(s.beat(node_id(1), 5_000));
    back_up(&path, &copy, OPTIONS).await.expect("copied");
    done!(s.beat(node_id(1), 9_000));
    s.close().await;
    restore(&copy, &path).await.expect("restored");
    let s = open(&path).await;
    done!(s.join(node(1), 20_000));
    is!(s.outages(0), [Outage { from: 5_000, until: 20_000 }]);
    s.close().await;
}

#[tokio::test]
async fn a_restore_begins_another_history_and_a_start_does_not() {
    let (folder, path) = folder();
    let copy = folder.path().join("copy.db");
    let history = async || {
        let store = open(&path).await;
        let history = history_of(&store).await;
        store.close().await;
        history
    };
    let mut seen = vec![history().await];
    assert_eq!(history().await, seen[0]);
    back_up(&path, &copy, OPTIONS).await.expect("copied");
    for kept in ["test.db.replaced-1", "test.db.replaced-2"] {
        let restored = restore(&copy, &path).await.expect("restored");
        assert!(restored.replaced.is_some_and(|replaced| replaced.ends_with(kept)), "{kept}");
        let now = history().await;
        assert!(!seen.contains(&now));
        seen.push(now);
    }
    assert!(matches!(restore(&path, &path).await, Err(RestoreError::Same(_))));
    check(&path).await.expect("it is as it was");
}

#[tokio::test]
async fn a_copy_that_takes_too_long_is_given_up() {
    let (folder, path) = folder();
    let s = Fixture(open(&path).await);
    s.matches(1..=300).await;
    let late = BackupOptions { within: Duration::ZERO, ..OPTIONS };
    refused!(back_up(&path, &folder.path().join("copy.db"), late), BackupError::TooSlow { .. });
    s.close().await;
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 3, "the database, its lock and the note of its commits");
}

/// The pages may be whole and the journal not.
#[tokio::test]
async fn a_journal_with_a_gap_is_found() {
    let (_folder, path) = folder();
    let s = Fixture(open(&path).await);
    s.matches([1]).await;
    done!(s.append(append(1, 1)));
    s.close().await;
    let delete = "DELETE FROM journal WHERE first = 1; DELETE FROM secrets";
    File::open(&path).and_then(|file| file.run(delete)).expect("deleted");
    let found = check(&path).await.expect_err("a gap").to_string();
    assert!(found.contains("1 matches whose journal has gaps"), "{found}");
    assert!(found.contains("1 matches without the secret of their dice"), "{found}");
}
