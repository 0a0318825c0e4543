//! One game of a match.

use lusoria_rules::{Die, Family, History, Position, Side, Variant};

use crate::{BySeat, GameEnd, Length, Millis, Seat, TakebackOffer, lag::LagQuota, takeback::PlayedTurn};

/// One game of a match: the one being played, or the last one.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// From 1.
    pub number: u16,
    /// The seat that plays White (in a tafl game the king's side).
    pub white: Seat,
    /// The position at the start of the present turn, or the last one.
    pub position: Position,
    /// The history that a tafl game needs: moves since a capture, repetitions.
    pub history: History,
    /// How many throws there have been, tied opening throws included.
    pub throws: u32,
    /// The time on the clocks after the last turn; none without a clock.
    pub clocks_ms: Option<BySeat<Millis>>,
    /// How much each seat can still be given back for lag.
    pub(crate) lag: BySeat<LagQuota>,
    /// The number of turns of each seat, without those that were taken back; passes do not count.
    pub turns: BySeat<u32>,
    /// Which seats have played a turn, even one that was taken back.
    pub(crate) begun: BySeat<bool>,
    /// The turns that count, in order; only in a match in which turns may be taken back.
    pub(crate) played: Vec<PlayedTurn>,
    /// The turn to play; none once the game has ended.
    pub to_play: Option<ToPlay>,
    /// The seat whose offer of a draw is open.
    pub draw_offer: Option<Seat>,
    /// The seats that may not offer a draw again until they have played a turn.
    pub has_offered: BySeat<bool>,
    /// The open offer to take a turn back.
    pub takeback_offer: Option<TakebackOffer>,
    /// For each seat, the event of the turn that it last offered to take back.
    pub(crate) asked_back: BySeat<Option<u32>>,
    /// The result.
    pub result: Option<GameResult>,
}

/// The turn to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToPlay {
    /// The seat.
    pub seat: Seat,
    /// Its side.
    pub side: Side,
    /// The number of the event that gave the turn: the throw, or in a tafl game the opponent's turn or the
    /// start of the game. A turn must name it.
    pub given_by: u32,
    /// The throw, in the order drawn; empty in a tafl game.
    pub dice: Vec<Die>,
    /// When the turn was given.
    pub since: Millis,
}

/// The result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameResult {
    /// The winner; none for a draw or an aborted game.
    pub winner: Option<Seat>,
    /// The winner's points; 0 without a winner.
    pub points: u8,
    /// Why it ended.
    pub reason: GameEnd,
}

impl Game {
    /// Whether a seat has played a turn, even one that was taken back.
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

    /// The seat that takes White in the next game: colours alternate, but in a tafl game the winner takes the
    /// king's side unless it is one of a pair, in which sides are exchanged (rules/README.md; tafl 9).
    pub(crate) fn next_white(&self, variant: Variant, length: Length) -> Seat {
        match (variant.family(), length, self.result.and_then(|result| result.winner)) {
            (Family::Tafl(_), Length::Points(_), Some(winner)) => winner,
            (Family::Tafl(_), Length::Points(_), None)
            | (Family::Tafl(_), Length::Pair, _)
            | (Family::Tables(_), _, _) => self.white.other(),
        }
    }
}
