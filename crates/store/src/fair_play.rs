//! The part of the store for help from an engine: what the turns of rated matches lost, and who is flagged for it.

use std::ops::RangeInclusive;

use lusoria_play::{FlagId, MatchId, Millis, Player, PlayerId, Seat};

use crate::{RatingKey, StoreFuture};

/// For how long is kept what the turns of a match lost, in milliseconds: 400 days.
pub const TURN_LOSSES_KEPT_MS: Millis = 400 * 86_400_000;

/// What turns lost, and flags. The promises of [`Store`](crate::Store) hold.
pub trait FairPlay: Send + Sync + 'static {
    /// Lists rated matches that ended at or after `since` and of whose turns nothing is kept, those that ended last
    /// first; none that was taken back.
    fn matches_to_check(&self, since: Millis, limit: u32) -> StoreFuture<'_, Vec<MatchId>>;

    /// Keeps what the turns of a match lost; what is kept already stays. Of a player or a match that is gone nothing is.
    fn keep_turn_losses(&self, losses: Vec<TurnLosses>) -> StoreFuture<'_, ()>;

    /// Lists what a player's turns lost in the matches that ended then, those that ended last first.
    fn turn_losses(
        &self,
        player: PlayerId,
        key: RatingKey,
        ended: RangeInclusive<Millis>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<TurnLosses>>;

    /// Adds up what the turns of other people of about the same rating lost, without those who are flagged or banned.
    fn losses_near(&self, near: NearLosses) -> StoreFuture<'_, LossSum>;

    /// When a player was flagged last for a game and pace.
    fn flagged_at(&self, player: PlayerId, key: RatingKey) -> StoreFuture<'_, Option<Millis>>;

    /// Raises a flag. False if one is raised already, or the player is gone.
    fn raise_flag(&self, new: NewFlag) -> StoreFuture<'_, bool>;

    /// Lists at most `limit` flags, the newest first; only those that are open if `only_open`.
    fn flags(&self, only_open: bool, limit: u32) -> StoreFuture<'_, Vec<EngineFlag>>;

    /// Reads a flag.
    fn flag(&self, id: FlagId) -> StoreFuture<'_, Option<EngineFlag>>;
}

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
#[derive(Debug, Clone, PartialEq)]
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
