//! SIGKILL: the process ends, but the system keeps what it has written.

use rand::rngs::StdRng;

use super::{World, play_until_killed};
use crate::crash::TrialError;

pub(super) async fn round(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    play_until_killed(world, random).await?;
    world.kill_some_at_start(random).await?;
    world.start_and_check().await
}
