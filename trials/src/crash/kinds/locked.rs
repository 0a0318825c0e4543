//! Another process holds the write lock: turns wait, or are refused for now.

use std::time::Duration;

use lusoria_services::sqlite::File;
use rand::{RngExt, rngs::StdRng};

use super::{World, instant};
use crate::crash::{TrialError, error::promised};

/// How long the server waits for a lock before it refuses.
const SERVER_WAITS: Duration = Duration::from_secs(5);

pub(super) async fn round(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    let playing = world.play();
    instant(world, random).await;
    let lock = lock(world)?;
    if random.random_ratio(1, 4) {
        tokio::time::sleep(short(random)).await;
        world.kill();
        world.wait_for(playing).await?;
        // The next server waits for the lock too.
        let unlocking = tokio::spawn(unlock(lock, short(random)));
        world.start()?;
        unlocking.await.expect("unlocking does not panic")?;
        return world.check().await;
    }
    let is_long = random.random_ratio(1, 15);
    let held = if is_long { SERVER_WAITS + Duration::from_secs(1) } else { short(random) };
    unlock(lock, held).await?;
    instant(world, random).await;
    let unavailable = world.stop(playing).await?;
    promised!(!is_long || unavailable > 0, "no client was told that the database is locked");
    promised!(is_long || unavailable == 0, "{unavailable} were refused although the lock was short");
    world.check().await
}

fn short(random: &mut StdRng) -> Duration {
    Duration::from_millis(random.random_range(20..800))
}

fn lock(world: &World) -> Result<File, TrialError> {
    let file = File::open(&world.program.database)?;
    file.run("BEGIN IMMEDIATE")?;
    Ok(file)
}

async fn unlock(file: File, after: Duration) -> Result<(), TrialError> {
    tokio::time::sleep(after).await;
    file.run("ROLLBACK")?;
    Ok(())
}
