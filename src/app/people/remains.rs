//! Overwrites deleted data of erased people in the store's files. That is a pass over the whole database, so
//! one pass serves all requests that wait for it.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use crate::app::App;

/// How often a pass tries to reset the WAL, and how long it waits for its readers each time.
const RESETS_MAX: u32 = 10;
const RESET_RETRY: Duration = Duration::from_millis(200);

/// The overwriting passes, one at a time.
#[derive(Default)]
pub(in crate::app) struct Remains {
    /// Number of passes that have begun.
    begun: AtomicU64,
    /// The last finished pass.
    last: tokio::sync::Mutex<Pass>,
}

/// A finished pass.
#[derive(Clone, Copy, Default)]
struct Pass {
    number: u64,
    is_clean: bool,
}

impl App {
    /// Overwrites data that was deleted before this call, and removes it from the WAL. False if some may be
    /// left, because of a long reader or a failing store.
    pub(in crate::app) async fn leave_no_trace(&self) -> bool {
        // A pass that has already begun may have missed data deleted just now.
        let begun = self.remains.begun.load(Ordering::SeqCst);
        let mut last = self.remains.last.lock().await;
        if last.number <= begun {
            let number = self.remains.begun.fetch_add(1, Ordering::SeqCst) + 1;
            *last = Pass { number, is_clean: self.erase_remains().await };
        }
        last.is_clean
    }

    async fn erase_remains(&self) -> bool {
        for _ in 0..RESETS_MAX {
            match self.store().erase_remains().await {
                Ok(true) => return true,
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "could not reset the WAL after erasing; retrying"),
            }
            tokio::time::sleep(RESET_RETRY).await;
        }
        false
    }
}
