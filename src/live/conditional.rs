//! Plays the turns that players have laid down for when their opponents have played, in matches by days: as if the
//! player had sent them at that moment.
//!
//! Every commit of this node marks its match. What a node that ended has left undone, every node looks for at its start
//! and each minute. Two that play the same turn play it once.

use std::{sync::Arc, time::Duration};

use lusoria_play::{MatchId, Millis};
use lusoria_store::StoreError;
use tokio::time::MissedTickBehavior;

use super::{CommandError, MatchRequest, computer_inbox::Marked, context::Context, loading, refresh, submit};

/// How often it is looked for what was left undone.
const LOOK_EVERY: Duration = Duration::from_mins(1);

/// How long ago what was left undone can have been committed, but at a start.
const LEFT_FOR_MS: Millis = 10 * 60_000;

/// How many matches are read at once.
const BATCH: u32 = 256;

/// The most events that can stand between the beginning of a line and its end: its turns, and a few offers and credits
/// for each.
const SINCE_MAX: u32 = 256;

/// Plays what is laid down, until the server stops.
pub(super) async fn keep_playing(context: Arc<Context>) {
    let mut look = tokio::time::interval(LOOK_EVERY);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // What was left undone before the start, whenever that was.
    let mut since = 0;
    loop {
        tokio::select! {
            biased;
            () = context.stopping.cancelled() => return,
            Marked { matches, more } = context.conditional_inbox.take() => {
                for id in matches {
                    play(&context, id).await;
                }
                if more {
                    since = look_for_left(&context, since).await;
                }
            }
            _ = look.tick() => since = look_for_left(&context, since).await,
        }
    }
}

/// Marks the matches that have changed since. Returns since when to look the next time.
async fn look_for_left(context: &Context, since: Millis) -> Millis {
    let next = context.now().saturating_sub(LEFT_FOR_MS);
    match mark_changed(context, since).await {
        Ok(()) => next,
        Err(error) => {
            tracing::warn!(%error, "could not look for conditional turns; retrying");
            since
        }
    }
}

async fn mark_changed(context: &Context, since: Millis) -> Result<(), StoreError> {
    let mut after = None;
    loop {
        let found = context.store.conditional_matches(since, after, BATCH).await?;
        for id in &found {
            context.conditional_inbox.mark(*id);
        }
        if found.len() < BATCH as usize {
            return Ok(());
        }
        after = found.last().copied();
    }
}

/// Plays the turn that the player to play has laid down for this match, if there is one.
async fn play(context: &Arc<Context>, id: MatchId) {
    match try_to_play(context, id).await {
        Ok(()) | Err(CommandError::Stopping | CommandError::Refused(_)) => {}
        Err(error) => {
            tracing::warn!(id = %id.0, %error, "could not play a conditional turn; retrying within a minute");
        }
    }
}

async fn try_to_play(context: &Arc<Context>, id: MatchId) -> Result<(), CommandError> {
    let room = loading::room(context, id).await?;
    if context.membership.is_shared() {
        refresh::refresh(context, &room).await?;
    }
    let state = room.state();
    if !state.terms().clock.is_by_days() {
        return Ok(());
    }
    let Some(player) = state.to_play().and_then(|to_play| state.player(to_play.seat)) else { return Ok(()) };
    let Some(laid_down) = context.store.conditional_turns(id, player.id).await? else { return Ok(()) };
    // Who is blocked plays nothing, not even by an earlier request.
    let guest = context.store.guest(player.id).await?;
    if guest.is_none_or(|guest| guest.blocked_at.is_some()) {
        return Ok(());
    }
    let since = context.store.events(id, laid_down.after, SINCE_MAX).await?.events;
    let Some(command) = state.conditional_turn(player.id, &laid_down, &since) else { return Ok(()) };
    let request = MatchRequest::Command { command, key: None, spends: None };
    submit::submit_now(context, &room, request, context.now()).await?;
    tracing::debug!(id = %id.0, "played a conditional turn");
    Ok(())
}
