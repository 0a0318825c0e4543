//! Positions, and endings of games by their rules.

use lusoria_protocol::{GameEnd, Outcome, Pieces, Position, Problem, TablesPosition, TaflPosition};
use lusoria_rules::{BySide, DiceSide, Family, Game, Outcome as RulesOutcome, Reason, Setup};

use super::name::{side, side_named};

/// A position with the fields that the game has.
pub fn position(setup: &Setup, game: Game) -> Position {
    match setup {
        Setup::Tables { sides, to_move } => Position::Tables(TablesPosition {
            white: pieces(game, &sides.white),
            black: pieces(game, &sides.black),
            to_move: side(game, *to_move),
        }),
        Setup::Tafl { board, to_move } => {
            Position::Tafl(TaflPosition { board: board.clone(), to_move: side(game, *to_move) })
        }
    }
}

fn pieces(game: Game, of: &DiceSide) -> Pieces {
    let (has_supply, has_bar, pins, shelters) = match game.family() {
        Family::Tables(rules) => {
            (rules.has_supply(), rules.has_bar(), rules.pins(), rules.shelter().is_some())
        }
        Family::Tafl(_) => (false, false, false, false),
    };
    Pieces {
        points: of.points.clone(),
        supply: has_supply.then_some(of.supply),
        bar: has_bar.then_some(of.bar),
        off: of.off,
        pinned: pins.then(|| of.pinned.clone()),
        exposed: shelters.then_some(of.exposed),
    }
}

/// A position from the wire, not validated: it may be impossible.
///
/// # Errors
/// `unknown_side` if the game has no side of that name.
pub fn setup(game: Game, position: &Position) -> Result<Setup, Problem> {
    Ok(match position {
        Position::Tables(TablesPosition { white, black, to_move }) => Setup::Tables {
            sides: BySide { white: dice_side(white), black: dice_side(black) },
            to_move: side_named(game, *to_move)?,
        },
        Position::Tafl(TaflPosition { board, to_move }) => {
            Setup::Tafl { board: board.clone(), to_move: side_named(game, *to_move)? }
        }
    })
}

fn dice_side(pieces: &Pieces) -> DiceSide {
    let Pieces { points, supply, bar, off, pinned, exposed } = pieces.clone();
    DiceSide {
        points,
        supply: supply.unwrap_or_default(),
        bar: bar.unwrap_or_default(),
        off,
        pinned: pinned.unwrap_or_default(),
        exposed: exposed.unwrap_or_default(),
    }
}

/// The ending of a game by its rules.
pub fn outcome(game: Game, outcome: RulesOutcome) -> Outcome {
    Outcome {
        winner: outcome.winner.map(|winner| side(game, winner)),
        points: outcome.points,
        reason: reason(outcome.reason),
    }
}

pub(super) const fn reason(reason: Reason) -> GameEnd {
    match reason {
        Reason::BorneOff => GameEnd::BorneOff,
        Reason::Mars => GameEnd::Mars,
        Reason::Mother => GameEnd::Mother,
        Reason::DeadDraw => GameEnd::DeadDraw,
        Reason::DeadPosition => GameEnd::DeadPosition,
        Reason::KingEscaped => GameEnd::KingEscaped,
        Reason::KingCaptured => GameEnd::KingCaptured,
        Reason::NoMove => GameEnd::NoMove,
        Reason::Repetition => GameEnd::Repetition,
        Reason::Drought => GameEnd::Drought,
    }
}
