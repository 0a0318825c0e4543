//! The part of the store for ratings.
//!
//! The store computes none: it is told what a match changes, and keeps it if the ratings of both players are still
//! those that were read. The order in which matches changed a player's rating is in the journals
//! (`lusoria_play::Event::Rated`), so that all of it can be computed again.

use std::collections::BTreeMap;

use lusoria_play::{BySeat, Clock, MatchId, Millis, Pace, PlayerId, Seat};
use lusoria_rating::Rating;
use lusoria_rules::Game;

/// Of how many players ratings are read at once.
pub const RATED_PLAYERS_MAX: usize = 1_000;

/// How many rated matches it takes to be on a leaderboard.
pub const LEADERBOARD_MATCHES_MIN: u32 = 20;

/// What a player has a rating for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RatingKey {
    /// The game.
    pub game: Game,
    /// Live or correspondence.
    pub pace: Pace,
}

impl RatingKey {
    /// Every game at both paces.
    pub fn all() -> impl Iterator<Item = Self> {
        Game::ALL.into_iter().flat_map(|game| Pace::ALL.map(|pace| Self { game, pace }))
    }
}

/// A player's rating as it is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoredRating {
    /// The rating after their last match.
    pub rating: Rating,
    /// How often it was written; a change is only stored if this is still what was read.
    pub version: u32,
    /// How many matches have changed it, those taken back too.
    pub number: u32,
    /// How many matches have changed it, without those taken back.
    pub matches: u32,
    /// When the last of these ended; 0 if there is none.
    pub ended_at: Millis,
    /// How often the player had the better side in a single game, less how often they had the worse one.
    pub better_sides: i32,
}

impl StoredRating {
    /// That of a player none of whose matches counts; it is in no database until one was rated.
    pub const fn none_of(game: Game) -> Self {
        Self { rating: start_of(game), version: 0, number: 0, matches: 0, ended_at: 0, better_sides: 0 }
    }
}

/// What everybody starts with.
const fn start_of(game: Game) -> Rating {
    match game.dice() {
        0 => Rating::START_WITHOUT_DICE,
        _ => Rating::START_WITH_DICE,
    }
}

/// What a match changes for one of its players.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeatChange {
    /// Whose rating.
    pub player: PlayerId,
    /// The version of the rating that was read; 0 if there was none.
    pub expected: u32,
    /// The rating before.
    pub before: Rating,
    /// What is stored from now on; its version is `expected + 1`.
    pub after: StoredRating,
}

/// What a match changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingChange {
    /// Which ratings.
    pub key: RatingKey,
    /// The number of the constants with which they were computed.
    pub constants: u16,
    /// When the match ended.
    pub at: Millis,
    /// For each seat; never twice the same player.
    pub seats: BySeat<SeatChange>,
}

impl RatingChange {
    /// As the match with this id changes the rating of each seat.
    pub(crate) fn stored(&self, id: MatchId) -> BySeat<StoredChange> {
        let stored = |seat: Seat| {
            let (of, other) = (self.seats.get(seat), self.seats.get(seat.other()));
            StoredChange {
                id,
                seat,
                player: of.player,
                opponent: other.player,
                number: of.after.number,
                at: self.at,
                constants: self.constants,
                before: of.before,
                after: of.after.rating,
                taken_back_at: None,
            }
        };
        BySeat(stored(Seat::One), stored(Seat::Two))
    }
}

/// What is known before a match is rated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingsBefore {
    /// The ratings of the players; none for a player without a rated match.
    pub stored: BySeat<Option<StoredRating>>,
    /// How many rated matches of the same two players ended on the same day in UTC, in the same game and pace,
    /// without those taken back.
    pub earlier_today: u32,
}

/// A match as it changed the rating of one of its players.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoredChange {
    /// The match.
    pub id: MatchId,
    /// The player's seat.
    pub seat: Seat,
    /// The player.
    pub player: PlayerId,
    /// The other player.
    pub opponent: PlayerId,
    /// Which of the player's rated matches of this game and pace it is: 1, 2, 3 …
    pub number: u32,
    /// When it ended.
    pub at: Millis,
    /// The number of the constants with which it was computed.
    pub constants: u16,
    /// The rating before.
    pub before: Rating,
    /// The rating after.
    pub after: Rating,
    /// When the match was taken back.
    pub taken_back_at: Option<Millis>,
}

/// A point of a player's curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// What the match changed.
    pub change: StoredChange,
    /// Whether the match is in public lists.
    pub is_listed: bool,
}

/// A place on a leaderboard.
#[derive(Debug, Clone, PartialEq)]
pub struct LeaderboardRow {
    /// Who.
    pub player: PlayerId,
    /// Their name.
    pub name: String,
    /// Their handle.
    pub handle: String,
    /// Their rating.
    pub stored: StoredRating,
}

/// All ratings of a game and pace, and all changes that made them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RatingTables {
    /// The present ratings.
    pub ratings: BTreeMap<PlayerId, StoredRating>,
    /// The changes, by match and seat.
    pub changes: Vec<StoredChange>,
}

/// How many changes of a game and pace there are, to see whether another was added or taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatingMark {
    /// All of them.
    pub changes: u64,
    /// Those that were taken back.
    pub taken_back: u64,
}

/// The first moment of the day in UTC of `at`, and of the day after.
pub(crate) const fn day_of(at: Millis) -> (Millis, Millis) {
    let begins = at / Clock::DAY_MS * Clock::DAY_MS;
    (begins, begins + Clock::DAY_MS)
}
