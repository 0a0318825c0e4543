//! Works on queued matches.

use lusoria_play::{Command, Game, Match, MatchId, Refusal};
use lusoria_search::Value;

use super::{
    Bots,
    draw::agrees_to_draw,
    duty::{Duty, DutyKind},
    error::{ComputerError, caught},
    mind::{ThinkRequest, Thinking},
    queue::{SHARE_MIN_MS, Task, millis_f64},
};
use crate::live::{CommandError, MatchRequest};

impl Bots {
    /// Works on one match after the other.
    pub(super) async fn work(&self) {
        loop {
            let Task { id, share_ms } = self.queue.next(|| self.live.now()).await;
            let mut duty = None;
            match caught(self.serve(id, share_ms, &mut duty)).await {
                Ok(()) => self.queue.forgive(id),
                Err(error) => self.try_later(id, duty, &error),
            }
            if self.queue.done(id) {
                self.live.computer_inbox().mark(id);
            }
            if self.queue.has_room_again() {
                self.sweep.notify_one();
            }
        }
    }

    /// Does its duty in a match within `share_ms` milliseconds, if it is time. Stores the duty in `noted`.
    async fn serve(&self, id: MatchId, share_ms: f64, noted: &mut Option<Duty>) -> Result<(), ComputerError> {
        let state = self.live.known_state(id).await?;
        let Some(duty) = Duty::of(&state) else { return Ok(()) };
        *noted = Some(duty);
        let now = self.live.now();
        let when = duty.when(&state, now);
        if when.not_before > now {
            self.queue.defer(id, when.not_before);
            return Ok(());
        }
        // It may have been queued without knowledge of its clock.
        let share_ms = share_ms.min(millis_f64(when.due.saturating_sub(now))).max(SHARE_MIN_MS);
        match self.carry_out(&state, duty, share_ms).await {
            Err(ComputerError::Command(CommandError::Refused(why))) => {
                let has_moved_on = self.live.known_state(id).await?.head() > state.head();
                if has_moved_on { Ok(()) } else { Err(ComputerError::Refused(why)) }
            }
            done => done,
        }
    }

    async fn carry_out(&self, state: &Match, duty: Duty, share_ms: f64) -> Result<(), ComputerError> {
        let (id, by) = (state.id(), duty.player());
        match duty.kind {
            DutyKind::Turn => self.play(state, duty, share_ms).await,
            DutyKind::AnswerDraw => {
                let accept = match (ThinkRequest::of(state, duty.level, self.seed()), state.game()) {
                    (Some(question), Some(game)) => {
                        let stakes = question.turn.stakes;
                        let value = self.thinker.appraise(state, duty.seat, question).await;
                        value.is_some_and(|value| agrees_to_draw(stakes, &value, game.turns))
                    }
                    (None, _) | (_, None) => false,
                };
                self.ask(id, Command::AnswerDraw { by, accept }).await
            }
            DutyKind::OfferRematch => self.ask(id, Command::OfferRematch { by, seed_hash: None }).await,
            DutyKind::AcceptRematch => self.agree_to_rematch(state, duty).await,
        }
    }

    /// Accepts a rematch, unless the computer already plays as many matches against the opponent as it may.
    async fn agree_to_rematch(&self, state: &Match, duty: Duty) -> Result<(), ComputerError> {
        let (id, by) = (state.id(), duty.player());
        let Some(opponent) = state.player(duty.seat.other()) else { return Ok(()) };
        let _agreeing = self.agreeing.lock().await;
        let unfinished = self.live.store().unfinished_with_computer(opponent.id).await?;
        if unfinished >= self.matches_max {
            return self.ask(id, Command::DeclineRematch { by }).await;
        }
        match self.live.request(id, MatchRequest::AcceptRematch { by, seed: None, key: None }).await {
            // The opponent has been blocked or erased since the offer.
            Err(CommandError::GuestGone(_)) => self.ask(id, Command::DeclineRematch { by }).await,
            answered => {
                answered?;
                Ok(())
            }
        }
    }

    /// Thinks and plays. Accepts a draw offered meanwhile if the turn is worth no more; playing on
    /// declines it.
    async fn play(&self, state: &Match, duty: Duty, share_ms: f64) -> Result<(), ComputerError> {
        let (id, by) = (state.id(), duty.player());
        let (Some(to_play), Some(question)) =
            (state.to_play(), ThinkRequest::of(state, duty.level, self.seed()))
        else {
            return Ok(());
        };
        let answers = to_play.given_by;
        let thinking = self.thinker.think(question.clone(), share_ms).await;
        let Thinking { steps, thought, value } = thinking.ok_or(ComputerError::Thoughtless)?;
        let now = self.live.known_state(id).await?;
        // The turn may have been taken back meanwhile.
        let is_given = now.to_play().is_some_and(|to_play| to_play.given_by == answers);
        let offered = now.game().filter(|game| is_given && game.draw_offer == Some(duty.seat.other()));
        let agrees = |value: Value, game: &Game| agrees_to_draw(question.turn.stakes, &value, game.turns);
        if offered.zip(value).is_some_and(|(game, value)| agrees(value, game)) {
            return self.ask(id, Command::AnswerDraw { by, accept: true }).await;
        }
        let turn = |steps, thought| Command::Turn { by, answers, steps, thought: Some(thought), lag_ms: 0 };
        match self.ask(id, turn(steps, thought)).await {
            Err(ComputerError::Command(CommandError::Refused(
                why @ (Refusal::Illegal { .. } | Refusal::Incomplete { .. }),
            ))) => {
                tracing::error!(id = %id.0, answers, %why, "the computer chose an illegal turn");
                let thinking = self.thinker.anything(question).await;
                let Thinking { steps, thought, .. } = thinking.ok_or(ComputerError::Thoughtless)?;
                self.ask(id, turn(steps, thought)).await?;
            }
            played => played?,
        }
        let level = duty.level.number().to_string();
        metrics::counter!("lusoria_computer_turns_total", "level" => level).increment(1);
        Ok(())
    }

    async fn ask(&self, id: MatchId, command: Command) -> Result<(), ComputerError> {
        self.live.request(id, MatchRequest::Command { command, key: None, spends: None }).await?;
        Ok(())
    }

    fn seed(&self) -> u64 {
        let bytes = self.live.entropy().bytes32();
        u64::from_le_bytes(*bytes.first_chunk().expect("eight of thirty-two bytes"))
    }
}
