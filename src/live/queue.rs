//! What waits for a match: one queue, from which its task takes one request after the other.

use std::{collections::BTreeMap, sync::Arc};

use lusoria_play::{Command, Match, MatchId, Millis, Phase, PlayerId, Refusal};
use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot};
use tracing::Span;

use super::{Answered, CommandError, Live, Room, request::Do, task};

/// How many commands of one guest may wait for one match.
pub const WAITING_OF_GUEST_MAX: usize = 250;

/// How many requests may wait for one match in all: those of both players, of guests who want to
/// join, and the server's own.
pub(super) const WAITING_MAX: usize = 1_000;

/// A request with the way back.
pub(super) struct Request {
    pub(super) wanted: Do,
    /// When it arrived, in milliseconds since the epoch: it is judged as of then.
    pub(super) at: Millis,
    pub(super) answer: oneshot::Sender<Result<Answered, CommandError>>,
    /// The span of the requester: the log's lines about the request belong to it.
    pub(super) asked_in: Span,
    /// Its place among those of the same guest.
    pub(super) place: Option<Place>,
}

/// How many requests of each guest wait.
#[derive(Default)]
pub(super) struct Waiting(Mutex<BTreeMap<PlayerId, usize>>);

/// A place in the queue of a match. Dropping it makes room for another one of the same guest.
pub(super) struct Place {
    room: Arc<Room>,
    of: PlayerId,
}

impl Place {
    /// A place for what a guest wants; none is needed for what the server wants.
    ///
    /// # Errors
    /// [`CommandError::QueueFull`] if the guest has too many.
    fn take(room: &Arc<Room>, wanted: &Do) -> Result<Option<Self>, CommandError> {
        let Some(of) = who_wants(wanted) else { return Ok(None) };
        let mut waiting = room.waiting.0.lock();
        let places = waiting.entry(of).or_default();
        if *places >= WAITING_OF_GUEST_MAX {
            return Err(CommandError::QueueFull);
        }
        *places += 1;
        Ok(Some(Self { room: Arc::clone(room), of }))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut waiting = self.room.waiting.0.lock();
        if let Some(places) = waiting.get_mut(&self.of) {
            *places -= 1;
            if *places == 0 {
                waiting.remove(&self.of);
            }
        }
    }
}

/// The guest who wants something, if it is one.
fn who_wants(wanted: &Do) -> Option<PlayerId> {
    match wanted {
        Do::Command { command: Command::Join { player, .. }, .. } => Some(player.id),
        Do::Command { command, .. } => command.by(),
        Do::AcceptRematch { by, .. } => Some(*by),
        Do::EndUntouched { .. } | Do::Rename { .. } | Do::GiveCredit | Do::Wake => None,
    }
}

/// Puts a request that arrived at `at` to a match.
pub(super) async fn ask(
    live: &Arc<Live>,
    id: MatchId,
    wanted: Do,
    at: Millis,
) -> Result<Answered, CommandError> {
    let room = live.room(id).await?;
    if let Do::Command { command, .. } = &wanted {
        refuse_strangers(&room.state(), command)?;
    }
    come_after_earlier_ones(live, &room, at).await;
    ask_room(live, &room, wanted, at).await
}

/// Before something that arrived at a deadline or later is put to a match, what arrived before the
/// deadline is decided: it waits here, not in the queue, where the others would wait behind it.
async fn come_after_earlier_ones(live: &Live, room: &Room, at: Millis) {
    let mut last = None;
    while let Some(deadline) = room.state().next_deadline()
        && deadline <= at
        && last != Some(deadline)
    {
        live.arrivals.before(room.id(), deadline, live.time()).await;
        last = Some(deadline);
    }
}

/// Refuses what needs no queue to be refused, so that a crowd cannot fill the players'.
fn refuse_strangers(state: &Match, command: &Command) -> Result<(), Refusal> {
    state.may_ask(command)?;
    match (command, state.phase()) {
        (Command::Join { .. }, Phase::Ended(_)) => Err(Refusal::Over),
        (Command::Join { .. }, Phase::AwaitingSeeds(_) | Phase::Playing) => Err(Refusal::Full),
        _ => Ok(()),
    }
}

/// Puts a request to a match that is in memory, and starts its task if it has none.
pub(super) async fn ask_room(
    live: &Arc<Live>,
    room: &Arc<Room>,
    wanted: Do,
    at: Millis,
) -> Result<Answered, CommandError> {
    if live.stopping.is_cancelled() {
        return Err(CommandError::Stopping);
    }
    let place = Place::take(room, &wanted)?;
    let (answer, answered) = oneshot::channel();
    send(live, room, Request { wanted, at, answer, asked_in: Span::current(), place })?;
    answered.await.unwrap_or_else(|_| Err(CommandError::lost()))
}

/// Sends under the lock of the queue: a task that ends looks at it under the same lock.
fn send(live: &Arc<Live>, room: &Arc<Room>, request: Request) -> Result<(), CommandError> {
    let mut queue = room.queue.lock();
    let sender = queue.get_or_insert_with(|| task::start(live, room));
    match sender.try_send(request) {
        Ok(()) => Ok(()),
        Err(mpsc::error::TrySendError::Full(_)) => Err(CommandError::QueueFull),
        // The task is gone without taking leave: it panicked, or the server stops.
        Err(mpsc::error::TrySendError::Closed(request)) => {
            let sender = queue.insert(task::start(live, room));
            sender.try_send(request).map_err(|_| CommandError::Stopping)
        }
    }
}
