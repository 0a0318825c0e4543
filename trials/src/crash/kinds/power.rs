//! A power cut: unsynced writes are missing, or torn.

use rand::{RngExt, rngs::StdRng};

use super::{COPIES_SURELY_WITHIN, World, instant, until_copied};
use crate::crash::TrialError;

pub(super) async fn round(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    let playing = world.play();
    if world.is_copy_due() {
        until_copied(&world.program.database, COPIES_SURELY_WITHIN).await;
    }
    instant(world, random).await;
    if random.random_ratio(1, 5) {
        // A server that stops on SIGTERM has made a checkpoint and removed the WAL.
        world.end_in_order()?;
    } else {
        world.kill();
    }
    world.wait_for(playing).await?;
    world.cut(random)?;
    world.kill_some_at_start(random).await?;
    world.start_and_check().await
}
