//! Which ratings this node is changing.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use lusoria_play::{BySeat, PlayerId};
use lusoria_store::RatingKey;
use parking_lot::Mutex;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

/// Locks of ratings, each from its reading to the commit of its change. Without them a player whose matches end in the
/// same moment would have them conflict again and again; what other nodes change conflicts nevertheless.
#[derive(Default)]
pub(in crate::live) struct RatingLocks {
    locks: Mutex<HashMap<(PlayerId, RatingKey), Weak<AsyncMutex<()>>>>,
}

/// The locks of the two players of a match.
pub(in crate::live) struct HeldRatings {
    _held: [OwnedMutexGuard<()>; 2],
}

impl RatingLocks {
    /// Waits until nobody else changes these ratings. The players are two.
    pub(in crate::live) async fn hold(&self, players: BySeat<PlayerId>, key: RatingKey) -> HeldRatings {
        // In one order everywhere, so that nobody waits in a circle.
        let (first, second) = (players.0.min(players.1), players.0.max(players.1));
        let first = self.lock(first, key).lock_owned().await;
        HeldRatings { _held: [first, self.lock(second, key).lock_owned().await] }
    }

    fn lock(&self, player: PlayerId, key: RatingKey) -> Arc<AsyncMutex<()>> {
        let mut locks = self.locks.lock();
        if let Some(lock) = locks.get(&(player, key)).and_then(Weak::upgrade) {
            return lock;
        }
        // Those that nobody holds or waits for.
        locks.retain(|_, lock| lock.strong_count() > 0);
        let lock = Arc::default();
        locks.insert((player, key), Arc::downgrade(&lock));
        lock
    }
}
