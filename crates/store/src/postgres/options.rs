//! How to use the database.

use std::time::Duration;

/// How to use the database.
#[derive(Debug, Clone)]
pub struct PostgresOptions {
    /// How many connections write. Writes to one match go over one of them.
    pub writers: usize,
    /// How many connections read.
    pub readers: u32,
    /// How many writes may wait for each connection; more are refused as busy.
    pub queue_max: usize,
    /// How long to wait for a connection.
    pub connect_timeout: Duration,
    /// How long the database may take for a statement, waiting for locks included.
    pub statement_timeout: Duration,
    /// How long to wait for an answer. Longer than a statement may take: then the connection is broken, and
    /// the outcome of a write unknown.
    pub answer_timeout: Duration,
}

impl Default for PostgresOptions {
    /// 3 that write, 8 that read, 2048 waiting writes, 5 seconds, 5 seconds, 8 seconds.
    fn default() -> Self {
        Self {
            writers: 3,
            readers: 8,
            queue_max: 2048,
            connect_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(5),
            answer_timeout: Duration::from_secs(8),
        }
    }
}
