//! How to open and keep the file.

use std::{sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;

/// Called when a sync of the file has failed, with the error; it should not return.
pub(super) type OnFatal = Arc<dyn Fn(&str) + Send + Sync>;

/// How many bytes of the disk stay free by default: twice what the largest transaction adds to
/// the WAL.
pub const RESERVE_BYTES: u64 = 8 << 20;

/// What to do at a start if acknowledged commits are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnLostCommits {
    /// Begin a new history, so that clients discard what they know, and continue with what is left.
    #[default]
    NewHistory,
    /// Refuse to open the database, and leave the files as they are.
    Refuse,
}

/// How to keep the file.
#[derive(Clone)]
pub struct SqliteOptions {
    /// How many connections read.
    pub readers: u32,
    /// How many writes may wait; more are refused as busy.
    pub queue_max: usize,
    /// How long to wait for a lock that another program holds.
    pub busy_timeout: Duration,
    /// The most pages (4 KiB each) the file may have; beyond them it counts as full.
    pub pages_max: Option<u32>,
    /// How many bytes of the disk stay free besides those that a checkpoint needs.
    pub reserve_bytes: u64,
    /// How long after its last event a finished match is packed: a rematch is offered soon or never.
    pub pack_after: Duration,
    /// What to do if acknowledged commits are missing.
    pub on_lost_commits: OnLostCommits,
    /// Cancels opening, as long as nothing has been created or migrated.
    pub cancel_opening: CancellationToken,
    /// Called when a sync of the file has failed, with the error. Acknowledged commits may then
    /// be lost, so it should end the process.
    pub on_fatal: OnFatal,
}

impl Default for SqliteOptions {
    /// Four readers, 4096 waiting writes, 5 seconds, no limit, [`RESERVE_BYTES`], ten minutes, a new
    /// history, never cancelled, [`std::process::abort`].
    fn default() -> Self {
        Self {
            readers: 4,
            queue_max: 4096,
            busy_timeout: Duration::from_secs(5),
            pages_max: None,
            reserve_bytes: RESERVE_BYTES,
            pack_after: Duration::from_mins(10),
            on_lost_commits: OnLostCommits::default(),
            cancel_opening: CancellationToken::new(),
            on_fatal: Arc::new(|why| {
                tracing::error!(why, "syncing the database failed; aborting the process");
                std::process::abort();
            }),
        }
    }
}
