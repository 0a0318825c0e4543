//! Whether the application can do its work.

use lusoria_protocol::Problem;

use super::{App, problem};

impl App {
    /// Whether the store can be read and has lately been written.
    ///
    /// # Errors
    /// `unavailable`, `internal` or `stopping`, as a request would find now.
    pub async fn ready(&self) -> Result<(), Problem> {
        self.store().next_deadline().await.map_err(problem::store)?;
        if self.live.is_well() { Ok(()) } else { Err(problem::unavailable()) }
    }
}
