//! Commands of players to a match: each becomes a request to the match, and its outcome a response.

use std::sync::Arc;

use bytes::Bytes;
use lusoria_play::{Admission, Command, Match, MatchId};
use lusoria_protocol::{IdempotencyKey, OfferAction, Problem, ResignScope, Takeback, socket::MatchCommand};

use crate::{
    app::{App, Caller, matches::keys::Keyed, problem, wire},
    live::{CommandError, LastRead, MatchRequest, Outcome, Room},
};
use lusoria_store::{StoreError, UsedKey};

/// The most events that one append can have: a turn, the end of a game, the start of the next one with its
/// opening throws, and passes until a side can move.
const APPEND_MAX: u32 = 1_000;

/// The response to a command as JSON: an `Answer`, or a `RematchAnswer` if a rematch was agreed on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandResponse(Bytes);

impl CommandResponse {
    /// The events of the append, as all readers get them, and what clients may rely on after it.
    pub(in crate::app) fn of(Outcome { state, events, next }: &Outcome) -> Self {
        let head = events.last().map_or(state.head(), |last| last.seq);
        let id = state.id();
        let mut json = format!(r#"{{"match":"{id}","head":{head},"events":["#).into_bytes();
        for (n, event) in events.iter().enumerate() {
            if n > 0 {
                json.push(b',');
            }
            json.extend_from_slice(&event.text);
        }
        json.push(b']');
        if let Some(next) = next {
            json.extend_from_slice(format!(r#","next":"{next}""#).as_bytes());
        }
        json.push(b'}');
        Self(json.into())
    }

    /// The response as JSON.
    pub fn into_json(self) -> Bytes {
        self.0
    }
}

impl App {
    /// Carries out a player's command once, however often it is sent: a repeat under the same key, or of the
    /// same turn, gets the same response again.
    ///
    /// # Errors
    /// `no_such_match`; `account_needed` to join a rated one; what the match refuses; `already_answered`,
    /// with what has happened since, if another turn was played.
    pub fn command<'a>(
        &'a self,
        caller: &'a Caller,
        id: MatchId,
        key: Option<&'a IdempotencyKey>,
        command: impl Into<MatchCommand>,
    ) -> impl Future<Output = Result<CommandResponse, Problem>> {
        self.carry_out(caller, id, key, command.into())
    }

    async fn carry_out(
        &self,
        caller: &Caller,
        id: MatchId,
        key: Option<&IdempotencyKey>,
        command: MatchCommand,
    ) -> Result<CommandResponse, Problem> {
        let room = self.live.room(id).await.map_err(problem::command)?;
        let keyed = self.keyed(caller, key, command.name(), Some(id), &command);
        let (by, state) = (caller.id(), room.state());
        let command = match command {
            MatchCommand::Turn(turn) => return self.play_turn(caller, &room, turn).await,
            MatchCommand::Rematch(rematch) => {
                let made = Box::pin(self.rematch(caller, &room, &rematch, &keyed));
                return Ok(CommandResponse::of(&made.await?));
            }
            MatchCommand::Join(_) if state.terms().admission == Admission::Invitation => {
                return Err(problem::by_invitation_only());
            }
            MatchCommand::Join(join) => {
                Box::pin(self.admit_beside_creator(caller, &state)).await?;
                Command::Join { player: caller.player(), seed: join.seed }
            }
            MatchCommand::Seed(reveal) => Command::RevealSeed { by, seed: reveal.seed },
            MatchCommand::Resign(resign) => {
                let whole_match = match resign.scope {
                    ResignScope::Game => false,
                    ResignScope::Match => true,
                };
                Command::Resign { by, whole_match }
            }
            MatchCommand::Takeback(Takeback { seq: turned, action }) => match action {
                OfferAction::Offer => Command::TakeBack { by, turned },
                OfferAction::Accept => Command::AnswerTakeback { by, turned, accept: true },
                OfferAction::Decline => Command::AnswerTakeback { by, turned, accept: false },
            },
            MatchCommand::Abort(_) => Command::Abort { by },
            MatchCommand::Claim(_) => {
                Command::Claim { by, gone_ms: Box::pin(self.opponent_gone_ms(caller, &state)).await }
            }
            MatchCommand::Draw(draw) => match draw.action {
                OfferAction::Offer => Command::OfferDraw { by },
                OfferAction::Accept => Command::AnswerDraw { by, accept: true },
                OfferAction::Decline => Command::AnswerDraw { by, accept: false },
            },
        };
        let request = MatchRequest::Command { command, key: keyed.key(), spends: None };
        // Boxed, like the rare paths above: nearly every command is a turn.
        let done = Box::pin(self.run_once(caller, &room, &keyed, request));
        Ok(CommandResponse::of(&done.await?))
    }

    /// Carries out a request once, however often it is sent under the same key.
    pub(in crate::app) async fn run_once(
        &self,
        caller: &Caller,
        room: &Arc<Room>,
        keyed: &Keyed,
        request: MatchRequest,
    ) -> Result<Outcome, Problem> {
        let running = self.run_unless_repeated(caller, room, keyed, request);
        match keyed.request() {
            Some(key) => self.commands.run(key, running).await,
            None => running.await,
        }
    }

    async fn run_unless_repeated(
        &self,
        caller: &Caller,
        room: &Arc<Room>,
        keyed: &Keyed,
        request: MatchRequest,
    ) -> Result<Outcome, Problem> {
        if let Some(outcome) = self.earlier_outcome(keyed).await? {
            self.note_presence(&outcome.state, Some(caller));
            return Ok(outcome);
        }
        match self.submit(caller, room, request).await {
            Ok(outcome) => Ok(outcome),
            // Of two simultaneous repeats the other may have been first, so that this one finds its key used
            // or its work done.
            Err(error) => match (self.earlier_outcome(keyed).await, error) {
                (Ok(Some(outcome)), _) => Ok(outcome),
                // The outcome stays unknown: the error of the look-up would claim that nothing has changed.
                (_, error @ CommandError::Store(StoreError::Unknown(_))) => Err(problem::command(error)),
                (Err(problem), _) => Err(problem),
                (Ok(None), CommandError::KeyUsed) => Err(problem::unavailable()),
                (Ok(None), CommandError::GuestGone(gone)) => Err(self.gone(caller, gone).await),
                (Ok(None), error) => Err(problem::command(error)),
            },
        }
    }

    /// The outcome of an earlier request under the same key.
    pub(in crate::app) async fn earlier_outcome(&self, keyed: &Keyed) -> Result<Option<Outcome>, Problem> {
        match self.used_before(keyed).await? {
            Some(UsedKey { id, first, .. }) => self.outcome_of(&self.state(id).await?, first).await.map(Some),
            None => Ok(None),
        }
    }

    /// Submits a player's request to a match, and notes that the player is present.
    pub(in crate::app) async fn submit(
        &self,
        caller: &Caller,
        room: &Arc<Room>,
        request: MatchRequest,
    ) -> Result<Outcome, CommandError> {
        let now = || self.live.arrived(&LastRead::default(), Some(room.id()));
        let arrived = caller.arrived().cloned().unwrap_or_else(now);
        let outcome = self.live.submit(room, request, &arrived).await;
        // Afterwards, because the request may have made the caller a player.
        self.note_presence(&room.state(), Some(caller));
        outcome
    }

    /// The outcome of the request whose append began with event `first`.
    pub(in crate::app) async fn outcome_of(
        &self,
        state: &Arc<Match>,
        first: u32,
    ) -> Result<Outcome, Problem> {
        let events = self.append_at(state.id(), first).await?;
        let next = wire::rematch_made(&events);
        Ok(Outcome { events: self.live.rendered(state, &events), state: Arc::clone(state), next })
    }

    /// The events of the append that begins with `first`.
    pub(in crate::app) async fn append_at(
        &self,
        id: MatchId,
        first: u32,
    ) -> Result<Vec<lusoria_play::Recorded>, Problem> {
        let after = self.store().events(id, first - 1, APPEND_MAX).await.map_err(problem::store)?.events;
        Ok(after.into_iter().take_while(|recorded| recorded.first == first).collect())
    }

    /// The last committed state of a match.
    pub(in crate::app) async fn state(&self, id: MatchId) -> Result<Arc<Match>, Problem> {
        self.live.state(id).await.map_err(problem::command)
    }
}
