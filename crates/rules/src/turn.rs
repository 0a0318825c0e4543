//! A turn of any game, built step by step.

use crate::{
    Call, Die, Game, History, Illegal, NotationError, Outcome, Played, Position, Step, tables, tafl,
};

/// A partial turn: the position at its start, the dice, and the steps so far.
#[derive(Debug, Clone)]
pub enum Turn {
    /// Of a dice game.
    Tables(tables::Turn),
    /// Of a tafl game.
    Tafl(tafl::Turn),
}

/// The throw does not fit the game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiceError {
    /// Dice were given to a game that is played without.
    #[error("{game} is played without dice")]
    NoDice {
        /// The game.
        game: Game,
    },
    /// Too many dice, or too few.
    #[error("a throw of {game} has {expected} dice, not {found}")]
    Count {
        /// The game.
        game: Game,
        /// The number of dice in its throws.
        expected: usize,
        /// The number given.
        found: usize,
    },
}

/// The turn cannot end yet (rules/README.md, compulsion 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Incomplete {
    /// Dice must still be played.
    #[error("the turn must still play {left} {}", if *.left == 1 { "die" } else { "dice" })]
    Dice {
        /// How many.
        left: u8,
    },
    /// The move must still be made.
    #[error("the turn must still make its move")]
    Move,
}

/// The result of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// The position, the other side to move.
    pub position: Position,
    /// The end of the game, if it has ended.
    pub outcome: Option<Outcome>,
    /// Nothing could be played.
    pub passed: bool,
    /// In a tafl game: whether pieces were captured.
    pub captured: bool,
    /// In a tafl game: the call after a defenders' move (tafl 7).
    pub call: Option<Call>,
}

/// Distinct positions in which a turn can end, with the other side to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ends {
    /// The positions.
    pub positions: Vec<Position>,
    /// Whether there are more.
    pub truncated: bool,
}

impl Turn {
    /// The position at the start of the turn.
    pub fn start(&self) -> Position {
        match self {
            Self::Tables(turn) => Position::Tables(*turn.start()),
            Self::Tafl(turn) => Position::Tafl(*turn.start()),
        }
    }

    /// The position after the steps so far; the mover is still the side to move.
    pub fn position(&self) -> Position {
        match self {
            Self::Tables(turn) => Position::Tables(*turn.position()),
            Self::Tafl(turn) => Position::Tafl(*turn.position()),
        }
    }

    /// The legal next steps, sorted by die, then by `from` and `to` as text.
    pub fn steps(&self) -> Vec<Step> {
        match self {
            Self::Tables(turn) => turn.steps(),
            Self::Tafl(turn) => turn.steps(),
        }
    }

    /// The targets of a piece by several dice: for each target and each choice of dice the steps, two or
    /// more, of one order ([`tables::Turn::reach`]). Empty in a tafl game.
    pub fn reach(&self) -> Vec<Vec<Step>> {
        match self {
            Self::Tables(turn) => turn.reach(),
            Self::Tafl(_) => Vec::new(),
        }
    }

    /// The steps of the whole rest of the turn, if it ends in the same position however it is played
    /// ([`tables::Turn::forced`]); in a tafl game the only move.
    pub fn forced(&self) -> Option<Vec<Step>> {
        match self {
            Self::Tables(turn) => turn.forced(),
            Self::Tafl(turn) => Some(turn.steps()).filter(|steps| steps.len() == 1),
        }
    }

    /// Plays a step.
    ///
    /// # Errors
    ///
    /// The reason why the step is illegal; the turn is unchanged then.
    pub fn play(&mut self, step: &Step) -> Result<Played, Illegal> {
        match self {
            Self::Tables(turn) => turn.play(step).map_err(Illegal::Tables),
            Self::Tafl(turn) => turn.play(step).map_err(Illegal::Tafl),
        }
    }

    /// Whether no further step is legal, so that the turn can end, and must.
    pub fn is_complete(&self) -> bool {
        match self {
            Self::Tables(turn) => turn.is_complete(),
            Self::Tafl(turn) => turn.is_complete(),
        }
    }

    /// How many dice the turn must play in total; none in a tafl game.
    pub fn dice_playable(&self) -> u8 {
        match self {
            Self::Tables(turn) => turn.dice_playable(),
            Self::Tafl(_) => 0,
        }
    }

    /// The dice not yet played, doubles and triples as often as they count.
    pub fn dice_left(&self) -> Vec<Die> {
        match self {
            Self::Tables(turn) => turn.dice_left(),
            Self::Tafl(_) => Vec::new(),
        }
    }

    /// Ends the turn and judges the position. `history` is the game's history up to the start of the turn.
    ///
    /// # Errors
    ///
    /// Something must still be played.
    pub fn end(self, history: &History) -> Result<End, Incomplete> {
        match self {
            Self::Tables(turn) => turn.end().map(|tables::End { position, outcome, passed }| {
                let position = Position::Tables(position);
                End { position, outcome, passed, captured: false, call: None }
            }),
            Self::Tafl(turn) => {
                turn.end().map(|tafl::Ended { position, outcome, passed, captured, call }| {
                    // A move that wins is never a draw (tafl 8).
                    let outcome = outcome.or_else(|| history.draw(&position, captured));
                    let call = call.filter(|_| outcome.is_none());
                    End { position: Position::Tafl(position), outcome, passed, captured, call }
                })
            }
        }
    }

    /// The distinct positions in which the turn can end, at most `limit`.
    pub fn ends(&self, limit: usize) -> Ends {
        match self {
            Self::Tables(turn) => {
                let ends = turn.ends(limit);
                Ends {
                    positions: ends.positions.into_iter().map(Position::Tables).collect(),
                    truncated: ends.truncated,
                }
            }
            Self::Tafl(turn) => {
                let (positions, truncated) = turn.ends(limit);
                Ends { positions: positions.into_iter().map(Position::Tafl).collect(), truncated }
            }
        }
    }

    /// The steps so far in the game's notation: `24/18 bar/5*`, `e8-e6xd6`.
    pub fn write(&self) -> String {
        match self {
            Self::Tables(turn) => turn.write(),
            Self::Tafl(turn) => turn.write(),
        }
    }

    /// Reads the next steps from text in the game's notation.
    ///
    /// # Errors
    ///
    /// The fault of the text, or the reason why a step is illegal.
    pub fn parse(&self, text: &str) -> Result<Vec<Step>, NotationError> {
        match self {
            Self::Tables(turn) => turn.parse(text).map_err(NotationError::Tables),
            Self::Tafl(turn) => turn.parse(text).map(|step| vec![step]).map_err(NotationError::Tafl),
        }
    }
}
