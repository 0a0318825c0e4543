//! A WAL that is cut, changed or gone: if a commit is lost, the server says so and begins a new history;
//! if none is lost, it says nothing.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use rand::{RngExt, rngs::StdRng};
use rusqlite::Connection;

use super::{World, play_until_killed};
use crate::{
    crash::{
        TrialError,
        error::{broken, promised},
    },
    server::{beside, log_of, read_if_there},
    web,
};

/// Rows that clients may know of: none may be missing afterwards.
const TOLD: [&str; 5] = [
    "SELECT 'events ' || match || ' ' || first || ' ' || events FROM journal",
    "SELECT 'packed ' || match || ' ' || hex(body) FROM packed",
    "SELECT 'guest ' || id || ' ' || name FROM guests",
    "SELECT 'key ' || guest_id || ' ' || key FROM used_keys",
    "SELECT 'analysis ' || match FROM analyses",
];

/// Rows that are removed when they have been used: no other row may be there afterwards.
const SPENT: [&str; 3] = [
    "SELECT 'token ' || hash FROM tokens",
    "SELECT 'invitation ' || hash FROM invitations",
    "SELECT 'code ' || hash FROM device_codes",
];

pub(super) async fn round(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    play_until_killed(world, random).await?;
    let database = world.program.database.clone();
    let kept = SavedFiles::of(&database)?;
    let before = Content::of(&kept.copy(&world.folder.join("undamaged"))?)?;
    let damage = damage(&database, random)?;
    // What is packed meanwhile would look lost.
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

/// Damages the WAL in some way. Returns how.
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

/// The files of a database as a server that was killed left them.
struct SavedFiles(Vec<(&'static str, Option<Vec<u8>>)>);

impl SavedFiles {
    fn of(database: &Path) -> io::Result<Self> {
        let read = |end| Ok((end, read_if_there(&beside(database, end))?));
        ["", "-wal", "-commits"].into_iter().map(read).collect::<io::Result<_>>().map(Self)
    }

    /// The same files in a folder of their own: the database there.
    fn copy(&self, folder: &Path) -> io::Result<PathBuf> {
        fs::create_dir_all(folder)?;
        let database = folder.join("lusoria.db");
        self.put_back(&database)?;
        Ok(database)
    }

    fn put_back(&self, database: &Path) -> io::Result<()> {
        let _ = fs::remove_file(beside(database, "-shm"));
        for (end, bytes) in &self.0 {
            let path = beside(database, end);
            match bytes {
                Some(bytes) => fs::write(path, bytes)?,
                None if path.exists() => fs::remove_file(path)?,
                None => {}
            }
        }
        Ok(())
    }
}

/// The content of a database.
struct Content {
    history: String,
    told: BTreeSet<String>,
    spent: BTreeSet<String>,
}

impl Content {
    fn of(database: &Path) -> Result<Self, TrialError> {
        let connection = Connection::open(database)?;
        let told = rows(&connection, &TOLD)?;
        let spent = rows(&connection, &SPENT)?;
        let history = rows(&connection, &["SELECT id FROM history"])?;
        Ok(Self { history: history.into_iter().collect(), told, spent })
    }

    /// A row of this content that is missing in what is left.
    fn lost_in(&self, left: &Self) -> Option<String> {
        let changed = self.spent.symmetric_difference(&left.spent);
        self.told.difference(&left.told).chain(changed).next().cloned()
    }
}

/// The rows that some statements find.
fn rows(connection: &Connection, statements: &[&'static str]) -> rusqlite::Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for statement in statements {
        let mut statement = connection.prepare(statement)?;
        for row in statement.query_map([], |row| row.get(0))? {
            found.insert(row?);
        }
    }
    Ok(found)
}
