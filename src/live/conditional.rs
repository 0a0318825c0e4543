//! Plays conditional turns in correspondence matches, as if the player had sent them at that moment.
//!
//! Every commit of this node marks its match. Turns that a stopped node left unplayed are found by every node
//! at its start and each minute. Two nodes that play the same turn play it once.

use std::{sync::Arc, time::Duration};

use lusoria_play::{ConditionalTurns, MatchId, Millis, PlayerId};
use lusoria_store::{SanctionKind, StoreError};
use tokio::time::{Instant, MissedTickBehavior};

use super::{CommandError, MatchRequest, context::Context, loading, match_inbox::Marked, refresh, submit};

/// How often the node looks for turns left unplayed.
const LOOK_EVERY: Duration = Duration::from_mins(1);

/// How long ago the commit before such a turn may lie, except at the start.
const LEFT_FOR_MS: Millis = 10 * 60_000;

/// How many matches are read at once. Newly marked ones wait for one such page.
const PAGE: u32 = 64;

/// Plays conditional turns until the server stops.
pub(super) async fn keep_playing(context: Arc<Context>) {
    // At the start the inbox reports that there may be more than it holds.
    let mut look = tokio::time::interval_at(Instant::now() + LOOK_EVERY, LOOK_EVERY);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut search = Search::default();
    loop {
        tokio::select! {
            biased;
            () = context.stopping.cancelled() => return,
            Marked { matches, more } = context.conditional_inbox.take() => {
                // The search finds failed ones again, because they have just changed.
                play_all(&context, matches).await;
                if more {
                    search.begin(context.now());
                }
            }
            _ = look.tick() => search.begin(context.now()),
            () = std::future::ready(()), if search.is_under_way() => {}
        }
        // Page by page, so that neither marked matches nor found ones keep the others waiting.
        if search.is_under_way() && !context.stopping.is_cancelled() {
            search.take_page(&context).await;
        }
    }
}

/// The search for turns left unplayed.
#[derive(Debug, Default)]
struct Search {
    /// Matches that last changed before this have none. 0 at first, to find everything left before the start.
    since: Millis,
    /// Its progress, unless it has reached the end.
    under_way: Option<Progress>,
}

/// The progress of a search.
#[derive(Debug)]
struct Progress {
    began_at: Millis,
    /// The last match that was searched.
    after: Option<MatchId>,
    /// Whether a turn could not be played, so that earlier matches must be searched again.
    has_failed: bool,
    /// Whether the store could not be read. The search continues the next time that one is due.
    is_held_up: bool,
    /// Whether another search became due meanwhile: matches before `after` may have changed.
    again: bool,
}

impl Search {
    fn begin(&mut self, now: Millis) {
        match &mut self.under_way {
            Some(progress) if progress.is_held_up => progress.is_held_up = false,
            Some(progress) => progress.again = true,
            None => {
                let (after, began_at) = (None, now);
                let [has_failed, is_held_up, again] = [false; 3];
                self.under_way = Some(Progress { began_at, after, has_failed, is_held_up, again });
            }
        }
    }

    fn is_under_way(&self) -> bool {
        self.under_way.as_ref().is_some_and(|progress| !progress.is_held_up)
    }

    /// Plays the turns left unplayed in the next page of matches.
    async fn take_page(&mut self, context: &Arc<Context>) {
        let Some(progress) = &mut self.under_way else { return };
        let found = match context.store.conditional_matches(self.since, progress.after, PAGE).await {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(%error, "could not look for conditional turns; retrying within a minute");
                progress.is_held_up = true;
                return;
            }
        };
        let is_last = found.len() < PAGE as usize;
        progress.after = found.last().copied().or(progress.after);
        progress.has_failed |= !play_all(context, found).await;
        if is_last {
            let Progress { began_at, has_failed, again, .. } = *progress;
            if !has_failed {
                self.since = began_at.saturating_sub(LEFT_FOR_MS);
            }
            self.under_way = None;
            if again {
                self.begin(context.now());
            }
        }
    }
}

/// Plays the conditional turns of these matches. False if one must be tried again.
async fn play_all(context: &Arc<Context>, ids: impl IntoIterator<Item = MatchId>) -> bool {
    let mut is_done = true;
    for id in ids {
        if context.stopping.is_cancelled() {
            return false;
        }
        is_done &= play(context, id).await;
    }
    is_done
}

/// Plays the conditional turn of the player to move in this match, if there is one. False if it must be tried
/// again.
async fn play(context: &Arc<Context>, id: MatchId) -> bool {
    match try_to_play(context, id).await {
        Ok(()) | Err(CommandError::NoSuchMatch | CommandError::Refused(_)) => true,
        Err(CommandError::Store(error @ StoreError::Corrupt(_))) => {
            tracing::error!(id = %id.0, %error, "could not read a match that may have a conditional turn");
            true
        }
        Err(CommandError::Stopping) => false,
        Err(error) => {
            tracing::warn!(id = %id.0, %error, "could not play a conditional turn; retrying within a minute");
            false
        }
    }
}

async fn try_to_play(context: &Arc<Context>, id: MatchId) -> Result<(), CommandError> {
    let room = loading::room(context, id).await?;
    if context.membership.is_shared() {
        refresh::refresh(context, &room).await?;
    }
    let state = room.state();
    if !state.terms().clock.is_correspondence() {
        return Ok(());
    }
    let Some(player) = state.to_play().and_then(|to_play| state.player(to_play.seat)) else { return Ok(()) };
    let Some(laid_down) = context.store.conditional_turns(id, player.id).await? else { return Ok(()) };
    if !may_play(context, player.id).await? {
        return Ok(());
    }
    let since = context.store.events(id, laid_down.after, ConditionalTurns::SINCE_MAX).await?.events;
    let Some(command) = state.conditional_turn(player.id, &laid_down, &since) else { return Ok(()) };
    let request = MatchRequest::Command { command, key: None, spends: None };
    submit::submit_now(context, &room, request, context.now()).await?;
    tracing::debug!(id = %id.0, "played a conditional turn");
    Ok(())
}

/// Whether a guest may play: a blocked or banned guest plays nothing, not even by an earlier request.
async fn may_play(context: &Context, guest: PlayerId) -> Result<bool, StoreError> {
    let found = context.store.guest(guest).await?;
    if found.is_none_or(|found| found.blocked_at.is_some()) {
        return Ok(false);
    }
    let (sanctions, now) = (context.store.sanctions(guest).await?, context.now());
    Ok(!sanctions.iter().any(|sanction| sanction.kind == SanctionKind::Ban && sanction.holds(now)))
}
