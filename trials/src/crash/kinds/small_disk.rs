//! A small disk that the WAL or another file fills: writes are refused while there is still space for a
//! checkpoint, `/readyz` says why, and everything continues by itself when space is free.

use std::{path::Path, time::Duration};

use lusoria_services::sqlite::File;
use rand::{RngExt, rngs::StdRng};

use super::{World, instant};
use crate::crash::{TrialError, disk::SmallDisk};

/// The bytes that the server keeps free: the default of its flag.
const RESERVE_BYTES: u64 = 8 << 20;

/// The most bytes that are left for the load to fill.
const LEFT_BYTES_MAX: u64 = 3 << 20;

/// How long a server may take to work again when space is free.
const WELL_WITHIN: Duration = Duration::from_secs(5);

pub(super) async fn round(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    let disk = world.take_small_disk();
    let tried = on(&disk, world, random).await;
    world.put_on_small_disk(disk);
    tried
}

async fn on(disk: &SmallDisk, world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    disk.make_room()?;
    let playing = world.play();
    instant(world, random).await;
    // A reader keeps SQLite from starting the WAL anew, so that the WAL alone fills the disk.
    let by_wal = random.random_ratio(2, 3);
    let reader = if by_wal { Some(reader(&world.program.database)?) } else { None };
    let left =
        if by_wal { RESERVE_BYTES + random.random_range(1 << 20..LEFT_BYTES_MAX) } else { RESERVE_BYTES / 2 };
    disk.leave(left)?;
    world.until_full().await?;
    match random.random_range(0..3) {
        0 => instant(world, random).await,
        kind => {
            if kind == 1 {
                world.kill();
            } else {
                world.end_in_order()?;
            }
            world.wait_for(playing).await?;
            return again(disk, reader, world).await;
        }
    }
    end_shortage(disk, reader)?;
    well_again(disk, world).await?;
    instant(world, random).await;
    world.stop(playing).await?;
    world.check().await
}

/// Checks that a server on the full disk starts, or says why not, and that it works when space is free.
async fn again(disk: &SmallDisk, reader: Option<File>, world: &mut World) -> Result<(), TrialError> {
    world.start_without_room()?;
    end_shortage(disk, reader)?;
    world.start()?;
    well_again(disk, world).await?;
    world.check().await
}

/// Removes what has filled the disk: the reader, or else the file.
fn end_shortage(disk: &SmallDisk, reader: Option<File>) -> Result<(), TrialError> {
    match reader {
        Some(reader) => drop(reader),
        None => disk.make_room()?,
    }
    Ok(())
}

/// Checks that the server works again by itself. From now on the matches have more space.
async fn well_again(disk: &SmallDisk, world: &mut World) -> Result<(), TrialError> {
    world.until_ready(WELL_WITHIN).await?;
    Ok(disk.make_room()?)
}

/// Opens a read transaction that lasts until the connection is closed.
fn reader(database: &Path) -> Result<File, TrialError> {
    let reader = File::open(database)?;
    reader.run("BEGIN; SELECT COUNT(*) FROM matches")?;
    Ok(reader)
}
