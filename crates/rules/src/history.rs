//! The history that a game needs beyond its position.

use std::collections::HashMap;

use crate::{Outcome, Position, Reason, tafl};

/// The history of a tafl game: how often each position has occurred, and the number of moves since the last
/// capture. A dice game needs none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct History {
    since_capture: u16,
    /// The positions since the last capture: earlier ones can never occur again.
    stood: HashMap<tafl::Position, u8>,
}

impl History {
    /// The third occurrence of a position draws the game (tafl 8).
    pub const REPETITIONS: u8 = 3;
    /// This many moves without a capture, a hundred of each side, draw the game (tafl 8).
    pub const DROUGHT: u16 = 200;

    /// The history of a game that begins in this position; the start counts as one occurrence.
    pub fn start(position: &Position) -> Self {
        let mut history = Self::default();
        history.stand(position);
        history
    }

    /// Adds the position after a turn, with the other side to move, and whether the turn captured anything.
    pub fn record(&mut self, after: &Position, captured: bool) {
        let Position::Tafl(_) = after else { return };
        if captured {
            *self = Self::default();
        } else {
            self.since_capture = self.since_capture.saturating_add(1);
        }
        self.stand(after);
    }

    fn stand(&mut self, position: &Position) {
        if let Position::Tafl(position) = position {
            let times = self.stood.entry(*position).or_default();
            *times = times.saturating_add(1);
        }
    }

    /// The number of moves, of both sides together, since the last capture or the start.
    pub const fn since_capture(&self) -> u16 {
        self.since_capture
    }

    /// How often the position has occurred with the same side to move.
    pub fn repetitions(&self, position: &Position) -> u8 {
        match position {
            Position::Tables(_) => 0,
            Position::Tafl(position) => self.stood.get(position).copied().unwrap_or(0),
        }
    }

    /// The positions of a tafl game that can occur again, each with its number of occurrences, in no
    /// particular order.
    pub fn stood(&self) -> impl Iterator<Item = (&tafl::Position, u8)> {
        self.stood.iter().map(|(position, &times)| (position, times))
    }

    /// The draw by repetition or drought in the position that was recorded last, unless it wins the game
    /// (tafl 8).
    pub fn drawn(&self, position: &Position) -> Option<Outcome> {
        Self::draw_of(self.repetitions(position), self.since_capture)
    }

    /// The draw by repetition or drought that a move to this position, not recorded yet, would cause, unless
    /// it wins the game (tafl 8).
    pub(crate) fn draw(&self, after: &tafl::Position, captured: bool) -> Option<Outcome> {
        if captured {
            return None;
        }
        let stood = self.repetitions(&Position::Tafl(*after));
        Self::draw_of(stood.saturating_add(1), self.since_capture.saturating_add(1))
    }

    fn draw_of(repetitions: u8, since_capture: u16) -> Option<Outcome> {
        let reason = if repetitions >= Self::REPETITIONS {
            Reason::Repetition
        } else if since_capture >= Self::DROUGHT {
            Reason::Drought
        } else {
            return None;
        };
        Some(Outcome { winner: None, points: 0, reason })
    }
}
