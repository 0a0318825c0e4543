//! What a file and a server have in common: they are opened again, and written in batches.

use std::path::PathBuf;

use super::*;

enum Place {
    File(#[expect(dead_code, reason = "it is deleted when dropped")] TempDir, PathBuf),
    Server(Database),
}

impl Place {
    fn file() -> Self {
        let (folder, path) = folder();
        Self::File(folder, path)
    }

    fn server() -> Self {
        Self::Server(Database::new().expect("a database"))
    }

    /// Opens it with one writer, whose queue has that length.
    async fn open(&self, queue_max: usize) -> Fixture {
        Fixture(match self {
            Self::File(_, path) => {
                let options = SqliteOptions { queue_max, ..SqliteOptions::default() };
                Arc::new(Store::open_file(path, options).await.expect("the file opens"))
            }
            Self::Server(database) => {
                let options = PostgresOptions { queue_max, writers: 1, ..PostgresOptions::default() };
                let store = Store::open_server(&database.tcp_url(), options).await;
                Arc::new(store.expect("the database opens"))
            }
        })
    }
}

/// Makes a test of each of these functions on a file and on a server.
macro_rules! on_both_databases {
    ($($test:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $test() {
                super::$test(super::Place::file()).await;
            })*
        }

        mod postgres {
            $(#[tokio::test]
            async fn $test() {
                super::$test(super::Place::server()).await;
            })*
        }
    };
}

on_both_databases!(
    everything_is_there_when_it_is_opened_again,
    what_waits_when_it_is_closed_is_made,
    a_bad_write_harms_no_other,
    a_full_queue_refuses_at_once,
);

async fn everything_is_there_when_it_is_opened_again(place: Place) {
    let s = place.open(99).await;
    s.guests([1]).await;
    let (key, invitation) = (Some(key(1, "make")), Some(invitation(1)));
    done!(s.create(NewMatch { key, invitation, ..new_match(1) }));
    done!(s.append(append(1, 1)));
    let history = done!(s.join(node(1), 1_000)).history;
    s.close().await;
    refused!(s.head(match_id(1)), StoreError::Closed);
    refused!(s.create(new_match(2)), AppendError::Store(StoreError::Closed));
    refused!(s.beat(node_id(1), 0), StoreError::Closed);

    let s = place.open(99).await;
    is!(s.journal(1), [events(0, 1, 1_000), events(1, 1, 2_000)].concat());
    assert_eq!(there!(s.secret(match_id(1))).reveal(), &[9; 32]);
    is!(s.guest_of(1), Some(guest(1)));
    is!(s.invited_to(hash(1), 0), Some(match_id(1)));
    there!(s.used_key(player(1), "make".to_owned()));
    assert_eq!(done!(s.join(node(2), 5_000)).history, history);
    if let Place::File(..) = place {
        assert_eq!(done!(s.outages(0)).len(), 1);
    }
    s.close().await;
}

async fn what_waits_when_it_is_closed_is_made(place: Place) {
    let s = place.open(99).await;
    let (answers, ()) = tokio::join!(join_all((0..50).map(|n| s.create(new_match(n)))), s.close());
    assert!(answers.into_iter().all(|answer| answer.is_ok()));
    s.close().await;
    if let Place::File(_, path) = &place {
        assert!(!path.with_extension("db-wal").exists());
    }
    let s = place.open(99).await;
    is!(s.length(49), 1);
    // So is what nothing waits for.
    let mut forgotten = s.create(new_match(50));
    assert!(futures_util::poll!(&mut forgotten).is_pending());
    drop(forgotten);
    s.matches([51]).await;
    is!(s.length(50), 1);
    s.close().await;
}

/// Bad writes among good ones: guests with a taken token and texts that PostgreSQL cannot hold fail inside the
/// transaction, appends with a wrong head are refused in it.
async fn a_bad_write_harms_no_other(place: Place) {
    let s = place.open(999).await;
    s.guests([0]).await;
    s.matches(1..60).await;
    let of = |n: u32| if n.is_multiple_of(5) { 0 } else { n };
    let guests = join_all((1..60).map(|n| s.add_guest(guest(n), session(of(n)))));
    let turn = |n: u32| Append { key: (n % 10 == 4).then(|| key(n, "a\0b")), ..append(n, 1 + n % 2) };
    let (guests, appends) = tokio::join!(guests, join_all((1..60).map(|n| s.append(turn(n)))));
    for (n, answer) in (1..60_u32).zip(guests) {
        assert_eq!(answer.is_ok(), n % 5 != 0, "guest {n}");
        assert_eq!(done!(s.guest(player(n))).is_some(), n % 5 != 0, "guest {n}");
    }
    for (n, answer) in (1..60).zip(appends) {
        let has_failed = n % 10 == 4 && matches!(place, Place::Server(_));
        let is_expected = match answer {
            Err(AppendError::Store(StoreError::Failed(_))) => has_failed,
            Err(Conflict) => n % 2 == 1,
            _ => answer.is_ok() && n % 2 == 0 && !has_failed,
        };
        assert!(is_expected, "match {n}: {answer:?}");
        is!(s.length(n), 1 + u32::from(answer.is_ok()), "match {n}");
    }
    s.close().await;
}

async fn a_full_queue_refuses_at_once(place: Place) {
    let s = place.open(4).await;
    // On this one thread all are queued before the writer can take any.
    let answers = join_all((0..10).map(|n| s.create(new_match(n)))).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 4);
    let busy = |answer: &&Result<_, _>| matches!(answer, Err(AppendError::Store(StoreError::Busy(_))));
    assert_eq!(answers.iter().filter(busy).count(), 6);
    s.close().await;
}
