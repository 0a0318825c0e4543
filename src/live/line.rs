//! How long the lines to the players of a match take, as this node has measured it.
//!
//! Only what the server has seen counts: the time from a ping, which goes out with a turn, to the pong with
//! the same random bytes. It need not last: without it a turn is given nothing back.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use lusoria_play::{BySeat, Millis, Seat};

use super::Room;

/// How many turns' measurements of a player are remembered.
const REMEMBERED: usize = 8;

/// By how much the line of a turn may exceed the best of those, in milliseconds. A segment that is lost costs
/// about as much; who holds back a pong just when time is short gains no more.
const FALTERS_BY_MAX_MS: Millis = 500;

/// The lines to both players.
#[derive(Debug, Default)]
pub(super) struct Lines(BySeat<Line>);

/// What was measured of a player: in each turn the best of all their sockets, so that a slow one beside a
/// fast one gains nothing.
#[derive(Debug, Default)]
struct Line {
    /// The event that gave the last turn that was measured.
    given: u32,
    /// What was measured, in milliseconds: the turn `given` in the first place, after it earlier ones.
    rtts_ms: [u16; REMEMBERED],
    measured: u8,
}

impl Lines {
    /// Notes that a socket took so long in the turn that event `given` gave.
    fn note(&mut self, seat: Seat, given: u32, took: Duration) {
        let line = self.0.get_mut(seat);
        let took_ms = u16::try_from(took.as_millis()).unwrap_or(u16::MAX);
        if given < line.given {
            return;
        }
        if given > line.given {
            line.given = given;
            line.rtts_ms.rotate_right(1);
            line.rtts_ms[0] = u16::MAX;
            line.measured = line.measured.saturating_add(1);
        }
        line.rtts_ms[0] = line.rtts_ms[0].min(took_ms);
    }

    /// How long the line took in that turn, in milliseconds; 0 if that is not known.
    fn lag_ms(&self, seat: Seat, given: u32) -> Millis {
        let line = self.0.get(seat);
        if line.given != given {
            return 0;
        }
        let measured = usize::from(line.measured).min(REMEMBERED);
        let best_ms = line.rtts_ms[..measured].iter().copied().min().unwrap_or(0);
        Millis::from(line.rtts_ms[0]).min(Millis::from(best_ms) + FALTERS_BY_MAX_MS)
    }
}

/// A turn that goes out to its player, with a ping.
#[derive(Debug)]
pub struct GivenTurn {
    /// Not held: a client that never answers must not keep the match in memory.
    room: Weak<Room>,
    seat: Seat,
    given: u32,
}

impl GivenTurn {
    /// The turn to play, if its line is to be measured, the seat is one of these, and the event that gave it
    /// comes after event `since` and not after event `to`.
    pub(super) fn sent(room: &Arc<Room>, seats: &[Seat], since: u32, to: u32) -> Option<Self> {
        let (seat, given) = room.state().line_to_measure()?;
        let is_sent = seats.contains(&seat) && since < given && given <= to;
        is_sent.then(|| Self { room: Arc::downgrade(room), seat, given })
    }

    /// The ping that went out with it was answered after so long.
    pub fn answered_after(&self, took: Duration) {
        if let Some(room) = self.room.upgrade() {
            room.lines.lock().note(self.seat, self.given, took);
        }
    }
}

impl Room {
    /// How long the line to the player took in the turn that event `given` gave, as far as sockets of this
    /// node have measured it, in milliseconds; 0 if they have not.
    pub fn lag_ms(&self, given: u32) -> Millis {
        let Some((seat, _)) = self.state().line_to_measure().filter(|&(_, to_play)| to_play == given) else {
            return 0;
        };
        self.lines.lock().lag_ms(seat, given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(lines: &mut Lines, given: u32, took_ms: u64) -> Millis {
        lines.note(Seat::One, given, Duration::from_millis(took_ms));
        lines.lag_ms(Seat::One, given)
    }

    #[test]
    fn a_turn_counts_by_the_fastest_of_its_sockets() {
        let mut lines = Lines::default();
        assert_eq!(noted(&mut lines, 3, 900), 900);
        assert_eq!(noted(&mut lines, 3, 140), 140);
        assert_eq!(noted(&mut lines, 3, 4_000), 140);
        assert_eq!(lines.lag_ms(Seat::One, 4), 0, "of another turn nothing is known");
        assert_eq!(lines.lag_ms(Seat::Two, 3), 0, "nor of the other player");
    }

    #[test]
    fn an_answer_that_comes_turns_later_changes_nothing() {
        let mut lines = Lines::default();
        noted(&mut lines, 5, 150);
        noted(&mut lines, 3, 1);
        assert_eq!(lines.lag_ms(Seat::One, 5), 150);
        assert_eq!(lines.lag_ms(Seat::One, 3), 0);
    }

    #[test]
    fn no_turn_counts_much_more_than_the_best_of_the_last_eight() {
        let mut lines = Lines::default();
        assert_eq!(noted(&mut lines, 1, 100), 100);
        for turn in 2..=8 {
            assert_eq!(noted(&mut lines, turn, 2_000), 600);
        }
        assert_eq!(noted(&mut lines, 9, 2_000), 2_000, "the line has become slow");
        assert_eq!(noted(&mut lines, 10, 100_000), 2_500);
    }
}
