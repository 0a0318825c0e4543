//! Tells those who follow a tournament that it has changed.

use std::{collections::HashMap, sync::Arc, time::Duration};

use lusoria_play::TournamentId;
use lusoria_store::HEADS_MAX;
use tokio::time::MissedTickBehavior;

use crate::live::{Notice, context::Context};

/// How often a follower is told at most, and how often the heads are read, since other nodes append too.
const EVERY: Duration = Duration::from_secs(1);

/// Tells followers of changes until the server stops.
pub(in crate::live) async fn tell_followers(context: Arc<Context>) {
    let mut told: HashMap<TournamentId, u32> = HashMap::new();
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while context.stopping.run_until_cancelled(ticks.tick()).await.is_some() {
        let followed = context.topics.followed_tournaments();
        told.retain(|id, _| followed.contains(id));
        for some in followed.chunks(HEADS_MAX) {
            let heads = match context.store.tournament_heads(some.to_vec()).await {
                Ok(heads) => heads,
                Err(error) => {
                    tracing::warn!(%error, "could not look up followed tournaments; retrying");
                    break;
                }
            };
            for (id, head) in heads {
                // A client that has just begun to follow may have read an earlier head.
                if told.insert(id, head) != Some(head) {
                    let notice = || context.render.notice(&Notice::TournamentChanged { id, head });
                    context.topics.tell_tournament(id, notice);
                }
            }
        }
    }
}
