//! The scheduler's next wake time, and how to make it earlier.

use std::sync::atomic::{AtomicU64, Ordering};

use lusoria_play::Millis;
use tokio::sync::Notify;

/// The scheduler's next wake time, and a signal when a deadline is earlier.
#[derive(Debug)]
pub(super) struct Alarm {
    next: AtomicU64,
    earlier: Notify,
}

impl Default for Alarm {
    fn default() -> Self {
        Self { next: AtomicU64::new(u64::MAX), earlier: Notify::new() }
    }
}

impl Alarm {
    /// Sets the new deadline of a match.
    pub(super) fn set(&self, deadline: Option<Millis>) {
        if deadline.is_some_and(|deadline| deadline < self.next.load(Ordering::Acquire)) {
            self.earlier.notify_one();
        }
    }

    /// Sets the next wake time; [`Millis::MAX`] while the scheduler looks up deadlines, so that every new
    /// deadline is earlier.
    pub(super) fn wakes_at(&self, next: Millis) {
        self.next.store(next, Ordering::Release);
    }

    /// Waits until a deadline is set that is earlier than the next wake.
    pub(super) async fn earlier(&self) {
        self.earlier.notified().await;
    }
}
