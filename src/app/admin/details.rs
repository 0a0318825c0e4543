//! Guests, matches and statistics as the operator sees them.

use lusoria_play::{Millis, Player, PlayerKind};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use lusoria_store::{Guest, MatchRow, MatchState, SeenNode, SeenNodes, Statistics};

/// A guest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuestDetails {
    /// Their id.
    pub id: Uuid,
    /// Their name.
    pub name: String,
    /// Whether it is a bot.
    pub bot: bool,
    /// When they were created, in milliseconds since the epoch.
    pub created_at: Millis,
    /// When they were blocked.
    pub blocked_at: Option<Millis>,
}

impl From<Guest> for GuestDetails {
    fn from(Guest { id, name, kind, created_at, blocked_at }: Guest) -> Self {
        Self { id: id.0, name, bot: kind == PlayerKind::Bot, created_at, blocked_at }
    }
}

/// An account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountDetails {
    /// The handle with which it signs in.
    pub handle: String,
    /// The guest it belongs to.
    pub guest: GuestDetails,
    /// When it was opened, in milliseconds since the epoch.
    pub opened_at: Millis,
    /// Number of unspent recovery codes.
    pub recovery_codes: u32,
}

/// A summary of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchDetails {
    /// Its id.
    pub id: Uuid,
    /// The game.
    pub game: String,
    /// Its state.
    pub state: MatchState,
    /// The number of its last event.
    pub head: u32,
    /// Turns played.
    pub turns: u32,
    /// When it last changed, in milliseconds since the epoch.
    pub updated_at: Millis,
    /// The players in its seats.
    pub players: Vec<PlayerDetails>,
}

/// The player in a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerDetails {
    /// Their id.
    pub id: Uuid,
    /// Their name when they sat down.
    pub name: String,
}

impl MatchDetails {
    /// Converts a match's row.
    pub(in crate::app) fn of(MatchRow { id, head, card }: MatchRow) -> Self {
        let seated = |Player { id, name, .. }| PlayerDetails { id: id.0, name };
        Self {
            id: id.0,
            game: card.game().id().to_owned(),
            state: card.state(),
            head,
            turns: card.turns,
            updated_at: card.updated_at,
            players: [card.players.0, card.players.1].into_iter().flatten().map(seated).collect(),
        }
    }
}

/// Counts of guests, matches and so on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatisticsDetails {
    /// In all, and of the last day and week.
    #[serde(flatten)]
    pub statistics: Statistics,
    /// When they were counted, in milliseconds since the epoch.
    pub at: Millis,
}

/// The nodes of a database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodesDetails {
    /// When they were read, in milliseconds since the epoch, by the database's clock.
    pub at: Millis,
    /// By name.
    pub nodes: Vec<NodeDetails>,
}

/// A node of a database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeDetails {
    /// Its id, new at each start.
    pub id: Uuid,
    /// The name that the operator gave it.
    pub name: String,
    /// The version it runs.
    pub release: String,
    /// When it was started, in milliseconds since the epoch.
    pub since: Millis,
    /// The time of its last beat, in milliseconds since the epoch.
    pub seen_at: Millis,
    /// Whether it is running.
    pub state: NodeState,
    /// Whether it receives messages from the other nodes over NATS; none without NATS.
    pub nats: Option<bool>,
}

/// Whether a node is running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeState {
    /// It is running.
    Running,
    /// Its beats have stopped, though it has not shut down properly.
    Lost,
}

impl From<SeenNodes> for NodesDetails {
    fn from(SeenNodes { at, nodes }: SeenNodes) -> Self {
        Self { at, nodes: nodes.into_iter().map(NodeDetails::from).collect() }
    }
}

impl From<SeenNode> for NodeDetails {
    fn from(SeenNode { node, runs, bus }: SeenNode) -> Self {
        let state = if runs { NodeState::Running } else { NodeState::Lost };
        let nats = bus;
        let (since, seen_at) = (node.since, node.seen_at);
        Self { id: node.id.0, name: node.name, release: node.release, since, seen_at, state, nats }
    }
}
