//! Judges commands.

use lusoria_rules::{Incomplete, Step};

use crate::{
    AbortReason, Chance, Clock, Command, Event, Game, GameEnd, Match, MatchEnd, Millis, Phase, Player,
    PlayerId, Recorded, Refusal, Seat, SeatSeed, Seed, Sits, TakenStep, Thought, append::Append,
};

impl Match {
    /// Judges a command and applies its events: one append, or none if the command changes nothing (a credit
    /// of zero).
    ///
    /// The caller calls [`Match::on_deadline`] first. A command after a deadline is refused here, except
    /// while a match without a clock waits for a seed.
    ///
    /// # Errors
    /// The reason of the refusal. The match is unchanged then.
    pub fn apply(
        &mut self,
        command: &Command,
        now: Millis,
        chance: &mut dyn Chance,
    ) -> Result<Vec<Recorded>, Refusal> {
        let mut append = Append::to(self, now, chance);
        append.judge(command)?;
        Ok(append.into_events())
    }

    /// Checks that a command comes from a player of the match, or, to abort it, from the guest who created
    /// the match and lets the computer play in their place.
    ///
    /// # Errors
    /// [`Refusal::NotAPlayer`].
    pub fn may_ask(&self, command: &Command) -> Result<(), Refusal> {
        let Some(by) = command.by() else { return Ok(()) };
        let made_it = || self.made_by().is_some_and(|maker| maker.id == by);
        match (self.sits(by), command) {
            (Sits::At(_) | Sits::InBoth, _) => Ok(()),
            (Sits::Nowhere, Command::Abort { .. }) if made_it() => Ok(()),
            (Sits::Nowhere, _) => Err(Refusal::NotAPlayer),
        }
    }
}

impl Append<'_> {
    fn judge(&mut self, command: &Command) -> Result<(), Refusal> {
        self.state().may_ask(command)?;
        if let Command::Turn { by, answers, .. } = *command {
            self.refuse_if_answered(by, answers)?;
        }
        if let Command::Credit { from, until } = *command {
            self.credit(from, until);
            return Ok(());
        }
        self.refuse_if_late()?;
        match *command {
            Command::Join { ref player, ref seed } => self.join(player.clone(), seed.clone()),
            Command::RevealSeed { by, ref seed } => self.reveal_seed(by, seed.clone()),
            Command::Turn { by, answers, ref steps, thought, lag_ms } => {
                self.play_turn(by, answers, steps, thought, lag_ms)
            }
            Command::Resign { by, whole_match } => self.resign(by, whole_match),
            Command::OfferDraw { by } => self.offer_draw(by),
            Command::AnswerDraw { by, accept } => self.answer_draw(by, accept),
            Command::TakeBack { by, turned } => self.take_back(by, turned),
            Command::AnswerTakeback { by, turned, accept } => self.answer_takeback(by, turned, accept),
            Command::Abort { by } => self.abort_for(by),
            Command::Claim { by, gone_ms } => self.claim(by, gone_ms),
            Command::OfferRematch { by, seed_hash } => self.offer_rematch(by, seed_hash),
            Command::DeclineRematch { by } => self.decline_rematch(by),
            Command::AcceptRematch { by, next } => self.accept_rematch(by, next),
            Command::End => self.end(),
            Command::Unrate { reason } => self.unrate(reason),
            Command::Credit { .. } => Ok(()),
        }
    }

    /// The seat for which a player acts: their own; if they hold both, the one to play.
    pub(crate) fn acting(&self, by: PlayerId) -> Result<Seat, Refusal> {
        match self.state().sits(by) {
            Sits::Nowhere => Err(Refusal::NotAPlayer),
            Sits::At(seat) => Ok(seat),
            Sits::InBoth => Ok(self.state().to_play().map_or(Seat::One, |to_play| to_play.seat)),
        }
    }

    /// The game, if one is being played.
    pub(crate) fn playing(&self) -> Result<&Game, Refusal> {
        match (self.state().phase(), self.state().game()) {
            (Phase::Ended(_), _) => Err(Refusal::Over),
            (Phase::Playing, Some(game)) if game.result.is_none() => Ok(game),
            (Phase::AwaitingSeeds(_), _) => Err(Refusal::NotPlaying { waiting_for_seed: true }),
            (Phase::Open | Phase::Playing, _) => Err(Refusal::NotPlaying { waiting_for_seed: false }),
        }
    }

    fn join(&mut self, player: Player, seed: Option<Seed>) -> Result<(), Refusal> {
        match self.state().phase() {
            Phase::Ended(_) => return Err(Refusal::Over),
            Phase::AwaitingSeeds(_) | Phase::Playing => return Err(Refusal::Full),
            Phase::Open if self.state().sits(player.id) != Sits::Nowhere => return Err(Refusal::OwnMatch),
            Phase::Open => {}
        }
        let seed = seed.map_or_else(|| SeatSeed::Drawn(self.chance().seed()), SeatSeed::Brought);
        self.emit(Event::Joined { player, seed });
        self.start_if_ready();
        Ok(())
    }

    fn reveal_seed(&mut self, by: PlayerId, seed: Seed) -> Result<(), Refusal> {
        match self.state().phase() {
            Phase::Ended(_) => return Err(Refusal::Over),
            // The joiner must bring their seed before they can know this one.
            Phase::Open => return Err(Refusal::NotPlaying { waiting_for_seed: false }),
            Phase::AwaitingSeeds(_) | Phase::Playing => {}
        }
        let hash = self.chance().seed_hash(&seed);
        let sits = |seat| self.state().player(seat).is_some_and(|player| player.id == by);
        let mut pending = self.state().unrevealed().filter(|&seat| sits(seat)).peekable();
        if pending.peek().is_none() {
            return Err(Refusal::NoSeedToReveal);
        }
        let fits = |seat: &Seat| self.state().seed(*seat) == Some(&SeatSeed::Hash(hash));
        let seat = pending.find(fits).ok_or(Refusal::SeedMismatch)?;
        drop(pending);
        self.emit(Event::SeedRevealed { seat, seed });
        self.start_if_ready();
        Ok(())
    }

    /// Distinguishes a repeated turn from a late or early one.
    fn refuse_if_answered(&self, by: PlayerId, given: u32) -> Result<(), Refusal> {
        let own = |seat| self.state().player(seat).is_some_and(|player| player.id == by);
        let answered = self.state().answered.iter().rev().find(|answered| answered.given == given);
        match answered {
            Some(answered) if own(answered.seat) => {
                Err(Refusal::AlreadyAnswered { given, turned: answered.turned })
            }
            Some(_) | None => Ok(()),
        }
    }

    fn play_turn(
        &mut self,
        by: PlayerId,
        given: u32,
        steps: &[Step],
        thought: Option<Thought>,
        lag_ms: Millis,
    ) -> Result<(), Refusal> {
        let game = self.playing()?;
        let to_play = game.to_play.clone().ok_or(Refusal::NotPlaying { waiting_for_seed: false })?;
        if self.acting(by)? != to_play.seat {
            return Err(Refusal::NotYourTurn { game: self.state().terms.variant.game(), side: to_play.side });
        }
        if given != to_play.given_by {
            return Err(Refusal::WrongSeq { given, expected: to_play.given_by });
        }
        let mut turn = self.state().turn().expect("a turn was given with the game's number of dice");
        let mut taken = Vec::with_capacity(steps.len());
        for (index, step) in steps.iter().enumerate() {
            let played = turn.play(step).map_err(|why| Refusal::Illegal { index, why })?;
            taken.push(TakenStep::new(step.clone(), played));
        }
        let end = turn.end(&game.history).map_err(|incomplete| match incomplete {
            Incomplete::Dice { left } => Refusal::Incomplete { left },
            Incomplete::Move => Refusal::Incomplete { left: 1 },
        })?;
        let lag_ms = self.state().lag_credit_ms(lag_ms, self.now());
        let turned = Event::Turned {
            seat: to_play.seat,
            side: to_play.side,
            answers: given,
            steps: taken,
            position: end.position.setup(),
            call: end.call,
            clocks_ms: self.state().clocks_after_turn_ms(self.now(), lag_ms.unwrap_or(0)),
            lag_ms,
            thought: thought.filter(|_| self.state().is_computer(to_play.seat)),
        };
        self.emit_to(turned, Some(end.position));
        match end.outcome {
            Some(outcome) => self.end_by_rules(outcome),
            None => self.give_turn(),
        }
        Ok(())
    }

    fn resign(&mut self, by: PlayerId, whole_match: bool) -> Result<(), Refusal> {
        self.playing()?;
        let seat = self.acting(by)?;
        // In the last game of a pair nothing else is left to give up.
        let is_last_of_pair = self.state().terms.length.is_pair() && self.game().number > 1;
        if whole_match && !is_last_of_pair {
            let (winner, points) = (seat.other(), self.loss_points(seat));
            self.end_game_and_match(Some(winner), points, GameEnd::Resigned, MatchEnd::Won(winner));
        } else {
            self.lose_game(seat, GameEnd::Resigned);
        }
        Ok(())
    }

    fn offer_draw(&mut self, by: PlayerId) -> Result<(), Refusal> {
        let game = self.playing()?;
        let seat = self.acting(by)?;
        match game.draw_offer {
            // Both have offered: they agree.
            Some(offerer) if offerer != seat => self.end_game(None, 0, GameEnd::Agreed),
            Some(_) => return Err(Refusal::AlreadyOffered),
            None if *game.has_offered.get(seat) => return Err(Refusal::AlreadyOffered),
            None => self.emit(Event::DrawOffered { seat }),
        }
        Ok(())
    }

    fn answer_draw(&mut self, by: PlayerId, accept: bool) -> Result<(), Refusal> {
        let offerer = self.playing()?.draw_offer.ok_or(Refusal::NoOffer)?;
        let seat = offerer.other();
        if self.state().sits(by) == Sits::At(offerer) {
            return Err(Refusal::NoOffer);
        }
        if accept {
            self.end_game(None, 0, GameEnd::Agreed);
        } else {
            self.emit(Event::DrawDeclined { seat });
        }
        Ok(())
    }

    fn abort_for(&mut self, by: PlayerId) -> Result<(), Refusal> {
        match (self.state().phase(), self.state().sits(by)) {
            (Phase::Ended(_), _) => return Err(Refusal::Over),
            // Without a seat, only the guest who created the match may abort it.
            (Phase::Open, _) | (_, Sits::Nowhere) => self.abort(AbortReason::Withdrawn),
            (Phase::Playing, _) if self.state().under_way() => return Err(Refusal::TooLateToAbort),
            (Phase::AwaitingSeeds(_) | Phase::Playing, _) => {
                let seat = self.acting(by)?;
                self.abort(AbortReason::Player(seat));
            }
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), Refusal> {
        match self.state().phase() {
            Phase::Ended(_) => Err(Refusal::Over),
            Phase::Open | Phase::AwaitingSeeds(_) | Phase::Playing => {
                self.abort(AbortReason::Operator);
                Ok(())
            }
        }
    }

    fn claim(&mut self, by: PlayerId, gone_ms: Millis) -> Result<(), Refusal> {
        let game = self.playing()?;
        match self.state().terms.clock {
            Clock::None {} => {}
            Clock::Fischer { .. } | Clock::Delay { .. } | Clock::Days { .. } => {
                return Err(Refusal::HasClock);
            }
        }
        let seat = self.acting(by)?;
        if game.to_play.as_ref().is_none_or(|to_play| to_play.seat == seat) {
            return Err(Refusal::OwnTurn);
        }
        // A player need not be present while it is not their turn.
        let waited_ms = self.state().term.map_or(0, |term| term.elapsed(self.now()));
        let (gone_ms, needed_ms) = (gone_ms.min(waited_ms), Clock::CLAIM_AFTER_MS);
        if gone_ms < needed_ms {
            return Err(Refusal::NotGone { gone_ms, needed_ms });
        }
        if self.state().under_way() {
            self.lose_game(seat.other(), GameEnd::Claimed);
        } else {
            self.abort(AbortReason::NoShow(seat.other()));
        }
        Ok(())
    }
}
