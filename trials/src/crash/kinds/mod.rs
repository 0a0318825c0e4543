//! The kinds of crashes: a file each.

mod disk_full;
mod kill;
mod locked;
mod power;
mod second_server;
mod terminate;
mod torn_wal;

use std::time::Duration;

use clap::ValueEnum;
use rand::{RngExt, rngs::StdRng};

use super::{Trouble, world::World};

/// What happens to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// SIGKILL at a random instant
    Kill,
    /// SIGKILL, and everything that was not synced is lost or torn
    Power,
    /// No room on the disk for a while, or a sync that fails
    DiskFull,
    /// Another process holds the database's lock
    Locked,
    /// SIGKILL, and a torn end of the write-ahead log
    TornWal,
    /// SIGTERM under load
    Terminate,
    /// A second server on the same database
    SecondServer,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Kill,
        Self::Power,
        Self::DiskFull,
        Self::Locked,
        Self::TornWal,
        Self::Terminate,
        Self::SecondServer,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kill => "kill",
            Self::Power => "power",
            Self::DiskFull => "disk-full",
            Self::Locked => "locked",
            Self::TornWal => "torn-wal",
            Self::Terminate => "terminate",
            Self::SecondServer => "second-server",
        }
    }

    /// Whether it needs a disk that can be cut off.
    pub(super) const fn needs_disk(self) -> bool {
        match self {
            Self::Power | Self::DiskFull => true,
            Self::Kill | Self::Locked | Self::TornWal | Self::Terminate | Self::SecondServer => false,
        }
    }

    /// One round: the server runs, is treated badly, runs again, and is asked whether
    /// everything is there.
    pub(super) async fn round(self, world: &mut World, random: &mut StdRng) -> Result<(), Trouble> {
        match self {
            Self::Kill => kill::round(world, random).await,
            Self::Power => power::round(world, random).await,
            Self::DiskFull => disk_full::round(world, random).await,
            Self::Locked => locked::round(world, random).await,
            Self::TornWal => torn_wal::round(world, random).await,
            Self::Terminate => terminate::round(world, random).await,
            Self::SecondServer => second_server::round(world, random).await,
        }
    }
}

/// Waits for a random instant of the load: often one right after its begin, when the
/// matches are loaded and the first commits are made.
async fn instant(random: &mut StdRng) {
    let until_us = if random.random_ratio(1, 3) { 25_000 } else { 400_000 };
    tokio::time::sleep(Duration::from_micros(random.random_range(0..until_us))).await;
}
