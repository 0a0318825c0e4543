//! The state of this node and of the other nodes, from its last beat.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
    time::Duration,
};

use lusoria_play::{Match, MatchId, Millis};
use lusoria_store::{Beat, Era, Node, NodeId, Outage};
use parking_lot::RwLock;
use tokio::time::Instant;
use uuid::Uuid;

/// The greatest age of the last beat with which a node may append to a shared store: less than the shortest
/// outage, so that the node knows every outage that has ended.
const APPENDS_FOR: Duration = Duration::from_secs(2);

/// After this time without a beat a node of a shared store can no longer serve.
const CUT_OFF_AFTER: Duration = Duration::from_secs(5);

/// The same for a single node: its store may only be slow.
const UNWELL_AFTER: Duration = Duration::from_secs(10);

/// The greatest error of a node's time with which it may append and serve, in milliseconds.
const UNSURE_MAX_MS: u64 = 100;

/// The state of this node and of the other nodes.
pub(super) struct Membership {
    id: NodeId,
    name: String,
    is_shared: bool,
    known: RwLock<Arc<Known>>,
}

/// The result of the last beat.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) era: Era,
    pub(super) history: Uuid,
    /// The outages up to this era, for the credit that matches give.
    pub(super) outages: Vec<Outage>,
    /// All running nodes.
    nodes: Vec<Node>,
    /// Until when, at the latest, a node ran that has stopped since this one started.
    pub(super) lost_at: Option<Millis>,
    /// When the beat was made; none before the first.
    at: Option<Instant>,
    /// The greatest possible error of this node's time, in milliseconds.
    unsure_ms: u64,
}

/// The changes that a beat found.
#[derive(Debug, Default)]
pub(super) struct Changed {
    /// Another history has begun: no state in memory may be used any more.
    pub(super) history: bool,
    /// These nodes no longer run.
    pub(super) lost: Vec<NodeId>,
    /// Whether nodes have started, or run again that counted as lost.
    pub(super) found: bool,
}

impl Membership {
    /// A node that has not joined yet.
    pub(super) fn new(id: NodeId, name: String, is_shared: bool) -> Self {
        Self { id, name, is_shared, known: RwLock::default() }
    }

    pub(super) const fn id(&self) -> NodeId {
        self.id
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether other nodes may use the store.
    pub(super) const fn is_shared(&self) -> bool {
        self.is_shared
    }

    pub(super) fn known(&self) -> Arc<Known> {
        Arc::clone(&self.known.read())
    }

    /// The other running nodes.
    pub(super) fn others(&self) -> Vec<NodeId> {
        self.known().nodes.iter().map(|node| node.id).filter(|id| *id != self.id).collect()
    }

    /// All running nodes, including this one.
    pub(super) fn nodes(&self) -> Vec<Node> {
        self.known().nodes.clone()
    }

    /// Whether other nodes run.
    pub(super) fn has_others(&self) -> bool {
        self.is_shared && self.known.read().nodes.len() > 1
    }

    /// Whether this node must do what is due in a match. For each match one node must.
    pub(super) fn is_responsible_for(&self, id: MatchId) -> bool {
        let weight = |node: &Node| {
            let mut hasher = DefaultHasher::new();
            (id, node.id).hash(&mut hasher);
            (hasher.finish(), node.id)
        };
        let known = self.known();
        known.nodes.iter().max_by_key(|node| weight(node)).is_none_or(|node| node.id == self.id)
    }

    /// Whether this node knows outages and time well enough to append now.
    pub(super) fn may_append(&self) -> bool {
        !self.is_shared || self.age() < APPENDS_FOR && self.is_sure()
    }

    /// Whether this node's beats no longer reach the store.
    pub(super) fn is_cut_off(&self) -> bool {
        self.age() > if self.is_shared { CUT_OFF_AFTER } else { UNWELL_AFTER }
    }

    /// Whether this node can serve: its beats reach the store, and its time agrees with the other nodes'.
    pub(super) fn is_well(&self) -> bool {
        !self.is_cut_off() && self.is_sure()
    }

    fn is_sure(&self) -> bool {
        self.known.read().unsure_ms <= UNSURE_MAX_MS
    }

    fn age(&self) -> Duration {
        self.known.read().at.map_or(Duration::MAX, |at| at.elapsed())
    }

    /// The era that this node knows.
    pub(super) fn era(&self) -> Era {
        self.known.read().era
    }

    /// Whether a beat reports something new, so that the outages must be read.
    pub(super) fn is_news(&self, beat: &Beat) -> bool {
        let known = self.known.read();
        known.at.is_none() || known.era != beat.era
    }

    /// Takes over the result of a beat made at `at`, with the outages if they were read.
    pub(super) fn take(
        &self,
        beat: Beat,
        outages: Option<Vec<Outage>>,
        at: Instant,
        unsure_ms: Option<u64>,
    ) -> Changed {
        let Beat { time, era, history, nodes } = beat;
        let mut known = self.known.write();
        let gone = known.nodes.iter().filter(|old| !nodes.iter().any(|node| node.id == old.id));
        let changed = Changed {
            history: known.at.is_some() && known.history != history,
            lost: gone.map(|node| node.id).collect(),
            found: nodes.iter().any(|node| known.nodes.iter().all(|old| old.id != node.id)),
        };
        let lost_at = if changed.lost.is_empty() { known.lost_at } else { Some(time) };
        let outages = outages.unwrap_or_else(|| known.outages.clone());
        let unsure_ms = unsure_ms.unwrap_or(known.unsure_ms);
        metrics::gauge!("lusoria_nodes").set(u32::try_from(nodes.len()).map_or(f64::INFINITY, f64::from));
        *known = Arc::new(Known { era, history, outages, nodes, lost_at, at: Some(at), unsure_ms });
        changed
    }
}

impl Known {
    /// The outages for which a match may still have to give credit.
    pub(super) fn outages_owed(&self, state: &Match) -> Vec<Outage> {
        let last = if state.end().is_some() { Millis::MAX } else { state.last_at() };
        self.outages.iter().copied().filter(|outage| outage.until > last).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(n: u128, seen_at: Millis) -> Node {
        let id = NodeId(Uuid::from_u128(n));
        Node { id, name: format!("node {n}"), release: String::new(), since: 0, seen_at }
    }

    fn of(n: u128) -> Membership {
        Membership::new(NodeId(Uuid::from_u128(n)), format!("node {n}"), true)
    }

    fn beat(nodes: &[u128], time: Millis) -> Beat {
        let nodes = nodes.iter().map(|&n| node(n, time)).collect();
        Beat { time, era: Era(1), history: Uuid::nil(), nodes }
    }

    #[tokio::test(start_paused = true)]
    async fn each_match_has_one_node_and_keeps_it_when_another_goes() {
        let all = [of(1), of(2), of(3)];
        let responsible = |nodes: &[u128], id: MatchId| {
            let mut found = all.iter().filter(|member| {
                member.take(beat(nodes, 0), None, Instant::now(), None);
                nodes.contains(&member.id().0.as_u128()) && member.is_responsible_for(id)
            });
            let one = found.next().expect("there is one").id();
            assert!(found.next().is_none(), "only one");
            one
        };
        let mut counts = [0; 3];
        for n in 0..300 {
            let id = MatchId(Uuid::from_u128(n));
            let one = responsible(&[1, 2, 3], id);
            counts[usize::try_from(one.0.as_u128()).expect("small") - 1] += 1;
            if one.0.as_u128() != 3 {
                assert_eq!(responsible(&[1, 2], id), one);
            }
        }
        assert!(counts.iter().all(|count| *count > 60), "{counts:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_node_without_a_beat_soon_appends_no_more_and_then_serves_no_more() {
        let member = of(1);
        assert!(!member.may_append() && !member.is_well());
        member.take(beat(&[1, 2], 7_000), None, Instant::now(), Some(3));
        assert!(member.may_append() && member.is_well() && member.has_others());
        tokio::time::advance(Duration::from_millis(2_500)).await;
        assert!(!member.may_append() && member.is_well());
        tokio::time::advance(Duration::from_millis(2_600)).await;
        assert!(!member.is_well());
        let changed = member.take(beat(&[1], 20_000), None, Instant::now(), Some(101));
        assert_eq!((changed.lost, changed.found), (vec![NodeId(Uuid::from_u128(2))], false));
        assert_eq!(member.known().lost_at, Some(20_000));
        assert!(!member.may_append() && !member.is_well(), "its time is off");
        let changed = member.take(beat(&[1, 2], 21_000), None, Instant::now(), Some(3));
        assert!(changed.found && changed.lost.is_empty());
    }
}
