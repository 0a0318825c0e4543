//! A full disk: turns are refused until there is room, and nothing is lost. And a disk that fails to
//! sync: the server ends rather than acknowledge anything.

use std::time::{Duration, Instant};

use rand::{RngExt, rngs::StdRng};

use super::{World, instant};
use crate::{
    crash::{TrialError, disk::Disk},
    server::{NotStarted, has_aborted, now_ms},
};

/// The most bytes that can still be added to a full disk.
const ROOM_MAX: u64 = 64 * 1024;

/// How long a server with players may go without a sync: it notes every second that it is alive.
const SYNCS_WITHIN: Duration = Duration::from_secs(10);

pub(super) async fn round(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    let disk = world.disk().clone();
    if random.random_ratio(1, 4) {
        return failing_sync(world, &disk, random).await;
    }
    let playing = world.play();
    instant(world, random).await;
    disk.fill(random.random_range(0..ROOM_MAX)).map_err(of_disk)?;
    instant(world, random).await;
    if random.random_ratio(1, 2) {
        disk.make_room().map_err(of_disk)?;
        instant(world, random).await;
        world.stop(playing).await?;
        return world.check().await;
    }
    world.kill();
    world.wait_for(playing).await?;
    world.cut(random)?;
    if random.random_ratio(1, 2) {
        disk.fill(0).map_err(of_disk)?;
        start_without_room(world)?;
        world.cut(random)?;
    }
    world.start()?;
    world.check().await
}

/// Checks that a server on a full disk starts, or says why not.
fn start_without_room(world: &mut World) -> Result<(), TrialError> {
    match tokio::task::block_in_place(|| world.program.start()) {
        Ok(server) => server.kill(),
        Err(NotStarted::Ended(status)) if status.code() == Some(75) => {}
        Err(why) => return Err(TrialError::broken(format!("on a full disk: {why}"))),
    }
    world.ended_again();
    Ok(())
}

async fn failing_sync(world: &mut World, disk: &Disk, random: &mut StdRng) -> Result<(), TrialError> {
    let playing = world.play();
    instant(world, random).await;
    let ran_until = now_ms();
    disk.fail_next_sync().map_err(of_disk)?;
    let began = Instant::now();
    while !disk.has_failed() {
        if began.elapsed() > SYNCS_WITHIN {
            return Err(TrialError::broken("the server has not synced for long"));
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let server = world.take_server();
    let status = tokio::task::block_in_place(|| server.wait())
        .map_err(|error| TrialError::broken(format!("a sync failed: {error}")))?;
    if !has_aborted(status) {
        return Err(TrialError::broken(format!("a sync failed, and the server ended with {status}")));
    }
    world.ended(ran_until);
    world.wait_for(playing).await?;
    world.cut(random)?;
    world.start()?;
    world.check().await
}

#[expect(clippy::needless_pass_by_value, reason = "so that it fits map_err")]
fn of_disk(error: std::io::Error) -> TrialError {
    TrialError::broken(format!("the trial's disk: {error}"))
}
