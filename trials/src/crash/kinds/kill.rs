//! SIGKILL: the process is gone, what the system was given is not.

use rand::rngs::StdRng;

use super::{World, instant};
use crate::crash::Trouble;

pub(super) async fn round(world: &mut World, random: &mut StdRng) -> Result<(), Trouble> {
    let playing = world.play();
    instant(world, random).await;
    world.kill();
    world.wait_for(playing).await?;
    world.kill_some_at_start(random).await?;
    world.start()?;
    world.check().await
}
