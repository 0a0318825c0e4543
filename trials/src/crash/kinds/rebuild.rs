//! A database of an earlier version, which is copied into a new file at the start: the server is killed or
//! stopped meanwhile, and the next one begins again and finds everything.

use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant, SystemTime},
};

use lusoria_protocol::MatchId;
use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};
use rusqlite::Connection;

use super::World;
use crate::{
    crash::{
        TrialError, check,
        content::{Content, SavedFiles, rows},
        error::{broken, promised},
        old,
        seen::Seen,
    },
    server::{Program, beside, now_ms},
};

/// How long a server may take to stop while it copies.
const STOPS_WITHIN: Duration = Duration::from_secs(5);

/// How often to look for the next moment.
const LOOK_EVERY: Duration = Duration::from_micros(50);

/// How long after the new file is complete, or renamed, the server is ended at the latest.
const AROUND_US: u64 = 8_000;

/// How many matches are read over the network before and after; all are compared in the file.
const MATCHES_READ: usize = 12;

/// Rows that are the same before and after, in tables of any version.
const AS_THEY_WERE: [&str; 5] = [
    "SELECT 'guest ' || id || ' ' || name FROM guests WHERE id NOT LIKE '00000000-%'",
    "SELECT 'token ' || hash || ' ' || guest_id || ' ' || created_at FROM tokens",
    "SELECT 'code ' || hash || ' ' || guest_id || ' ' || expires_at FROM device_codes",
    "SELECT 'invitation ' || hash || ' ' || expires_at FROM invitations",
    "SELECT 'key ' || guest_id || ' ' || key || ' ' || digest || ' ' || first_seq || ' ' || at \
     FROM used_keys",
];

/// Matches and their secrets, as the tables have them before and after. Live matches go on at once.
const OLD_MATCHES: [&str; 2] = [
    "SELECT 'match ' || upper(replace(id, '-', '')) || ' ' || game || ' ' || listed || ' ' || seat1 \
         || IIF(state = 'finished', ' finished ' || head, '') FROM matches",
    "SELECT 'secret ' || upper(replace(match_id, '-', '')) || ' ' || upper(secret) FROM secrets",
];
const NEW_MATCHES: [&str; 2] = [
    "SELECT 'match ' || hex(match_rows.id) || ' ' || game || ' ' || listed || ' ' || guests.id \
         || IIF(state = 'finished', ' finished ' || head, '') \
     FROM match_rows JOIN guests ON unhex(guests.id, '-') = seat1",
    "SELECT 'secret ' || hex(id) || ' ' || hex(secret) FROM secrets JOIN matches ON number = match",
];

/// More rows, of which none may be missing.
const MORE: [&str; 3] = [
    NEW_MATCHES[1],
    "SELECT 'analysed ' || match || ' ' || engine || ' ' || body FROM analyses",
    "SELECT 'seats ' || number || ' ' || hex(id) || ' ' || hex(seat1) || ' ' || COALESCE(hex(seat2), '') \
     FROM matches",
];

pub(super) async fn round(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    // What is packed meanwhile would look lost.
    world.program.environment.push(("LUSORIA_PACK_AFTER", "86400".into()));
    let tried = on_an_old_one(world, random).await;
    world.program.environment.pop();
    tried
}

async fn on_an_old_one(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    world.begin_anew()?;
    let database = world.program.database.clone();
    let which = tokio::task::block_in_place(|| old::put(&database, random))?;
    let told = Told::of(world, &SavedFiles::of(&database)?, random)
        .await
        .map_err(|why| broken!("{which}: {why}"))?;
    let rebuilt = interrupt_and_start(world, &told, random).and_then(|()| told.compare(&database));
    rebuilt.map_err(|why| broken!("{which}: {why}"))?;
    let at = world.server().address;
    for seen in &told.seen {
        world.tally.compared +=
            check::past(seen, at, false).await.map_err(|why| broken!("{which}: {why}"))?;
    }
    world.check().await
}

/// Interrupts some starts, and then lets one be.
fn interrupt_and_start(world: &mut World, told: &Told, random: &mut StdRng) -> Result<(), TrialError> {
    tokio::task::block_in_place(|| {
        for _ in 0..random.random_range(1..=4) {
            interrupt(world, told, random)?;
        }
        Ok::<_, TrialError>(())
    })?;
    world.start()?;
    let left = left_beside(&world.program.database)?;
    promised!(left.is_none(), "left beside the database: {left:?}");
    Ok(())
}

/// Starts a server and ends it while it copies the database, or just before or after.
fn interrupt(world: &mut World, told: &Told, random: &mut StdRng) -> Result<(), TrialError> {
    let database = world.program.database.clone();
    // A start that was interrupted before may have left its unfinished file.
    let left = unfinished_since(&database);
    let starting = world.program.spawn()?;
    let give_up_at = Instant::now() + told.took * 2;
    let until = |is_so: &dyn Fn() -> bool| {
        while !is_so() && Instant::now() < give_up_at {
            thread::sleep(LOOK_EVERY);
        }
    };
    let has_begun = || unfinished_since(&database).is_some_and(|since| Some(since) != left);
    let until_begun = || until(&has_begun);
    let took_us = u64::try_from(told.took.as_micros()).unwrap_or(u64::MAX).max(1);
    let moment = random.random_range(0..4);
    let then_us = match moment {
        0 => random.random_range(0..took_us + took_us / 5),
        1 => {
            until_begun();
            random.random_range(0..took_us)
        }
        // It is complete, and may not be synced yet.
        2 => {
            until_begun();
            until(&|| size(&beside(&database, REBUILDING)) >= told.size);
            random.random_range(0..AROUND_US)
        }
        // It has just taken the place of the old one.
        _ => {
            until_begun();
            until(&|| !is_unfinished(&database));
            random.random_range(0..AROUND_US)
        }
    };
    thread::sleep(Duration::from_micros(then_us));
    // Before it copies, it may not listen to signals yet.
    if moment > 0 && random.random_ratio(1, if moment == 1 { 2 } else { 4 }) {
        let asked_at = Instant::now();
        let status = starting.stop()?;
        let took = asked_at.elapsed();
        promised!(status.success(), "told to stop while it starts, the server ended with {status}");
        promised!(took <= STOPS_WITHIN, "the server took {took:?} to stop while it starts");
        promised!(!is_unfinished(&database), "a server that was told to stop has left the unfinished file");
        let after = SavedFiles::of(&database)?.copy(&world.folder.join("interrupted"))?;
        let was_stopped = !is_up_to_date(&after)?;
        world.tally.rebuilds.cut_short += u64::from(was_stopped);
        world.tally.rebuilds.stopped += u64::from(was_stopped);
    } else {
        starting.kill();
        world.tally.rebuilds.cut_short += u64::from(is_unfinished(&database));
    }
    Ok(())
}

/// Behind the name of the database, the new one while it is made.
const REBUILDING: &str = "-rebuilding";

fn is_unfinished(database: &Path) -> bool {
    beside(database, REBUILDING).exists()
}

/// When the unfinished file was written last, if there is one.
fn unfinished_since(database: &Path) -> Option<SystemTime> {
    fs::metadata(beside(database, REBUILDING)).and_then(|found| found.modified()).ok()
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}

fn is_up_to_date(database: &Path) -> rusqlite::Result<bool> {
    let journal = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'journal')";
    Connection::open(database)?.query_row(journal, [], |row| row.get(0))
}

/// A file that does not belong to a database in use.
fn left_beside(database: &Path) -> io::Result<Option<PathBuf>> {
    let name = database.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for entry in fs::read_dir(database.parent().unwrap_or(Path::new(".")))? {
        let path = entry?.path();
        let found = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(end) = found.strip_prefix(&name)
            && (end.starts_with(REBUILDING) || end == "-journal")
        {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// What a database told when nobody disturbed the copying.
struct Told {
    content: Content,
    /// When it was read; later events are not in it.
    at: u64,
    seen: Vec<Seen>,
    /// How long the copying took, with the rest of the start.
    took: Duration,
    /// The size of the new file.
    size: u64,
}

impl Told {
    /// Brings a copy of the database up to date, and compares its rows with those of before.
    async fn of(world: &World, old: &SavedFiles, random: &mut StdRng) -> Result<Self, TrialError> {
        let (folder, at) = (world.folder.join("undisturbed"), now_ms());
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let database = old.copy(&folder)?;
        let (before, heads) = {
            let connection = Connection::open(&database)?;
            let heads: Vec<(String, u32)> = connection
                .prepare("SELECT id, head FROM matches ORDER BY id")?
                .query_map([], |row| row.try_into())?
                .collect::<Result<_, _>>()?;
            (rows(&connection, &[&AS_THEY_WERE[..], &OLD_MATCHES].concat())?, heads)
        };
        old.put_back(&database)?;
        let program = Program { database, ..world.program.clone() };
        let server = tokio::task::block_in_place(|| program.start());
        let server = server.map_err(|why| broken!("undisturbed: {why}"))?;
        let size = size(&program.database);
        let mut seen = Vec::new();
        for (id, head) in heads.sample(random, MATCHES_READ) {
            let id: MatchId = id.parse().map_err(|_| broken!("{id} is no id"))?;
            let mut told = Seen::of(id);
            for event in check::journal(server.address, id).await?.iter().take(*head as usize) {
                told.see(event.get())?;
            }
            seen.push(told);
        }
        let content = Content::before(&program.database, at, &MORE)?;
        let took = server.took;
        server.kill();
        let connection = Connection::open(&program.database)?;
        let after = rows(&connection, &[&AS_THEY_WERE[..], &NEW_MATCHES].concat())?;
        let lost = before.difference(&after).next().cloned();
        promised!(lost.is_none(), "undisturbed, and lost: {lost:?}");
        Ok(Self { content, at, seen, took, size })
    }

    /// Checks that nothing of it is missing in the database of a server.
    fn compare(&self, database: &Path) -> Result<(), TrialError> {
        let lost = self.content.lost_in(&Content::before(database, self.at, &MORE)?);
        promised!(lost.is_none(), "lost, or changed: {lost:?}");
        Ok(())
    }
}
