//! The nodes that run on a store, and what they share.

use lusoria_play::Millis;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The most heads that are read at once.
pub const HEADS_MAX: usize = 1_000;

/// For how long no node is noted before that is an outage. Nodes are noted every second; of a node
/// that alone uses the store every stop is one.
pub const OUTAGE_AFTER_MS: Millis = 3_000;

/// A node, from its start to its end: another one each time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodeId(pub Uuid);

/// Which outages and which history a node knows: it grows by one with each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Era(pub u64);

/// A node that joins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNode {
    /// Its id.
    pub id: NodeId,
    /// What the operator calls it: 1 to 64 characters. Of those that run, each has another name.
    pub name: String,
    /// Its release, such as `0.1.0`.
    pub release: String,
}

/// A node that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Its id.
    pub id: NodeId,
    /// Its name.
    pub name: String,
    /// Its release.
    pub release: String,
    /// When it joined.
    pub since: Millis,
    /// When it was last noted.
    pub seen_at: Millis,
}

/// A node that has joined and not left, as an operator sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenNode {
    /// The node.
    pub node: Node,
    /// Whether it was noted within [`OUTAGE_AFTER_MS`].
    pub runs: bool,
    /// Whether messages of the other nodes reached it when it last said so; none if it has no bus.
    pub bus: Option<bool>,
}

/// All nodes that have joined and not left.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SeenNodes {
    /// The time of the store.
    pub at: Millis,
    /// By name. Those that were not noted for a day may be missing.
    pub nodes: Vec<SeenNode>,
}

/// What all nodes share, as of now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beat {
    /// The time that all nodes follow, in milliseconds since the epoch. It is never before that of an
    /// earlier beat of any node.
    pub time: Millis,
    /// The present era.
    pub era: Era,
    /// The id of the history that the journals tell. A restored backup begins another one: events
    /// that clients know may be gone.
    pub history: Uuid,
    /// The nodes that run, sorted by id. If this one is not among them, another has taken its name.
    pub nodes: Vec<Node>,
}

/// A time during which no node was running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outage {
    /// When one was last noted before it.
    pub from: Millis,
    /// When one ran again.
    pub until: Millis,
}
