//! A second server on the same database: on a file, or under the same name, it is refused; under another name
//! it is a node beside the first one, even without NATS. It does no harm.

use std::{fs, time::Duration};

use rand::{RngExt, rngs::StdRng};

use super::{World, instant, play_until_killed};
use crate::{
    crash::{
        Engine, TrialError,
        error::{broken, promised},
        postgres::PostgresDatabase,
    },
    server::{NotStarted, Program},
};

/// How long after its death a killed node no longer counts as running.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(3);

pub(super) async fn round(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    let playing = world.play();
    instant(world, random).await;
    let second = Program { log: world.folder.join("second.log"), ..world.program.clone() };
    match world.engine() {
        Engine::File => refused(&second, "another server is using")?,
        Engine::Postgres if random.random_ratio(1, 2) => refused(&second, "is running already")?,
        Engine::Postgres => {
            let arguments = PostgresDatabase::arguments(Some("two"));
            let started = tokio::task::block_in_place(|| Program { arguments, ..second }.start());
            let second = started.map_err(|why| broken!("a second node: {why}"))?;
            instant(world, random).await;
            world.stop(playing).await?;
            world.check_on([world.server().address, second.address]).await?;
            second.kill();
            // Otherwise the next server takes the death of both for that of the first alone.
            tokio::time::sleep(FORGOTTEN_AFTER).await;
            return again(world, random).await;
        }
    }
    instant(world, random).await;
    world.stop(playing).await?;
    again(world, random).await
}

/// Checks that a second server is refused, with that message.
fn refused(second: &Program, refusal: &str) -> Result<(), TrialError> {
    // There is none before the first round.
    let _ = fs::remove_file(&second.log);
    match tokio::task::block_in_place(|| second.start()) {
        Ok(_) => return Err(broken!("a second server has started")),
        Err(NotStarted::Ended(status)) if status.code() == Some(2) => {}
        Err(why) => return Err(broken!("a second server: {why}")),
    }
    let said = fs::read_to_string(&second.log).unwrap_or_default();
    promised!(said.contains(refusal), "a second server was refused with {said:?}");
    Ok(())
}

/// Checks that the lock, or the name, is released with the process, however it ends.
async fn again(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    play_until_killed(world, random).await?;
    world.start_and_check().await
}
