//! Takes over commits of other nodes.
//!
//! Every watched match is read every two seconds, whatever messages have come over the bus: a node may die
//! between its commit and its message, and messages may be lost.

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use lusoria_play::Match;
use lusoria_store::{HEADS_MAX, StoreError, Version};
use tokio::time::MissedTickBehavior;

use super::{
    CommandError, Room,
    context::Context,
    journal::{read_match, read_on},
};

/// How often all watched matches are read.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Reads new events from the journal of a match, and marks the match for its watchers.
///
/// # Errors
/// If the match no longer exists, or its journal cannot be read.
pub(super) async fn refresh(context: &Context, room: &Arc<Room>) -> Result<(), CommandError> {
    let (before, edition) = room.edited_state();
    let mut state = Match::clone(&before);
    let (events, edition) = if let Some(events) = read_on(&context.store, &mut state, edition).await? {
        (events, edition)
    } else {
        let (anew, edition) = read_match(&context.store, room.id()).await?;
        let count = anew.head().saturating_sub(before.head());
        let events = context.store.events(room.id(), before.head(), count).await?.events;
        state = anew;
        (events, edition)
    };
    if room.take_over(state, edition, &events, &*context.render) {
        room.mark(&context.tasks);
    }
    Ok(())
}

/// Refreshes a match soon if another node reports a later version.
pub(super) fn take_told(context: &Arc<Context>, room: &Arc<Room>, version: Version) {
    let known = room.version();
    if (version.edition, version.head) > (known.edition, known.head) {
        refresh_soon(context, room);
    }
}

/// Refreshes a match in a task of its own. If one is running, it refreshes once more.
fn refresh_soon(context: &Arc<Context>, room: &Arc<Room>) {
    if room.wanted_refreshes.fetch_add(1, Ordering::AcqRel) > 0 {
        return;
    }
    let (context, room) = (Arc::clone(context), Arc::clone(room));
    context.tasks.clone().spawn(async move {
        loop {
            let wanted = room.wanted_refreshes.load(Ordering::Acquire);
            if let Err(error) = refresh(&context, &room).await {
                tracing::debug!(id = %room.id().0, %error, "could not read what another node committed; retrying soon");
            }
            let none_since = room.wanted_refreshes.compare_exchange(wanted, 0, Ordering::AcqRel, Ordering::Acquire);
            if none_since.is_ok() {
                return;
            }
        }
    });
}

/// Refreshes every watched match regularly, until the server stops.
pub(super) async fn look_now_and_then(context: Arc<Context>) {
    let mut ticks = tokio::time::interval(LOOK_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            () = context.stopping.cancelled() => return,
            _ = ticks.tick() => {}
            () = context.look.notified() => {}
        }
        if let Err(error) = look(&context).await {
            tracing::warn!(%error, "could not refresh the watched matches; retrying");
        }
    }
}

async fn look(context: &Arc<Context>) -> Result<(), StoreError> {
    for rooms in context.rooms.watched().chunks(HEADS_MAX) {
        let heads = context.store.heads(rooms.iter().map(|room| room.id()).collect()).await?;
        let heads: BTreeMap<_, _> = heads.into_iter().collect();
        for room in rooms {
            let Some(head) = heads.get(&room.id()) else {
                // The match has been deleted. Watchers keep what they have.
                context.rooms.remove(room.id());
                continue;
            };
            if head.version == room.version() {
                continue;
            }
            match refresh(context, room).await {
                Ok(()) | Err(CommandError::NoSuchMatch) => {}
                Err(CommandError::Store(error @ (StoreError::Busy(_) | StoreError::Closed))) => {
                    return Err(error);
                }
                Err(error) => {
                    tracing::warn!(id = %room.id().0, %error, "could not read new events of a match");
                }
            }
        }
    }
    Ok(())
}
