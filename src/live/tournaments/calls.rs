//! Tells players that a tournament needs them, or has ended.

use std::sync::Arc;

use lusoria_play::{MatchId, Millis, PlayerId, TournamentId};
use lusoria_store::{NamedPlayer, StoreError};
use lusoria_tournament::{Event, PairingNo, Recorded, ToMake, Tournament};

use super::kept::CommittedTournament;
use crate::live::{Notice, PushMatter, context::Context};

/// A call to a player.
#[derive(Debug, Clone)]
pub struct TournamentCall {
    /// The tournament.
    pub tournament: TournamentId,
    /// Its name.
    pub name: String,
    /// The round.
    pub round: u16,
    /// The opponent.
    pub opponent: NamedPlayer,
    /// The match, once it is made.
    pub match_id: Option<MatchId>,
    /// Until when the pairing waits for both.
    pub until: Option<Millis>,
}

/// Tells players what these events mean for them, and followers that there are some.
pub(super) fn tell(context: &Arc<Context>, known: &Arc<CommittedTournament>, events: &[Recorded]) {
    let mut called = Vec::new();
    let mut has_ended = false;
    for recorded in events {
        match &recorded.event {
            Event::RoundPaired { pairings, .. } => {
                called.extend(pairings.iter().map(|paired| paired.pairing));
            }
            Event::Again { pairing, .. } => called.push(*pairing),
            Event::Ended { .. } => has_ended = true,
            _ => {}
        }
    }
    // Those that wait for nobody get their match at once, and hear of that.
    called.retain(|&pairing| waits_until(&known.state, pairing).is_some());
    if called.is_empty() && !has_ended {
        return;
    }
    let (context, known) = (Arc::clone(context), Arc::clone(known));
    let tasks = context.tasks.clone();
    tasks.spawn(async move {
        if has_ended {
            tell_end(&context, &known.state);
        }
        if let Err(error) = call(&context, &known.state, &called, None).await {
            tracing::warn!(%error, "could not call the players of a round");
        }
    });
}

fn waits_until(state: &Tournament, pairing: PairingNo) -> Option<Millis> {
    state.pairing(pairing).filter(|pairing| pairing.is_open()).and_then(|pairing| pairing.waits_until)
}

/// Tells both players that their match was made.
pub(super) fn tell_seated(context: &Arc<Context>, known: &Arc<CommittedTournament>, of: &ToMake) {
    let (context, known, pairing, id) = (Arc::clone(context), Arc::clone(known), of.pairing, of.id);
    let tasks = context.tasks.clone();
    tasks.spawn(async move {
        if let Err(error) = call(&context, &known.state, &[pairing], Some(id)).await {
            tracing::warn!(%error, "could not tell the players of a pairing that their match was made");
        }
    });
}

async fn call(
    context: &Context,
    state: &Tournament,
    pairings: &[PairingNo],
    match_id: Option<MatchId>,
) -> Result<(), StoreError> {
    let player = |entrant| state.entrant(entrant).map(|state| state.player);
    let both = |pairing: &PairingNo| {
        let pairing = state.pairing(*pairing)?;
        Some((pairing, player(pairing.first)?, player(pairing.second)?))
    };
    let pairings: Vec<_> = pairings.iter().filter_map(both).collect();
    let ids: Vec<PlayerId> = pairings.iter().flat_map(|(_, first, second)| [*first, *second]).collect();
    let names = context.store.named_players(ids).await?;
    let who = |id: PlayerId| names.iter().find(|named| named.player.id == id).cloned();
    for (pairing, first, second) in pairings {
        for (player, opponent) in [(first, second), (second, first)] {
            let Some(opponent) = who(opponent) else { continue };
            let call = TournamentCall {
                tournament: state.id(),
                name: state.settings().name.clone(),
                round: pairing.round,
                opponent,
                match_id,
                until: pairing.waits_until.filter(|_| match_id.is_none()),
            };
            context.tell_player(player, || Notice::TournamentCall(Box::new(call)));
            context
                .push_inbox
                .mark(player, PushMatter::TournamentCall { id: state.id(), pairing: pairing.pairing.0 });
        }
    }
    Ok(())
}

fn tell_end(context: &Context, state: &Tournament) {
    for entrant in state.entrants().iter().filter(|entrant| !entrant.is_gone()) {
        let (id, name) = (state.id(), state.settings().name.clone());
        context.tell_player(entrant.player, || Notice::TournamentEnded { id, name });
        context.push_inbox.mark(entrant.player, PushMatter::TournamentEnded(id));
    }
}
