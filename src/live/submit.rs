//! Submits requests to matches.

use std::sync::Arc;

use lusoria_play::{Command, Match, Millis, Phase, Refusal};
use tracing::Instrument;

use super::{
    CommandError, MatchRequest, Outcome, Room, context::Context, finish::Finish, judge::decide,
    refresh::refresh,
};

/// Submits a request that arrived at `at` to a match, and waits for its outcome.
pub(super) async fn submit(
    context: &Arc<Context>,
    room: &Arc<Room>,
    request: MatchRequest,
    at: Millis,
) -> Result<Outcome, CommandError> {
    if let MatchRequest::Command { command, .. } = &request
        && let Err(refusal) = refuse_early(&room.state(), command)
    {
        // Another node may have appended to the match.
        if !context.membership.is_shared() {
            return Err(refusal.into());
        }
        refresh(context, room).await?;
        refuse_early(&room.state(), command)?;
    }
    wait_for_earlier_arrivals(context, room, at).await;
    submit_now(context, room, request, at).await
}

/// Waits, for a request that arrived after a deadline, until the requests before that deadline are decided.
/// It waits here because in the queue others would wait behind it.
async fn wait_for_earlier_arrivals(context: &Context, room: &Room, at: Millis) {
    let mut last = None;
    while let Some(deadline) = room.state().next_deadline()
        && deadline <= at
        && last != Some(deadline)
    {
        context.arrivals.before(room.id(), deadline, &context.time()).await;
        last = Some(deadline);
    }
}

/// Refuses what can be refused without the queue, so that strangers cannot fill it.
fn refuse_early(state: &Match, command: &Command) -> Result<(), Refusal> {
    state.may_ask(command)?;
    match (command, state.phase()) {
        (Command::Join { .. }, Phase::Ended(_)) => Err(Refusal::Over),
        (Command::Join { .. }, Phase::AwaitingSeeds(_) | Phase::Playing) => Err(Refusal::Full),
        _ => Ok(()),
    }
}

/// Submits a request to a match. Once begun it is finished, even if the caller no longer waits.
pub(super) async fn submit_now(
    context: &Arc<Context>,
    room: &Arc<Room>,
    request: MatchRequest,
    at: Millis,
) -> Result<Outcome, CommandError> {
    // Counted before it looks whether the server stops, which waits for what is counted.
    let counted = context.tasks.token();
    if context.stopping.is_cancelled() {
        return Err(CommandError::Stopping);
    }
    let id = room.id();
    let span = tracing::debug_span!("match", id = %id.0);
    let decided = Box::pin(decide(Arc::clone(context), Arc::clone(room), request, at).instrument(span));
    Finish::new(decided, counted).await.unwrap_or_else(|| {
        tracing::error!(id = %id.0, "a panic while a request was decided");
        Err(CommandError::lost())
    })
}
