//! Commands to the model, and their effects.

use lusoria_play::{
    AbortReason, BySeat, Chance, Clock, Colours, GameEnd, Length, MatchEnd, Millis, Seat, Throw,
};
use lusoria_rules::{Die, Game, History, Outcome, Position, Side, Step};

use super::{Act, Again, Answers, Earlier, Finished, Happening, Judged, Model, Table, Who};
use crate::bench::{MINUTE, seed};

impl Model {
    // --- commands ------------------------------------------------------------

    pub(crate) fn ask(&mut self, act: &Act, now: Millis) -> Judged {
        let who = match act {
            Act::Join(_) => None,
            Act::Credit(from, until) => {
                self.give_credit(*from, (*until).min(now));
                return Ok(());
            }
            Act::Reveal(who, _)
            | Act::Turn(who, ..)
            | Act::Resign(who, _)
            | Act::OfferDraw(who)
            | Act::AnswerDraw(who, _)
            | Act::TakeBack(who, _)
            | Act::AnswerTakeback(who, ..)
            | Act::Abort(who)
            | Act::Claim(who, _)
            | Act::OfferRematch(who)
            | Act::DeclineRematch(who)
            | Act::AcceptRematch(who) => Some(*who),
        };
        let seats = who.map_or(vec![], |who| self.seats(who));
        if who.is_some() && seats.is_empty() {
            return Err("not_a_player");
        }
        if let Act::Turn(_, Answers::AgainLast, ..) = act
            && self.turns.iter().any(|turned| seats.contains(turned))
        {
            return Err("already_answered");
        }
        let awaits_seed = self.joined_at.is_some() && self.unrevealed;
        let late_is_fine = awaits_seed && self.terms.clock == Clock::None {};
        if !late_is_fine && self.deadline().is_some_and(|deadline| now >= deadline) {
            return Err(if self.joined_at.is_some() { "time_over" } else { "match_over" });
        }
        match act {
            Act::Join(who) => self.join(*who, now),
            Act::Reveal(_, right) => self.reveal(&seats, *right, now),
            Act::Turn(_, answers, steps, lag_ms) => self.turn(&seats, *answers, steps, *lag_ms, now),
            Act::Resign(_, whole) => self.resign(&seats, *whole, now),
            Act::OfferDraw(_) => self.offer_draw(&seats, now),
            Act::AnswerDraw(_, accept) => self.answer_draw(&seats, *accept, now),
            Act::TakeBack(_, of) => self.take_back(&seats, *of, now),
            Act::AnswerTakeback(_, of, accept) => self.answer_takeback(&seats, *of, *accept, now),
            Act::Abort(_) => self.abort(&seats),
            Act::Claim(_, gone) => self.claim(&seats, *gone, now),
            Act::OfferRematch(_) => self.offer_rematch(&seats),
            Act::DeclineRematch(_) => self.answer_rematch(&seats, Again::Declined),
            Act::AcceptRematch(_) => self.answer_rematch(&seats, Again::Made),
            Act::Credit(..) => Ok(()),
        }
    }

    pub(crate) fn run_out(&mut self, now: Millis) {
        if self.deadline().is_none_or(|deadline| now < deadline) {
            return;
        }
        let Some(mover) = self.mover() else {
            let reason = if self.joined_at.is_none() {
                AbortReason::Expired
            } else {
                AbortReason::SeedNotRevealed(Seat::One)
            };
            self.end = Some(MatchEnd::Aborted(reason));
            return;
        };
        let first = self.table.as_ref().unwrap().times(mover).is_empty();
        if matches!(self.terms.clock, Clock::None {}) {
            self.break_off(AbortReason::Abandoned);
        } else if first && self.finished.is_empty() {
            self.break_off(AbortReason::NoShow(mover));
        } else {
            self.lose(mover, if first { GameEnd::NoShow } else { GameEnd::Time }, now);
        }
    }

    fn give_credit(&mut self, from: Millis, until: Millis) {
        if self.end.is_none() && until > from {
            self.outages.push((from, until));
        }
    }

    fn playing(&self) -> Result<&Table, &'static str> {
        match (&self.table, self.end) {
            (_, Some(_)) => Err("match_over"),
            (Some(table), None) => Ok(table),
            (None, None) if self.joined_at.is_some() => Err("seed_not_revealed"),
            (None, None) => Err("not_playing"),
        }
    }

    /// The seat for which a player acts who may hold both.
    fn acting(&self, seats: &[Seat]) -> Seat {
        if let (2, Some(mover)) = (seats.len(), self.mover()) { mover } else { seats[0] }
    }

    fn join(&mut self, who: Who, now: Millis) -> Judged {
        if self.end.is_some() {
            return Err("match_over");
        }
        if self.joined_at.is_some() {
            return Err("full");
        }
        if who == Who::Creator {
            return Err("own_match");
        }
        self.sit_down(now);
        Ok(())
    }

    pub(super) fn sit_down(&mut self, now: Millis) {
        self.joined_at = Some(now);
        if !self.unrevealed {
            self.start_game(now);
        }
    }

    fn reveal(&mut self, seats: &[Seat], right: bool, now: Millis) -> Judged {
        if self.end.is_some() {
            return Err("match_over");
        }
        if self.joined_at.is_none() {
            return Err("not_playing");
        }
        if !self.unrevealed || !seats.contains(&Seat::One) {
            return Err("no_seed_to_reveal");
        }
        if !right {
            return Err("seed_mismatch");
        }
        self.unrevealed = false;
        self.start_game(now);
        Ok(())
    }

    fn turn(
        &mut self,
        seats: &[Seat],
        answers: Answers,
        steps: &[Step],
        lag_ms: Millis,
        now: Millis,
    ) -> Judged {
        let table = self.playing()?;
        let mover = table.seat_of(table.position.to_move());
        if !seats.contains(&mover) {
            return Err("not_your_turn");
        }
        if answers != Answers::Right {
            return Err("wrong_seq");
        }
        let mut turn = table.position.turn(&table.dice).unwrap();
        let mut captured = false;
        for step in steps {
            captured |= !turn.play(step).map_err(|_| "illegal_step")?.captures.is_empty();
        }
        let end = turn.end(&table.history).map_err(|_| "turn_incomplete")?;
        let took_ms = self.waited(now);
        let table = self.table.as_mut().unwrap();
        table.earlier.push(Earlier {
            seat: mover,
            at: table.log.len(),
            position: table.position,
            history: table.history.clone(),
            throws: table.throws,
            dice: table.dice.clone(),
        });
        table.log.push(Happening::Turn { seat: mover, took_ms, lag_ms });
        table.history.record(&end.position, captured);
        table.position = end.position;
        self.turns.push(mover);
        match end.outcome {
            Some(outcome) => self.outcome(outcome, now),
            None => self.give_turn(now),
        }
        Ok(())
    }

    fn resign(&mut self, seats: &[Seat], whole: bool, now: Millis) -> Judged {
        self.playing()?;
        let seat = self.acting(seats);
        self.lose_without_next(seat, GameEnd::Resigned);
        let is_last_of_pair = self.terms.length == Length::Pair && self.finished.len() == 2;
        if whole && !is_last_of_pair {
            self.end = Some(MatchEnd::Won(seat.other()));
        } else {
            self.go_on(now);
        }
        Ok(())
    }

    fn offer_draw(&mut self, seats: &[Seat], now: Millis) -> Judged {
        self.playing()?;
        let seat = self.acting(seats);
        if self.standing_offer() == Some(seat.other()) {
            self.finish(None, 0, GameEnd::Agreed);
            self.go_on(now);
        } else if self.may_offer(seat) {
            self.table.as_mut().unwrap().log.push(Happening::Offer(seat));
        } else {
            return Err("already_offered");
        }
        Ok(())
    }

    fn answer_draw(&mut self, seats: &[Seat], accept: bool, now: Millis) -> Judged {
        self.playing()?;
        match self.standing_offer() {
            Some(offerer) if seats.contains(&offerer.other()) => {}
            Some(_) | None => return Err("no_offer"),
        }
        if accept {
            self.finish(None, 0, GameEnd::Agreed);
            self.go_on(now);
        } else {
            self.table.as_mut().unwrap().log.push(Happening::Declined);
        }
        Ok(())
    }

    /// The last turn of a player that counts.
    fn last_turn_of(&self, who: Who) -> Option<usize> {
        let seat = match who {
            Who::Creator => Seat::One,
            Who::Joiner => Seat::Two,
            Who::Stranger => return None,
        };
        self.table.as_ref()?.last_turn(seat)
    }

    fn take_back(&mut self, seats: &[Seat], of: Who, now: Millis) -> Judged {
        let table = self.playing()?;
        let (seat, named) = (self.acting(seats), self.last_turn_of(of));
        if !self.has_takebacks() {
            return Err("no_takebacks");
        }
        if let (Some((offerer, turn)), Some(named)) = (self.standing_takeback(), named)
            && (offerer, turn) == (seat.other(), named)
        {
            self.go_back(turn, now);
            return Ok(());
        }
        let last = table.last_turn(seat).ok_or("nothing_to_take_back")?;
        if named != Some(last) {
            return Err("not_last_turn");
        }
        if self.may_take_back(seat).is_none() {
            return Err("already_offered");
        }
        self.table.as_mut().unwrap().log.push(Happening::AskBack(seat, last));
        Ok(())
    }

    fn answer_takeback(&mut self, seats: &[Seat], of: Who, accept: bool, now: Millis) -> Judged {
        self.playing()?;
        let named = self.last_turn_of(of);
        let turn = match self.standing_takeback() {
            Some((offerer, turn)) if seats.contains(&offerer.other()) && named == Some(turn) => turn,
            Some(_) | None => return Err("no_offer"),
        };
        if accept {
            self.go_back(turn, now);
        } else {
            self.table.as_mut().unwrap().log.push(Happening::BackDeclined);
        }
        Ok(())
    }

    /// Takes back the turn with this index in the log, and all after it.
    fn go_back(&mut self, turn: usize, now: Millis) {
        let clocks_ms = BySeat(
            self.clock_after_takeback(Seat::One, turn, now),
            self.clock_after_takeback(Seat::Two, turn, now),
        );
        let table = self.table.as_mut().unwrap();
        let index = table.earlier.iter().position(|earlier| earlier.at == turn).unwrap();
        let undone = table.earlier.split_off(index);
        self.undone += undone.len();
        self.takebacks += 1;
        let Earlier { position, history, throws, dice, .. } = undone[0].clone();
        (table.position, table.history, table.throws, table.dice) = (position, history, throws, dice);
        table.given_at = now;
        table.log.push(Happening::Back(clocks_ms));
    }

    /// Used time stays used; what the turns since then earned is lost, but not the last second.
    fn clock_after_takeback(&self, seat: Seat, turn: usize, now: Millis) -> Option<Millis> {
        let left_ms = self.clock(seat, now)?;
        match self.terms.clock {
            Clock::None {} | Clock::Days { .. } => self.clock_after_turns(seat),
            Clock::Delay { .. } => Some(left_ms),
            Clock::Fischer { increment_ms, .. } => {
                let table = self.table.as_ref().unwrap();
                let own = |happening: &&Happening| matches!(happening, Happening::Turn { seat: turned, .. } if *turned == seat);
                let first = table.log.iter().position(|happening| own(&happening));
                let undone =
                    table.earlier.iter().filter(|earlier| earlier.seat == seat && earlier.at >= turn);
                let earned = undone.filter(|earlier| Some(earlier.at) != first).count() as u64;
                Some(left_ms.saturating_sub(earned * increment_ms).max(left_ms.min(1_000)))
            }
        }
    }

    fn abort(&mut self, seats: &[Seat]) -> Judged {
        if self.end.is_some() {
            return Err("match_over");
        }
        if self.under_way() {
            return Err("too_late_to_abort");
        }
        let seat = self.acting(seats);
        let reason =
            if self.joined_at.is_some() { AbortReason::Player(seat) } else { AbortReason::Withdrawn };
        self.break_off(reason);
        Ok(())
    }

    fn claim(&mut self, seats: &[Seat], gone: Millis, now: Millis) -> Judged {
        self.playing()?;
        if !matches!(self.terms.clock, Clock::None {}) {
            return Err("has_clock");
        }
        let mover = self.mover().unwrap();
        if seats.contains(&mover) {
            return Err("own_turn");
        }
        if gone < 10 * MINUTE || self.waited(now) < 10 * MINUTE {
            return Err("not_gone");
        }
        if self.under_way() {
            self.lose(mover, GameEnd::Claimed, now);
        } else {
            self.break_off(AbortReason::NoShow(mover));
        }
        Ok(())
    }

    fn ended_by_play(&self) -> Judged {
        match self.end {
            None => Err("match_not_over"),
            Some(MatchEnd::Aborted(_)) => Err("no_rematch"),
            Some(MatchEnd::Won(_) | MatchEnd::Drawn) if self.again.contains(&Again::Made) => {
                Err("rematch_made")
            }
            Some(MatchEnd::Won(_) | MatchEnd::Drawn) => Ok(()),
        }
    }

    fn offer_rematch(&mut self, seats: &[Seat]) -> Judged {
        self.ended_by_play()?;
        let seat = seats[0];
        if self.standing_rematch().is_some() || self.again.contains(&Again::Offered(seat)) {
            return Err("rematch_offered");
        }
        self.again.push(Again::Offered(seat));
        Ok(())
    }

    fn answer_rematch(&mut self, seats: &[Seat], answer: Again) -> Judged {
        self.ended_by_play()?;
        match self.standing_rematch() {
            Some(offerer) if seats.contains(&offerer.other()) => self.again.push(answer),
            Some(_) | None => return Err("no_offer"),
        }
        Ok(())
    }

    // --- effects -------------------------------------------------------------

    fn start_game(&mut self, now: Millis) {
        let variant = self.terms.variant;
        let white = match (self.finished.last(), self.terms.colours) {
            (Some(last), _) if variant.game() == Game::Tablut && self.terms.length != Length::Pair => {
                last.winner.unwrap_or(last.white.other())
            }
            (Some(last), _) => last.white.other(),
            (None, Colours::SeatOne(Side::White)) => Seat::One,
            (None, Colours::SeatOne(Side::Black)) => Seat::Two,
            (None, Colours::Lot) => self.chance.lot(1, (&seed("a"), &seed("b"))),
        };
        let position = Position::start(variant);
        let history = History::start(&position);
        self.table = Some(Table {
            white,
            position,
            history,
            throws: 0,
            dice: vec![],
            given_at: now,
            log: vec![],
            earlier: vec![],
        });
        if variant.game() == Game::Tavla {
            loop {
                let dice = self.throw();
                if dice[0] != dice[1] {
                    let table = self.table.as_mut().unwrap();
                    let first = if dice[0] > dice[1] { Side::White } else { Side::Black };
                    table.position = position.with_to_move(first);
                    table.dice = dice;
                    return;
                }
            }
        }
        self.give_turn(now);
    }

    fn throw(&mut self) -> Vec<Die> {
        let game = u16::try_from(self.finished.len() + 1).unwrap();
        let table = self.table.as_mut().unwrap();
        let throw = Throw { game, index: table.throws, seeds: (&seed("a"), &seed("b")) };
        table.throws += 1;
        self.chance.throw(throw, self.terms.variant.game().dice())
    }

    fn give_turn(&mut self, now: Millis) {
        self.table.as_mut().unwrap().given_at = now;
        if self.terms.variant.game() == Game::Tablut {
            return;
        }
        loop {
            let dice = self.throw();
            let table = self.table.as_mut().unwrap();
            table.dice = dice;
            let turn = table.position.turn(&table.dice).unwrap();
            if !turn.steps().is_empty() {
                return;
            }
            let end = turn.end(&table.history).unwrap();
            table.position = end.position;
            if let Some(outcome) = end.outcome {
                return self.outcome(outcome, now);
            }
        }
    }

    fn outcome(&mut self, outcome: Outcome, now: Millis) {
        let winner = outcome.winner.map(|side| self.table.as_ref().unwrap().seat_of(side));
        self.finish(winner, outcome.points, GameEnd::Rules(outcome.reason));
        self.go_on(now);
    }

    fn lose(&mut self, loser: Seat, reason: GameEnd, now: Millis) {
        self.lose_without_next(loser, reason);
        self.go_on(now);
    }

    fn lose_without_next(&mut self, loser: Seat, reason: GameEnd) {
        let table = self.table.as_ref().unwrap();
        let side = if table.white == loser { Side::White } else { Side::Black };
        // Tavla 7: a player who has borne off nothing loses two points.
        let double = self.terms.variant.game() == Game::Tavla && table.position.off(side) == 0;
        self.finish(Some(loser.other()), if double { 2 } else { 1 }, reason);
    }

    fn finish(&mut self, winner: Option<Seat>, points: u8, reason: GameEnd) {
        let white = self.table.as_ref().unwrap().white;
        let points =
            if self.terms.length == Length::Pair { u16::from(winner.is_some()) } else { points.into() };
        self.finished.push(Finished { white, winner, points, reason });
    }

    fn go_on(&mut self, now: Millis) {
        let BySeat(one, two) = self.score();
        let (points, limit) = match self.terms.length {
            Length::Points(1) => (1, 1),
            Length::Points(points) => (points, 4 * usize::from(points)),
            Length::Pair => (u16::MAX, 2),
        };
        self.end = if one >= points {
            Some(MatchEnd::Won(Seat::One))
        } else if two >= points {
            Some(MatchEnd::Won(Seat::Two))
        } else if self.finished.len() < limit {
            None
        } else if one == two {
            Some(MatchEnd::Drawn)
        } else {
            Some(MatchEnd::Won(if one > two { Seat::One } else { Seat::Two }))
        };
        if self.end.is_none() {
            self.start_game(now);
        }
    }

    fn break_off(&mut self, reason: AbortReason) {
        if self.table.is_some() {
            self.finish(None, 0, GameEnd::Aborted);
        }
        self.end = Some(MatchEnd::Aborted(reason));
    }
}
