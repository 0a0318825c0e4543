//! A WAL that is cut, changed or gone: if a commit is lost, the server says so and begins a new history;
//! if none is lost, it says nothing.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use rand::{RngExt, rngs::StdRng};
use rusqlite::Connection;

use super::{World, instant};
use crate::{
    crash::TrialError,
    server::{beside, log_of},
    web,
};

/// Rows that clients may know of: none may be missing afterwards.
const TOLD: [&str; 4] = [
    "SELECT 'event ' || match_id || ' ' || seq || ' ' || body FROM events",
    "SELECT 'guest ' || id || ' ' || name FROM guests",
    "SELECT 'key ' || guest_id || ' ' || key FROM used_keys",
    "SELECT 'analysis ' || match_id FROM analyses",
];

/// Rows that are removed when they have been used: no other row may be there afterwards.
const SPENT: [&str; 3] = [
    "SELECT 'token ' || hash FROM tokens",
    "SELECT 'invitation ' || hash FROM invitations",
    "SELECT 'code ' || hash FROM device_codes",
];

pub(super) async fn round(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    let playing = world.play();
    instant(world, random).await;
    world.kill();
    world.wait_for(playing).await?;
    let database = world.program.database.clone();
    let kept = SavedFiles::of(&database).map_err(of_files)?;
    let before = Content::of(&kept.copy(&world.folder.join("undamaged")).map_err(of_files)?)?;
    let damage = damage(&database, random).map_err(of_files)?;
    let server = tokio::task::block_in_place(|| world.program.start());
    let server =
        server.map_err(|why| TrialError::broken(format!("{damage}: the server does not start: {why}")))?;
    let noticed = web::ready(server.address()).await?.lost_commits > 0;
    server.kill();
    let after = Content::of(&database)?;
    match (before.lost_in(&after), noticed) {
        (Some(lost), false) => {
            return Err(TrialError::broken(format!("{damage}: lost without a word: {lost}")));
        }
        (None, true) => {
            return Err(TrialError::broken(format!("{damage}: nothing is lost, and a loss is told")));
        }
        (Some(_), true) if before.history == after.history => {
            return Err(TrialError::broken(format!("{damage}: a loss in the same history")));
        }
        (None, false) if before.history != after.history => {
            return Err(TrialError::broken(format!("{damage}: another history, and nothing is lost")));
        }
        (Some(_), true) => world.tally.noticed += 1,
        (None, false) => {}
    }
    kept.put_back(&database).map_err(of_files)?;
    world.start()?;
    world.check().await
}

/// Damages the WAL in some way. Returns how.
fn damage(database: &Path, random: &mut StdRng) -> io::Result<String> {
    let path = log_of(database);
    let mut bytes = match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        read => read?,
    };
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
        let read = |end| match fs::read(beside(database, end)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((end, None)),
            read => read.map(|bytes| (end, Some(bytes))),
        };
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
        let broken = |error: rusqlite::Error| TrialError::broken(format!("{}: {error}", database.display()));
        let connection = Connection::open(database).map_err(broken)?;
        let told = rows(&connection, &TOLD).map_err(broken)?;
        let spent = rows(&connection, &SPENT).map_err(broken)?;
        let history = rows(&connection, &["SELECT id FROM history"]).map_err(broken)?;
        connection.close().map_err(|(_, error)| broken(error))?;
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

#[expect(clippy::needless_pass_by_value, reason = "so that it fits map_err")]
fn of_files(error: io::Error) -> TrialError {
    TrialError::broken(format!("the trial's files: {error}"))
}
