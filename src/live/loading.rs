//! Loads matches into memory.

use std::sync::Arc;

use futures_util::{StreamExt, stream};
use lusoria_play::{Clock, Match, MatchId, Phase};
use lusoria_store::Head;

use super::{CommandError, MatchRequest, Room, context::Context, journal::read_match, submit::submit_now};

/// How many watched matches are given credit at the same time.
const CREDITED_AT_ONCE: usize = 32;

/// The room of a match, loaded from the journal if it is not in memory.
///
/// # Errors
/// If there is no such match or its journal cannot be read.
pub(super) async fn room(context: &Arc<Context>, id: MatchId) -> Result<Arc<Room>, CommandError> {
    let room = context.room(id);
    if room.is_up_to_date.initialized() && room.is_credited_in(context.membership.era()) {
        return Ok(room);
    }
    // Boxed, so that requests to matches in memory, which are nearly all, need no space for it.
    Box::pin(load(context, &room)).await?;
    Ok(room)
}

/// Corrects the clocks of all watched matches after an outage during which this node ran.
pub(super) async fn credit_watched(context: Arc<Context>) {
    let watched = stream::iter(context.rooms.watched());
    watched
        .for_each_concurrent(CREDITED_AT_ONCE, async |watched| {
            // The next reader or command tries again.
            let _ = room(&context, watched.id()).await;
        })
        .await;
}

async fn load(context: &Arc<Context>, room: &Arc<Room>) -> Result<(), CommandError> {
    let id = room.id();
    room.load(async || read_match(&context.store, id).await).await?;
    let up_to_date = async {
        credit_outages(context, room).await?;
        room.is_up_to_date.get_or_try_init(|| bring_up_to_date(context, room)).await
    };
    if let Err(error) = up_to_date.await {
        tracing::warn!(id = %id.0, %error, "could not bring a match up to date; retrying at the next request");
    }
    Ok(())
}

/// Gives the credit for outages before anybody sees the clocks.
async fn credit_outages(context: &Arc<Context>, room: &Arc<Room>) -> Result<(), CommandError> {
    let known = context.membership.known();
    if !known.outages_owed(&room.state()).is_empty() {
        submit_now(context, room, MatchRequest::CreditOutages, context.now()).await?;
    }
    room.note_credited_in(known.era);
    Ok(())
}

/// Brings a match without a clock that waits for a seed up to date: sets its present deadline, or ends it.
/// Concurrent callers wait for that.
async fn bring_up_to_date(context: &Arc<Context>, room: &Arc<Room>) -> Result<(), CommandError> {
    let state = room.state();
    // Earlier servers gave a longer term for a seed; the match's row may still hold it.
    let awaits_seed = matches!(state.phase(), Phase::AwaitingSeeds(_));
    if awaits_seed && matches!(state.terms().clock, Clock::None {}) {
        if state.next_deadline().is_some_and(|deadline| deadline <= context.now()) {
            submit_now(context, room, MatchRequest::Wake, context.now()).await?;
        } else if correct_deadline(context, room.id(), &state).await {
            context.alarm.set(state.next_deadline());
        }
    }
    Ok(())
}

/// Corrects the deadline in a match's row; a release with other terms may have written it. A deadline that
/// has passed stays. False if the store fails.
pub(super) async fn correct_deadline(context: &Context, id: MatchId, state: &Match) -> bool {
    let deadline = state.next_deadline();
    if deadline.is_some_and(|deadline| deadline <= context.now()) {
        return true;
    }
    match context.store.head(id).await {
        Ok(Some(Head { version, deadline: stored }))
            if version.head == state.head() && stored != deadline =>
        {
            context.store.set_deadline(id, version.head, deadline).await.is_ok()
        }
        Ok(_) => true,
        Err(_) => false,
    }
}
