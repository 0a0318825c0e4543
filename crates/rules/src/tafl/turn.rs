//! A turn: one move.

use super::{
    board::{Cell, Cells},
    illegal::Illegal,
    moves::Move,
    position::Position,
};
use crate::{Call, Incomplete, Outcome, Played, Side, Step, Throne};

/// A turn, before or after its one move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    before: Position,
    done: Option<Done>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Done {
    played: Move,
    captured: Cells,
    after: Position,
}

/// The result of a turn, as far as one position shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// The position, the other side to move.
    pub position: Position,
    /// The end of the game: all of tafl 4, 6 and 8 except repetition and drought.
    pub outcome: Option<Outcome>,
    /// There was no legal move.
    pub passed: bool,
    /// Whether pieces were captured.
    pub captured: bool,
    /// The call after a defenders' move, unless it ended the game (tafl 7).
    pub call: Option<Call>,
}

impl Turn {
    /// The turn of the side to move.
    pub const fn new(position: Position) -> Self {
        Self { before: position, done: None }
    }

    /// The position at the start of the turn.
    pub const fn start(&self) -> &Position {
        &self.before
    }

    /// The position now; the mover is still the side to move.
    pub const fn position(&self) -> &Position {
        match &self.done {
            None => &self.before,
            Some(done) => &done.after,
        }
    }

    /// The legal moves, sorted by `from`, then `to`; none after the move.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        if self.done.is_none() {
            self.before.for_each_move(|played| steps.push(self.before.step(played)));
        }
        steps.sort();
        steps
    }

    /// The step played so far.
    pub fn played(&self) -> Option<Step> {
        self.done.as_ref().map(|done| self.before.step(done.played))
    }

    /// The cells whose pieces the move has captured, sorted.
    pub fn captures(&self) -> Vec<String> {
        let captured = self.done.as_ref().map_or(0, |done| done.captured);
        self.before.kind.board().names(captured)
    }

    /// Plays the move.
    ///
    /// # Errors
    ///
    /// The reason why the move is illegal; the turn is unchanged then.
    pub fn play(&mut self, step: &Step) -> Result<Played, Illegal> {
        let played = self.judge(step)?;
        let (after, captured) = self.before.moved(played);
        self.done = Some(Done { played, captured, after });
        Ok(Played { captures: self.captures(), ..Played::default() })
    }

    fn judge(&self, step: &Step) -> Result<Move, Illegal> {
        let position = &self.before;
        let board = position.kind.board();
        if self.done.is_some() {
            return Err(Illegal::TurnOver);
        }
        if position.king_is_decided() {
            return Err(Illegal::GameOver);
        }
        if step.die.is_some() {
            return Err(Illegal::HasDie);
        }
        let unknown = |cell: &String| Illegal::UnknownCell { cell: cell.clone() };
        let from = board.named(&step.from).ok_or_else(|| unknown(&step.from))?;
        let to = board.named(&step.to).ok_or_else(|| unknown(&step.to))?;
        let name = |cell: Cell| board.name(cell);
        if position.occupied() & from.bit() == 0 {
            return Err(Illegal::NoPiece { cell: name(from) });
        }
        if position.own(position.to_move) & from.bit() == 0 {
            return Err(Illegal::NotYours { cell: name(from) });
        }
        if from == to {
            return Err(Illegal::NoDistance { cell: name(from) });
        }
        let direction = board.direction(from, to).ok_or(Illegal::NotStraight)?;
        let is_king = from.bit() == position.king;
        let mut on = from.bit();
        while on != to.bit() {
            on = board.shift(on, direction);
            let cell = || board.names(on).concat();
            if on & position.occupied() != 0 {
                return Err(Illegal::InTheWay { cell: cell() });
            }
            if on == board.throne {
                match (is_king, position.kind.throne()) {
                    (true, Throne::King) => {}
                    (true, Throne::Closed) => return Err(Illegal::ThroneClosed { cell: cell() }),
                    (false, _) => return Err(Illegal::Throne { cell: cell() }),
                }
            }
        }
        Ok(Move { from, to })
    }

    /// Whether the turn can end: its move is made, or there is none.
    pub fn is_complete(&self) -> bool {
        self.done.is_some() || !self.before.has_move()
    }

    /// Ends the turn and judges the position.
    ///
    /// # Errors
    ///
    /// A move must still be made.
    pub fn end(&self) -> Result<Ended, Incomplete> {
        if !self.is_complete() {
            return Err(Incomplete::Move);
        }
        let mover = self.before.to_move;
        let captured = self.done.as_ref().is_some_and(|done| done.captured != 0);
        let position = self.position().with_to_move(mover.other());
        // A side that cannot move has lost, whatever the other side could do now.
        let outcome = if self.done.is_some() { position.outcome() } else { self.before.outcome() };
        let call = match (mover, outcome) {
            (Side::White, None) => Call::of(position.exits()),
            (Side::Black, _) | (Side::White, Some(_)) => None,
        };
        Ok(Ended { position, outcome, passed: self.done.is_none(), captured, call })
    }

    /// The positions in which the turn can end, at most `limit`, in the order of the moves' directions, and
    /// whether there are more. Two moves never lead to the same position, because captured pieces are never
    /// the mover's own.
    pub fn ends(&self, limit: usize) -> (Vec<Position>, bool) {
        let next = self.before.to_move.other();
        let mut positions = Vec::new();
        if let Some(done) = &self.done {
            positions.push(done.after.with_to_move(next));
        } else {
            self.before.for_each_move(|played| {
                if positions.len() <= limit {
                    positions.push(self.before.after(played).0);
                }
            });
            if positions.is_empty() {
                positions.push(self.before.with_to_move(next));
            }
        }
        let truncated = positions.len() > limit;
        positions.truncate(limit);
        (positions, truncated)
    }
}
