//! Nodes that share a store: its clock is theirs, and only when none of them runs there is an outage.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use lusoria_play::Millis;
use lusoria_services::postgres::Database;
use lusoria_store::{
    Append, AppendError, Beat, JoinError, MatchState, NewNode, NodeId, OUTAGE_AFTER_MS, Store, Version,
};

use super::{append, card, match_id, new_match, node, node_id, version};

/// Longer than no node may be noted.
const LONG_MS: Millis = OUTAGE_AFTER_MS + 2_000;
/// Shorter than that, however slow the machine is.
const SHORT_MS: Millis = 500;

/// A store that nodes share, and what happens to it from outside.
struct Shared {
    store: Arc<Store>,
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
        Self { store: store.clone(), outside: Outside::Memory(store, clock) }
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
        Self { store: crate::open_postgres(&database.url()).await, outside: Outside::Postgres(database) }
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
        self.store.join(node(n), 7).await.expect("joined")
    }

    async fn beat(&self, n: u32) -> Beat {
        self.store.beat(node_id(n), 7).await.expect("noted")
    }

    async fn leave(&self, n: u32) {
        self.store.leave(node_id(n), 7).await.expect("left");
    }

    async fn lease(&self, seq: u32, n: u32, for_ms: Millis) -> bool {
        self.store.lease(match_id(1), seq, node_id(n), for_ms).await.expect("asked")
    }

    /// How long the outages were, which must have ended at beats of these times.
    async fn outages(&self, until: &[Millis]) -> Vec<Millis> {
        let outages = self.store.outages(0).await.expect("read");
        assert_eq!(outages.iter().map(|outage| outage.until).collect::<Vec<_>>(), until);
        outages.iter().map(|outage| outage.until - outage.from).collect()
    }

    async fn no_outage(&self) {
        assert_eq!(self.store.outages(0).await.expect("read"), []);
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
    a_short_gap_between_beats_is_no_outage,
    after_a_stop_in_order_any_gap_is_an_outage,
    one_that_joins_soon_after_a_crash_begins_no_outage,
    who_does_not_know_the_era_appends_nothing,
    being_outdated_is_the_first_reason,
    another_history_is_another_era,
    a_name_is_taken_while_its_node_runs,
    who_lost_its_name_is_told_and_notes_nothing,
    a_node_that_was_away_is_back,
    a_lease_is_for_one_node_at_a_time,
    a_lease_is_over_after_its_time,
);

async fn nodes_follow_the_clock_of_the_store(shared: Shared) {
    assert!(shared.store.is_shared());
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
    shared.no_outage().await;
}

async fn while_one_node_runs_there_is_no_outage(shared: Shared) {
    let (era, mut last) = (shared.join(1).await.era, shared.join(2).await.time);
    // The second is killed; the first goes on.
    for _ in 0..5 {
        shared.pass(SHORT_MS * 4);
        let beat = shared.beat(1).await;
        assert!(beat.time >= last + SHORT_MS * 4);
        assert_eq!(beat.era, era);
        last = beat.time;
    }
    assert_eq!(running(&shared.beat(1).await), [node_id(1)], "who is not noted does not run");
    shared.join(3).await;
    shared.no_outage().await;
}

async fn when_none_was_noted_for_long_that_is_an_outage(shared: Shared) {
    let era = shared.join(1).await.era;
    assert_eq!(shared.outages(&[]).await.len(), 0, "the first start is none");
    shared.join(2).await;
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
    assert_eq!(shared.outages(&[back.time, joined.time]).await.len(), 2);
}

async fn a_short_gap_between_beats_is_no_outage(shared: Shared) {
    let era = shared.join(1).await.era;
    shared.pass(SHORT_MS * 4);
    assert_eq!(shared.beat(1).await.era, era);
    shared.no_outage().await;
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

async fn one_that_joins_soon_after_a_crash_begins_no_outage(shared: Shared) {
    shared.join(1).await;
    shared.pass(SHORT_MS);
    shared.join(2).await;
    shared.no_outage().await;
}

async fn who_does_not_know_the_era_appends_nothing(shared: Shared) {
    let before = shared.join(1).await.era;
    shared.store.create(new_match(1)).await.expect("created");
    shared.store.append(Append { era: before, ..append(1, 1) }).await.expect("appended");
    shared.pass(LONG_MS);
    shared.store.append(Append { era: before, ..append(1, 2) }).await.expect("nobody has told of it yet");
    let after = shared.beat(1).await.era;
    let late = shared.store.append(Append { era: before, ..append(1, 3) }).await;
    assert!(matches!(late, Err(AppendError::Outdated)), "{late:?}");
    assert_eq!(shared.store.head(match_id(1)).await.expect("read").expect("a head").version, version(3));
    shared.store.append(Append { era: after, ..append(1, 3) }).await.expect("appended");
}

async fn being_outdated_is_the_first_reason(shared: Shared) {
    let before = shared.join(1).await.era;
    let used = super::key(1, "make");
    let new = lusoria_store::NewMatch { key: Some(used.clone()), ..new_match(1) };
    shared.store.create(new).await.expect("created");
    shared.begin_new_history().await;
    // Its key is used, its invitation unknown and its head wrong, too.
    let wrong = |era| Append { era, key: Some(used.clone()), spends: Some(super::hash(9)), ..append(1, 7) };
    assert!(matches!(shared.store.append(wrong(before)).await, Err(AppendError::Outdated)));
    let of_unknown_match = Append { era: before, spends: Some(super::hash(9)), ..append(9, 1) };
    assert!(matches!(shared.store.append(of_unknown_match).await, Err(AppendError::Outdated)));
    let era = shared.beat(1).await.era;
    assert!(matches!(shared.store.append(wrong(era)).await, Err(AppendError::KeyUsed)));
}

async fn another_history_is_another_era(shared: Shared) {
    let before = shared.join(1).await;
    shared.begin_new_history().await;
    let after = shared.beat(1).await;
    assert_ne!(after.history, before.history);
    assert_eq!(after.era.0, before.era.0 + 1);
    shared.no_outage().await;
}

async fn a_name_is_taken_while_its_node_runs(shared: Shared) {
    shared.join(1).await;
    let again = || NewNode { id: node_id(2), ..node(1) };
    let refused = shared.store.join(again(), 7).await;
    assert!(matches!(refused, Err(JoinError::NameTaken(name)) if name == "node 1"));
    shared.leave(1).await;
    assert_eq!(running(&shared.store.join(again(), 7).await.expect("joined")), [node_id(2)]);
    shared.pass(LONG_MS);
    shared.join(3).await;
    assert_eq!(
        running(&shared.join(1).await),
        [node_id(1), node_id(3)],
        "who was not noted for long is gone"
    );
}

async fn who_lost_its_name_is_told_and_notes_nothing(shared: Shared) {
    shared.join(1).await;
    shared.pass(LONG_MS);
    let taken = shared.store.join(NewNode { id: node_id(2), ..node(1) }, 7).await.expect("joined");
    assert_eq!(running(&shared.beat(1).await), [node_id(2)]);
    shared.pass(LONG_MS);
    let lost = shared.beat(1).await;
    assert_eq!((running(&lost), lost.era), (vec![], taken.era));
    shared.leave(1).await;
    let back = shared.beat(2).await;
    assert_eq!(back.era.0, taken.era.0 + 1, "what the other did was no sign of a node that runs");
}

async fn a_node_that_was_away_is_back(shared: Shared) {
    shared.join(1).await;
    shared.join(2).await;
    for _ in 0..3 {
        shared.pass(SHORT_MS * 4);
        shared.beat(2).await;
    }
    assert_eq!(running(&shared.beat(2).await), [node_id(2)]);
    assert_eq!(running(&shared.beat(1).await), [node_id(1), node_id(2)]);
    shared.no_outage().await;
}

async fn a_lease_is_for_one_node_at_a_time(shared: Shared) {
    shared.store.create(new_match(1)).await.expect("created");
    assert!(shared.lease(1, 1, 60_000).await);
    assert!(!shared.lease(1, 2, 60_000).await);
    assert!(shared.lease(1, 1, 60_000).await, "it may have it again");
    assert!(shared.lease(2, 2, 60_000).await, "another event is another matter");
    assert!(!shared.lease(2, 1, 60_000).await);
    // It ends with the match.
    let ends =
        Append { of: Version { head: 1, edition: 0 }, card: card(MatchState::Finished), ..append(1, 1) };
    shared.store.append(ends).await.expect("appended");
    assert!(shared.store.forget_match(match_id(1), 2).await.expect("forgotten"));
    shared.store.create(new_match(1)).await.expect("created");
    assert!(shared.lease(2, 1, 60_000).await);
}

async fn a_lease_is_over_after_its_time(shared: Shared) {
    shared.store.create(new_match(1)).await.expect("created");
    assert!(shared.lease(1, 1, 60_000).await);
    shared.pass(59_000);
    assert!(!shared.lease(1, 2, 60_000).await);
    shared.pass(1_001);
    assert!(shared.lease(1, 2, 60_000).await);
    assert!(!shared.lease(1, 1, 60_000).await);
}
