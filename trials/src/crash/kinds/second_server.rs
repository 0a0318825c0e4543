//! A second server on the same file: it is refused, and harms nothing.

use std::fs;

use rand::rngs::StdRng;

use super::{World, instant};
use crate::{
    crash::TrialError,
    server::{NotStarted, Program},
};

/// What it says.
const REFUSAL: &str = "another server is using";

pub(super) async fn round(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    let playing = world.play();
    instant(world, random).await;
    let second = Program { log: world.folder.join("second.log"), ..world.program.clone() };
    // There is none before the first round.
    let _ = fs::remove_file(&second.log);
    match tokio::task::block_in_place(|| second.start()) {
        Ok(_) => return Err(TrialError::broken("a second server has started")),
        Err(NotStarted::Ended(status)) if status.code() == Some(2) => {}
        Err(why) => return Err(TrialError::broken(format!("a second server: {why}"))),
    }
    let said = fs::read_to_string(&second.log).unwrap_or_default();
    if !said.contains(REFUSAL) {
        return Err(TrialError::broken(format!("a second server was refused with {said:?}")));
    }
    instant(world, random).await;
    world.stop(playing).await?;
    let playing = world.play();
    instant(world, random).await;
    // The lock goes with the process, however it ends.
    world.kill();
    world.wait_for(playing).await?;
    world.start()?;
    world.check().await
}
