//! The kinds of crashes, each in a file.

mod damaged_wal;
mod disk_full;
mod kill;
mod locked;
mod postgres;
mod power;
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

use super::{Engine, TrialError, postgres::OnSmallDisk, world::World};

/// How long to wait for a checkpoint.
const COPIES_WITHIN: Duration = Duration::from_millis(2_500);

/// How long a server with players may go without a checkpoint, even on a slow machine.
const COPIES_SURELY_WITHIN: Duration = Duration::from_secs(10);

/// What happens to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// SIGKILL at a random instant
    Kill,
    /// SIGKILL, and everything unsynced is lost or torn; of PostgreSQL all processes are killed
    Power,
    /// No space on the disk for a while, or a sync that fails
    DiskFull,
    /// Another process holds the database's lock, or that of a table
    Locked,
    /// SIGKILL, and a torn end of the WAL
    TornWal,
    /// SIGKILL, and a WAL that is cut, changed or missing
    DamagedWal,
    /// A small disk (a tmpfs, which only root can mount) that the WAL fills
    SmallDisk,
    /// SIGTERM under load
    Terminate,
    /// A second server on the same database
    SecondServer,
    /// PostgreSQL is killed under a running server, and started again
    Postgres,
    /// No space for the WAL of PostgreSQL, which therefore ends
    WalDiskFull,
}

impl Kind {
    /// Whether it is tried on that kind of database.
    pub(super) const fn runs_on(self, engine: Engine) -> bool {
        match self {
            Self::Kill
            | Self::Power
            | Self::DiskFull
            | Self::Locked
            | Self::Terminate
            | Self::SecondServer => true,
            Self::TornWal | Self::DamagedWal | Self::SmallDisk => matches!(engine, Engine::File),
            Self::Postgres | Self::WalDiskFull => matches!(engine, Engine::Postgres),
        }
    }

    /// Whether it needs a disk whose power can be cut.
    pub(super) const fn needs_disk(self, engine: Engine) -> bool {
        matches!((self, engine), (Self::Power | Self::DiskFull, Engine::File))
    }

    /// Whether it needs a small disk.
    pub(super) fn needs_small_disk(self, engine: Engine) -> bool {
        match engine {
            Engine::File => self == Self::SmallDisk,
            Engine::Postgres => self.on_small_disk().is_some(),
        }
    }

    /// The part of PostgreSQL that must be on a small disk.
    pub(super) const fn on_small_disk(self) -> Option<OnSmallDisk> {
        match self {
            Self::DiskFull => Some(OnSmallDisk::Tables),
            Self::WalDiskFull => Some(OnSmallDisk::Wal),
            _ => None,
        }
    }

    /// Runs one round: starts the server, causes the fault, starts it again, and checks that nothing is
    /// missing.
    pub(super) async fn round(self, world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
        match (self, world.engine()) {
            (Self::Kill, _) => kill::round(world, random).await,
            (Self::Power, Engine::File) => power::round(world, random).await,
            (Self::Power, Engine::Postgres) => postgres::power(world, random).await,
            (Self::DiskFull, Engine::File) => disk_full::round(world, random).await,
            (Self::DiskFull, Engine::Postgres) => postgres::disk_full(world, random).await,
            (Self::Locked, Engine::File) => locked::round(world, random).await,
            (Self::Locked, Engine::Postgres) => postgres::locked(world, random).await,
            (Self::TornWal, _) => torn_wal::round(world, random).await,
            (Self::DamagedWal, _) => damaged_wal::round(world, random).await,
            (Self::SmallDisk, _) => small_disk::round(world, random).await,
            (Self::Terminate, _) => terminate::round(world, random).await,
            (Self::SecondServer, _) => second_server::round(world, random).await,
            (Self::Postgres, _) => postgres::killed(world, random).await,
            (Self::WalDiskFull, _) => postgres::wal_disk_full(world, random).await,
        }
    }
}

/// Makes all pairs play until the server is killed at a random moment.
async fn play_until_killed(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    let playing = world.play();
    instant(world, random).await;
    world.kill();
    world.wait_for(playing).await?;
    Ok(())
}

/// Waits for a random moment of the load: often soon after its start, when matches are loaded and the first
/// commits are made, and sometimes during a checkpoint.
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
