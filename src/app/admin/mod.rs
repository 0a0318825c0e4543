//! What the person who runs the server does, on a server that runs and, through the same
//! code, on one that does not.

mod acts;
mod matches;
mod questions;
mod told;

pub use questions::{Question, answer};
pub use told::{GuestTold, MatchTold, StatisticsTold};

use std::collections::BTreeMap;

use lusoria_play::{Millis, PlayerId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::live::CommandError;
use lusoria_store::StoreError;

/// What is to be done. A guest is named by his id, or by what he is called if nobody else is
/// called so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Act {
    /// End a match without a result.
    End {
        /// Which.
        id: Uuid,
        /// Why, for the log.
        reason: Option<String>,
    },
    /// Call a guest otherwise.
    Rename {
        /// Whom.
        guest: String,
        /// What he is called from now on.
        name: String,
        /// Whether in all of his matches too, as if he had never been called otherwise.
        everywhere: bool,
    },
    /// Let a guest do nothing any more, and end his matches.
    Block {
        /// Whom.
        guest: String,
    },
    /// Let him again.
    Unblock {
        /// Whom.
        guest: String,
    },
    /// Forget a person; what he played stays, without his name.
    Erase {
        /// Whom.
        guest: String,
    },
    /// End matches that nobody has touched for long, and forget those without a turn.
    Prune {
        /// For how long, in milliseconds.
        older_than_ms: Millis,
    },
    /// What changes nothing.
    #[serde(untagged)]
    Ask(Question),
}

/// What has been done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "done", rename_all = "snake_case")]
pub enum Done {
    /// The match has ended.
    Ended(MatchTold),
    /// The guest is called otherwise.
    Renamed {
        /// The guest now.
        guest: GuestTold,
        /// Matches in which his name was replaced.
        matches: u64,
        /// Those in which it was not.
        #[serde(default, skip_serializing_if = "Failed::is_empty")]
        failed: Failed,
    },
    /// The guest is blocked.
    Blocked {
        /// The guest now.
        guest: GuestTold,
        /// Matches of his that were ended.
        ended: u64,
        /// Those that were not.
        #[serde(default, skip_serializing_if = "Failed::is_empty")]
        failed: Failed,
    },
    /// He is not any more.
    Unblocked {
        /// The guest now.
        guest: GuestTold,
    },
    /// The person is forgotten.
    Erased {
        /// Who it was.
        id: Uuid,
        /// Matches of his that were ended.
        ended: u64,
        /// Matches in which his name was replaced.
        matches: u64,
        /// Whether the log of the database may still hold what was deleted, since somebody reads
        /// it: it goes when the log is begun anew.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_left_in_log: bool,
        /// Those that were not ended, or in which his name still stands. It can be done again by
        /// his id.
        #[serde(default, skip_serializing_if = "Failed::is_empty")]
        failed: Failed,
    },
    /// There was nobody to be forgotten: perhaps it was done before.
    NothingLeft {
        /// Whom nobody knows.
        id: Uuid,
        /// Whether the log of the database may still hold what was deleted before.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_left_in_log: bool,
    },
    /// Old matches are ended.
    Pruned {
        /// Ended, those that were forgotten among them.
        ended: u64,
        /// Forgotten.
        forgotten: u64,
        /// Whether nothing was done, since it was only asked.
        dry_run: bool,
        /// Those that were not.
        #[serde(default, skip_serializing_if = "Failed::is_empty")]
        failed: Failed,
    },
    /// How much there is of everything.
    Statistics(StatisticsTold),
    /// The guests that were asked for.
    Guests {
        /// The newest first.
        guests: Vec<GuestTold>,
    },
    /// The match that was asked for.
    Match(MatchTold),
}

/// Matches that could not be changed, and why.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Failed(BTreeMap<Uuid, String>);

impl Failed {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Which, with the reason, in the order of their ids.
    pub fn told(&self) -> impl Iterator<Item = (Uuid, &str)> {
        self.0.iter().map(|(id, why)| (*id, why.as_str()))
    }

    fn list(&self) -> String {
        let told: Vec<String> = self.told().map(|(id, why)| format!("{id} ({why})")).collect();
        told.join(", ")
    }
}

impl Done {
    /// The matches that could not be changed.
    pub fn failed(&self) -> Option<&Failed> {
        match self {
            Self::Renamed { failed, .. }
            | Self::Blocked { failed, .. }
            | Self::Erased { failed, .. }
            | Self::Pruned { failed, .. } => Some(failed).filter(|failed| !failed.is_empty()),
            Self::Ended(_)
            | Self::Unblocked { .. }
            | Self::NothingLeft { .. }
            | Self::Statistics(_)
            | Self::Guests { .. }
            | Self::Match(_) => None,
        }
    }

    /// Whether nothing is left to be done again.
    pub fn is_whole(&self) -> bool {
        let is_left_in_log = match self {
            Self::Erased { is_left_in_log, .. } | Self::NothingLeft { is_left_in_log, .. } => *is_left_in_log,
            Self::Ended(_)
            | Self::Renamed { .. }
            | Self::Blocked { .. }
            | Self::Unblocked { .. }
            | Self::Pruned { .. }
            | Self::Statistics(_)
            | Self::Guests { .. }
            | Self::Match(_) => false,
        };
        self.failed().is_none() && !is_left_in_log
    }
}

/// Why an act was not done. Nothing has been changed, unless it says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// Nobody has that id or name.
    #[error("there is no guest \"{0}\"")]
    NoSuchGuest(String),
    /// Several guests are called so.
    #[error("{} guests are called \"{name}\"; name one by his id: {}", ids.len(), list(ids))]
    Several {
        /// What they are called.
        name: String,
        /// Who they are, the newest first.
        ids: Vec<PlayerId>,
    },
    /// The computer is no guest.
    #[error("\"{0}\" is the computer")]
    Computer(String),
    /// The name cannot be a guest's.
    #[error("\"{name}\" cannot be a name: {why}")]
    Name {
        /// The name.
        name: String,
        /// Why not.
        why: String,
    },
    /// There is no such match.
    #[error("there is no match {0}")]
    NoSuchMatch(Uuid),
    /// The match has ended.
    #[error("match {0} is over")]
    Over(Uuid),
    /// A match could not be changed; what was done to others before it stays done.
    #[error("match {id}: {error}; what was done before stays done: do it again for the rest")]
    Match {
        /// Which.
        id: Uuid,
        /// Why not.
        error: CommandError,
    },
    /// It was broken off when some matches could not be changed already.
    #[error("{why}; these matches could not be changed either: {}", .failed.list())]
    BrokenOff {
        /// By what.
        why: Box<Refused>,
        /// Which matches, and why.
        failed: Failed,
    },
    /// The store failed; do it again.
    #[error("{0}; do it again, since some of it may have been done")]
    Store(#[from] StoreError),
}

fn list(ids: &[PlayerId]) -> String {
    let ids: Vec<String> = ids.iter().map(|id| id.0.to_string()).collect();
    ids.join(", ")
}
