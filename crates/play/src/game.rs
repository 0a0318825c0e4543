//! One game of a match.

use lusoria_rules::{Die, Family, History, Position, Side, Variant};

use crate::{BySeat, GameEnd, Length, Millis, Seat, lag::LagQuota, takeback::PlayedTurn};

/// One game of a match: the one being played, or the last one.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// From 1.
    pub number: u16,
    /// The seat that plays White (in a tafl game the king's side).
    pub white: Seat,
    /// The position at the start of the present turn, or the last one.
    pub position: Position,
    /// What a tafl game remembers: moves since a capture, repetitions.
    pub history: History,
    /// How many throws there have been, tied opening throws included.
    pub throws: u32,
    /// What stood on the clocks after the last turn; none without a clock.
    pub clocks_ms: Option<BySeat<Millis>>,
    /// What each can still be given back for its line.
    pub(crate) lag: BySeat<LagQuota>,
    /// How many turns each has played, without those that were taken back; a pass is none.
    pub turns: BySeat<u32>,
    /// Who has played a turn, even one that was taken back.
    pub(crate) begun: BySeat<bool>,
    /// The turns that count, in order: only of a match in which turns may be taken back.
    pub(crate) played: Vec<PlayedTurn>,
    /// Whose turn it is; none once the game has ended.
    pub to_play: Option<ToPlay>,
    /// Who has an offer of a draw standing.
    pub draw_offer: Option<Seat>,
    /// The seats that may not offer a draw again until they have played a turn.
    pub has_offered: BySeat<bool>,
    /// How it ended.
    pub result: Option<GameResult>,
}

/// Whose turn it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToPlay {
    /// Who.
    pub seat: Seat,
    /// As which side.
    pub side: Side,
    /// The number of the event that gave the turn: the throw, in a tafl game the opponent's
    /// turn or the start of the game. A turn must name it.
    pub given_by: u32,
    /// What was thrown, in the order drawn; empty in a tafl game.
    pub dice: Vec<Die>,
    /// When the turn was given.
    pub since: Millis,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameResult {
    /// The winner; none for a draw or a game broken off.
    pub winner: Option<Seat>,
    /// What the winner scored; 0 without one.
    pub points: u8,
    /// Why it ended.
    pub reason: GameEnd,
}

impl Game {
    /// Whether a seat has played a turn of its own, even one that was taken back.
    pub const fn has_played(&self, seat: Seat) -> bool {
        *self.begun.get(seat)
    }

    /// The side that a seat plays in this game.
    pub fn side_of(&self, seat: Seat) -> Side {
        if seat == self.white { Side::White } else { Side::Black }
    }

    /// The seat that plays a side in this game.
    pub const fn seat_of(&self, side: Side) -> Seat {
        match side {
            Side::White => self.white,
            Side::Black => self.white.other(),
        }
    }

    /// Who takes White after this game: colours alternate, but in a tafl game the winner takes the king's side
    /// unless it is one of a pair, in which sides are exchanged (rules/README.md; tafl 9).
    pub(crate) fn next_white(&self, variant: Variant, length: Length) -> Seat {
        match (variant.family(), length, self.result.and_then(|result| result.winner)) {
            (Family::Tafl(_), Length::Points(_), Some(winner)) => winner,
            (Family::Tafl(_), Length::Points(_), None)
            | (Family::Tafl(_), Length::Pair, _)
            | (Family::Tables(_), _, _) => self.white.other(),
        }
    }
}
