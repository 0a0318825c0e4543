//! Checks that the contents of a file are consistent, and counts them.

use std::path::{Path, PathBuf};

use sqlx::Error;

use super::{
    inspect::{inspect, reader},
    match_columns::card,
    open_error::{OpenError, of_sqlite},
    options::SqliteOptions,
    packed,
};
use crate::sql::{Tx, args};

/// How many faults of a kind are reported; [`PAGES`] says it, too.
const FAULTS_TOLD: u32 = 5;

/// How many packed matches are read at once.
const MATCHES_AT_ONCE: u32 = 256;

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
    let busy_timeout = SqliteOptions::default().busy_timeout;
    let version = inspect(path, busy_timeout).await?;
    if version == 0 {
        return Err(Unsound::Empty(path.to_owned()));
    }
    let mut tx = reader(path, busy_timeout).await?;
    let contents = contents(path, version, &mut tx).await;
    // It has only read.
    let _ = tx.close().await;
    contents
}

async fn contents(path: &Path, version: i64, tx: &mut Tx) -> Result<Contents, Unsound> {
    let of_sqlite = |error| of_sqlite(path, error);
    let faults = faults(tx).await.map_err(of_sqlite)?;
    if !faults.is_empty() {
        return Err(Unsound::Faults { path: path.to_owned(), what: faults.join("; ") });
    }
    let (guests, unfinished, finished, events) = tx.one(COUNTS, args![]).await.map_err(of_sqlite)?;
    let file = std::fs::metadata(path);
    let bytes = file.map_err(|error| OpenError::File { path: path.to_owned(), error })?.len();
    Ok(Contents { version, bytes, guests, unfinished, finished, events })
}

const COUNTS: &str = "SELECT (SELECT COUNT(*) FROM guests WHERE kind <> 'computer'), \
     (SELECT COUNT(*) FROM matches WHERE state <> 'finished'), \
     (SELECT COUNT(*) FROM matches WHERE state = 'finished'), \
     (SELECT COALESCE(SUM(head), 0) FROM match_rows)";

const PAGES: &str = "PRAGMA integrity_check(5)";

const DANGLING: &str = "SELECT \"table\", rowid, parent FROM pragma_foreign_key_check LIMIT $1";

/// What is counted, and what so many of them are.
const COUNTED: [(&str, &str); 5] = [
    // Each append follows the one before it, or what is packed, and is followed by one at most, which
    // each but the last is.
    (
        "SELECT COUNT(DISTINCT number) FROM (\
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
             SELECT match, COUNT(*) - COUNT(before) AS firsts, \
                 COUNT(before) - COUNT(DISTINCT before) AS forks, MAX(last) AS newest \
                 FROM journal GROUP BY match) AS chain \
             WHERE firsts <> 1 OR forks > 0 OR NOT EXISTS (SELECT 1 FROM matches WHERE number = chain.match) \
             OR chain.newest IS NOT (SELECT last FROM newest WHERE newest.match = chain.match))",
        "matches whose journal has gaps or another length than they say",
    ),
    (
        "SELECT COUNT(*) FROM matches WHERE state <> 'finished' AND NOT EXISTS \
         (SELECT 1 FROM secrets WHERE secrets.match = matches.id AND secret IS NOT NULL)",
        "matches without the secret of their dice",
    ),
    // These two tables refer to matches without a constraint.
    (
        "SELECT COUNT(*) FROM secrets WHERE secret IS NOT NULL \
         AND NOT EXISTS (SELECT 1 FROM matches WHERE matches.id = secrets.match)",
        "secrets of matches that there are not",
    ),
    (
        "SELECT COUNT(*) FROM used_keys \
         WHERE NOT EXISTS (SELECT 1 FROM matches WHERE matches.id = used_keys.match) \
         AND NOT EXISTS (SELECT 1 FROM tournaments WHERE tournaments.id = used_keys.match)",
        "keys that were used for matches that there are not",
    ),
    (
        "SELECT COUNT(*) FROM tournaments WHERE (head, head) IS NOT \
         (SELECT COUNT(*), MAX(seq) FROM tournament_events WHERE tournament = tournaments.id)",
        "tournaments whose events have gaps or another number than they say",
    ),
];

const PACKED: &str =
    "SELECT number, packed, card FROM matches WHERE packed > 0 AND number > $1 ORDER BY number LIMIT $2";

/// What does not fit together, at most [`FAULTS_TOLD`] of each kind.
pub(super) async fn faults(tx: &mut Tx) -> Result<Vec<String>, Error> {
    // All of it at one moment.
    tx.script("BEGIN").await?;
    let found = find(tx).await;
    let ended = tx.script("ROLLBACK").await;
    let found = found?;
    ended.map(|()| found)
}

async fn find(tx: &mut Tx) -> Result<Vec<String>, Error> {
    let mut faults: Vec<String> = tx.all(PAGES, args![]).await?;
    faults.retain(|said| said != "ok");
    if !faults.is_empty() {
        return Ok(faults);
    }
    let dangling: Vec<(String, Option<i64>, String)> = tx.all(DANGLING, args![FAULTS_TOLD]).await?;
    faults.extend(dangling.into_iter().map(|(table, row, parent)| {
        let row = row.map_or_else(String::new, |row| format!(" {row}"));
        format!("row{row} of {table} refers to a row of {parent} that there is not")
    }));
    for (sql, what) in COUNTED {
        let count: i64 = tx.one(sql, args![]).await?;
        if count > 0 {
            faults.push(format!("{count} {what}"));
        }
    }
    faults.extend(unreadable(tx).await?);
    Ok(faults)
}

/// Unpacks all packed matches.
async fn unreadable(tx: &mut Tx) -> Result<Option<String>, Error> {
    let (mut unreadable, mut after) = (0_u64, 0_i64);
    loop {
        let some: Vec<(i64, i64, Vec<u8>)> = tx.all(PACKED, args![after, MATCHES_AT_ONCE]).await?;
        let Some(&(newest, ..)) = some.last() else { break };
        after = newest;
        for (number, last, shown) in some {
            let is_whole = packed::read(tx, number)
                .await
                .is_ok_and(|appends| appends.last().is_some_and(|append| append.last == last));
            unreadable += u64::from(!is_whole || card(&shown, None, 0).is_err());
        }
    }
    Ok((unreadable > 0).then(|| format!("{unreadable} matches whose packed events cannot be read")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::open::open;

    /// Each kind of fault but damaged pages; with a match that is sound.
    #[tokio::test]
    async fn what_does_not_fit_together_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        let mut opened = open(&path, &SqliteOptions::default()).await.expect("opened");
        let sound = "INSERT INTO matches (number, id, game, state, listed, seat1, updated_at, card) \
                 VALUES (1, x'01', 'tavla', 'live', true, x'0a', 1, x'7b7d'); \
             INSERT INTO secrets (match, secret) VALUES (x'01', x'05'), (x'09', NULL); \
             INSERT INTO journal (arrival, match, first, last, at, events) VALUES (1, 1, 1, 1, 1, '[{}]')";
        opened.writer.script(sound).await.expect("written");
        assert!(faults(&mut opened.writer).await.expect("read").is_empty());
        let unsound = "PRAGMA foreign_keys = false; \
             INSERT INTO matches (number, id, game, state, listed, seat1, updated_at, packed, card) \
                 VALUES (2, x'02', 'tavla', 'live', true, x'0a', 1, 0, x'7b7d'), \
                     (3, x'03', 'tavla', 'finished', true, x'0a', 1, 1, x'7b7d'); \
             INSERT INTO packed (match, body) VALUES (3, x'00'); \
             INSERT INTO secrets (match, secret) VALUES (x'08', x'05'); \
             INSERT INTO used_keys (guest, key, digest, match, first, at) \
                 VALUES (x'0a', 'make', x'05', x'08', 1, 1); \
             INSERT INTO follows (guest, followed, created_at) SELECT id, x'0b', 1 FROM guests LIMIT 1; \
             INSERT INTO tournaments (id, organiser, head, last_at, game, stage, listed, at, card) \
                 VALUES (x'11', x'0a', 2, 1, 'tavla', 'ended', true, 1, '{}'); \
             INSERT INTO tournament_events (tournament, seq, at, event) VALUES (x'11', 2, 1, '{}')";
        opened.writer.script(unsound).await.expect("written");
        let found = faults(&mut opened.writer).await.expect("read");
        let expected = [
            "row 1 of follows refers to a row of guests that there is not",
            "1 matches whose journal has gaps or another length than they say",
            "1 matches without the secret of their dice",
            "1 secrets of matches that there are not",
            "1 keys that were used for matches that there are not",
            "1 tournaments whose events have gaps or another number than they say",
            "1 matches whose packed events cannot be read",
        ];
        assert_eq!(found, expected);
    }
}
