//! A second server on the same file: it is refused, and harms nothing.

use std::fs;

use rand::rngs::StdRng;

use super::{World, instant, play_until_killed};
use crate::{
    crash::{
        TrialError,
        error::{broken, promised},
    },
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
        Ok(_) => return Err(broken!("a second server has started")),
        Err(NotStarted::Ended(status)) if status.code() == Some(2) => {}
        Err(why) => return Err(broken!("a second server: {why}")),
    }
    let said = fs::read_to_string(&second.log).unwrap_or_default();
    promised!(said.contains(REFUSAL), "a second server was refused with {said:?}");
    instant(world, random).await;
    world.stop(playing).await?;
    // The lock goes with the process, however it ends.
    play_until_killed(world, random).await?;
    world.start_and_check().await
}
