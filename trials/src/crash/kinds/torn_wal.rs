//! A WAL with a torn end: SQLite drops what follows the last commit, and nothing before it.

use std::{fs, io};

use rand::{Rng, RngExt, rngs::StdRng};

use super::{World, play_until_killed};
use crate::{
    crash::{
        TrialError,
        wal::{FRAME_HEADER, Wal},
    },
    server::{beside, log_of, read_if_there},
};

pub(super) async fn round(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    play_until_killed(world, random).await?;
    tear(world, random)?;
    world.start_and_check().await
}

fn tear(world: &World, random: &mut StdRng) -> io::Result<()> {
    let path = log_of(&world.program.database);
    // A missing, empty or unfinished WAL has no commit that could be damaged.
    let bytes = read_if_there(&path)?.unwrap_or_default();
    let Some(wal) = Wal::read(&bytes) else { return Ok(()) };
    fs::write(&path, torn(&bytes, &wal, random))?;
    if random.random_ratio(1, 3) {
        // SQLite rebuilds the index of the WAL from the WAL.
        let _ = fs::remove_file(beside(&world.program.database, "-shm"));
    }
    Ok(())
}

/// The WAL up to its last commit, followed by bytes that no commit wrote.
fn torn(bytes: &[u8], wal: &Wal, random: &mut StdRng) -> Vec<u8> {
    let end = wal.committed_until;
    let mut torn = bytes[..end].to_vec();
    match random.random_range(0..5) {
        // Cut somewhere in the uncommitted or old part.
        0 => torn.extend(&bytes[end..random.random_range(end..=bytes.len())]),
        // Garbage.
        1 => {
            let mut garbage = vec![0; random.random_range(1..20_000)];
            random.fill_bytes(&mut garbage);
            torn.extend(garbage);
        }
        // An earlier frame again, with its commit mark if it had one.
        2 => {
            if let Some(&from) = wal.frames.get(random.random_range(0..wal.frames.len().max(1))) {
                torn.extend(&bytes[from..from + FRAME_HEADER + wal.page_bytes]);
            }
        }
        // Valid frames of a transaction without its commit.
        3 => {
            let mut page = vec![0; wal.page_bytes];
            random.fill_bytes(&mut page);
            let mut sum = wal.checksum;
            for _ in 0..random.random_range(1..4) {
                torn.extend(wal.frame(1, &page, &mut sum));
            }
        }
        // The same, and a commit with a wrong byte.
        _ => {
            let mut page = vec![0; wal.page_bytes];
            random.fill_bytes(&mut page);
            let mut commit = wal.commit_frame(1, 1, &page, &mut { wal.checksum });
            let at = random.random_range(0..commit.len());
            commit[at] ^= 1 << random.random_range(0..8);
            torn.extend(commit);
        }
    }
    torn
}
