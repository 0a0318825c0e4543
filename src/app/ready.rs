//! Whether the server is ready.

use lusoria_protocol::Problem;

use crate::app::{App, problem};

impl App {
    /// Whether the store can be read, has free space, and was written lately.
    ///
    /// # Errors
    /// `unavailable`, `internal` or `stopping`, as a request would get now.
    pub async fn ready(&self) -> Result<(), Problem> {
        self.store().next_deadline().await.map_err(problem::store)?;
        if self.store().is_full() {
            return Err(problem::full());
        }
        if self.live.is_well() { Ok(()) } else { Err(problem::unavailable()) }
    }

    /// How many commits, at most, were missing when the server started; none if none were.
    pub fn lost_commits(&self) -> Option<u64> {
        Some(self.store().lost_commits()).filter(|&lost| lost > 0)
    }

    /// Whether it is unknown if commits were missing when the server started.
    pub fn is_loss_unknown(&self) -> bool {
        self.store().is_loss_unknown()
    }
}
