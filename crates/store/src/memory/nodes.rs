//! The nodes that run on the store, their leases, and outages.

use std::collections::{BTreeMap, BTreeSet};

use lusoria_play::{MatchId, Millis};
use uuid::Uuid;

use crate::{Beat, Era, JoinError, NewNode, Node, NodeId, OUTAGE_AFTER_MS, Outage};

/// What all nodes share.
#[derive(Default)]
pub(super) struct Cluster {
    history: Uuid,
    era: Era,
    /// When any node was last noted.
    noted_at: Option<Millis>,
    nodes: BTreeMap<NodeId, Node>,
    leases: BTreeMap<MatchId, Lease>,
    /// By end and beginning.
    outages: BTreeSet<(Millis, Millis)>,
    /// Those in which seeks are still to be prolonged.
    new_outages: Vec<Outage>,
}

struct Lease {
    seq: u32,
    node: NodeId,
    until: Millis,
}

impl Cluster {
    pub(super) const fn era(&self) -> Era {
        self.era
    }

    /// Begins another history. Its id follows from the last one, so that simulations repeat.
    pub(super) fn begin_new_history(&mut self) {
        self.history = Uuid::from_u128(self.history.as_u128().wrapping_add(1));
        self.era.0 += 1;
    }

    /// As [`crate::Store::join`], of the only node.
    pub(super) fn join_alone(&mut self, node: NewNode, now: Millis) -> Beat {
        let time = self.time(now);
        if let Some(from) = self.noted_at.filter(|from| *from < time) {
            self.add_outage(from, time);
        }
        self.noted_at = Some(time);
        self.nodes.clear();
        self.add(node, time);
        self.beat_at(time)
    }

    /// As [`crate::Store::join`], of one among others.
    pub(super) fn join(&mut self, node: NewNode, now: Millis) -> Result<Beat, JoinError> {
        let time = self.time(now);
        let is_other = |other: &&Node| other.id != node.id && runs(other, time);
        if self.nodes.values().filter(is_other).any(|other| other.name == node.name) {
            return Err(JoinError::NameTaken(node.name));
        }
        let is_alone = !self.nodes.values().any(|other| is_other(&other));
        self.note(time, if is_alone { 0 } else { OUTAGE_AFTER_MS });
        self.nodes.retain(|_, other| other.name != node.name);
        self.add(node, time);
        Ok(self.beat_at(time))
    }

    /// As [`crate::Store::beat`]. Of the only node it is never an outage.
    pub(super) fn beat(&mut self, node: NodeId, now: Millis, is_shared: bool) -> Beat {
        let time = self.time(now);
        let is_there = self.see(node, time);
        if is_shared && is_there {
            self.note(time, OUTAGE_AFTER_MS);
        } else if !is_shared {
            self.noted_at = Some(time);
        }
        self.beat_at(time)
    }

    /// As [`crate::Store::leave`].
    pub(super) fn leave(&mut self, node: NodeId, now: Millis, is_shared: bool) {
        let time = self.time(now);
        let was_there = self.nodes.remove(&node).is_some();
        if is_shared && was_there {
            self.note(time, OUTAGE_AFTER_MS);
        } else if !is_shared {
            self.noted_at = Some(time);
        }
    }

    fn add_outage(&mut self, from: Millis, until: Millis) {
        self.outages.insert((until, from));
        self.new_outages.push(Outage { from, until });
    }

    /// The outages since this was last asked.
    pub(super) fn take_new_outages(&mut self) -> Vec<Outage> {
        std::mem::take(&mut self.new_outages)
    }

    /// As [`crate::Store::lease`].
    pub(super) fn lease(&mut self, id: MatchId, seq: u32, node: NodeId, for_ms: Millis, now: Millis) -> bool {
        let is_held = |held: &Lease| held.seq == seq && held.node != node && held.until > now;
        if self.leases.get(&id).is_some_and(is_held) {
            return false;
        }
        self.leases.insert(id, Lease { seq, node, until: now.saturating_add(for_ms) });
        true
    }

    pub(super) fn forget_match(&mut self, id: MatchId) {
        self.leases.remove(&id);
    }

    pub(super) fn outages_after(&self, since: Millis) -> Vec<Outage> {
        let after = self.outages.iter().filter(|(until, _)| *until > since);
        after.map(|&(until, from)| Outage { from, until }).collect()
    }

    /// Deletes outages that ended at or before `oldest`, and leases that are over by `now`.
    pub(super) fn sweep(&mut self, oldest: Millis, now: Millis) {
        self.outages.retain(|(until, _)| *until > oldest);
        self.leases.retain(|_, lease| lease.until > now);
    }

    /// The time of all nodes, which never runs back.
    fn time(&self, now: Millis) -> Millis {
        now.max(self.noted_at.unwrap_or(0))
    }

    /// Notes a node; if the last one is more than `gap_max` ago, that is an outage.
    fn note(&mut self, time: Millis, gap_max: Millis) {
        if let Some(from) = self.noted_at.filter(|from| time - from > gap_max) {
            self.add_outage(from, time);
            self.era.0 += 1;
        }
        self.noted_at = Some(time);
    }

    fn add(&mut self, NewNode { id, name, release }: NewNode, time: Millis) {
        self.nodes.insert(id, Node { id, name, release, since: time, seen_at: time });
    }

    /// Notes that a node was seen; false if it has not joined, or another has taken its name.
    fn see(&mut self, node: NodeId, time: Millis) -> bool {
        self.nodes.get_mut(&node).map(|node| node.seen_at = time).is_some()
    }

    fn beat_at(&self, time: Millis) -> Beat {
        let nodes = self.nodes.values().filter(|node| runs(node, time)).cloned().collect();
        Beat { time, era: self.era, history: self.history, nodes }
    }
}

/// Whether a node counts as running.
fn runs(node: &Node, time: Millis) -> bool {
    time.saturating_sub(node.seen_at) <= OUTAGE_AFTER_MS
}
