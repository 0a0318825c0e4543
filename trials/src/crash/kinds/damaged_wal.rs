//! A WAL that is cut, changed or missing: if a commit is lost, the server says so and begins a new history;
//! if none is lost, it says nothing.

use std::{fs, io, path::Path};

use rand::{RngExt, rngs::StdRng};

use super::{World, play_until_killed};
use crate::{
    crash::{
        TrialError,
        content::{Content, SavedFiles},
        error::{broken, promised},
    },
    server::{beside, log_of, read_if_there},
    web,
};

pub(super) async fn round(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    play_until_killed(world, random).await?;
    let database = world.program.database.clone();
    let kept = SavedFiles::of(&database)?;
    let before = Content::of(&kept.copy(&world.folder.join("undamaged"))?)?;
    let damage = damage(&database, random)?;
    // Anything packed meanwhile would seem to be lost.
    world.program.environment.push(("LUSORIA_PACK_AFTER", "86400".into()));
    let server = tokio::task::block_in_place(|| world.program.start());
    world.program.environment.pop();
    let server = server.map_err(|why| broken!("{damage}: the server does not start: {why}"))?;
    let noticed = web::ready(server.address).await?.lost_commits > 0;
    server.kill();
    let after = Content::of(&database)?;
    let lost = before.lost_in(&after);
    promised!(lost.is_none() || noticed, "{damage}: lost without a word: {lost:?}");
    promised!(lost.is_some() || !noticed, "{damage}: nothing is lost, and a loss is told");
    let is_new = before.history != after.history;
    promised!(is_new == noticed, "{damage}: a loss begins a new history: {noticed}, {is_new}");
    world.tally.noticed += u64::from(noticed);
    kept.put_back(&database)?;
    world.start_and_check().await
}

/// Damages the WAL at random. Returns a description of the damage.
fn damage(database: &Path, random: &mut StdRng) -> io::Result<String> {
    let path = log_of(database);
    let mut bytes = read_if_there(&path)?.unwrap_or_default();
    let said = match random.random_range(0..4) {
        0 if path.exists() => {
            fs::remove_file(&path)?;
            "the WAL removed".to_owned()
        }
        1 if !bytes.is_empty() => {
            let kept = random.random_range(0..bytes.len());
            fs::write(&path, &bytes[..kept])?;
            format!("the WAL cut to {kept} of {} bytes", bytes.len())
        }
        2 | 3 if !bytes.is_empty() => {
            let at = random.random_range(0..bytes.len());
            bytes[at] ^= 1 << random.random_range(0..8);
            fs::write(&path, &bytes)?;
            format!("a bit of the WAL flipped in byte {at} of {}", bytes.len())
        }
        _ => "no damage".to_owned(),
    };
    if random.random_ratio(1, 3) {
        // SQLite rebuilds the index of the WAL from the WAL.
        let _ = fs::remove_file(beside(database, "-shm"));
    }
    Ok(said)
}
