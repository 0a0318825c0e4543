//! Room on the disk.
//!
//! What is in the WAL alone needs room in the database before the WAL can be cut off. On a disk
//! that the WAL has filled there is none, and nothing would ever free any. So writes are refused
//! while there is still room to copy the WAL.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use super::files::{LOG, beside, folder_of};

/// How often the WAL is copied and cut off at most because there is no room.
const EMPTIED_EVERY: Duration = Duration::from_secs(1);

/// The disk under a database, as the one who writes it and those who ask for its state see it.
#[derive(Clone)]
pub(super) struct Disk {
    database: PathBuf,
    reserve_bytes: u64,
    /// Whether writes are refused.
    full: Arc<AtomicBool>,
}

/// How much room there is, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    /// What the system lets its users add.
    pub(super) free: u64,
    /// What must stay free whatever the WAL holds.
    pub(super) reserve: u64,
}

impl Room {
    /// Whether there is room for a transaction and then for the copy of the WAL, by which the
    /// database grows by so many bytes.
    pub(super) const fn is_enough(self, growth: u64) -> bool {
        self.free >= self.reserve.saturating_add(growth)
    }
}

impl Disk {
    pub(super) fn under(database: &Path, reserve_bytes: u64) -> Self {
        Self { database: database.to_owned(), reserve_bytes, full: Arc::default() }
    }

    /// How much room there is; none if the system does not tell.
    pub(super) fn room(&self) -> Option<Room> {
        let free = free_bytes(folder_of(&self.database))?;
        metrics::gauge!("lusoria_disk_free_bytes").set(float(free));
        Some(Room { free, reserve: self.reserve_bytes })
    }

    /// The length of the WAL: the database grows by no more when it is copied.
    pub(super) fn wal_bytes(&self) -> u64 {
        length(&beside(&self.database, LOG))
    }

    /// The length of the database.
    pub(super) fn database_bytes(&self) -> u64 {
        length(&self.database)
    }

    /// Whether writes are refused, or will be at the next one.
    pub(super) fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed) || self.room().is_some_and(|room| !room.is_enough(0))
    }

    /// Notes whether writes are refused; the log tells when that changes.
    pub(super) fn set_full(&self, full: bool) {
        if self.full.swap(full, Ordering::Relaxed) == full {
            return;
        }
        let path = self.database.display();
        if full {
            tracing::error!(%path, "the disk is full: writes are refused until there is room");
        } else {
            tracing::warn!(%path, "the disk has room again: writes are accepted");
        }
    }
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}

#[expect(clippy::cast_precision_loss, reason = "a gauge of bytes need not be exact")]
fn float(bytes: u64) -> f64 {
    bytes as f64
}

#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

/// Elsewhere a full disk is found when a write meets it.
#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// When the WAL was last emptied for want of room.
#[derive(Debug, Default)]
pub(super) struct Emptied(Option<Instant>);

impl Emptied {
    /// Whether it may be tried again; if so, it is taken to be tried now.
    pub(super) fn is_due(&mut self) -> bool {
        let due = self.0.is_none_or(|at| at.elapsed() >= EMPTIED_EVERY);
        if due {
            self.0 = Some(Instant::now());
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_of_the_wal_comes_on_top_of_the_reserve() {
        let room = Room { free: 100, reserve: 40 };
        assert!(room.is_enough(60));
        assert!(!room.is_enough(61));
        assert!(!room.is_enough(u64::MAX));
    }

    #[test]
    fn a_disk_with_less_than_the_reserve_is_full() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("test.db");
        assert!(!Disk::under(&database, 1).is_full());
        assert!(Disk::under(&database, u64::MAX).is_full());
    }
}
