//! Counts how requests and connections ended.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How often each thing happened to a flood: `429 too_many_requests` for a response over HTTP, `error
/// too_many_requests` for one on a socket, `close 4429` for a close frame, `closed` for a connection that
/// ended without one, `sent` for what the flood itself sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally(pub(super) BTreeMap<String, u64>);

impl Tally {
    pub(super) fn count(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }

    pub(super) fn add(&mut self, other: Self) {
        for (what, times) in other.0 {
            *self.0.entry(what).or_default() += times;
        }
    }

    pub(super) fn has(&self, what: &str) -> bool {
        self.0.contains_key(what)
    }
}
