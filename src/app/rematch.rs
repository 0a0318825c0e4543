//! Rematches: offering one, answering an offer. Accepting makes the match.

use std::sync::Arc;

use lusoria_play::{Command, Match, Seat, Sits};
use lusoria_protocol::{Code, OfferAction, Problem, Rematch};

use super::{App, Caller, keys::Keyed};
use crate::live::{MatchRequest, Outcome, Room};

impl App {
    /// Offers a rematch, or answers the opponent's offer.
    pub(super) async fn rematch(
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
            // Two who offer at the same time have agreed.
            OfferAction::Offer if is_offered_rematch(caller, &room.state()) => accept(),
            OfferAction::Accept => accept(),
            OfferAction::Offer => command(Command::OfferRematch { by, seed_hash }),
            OfferAction::Decline => command(Command::DeclineRematch { by }),
        };
        match self.run_once(caller, room, keyed, request).await {
            // The opponent's offer came between the look and this one.
            Err(problem)
                if problem.code == Code::RematchOffered && is_offered_rematch(caller, &room.state()) =>
            {
                self.run_once(caller, room, keyed, accept()).await
            }
            outcome => outcome,
        }
    }

    /// A rematch with the computer counts like a match that is made against it.
    async fn admit_rematch(&self, caller: &Caller, state: &Match) -> Result<(), Problem> {
        match state.sits(caller.id()) {
            Sits::At(seat) if state.is_computer(seat.other()) => self.admit_computer(caller).await,
            Sits::Nowhere | Sits::At(_) | Sits::InBoth => Ok(()),
        }
    }

    /// For how long the opponent has been gone, in milliseconds; 0 if there is none.
    pub(super) fn opponent_gone_ms(&self, caller: &Caller, state: &Match) -> u64 {
        let gone_ms = |seat: Seat| {
            self.gone_since(state, seat).map_or(0, |since| self.live.now().saturating_sub(since))
        };
        match state.sits(caller.id()) {
            Sits::At(seat) => gone_ms(seat.other()),
            Sits::Nowhere | Sits::InBoth => 0,
        }
    }
}

fn is_offered_rematch(caller: &Caller, state: &Match) -> bool {
    let offer = state.rematch().offer_standing();
    offer.is_some_and(|offer| state.sits(caller.id()) == Sits::At(offer.seat.other()))
}
