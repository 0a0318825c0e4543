//! What nodes have logged as warnings, and when by virtual time.

use std::{collections::BTreeMap, io, sync::Arc};

use parking_lot::Mutex;
use serde_json::Value;
use tokio::time::Instant;
use tracing::{Level, subscriber::DefaultGuard};

use crate::simulation::cluster_plan::NODES;

/// How long the same warning about the same tournament is not repeated by a node, in seconds.
const WARNED_EVERY_S: u64 = 60;

/// The warnings of all nodes.
#[derive(Clone, Default)]
pub(super) struct Log(Arc<Mutex<Vec<(Instant, Value)>>>);

impl io::Write for Log {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if let Ok(line) = serde_json::from_slice(line) {
            self.0.lock().push((Instant::now(), line));
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    /// Listens to this thread.
    pub(super) fn listen(&self) -> DefaultGuard {
        let log = self.clone();
        let writer = move || log.clone();
        let listener = tracing_subscriber::fmt().json().without_time().with_max_level(Level::WARN);
        tracing::subscriber::set_default(listener.with_writer(writer).finish())
    }

    /// No node repeats a warning about a tournament within a minute. Nodes that were killed in it know nothing of it.
    pub(super) fn says_nothing_too_often(&self, lives: &[Instant]) -> Result<(), String> {
        let mut said: BTreeMap<String, Vec<Instant>> = BTreeMap::new();
        for (at, line) in self.0.lock().iter() {
            if line["target"].as_str().is_some_and(|target| target.contains("live::tournaments"))
                && line["fields"]["id"].is_string()
            {
                said.entry(line["fields"]["message"].to_string()).or_default().push(*at);
            }
        }
        for (message, times) in said {
            for from in &times {
                let within =
                    |at: &&Instant| *at >= from && at.duration_since(*from).as_secs() < WARNED_EVERY_S;
                let count = times.iter().filter(within).count();
                let started = lives.iter().filter(within).count();
                if count > NODES + started {
                    return Err(format!("{message} was logged {count} times in a minute"));
                }
            }
        }
        Ok(())
    }
}
