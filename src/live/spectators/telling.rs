//! Publishes the numbers of spectators regularly.

use std::{sync::Arc, time::Duration};

use tokio::time::MissedTickBehavior;

use super::{
    super::{Notice, context::Context},
    News,
};

/// How often a changed number of spectators is published.
const TOLD_EVERY: Duration = Duration::from_secs(2);

/// Publishes the numbers of spectators to watchers here and to other nodes, until the server stops.
pub(in crate::live) async fn tell_now_and_then(context: Arc<Context>) {
    let mut ticks = tokio::time::interval(TOLD_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            () = context.stopping.cancelled() => return,
            _ = ticks.tick() => tell(&context),
        }
    }
}

fn tell(context: &Context) {
    for News { id, all, here } in context.spectators.take_news(context.now()) {
        if let Some(count) = here {
            context.tell_spectators(id, count);
        }
        if let (Some(count), Some(room)) = (all, context.rooms.get(id)) {
            room.notify(&context.render.notice(&Notice::Spectators { id, count }));
        }
    }
}
