//! What everybody sees of a player who has an account.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Game, GuestId, Handle, Name, PlayerKind, PlayerRating, SideName};

/// Somebody who has an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct AccountPlayer {
    /// What they sign in with; it is in the address of their page.
    pub handle: Handle,
    /// Who.
    pub id: GuestId,
    /// What they are called now.
    pub name: Name,
    /// A person or a bot.
    pub kind: PlayerKind,
    /// When they opened their account.
    pub since: u64,
}

/// Those whose handles begin as was asked, in the order of the handles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PlayerList {
    /// Them.
    pub players: Vec<AccountPlayer>,
}

/// Somebody who has an account, and what they have won and lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Profile {
    /// Who.
    pub player: AccountPlayer,
    /// Their public matches, but for those against the computer.
    pub results: Results,
    /// Their ratings, by game and pace; empty before their first rated match.
    #[serde(default)]
    pub ratings: Vec<PlayerRating>,
}

/// Two players, and the public matches between them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct HeadToHead {
    /// Whose results these are.
    pub player: AccountPlayer,
    /// Against whom.
    pub opponent: AccountPlayer,
    /// The public matches between them.
    pub results: Results,
}

/// Results of matches that have ended with one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Results {
    /// Each game that was played.
    pub games: Vec<GameResults>,
    /// Whether older matches are left out: only the newest 2000 are looked through.
    pub older_left_out: bool,
}

/// Results in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct GameResults {
    /// The game.
    pub game: Game,
    /// Matches won.
    pub won: u32,
    /// Matches lost.
    pub lost: u32,
    /// Matches drawn.
    pub drawn: u32,
    /// Points won in them.
    pub points: u32,
    /// Points that opponents won in them.
    pub points_against: u32,
    /// Matches of a single game, by the side that the player had.
    pub sides: Vec<SideResults>,
}

/// Results with a side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct SideResults {
    /// The side.
    pub side: SideName,
    /// Matches won.
    pub won: u32,
    /// Matches lost.
    pub lost: u32,
    /// Matches drawn.
    pub drawn: u32,
}
