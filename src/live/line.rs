//! The lag of the players' lines, as this node has measured it.
//!
//! Only what the server has seen counts: the time from a ping, which goes out with a turn, to the pong with
//! the same random bytes. Measurements are lost at a restart; a turn without one is given nothing back.

use std::time::Duration;

use lusoria_play::{BySeat, Millis, Seat};

/// For how many turns of a player measurements are remembered.
const REMEMBERED: usize = 8;

/// By how much the lag of a turn may exceed the best of those, in milliseconds. A lost segment costs about as
/// much; a player who delays a pong on purpose gains no more.
const FALTERS_BY_MAX_MS: Millis = 500;

/// The lines to both players.
#[derive(Debug, Default)]
pub(super) struct Lines(BySeat<Line>);

/// Measurements of a player's line: for each turn the best of all their sockets, so that a slow one beside a
/// fast one gains nothing.
#[derive(Debug, Default)]
struct Line {
    /// The event that gave the last measured turn.
    given: u32,
    /// The measurements in milliseconds, the last turn first.
    rtts_ms: [u16; REMEMBERED],
    measured: u8,
}

impl Lines {
    /// Adds a measurement of a socket in the turn that event `given` gave.
    pub(super) fn note(&mut self, seat: Seat, given: u32, took: Duration) {
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

    /// The lag in that turn, in milliseconds; 0 if unknown.
    pub(super) fn lag_ms(&self, seat: Seat, given: u32) -> Millis {
        let line = self.0.get(seat);
        if line.given != given {
            return 0;
        }
        let measured = usize::from(line.measured).min(REMEMBERED);
        let best_ms = line.rtts_ms[..measured].iter().copied().min().unwrap_or(0);
        Millis::from(line.rtts_ms[0]).min(Millis::from(best_ms) + FALTERS_BY_MAX_MS)
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
        assert_eq!(lines.lag_ms(Seat::Two, 3), 0, "nothing is known of the other player");
    }

    #[test]
    fn a_pong_that_comes_turns_later_changes_nothing() {
        let mut lines = Lines::default();
        noted(&mut lines, 5, 150);
        noted(&mut lines, 3, 1);
        assert_eq!(lines.lag_ms(Seat::One, 5), 150);
        assert_eq!(lines.lag_ms(Seat::One, 3), 0);
    }

    #[test]
    fn the_lag_of_a_turn_is_limited_by_the_best_of_the_last_eight() {
        let mut lines = Lines::default();
        assert_eq!(noted(&mut lines, 1, 100), 100);
        for turn in 2..=8 {
            assert_eq!(noted(&mut lines, turn, 2_000), 600);
        }
        assert_eq!(noted(&mut lines, 9, 2_000), 2_000, "the line has become slow");
        assert_eq!(noted(&mut lines, 10, 100_000), 2_500);
    }
}
