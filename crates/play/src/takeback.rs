//! Takebacks: a person takes turns back, at once against the computer, or against a person who agrees.
//!
//! A person who takes a turn back has it again with the same dice, and the throws after it come again too:
//! they are computed from their numbers, so a takeback changes nobody's luck. Both players know them, though. Used
//! time stays used, and increments earned by turns that no longer count are removed.

use std::ops::Range;

use lusoria_rules::{Die, History, Position, Side};

use crate::{
    BySeat, Clock, Event, Game, Match, Millis, PlayerId, PlayerKind, Recorded, Refusal, Seat, Sits,
    TakenStep, append::Append,
};

/// A takeback leaves at least this much on a clock that has as much, so that nobody loses a game by it.
const LEFT_AFTER_TAKEBACK_MIN_MS: Millis = 1_000;

/// The most dice of a throw.
const DICE_MAX: usize = 3;

/// An offer to take back one's last turn, which the opponent may accept or decline. It lapses when anybody
/// plays a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakebackOffer {
    /// The seat that offers it.
    pub seat: Seat,
    /// The event in which it played the turn.
    pub turned: u32,
}

/// How turns of a match are taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takebacks {
    /// Not at all.
    Never,
    /// By the person in this seat, who plays against the computer, at once.
    Alone(Seat),
    /// By each of two persons, if the other one agrees.
    Agreed,
}

/// A turn of the game that counts, played or passed. Plain data: each command copies all turns of its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlayedTurn {
    /// The position at its start.
    position: Position,
    /// The time that it added to its player's clock.
    earned_ms: Millis,
    /// The event that gave it.
    given_by: u32,
    /// The number of throws before it.
    throws: u32,
    /// The event in which it was played; none for a pass.
    turned: Option<u32>,
    dice: [Option<Die>; DICE_MAX],
    seat: Seat,
    side: Side,
    /// Whether it captured anything (tafl).
    captured: bool,
}

impl PlayedTurn {
    /// The throw, in the order drawn; empty in a tafl game.
    fn dice(&self) -> Vec<Die> {
        self.dice.iter().flatten().copied().collect()
    }
}

impl Match {
    /// How many turns may be taken back in a match, so that its journal is limited.
    pub const TAKEBACKS_MAX: u32 = 200;

    /// How many turns have been taken back.
    pub const fn takebacks(&self) -> u32 {
        self.takebacks
    }

    /// The event of the turn that this player may take back now, or against a person may offer to take back.
    pub fn may_take_back(&self, player: PlayerId) -> Option<u32> {
        let game = self.game.as_ref().filter(|game| game.to_play.is_some())?;
        let Sits::At(seat) = self.sits(player) else { return None };
        let turned = game.last_turn(seat)?.1.turned.filter(|_| self.takebacks < Self::TAKEBACKS_MAX)?;
        let may = match self.takebacks_of() {
            Takebacks::Never => false,
            Takebacks::Alone(alone) => seat == alone,
            Takebacks::Agreed => game.may_offer_takeback(seat, turned),
        };
        may.then_some(turned)
    }

    /// The open offer to take a turn back.
    pub fn takeback_offer(&self) -> Option<TakebackOffer> {
        self.game.as_ref()?.takeback_offer
    }

    fn takebacks_of(&self) -> Takebacks {
        let kinds = (self.creator.kind, self.joiner.as_ref().map(|joiner| joiner.kind));
        match kinds {
            // In a tournament others pay for it.
            _ if self.terms.rated || self.tournament.is_some() => Takebacks::Never,
            (PlayerKind::Person, Some(PlayerKind::Computer(_))) => Takebacks::Alone(Seat::One),
            (PlayerKind::Computer(_), Some(PlayerKind::Person)) => Takebacks::Alone(Seat::Two),
            (PlayerKind::Person, Some(PlayerKind::Person)) if self.sits(self.creator.id) != Sits::InBoth => {
                Takebacks::Agreed
            }
            (PlayerKind::Person | PlayerKind::Bot | PlayerKind::Computer(_), _) => Takebacks::Never,
        }
    }

    /// Remembers the present turn before it is played in event `turned`, or passes.
    pub(crate) fn remember_turn(&mut self, turned: Option<u32>, steps: &[TakenStep]) {
        if self.takebacks_of() == Takebacks::Never {
            return;
        }
        let clock = self.terms.clock;
        let Some(game) = &mut self.game else { return };
        let Some(to_play) = &game.to_play else { return };
        let mut dice = [None; DICE_MAX];
        for (kept, &die) in dice.iter_mut().zip(&to_play.dice) {
            *kept = Some(die);
        }
        game.played.push(PlayedTurn {
            position: game.position,
            earned_ms: turned.map_or(0, |_| clock.earned_ms(!game.has_played(to_play.seat))),
            given_by: to_play.given_by,
            throws: game.throws,
            turned,
            dice,
            seat: to_play.seat,
            side: to_play.side,
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

    /// Whether the seat may offer to take back its last turn, played in event `turned`: once for each turn,
    /// and while no offer is open.
    fn may_offer_takeback(&self, seat: Seat, turned: u32) -> bool {
        self.takeback_offer.is_none() && *self.asked_back.get(seat) != Some(turned)
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
        self.takeback_offer = None;
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
    /// Takes the player's last turn back against the computer, or offers it to the opponent.
    pub(crate) fn take_back(&mut self, by: PlayerId, turned: u32) -> Result<(), Refusal> {
        let game = self.playing()?;
        let seat = self.acting(by)?;
        let takebacks = self.state().takebacks_of();
        match takebacks {
            Takebacks::Agreed => {}
            Takebacks::Alone(alone) if seat == alone => {}
            Takebacks::Alone(_) | Takebacks::Never => return Err(Refusal::NoTakebacks),
        }
        // To offer what the opponent offers is to accept it.
        if game.takeback_offer == Some(TakebackOffer { seat: seat.other(), turned }) {
            return self.answer_takeback(by, turned, true);
        }
        let (_, turn) = game.last_turn(seat).ok_or(Refusal::NothingToTakeBack)?;
        if let Some(last) = turn.turned.filter(|&last| last != turned) {
            return Err(Refusal::NotLastTurn { given: turned, last });
        }
        if self.state().takebacks >= Match::TAKEBACKS_MAX {
            return Err(Refusal::TooManyTakebacks);
        }
        if takebacks != Takebacks::Agreed {
            self.take_last_turn_back(seat);
        } else if game.may_offer_takeback(seat, turned) {
            self.emit(Event::TakebackOffered { seat, turned });
        } else {
            return Err(Refusal::AlreadyOffered);
        }
        Ok(())
    }

    /// Answers the opponent's offer to take back the turn that they played in event `turned`.
    pub(crate) fn answer_takeback(&mut self, by: PlayerId, turned: u32, accept: bool) -> Result<(), Refusal> {
        let offer = self.playing()?.takeback_offer.filter(|offer| offer.turned == turned);
        let seat = offer.ok_or(Refusal::NoOffer)?.seat;
        if self.acting(by)? == seat {
            return Err(Refusal::NoOffer);
        }
        if accept {
            self.take_last_turn_back(seat);
        } else {
            self.emit(Event::TakebackDeclined { seat: seat.other() });
        }
        Ok(())
    }

    fn take_last_turn_back(&mut self, seat: Seat) {
        let game = self.game();
        let (index, turn) = game.last_turn(seat).expect("only called for a seat that has played a turn");
        let undone = game.played[index..].iter().filter(|turn| turn.turned.is_some()).count();
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let event = Event::TakenBack {
            seat,
            side: turn.side,
            to: turn.given_by,
            turn: number(index + 1),
            turns: self.state().turns.saturating_sub(number(undone)),
            dice: turn.dice(),
            position: turn.position.setup(),
            clocks_ms: self.state().clocks_after_takeback_ms(&game.played[index..], self.now()),
        };
        self.emit(event);
    }
}
