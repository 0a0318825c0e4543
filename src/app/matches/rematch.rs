//! Rematches: offers and their answers. Accepting one creates the match.

use std::sync::Arc;

use lusoria_play::{Command, Match, Sits};
use lusoria_protocol::{Code, OfferAction, Problem, Rematch};

use crate::{
    app::{App, Caller, matches::keys::Keyed},
    live::{MatchRequest, Outcome, Presence, Room},
};

impl App {
    /// Offers a rematch, or answers the opponent's offer.
    pub(in crate::app) async fn rematch(
        &self,
        caller: &Caller,
        room: &Arc<Room>,
        rematch: &Rematch,
        keyed: &Keyed,
    ) -> Result<Outcome, Problem> {
        let by = caller.id();
        let seed_hash = rematch.seed_hash;
        if rematch.action != OfferAction::Decline && self.used_before(keyed).await?.is_none() {
            self.admit_rematch(caller, &room.state()).await?;
        }
        let command = |command| MatchRequest::Command { command, key: keyed.key(), spends: None };
        let accept = || MatchRequest::AcceptRematch { by, seed: seed_hash, key: keyed.key() };
        let request = match rematch.action {
            // Two players who offer at the same time have agreed.
            OfferAction::Offer if is_offered_rematch(caller, &room.state()) => accept(),
            OfferAction::Accept => accept(),
            OfferAction::Offer => command(Command::OfferRematch { by, seed_hash }),
            OfferAction::Decline => command(Command::DeclineRematch { by }),
        };
        match self.run_once(caller, room, keyed, request).await {
            // The opponent's offer came between the check and this one.
            Err(problem)
                if problem.code == Code::RematchOffered && is_offered_rematch(caller, &room.state()) =>
            {
                self.run_once(caller, room, keyed, accept()).await
            }
            outcome => outcome,
        }
    }

    /// Checks that a rematch may be played. One with the computer counts like a new match against it. Others
    /// need that neither player has blocked the other, and rated ones that both have accounts.
    async fn admit_rematch(&self, caller: &Caller, state: &Match) -> Result<(), Problem> {
        match state.sits(caller.id()) {
            Sits::At(seat) if state.is_computer(seat.other()) => self.admit_computer(caller).await,
            Sits::At(seat) => match state.player(seat.other()) {
                Some(opponent) => self.admit_beside(caller, opponent.id, state.terms()).await,
                None => Ok(()),
            },
            Sits::Nowhere | Sits::InBoth => Ok(()),
        }
    }

    /// How long the opponent has been connected to no node, in milliseconds; 0 without an opponent.
    pub(in crate::app) async fn opponent_gone_ms(&self, caller: &Caller, state: &Match) -> u64 {
        let Sits::At(seat) = state.sits(caller.id()) else { return 0 };
        if state.is_computer(seat.other()) {
            return 0;
        }
        match self.live.presence_everywhere(state.id(), seat.other()).await {
            Presence::Connected => 0,
            Presence::Gone { since } => self.live.now().saturating_sub(since.max(state.created_at())),
        }
    }
}

fn is_offered_rematch(caller: &Caller, state: &Match) -> bool {
    let offer = state.rematch().offer_standing();
    offer.is_some_and(|offer| state.sits(caller.id()) == Sits::At(offer.seat.other()))
}
