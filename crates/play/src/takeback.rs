//! Takebacks: a person takes back turns against the computer.
//!
//! A person who takes a turn back has it again with the same dice, and the throws after it come again too:
//! they are computed from their numbers, so a takeback changes nobody's luck. Used time stays used, and
//! increments earned by turns that no longer count are removed.

use std::ops::Range;

use lusoria_rules::{Die, History, Position, Side};

use crate::{
    BySeat, Clock, Event, Game, Match, Millis, PlayerId, Recorded, Refusal, Seat, TakenStep, append::Append,
};

/// A takeback leaves at least this much on a clock that has as much, so that nobody loses a game by it.
const LEFT_AFTER_TAKEBACK_MIN_MS: Millis = 1_000;

/// A turn of the game that counts, played or passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlayedTurn {
    seat: Seat,
    side: Side,
    /// The event that gave it.
    given_by: u32,
    dice: Vec<Die>,
    /// The number of throws before it.
    throws: u32,
    /// The position at its start.
    position: Position,
    /// The time that it added to its player's clock.
    earned_ms: Millis,
    /// The event in which it was played; none for a pass.
    turned: Option<u32>,
    /// Whether it captured anything (tafl).
    captured: bool,
}

impl Match {
    /// How many turns may be taken back in a match, so that its journal is limited.
    pub const TAKEBACKS_MAX: u32 = 200;

    /// How many turns have been taken back.
    pub const fn takebacks(&self) -> u32 {
        self.takebacks
    }

    /// The event of the turn that this player, against the computer, may take back now.
    pub fn may_take_back(&self, player: PlayerId) -> Option<u32> {
        let game = self.game.as_ref().filter(|game| game.to_play.is_some())?;
        let seat = self.takeback_seat().filter(|_| self.takebacks < Self::TAKEBACKS_MAX)?;
        if self.player(seat)?.id != player {
            return None;
        }
        game.last_turn(seat)?.1.turned
    }

    /// The seat whose turns may be taken back: that of a person against the computer.
    fn takeback_seat(&self) -> Option<Seat> {
        let is_person = |seat| self.player(seat).is_some_and(|player| player.kind.is_person());
        Seat::BOTH.into_iter().find(|&seat| is_person(seat) && self.is_computer(seat.other()))
    }

    /// Remembers the present turn before it is played in event `turned`, or passes.
    pub(crate) fn remember_turn(&mut self, turned: Option<u32>, steps: &[TakenStep]) {
        if self.takeback_seat().is_none() {
            return;
        }
        let clock = self.terms.clock;
        let Some(game) = &mut self.game else { return };
        let Some(to_play) = game.to_play.clone() else { return };
        game.played.push(PlayedTurn {
            seat: to_play.seat,
            side: to_play.side,
            given_by: to_play.given_by,
            dice: to_play.dice,
            throws: game.throws,
            position: game.position,
            earned_ms: turned.map_or(0, |_| clock.earned_ms(!game.has_played(to_play.seat))),
            turned,
            captured: steps.iter().any(|taken| !taken.captures.is_empty()),
        });
    }

    /// The clocks if these turns no longer count: the present time without what they have earned, but not
    /// less than a second for that reason. A correspondence term begins anew.
    fn clocks_after_takeback_ms(&self, undone: &[PlayedTurn], now: Millis) -> Option<BySeat<Millis>> {
        if let Clock::Days { .. } = self.terms.clock {
            return self.terms.clock.stock_ms().map(|term_ms| BySeat(term_ms, term_ms));
        }
        let earned_ms = |seat| -> Millis {
            undone.iter().filter(|turn| turn.seat == seat).map(|turn| turn.earned_ms).sum()
        };
        let BySeat(one_ms, two_ms) = self.clocks_ms(now)?;
        let less = |left_ms: Millis, seat| {
            left_ms.saturating_sub(earned_ms(seat)).max(left_ms.min(LEFT_AFTER_TAKEBACK_MIN_MS))
        };
        Some(BySeat(less(one_ms, Seat::One), less(two_ms, Seat::Two)))
    }
}

/// The events that these takebacks cancel: for each turn taken back, from the one after the event that gave
/// it to the one before the takeback.
pub fn taken_back<'a>(events: impl IntoIterator<Item = &'a Recorded>) -> Vec<Range<u32>> {
    let taken_back = events.into_iter().filter_map(|recorded| match recorded.event {
        Event::TakenBack { to, .. } => Some(to + 1..recorded.seq),
        _ => None,
    });
    taken_back.collect()
}

impl Game {
    /// The last turn of a seat that counts, with its index in the game.
    fn last_turn(&self, seat: Seat) -> Option<(usize, &PlayedTurn)> {
        let mut turns = self.played.iter().enumerate().rev();
        turns.find(|(_, turn)| turn.seat == seat && turn.turned.is_some())
    }

    /// Goes back to before the turn that event `to` gave. Returns how many turns no longer count; none if
    /// there is no such turn. The event gives the clocks: used time is not given back.
    pub(crate) fn go_back(
        &mut self,
        to: u32,
        position: Position,
        clocks_ms: Option<BySeat<Millis>>,
    ) -> Option<u32> {
        let index = self.played.iter().rposition(|turn| turn.given_by == to)?;
        self.history = History::start(&self.played[0].position);
        for (turn, next) in self.played.iter().zip(&self.played[1..=index]) {
            self.history.record(&next.position, turn.captured);
        }
        let undone = self.played.split_off(index);
        self.throws = undone[0].throws;
        self.position = position;
        self.clocks_ms = clocks_ms;
        self.draw_offer = None;
        let mut count = 0;
        for turn in undone.iter().filter(|turn| turn.turned.is_some()) {
            let turns = self.turns.get_mut(turn.seat);
            *turns = turns.saturating_sub(1);
            count += 1;
        }
        Some(count)
    }
}

impl Append<'_> {
    pub(crate) fn take_back(&mut self, by: PlayerId, turned: u32) -> Result<(), Refusal> {
        let game = self.playing()?;
        let seat = self.acting(by)?;
        if self.state().takeback_seat() != Some(seat) {
            return Err(Refusal::NoTakebacks);
        }
        let (index, turn) = game.last_turn(seat).ok_or(Refusal::NothingToTakeBack)?;
        if let Some(last) = turn.turned.filter(|&last| last != turned) {
            return Err(Refusal::NotLastTurn { given: turned, last });
        }
        if self.state().takebacks >= Match::TAKEBACKS_MAX {
            return Err(Refusal::TooManyTakebacks);
        }
        let undone = game.played[index..].iter().filter(|turn| turn.turned.is_some()).count();
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let event = Event::TakenBack {
            seat,
            side: turn.side,
            to: turn.given_by,
            turn: number(index + 1),
            turns: self.state().turns.saturating_sub(number(undone)),
            dice: turn.dice.clone(),
            position: turn.position.setup(),
            clocks_ms: self.state().clocks_after_takeback_ms(&game.played[index..], self.now()),
        };
        self.emit(event);
        Ok(())
    }
}
