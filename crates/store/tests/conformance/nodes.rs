//! Nodes that share a store: its clock is theirs, and only when none of them runs there is an outage.

use std::sync::atomic::{AtomicU64, Ordering};

use super::*;

/// Longer than no node may be noted.
const LONG_MS: Millis = OUTAGE_AFTER_MS + 2_000;
/// Shorter than that, however slow the machine is.
const SHORT_MS: Millis = 500;

/// A store that nodes share, and what happens to it from outside.
struct Shared {
    s: Fixture,
    outside: Outside,
}

enum Outside {
    Memory(Arc<Store>, Arc<AtomicU64>),
    Postgres(Database),
}

impl Shared {
    fn in_memory() -> Self {
        let clock = Arc::new(AtomicU64::new(1_000_000));
        let reads = Arc::clone(&clock);
        let store = Arc::new(Store::shared_in_memory(move || reads.load(Ordering::Relaxed)));
        Self { s: Fixture(store.clone()), outside: Outside::Memory(store, clock) }
    }

    async fn in_postgres() -> Self {
        let database = Database::new().expect("a database");
        let clock = format!(
            "CREATE TABLE later (ms bigint); INSERT INTO later VALUES (0); \
             CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql AS \
             'SELECT pg_catalog.clock_timestamp() + (SELECT ms FROM later) * interval ''1 ms'''; \
             ALTER DATABASE {} SET search_path = public, pg_catalog",
            database.name()
        );
        database.run(&clock).expect("a clock that can be put forward");
        Self { s: Fixture(open_postgres(&database.url()).await), outside: Outside::Postgres(database) }
    }

    /// Has so much time pass by the clock of the store.
    fn pass(&self, ms: Millis) {
        match &self.outside {
            Outside::Memory(_, clock) => drop(clock.fetch_add(ms, Ordering::Relaxed)),
            Outside::Postgres(database) => {
                database.run(&format!("UPDATE later SET ms = ms + {ms}")).expect("updated");
            }
        }
    }

    async fn begin_new_history(&self) {
        match &self.outside {
            Outside::Memory(store, _) => store.begin_new_history_in_memory(),
            Outside::Postgres(database) => {
                Store::begin_new_history(&database.url()).await.expect("begun");
            }
        }
    }

    async fn join(&self, n: u32) -> Beat {
        // Its own clock is far off: that of the store counts.
        done!(self.s.join(node(n), 7))
    }

    async fn beat(&self, n: u32) -> Beat {
        done!(self.s.beat(node_id(n), 7))
    }

    async fn leave(&self, n: u32) {
        done!(self.s.leave(node_id(n), 7));
    }

    async fn lease(&self, seq: u32, n: u32) -> Answer<bool> {
        self.s.lease(match_id(1), seq, node_id(n), 60_000).await
    }

    async fn append(&self, era: Era, head: u32) -> Result<(), AppendError> {
        self.s.append(Append { era, ..append(1, head) }).await
    }

    /// How long the outages were, which must have ended at beats of these times.
    async fn outages(&self, until: &[Millis]) -> Vec<Millis> {
        let outages = done!(self.s.outages(0));
        assert_eq!(outages.iter().map(|outage| outage.until).collect::<Vec<_>>(), until);
        outages.iter().map(|outage| outage.until - outage.from).collect()
    }
}

/// The nodes that run.
fn running(beat: &Beat) -> Vec<NodeId> {
    beat.nodes.iter().map(|node| node.id).collect()
}

/// Makes a test of each of these functions on each store that nodes share.
macro_rules! on_shared_stores {
    ($($test:ident),* $(,)?) => {
        mod memory {
            $(#[tokio::test]
            async fn $test() {
                super::$test(super::Shared::in_memory()).await;
            })*
        }

        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                super::$test(super::Shared::in_postgres().await).await;
            })*
        }
    };
}

on_shared_stores!(
    nodes_follow_the_clock_of_the_store,
    while_one_node_runs_there_is_no_outage,
    when_none_was_noted_for_long_that_is_an_outage,
    after_a_stop_in_order_any_gap_is_an_outage,
    who_does_not_know_the_era_appends_nothing,
    another_history_is_another_era_and_the_first_reason,
    a_name_is_taken_while_its_node_runs,
    who_lost_its_name_is_told_and_notes_nothing,
    a_lease_is_for_one_node_until_its_time_is_over,
);

async fn nodes_follow_the_clock_of_the_store(shared: Shared) {
    assert!(shared.s.is_shared());
    let first = shared.join(1).await;
    assert_eq!(running(&first), [node_id(1)]);
    shared.pass(SHORT_MS);
    let second = shared.join(2).await;
    assert!(second.time >= first.time + SHORT_MS);
    assert_eq!(running(&second), [node_id(1), node_id(2)]);
    assert_eq!((second.history, second.era), (first.history, first.era));
    let nodes = shared.beat(1).await.nodes;
    let told: Vec<_> = nodes.iter().map(|node| (&*node.name, &*node.release, node.since)).collect();
    assert_eq!(told, [("node 1", "0.1.0", first.time), ("node 2", "0.1.0", second.time)]);
    shared.outages(&[]).await;
}

async fn while_one_node_runs_there_is_no_outage(shared: Shared) {
    let (era, mut last) = (shared.join(1).await.era, shared.join(2).await.time);
    // The second says nothing any more; the first goes on.
    for _ in 0..5 {
        shared.pass(SHORT_MS * 4);
        let beat = shared.beat(1).await;
        assert!(beat.time >= last + SHORT_MS * 4);
        assert_eq!(beat.era, era);
        last = beat.time;
    }
    assert_eq!(running(&shared.beat(1).await), [node_id(1)], "who is not noted does not run");
    shared.join(3).await;
    assert_eq!(running(&shared.beat(2).await), [1, 2, 3].map(node_id), "who was away is back");
    shared.outages(&[]).await;
}

async fn when_none_was_noted_for_long_that_is_an_outage(shared: Shared) {
    let era = shared.join(1).await.era;
    shared.pass(SHORT_MS * 4);
    assert_eq!(shared.beat(1).await.era, era, "a short gap is none");
    shared.pass(SHORT_MS);
    assert_eq!(shared.join(2).await.era, era, "nor is one that another node ends");
    shared.outages(&[]).await;
    shared.pass(LONG_MS);
    let back = shared.beat(2).await;
    assert_eq!(back.era.0, era.0 + 1);
    let other = shared.beat(1).await;
    assert_eq!((other.era, running(&other)), (back.era, vec![node_id(1), node_id(2)]), "it is told once");
    let [length] = shared.outages(&[back.time]).await[..] else { panic!("one outage") };
    assert!(length >= LONG_MS, "{length} ms");
    shared.pass(LONG_MS);
    let joined = shared.join(3).await;
    assert_eq!(joined.era.0, era.0 + 2);
    shared.outages(&[back.time, joined.time]).await;
}

async fn after_a_stop_in_order_any_gap_is_an_outage(shared: Shared) {
    let era = shared.join(1).await.era;
    shared.join(2).await;
    shared.leave(1).await;
    shared.pass(SHORT_MS);
    assert_eq!(running(&shared.beat(2).await), [node_id(2)]);
    shared.leave(2).await;
    shared.pass(SHORT_MS);
    let back = shared.join(3).await;
    let [length] = shared.outages(&[back.time]).await[..] else { panic!("one outage") };
    assert!((SHORT_MS..SHORT_MS * 5).contains(&length), "since the last one left: {length} ms");
    assert_eq!(back.era.0, era.0 + 1);
    // One that joins beside it begins none.
    shared.pass(SHORT_MS);
    assert_eq!(shared.join(1).await.era, back.era);
}

async fn who_does_not_know_the_era_appends_nothing(shared: Shared) {
    let before = shared.join(1).await.era;
    shared.s.matches([1]).await;
    done!(shared.append(before, 1));
    shared.pass(LONG_MS);
    // Nothing has told of the outage yet.
    done!(shared.append(before, 2));
    let after = shared.beat(1).await.era;
    refused!(shared.append(before, 3), Outdated);
    is!(shared.s.length(1), 3);
    done!(shared.append(after, 3));
}

async fn another_history_is_another_era_and_the_first_reason(shared: Shared) {
    let before = shared.join(1).await;
    let used = key(1, "make");
    done!(shared.s.create(NewMatch { key: Some(used.clone()), ..new_match(1) }));
    shared.begin_new_history().await;
    // The key is used, the invitation unknown and the head wrong, too.
    let wrong = |era, n| Append { era, key: Some(used.clone()), spends: Some(hash(9)), ..append(n, 7) };
    for n in [1, 9] {
        refused!(shared.s.append(wrong(before.era, n)), Outdated);
    }
    let after = shared.beat(1).await;
    assert_ne!(after.history, before.history);
    assert_eq!(after.era.0, before.era.0 + 1);
    refused!(shared.s.append(wrong(after.era, 1)), KeyUsed);
    shared.outages(&[]).await;
}

async fn a_name_is_taken_while_its_node_runs(shared: Shared) {
    shared.join(1).await;
    let again = || NewNode { id: node_id(2), ..node(1) };
    let refused = shared.s.join(again(), 7).await;
    assert!(matches!(refused, Err(JoinError::NameTaken(name)) if name == "node 1"));
    shared.leave(1).await;
    assert_eq!(running(&done!(shared.s.join(again(), 7))), [node_id(2)]);
    shared.pass(LONG_MS);
    shared.join(3).await;
    assert_eq!(running(&shared.join(1).await), [1, 3].map(node_id), "who was not noted for long is gone");
}

async fn who_lost_its_name_is_told_and_notes_nothing(shared: Shared) {
    shared.join(1).await;
    shared.pass(LONG_MS);
    let taken = done!(shared.s.join(NewNode { id: node_id(2), ..node(1) }, 7));
    assert_eq!(running(&shared.beat(1).await), [node_id(2)]);
    shared.pass(LONG_MS);
    let lost = shared.beat(1).await;
    assert_eq!((running(&lost), lost.era), (vec![], taken.era));
    shared.leave(1).await;
    let back = shared.beat(2).await;
    assert_eq!(back.era.0, taken.era.0 + 1, "what the other did was no sign of a node that runs");
}

async fn a_lease_is_for_one_node_until_its_time_is_over(shared: Shared) {
    shared.s.matches([1]).await;
    // One node may have it again, and another event is another matter.
    for (seq, n, is_granted) in [(1, 1, true), (1, 2, false), (1, 1, true), (2, 2, true), (2, 1, false)] {
        is!(shared.lease(seq, n), is_granted, "{seq} {n}");
    }
    // It ends with the match.
    shared.s.end(1).await;
    yes!(shared.s.forget_match(match_id(1), 2));
    shared.s.matches([1]).await;
    yes!(shared.lease(2, 1));
    shared.pass(59_000);
    no!(shared.lease(2, 2));
    shared.pass(1_001);
    yes!(shared.lease(2, 2));
    no!(shared.lease(2, 1));
}
