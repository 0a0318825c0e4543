//! A full disk: turns are refused until space is free, and nothing is lost. And a disk that fails to sync:
//! the server ends rather than acknowledge anything.

use std::time::{Duration, Instant};

use rand::{RngExt, rngs::StdRng};

use super::{World, instant};
use crate::{
    crash::{TrialError, disk::Disk, error::promised},
    server::{has_aborted, now_ms},
};

/// The most bytes that can still be added to a full disk.
const ROOM_MAX: u64 = 64 * 1024;

/// How long a server with players may go without a sync: it writes a heartbeat every second.
const SYNCS_WITHIN: Duration = Duration::from_secs(10);

pub(super) async fn round(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    let disk = world.disk().clone();
    if random.random_ratio(1, 4) {
        return failing_sync(world, &disk, random).await;
    }
    let playing = world.play();
    instant(world, random).await;
    disk.fill(random.random_range(0..ROOM_MAX))?;
    instant(world, random).await;
    if random.random_ratio(1, 2) {
        disk.make_room()?;
        instant(world, random).await;
        world.stop(playing).await?;
        return world.check().await;
    }
    world.kill();
    world.wait_for(playing).await?;
    world.cut(random)?;
    if random.random_ratio(1, 2) {
        disk.fill(0)?;
        world.start_without_room()?;
        world.cut(random)?;
    }
    world.start_and_check().await
}

async fn failing_sync(world: &mut World, disk: &Disk, random: &mut StdRng) -> Result<(), TrialError> {
    let playing = world.play();
    instant(world, random).await;
    let ran_until = now_ms();
    disk.fail_next_sync()?;
    let began = Instant::now();
    while !disk.has_failed() {
        promised!(began.elapsed() <= SYNCS_WITHIN, "the server has not synced for long");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let server = world.take_server();
    let status = tokio::task::block_in_place(|| server.wait())?;
    promised!(has_aborted(status), "a sync failed, and the server ended with {status}");
    world.ended(ran_until);
    world.wait_for(playing).await?;
    world.cut(random)?;
    world.start_and_check().await
}
