//! The files and the rows of a database that no server uses.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, OpenFlags};

use crate::server::{beside, read_if_there};

/// Rows that clients may know of: none may be missing afterwards.
const EVENTS: &str = "SELECT 'events ' || match || ' ' || first || ' ' || events FROM journal";
const TOLD: [&str; 4] = [
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

/// The files of a database as a server that was killed left them.
pub(super) struct SavedFiles(Vec<(&'static str, Option<Vec<u8>>)>);

impl SavedFiles {
    pub(super) fn of(database: &Path) -> io::Result<Self> {
        let read = |end| Ok((end, read_if_there(&beside(database, end))?));
        ["", "-wal", "-journal", "-commits"].into_iter().map(read).collect::<io::Result<_>>().map(Self)
    }

    /// The same files in a folder of their own: the database there.
    pub(super) fn copy(&self, folder: &Path) -> io::Result<PathBuf> {
        fs::create_dir_all(folder)?;
        let database = folder.join("lusoria.db");
        self.put_back(&database)?;
        Ok(database)
    }

    pub(super) fn put_back(&self, database: &Path) -> io::Result<()> {
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
pub(super) struct Content {
    pub(super) history: String,
    told: BTreeSet<String>,
    spent: BTreeSet<String>,
}

impl Content {
    pub(super) fn of(database: &Path) -> rusqlite::Result<Self> {
        Self::with(&Connection::open(database)?, &[EVENTS])
    }

    /// The content of a database that a server may use, without events from that time on, and with more
    /// rows of which none may be missing.
    pub(super) fn before(database: &Path, at: u64, more: &[&str]) -> rusqlite::Result<Self> {
        let connection = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let events = format!("{EVENTS} WHERE at < {at}");
        Self::with(&connection, &[&[&*events], more].concat())
    }

    fn with(connection: &Connection, more: &[&str]) -> rusqlite::Result<Self> {
        let mut told = rows(connection, &TOLD)?;
        told.extend(rows(connection, more)?);
        let spent = rows(connection, &SPENT)?;
        let history = rows(connection, &["SELECT id FROM history"])?;
        Ok(Self { history: history.into_iter().collect(), told, spent })
    }

    /// A row of this content that is missing in what is left.
    pub(super) fn lost_in(&self, left: &Self) -> Option<String> {
        let changed = self.spent.symmetric_difference(&left.spent);
        self.told.difference(&left.told).chain(changed).next().cloned()
    }
}

/// The rows that some statements find.
pub(super) fn rows(connection: &Connection, statements: &[&str]) -> rusqlite::Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for statement in statements {
        let mut statement = connection.prepare(statement)?;
        for row in statement.query_map([], |row| row.get(0))? {
            found.insert(row?);
        }
    }
    Ok(found)
}
