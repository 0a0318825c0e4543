//! Faults of PostgreSQL: it is killed, with the server or without it, a table is locked, its disk is full.

use std::time::Duration;

use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};

use super::{World, instant, play_until_killed};
use crate::{
    crash::{TrialError, clocks::Outage, error::promised, postgres::PostgresDatabase},
    server::now_ms,
};

/// How long a server may take to serve again, once PostgreSQL works again.
const READY_WITHIN: Duration = Duration::from_secs(30);

/// For how long PostgreSQL must be down to be an outage for certain: the server takes 3 s for one.
const SURELY_AN_OUTAGE: Duration = Duration::from_millis(3_200);

/// The longest time for which it is down: longer than the 5 s after which a server closes its sockets.
const AWAY_MAX: Duration = Duration::from_secs(7);

/// A lock that is held longer than the server lets PostgreSQL wait, 5 s.
const LONG: Duration = Duration::from_secs(6);

/// Tables that a turn writes, and the one that the server writes every second.
const TABLES: [&str; 4] = ["matches", "journal", "deadlines", "pulse"];

/// The most bytes that are left on a full disk.
const ROOM_MAX: u64 = 64 * 1024;

/// The server and PostgreSQL are killed, in either order.
pub(super) async fn power(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    if random.random_ratio(1, 2) {
        play_until_killed(world, random).await?;
        postgres(world).kill()?;
    } else {
        let playing = world.play();
        instant(world, random).await;
        postgres(world).kill()?;
        world.kill();
        world.wait_for(playing).await?;
    }
    if random.random_ratio(1, 3) {
        world.start_without_room()?;
    }
    postgres(world).start_again()?;
    world.kill_some_at_start(random).await?;
    world.start_and_check().await
}

/// Kills PostgreSQL and starts it again. The server refuses meanwhile, and continues by itself.
pub(super) async fn killed(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    let playing = world.play();
    instant(world, random).await;
    let ran_until = now_ms();
    postgres(world).kill()?;
    let ended_by = now_ms();
    let is_outage = random.random_ratio(1, 2);
    let away = if is_outage { SURELY_AN_OUTAGE..AWAY_MAX } else { Duration::ZERO..SURELY_AN_OUTAGE };
    tokio::time::sleep(random.random_range(away)).await;
    let started_at = now_ms();
    postgres(world).start_again()?;
    world.until_ready(READY_WITHIN).await?;
    if is_outage {
        postgres(world).until_outage_known(started_at)?;
        world.was_cut_off(Outage { ran_until, ended_by, started_at, listened_at: now_ms() });
    }
    instant(world, random).await;
    world.stop_cut_off(playing).await?;
    world.check().await
}

/// Locks a table in another session.
pub(super) async fn locked(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    let playing = world.play();
    instant(world, random).await;
    let table = *TABLES.choose(random).expect("there are some");
    let is_long = random.random_ratio(1, 4);
    let held = if is_long { LONG } else { Duration::from_millis(random.random_range(20..800)) };
    let mut lock = postgres(world).lock(table, held)?;
    if random.random_ratio(1, 4) {
        world.kill();
        world.wait_for(playing).await?;
        // The next server waits for the lock too, or says that it may start later.
        if is_long {
            world.start_without_room()?;
            tokio::task::block_in_place(|| lock.wait())?;
        }
        world.start()?;
        tokio::task::block_in_place(|| lock.wait())?;
        return world.check().await;
    }
    tokio::task::block_in_place(|| lock.wait())?;
    world.until_ready(READY_WITHIN).await?;
    instant(world, random).await;
    let load = world.stop_cut_off(playing).await?;
    promised!(!is_long || load.unavailable > 0, "no client was told that {table} is locked");
    let (cut_off, is_cut_off) = (load.cut_off, is_long && table == "pulse");
    promised!(cut_off == 0 || is_cut_off, "{cut_off} sockets were closed because {table} is locked");
    world.check().await
}

/// Fills the disk of the tables: turns are refused until space is free.
pub(super) async fn disk_full(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    let playing = world.play();
    instant(world, random).await;
    postgres(world).small_disk().leave(random.random_range(0..ROOM_MAX))?;
    world.until_full().await?;
    match random.random_range(0..4) {
        0 => {
            world.kill();
            world.wait_for(playing).await?;
            start_on_full_disk(world)?;
        }
        1 => {
            world.end_in_order()?;
            world.wait_for(playing).await?;
            start_on_full_disk(world)?;
        }
        2 => {
            // No client sends anything, as when a proxy sends nothing to a server that is not ready.
            world.stop_cut_off(playing).await?;
            postgres(world).make_room()?;
            world.until_ready(READY_WITHIN).await?;
        }
        _ => {
            instant(world, random).await;
            postgres(world).make_room()?;
            world.until_ready(READY_WITHIN).await?;
            instant(world, random).await;
            world.stop_cut_off(playing).await?;
        }
    }
    world.check().await
}

/// Fills the disk of the WAL: PostgreSQL stays down until space is free.
pub(super) async fn wal_disk_full(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    let playing = world.play();
    instant(world, random).await;
    postgres(world).fill_wal()?;
    world.tally.filled += 1;
    if random.random_ratio(1, 2) {
        instant(world, random).await;
        postgres(world).make_room()?;
        world.until_ready(READY_WITHIN).await?;
        instant(world, random).await;
        world.stop_cut_off(playing).await?;
    } else {
        world.kill();
        world.wait_for(playing).await?;
        start_on_full_disk(world)?;
    }
    world.check().await
}

/// Checks that a server on a full disk starts, or says why not, and starts one when space is free.
fn start_on_full_disk(world: &mut World) -> Result<(), TrialError> {
    world.start_without_room()?;
    postgres(world).make_room()?;
    world.start()
}

fn postgres(world: &mut World) -> &mut PostgresDatabase {
    world.postgres().expect("see `Kind::runs_on`")
}
