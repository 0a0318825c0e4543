//! SIGKILL: the process is gone, but not what it has written to the system.

use rand::rngs::StdRng;

use super::{World, instant};
use crate::crash::TrialError;

pub(super) async fn round(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    let playing = world.play();
    instant(world, random).await;
    world.kill();
    world.wait_for(playing).await?;
    world.kill_some_at_start(random).await?;
    world.start()?;
    world.check().await
}
