//! A small disk that the WAL or another file fills: writes are refused while there is still room for a
//! checkpoint, `/readyz` says why, and everything goes on by itself when there is room.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use rand::{RngExt, rngs::StdRng};
use rusqlite::{Connection, OpenFlags};

use super::{World, instant};
use crate::{
    crash::{TrialError, error::promised},
    web,
};

/// The size of the disk.
const DISK_BYTES: u64 = 128 << 20;

/// What the server keeps free: the default of its flag.
const RESERVE_BYTES: u64 = 8 << 20;

/// The most room that is left for the load to fill.
const LEFT_BYTES_MAX: u64 = 3 << 20;

/// How much of the disk is taken at once.
const BALLAST_BYTES_AT_ONCE: u64 = 2 << 20;

/// How long players may take to fill the remaining room.
const FILLED_WITHIN: Duration = Duration::from_mins(1);

/// How long a server may take to work again when there is room.
const WELL_WITHIN: Duration = Duration::from_secs(5);

/// A tmpfs that is unmounted when it is dropped.
pub(in crate::crash) struct SmallDisk {
    folder: PathBuf,
}

impl SmallDisk {
    /// Mounts one there, which only root may do.
    pub(in crate::crash) fn mount(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let size = format!("size={DISK_BYTES}");
        let mut mount = Command::new("mount");
        let output = mount.args(["-t", "tmpfs", "-o", &size, "lusoria-trial"]).arg(folder).output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, said));
        }
        Ok(Self { folder: folder.to_owned() })
    }

    fn ballast(&self) -> PathBuf {
        self.folder.join("ballast")
    }

    fn free_bytes(&self) -> io::Result<u64> {
        let output =
            Command::new("df").args(["--block-size=1", "--output=avail"]).arg(&self.folder).output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let bytes = text.lines().last().and_then(|line| line.trim().parse().ok());
        bytes.ok_or_else(|| io::Error::other(format!("df says {text:?}")))
    }

    /// Fills the disk until so many bytes are free. Little by little, so that a server that writes
    /// meanwhile never finds less room.
    fn leave(&self, bytes: u64) -> io::Result<()> {
        self.make_room()?;
        let mut ballast = fs::File::create(self.ballast())?;
        loop {
            let more = self.free_bytes()?.saturating_sub(bytes).min(BALLAST_BYTES_AT_ONCE);
            if more == 0 {
                return Ok(());
            }
            ballast.write_all(&vec![1; usize::try_from(more).unwrap_or(usize::MAX)])?;
        }
    }

    fn make_room(&self) -> io::Result<()> {
        match fs::remove_file(self.ballast()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: a server that was just killed may still have a file there.
        let _ = Command::new("umount").arg("--lazy").arg(&self.folder).status();
    }
}

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
    let address = world.server().address;
    until(FILLED_WITHIN, "the server does not say that the disk is full", async || {
        Ok(web::ready(address).await?.why_not.is_some_and(|why| why.contains("disk")))
    })
    .await?;
    world.tally.filled += 1;
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

/// Checks that a server on the full disk starts, or says why not, and that it works when there is room.
async fn again(disk: &SmallDisk, reader: Option<Connection>, world: &mut World) -> Result<(), TrialError> {
    world.start_without_room()?;
    end_shortage(disk, reader)?;
    world.start()?;
    well_again(disk, world).await?;
    world.check().await
}

/// Removes what has filled the disk: the reader, or else the file.
fn end_shortage(disk: &SmallDisk, reader: Option<Connection>) -> Result<(), TrialError> {
    match reader {
        Some(reader) => reader.close().map_err(|(_, error)| error.into()),
        None => Ok(disk.make_room()?),
    }
}

/// Checks that the server works again by itself. The matches get more room from now on.
async fn well_again(disk: &SmallDisk, world: &World) -> Result<(), TrialError> {
    let address = world.server().address;
    until(WELL_WITHIN, "there is room, and the server is not ready", async || {
        Ok(web::ready(address).await?.why_not.is_none())
    })
    .await?;
    Ok(disk.make_room()?)
}

/// Opens a read transaction that lasts until the connection is closed.
fn reader(database: &Path) -> Result<Connection, TrialError> {
    let reader = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    reader.execute_batch("BEGIN; SELECT COUNT(*) FROM matches")?;
    Ok(reader)
}

async fn until(
    within: Duration,
    otherwise: &str,
    mut is_so: impl AsyncFnMut() -> Result<bool, TrialError>,
) -> Result<(), TrialError> {
    let began = Instant::now();
    while !is_so().await? {
        promised!(began.elapsed() <= within, "{otherwise}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}
