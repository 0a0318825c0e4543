//! Checks that the contents of a file are consistent, and counts them.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::{
    inspect::{inspect, reader},
    match_columns::card,
    migrations::JOURNAL,
    open_error::{OpenError, of_sqlite},
    options::SqliteOptions,
    packed,
    readers::blocking,
    sql::{one, rows},
};

/// How many faults are reported.
const FAULTS_TOLD: usize = 5;

/// How much a database holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    /// The version of its tables.
    pub version: i64,
    /// The length of the file, in bytes.
    pub bytes: u64,
    /// Guests, without the computer.
    pub guests: u64,
    /// Matches that have not ended.
    pub unfinished: u64,
    /// Matches that have.
    pub finished: u64,
    /// Events of all matches.
    pub events: u64,
}

/// Why a database cannot be relied on.
#[derive(Debug, thiserror::Error)]
pub enum Unsound {
    /// It cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// It holds no tables.
    #[error("{0} is empty: no server has used it yet")]
    Empty(PathBuf),
    /// It is inconsistent.
    #[error("{path} is damaged: {what}")]
    Faults {
        /// Which file.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
}

/// Reads everything and checks that it is consistent: the pages, the indexes, each row
/// with those that it refers to, each match with its journal and its secret.
///
/// # Errors
/// If it is inconsistent, or not a database of this server.
pub async fn check(path: &Path) -> Result<Contents, Unsound> {
    let path = path.to_owned();
    blocking(move || check_file(&path)).await
}

pub(super) fn check_file(path: &Path) -> Result<Contents, Unsound> {
    let busy_timeout = SqliteOptions::default().busy_timeout;
    let version = inspect(path, busy_timeout)?;
    if version == 0 {
        return Err(Unsound::Empty(path.to_owned()));
    }
    let connection = reader(path, busy_timeout)?;
    let of_sqlite = |error| of_sqlite(path, error);
    let faults = faults(&connection, version).map_err(of_sqlite)?;
    if !faults.is_empty() {
        return Err(Unsound::Faults { path: path.to_owned(), what: faults.join("; ") });
    }
    let (guests, unfinished, finished, events) =
        one(&connection, queries(version).counts, []).map_err(of_sqlite)?;
    let file = std::fs::metadata(path);
    let bytes = file.map_err(|error| OpenError::File { path: path.to_owned(), error })?.len();
    Ok(Contents { version, bytes, guests, unfinished, finished, events })
}

/// What only some versions have.
struct Queries {
    /// Guests, matches that have not ended, matches that have, events. What no computer is begins
    /// otherwise; the first versions had no column for the kind.
    counts: &'static str,
    without_journal: &'static str,
    without_secret: &'static str,
}

macro_rules! counts {
    ($rows:literal) => {
        concat!(
            "SELECT \
             (SELECT COUNT(*) FROM guests WHERE id NOT LIKE '00000000-0000-7000-8000-00000000000_'), \
             (SELECT COUNT(*) FROM matches WHERE state <> 'finished'), \
             (SELECT COUNT(*) FROM matches WHERE state = 'finished'), \
             (SELECT COALESCE(SUM(head), 0) FROM ",
            $rows,
            ")"
        )
    };
}

const NOW: Queries = Queries {
    counts: counts!("match_rows"),
    // Each append follows the one before it, or what is packed, and is followed by one at most, which
    // each but the last is.
    without_journal: "SELECT COUNT(DISTINCT number) FROM (\
         SELECT matches.number FROM journal JOIN matches ON matches.number = journal.match \
             LEFT JOIN journal AS earlier ON earlier.arrival = journal.before \
             WHERE journal.first IS NOT 1 + CASE WHEN journal.before IS NULL THEN packed \
                 WHEN earlier.match = journal.match THEN earlier.last END \
         UNION ALL SELECT number FROM matches LEFT JOIN newest ON newest.match = number \
             LEFT JOIN journal ON journal.arrival = newest.arrival \
             WHERE newest.match IS NULL AND packed = 0 \
             OR newest.match IS NOT NULL AND (journal.match, journal.last) IS NOT (number, newest.last) \
         UNION ALL SELECT number FROM matches \
             WHERE (packed > 0) <> EXISTS (SELECT 1 FROM packed AS parts WHERE parts.match = number) \
         UNION ALL SELECT match AS number FROM (\
             SELECT match, COUNT(*) - COUNT(before) AS firsts, COUNT(before) - COUNT(DISTINCT before) AS forks, \
             MAX(last) AS newest FROM journal GROUP BY match) AS chain \
             WHERE firsts <> 1 OR forks > 0 OR NOT EXISTS (SELECT 1 FROM matches WHERE number = chain.match) \
             OR chain.newest IS NOT (SELECT last FROM newest WHERE newest.match = chain.match))",
    without_secret: "SELECT COUNT(*) FROM matches WHERE state <> 'finished' \
         AND NOT EXISTS (SELECT 1 FROM secrets WHERE match = number)",
};

/// Before [`JOURNAL`].
const BEFORE: Queries =
    Queries { counts: counts!("matches"), without_journal: WITHOUT_JOURNAL, without_secret: WITHOUT_SECRET };

const WITHOUT_JOURNAL: &str = "SELECT COUNT(*) FROM matches WHERE head <> \
     (SELECT COUNT(*) FROM events WHERE match_id = matches.id AND seq <= matches.head) \
     OR head <> COALESCE((SELECT MAX(seq) FROM events WHERE match_id = matches.id), 0)";

const WITHOUT_SECRET: &str = "SELECT COUNT(*) FROM matches WHERE state <> 'finished' \
     AND NOT EXISTS (SELECT 1 FROM secrets WHERE match_id = matches.id)";

const DANGLING: &str = "SELECT \"table\", rowid, parent FROM pragma_foreign_key_check LIMIT ?1";

const fn queries(version: i64) -> &'static Queries {
    if version < JOURNAL { &BEFORE } else { &NOW }
}

/// What does not fit together in a database of that version, at most [`FAULTS_TOLD`] of each kind.
pub(super) fn faults(connection: &Connection, version: i64) -> rusqlite::Result<Vec<String>> {
    let pages: Vec<(String,)> = rows(connection, &format!("PRAGMA integrity_check({FAULTS_TOLD})"), [])?;
    let mut faults: Vec<String> =
        pages.into_iter().map(|(fault,)| fault).filter(|said| said != "ok").collect();
    if !faults.is_empty() {
        return Ok(faults);
    }
    let dangling: Vec<(String, Option<i64>, String)> = rows(connection, DANGLING, [FAULTS_TOLD])?;
    faults.extend(dangling.into_iter().map(|(table, row, parent)| {
        let row = row.map_or_else(String::new, |row| format!(" {row}"));
        format!("row{row} of {table} refers to a row of {parent} that there is not")
    }));
    let Queries { without_journal, without_secret, .. } = queries(version);
    for (sql, what) in [
        (without_journal, "whose journal has gaps or another length than they say"),
        (without_secret, "without the secret of their dice"),
    ] {
        let (count,): (i64,) = one(connection, sql, [])?;
        if count > 0 {
            faults.push(format!("{count} matches {what}"));
        }
    }
    if version >= JOURNAL {
        faults.extend(unreadable(connection)?);
    }
    Ok(faults)
}

/// Unpacks all packed matches.
fn unreadable(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let mut all = connection.prepare("SELECT number, packed, card FROM matches WHERE packed > 0")?;
    let mut unreadable = 0;
    for row in all.query_map([], |row| <(i64, i64, Vec<u8>)>::try_from(row))? {
        let (number, last, shown) = row?;
        let is_whole = packed::read(connection, number)
            .is_ok_and(|appends| appends.last().is_some_and(|append| append.last == last));
        unreadable += u64::from(!is_whole || card(&shown, None, 0).is_err());
    }
    Ok((unreadable > 0).then(|| format!("{unreadable} matches whose packed events cannot be read")))
}
