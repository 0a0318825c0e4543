//! The computer as a player. It hears which matches wait for it ([`crate::live::Bell`]; after
//! a start, and whenever too many wait, from the store), thinks aside on a few threads of the
//! lowest priority, and plays by the same commands as everybody else.
//!
//! The more turns wait, and the less time is on their clocks, the less it looks at for each
//! (`queue`, `budget`); how much is recorded with the turn. Nothing is lost by losing this
//! room: a match says itself what it waits for (`duty`).

mod budget;
mod duty;
mod mind;
mod queue;

use std::{sync::Arc, time::Duration};

use lusoria_play::{Command, Match, MatchId, Millis, Refusal};
use tokio_util::task::TaskTracker;

use crate::{
    app::Aside,
    live::{CommandError, Do, Live, Rung},
    store::{MatchFilter, MatchState, StoreError},
};
use budget::Pace;
use duty::{Duty, What};
use mind::{Thinker, Thinking, anything, is_content_with_draw};
use queue::{Next, Queue, Task};

pub use mind::{Mind, Question, Search};

/// How soon something is tried again that failed, in milliseconds.
const RETRY_MS: Millis = 1_000;

/// How many matches are read from the store at once.
const PAGE: u32 = 100;

/// For how long after the end of a match an offer to play again is answered that came while
/// the server was not running.
const ENDED_LATELY_MS: Millis = 10 * 60_000;

/// The computer, at all its levels.
pub struct Bots {
    live: Arc<Live>,
    thinker: Thinker,
    queue: Queue,
}

/// Lets the computer play, `hands` turns at a time, until the live matches stop. What it does
/// runs in `tasks`.
pub fn start(live: &Arc<Live>, mind: Arc<dyn Mind>, aside: Arc<Aside>, hands: usize, tasks: &TaskTracker) {
    let thinker = Thinker { mind, aside, pace: Pace::default() };
    let bots = Arc::new(Bots { live: Arc::clone(live), thinker, queue: Queue::new(hands) });
    for _ in 0..hands {
        let bots = Arc::clone(&bots);
        tasks.spawn(async move { bots.until_stopped(bots.work()).await });
    }
    tasks.spawn(async move { bots.until_stopped(bots.listen()).await });
}

impl Bots {
    async fn until_stopped(&self, what: impl Future<Output = ()>) {
        tokio::select! {
            biased;
            () = self.live.stopping().cancelled() => {}
            () = what => {}
        }
    }

    /// Puts into the queue whatever comes to wait for the computer.
    async fn listen(&self) {
        loop {
            let (ready, wait) = self.queue.take_later(self.live.now());
            for id in ready {
                self.look_at(id).await;
            }
            let put_off = async {
                match wait {
                    Some(wait) => tokio::time::sleep(wait).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                Rung { matches, more } = self.live.bell().heard() => {
                    for id in matches {
                        self.look_at(id).await;
                    }
                    if more {
                        self.look_into_store().await;
                    }
                }
                () = self.queue.until_put_off() => {}
                () = put_off => {}
            }
        }
    }

    /// Sees whether a match waits for the computer.
    async fn look_at(&self, id: MatchId) {
        let state = match self.live.state(id).await {
            Ok(state) => state,
            Err(error) => return self.try_later(id, &error),
        };
        let now = self.live.now();
        match Duty::of(&state) {
            None => self.queue.remove(id),
            Some(duty) if duty.not_before(&state, now) > now => {
                self.queue.put_off(id, duty.not_before(&state, now));
            }
            Some(duty) => self.queue.push(id, now + duty.patience_ms(&state, now)),
        }
    }

    /// Looks for what waits: after a start, and when there was no room for all of it.
    async fn look_into_store(&self) {
        for level in lusoria_play::Level::ALL {
            if let Err(error) = self.look_for(level.player_id()).await {
                tracing::warn!(%error, "could not look up what waits for the computer");
                tokio::time::sleep(Duration::from_millis(RETRY_MS)).await;
                return self.live.bell().ring_for_more();
            }
        }
    }

    async fn look_for(&self, player: lusoria_play::PlayerId) -> Result<(), StoreError> {
        let matches = |state| MatchFilter::Of { player, state: Some(state) };
        let mut after = None;
        loop {
            let page = self.live.store().list(matches(MatchState::Live), after, PAGE).await?;
            for row in page.rows.iter().filter(|row| row.summary.waits_for == Some(player)) {
                self.look_at(row.id).await;
            }
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        let since = self.live.now().saturating_sub(ENDED_LATELY_MS);
        let ended = self.live.store().list(matches(MatchState::Finished), None, PAGE).await?;
        for row in ended.rows.iter().filter(|row| row.updated_at >= since) {
            self.look_at(row.id).await;
        }
        Ok(())
    }

    /// Does what waits, one thing after the other.
    async fn work(&self) {
        loop {
            let Task { id, share_ms } = self.queue.next(|| self.live.now()).await;
            if let Err(error) = self.serve(id, share_ms).await {
                self.try_later(id, &error);
            }
            match self.queue.done(id) {
                Next::Nothing => {}
                Next::LookAgain => self.live.bell().ring(id),
                Next::LookForMore => {
                    self.live.bell().ring(id);
                    self.live.bell().ring_for_more();
                }
            }
        }
    }

    /// What could not be done is tried again, unless the match has moved on.
    fn try_later(&self, id: MatchId, error: &CommandError) {
        match error {
            CommandError::QueueFull | CommandError::Store(_) => {
                tracing::warn!(id = %id.0, %error, "the computer tries again");
                self.queue.put_off(id, self.live.now() + RETRY_MS);
            }
            CommandError::Refused(_) | CommandError::Stopping | CommandError::NoSuchMatch => {
                tracing::debug!(id = %id.0, %error, "the match has moved on");
            }
            CommandError::Terms(_) | CommandError::KeyUsed | CommandError::InvitationGone => {
                tracing::error!(id = %id.0, %error, "what the computer never asks for was refused");
            }
        }
    }

    async fn serve(&self, id: MatchId, share_ms: f64) -> Result<(), CommandError> {
        let state = self.live.state(id).await?;
        let Some(duty) = Duty::of(&state) else { return Ok(()) };
        let by = duty.player();
        match duty.what {
            What::Turn => self.play(&state, duty, share_ms).await,
            What::AnswerDraw => {
                let accept = match Question::of(&state, duty.level, self.seed()) {
                    Some(question) => {
                        let stakes = question.stakes;
                        let value = self.thinker.appraise(&state, duty.seat, question).await;
                        value.is_some_and(|value| is_content_with_draw(stakes, &value))
                    }
                    None => false,
                };
                self.ask(id, Command::AnswerDraw { by, accept }).await
            }
            What::OfferRematch => self.ask(id, Command::OfferRematch { by, seed_hash: None }).await,
            What::AcceptRematch => {
                self.live.command(id, Do::AcceptRematch { by, seed: None, key: None }).await?;
                Ok(())
            }
        }
    }

    /// Thinks and plays. A draw that has been offered meanwhile is accepted if the turn
    /// promises no more; playing on declines it.
    async fn play(&self, state: &Match, duty: Duty, share_ms: f64) -> Result<(), CommandError> {
        let (id, by) = (state.id(), duty.player());
        let (Some(to_play), Some(question)) = (state.to_play(), Question::of(state, duty.level, self.seed()))
        else {
            return Ok(());
        };
        let answers = to_play.given_by;
        let Thinking { steps, thought, value } = self.thinker.think(question.clone(), share_ms).await;
        let offered = self.live.state(id).await?.draw_offer() == Some(duty.seat.other());
        if offered && value.is_some_and(|value| is_content_with_draw(question.stakes, &value)) {
            return self.ask(id, Command::AnswerDraw { by, accept: true }).await;
        }
        let turn = |steps, thought| Command::Turn { by, answers, steps, thought: Some(thought) };
        let played = match self.ask(id, turn(steps, thought)).await {
            Err(CommandError::Refused(why @ (Refusal::Illegal { .. } | Refusal::Incomplete { .. }))) => {
                tracing::error!(id = %id.0, answers, %why, "the computer thought of a turn that is not legal");
                let Thinking { steps, thought, .. } = anything(&question);
                self.ask(id, turn(steps, thought)).await
            }
            played => played,
        };
        if played.is_ok() {
            let level = duty.level.number().to_string();
            metrics::counter!("lusoria_computer_turns_total", "level" => level).increment(1);
        }
        played
    }

    async fn ask(&self, id: MatchId, command: Command) -> Result<(), CommandError> {
        self.live.command(id, Do::Command { command, key: None, spends: None }).await?;
        Ok(())
    }

    fn seed(&self) -> u64 {
        let bytes = self.live.entropy().bytes32();
        u64::from_le_bytes(*bytes.first_chunk().expect("eight of thirty-two bytes"))
    }
}
