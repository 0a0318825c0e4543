//! Computes the rating changes of a match.
//!
//! A rating depends on the earlier ratings of both players, so on the order in which matches were committed.
//! The store commits a change only if both ratings are still those from which it was computed, and the
//! journal says the number of the match among each player's rated matches. So the same function computes the
//! same bits again ([`Rateable::change`]).

mod constants;
mod locks;

use std::time::Duration;

use lusoria_play::{
    BySeat, Match, Millis, PlayerId, PlayerKind, RatedGames, RatedSeat, RatingResult, Seat, ShownRating,
};
use lusoria_rating::{Advantage, Kind, Outcome, Player, RatedMatch, Rating, Verdict};
use lusoria_rules::Side;
use lusoria_store::{RatingChange, RatingKey, RatingsBefore, SeatChange, StoredRating};

pub use constants::Constants;
pub(super) use locks::{HeldRatings, RatingLocks};

/// A match that changes ratings.
#[derive(Debug, Clone, Copy)]
pub struct Rateable {
    /// Its players; never the same player twice.
    pub players: BySeat<PlayerId>,
    kinds: BySeat<Kind>,
    result: RatingResult,
    constants: &'static Constants,
}

impl Rateable {
    /// The match, if it changes ratings, with these constants.
    pub fn of(state: &Match, constants: &'static Constants) -> Option<Self> {
        let result = state.rating_result()?;
        let (one, two) = (state.player(Seat::One)?, state.player(Seat::Two)?);
        let kind = |kind: PlayerKind| match kind {
            PlayerKind::Person => Kind::Person,
            PlayerKind::Bot | PlayerKind::Computer(_) => Kind::Bot,
        };
        Some(Self {
            players: BySeat(one.id, two.id),
            kinds: BySeat(kind(one.kind), kind(two.kind)),
            result,
            constants,
        })
    }

    /// The game and pace of the ratings that it changes.
    pub const fn key(&self) -> RatingKey {
        RatingKey { game: self.result.game, pace: self.result.pace }
    }

    /// When the match ended.
    pub const fn ended_at(&self) -> Millis {
        self.result.ended_at
    }

    /// Computes its change from the earlier ratings.
    pub fn change(&self, before: &RatingsBefore) -> RatingChange {
        let game = self.result.game;
        let system = Constants::system(game);
        let was = |seat| before.stored.get(seat).unwrap_or_else(|| StoredRating::none_of(game));
        let players = Seat::BOTH.map(|seat| {
            let was = was(seat);
            let idle_ms = if was.matches > 0 { self.result.ended_at.saturating_sub(was.ended_at) } else { 0 };
            Player { rating: was.rating, idle: Duration::from_millis(idle_ms), kind: *self.kinds.get(seat) }
        });
        let rated = RatedMatch { players, verdict: self.verdict(), earlier_today: before.earlier_today };
        let [one, two] = system.rate(&rated);
        let seat_change = |seat: Seat, after: Rating| {
            let was = was(seat);
            SeatChange {
                player: *self.players.get(seat),
                expected: was.version,
                before: was.rating,
                after: StoredRating {
                    rating: after,
                    version: was.version + 1,
                    number: was.number + 1,
                    matches: was.matches + 1,
                    ended_at: was.ended_at.max(self.result.ended_at),
                    better_sides: was.better_sides + self.better_side(seat),
                },
            }
        };
        RatingChange {
            key: self.key(),
            constants: self.constants.number,
            at: self.result.ended_at,
            seats: BySeat(seat_change(Seat::One, one), seat_change(Seat::Two, two)),
        }
    }

    /// The result as seat 1 sees it.
    fn verdict(&self) -> Verdict {
        let game = self.result.game;
        let outcome = |winner: Option<Seat>| match winner {
            Some(Seat::One) => Outcome::Won,
            Some(Seat::Two) => Outcome::Lost,
            None => Outcome::Drawn,
        };
        let advantage_if_white = |white: Seat| {
            let of_white = self.constants.advantage_of_white(game);
            if white == Seat::One { of_white } else { of_white.reversed() }
        };
        match self.result.games {
            RatedGames::Match { winner, points, white } => Verdict::Match {
                outcome: outcome(winner),
                advantage: white.map_or(Advantage::NONE, advantage_if_white),
                slope: self.constants.slope(game, points),
            },
            RatedGames::Pair { white_first, winners } => Verdict::Pair {
                outcomes: winners.map(outcome),
                advantage: advantage_if_white(white_first),
                slope: self.constants.slope(game, 1),
            },
        }
    }

    /// 1 if a seat had the better side of a single game, −1 if the worse one, else 0.
    fn better_side(&self, seat: Seat) -> i32 {
        let RatedGames::Match { white: Some(white), .. } = self.result.games else { return 0 };
        let better = match self.constants.better_side(self.result.game) {
            Some(Side::White) => white,
            Some(Side::Black) => white.other(),
            None => return 0,
        };
        if seat == better { 1 } else { -1 }
    }
}

/// A change as the journal records it: in whole numbers, for people.
pub(super) fn told(change: &RatingChange) -> BySeat<RatedSeat> {
    let seat = |of: &SeatChange| RatedSeat {
        number: of.after.number,
        before: shown(&of.before),
        after: shown(&of.after.rating),
    };
    BySeat(seat(&change.seats.0), seat(&change.seats.1))
}

/// A rating as it is shown: the points to the nearest whole number, the deviation rounded up.
pub fn shown(rating: &Rating) -> ShownRating {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 4000 and 30 to 500")]
    let whole = |number: f64| number as u16;
    ShownRating { points: whole(rating.points().round()), deviation: whole(rating.deviation().ceil()) }
}
