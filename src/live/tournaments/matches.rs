//! Makes the matches of pairings, and resigns those of entrants who have left.

use std::sync::Arc;

use futures_util::{StreamExt, future::ready, stream};
use lusoria_play::{Command as MatchCommand, MatchId, Player, PlayerId, SeedBrought};
use lusoria_store::StoreError;
use lusoria_tournament::{Command, ExcludedBy, ToMake, Tournament};

use super::{TournamentError, calls, decide, kept::CommittedTournament};
use crate::live::{
    CommandError, Creation, MatchRequest,
    context::Context,
    creation::{self, Answering},
    loading, submit,
};

/// How many matches of a tournament are made at the same time.
const AT_ONCE: usize = 8;

/// Makes and resigns what a tournament asks for. All of it can be done again. One that fails holds up no other.
pub(super) async fn make_and_resign_matches(
    context: &Arc<Context>,
    known: &Arc<CommittedTournament>,
) -> Result<(), TournamentError> {
    let state = &known.state;
    let resigned = stream::iter(state.matches_to_resign())
        .map(async |(id, player)| resign(context, id, player).await)
        .buffer_unordered(AT_ONCE)
        .fold(Ok(()), |all: Result<(), TournamentError>, one| ready(all.and(one)))
        .await;
    let to_make = state.matches_to_make();
    if to_make.is_empty() {
        return resigned;
    }
    let players = to_make.iter().flat_map(|of| [of.first, of.second]).collect();
    let players: Vec<Player> =
        context.store.named_players(players).await?.into_iter().map(|named| named.player).collect();
    stream::iter(to_make)
        .map(async |of| make(context, known, &of, &players).await)
        .buffer_unordered(AT_ONCE)
        .fold(resigned, |all, one| ready(all.and(one)))
        .await
}

async fn make(
    context: &Arc<Context>,
    known: &Arc<CommittedTournament>,
    of: &ToMake,
    players: &[Player],
) -> Result<(), TournamentError> {
    let state = &known.state;
    let found = |id: PlayerId| players.iter().find(|player| player.id == id).cloned();
    let seats = match (found(of.first), found(of.second)) {
        (Some(first), Some(second)) => Ok((first, second)),
        (None, _) => Err(of.first),
        (_, None) => Err(of.second),
    };
    let (first, second) = match seats {
        Ok(both) => both,
        Err(gone) => return exclude(context, state, gone).await,
    };
    let creation = Creation {
        terms: lusoria_play::Terms { colours: of.colours, ..state.settings().terms(of.length) },
        creator: first,
        made_by: None,
        joiner: Some((second, SeedBrought::Nothing)),
        seed: SeedBrought::Nothing,
        invite: None,
        key: None,
        answers: Some(Answering::Pairing { of: state.id(), id: of.id }),
    };
    match creation::create(Arc::clone(context), creation).await {
        Ok(_) => {
            calls::tell_seated(context, known, of);
            Ok(())
        }
        Err(CommandError::GuestGone(gone)) => exclude(context, state, gone).await,
        Err(error) => Err(failed(error)),
    }
}

/// Excludes an entrant who is blocked or erased.
async fn exclude(
    context: &Arc<Context>,
    state: &Tournament,
    player: PlayerId,
) -> Result<(), TournamentError> {
    let exclude =
        move |_: &Tournament| Ok(Some(Command::Exclude { player, by: ExcludedBy::Server, reason: None }));
    match Box::pin(decide::command(context, state.id(), Some(&exclude))).await {
        // Another node was faster.
        Ok(_) | Err(TournamentError::Refused(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

async fn resign(context: &Arc<Context>, id: MatchId, player: PlayerId) -> Result<(), TournamentError> {
    let room = loading::room(context, id).await.map_err(failed)?;
    let command = MatchCommand::Resign { by: player, whole_match: true };
    let request = MatchRequest::Command { command, key: None, spends: None };
    match submit::submit_now(context, &room, request, context.now()).await {
        // It has ended meanwhile, which its tournament learns.
        Ok(_) | Err(CommandError::Refused(_)) => Ok(()),
        Err(error) => Err(failed(error)),
    }
}

fn failed(error: CommandError) -> TournamentError {
    match error {
        CommandError::Store(error) => TournamentError::Store(error),
        CommandError::Stopping => TournamentError::Stopping,
        other => TournamentError::Store(StoreError::Failed(other.to_string())),
    }
}
