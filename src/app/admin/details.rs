//! Guests, matches and statistics as the operator sees them.

use lusoria_play::{Millis, Player, PlayerKind};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use lusoria_store::{Guest, MatchRow, MatchState, SeenNode, SeenNodes, Statistics};

/// A guest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuestDetails {
    /// Who.
    pub id: Uuid,
    /// Their name.
    pub name: String,
    /// Whether it is a bot.
    pub bot: bool,
    /// When they were created, in milliseconds since the epoch.
    pub created_at: Millis,
    /// Since when they are blocked.
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
    /// What it signs in with.
    pub handle: String,
    /// Whose it is.
    pub guest: GuestDetails,
    /// When it was opened, in milliseconds since the epoch.
    pub opened_at: Millis,
    /// How many recovery codes are not spent.
    pub recovery_codes: u32,
}

/// A match at a glance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchDetails {
    /// Which.
    pub id: Uuid,
    /// The game.
    pub game: String,
    /// Where it stands in its life.
    pub state: MatchState,
    /// The number of its last event.
    pub head: u32,
    /// Turns played.
    pub turns: u32,
    /// When it last changed, in milliseconds since the epoch.
    pub updated_at: Millis,
    /// Who sits in its seats.
    pub players: Vec<PlayerDetails>,
}

/// Who sits in a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerDetails {
    /// Who.
    pub id: Uuid,
    /// Their name when they sat down.
    pub name: String,
}

impl MatchDetails {
    /// A match as its row shows it.
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

/// How much there is of everything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatisticsDetails {
    /// In all, and newer than a day and a week.
    #[serde(flatten)]
    pub statistics: Statistics,
    /// When they were taken, in milliseconds since the epoch.
    pub at: Millis,
}

/// The servers on a database that they share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodesDetails {
    /// When they were looked at, in milliseconds since the epoch, by the database's clock.
    pub at: Millis,
    /// By name.
    pub nodes: Vec<NodeDetails>,
}

/// A server on a database that several share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeDetails {
    /// Its id: another one after each start.
    pub id: Uuid,
    /// What the operator calls it.
    pub name: String,
    /// Its release.
    pub release: String,
    /// When it was started, in milliseconds since the epoch.
    pub since: Millis,
    /// When it last noted that it runs.
    pub seen_at: Millis,
    /// Whether it runs.
    pub state: NodeState,
    /// Whether messages of the other nodes reach it over NATS; none if it has no NATS.
    pub nats: Option<bool>,
}

/// Whether a node runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeState {
    /// It does.
    Running,
    /// It has not stopped in order, and notes nothing any more.
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
