//! Locks on ratings that this node is changing.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use lusoria_play::{BySeat, PlayerId};
use lusoria_store::RatingKey;
use parking_lot::Mutex;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

/// Locks of ratings, each held from reading the rating to committing its change. Without them matches of one
/// player that end at the same moment would conflict again and again. Changes by other nodes can still
/// conflict.
#[derive(Default)]
pub(in crate::live) struct RatingLocks(Mutex<HashMap<(PlayerId, RatingKey), Weak<Lock>>>);

type Lock = AsyncMutex<()>;

/// The locks of the two players of a match.
pub(in crate::live) struct HeldRatings {
    _held: [OwnedMutexGuard<()>; 2],
}

impl RatingLocks {
    /// Waits until nobody else on this node changes these ratings. The two players must differ.
    pub(in crate::live) async fn hold(&self, players: BySeat<PlayerId>, key: RatingKey) -> HeldRatings {
        // Always in the same order, to avoid deadlock.
        let (first, second) = (players.0.min(players.1), players.0.max(players.1));
        let first = self.lock(first, key).lock_owned().await;
        HeldRatings { _held: [first, self.lock(second, key).lock_owned().await] }
    }

    fn lock(&self, player: PlayerId, key: RatingKey) -> Arc<Lock> {
        let mut locks = self.0.lock();
        if let Some(lock) = locks.get(&(player, key)).and_then(Weak::upgrade) {
            return lock;
        }
        // Removes locks that nobody holds or waits for.
        locks.retain(|_, lock| lock.strong_count() > 0);
        let lock = Arc::default();
        locks.insert((player, key), Arc::downgrade(&lock));
        lock
    }
}
