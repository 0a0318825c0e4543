//! Submits requests to matches.

use std::sync::Arc;

use lusoria_play::{Command, Match, Millis, Phase, Refusal};
use tokio::sync::{mpsc, oneshot};
use tracing::Span;

use super::{
    CommandError, MatchRequest, Outcome, Room,
    context::Context,
    queue::{QueueSlot, QueuedRequest},
    refresh::refresh,
    task,
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

/// Submits a request to a match, and starts its task if it has none.
pub(super) async fn submit_now(
    context: &Arc<Context>,
    room: &Arc<Room>,
    request: MatchRequest,
    at: Millis,
) -> Result<Outcome, CommandError> {
    if context.stopping.is_cancelled() {
        return Err(CommandError::Stopping);
    }
    let slot = QueueSlot::take(&room.quota, &request)?;
    let (response, outcome) = oneshot::channel();
    send(context, room, QueuedRequest { request, at, response, span: Span::current(), slot })?;
    outcome.await.unwrap_or_else(|_| Err(CommandError::lost()))
}

/// Sends while holding the lock under which a task decides to end.
fn send(context: &Arc<Context>, room: &Arc<Room>, request: QueuedRequest) -> Result<(), CommandError> {
    let mut queue = room.queue.lock();
    let sender = queue.get_or_insert_with(|| task::start(context, room));
    match sender.try_send(request) {
        Ok(()) => Ok(()),
        Err(mpsc::error::TrySendError::Full(_)) => Err(CommandError::QueueFull),
        // The task has ended: it panicked, or the server is stopping.
        Err(mpsc::error::TrySendError::Closed(request)) => {
            let sender = queue.insert(task::start(context, room));
            sender.try_send(request).map_err(|_| CommandError::Stopping)
        }
    }
}
