//! The matches that had a request in the last seconds. They stay in memory.

use std::sync::{Arc, atomic::Ordering};

use lusoria_play::Millis;
use parking_lot::Mutex;

use super::Room;

/// How long a match stays in memory after a request, in milliseconds.
const STAYS_FOR_MS: Millis = 30_000;

/// The matches that had a request in the last [`STAYS_FOR_MS`].
#[derive(Default)]
pub(super) struct RecentRooms(Mutex<Vec<Arc<Room>>>);

impl RecentRooms {
    /// Notes a request to a match.
    pub(super) fn note(&self, room: &Arc<Room>, now: Millis) {
        room.requested_at.store(now, Ordering::SeqCst);
        if !room.is_recent.swap(true, Ordering::SeqCst) {
            self.0.lock().push(Arc::clone(room));
            metrics::gauge!("lusoria_matches_recent").increment(1);
        }
    }

    /// Drops the matches whose last request is longer ago.
    pub(super) fn sweep(&self, now: Millis) {
        self.0.lock().retain(|room| {
            let is_idle = || room.requested_at.load(Ordering::SeqCst) + STAYS_FOR_MS <= now;
            if !is_idle() || !room.drop_caches() {
                return true;
            }
            room.is_recent.store(false, Ordering::SeqCst);
            // A request that came in between has seen that it is recent.
            let stays = !is_idle() && !room.is_recent.swap(true, Ordering::SeqCst);
            if !stays {
                metrics::gauge!("lusoria_matches_recent").decrement(1);
            }
            stays
        });
    }
}
