//! The files and the rows of a database that no server has open.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use lusoria_services::sqlite::File;

use crate::server::{beside, read_if_there};

/// Rows that clients may have seen: none may be missing afterwards.
const TOLD: &str = "SELECT 'events', match, first, events FROM journal; \
     SELECT 'packed', match, body FROM packed; \
     SELECT 'guest', id, name FROM guests; \
     SELECT 'key', guest, key FROM used_keys; \
     SELECT 'analysis', match FROM analyses";

/// Rows that are removed after use: no other row may be there afterwards.
const SPENT: &str = "SELECT 'token', hash FROM tokens; \
     SELECT 'invitation', hash FROM invitations; \
     SELECT 'code', hash FROM device_codes";

/// The files of a database as a killed server left them.
pub(super) struct SavedFiles(Vec<(&'static str, Option<Vec<u8>>)>);

impl SavedFiles {
    pub(super) fn of(database: &Path) -> io::Result<Self> {
        let read = |end| Ok((end, read_if_there(&beside(database, end))?));
        ["", "-wal", "-journal", "-commits"].into_iter().map(read).collect::<io::Result<_>>().map(Self)
    }

    /// Copies the files to a folder. Returns the path of the database there.
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
    told: BTreeSet<Vec<String>>,
    spent: BTreeSet<Vec<String>>,
}

impl Content {
    pub(super) fn of(database: &Path) -> io::Result<Self> {
        let file = File::open(database)?;
        let rows = |select| Ok::<_, io::Error>(file.rows(select)?.into_iter().collect());
        let history = file.value("SELECT history FROM cluster")?;
        Ok(Self { history, told: rows(TOLD)?, spent: rows(SPENT)? })
    }

    /// A row of this content that is missing in the other.
    pub(super) fn lost_in(&self, left: &Self) -> Option<String> {
        let changed = self.spent.symmetric_difference(&left.spent);
        self.told.difference(&left.told).chain(changed).next().map(|row| row.join(" "))
    }
}
