//! How to keep the file.

use std::{sync::Arc, time::Duration};

/// Called when a sync of the file has failed, with the error; it should not return.
pub(super) type OnFatal = Arc<dyn Fn(&str) + Send + Sync>;

/// How many bytes of the disk stay free if nothing else is said: twice what the largest
/// transaction adds to the WAL.
pub const RESERVE_BYTES: u64 = 8 << 20;

/// What to do at a start if commits are missing that were acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnLostCommits {
    /// Begin a new history, so that clients forget what they know, and go on with what is there.
    #[default]
    NewHistory,
    /// Do not open the database, and leave the files as they are.
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
    /// How many bytes of the disk stay free besides those that the copy of the WAL needs.
    pub reserve_bytes: u64,
    /// What to do if commits are missing that were acknowledged.
    pub on_lost_commits: OnLostCommits,
    /// Called when a sync of the file has failed, with the error. What has been
    /// promised to be durable may then be lost, so it should end the process.
    pub on_fatal: OnFatal,
}

impl Default for SqliteOptions {
    /// Four readers, 4096 waiting writes, 5 seconds, no limit, [`RESERVE_BYTES`], a new history,
    /// [`std::process::abort`].
    fn default() -> Self {
        Self {
            readers: 4,
            queue_max: 4096,
            busy_timeout: Duration::from_secs(5),
            pages_max: None,
            reserve_bytes: RESERVE_BYTES,
            on_lost_commits: OnLostCommits::default(),
            on_fatal: Arc::new(|why| {
                tracing::error!(why, "the database file could not be synced: stopping");
                std::process::abort();
            }),
        }
    }
}
