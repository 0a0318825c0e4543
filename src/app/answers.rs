//! Commands to a match and their answers.

use lusoria_play::{Command, MatchId};
use lusoria_protocol::{Answer, IdempotencyKey, Problem};
use serde::Serialize;

use super::{App, Caller, keys::Keyed, problem, wire};
use crate::live::{Answered, CommandError, Do};
use lusoria_store::{StoreError, UsedKey};

/// The most events that one append can have: a turn, the end of a game, the start of the
/// next one with its opening throws, and passes until a side can play.
const APPEND_MAX: u32 = 1_000;

impl App {
    /// Puts a command to a match, under a key if there is one.
    pub(super) async fn command(
        &self,
        caller: &Caller,
        id: MatchId,
        (operation, request): (&str, &impl Serialize),
        key: Option<&IdempotencyKey>,
        command: Command,
    ) -> Result<Answer, Problem> {
        let keyed = self.keyed(caller, key, operation, Some(id), request);
        let wanted = Do::Command { command, key: keyed.key(), spends: None };
        let answered = self.once(caller, id, &keyed, wanted).await?;
        Ok(answer(&answered))
    }

    /// Does something to a match once, however often it is asked under the same key.
    pub(super) async fn once(
        &self,
        caller: &Caller,
        id: MatchId,
        keyed: &Keyed,
        wanted: Do,
    ) -> Result<Answered, Problem> {
        let doing = self.unless_done(caller, id, keyed, wanted);
        match keyed.request() {
            Some(request) => self.commands.run(request, doing).await,
            None => doing.await,
        }
    }

    async fn unless_done(
        &self,
        caller: &Caller,
        id: MatchId,
        keyed: &Keyed,
        wanted: Do,
    ) -> Result<Answered, Problem> {
        if let Some(answered) = self.answered_before(keyed).await? {
            self.note_presence(&answered.state, Some(caller));
            return Ok(answered);
        }
        match self.put(caller, id, wanted).await {
            Ok(answered) => Ok(answered),
            // Two of the same at once: the other one may have been first, so that this one
            // finds its key used, or what it asks for done.
            Err(error) => match (self.answered_before(keyed).await, error) {
                (Ok(Some(answered)), _) => Ok(answered),
                // It stays unknown: why the look-up failed would say that nothing has changed.
                (_, error @ CommandError::Store(StoreError::Unknown(_))) => Err(problem::command(error)),
                (Err(problem), _) => Err(problem),
                (Ok(None), CommandError::KeyUsed) => Err(problem::unavailable()),
                (Ok(None), CommandError::GuestGone(gone)) => Err(self.gone(caller, gone).await),
                (Ok(None), error) => Err(problem::command(error)),
            },
        }
    }

    /// The answer that a key got before.
    async fn answered_before(&self, keyed: &Keyed) -> Result<Option<Answered>, Problem> {
        match self.used_before(keyed).await? {
            Some(used) => self.first_answer(&used).await.map(Some),
            None => Ok(None),
        }
    }

    /// Puts to a match what one of its players wants, who has been seen thereby.
    pub(super) async fn put(
        &self,
        caller: &Caller,
        id: MatchId,
        wanted: Do,
    ) -> Result<Answered, CommandError> {
        let room = self.live.room(id).await?;
        let outcome = match caller.arrived() {
            Some(arrived) => self.live.command_arrived(id, wanted, arrived).await,
            None => self.live.command(id, wanted).await,
        };
        // Afterwards, since he may have become a player by it.
        self.note_presence(&room.state(), Some(caller));
        outcome
    }

    /// The answer that a used key got.
    pub(super) async fn first_answer(&self, used: &UsedKey) -> Result<Answered, Problem> {
        let state = self.state(used.id).await?;
        let events = self.append_at(used.id, used.first).await?;
        let next = wire::rematch_made(&events);
        Ok(Answered { state, events, next })
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

/// The answer to a command: the events of its append.
pub(super) fn answer(answered: &Answered) -> Answer {
    Answer {
        id: wire::match_id(answered.state.id()),
        head: answered.events.last().map_or(answered.state.head(), |last| last.seq),
        events: answered.events.iter().map(|recorded| wire::event(&answered.state, recorded)).collect(),
    }
}
