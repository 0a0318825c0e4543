//! Wakes matches whose deadline has passed, in memory or not.
//!
//! In a cluster each node looks every second, because other nodes set deadlines too. Each match has one node
//! that wakes it; the others do so a little later, if it has not.

use std::{collections::BTreeMap, pin::pin, sync::Arc, time::Duration};

use futures_util::{StreamExt, stream};
use lusoria_play::{Match, MatchId, Millis};
use lusoria_store::{Due, Era, StoreError};
use tokio::time::MissedTickBehavior;

use super::{CommandError, MatchRequest, context::Context, loading, submit};

/// How many overdue matches are looked up at once.
const BATCH: u32 = 256;

/// How many are woken at the same time.
const AT_ONCE: usize = 32;

/// The pause before a match is tried again whose deadline waits for an earlier message.
const AFTER_HOLD_UP_MS: Millis = 10;

/// The pause after a failure.
const AFTER_FAILURE_MS: Millis = 1_000;

/// How long a match is skipped whose journal cannot be read.
const UNREADABLE_FOR_MS: Millis = 24 * 3_600_000;

/// The longest sleep.
const LONGEST_SLEEP_MS: Millis = 3_600_000;

/// How often expired codes, keys and entries are deleted.
const SWEEP_EVERY: Duration = Duration::from_mins(10);

/// The longest sleep of one of several nodes.
const LONGEST_SLEEP_SHARED_MS: Millis = 1_000;

/// How much later than the responsible node another one wakes a match.
const OTHERS_LATER_MS: Millis = 750;

/// Wakes due matches until the server stops. `era` is that in which it started.
pub(super) async fn wake_what_is_due(context: Arc<Context>, mut era: Era) {
    let mut unreadable = Unreadable::default();
    loop {
        if era != context.membership.era() {
            era = context.membership.era();
            context.tasks.spawn(loading::credit_watched(Arc::clone(&context)));
        }
        // While looking, every new deadline counts as earlier than the known ones.
        context.alarm.wakes_at(Millis::MAX);
        let next = wake_once(&context, &mut unreadable).await;
        context.alarm.wakes_at(next);
        let longest_ms =
            if context.membership.is_shared() { LONGEST_SLEEP_SHARED_MS } else { LONGEST_SLEEP_MS };
        let sleep_ms = next.saturating_sub(context.now()).min(longest_ms);
        tokio::select! {
            biased;
            () = context.stopping.cancelled() => return,
            () = context.alarm.earlier() => {}
            () = tokio::time::sleep(Duration::from_millis(sleep_ms)) => {}
        }
    }
}

/// Wakes all due matches. Returns when to look again.
async fn wake_once(context: &Arc<Context>, unreadable: &mut Unreadable) -> Millis {
    let now = context.now();
    unreadable.0.retain(|_, until| *until > now);
    let limit = BATCH + u32::try_from(unreadable.0.len()).unwrap_or(u32::MAX - BATCH);
    let mut due = match context.store.due(now, limit).await {
        Ok(due) => due,
        Err(error) => {
            tracing::warn!(%error, "could not look up due matches; retrying");
            return now + AFTER_FAILURE_MS;
        }
    };
    let full_batch = due.len() == limit as usize;
    let mut later = None;
    due.retain(|&Due { id, at }| {
        let from = if context.membership.is_responsible_for(id) { at } else { at + OTHERS_LATER_MS };
        if from > now && !unreadable.0.contains_key(&id) {
            later = Some(later.map_or(from, |earlier: Millis| earlier.min(from)));
        }
        from <= now && !unreadable.0.contains_key(&id)
    });
    let woken = stream::iter(due).map(async |Due { id, .. }| (id, wake(context, id).await));
    let mut worst = Woken::Well;
    let mut woken = pin!(woken.buffer_unordered(AT_ONCE));
    while let Some((id, woken)) = woken.next().await {
        if woken == Woken::Unreadable {
            unreadable.0.insert(id, now + UNREADABLE_FOR_MS);
        }
        worst = worst.max(woken);
    }
    match worst {
        Woken::Failed => return context.now() + AFTER_FAILURE_MS,
        Woken::HeldUp => return context.now() + AFTER_HOLD_UP_MS,
        Woken::Unreadable | Woken::Well => {}
    }
    if let Some(later) = later {
        return later;
    }
    match context.store.next_deadline().await {
        Ok(_) if full_batch => context.now(),
        Ok(next) => next.unwrap_or(u64::MAX),
        Err(error) => {
            tracing::warn!(%error, "could not look up the next deadline; retrying");
            context.now() + AFTER_FAILURE_MS
        }
    }
}

/// Matches of a shared store that this node cannot read, and until when it skips them: a later release may
/// read them.
#[derive(Default)]
struct Unreadable(BTreeMap<MatchId, Millis>);

/// The result of waking a match, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Woken {
    /// The due work was done.
    Well,
    /// This node cannot read the match.
    Unreadable,
    /// Still overdue: a command that arrived before the deadline is not decided yet.
    HeldUp,
    /// Still overdue after a failure.
    Failed,
}

impl Woken {
    fn well_if(well: bool) -> Self {
        if well { Self::Well } else { Self::Failed }
    }
}

/// Wakes one match.
async fn wake(context: &Arc<Context>, id: MatchId) -> Woken {
    let woken = async {
        let room = loading::room(context, id).await?;
        if context.deadline_held_up_until(&room.state()).is_some() {
            return Ok(room.state());
        }
        Ok(submit::submit_now(context, &room, MatchRequest::Wake, context.now()).await?.state)
    };
    match woken.await {
        Ok(state) if is_held_up(context, &state) => Woken::HeldUp,
        Ok(state) => Woken::well_if(loading::correct_deadline(context, id, &state).await),
        Err(CommandError::Stopping) => Woken::Well,
        Err(CommandError::Store(StoreError::Corrupt(why))) => {
            // It must not keep others from being woken.
            tracing::error!(id = %id.0, why, "could not read the journal of a match");
            if context.membership.is_shared() {
                return Woken::Unreadable;
            }
            match context.store.head(id).await {
                Ok(Some(head)) => {
                    let later = Some(context.now() + UNREADABLE_FOR_MS);
                    Woken::well_if(context.store.set_deadline(id, head.version.head, later).await.is_ok())
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

/// Whether the deadline of a match has passed and waits for an earlier message.
fn is_held_up(context: &Context, state: &Match) -> bool {
    state.next_deadline().is_some_and(|deadline| deadline <= context.now())
        && context.deadline_held_up_until(state).is_some()
}

/// Deletes expired rows regularly. Separate from the beats, because it may take long.
pub(super) async fn sweep_now_and_then(context: Arc<Context>) {
    let mut sweep = tokio::time::interval(SWEEP_EVERY);
    sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            () = context.stopping.cancelled() => return,
            _ = sweep.tick() => {
                context.presence.sweep(context.now());
                if let Err(error) = context.store.sweep(context.now()).await {
                    tracing::warn!(%error, "could not delete expired rows; retrying");
                }
            }
        }
    }
}
