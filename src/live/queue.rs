//! The queue of a match, from which its task takes one request after another.

use std::{collections::BTreeMap, sync::Arc};

use lusoria_play::{Command, Match, MatchId, Millis, Phase, PlayerId, Refusal};
use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot};
use tracing::Span;

use super::{CommandError, Live, Outcome, Room, request::MatchRequest, task};

/// How many commands of one guest may wait for one match.
pub const WAITING_OF_GUEST_MAX: usize = 250;

/// How many requests may wait for one match in all: those of both players, of guests who want to
/// join, and the server's own.
pub(super) const WAITING_MAX: usize = 1_000;

/// A request in the queue, and where its response goes.
pub(super) struct QueuedRequest {
    pub(super) request: MatchRequest,
    /// When it arrived, in milliseconds since the epoch; it is applied as of then.
    pub(super) at: Millis,
    pub(super) response: oneshot::Sender<Result<Outcome, CommandError>>,
    /// The tracing span of the requester.
    pub(super) span: Span,
    /// Its slot in the guest's quota.
    pub(super) slot: Option<QueueSlot>,
}

/// How many requests of each guest are queued.
#[derive(Default)]
pub(super) struct WaitingCounts(Mutex<BTreeMap<PlayerId, usize>>);

/// A queued request counted against its guest's quota. Dropping it frees the slot.
pub(super) struct QueueSlot {
    room: Arc<Room>,
    of: PlayerId,
}

impl QueueSlot {
    /// Takes a slot for a guest's request; the server's own requests need none.
    ///
    /// # Errors
    /// [`CommandError::QueueFull`] if the guest has too many.
    fn take(room: &Arc<Room>, request: &MatchRequest) -> Result<Option<Self>, CommandError> {
        let Some(of) = requester(request) else { return Ok(None) };
        let mut waiting = room.waiting.0.lock();
        let count = waiting.entry(of).or_default();
        if *count >= WAITING_OF_GUEST_MAX {
            return Err(CommandError::QueueFull);
        }
        *count += 1;
        Ok(Some(Self { room: Arc::clone(room), of }))
    }
}

impl Drop for QueueSlot {
    fn drop(&mut self) {
        let mut waiting = self.room.waiting.0.lock();
        if let Some(count) = waiting.get_mut(&self.of) {
            *count -= 1;
            if *count == 0 {
                waiting.remove(&self.of);
            }
        }
    }
}

/// The guest who makes the request; none for the server's own.
fn requester(request: &MatchRequest) -> Option<PlayerId> {
    match request {
        MatchRequest::Command { command: Command::Join { player, .. }, .. } => Some(player.id),
        MatchRequest::Command { command, .. } => command.by(),
        MatchRequest::AcceptRematch { by, .. } => Some(*by),
        MatchRequest::EndUnlessPlayed { .. }
        | MatchRequest::Rename { .. }
        | MatchRequest::CreditOutages
        | MatchRequest::Wake => None,
    }
}

/// Submits a request that arrived at `at` to a match and waits for its outcome.
pub(super) async fn submit(
    live: &Arc<Live>,
    id: MatchId,
    request: MatchRequest,
    at: Millis,
) -> Result<Outcome, CommandError> {
    let room = live.room(id).await?;
    if let MatchRequest::Command { command, .. } = &request {
        refuse_early(&room.state(), command)?;
    }
    wait_for_earlier_arrivals(live, &room, at).await;
    submit_to_room(live, &room, request, at).await
}

/// Waits until requests that arrived before a deadline are decided, for one that arrived after it.
/// It waits here because others would wait behind it in the queue.
async fn wait_for_earlier_arrivals(live: &Live, room: &Room, at: Millis) {
    let mut last = None;
    while let Some(deadline) = room.state().next_deadline()
        && deadline <= at
        && last != Some(deadline)
    {
        live.arrivals.before(room.id(), deadline, live.time()).await;
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

/// Submits a request to a match that is in memory, and starts its task if it has none.
pub(super) async fn submit_to_room(
    live: &Arc<Live>,
    room: &Arc<Room>,
    request: MatchRequest,
    at: Millis,
) -> Result<Outcome, CommandError> {
    if live.stopping.is_cancelled() {
        return Err(CommandError::Stopping);
    }
    let slot = QueueSlot::take(room, &request)?;
    let (response, outcome) = oneshot::channel();
    send(live, room, QueuedRequest { request, at, response, span: Span::current(), slot })?;
    outcome.await.unwrap_or_else(|_| Err(CommandError::lost()))
}

/// Sends under the lock of the queue, under which a task also decides to end.
fn send(live: &Arc<Live>, room: &Arc<Room>, request: QueuedRequest) -> Result<(), CommandError> {
    let mut queue = room.queue.lock();
    let sender = queue.get_or_insert_with(|| task::start(live, room));
    match sender.try_send(request) {
        Ok(()) => Ok(()),
        Err(mpsc::error::TrySendError::Full(_)) => Err(CommandError::QueueFull),
        // The task is gone: it panicked, or the server is stopping.
        Err(mpsc::error::TrySendError::Closed(request)) => {
            let sender = queue.insert(task::start(live, room));
            sender.try_send(request).map_err(|_| CommandError::Stopping)
        }
    }
}
