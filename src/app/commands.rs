//! Submits commands to a match and turns their outcome into responses.

use lusoria_play::{Command, MatchId};
use lusoria_protocol::{Answer, IdempotencyKey, Problem};
use serde::Serialize;

use super::{App, Caller, keys::Keyed, problem, wire};
use crate::live::{CommandError, MatchRequest, Outcome};
use lusoria_store::{StoreError, UsedKey};

/// The most events that one append can have: a turn, the end of a game, the start of the
/// next one with its opening throws, and passes until a side can play.
const APPEND_MAX: u32 = 1_000;

impl App {
    /// Submits a command to a match, under an idempotency key if there is one.
    pub(super) async fn command(
        &self,
        caller: &Caller,
        id: MatchId,
        (operation, request): (&str, &impl Serialize),
        key: Option<&IdempotencyKey>,
        command: Command,
    ) -> Result<Answer, Problem> {
        let keyed = self.keyed(caller, key, operation, Some(id), request);
        let request = MatchRequest::Command { command, key: keyed.key(), spends: None };
        let outcome = self.run_once(caller, id, &keyed, request).await?;
        Ok(response(&outcome))
    }

    /// Runs a request to a match once, however often it comes under the same key.
    pub(super) async fn run_once(
        &self,
        caller: &Caller,
        id: MatchId,
        keyed: &Keyed,
        request: MatchRequest,
    ) -> Result<Outcome, Problem> {
        let running = self.run_unless_repeated(caller, id, keyed, request);
        match keyed.request() {
            Some(key) => self.commands.run(key, running).await,
            None => running.await,
        }
    }

    async fn run_unless_repeated(
        &self,
        caller: &Caller,
        id: MatchId,
        keyed: &Keyed,
        request: MatchRequest,
    ) -> Result<Outcome, Problem> {
        if let Some(outcome) = self.earlier_outcome(keyed).await? {
            self.note_presence(&outcome.state, Some(caller));
            return Ok(outcome);
        }
        match self.submit(caller, id, request).await {
            Ok(outcome) => Ok(outcome),
            // Of two repeats at once the other may have been first, so that this one finds its
            // key used, or its work done.
            Err(error) => match (self.earlier_outcome(keyed).await, error) {
                (Ok(Some(outcome)), _) => Ok(outcome),
                // It stays unknown: the error of the look-up would say that nothing has changed.
                (_, error @ CommandError::Store(StoreError::Unknown(_))) => Err(problem::command(error)),
                (Err(problem), _) => Err(problem),
                (Ok(None), CommandError::KeyUsed) => Err(problem::unavailable()),
                (Ok(None), CommandError::GuestGone(gone)) => Err(self.gone(caller, gone).await),
                (Ok(None), error) => Err(problem::command(error)),
            },
        }
    }

    /// The outcome of an earlier request under the same key.
    async fn earlier_outcome(&self, keyed: &Keyed) -> Result<Option<Outcome>, Problem> {
        match self.used_before(keyed).await? {
            Some(used) => self.outcome_of_key(&used).await.map(Some),
            None => Ok(None),
        }
    }

    /// Submits a request of a player to a match, and notes that the player is present.
    pub(super) async fn submit(
        &self,
        caller: &Caller,
        id: MatchId,
        request: MatchRequest,
    ) -> Result<Outcome, CommandError> {
        let room = self.live.room(id).await?;
        let outcome = match caller.arrived() {
            Some(arrived) => self.live.command_arrived(id, request, arrived).await,
            None => self.live.command(id, request).await,
        };
        // Afterwards, because the request may have made the caller a player.
        self.note_presence(&room.state(), Some(caller));
        outcome
    }

    /// The outcome of the request that used a key.
    pub(super) async fn outcome_of_key(&self, used: &UsedKey) -> Result<Outcome, Problem> {
        let state = self.state(used.id).await?;
        let events = self.append_at(used.id, used.first).await?;
        let next = wire::rematch_made(&events);
        Ok(Outcome { state, events, next })
    }

    /// The events of the append that begins with `first`.
    pub(super) async fn append_at(
        &self,
        id: MatchId,
        first: u32,
    ) -> Result<Vec<lusoria_play::Recorded>, Problem> {
        let after = self.store().events(id, first - 1, APPEND_MAX).await.map_err(problem::store)?;
        Ok(after.into_iter().take_while(|recorded| recorded.first == first).collect())
    }

    /// The last committed state of a match.
    pub(super) async fn state(&self, id: MatchId) -> Result<std::sync::Arc<lusoria_play::Match>, Problem> {
        self.live.state(id).await.map_err(problem::command)
    }
}

/// The response to a command: the events of its append.
pub(super) fn response(outcome: &Outcome) -> Answer {
    Answer {
        id: wire::match_id(outcome.state.id()),
        head: outcome.events.last().map_or(outcome.state.head(), |last| last.seq),
        events: outcome.events.iter().map(|recorded| wire::event(&outcome.state, recorded)).collect(),
    }
}
