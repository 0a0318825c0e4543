//! Ratings.

use lusoria_play::{BySeat, Rated, RatedSeat, ShownRating};
use lusoria_protocol::{MatchRatings, RatedSeat as WireRatedSeat, Rating};

use super::name::by_seat;

/// A rating as it is shown.
pub const fn rating(shown: ShownRating) -> Rating {
    let ShownRating { points, deviation } = shown;
    Rating { points, deviation, provisional: shown.is_provisional() }
}

/// The rating changes of a match.
pub(super) fn ratings(rated: &Rated) -> MatchRatings {
    let &Rated { constants, seats: BySeat(one, two), taken_back } = rated;
    MatchRatings { constants, seats: by_seat(BySeat(rated_seat(one), rated_seat(two))), taken_back }
}

pub(super) const fn rated_seat(of: RatedSeat) -> WireRatedSeat {
    WireRatedSeat { number: of.number, before: rating(of.before), after: rating(of.after) }
}

/// A rated seat from the wire.
pub fn play_rated_seat(of: WireRatedSeat) -> RatedSeat {
    let shown = |Rating { points, deviation, provisional: _ }| ShownRating { points, deviation };
    RatedSeat { number: of.number, before: shown(of.before), after: shown(of.after) }
}
