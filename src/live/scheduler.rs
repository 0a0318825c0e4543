//! Wakes matches whose deadline has passed, in memory or not, and notes every second
//! that the server is alive.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures_util::{StreamExt, stream};
use lusoria_play::{Match, MatchId, Millis};
use tokio::{sync::Notify, time::MissedTickBehavior};

use super::{CommandError, Live, queue, request::MatchRequest};
use lusoria_store::StoreError;

/// How many overdue matches are looked up at once.
const BATCH: u32 = 256;

/// How many are woken at the same time.
const AT_ONCE: usize = 32;

/// How soon a match is looked at again whose deadline waits for what arrived before it.
const AFTER_HOLD_UP_MS: Millis = 10;

/// How long to wait after something went wrong.
const AFTER_FAILURE_MS: Millis = 1_000;

/// How long a match whose journal cannot be read is left alone.
const UNREADABLE_FOR_MS: Millis = 24 * 3_600_000;

/// How long to sleep at the most.
const LONGEST_SLEEP_MS: Millis = 3_600_000;

/// How often expired codes, keys and entries are forgotten.
const SWEEP_EVERY: Duration = Duration::from_mins(10);

/// How often the server notes that it is alive.
const ALIVE_EVERY: Duration = Duration::from_secs(1);

/// When the scheduler wakes next, and how to wake it earlier.
#[derive(Debug)]
pub(super) struct Alarm {
    next: AtomicU64,
    earlier: Notify,
}

impl Default for Alarm {
    fn default() -> Self {
        Self { next: AtomicU64::new(u64::MAX), earlier: Notify::new() }
    }
}

impl Alarm {
    /// A match has this deadline now.
    pub(super) fn set(&self, deadline: Option<Millis>) {
        if deadline.is_some_and(|deadline| deadline < self.next.load(Ordering::Acquire)) {
            self.earlier.notify_one();
        }
    }
}

/// Wakes what is due, until the server stops.
pub(super) async fn wake_what_is_due(live: Arc<Live>) {
    loop {
        // While looking, every new deadline counts as earlier than what is known.
        live.alarm.next.store(u64::MAX, Ordering::Release);
        let next = wake_once(&live).await;
        live.alarm.next.store(next, Ordering::Release);
        let sleep_ms = next.saturating_sub(live.now()).min(LONGEST_SLEEP_MS);
        tokio::select! {
            biased;
            () = live.stopping.cancelled() => return,
            () = live.alarm.earlier.notified() => {}
            () = tokio::time::sleep(Duration::from_millis(sleep_ms)) => {}
        }
    }
}

/// Wakes all that is due and answers when to look again.
async fn wake_once(live: &Arc<Live>) -> Millis {
    let now = live.now();
    let due = match live.store.due(now, BATCH).await {
        Ok(due) => due,
        Err(error) => {
            tracing::warn!(%error, "could not look up due matches; retrying");
            return now + AFTER_FAILURE_MS;
        }
    };
    let full_batch = due.len() == BATCH as usize;
    let woken = stream::iter(due).map(|id| wake(live, id)).buffer_unordered(AT_ONCE);
    match woken.fold(Woken::Well, async |all, woken| all.max(woken)).await {
        Woken::Failed => return live.now() + AFTER_FAILURE_MS,
        Woken::HeldUp => return live.now() + AFTER_HOLD_UP_MS,
        Woken::Well => {}
    }
    match live.store.next_deadline().await {
        Ok(_) if full_batch => live.now(),
        Ok(next) => next.unwrap_or(u64::MAX),
        Err(error) => {
            tracing::warn!(%error, "could not look up the next deadline; retrying");
            live.now() + AFTER_FAILURE_MS
        }
    }
}

/// What came of waking a match, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Woken {
    /// It has done what was due.
    Well,
    /// It is still overdue: a command that arrived before its deadline is not decided yet.
    HeldUp,
    /// It is still overdue.
    Failed,
}

impl Woken {
    fn well_if(well: bool) -> Self {
        if well { Self::Well } else { Self::Failed }
    }
}

/// Wakes one match.
async fn wake(live: &Arc<Live>, id: MatchId) -> Woken {
    let woken = async {
        let room = live.room(id).await?;
        if live.deadline_held_up_until(&room.state()).is_some() {
            return Ok(room.state());
        }
        Ok(queue::submit_to_room(live, &room, MatchRequest::Wake, live.now()).await?.state)
    };
    match woken.await {
        Ok(state) if is_held_up(live, &state) => Woken::HeldUp,
        Ok(state) => Woken::well_if(correct_row(live, id, &state).await),
        Err(CommandError::Stopping) => Woken::Well,
        Err(CommandError::Store(StoreError::Corrupt(why))) => {
            // It must not stand in the way of those that can be woken.
            tracing::error!(id = %id.0, why, "could not read the journal of a match");
            match live.store.head(id).await {
                Ok(Some(head)) => {
                    let later = Some(live.now() + UNREADABLE_FOR_MS);
                    Woken::well_if(live.store.set_deadline(id, head.seq, later).await.is_ok())
                }
                Ok(None) | Err(_) => Woken::Failed,
            }
        }
        Err(error) => {
            tracing::warn!(id = %id.0, %error, "could not apply the deadline of a match; retrying");
            Woken::Failed
        }
    }
}

/// Whether the deadline of a match has passed and waits for what arrived before it.
fn is_held_up(live: &Live, state: &Match) -> bool {
    state.next_deadline().is_some_and(|deadline| deadline <= live.now())
        && live.deadline_held_up_until(state).is_some()
}

/// Writes the deadline of a match into its row if another one stands there: a release with
/// other terms may have written it. A deadline that has passed is left as it is. False if
/// the store fails.
pub(super) async fn correct_row(live: &Live, id: MatchId, state: &Match) -> bool {
    let deadline = state.next_deadline();
    if deadline.is_some_and(|deadline| deadline <= live.now()) {
        return true;
    }
    match live.store.head(id).await {
        Ok(Some(head)) if head.seq == state.head() && head.deadline != deadline => {
            live.store.set_deadline(id, head.seq, deadline).await.is_ok()
        }
        Ok(_) => true,
        Err(_) => false,
    }
}

/// Notes every second that the server is alive.
pub(super) async fn note_being_alive(live: Arc<Live>) {
    let mut alive = tokio::time::interval(ALIVE_EVERY);
    alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            () = live.stopping.cancelled() => return,
            _ = alive.tick() => {
                let now = live.now();
                match live.store.note_alive(now).await {
                    Ok(()) => live.alive_at.store(now, Ordering::Relaxed),
                    Err(error) => tracing::warn!(%error, "could not store that the server is alive; retrying"),
                }
            }
        }
    }
}

/// Forgets what has expired. Apart from the notes of being alive: it may take long.
pub(super) async fn sweep_now_and_then(live: Arc<Live>) {
    let mut sweep = tokio::time::interval(SWEEP_EVERY);
    sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            () = live.stopping.cancelled() => return,
            _ = sweep.tick() => {
                live.presence.sweep(live.now());
                if let Err(error) = live.store.sweep(live.now()).await {
                    tracing::warn!(%error, "could not delete expired rows; retrying");
                }
            }
        }
    }
}
