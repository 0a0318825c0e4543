//! The public profile of a player with an account.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Game, GuestId, Handle, Name, PlayerKind, PlayerRating, SideName};

/// A player with an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct AccountPlayer {
    /// Their handle; it is in the address of their page.
    pub handle: Handle,
    /// Their id.
    pub id: GuestId,
    /// Their name now.
    pub name: Name,
    /// A person or a bot.
    pub kind: PlayerKind,
    /// The time at which they opened their account.
    pub since: u64,
}

/// The players found, sorted by handle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PlayerList {
    /// The players.
    pub players: Vec<AccountPlayer>,
}

/// A player with an account, and their results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Profile {
    /// The account.
    pub player: AccountPlayer,
    /// The results of their public matches, without those against the computer.
    pub results: Results,
    /// Their ratings, by game and pace; empty before their first rated match.
    #[serde(default)]
    pub ratings: Vec<PlayerRating>,
}

/// Two players, and the public matches between them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct HeadToHead {
    /// The player with these results.
    pub player: AccountPlayer,
    /// Their opponent.
    pub opponent: AccountPlayer,
    /// The public matches between them.
    pub results: Results,
}

/// Results of finished matches.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Results {
    /// Each game that was played.
    pub games: Vec<GameResults>,
    /// Whether older matches are left out: only the newest 2000 are counted.
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
