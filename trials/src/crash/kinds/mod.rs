//! The kinds of crashes, each in a file.

mod damaged_wal;
mod disk_full;
mod kill;
mod locked;
mod power;
mod rebuild;
mod second_server;
mod small_disk;
mod terminate;
mod torn_wal;

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use clap::ValueEnum;
use rand::{RngExt, rngs::StdRng};

use super::{TrialError, world::World};
pub(super) use small_disk::SmallDisk;

/// How long to wait for a checkpoint.
const COPIES_WITHIN: Duration = Duration::from_millis(2_500);

/// How long a server with players may go without a checkpoint, even on a slow machine.
const COPIES_SURELY_WITHIN: Duration = Duration::from_secs(10);

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
    /// SIGKILL, and a torn end of the WAL
    TornWal,
    /// SIGKILL, and a WAL that is cut, changed or gone
    DamagedWal,
    /// A small disk (a tmpfs, which only root can mount) that the WAL fills
    SmallDisk,
    /// SIGTERM under load
    Terminate,
    /// A second server on the same database
    SecondServer,
    /// SIGKILL or SIGTERM while a database of an earlier version is brought up to date
    Rebuild,
}

impl Kind {
    /// Its name on the command line.
    pub(super) fn name(self) -> String {
        self.to_possible_value().expect("no kind is hidden").get_name().to_owned()
    }

    /// Whether it needs a disk that can be cut off.
    pub(super) const fn needs_disk(self) -> bool {
        matches!(self, Self::Power | Self::DiskFull)
    }

    /// Runs one round: starts the server, treats it badly, starts it again, and checks that everything is
    /// there.
    pub(super) async fn round(self, world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
        match self {
            Self::Kill => kill::round(world, random).await,
            Self::Power => power::round(world, random).await,
            Self::DiskFull => disk_full::round(world, random).await,
            Self::Locked => locked::round(world, random).await,
            Self::TornWal => torn_wal::round(world, random).await,
            Self::DamagedWal => damaged_wal::round(world, random).await,
            Self::SmallDisk => small_disk::round(world, random).await,
            Self::Terminate => terminate::round(world, random).await,
            Self::SecondServer => second_server::round(world, random).await,
            Self::Rebuild => rebuild::round(world, random).await,
        }
    }
}

/// Lets all pairs play until the server is killed at a random moment.
async fn play_until_killed(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    let playing = world.play();
    instant(world, random).await;
    world.kill();
    world.wait_for(playing).await?;
    Ok(())
}

/// Waits for a random moment of the load: often right after its beginning, when matches are loaded and
/// the first commits are made, and sometimes during a checkpoint.
async fn instant(world: &World, random: &mut StdRng) {
    if random.random_ratio(1, 10) {
        until_copied(&world.program.database, COPIES_WITHIN).await;
    }
    let until_us = match random.random_range(0..6) {
        0 | 1 => 25_000,
        2..5 => 400_000,
        _ => 1_000_000,
    };
    tokio::time::sleep(Duration::from_micros(random.random_range(0..until_us))).await;
}

/// Waits for a checkpoint to write to the database, if that is soon.
async fn until_copied(database: &Path, within: Duration) {
    let written = || fs::metadata(database).and_then(|found| found.modified()).ok();
    let (before, began) = (written(), Instant::now());
    while written() == before && began.elapsed() < within {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
