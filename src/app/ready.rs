//! Whether the application can do its work.

use lusoria_protocol::Problem;

use super::{App, problem};

impl App {
    /// Whether the store can be read, has room, and has lately been written.
    ///
    /// # Errors
    /// `unavailable`, `internal` or `stopping`, as a request would find now.
    pub async fn ready(&self) -> Result<(), Problem> {
        self.store().next_deadline().await.map_err(problem::store)?;
        if self.store().is_full() {
            return Err(problem::full());
        }
        if self.live.is_well() { Ok(()) } else { Err(problem::unavailable()) }
    }

    /// At most how many commits were missing when the server started; none if nothing was.
    pub fn lost_commits(&self) -> Option<u64> {
        Some(self.store().lost_commits()).filter(|&lost| lost > 0)
    }

    /// Whether nobody can tell whether commits were missing when the server started.
    pub fn is_loss_unknown(&self) -> bool {
        self.store().is_loss_unknown()
    }
}
