//! Gives back part of a turn's time for the lag between server and player.
//!
//! A remote player sees their turn later than it begins, and their turn arrives later than they sent it. The
//! server measures this lag and hands it in with the turn. How much of it counts follows from the events
//! alone: nobody gains more by a slow line, or by a client that pretends to have one, than these numbers
//! allow.

use crate::{Clock, Match, Millis, Seat};

/// How much each turn of a seat adds to its quota: the most that can be given back in every turn.
const GAIN_MS: Millis = 500;

/// The most that the quota holds: three turns' worth, so that a single long delay is made up for.
const STORED_MAX_MS: Millis = 3 * GAIN_MS;

/// A seat is given back at most one part in this many of the clock's stock in a game: a tenth.
const PART_OF_STOCK: Millis = 10;

/// How much a seat can still be given back in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LagQuota {
    /// The rest of its earlier turns, in milliseconds.
    stored_ms: Millis,
    /// The rest of what the game allows in total, in milliseconds.
    left_ms: Millis,
}

impl LagQuota {
    /// The quota at the start of a game: nothing without a clock, or in correspondence games.
    pub(crate) const fn at_start(clock: Clock) -> Self {
        let left_ms = match clock {
            Clock::None {} | Clock::Days { .. } => 0,
            Clock::Fischer { base_ms, .. } | Clock::Delay { base_ms, .. } => base_ms / PART_OF_STOCK,
        };
        Self { stored_ms: 0, left_ms }
    }

    /// The most that the next turn can be given back.
    fn most_ms(self) -> Millis {
        self.with_gain_ms().min(self.left_ms)
    }

    /// Takes what a turn was given back, without judging it.
    pub(crate) fn take(&mut self, lag_ms: Millis) {
        self.stored_ms = self.with_gain_ms().saturating_sub(lag_ms);
        self.left_ms = self.left_ms.saturating_sub(lag_ms);
    }

    fn with_gain_ms(self) -> Millis {
        self.stored_ms.saturating_add(GAIN_MS).min(STORED_MAX_MS)
    }
}

impl Match {
    /// The seat whose lag must be measured, and the event that gave it its turn: a person's, while a live
    /// clock runs.
    pub fn line_to_measure(&self) -> Option<(Seat, u32)> {
        let to_play = self.to_play()?;
        let counts = match self.terms.clock {
            Clock::None {} | Clock::Days { .. } => false,
            Clock::Fischer { .. } | Clock::Delay { .. } => true,
        };
        let is_person = || self.player(to_play.seat).is_some_and(|player| player.kind.is_person());
        (counts && is_person()).then_some((to_play.seat, to_play.given_by))
    }

    /// What the present turn is given back if it ends now with a lag of `lag_ms`: at most what it takes from
    /// the clock, and what the quota has. None for nothing.
    pub(crate) fn lag_credit_ms(&self, lag_ms: Millis, now: Millis) -> Option<Millis> {
        let (seat, _) = self.line_to_measure()?;
        let (game, term) = (self.game.as_ref()?, self.term?);
        let charge_ms = self.terms.clock.charge(term.elapsed(now), !game.has_played(seat));
        Some(lag_ms.min(charge_ms).min(game.lag.get(seat).most_ms())).filter(|&credit_ms| credit_ms > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLITZ: Clock = Clock::Fischer { base_ms: 300_000, increment_ms: 0 };

    #[test]
    fn three_gains_are_stored_and_each_turn_adds_one() {
        let mut quota = LagQuota::at_start(BLITZ);
        let most = [(); 5].map(|()| {
            let most_ms = quota.most_ms();
            quota.take(0);
            most_ms
        });
        assert_eq!(most, [500, 1_000, 1_500, 1_500, 1_500]);
        quota.take(1_400);
        assert_eq!(quota.most_ms(), 600);
        quota.take(600);
        assert_eq!(quota.most_ms(), 500);
    }

    #[test]
    fn a_game_gives_back_a_tenth_of_the_stock_and_no_more() {
        let mut quota = LagQuota::at_start(Clock::Delay { base_ms: 9_999, delay_ms: 5_000 });
        let given: Vec<_> = (0..4)
            .map(|_| {
                let most_ms = quota.most_ms();
                quota.take(most_ms);
                most_ms
            })
            .collect();
        assert_eq!(given, [500, 499, 0, 0]);
    }

    #[test]
    fn without_a_clock_and_in_correspondence_nothing_is_given_back() {
        for clock in [Clock::None {}, Clock::Days { days: 14 }] {
            assert_eq!(LagQuota::at_start(clock).most_ms(), 0);
        }
    }
}
