//! Deadlines of a match: what it waits for, until when, and what happens then.

use crate::{
    AbortReason, Chance, Clock, Event, GameEnd, Match, MatchEnd, Millis, Phase, Recorded, Refusal, Seat,
    append::Append,
};

/// What the present term is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Awaited {
    Joiner,
    Seed(Seat),
    FirstTurn(Seat),
    Turn(Seat),
}

impl Match {
    /// When [`Match::on_deadline`] must be called, if nothing happens before.
    pub fn next_deadline(&self) -> Option<Millis> {
        let clock = self.terms.clock;
        let length_ms = match self.awaited()? {
            Awaited::Joiner => self.open_for_ms(),
            Awaited::Seed(_) => clock.seed_term_ms(),
            Awaited::FirstTurn(_) => clock.first_term_ms(self.game_number()),
            Awaited::Turn(seat) => {
                let clocks = self.game.as_ref().and_then(|game| game.clocks_ms);
                clock.term_ms(clocks.map_or(0, |clocks| *clocks.get(seat)))
            }
        };
        Some(self.term?.ends(length_ms))
    }

    /// Applies the deadline if it has passed by `now`.
    pub fn on_deadline(&mut self, now: Millis, chance: &mut dyn Chance) -> Vec<Recorded> {
        let mut append = Append::to(self, now, chance);
        if append.is_late() {
            append.run_out();
        }
        append.into_events()
    }

    /// The number of the present game, or 1 before the first has begun.
    fn game_number(&self) -> u16 {
        self.game.as_ref().map_or(1, |game| game.number)
    }

    fn awaited(&self) -> Option<Awaited> {
        match self.phase() {
            Phase::Open => Some(Awaited::Joiner),
            Phase::AwaitingSeeds(seats) => seats.first().copied().map(Awaited::Seed),
            Phase::Playing => {
                let game = self.game.as_ref()?;
                let seat = game.to_play.as_ref()?.seat;
                Some(if game.has_played(seat) { Awaited::Turn(seat) } else { Awaited::FirstTurn(seat) })
            }
            Phase::Ended(_) => None,
        }
    }
}

impl Append<'_> {
    /// Whether the present term has ended.
    fn is_late(&self) -> bool {
        self.state().next_deadline().is_some_and(|deadline| self.now() >= deadline)
    }

    /// Refuses a command after the end of the term but before [`Match::on_deadline`].
    pub(crate) fn refuse_if_late(&self) -> Result<(), Refusal> {
        match self.state().awaited() {
            Some(Awaited::Joiner) if self.is_late() => Err(Refusal::Over),
            // No clock runs, and older journals contain seeds that came later.
            Some(Awaited::Seed(_)) if self.state().terms.clock == Clock::None {} => Ok(()),
            Some(Awaited::Seed(seat) | Awaited::FirstTurn(seat) | Awaited::Turn(seat)) if self.is_late() => {
                Err(Refusal::TimeOver { seat })
            }
            Some(_) | None => Ok(()),
        }
    }

    fn run_out(&mut self) {
        let Some(awaited) = self.state().awaited() else { return };
        match (awaited, self.state().terms.clock) {
            (Awaited::Joiner, _) => self.abort(AbortReason::Expired),
            (Awaited::Seed(seat), _) => self.abort(AbortReason::SeedNotRevealed(seat)),
            (Awaited::FirstTurn(_) | Awaited::Turn(_), Clock::None {}) => self.abort(AbortReason::Abandoned),
            (Awaited::FirstTurn(seat), Clock::Fischer { .. } | Clock::Delay { .. } | Clock::Days { .. }) => {
                if self.state().game_number() == 1 {
                    self.abort(AbortReason::NoShow(seat));
                } else {
                    // Otherwise a player who is losing a series could cancel it by staying away.
                    self.lose_game(seat, GameEnd::NoShow);
                }
            }
            (Awaited::Turn(seat), Clock::Fischer { .. } | Clock::Delay { .. } | Clock::Days { .. }) => {
                self.lose_game(seat, GameEnd::Time);
            }
        }
    }

    /// Gives back the time in which the server was not running, as far as it lies in the present term and has
    /// not been given back before.
    pub(crate) fn credit(&mut self, from: Millis, until: Millis) {
        let Some(term) = self.state().term else { return };
        let until = until.min(self.now());
        let counts_from = from.max(term.since()).max(self.state().credited_until);
        let credit_ms = until.saturating_sub(counts_from);
        if credit_ms > 0 {
            self.emit(Event::Credited { from, until, credit_ms });
        }
    }

    /// Aborts the match, and its present game.
    pub(crate) fn abort(&mut self, reason: AbortReason) {
        let end = MatchEnd::Aborted(reason);
        if self.state().game.is_some() {
            self.end_game_and_match(None, 0, GameEnd::Aborted, end);
        } else {
            self.emit(Event::MatchEnded { end });
        }
    }
}
