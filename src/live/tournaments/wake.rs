//! Wakes tournaments that are due, beside the matches' scheduler and divided among nodes as they are.

use std::{collections::BTreeMap, pin::pin, sync::Arc, time::Duration};

use futures_util::{StreamExt, stream};
use lusoria_play::{MatchId, Millis, TournamentId};
use lusoria_store::{StoreError, TournamentDue};

use super::{TournamentError, decide, listing, matches};
use crate::live::context::Context;

/// How many due tournaments are looked up at once.
const BATCH: u32 = 64;

/// How many are woken at the same time.
const AT_ONCE: usize = 8;

/// The pause after a failure; the next ones are longer, up to the last. Short, because the store may be well again, and
/// somebody's clock or wait begins late.
const AFTER_FAILURE_MS: Millis = 1_000;
const AFTER_FAILURES_MS: Millis = 5_000;

/// How long a tournament is skipped whose events cannot be read.
const UNREADABLE_FOR_MS: Millis = 60_000;

/// How often the log says that a tournament cannot be woken.
const WARNED_EVERY_MS: Millis = 60_000;

/// The longest sleep, and that of one of several nodes.
const LONGEST_SLEEP_MS: Millis = 3_600_000;
const LONGEST_SLEEP_SHARED_MS: Millis = 1_000;

/// How much later than the responsible node another one wakes a tournament.
const OTHERS_LATER_MS: Millis = 750;

/// Wakes due tournaments until the server stops.
pub(in crate::live) async fn wake_what_is_due(context: Arc<Context>) {
    let alarm = &context.tournaments.alarm;
    let mut failing = Failing::default();
    loop {
        // While looking, every new time counts as earlier than the known ones.
        alarm.wakes_at(Millis::MAX);
        let next = wake_once(&context, &mut failing).await;
        alarm.wakes_at(next);
        let longest_ms =
            if context.membership.is_shared() { LONGEST_SLEEP_SHARED_MS } else { LONGEST_SLEEP_MS };
        let sleep_ms = next.saturating_sub(context.now()).min(longest_ms);
        tokio::select! {
            biased;
            () = context.stopping.cancelled() => return,
            () = alarm.earlier() => {}
            () = tokio::time::sleep(Duration::from_millis(sleep_ms)) => {}
        }
    }
}

/// Wakes all due tournaments. Returns when to look again.
async fn wake_once(context: &Arc<Context>, failing: &mut Failing) -> Millis {
    let now = context.now();
    let limit = BATCH + u32::try_from(failing.0.len()).unwrap_or(u32::MAX - BATCH);
    let due = match context.store.tournaments_due(now, limit).await {
        Ok(due) => due,
        Err(error) => {
            tracing::warn!(%error, "could not look up due tournaments; retrying");
            return now + AFTER_FAILURE_MS;
        }
    };
    let is_full = due.len() == limit as usize;
    let mut next = Millis::MAX;
    let mut now_due = Vec::new();
    for TournamentDue { id, at } in due {
        // Ids of matches and tournaments are made alike: one rule divides both among the nodes.
        let is_ours = context.membership.is_responsible_for(MatchId(id.0));
        let from = if is_ours { at } else { at + OTHERS_LATER_MS }.max(failing.paused_until(id));
        if from <= now {
            now_due.push(id);
        } else {
            next = next.min(from);
        }
    }
    let any = !now_due.is_empty();
    let woken = stream::iter(now_due).map(async |id| (id, wake(context, id).await));
    let mut woken = pin!(woken.buffer_unordered(AT_ONCE));
    while let Some((id, woken)) = woken.next().await {
        match woken {
            Ok(()) => failing.forget(id, context.now()),
            Err(TournamentError::Stopping) => return Millis::MAX,
            Err(error) => next = next.min(failing.note(id, &error, context.now())),
        }
    }
    if is_full || any {
        // The matches that were made have made their tournaments due again.
        return next.min(context.now());
    }
    match context.store.next_tournament_wake().await {
        Ok(Some(at)) if at > now => next.min(at),
        Ok(_) => next,
        Err(error) => {
            tracing::warn!(%error, "could not look up when the next tournament is due; retrying");
            context.now() + AFTER_FAILURE_MS
        }
    }
}

/// Does what is due in one tournament.
async fn wake(context: &Arc<Context>, id: TournamentId) -> Result<(), TournamentError> {
    let known = decide::command(context, id, None).await?;
    if !listing::has_pending_matches(&known.state) {
        return Ok(());
    }
    matches::make_and_resign_matches(context, &known).await?;
    let now = context.tournaments.slot(id).refresh(context).await?;
    if now.state.head() == known.state.head() {
        // It would be due again at once, for nothing.
        return Err(StoreError::Busy("its matches could be neither made nor resigned".to_owned()).into());
    }
    Ok(())
}

/// Tournaments that could not be woken: until when they wait, after how many failures, and when the log said so.
#[derive(Default)]
struct Failing(BTreeMap<TournamentId, Failure>);

struct Failure {
    until: Millis,
    times: u32,
    warned_at: Millis,
}

impl Failing {
    fn paused_until(&self, id: TournamentId) -> Millis {
        self.0.get(&id).map_or(0, |failure| failure.until)
    }

    /// It was woken. When the log last said that it could not be is known for a while.
    fn forget(&mut self, id: TournamentId, now: Millis) {
        if let Some(failure) = self.0.get_mut(&id) {
            (failure.until, failure.times) = (0, 0);
        }
        self.0.retain(|_, failure| failure.times > 0 || now < failure.warned_at + WARNED_EVERY_MS);
    }

    /// Returns when to try again.
    fn note(&mut self, id: TournamentId, error: &TournamentError, now: Millis) -> Millis {
        let failure = self.0.entry(id).or_insert(Failure { until: 0, times: 0, warned_at: 0 });
        let pause_ms = match error {
            TournamentError::Store(StoreError::Corrupt(_)) => UNREADABLE_FOR_MS,
            _ => (AFTER_FAILURE_MS << failure.times.min(3)).min(AFTER_FAILURES_MS),
        };
        failure.times += 1;
        failure.until = now + pause_ms;
        if now >= failure.warned_at + WARNED_EVERY_MS {
            failure.warned_at = now;
            tracing::warn!(id = %id.0, %error, times = failure.times, "could not wake a tournament; retrying");
        }
        failure.until
    }
}
