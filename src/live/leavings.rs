//! Records who left a match, once that has ended it.

use std::sync::Arc;

use lusoria_play::{Match, Recorded};

use super::context::Context;

/// Stores who left the match, if these events end it that way. If storing fails, the leaving is ignored.
pub(super) fn note(context: &Context, before: &Match, state: &Match, events: &[Recorded]) {
    let leaver = before.leaver(events).and_then(|seat| state.player(seat));
    let Some((player, at)) = leaver.map(|player| player.id).zip(events.last().map(|last| last.at)) else {
        return;
    };
    let (store, id) = (Arc::clone(&context.store), state.id());
    context.tasks.spawn(async move {
        if let Err(error) = store.note_leaving(id, player, at).await {
            tracing::warn!(%error, "could not store who left a match; continuing without it");
        }
    });
}
