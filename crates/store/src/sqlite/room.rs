//! Room on the disk.
//!
//! A checkpoint needs room in the database before the WAL can be truncated. On a disk that the WAL
//! has filled there is none, and nothing would ever free any. So writes are refused while there
//! is still room for a checkpoint.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use super::files::{WAL, beside, folder_of};

/// At most how often the WAL is truncated for want of room.
const TRUNCATED_EVERY: Duration = Duration::from_secs(1);

/// The disk that holds a database; shared by the writer and by those who ask for its state.
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
    /// What an unprivileged user may still write.
    pub(super) free: u64,
    /// What must stay free besides the growth by a checkpoint.
    pub(super) reserve: u64,
}

impl Room {
    /// Whether there is room for a transaction and then for a checkpoint that makes the database
    /// `growth` bytes longer.
    pub(super) const fn is_enough(self, growth: u64) -> bool {
        self.free >= self.reserve.saturating_add(growth)
    }
}

impl Disk {
    pub(super) fn under(database: &Path, reserve_bytes: u64) -> Self {
        Self { database: database.to_owned(), reserve_bytes, full: Arc::default() }
    }

    /// How much room there is; none if the system does not say.
    pub(super) fn room(&self) -> Option<Room> {
        let free = free_bytes(folder_of(&self.database))?;
        metrics::gauge!("lusoria_disk_free_bytes").set(float(free));
        Some(Room { free, reserve: self.reserve_bytes })
    }

    /// The length of the WAL: a checkpoint makes the database grow by no more.
    pub(super) fn wal_bytes(&self) -> u64 {
        length(&beside(&self.database, WAL))
    }

    /// The length of the database.
    pub(super) fn database_bytes(&self) -> u64 {
        length(&self.database)
    }

    /// Whether writes are refused, or will be at the next one.
    pub(super) fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed) || self.room().is_some_and(|room| !room.is_enough(0))
    }

    /// Notes whether writes are refused, and logs a change.
    pub(super) fn set_full(&self, full: bool) {
        if self.full.swap(full, Ordering::Relaxed) == full {
            return;
        }
        let path = self.database.display();
        if full {
            tracing::error!(%path, "disk is full; refusing writes until there is room");
        } else {
            tracing::warn!(%path, "disk has room again; accepting writes");
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

/// When the WAL was last truncated for want of room.
#[derive(Debug, Default)]
pub(super) struct LastTruncation(Option<Instant>);

impl LastTruncation {
    /// Whether it may be tried again; if so, notes that it is tried now.
    pub(super) fn is_due(&mut self) -> bool {
        let due = self.0.is_none_or(|at| at.elapsed() >= TRUNCATED_EVERY);
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
    fn the_growth_by_a_checkpoint_comes_on_top_of_the_reserve() {
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
