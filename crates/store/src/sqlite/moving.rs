//! A file that is moved to PostgreSQL: reading all its rows, and the mark that it was moved.
//!
//! The mark is a table, and a migration that no release knows: so releases that do not know the mark refuse
//! the file, too.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, Row};
use serde_json::json;
use uuid::Uuid;

use super::{
    append_row::AppendRow,
    events::journal_after,
    failure::{of_read, undecodable},
    files::Hold,
    inspect::{TABLE_OF_MARK, inspect, reader, up_to_date},
    match_columns::{card, card_column},
    open::{self, Opened, connect_to_write},
    open_error::{OpenError, of_sqlite},
    options::SqliteOptions,
    packed,
    sql::{execute, first, one},
    text::{corrupt, match_id},
    truncate_wal_and_close,
};
use crate::moving::{Batch, MoveError, TABLES, Table, Totals};

/// At most how many rows are in a batch, but for the journal of one match.
const ROWS_AT_ONCE: usize = 1_000;
/// From how many bytes on a batch is full.
const BYTES_AT_ONCE: usize = 4 << 20;

/// The number of the migration that marks a file. No release will have as many.
const MARK: i64 = 1_000_000_000;

/// Where a file was moved.
#[derive(Debug, Clone)]
pub(crate) struct Mark {
    /// Without the password.
    pub(crate) place: String,
    pub(crate) at: String,
    pub(crate) history: Uuid,
}

impl Mark {
    pub(crate) fn into_error(self, path: &Path) -> OpenError {
        OpenError::Moved { path: path.to_owned(), place: self.place, at: self.at }
    }
}

/// The mark of a file; none if it was not moved.
///
/// # Errors
/// If it is no database of this server and version.
pub(crate) fn mark(path: &Path) -> Result<Option<Mark>, OpenError> {
    let busy_timeout = SqliteOptions::default().busy_timeout;
    match up_to_date(path, busy_timeout) {
        Ok(()) => Ok(None),
        Err(OpenError::Moved { place, at, .. }) => {
            let history = open::history_of(&reader(path, busy_timeout)?);
            Ok(Some(Mark { place, at, history: history.map_err(|error| of_sqlite(path, error))? }))
        }
        Err(error) => Err(error),
    }
}

const MARK_TABLE: &str = "CREATE TABLE moved (place TEXT NOT NULL, at TEXT NOT NULL)";
const MARK_ROW: &str = "INSERT INTO moved (place, at) VALUES (?1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))";
const MARK_MIGRATION: &str = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
     VALUES (?1, 'moved to PostgreSQL', TRUE, x'', 0)";

/// Removes the mark of a file whose move did not come to an end.
pub(crate) fn unmark(path: &Path) -> Result<(), OpenError> {
    change_marked(path, remove_mark)
}

/// Lets servers use a file again that was moved. Another history begins: clients may know what happened
/// in the database that it was moved to, and discard it.
///
/// # Errors
/// If it was not moved, or another program uses it.
pub fn use_again(path: &Path) -> Result<(), OpenError> {
    change_marked(path, |connection| {
        remove_mark(connection)?;
        execute(connection, "UPDATE history SET id = ?1", [Uuid::new_v4().to_string()]).map(drop)
    })
}

fn change_marked(
    path: &Path,
    change: impl FnOnce(&Connection) -> rusqlite::Result<()>,
) -> Result<(), OpenError> {
    let options = SqliteOptions::default();
    match inspect(path, options.busy_timeout) {
        Err(OpenError::Moved { .. }) => {}
        Err(error) => return Err(error),
        Ok(_) => return Err(OpenError::NotMoved(path.to_owned())),
    }
    let _hold = Hold::of(path)?;
    let change = || -> rusqlite::Result<()> {
        let mut connection = connect_to_write(path, &options)?;
        let transaction = connection.transaction()?;
        change(&transaction)?;
        transaction.commit()?;
        truncate_wal_and_close(connection)
    };
    change().map_err(|error| of_sqlite(path, error))
}

fn remove_mark(connection: &Connection) -> rusqlite::Result<()> {
    execute(connection, "DELETE FROM _sqlx_migrations WHERE version = ?1", [MARK])?;
    connection.execute_batch(&format!("DROP TABLE {TABLE_OF_MARK}"))
}

/// A file of which all is read; no server can use it meanwhile.
pub(crate) struct Source {
    path: PathBuf,
    connection: Connection,
    history: Uuid,
    _lock: File,
}

impl Source {
    /// # Errors
    /// As a server's start.
    pub(crate) fn open(path: &Path) -> Result<Self, OpenError> {
        // Here as in `mark`: a server of another version may have used it since.
        up_to_date(path, SqliteOptions::default().busy_timeout)?;
        let Opened { lock, writer, history, .. } = open::open(path, &SqliteOptions::default())?;
        Ok(Self { path: path.to_owned(), connection: writer, history, _lock: lock })
    }

    pub(crate) const fn history(&self) -> Uuid {
        self.history
    }

    fn failed(&self, error: rusqlite::Error) -> MoveError {
        MoveError::Content { path: self.path.clone(), error: of_read(error) }
    }

    pub(crate) fn totals(&self) -> Result<Totals, MoveError> {
        const COUNTS: &str = "SELECT (SELECT COUNT(*) FROM guests WHERE kind <> 'computer'), \
             COUNT(*), COALESCE(SUM(head), 0) FROM match_rows";
        let counts = one(&self.connection, COUNTS, []);
        let (guests, matches, events) = counts.map_err(|error| self.failed(error))?;
        Ok(Totals { guests, matches, events })
    }

    /// Until when a server ran on the file, if one did.
    pub(crate) fn ran_until(&self) -> Result<Option<i64>, MoveError> {
        let at = first(&self.connection, "SELECT at FROM alive", []);
        Ok(at.map_err(|error| self.failed(error))?.map(|(at,)| at))
    }

    /// Gives all rows, until it gets false.
    pub(crate) fn read(&self, give: &mut dyn FnMut(Batch) -> bool) -> Result<(), MoveError> {
        for table in &TABLES {
            let goes_on = match select(table.name) {
                Some(select) => self.read_table(table, select, give),
                None if table.name == "matches" => self.read_matches(give),
                // With the matches.
                None => Ok(true),
            };
            if !goes_on.map_err(|error| self.failed(error))? {
                break;
            }
        }
        Ok(())
    }

    fn read_table(
        &self,
        table: &'static Table,
        select: &str,
        give: &mut dyn FnMut(Batch) -> bool,
    ) -> rusqlite::Result<bool> {
        let mut statement = self.connection.prepare(select)?;
        let mut filling = Filling::of(table);
        for row in statement.query_map([], |row| row.get(0))? {
            filling.add(row?);
            if filling.is_full() && !give(filling.take()) {
                return Ok(false);
            }
        }
        Ok(filling.rows.is_empty() || give(filling.take()))
    }

    /// Each match comes before its journal.
    fn read_matches(&self, give: &mut dyn FnMut(Batch) -> bool) -> rusqlite::Result<bool> {
        let named = |name| TABLES.iter().find(|table| table.name == name).expect("one of them");
        let (mut matches, mut journal) = (Filling::of(named("matches")), Filling::of(named("journal")));
        let mut statement = self.connection.prepare(MATCHES)?;
        for row in statement.query_map([], |row| MatchRow::try_from(row))? {
            let row = row?;
            for AppendRow { first, last, at, events } in self.journal_of(&row)? {
                let append =
                    json!({"match": row.id, "first": first, "last": last, "at": at, "events": events});
                journal.add(append.to_string());
            }
            matches.add(row.json.to_string());
            if (matches.is_full() || journal.is_full()) && !(give(matches.take()) && give(journal.take())) {
                return Ok(false);
            }
        }
        Ok(matches.rows.is_empty() || give(matches.take()) && give(journal.take()))
    }

    /// All appends of a match, which tell its events from the first to the last.
    fn journal_of(&self, row: &MatchRow) -> rusqlite::Result<Vec<AppendRow>> {
        let MatchRow { number, id, head, .. } = *row;
        let mut appends = packed::read(&self.connection, number)?;
        let packed_until = appends.last().map_or(0, |append| append.last);
        let since = u32::try_from(packed_until).map_err(|error| undecodable(corrupt(error)))?;
        appends.extend(journal_after(&self.connection, number, since, u32::MAX)?);
        let mut before = 0;
        for append in &appends {
            if append.first != before + 1 {
                return Err(undecodable(corrupt(format!("match {id} lacks event {}", before + 1))));
            }
            append.recorded(match_id(id.into_bytes())).map_err(undecodable)?;
            before = append.last;
        }
        if before == head {
            Ok(appends)
        } else {
            Err(undecodable(corrupt(format!("match {id} has {before} events, and should have {head}"))))
        }
    }

    /// Marks the file as moved.
    pub(crate) fn mark(mut self, place: &str) -> Result<Self, MoveError> {
        let marked = self.connection.transaction().and_then(|transaction| {
            transaction.execute_batch(MARK_TABLE)?;
            execute(&transaction, MARK_ROW, [place])?;
            execute(&transaction, MARK_MIGRATION, [MARK])?;
            transaction.commit()
        });
        marked.map_err(|error| of_sqlite(&self.path, error))?;
        Ok(self)
    }

    /// Removes the mark again.
    pub(crate) fn unmark(mut self) -> Result<(), MoveError> {
        let unmarked = self.connection.transaction().and_then(|transaction| {
            remove_mark(&transaction)?;
            transaction.commit()
        });
        unmarked.map_err(|error| of_sqlite(&self.path, error))?;
        self.close();
        Ok(())
    }

    /// Copies the WAL into the file, and lets go of it.
    pub(crate) fn close(self) {
        if let Err(error) = truncate_wal_and_close(self.connection) {
            tracing::warn!(%error, "WAL checkpoint failed; the WAL stays beside the file");
        }
    }
}

/// A match as it is read.
struct MatchRow {
    number: i64,
    id: Uuid,
    head: i64,
    /// The row that it becomes.
    json: serde_json::Value,
}

const MATCHES: &str = "SELECT number, id, game, state, listed, seat1, seat2, made_by, head, rewritten, updated_at, \
     card, standing FROM match_rows ORDER BY number";

impl TryFrom<&Row<'_>> for MatchRow {
    type Error = rusqlite::Error;

    fn try_from(row: &Row<'_>) -> rusqlite::Result<Self> {
        let id = |name| row.get::<_, Option<[u8; 16]>>(name).map(|id| id.map(Uuid::from_bytes));
        let text = |name| row.get::<_, String>(name);
        let number = |name| row.get::<_, i64>(name);
        let (shown, standing): (Vec<u8>, Option<String>) = (row.get("card")?, row.get("standing")?);
        let shown = card(&shown, standing.as_deref(), number("updated_at")?).map_err(undecodable)?;
        let json = json!({
            "id": id("id")?,
            "game": text("game")?,
            "state": text("state")?,
            "listed": row.get::<_, bool>("listed")?,
            "seat1": id("seat1")?,
            "seat2": id("seat2")?,
            "made_by": id("made_by")?,
            "head": number("head")?,
            "edition": number("rewritten")?,
            "updated_at": number("updated_at")?,
            "card": card_column(&shown),
        });
        let id = Uuid::from_bytes(row.get("id")?);
        Ok(Self { number: number("number")?, id, head: number("head")?, json })
    }
}

/// The id of a match in the row of a table that has its number.
macro_rules! of_match {
    ($columns:literal, $table:literal) => {
        concat!(
            "SELECT json_object('match', lower(substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' \
             || substr(hex(id), 13, 4) || '-' || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21)), ",
            $columns,
            ") FROM ",
            $table,
            " JOIN matches ON matches.number = ",
            $table,
            ".match"
        )
    };
}

/// The rows of a table that are moved as they are, each as JSON. Hashes are written as PostgreSQL does.
fn select(table: &str) -> Option<&'static str> {
    Some(match table {
        "guests" => {
            "SELECT json_object('id', id, 'name', name, 'kind', kind, 'created_at', created_at, \
             'blocked_at', blocked_at) FROM guests"
        }
        "tokens" => {
            "SELECT json_object('hash', '\\x' || hash, 'id', id, 'guest', guest_id, 'created_at', created_at, \
             'origin', origin, 'device', device, 'seen_at', seen_at) FROM tokens"
        }
        "device_codes" => {
            "SELECT json_object('guest', guest_id, 'hash', '\\x' || hash, 'expires_at', expires_at) \
             FROM device_codes"
        }
        "deadlines" => of_match!("'at', at", "deadlines"),
        "secrets" => of_match!("'secret', '\\x' || lower(hex(secret))", "secrets"),
        "invitations" => of_match!("'hash', '\\x' || hash, 'expires_at', expires_at", "invitations"),
        "used_keys" => {
            of_match!(
                "'guest', guest_id, 'key', key, 'digest', '\\x' || digest, 'first', first_seq, 'at', at",
                "used_keys"
            )
        }
        "analyses" => of_match!("'engine', engine, 'body', body", "analyses"),
        "outages" => "SELECT json_object('began_at', began_at, 'ended_at', ended_at) FROM outages",
        _ => return None,
    })
}

/// A batch that is being filled.
struct Filling {
    table: &'static Table,
    rows: Vec<String>,
    bytes: usize,
}

impl Filling {
    const fn of(table: &'static Table) -> Self {
        Self { table, rows: Vec::new(), bytes: 0 }
    }

    fn add(&mut self, row: String) {
        self.bytes += row.len();
        self.rows.push(row);
    }

    const fn is_full(&self) -> bool {
        self.rows.len() >= ROWS_AT_ONCE || self.bytes >= BYTES_AT_ONCE
    }

    fn take(&mut self) -> Batch {
        self.bytes = 0;
        Batch { table: self.table, rows: std::mem::take(&mut self.rows) }
    }
}
