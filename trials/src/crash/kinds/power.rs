//! The power is cut: what was not synced is gone, or torn.

use rand::rngs::StdRng;

use super::{World, instant};
use crate::crash::Trouble;

pub(super) async fn round(world: &mut World, random: &mut StdRng) -> Result<(), Trouble> {
    let playing = world.play();
    instant(world, random).await;
    world.kill();
    world.wait_for(playing).await?;
    world.cut(random)?;
    world.kill_some_at_start(random).await?;
    world.start()?;
    world.check().await
}
