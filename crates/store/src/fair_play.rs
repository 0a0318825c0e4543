//! The part of the store for help from an engine: what the turns of rated matches lost, and who is flagged for it.

use std::ops::RangeInclusive;

use lusoria_play::{FlagId, MatchId, Millis, Player, PlayerId, Seat};

use crate::RatingKey;

/// For how long is kept what the turns of a match lost, in milliseconds: 400 days.
pub const TURN_LOSSES_KEPT_MS: Millis = 400 * 86_400_000;

/// What a player's turns lost in a rated match.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnLosses {
    /// The match.
    pub of: MatchId,
    /// The player's seat.
    pub seat: Seat,
    /// The player.
    pub player: PlayerId,
    /// For which rating it was played.
    pub key: RatingKey,
    /// When it ended.
    pub ended_at: Millis,
    /// The player's rating before it.
    pub points: f64,
    /// How many turns there were in which they had a choice.
    pub turns: u32,
    /// What these lost together, in chances of winning.
    pub lost: f64,
    /// Which search looked at them.
    pub judge: String,
}

/// Of whom losses are added up.
#[derive(Debug, Clone, PartialEq)]
pub struct NearLosses {
    /// Who is compared with them.
    pub except: PlayerId,
    /// For which rating.
    pub key: RatingKey,
    /// By which search.
    pub judge: String,
    /// Of which rating they were before a match.
    pub points: RangeInclusive<f64>,
}

/// What turns lost together.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LossSum {
    /// How many there were.
    pub turns: u64,
    /// What they lost, in chances of winning.
    pub lost: f64,
}

/// A flag that is to be raised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewFlag {
    /// Its id, which is unique.
    pub id: FlagId,
    /// Who is flagged.
    pub player: PlayerId,
    /// For which rating.
    pub key: RatingKey,
    /// When.
    pub raised_at: Millis,
    /// Why.
    pub grounds: FlagGrounds,
}

/// Why somebody is flagged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlagGrounds {
    /// The player's rating before the last of these matches.
    pub points: f64,
    /// In how many matches, the last before the flag.
    pub matches: u32,
    /// How many turns there were in which they had a choice.
    pub turns: u32,
    /// What these lost together, in chances of winning.
    pub lost: f64,
    /// What players of that rating lose in a turn.
    pub expected: f64,
}

/// A flag: somebody loses so little by their turns that a person should look at it.
#[derive(Debug, Clone, PartialEq)]
pub struct EngineFlag {
    /// Its id.
    pub id: FlagId,
    /// Who is flagged, as they are called now.
    pub player: Player,
    /// For which rating.
    pub key: RatingKey,
    /// When.
    pub raised_at: Millis,
    /// Why.
    pub grounds: FlagGrounds,
    /// When the operator was done with it.
    pub closed_at: Option<Millis>,
}
