//! Challenges: offers of a match from one player to another.

use lusoria_rules::Game;
use serde::{Deserialize, Serialize};

/// Why a challenge was declined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum DeclineReason {
    /// Not now, but perhaps later.
    Later,
    /// The clock leaves too little time.
    TooFast,
    /// The clock leaves too much time.
    TooSlow,
    /// They would play another game.
    OtherGame,
    /// They would play a longer or a shorter match.
    OtherLength,
    /// They do not play against bots.
    NoBots,
}

/// Who may challenge somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChallengesFrom {
    /// Everybody whom they have not blocked.
    #[default]
    Everyone,
    /// Players whom they follow.
    Followed,
    /// Nobody.
    Nobody,
}

/// Which challenges a guest accepts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ChallengeSettings {
    /// From whom.
    pub from: ChallengesFrom,
    /// For which games; for all if empty.
    pub games: Vec<Game>,
}

impl ChallengeSettings {
    /// Whether they accept challenges to a game.
    pub fn plays(&self, game: Game) -> bool {
        self.games.is_empty() || self.games.contains(&game)
    }
}
