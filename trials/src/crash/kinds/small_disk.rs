//! A small disk that the WAL or somebody else fills: writes are refused while the WAL can still be
//! copied, `/readyz` says why, and everything goes on by itself when there is room.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use rand::{RngExt, rngs::StdRng};
use sqlx::{ConnectOptions, Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use super::{World, instant};
use crate::{crash::Trouble, server::NotStarted, web};

/// The size of the disk.
const DISK_BYTES: u64 = 128 << 20;

/// What the server keeps free; its flag has the same value if nothing is said.
const RESERVE_BYTES: u64 = 8 << 20;

/// The most room that is left for the load to fill.
const LEFT_BYTES_MAX: u64 = 3 << 20;

/// How much of the disk is taken at once.
const BALLAST_BYTES_AT_ONCE: u64 = 2 << 20;

/// Within which time players fill what is left.
const FILLED_WITHIN: Duration = Duration::from_mins(1);

/// Within which time a server that was refused room works again.
const WELL_WITHIN: Duration = Duration::from_secs(5);

/// A tmpfs that is unmounted when it is dropped.
pub(in crate::crash) struct SmallDisk {
    folder: PathBuf,
}

impl SmallDisk {
    /// Mounts one there; who may is root alone.
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

    /// Puts something on the disk so that so many bytes are free. Little by little: a server that
    /// writes meanwhile shall not meet a disk that is fuller than that.
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

pub(super) async fn round(world: &mut World, random: &mut StdRng) -> Result<(), Trouble> {
    let disk = world.take_small_disk();
    let tried = on(&disk, world, random).await;
    world.put_on_small_disk(disk);
    tried
}

async fn on(disk: &SmallDisk, world: &mut World, random: &mut StdRng) -> Result<(), Trouble> {
    disk.make_room().map_err(of_disk)?;
    let playing = world.play();
    instant(world, random).await;
    // Who reads keeps the WAL from being begun anew: then the WAL alone fills the disk.
    let by_wal = random.random_ratio(2, 3);
    let reader = if by_wal { Some(reader(&world.program.database).await?) } else { None };
    let left =
        if by_wal { RESERVE_BYTES + random.random_range(1 << 20..LEFT_BYTES_MAX) } else { RESERVE_BYTES / 2 };
    disk.leave(left).map_err(of_disk)?;
    let address = world.server().address();
    until(FILLED_WITHIN, "the server does not say that the disk is full", async || {
        Ok(web::ready(address).await?.why_not.is_some_and(|why| why.contains("disk")))
    })
    .await?;
    world.tally.filled += 1;
    match random.random_range(0..3) {
        0 => instant(world, random).await,
        1 => {
            world.kill();
            world.wait_for(playing).await?;
            return again(disk, reader, world).await;
        }
        _ => {
            world.end_in_order()?;
            world.wait_for(playing).await?;
            return again(disk, reader, world).await;
        }
    }
    end_shortage(disk, reader).await?;
    well_again(disk, world).await?;
    instant(world, random).await;
    world.stop(playing).await?;
    world.check().await
}

/// A server that is started on the full disk starts or says why not; with room it works.
async fn again(disk: &SmallDisk, reader: Option<SqliteConnection>, world: &mut World) -> Result<(), Trouble> {
    match tokio::task::block_in_place(|| world.program.start()) {
        Ok(server) => server.kill(),
        Err(NotStarted::Ended(status)) if status.code() == Some(75) => {}
        Err(why) => return Err(Trouble::broken(format!("on a full disk: {why}"))),
    }
    world.ended_again();
    end_shortage(disk, reader).await?;
    world.start()?;
    well_again(disk, world).await?;
    world.check().await
}

/// Takes away what has filled the disk: the one who reads, or else what lies there.
async fn end_shortage(disk: &SmallDisk, reader: Option<SqliteConnection>) -> Result<(), Trouble> {
    match reader {
        Some(reader) => reader.close().await.map_err(of_reader),
        None => disk.make_room().map_err(of_disk),
    }
}

/// The server works again by itself. What the matches need from now on gets more room.
async fn well_again(disk: &SmallDisk, world: &World) -> Result<(), Trouble> {
    let address = world.server().address();
    until(WELL_WITHIN, "there is room, and the server is not ready", async || {
        Ok(web::ready(address).await?.why_not.is_none())
    })
    .await?;
    disk.make_room().map_err(of_disk)
}

/// A connection that reads what is there now, until it is closed.
async fn reader(database: &Path) -> Result<SqliteConnection, Trouble> {
    let options = SqliteConnectOptions::new().filename(database).create_if_missing(false);
    let mut reader = options.connect().await.map_err(of_reader)?;
    sqlx::query("BEGIN").execute(&mut reader).await.map_err(of_reader)?;
    let read = sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM matches").fetch_one(&mut reader).await;
    read.map_err(of_reader)?;
    Ok(reader)
}

async fn until(
    within: Duration,
    otherwise: &str,
    mut is_so: impl AsyncFnMut() -> Result<bool, Trouble>,
) -> Result<(), Trouble> {
    let began = Instant::now();
    while !is_so().await? {
        if began.elapsed() > within {
            return Err(Trouble::broken(otherwise));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "so that it fits map_err")]
fn of_disk(error: io::Error) -> Trouble {
    Trouble::broken(format!("the trial's disk: {error}"))
}

#[expect(clippy::needless_pass_by_value, reason = "so that it fits map_err")]
fn of_reader(error: sqlx::Error) -> Trouble {
    Trouble::broken(format!("the trial's reader: {error}"))
}
