//! Terms of matches.

use lusoria_play::{ClockError, Colours, Length, Terms, TermsError};
use lusoria_protocol::{Code, CreateMatch, Game, Options, PlayAs, Problem, SideName};
use lusoria_rules::Variant;

use super::name::{side, side_named};

/// The terms of a match that a client wants to create.
///
/// # Errors
/// An option or a side that the game does not have; a length or clock out of range; a rated match that is
/// never rated.
pub fn terms(request: &CreateMatch) -> Result<Terms, Problem> {
    let variant = variant(request.game, &request.options)?;
    let seat_one = |name| side_named(variant.game(), name).map(Colours::SeatOne);
    let colours = match request.side {
        PlayAs::Lot => Colours::Lot,
        PlayAs::White => seat_one(SideName::White)?,
        PlayAs::Black => seat_one(SideName::Black)?,
        PlayAs::Defenders => seat_one(SideName::Defenders)?,
        PlayAs::Attackers => seat_one(SideName::Attackers)?,
    };
    let terms = Terms {
        variant,
        length: length(request.points, request.games)?,
        clock: request.clock,
        colours,
        admission: request.admission,
        rated: request.rated,
    };
    terms.check().map_err(|error| out_of_range(&error))?;
    Ok(terms)
}

/// A game with its options.
///
/// # Errors
/// `unknown_option` if the game does not have one of them.
pub fn variant(game: Game, options: &Options) -> Result<Variant, Problem> {
    Variant::new(game, options).map_err(|why| Problem::new(Code::UnknownOption, why.to_string()))
}

/// The length that a request gives with `points` and `games`.
///
/// # Errors
/// `invalid_body` if `games` is not 2, or is combined with other points than 1.
pub fn length(points: u16, games: Option<u8>) -> Result<Length, Problem> {
    let refused = |why: &str| Err(Problem::new(Code::InvalidBody, format!("games: {why}")));
    match (games, points) {
        (None, _) => Ok(Length::Points(points)),
        (Some(2), 1) => Ok(Length::Pair),
        (Some(2), _) => refused("a match has a number of games or of points, not both: leave points out"),
        (Some(_), _) => refused("expected 2, or nothing for a match to points"),
    }
}

/// The number of games of a pair; none for other lengths.
pub const fn games(length: Length) -> Option<u8> {
    match length {
        Length::Points(_) => None,
        Length::Pair => Some(2),
    }
}

/// The side that the creator asked for.
pub const fn play_as(terms: &Terms) -> PlayAs {
    match terms.colours {
        Colours::Lot => PlayAs::Lot,
        Colours::SeatOne(asked) => match side(terms.variant.game(), asked) {
            SideName::White => PlayAs::White,
            SideName::Black => PlayAs::Black,
            SideName::Defenders => PlayAs::Defenders,
            SideName::Attackers => PlayAs::Attackers,
        },
    }
}

/// The problem for terms that are out of range.
pub fn out_of_range(why: &TermsError) -> Problem {
    let field = match why {
        TermsError::Points(_) => "points",
        TermsError::Clock(ClockError::Base(_)) => "clock.base_ms",
        TermsError::Clock(ClockError::Step(_)) => "clock.increment_ms or clock.delay_ms",
        TermsError::Clock(ClockError::Days(_)) => "clock.days",
        TermsError::RatedClock
        | TermsError::RatedOptions(_)
        | TermsError::RatedSeats
        | TermsError::RatedInPairs(_) => return Problem::new(Code::NotRated, why.to_string()),
    };
    Problem::new(Code::InvalidBody, format!("{field}: {why}"))
}
