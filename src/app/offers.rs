//! Giving up, offering, answering, claiming, playing again.

use lusoria_play::{Command, Match, MatchId, Seat, Sits};
use lusoria_protocol::{
    Abort, Answer, Claim, Code, Draw, IdempotencyKey, OfferAction, Problem, Rematch, RematchAnswer, Resign,
    ResignScope,
};

use super::{App, Caller, commands, wire};
use crate::live::MatchRequest;

impl App {
    /// Gives up the game, or all of the match.
    ///
    /// # Errors
    /// What the match refuses.
    pub async fn resign(
        &self,
        caller: &Caller,
        id: MatchId,
        request: &Resign,
        key: Option<&IdempotencyKey>,
    ) -> Result<Answer, Problem> {
        let whole_match = match request.scope {
            ResignScope::Game => false,
            ResignScope::Match => true,
        };
        let command = Command::Resign { by: caller.id(), whole_match };
        self.command(caller, id, ("resign", request), key, command).await
    }

    /// Ends the match without a result.
    ///
    /// # Errors
    /// What the match refuses.
    pub async fn abort(
        &self,
        caller: &Caller,
        id: MatchId,
        request: &Abort,
        key: Option<&IdempotencyKey>,
    ) -> Result<Answer, Problem> {
        self.command(caller, id, ("abort", request), key, Command::Abort { by: caller.id() }).await
    }

    /// Claims the game because the opponent has gone.
    ///
    /// # Errors
    /// What the match refuses: `not_gone` says how long it still takes.
    pub async fn claim(
        &self,
        caller: &Caller,
        id: MatchId,
        request: &Claim,
        key: Option<&IdempotencyKey>,
    ) -> Result<Answer, Problem> {
        let state = self.state(id).await?;
        let gone_ms = match state.sits(caller.id()) {
            Sits::At(seat) => self.gone_ms(&state, seat.other()),
            Sits::Nowhere | Sits::InBoth => 0,
        };
        self.command(caller, id, ("claim", request), key, Command::Claim { by: caller.id(), gone_ms }).await
    }

    fn gone_ms(&self, state: &Match, seat: Seat) -> u64 {
        self.gone_since(state, seat).map_or(0, |since| self.live.now().saturating_sub(since))
    }

    /// Offers a draw, or answers the opponent's offer.
    ///
    /// # Errors
    /// What the match refuses.
    pub async fn draw(
        &self,
        caller: &Caller,
        id: MatchId,
        request: &Draw,
        key: Option<&IdempotencyKey>,
    ) -> Result<Answer, Problem> {
        let by = caller.id();
        let command = match request.action {
            OfferAction::Offer => Command::OfferDraw { by },
            OfferAction::Accept => Command::AnswerDraw { by, accept: true },
            OfferAction::Decline => Command::AnswerDraw { by, accept: false },
        };
        self.command(caller, id, ("draw", request), key, command).await
    }

    /// Offers to play again, or answers the opponent's offer. Accepting makes the match.
    ///
    /// # Errors
    /// What the match refuses.
    pub async fn rematch(
        &self,
        caller: &Caller,
        id: MatchId,
        request: &Rematch,
        key: Option<&IdempotencyKey>,
    ) -> Result<RematchAnswer, Problem> {
        let by = caller.id();
        let seed_hash = request.seed_hash.as_ref().map(wire::bytes32);
        let keyed = self.keyed(caller, key, "rematch", Some(id), request);
        if request.action != OfferAction::Decline && self.used_before(&keyed).await?.is_none() {
            self.admit_rematch(caller, id).await?;
        }
        // Two who offer at the same time have agreed.
        let action = match request.action {
            OfferAction::Offer if self.is_offered_rematch(caller, id).await? => OfferAction::Accept,
            action => action,
        };
        let request = match action {
            OfferAction::Accept => MatchRequest::AcceptRematch { by, seed: seed_hash, key: keyed.key() },
            OfferAction::Offer => MatchRequest::Command {
                command: Command::OfferRematch { by, seed_hash },
                key: keyed.key(),
                spends: None,
            },
            OfferAction::Decline => MatchRequest::Command {
                command: Command::DeclineRematch { by },
                key: keyed.key(),
                spends: None,
            },
        };
        let outcome = match self.run_once(caller, id, &keyed, request).await {
            // The opponent's offer came between the look and this one.
            Err(problem)
                if problem.code == Code::RematchOffered && self.is_offered_rematch(caller, id).await? =>
            {
                let accept = MatchRequest::AcceptRematch { by, seed: seed_hash, key: keyed.key() };
                self.run_once(caller, id, &keyed, accept).await?
            }
            outcome => outcome?,
        };
        let Answer { id, head, events } = commands::response(&outcome);
        Ok(RematchAnswer { id, head, events, next: outcome.next.map(wire::match_id) })
    }

    /// A rematch with the computer counts like a match that is made against it.
    async fn admit_rematch(&self, caller: &Caller, id: MatchId) -> Result<(), Problem> {
        let state = self.state(id).await?;
        match state.sits(caller.id()) {
            Sits::At(seat) if state.is_computer(seat.other()) => self.admit_computer(caller).await,
            Sits::Nowhere | Sits::At(_) | Sits::InBoth => Ok(()),
        }
    }

    async fn is_offered_rematch(&self, caller: &Caller, id: MatchId) -> Result<bool, Problem> {
        let state = self.state(id).await?;
        let offer = state.rematch().offer_standing();
        Ok(offer.is_some_and(|offer| state.sits(caller.id()) == Sits::At(offer.seat.other())))
    }
}
