//! What a match is played for.

use lusoria_play::{ClockError, Colours, Terms, TermsError};
use lusoria_protocol::{Code, CreateMatch, Game, Options, PlayAs, Problem, SideName};
use lusoria_rules::Variant;

use super::name::{side, side_named};

/// The terms of a match that a client wants to make.
///
/// # Errors
/// An option or a side that the game does not have; a length or clock out of its range.
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
        points: request.points,
        clock: request.clock,
        colours,
        admission: request.admission,
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

/// The terms of a match are out of their range.
pub fn out_of_range(why: &TermsError) -> Problem {
    let field = match why {
        TermsError::Points(_) => "points",
        TermsError::Clock(ClockError::Base(_)) => "clock.base_ms",
        TermsError::Clock(ClockError::Step(_)) => "clock.increment_ms or clock.delay_ms",
        TermsError::Clock(ClockError::Days(_)) => "clock.days",
    };
    Problem::new(Code::InvalidBody, format!("{field}: {why}"))
}
