//! A file that is moved to PostgreSQL: reading all its rows, and the mark that keeps servers from it.
//!
//! The mark is a table, and a migration that no release knows: so releases that do not know the table refuse
//! the file, too.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use futures_util::stream::{self, BoxStream, Stream, StreamExt as _, TryStreamExt as _};
use lusoria_play::MatchId;
use sqlx::{AssertSqlSafe, Error, Sqlite, query};
use uuid::Uuid;

use super::{
    connect::to_write,
    files::Hold,
    inspect::{inspect, reader, up_to_date},
    journal::appends_after,
    match_columns::card,
    open::{self, Opened},
    open_error::{OpenError, of_sqlite},
    options::{OnLostCommits, SqliteOptions},
    packed, soundness,
};
use crate::{
    append_row::AppendRow,
    moved_rows::{Column, Table},
    sql::{
        Tx, args,
        value::{AnyRow, Value, undecodable},
    },
};

/// No release will have as many migrations.
const ADD_MIGRATION: &str = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
     VALUES (1000000000, 'moved to PostgreSQL', TRUE, x'', 0)";
const REMOVE_MIGRATION: &str = "DELETE FROM _sqlx_migrations WHERE version = 1000000000";
const ADD_TABLE: &str =
    "CREATE TABLE moved (place TEXT NOT NULL, at TEXT NOT NULL, is_moved INTEGER NOT NULL)";
const REMOVE_TABLE: &str = "DROP TABLE moved";
const ADD_ROW: &str =
    "INSERT INTO moved (place, at, is_moved) VALUES ($1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 0)";
const NOTE_MOVED: &str = "UPDATE moved SET is_moved = 1";

/// Statements with their arguments.
type Change = Vec<(&'static str, Vec<Value>)>;

fn note() -> Change {
    vec![(NOTE_MOVED, args![])]
}

fn removal() -> Change {
    vec![(REMOVE_MIGRATION, args![]), (REMOVE_TABLE, args![])]
}

/// The mark of a file that was moved, or whose move has not ended.
#[derive(Debug, Clone)]
pub(crate) struct Mark {
    /// Where to, without the password.
    pub(crate) place: String,
    at: String,
    /// Whether it is known that the move was committed.
    pub(crate) is_moved: bool,
    pub(crate) history: Uuid,
}

impl Mark {
    pub(crate) fn into_error(self, path: &Path) -> OpenError {
        let (path, Self { place, at, is_moved, .. }) = (path.to_owned(), self);
        if is_moved { OpenError::Moved { path, place, at } } else { OpenError::Moving { path, place, at } }
    }
}

/// Whether a file can be moved.
pub(crate) enum Use {
    Free(Source),
    Marked(Mark),
}

/// How many there are in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Totals {
    /// Guests, without the computer.
    pub guests: u64,
    /// Matches.
    pub matches: u64,
    /// Events of all matches.
    pub events: u64,
}

/// Notes that the move of a marked file was committed.
pub(crate) async fn note_moved(path: &Path) -> Result<(), OpenError> {
    change_marked(path, note()).await
}

/// Removes the mark of a file whose move was not committed.
pub(crate) async fn remove_mark(path: &Path) -> Result<(), OpenError> {
    change_marked(path, removal()).await
}

/// Removes the mark of a file and begins another history.
pub(crate) async fn use_again(path: &Path) -> Result<(), OpenError> {
    let mut change = removal();
    change.push(("UPDATE cluster SET history = $1", args![Uuid::new_v4()]));
    change_marked(path, change).await
}

async fn change_marked(path: &Path, change: Change) -> Result<(), OpenError> {
    let options = SqliteOptions::default();
    match inspect(path, options.busy_timeout).await {
        Err(OpenError::Moved { .. } | OpenError::Moving { .. }) => {}
        Err(error) => return Err(error),
        Ok(_) => return Err(OpenError::NotMoved(path.to_owned())),
    }
    let _hold = Hold::of(path)?;
    let of_sqlite = |error| of_sqlite(path, error);
    let mut tx = to_write(path, &options).await.map_err(of_sqlite)?;
    let changed = carry_out(&mut tx, change).await;
    // Before the lock is released.
    let closed = tx.close().await;
    changed.and(closed).map_err(of_sqlite)
}

/// Changes the file itself, not only its WAL: it may be copied without that.
async fn carry_out(tx: &mut Tx, change: Change) -> Result<(), Error> {
    tx.script("BEGIN IMMEDIATE").await?;
    for (sql, args) in change {
        tx.execute(sql, args).await?;
    }
    tx.script("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)").await
}

/// A file of which all is read; no server can use it meanwhile.
pub(crate) struct Source {
    path: PathBuf,
    tx: Tx,
    history: Uuid,
    _lock: File,
}

/// Rows, each with the values of its columns.
type Rows<'s> = BoxStream<'s, Result<Vec<Value>, OpenError>>;

impl Source {
    /// # Errors
    /// As a server's start; if the file is of an earlier version, has lost commits or is damaged.
    pub(crate) async fn open(path: &Path) -> Result<Use, OpenError> {
        let busy_timeout = SqliteOptions::default().busy_timeout;
        let (is_moved, place, at) = match up_to_date(path, busy_timeout).await {
            Ok(()) => return Self::open_free(path).await.map(Use::Free),
            Err(OpenError::Moved { place, at, .. }) => (true, place, at),
            Err(OpenError::Moving { place, at, .. }) => (false, place, at),
            Err(error) => return Err(error),
        };
        let mut tx = reader(path, busy_timeout).await?;
        let history = open::history_of(&mut tx).await;
        // It has only read.
        let _ = tx.close().await;
        let history = history.map_err(|error| of_sqlite(path, error))?;
        Ok(Use::Marked(Mark { place, at, is_moved, history }))
    }

    async fn open_free(path: &Path) -> Result<Self, OpenError> {
        let options = SqliteOptions { on_lost_commits: OnLostCommits::Refuse, ..SqliteOptions::default() };
        let Opened { lock, writer: mut tx, history, .. } = open::open(path, &options).await?;
        let faults = soundness::faults(&mut tx).await.map_err(|error| of_sqlite(path, error))?;
        if faults.is_empty() {
            Ok(Self { path: path.to_owned(), tx, history, _lock: lock })
        } else {
            Err(OpenError::Damaged { path: path.to_owned(), what: faults.join("; ") })
        }
    }

    pub(crate) const fn history(&self) -> Uuid {
        self.history
    }

    pub(crate) async fn totals(&mut self) -> Result<Totals, OpenError> {
        const COUNTS: &str = "SELECT (SELECT COUNT(*) FROM guests WHERE kind <> 'computer'), \
             COUNT(*), COALESCE(SUM(head), 0) FROM match_rows";
        let counts = self.tx.one(COUNTS, args![]).await;
        let (guests, matches, events) = counts.map_err(|error| of_sqlite(&self.path, error))?;
        Ok(Totals { guests, matches, events })
    }

    /// Until when a server ran on the file, in milliseconds since the epoch, if one did.
    pub(crate) async fn ran_until(&mut self) -> Result<Option<i64>, OpenError> {
        let at = self.tx.one("SELECT at FROM pulse", args![]).await;
        at.map_err(|error| of_sqlite(&self.path, error))
    }

    /// Reads the rows of a table, in the order of its key, as PostgreSQL keeps them.
    pub(crate) fn rows<'s>(&'s mut self, table: &'s Table) -> Result<Rows<'s>, OpenError> {
        let path = &self.path;
        let failed = move |error| of_sqlite(path, error);
        let (from, more) = match table.name {
            "journal" => return Ok(journals(&mut self.tx).map_err(failed).boxed()),
            "matches" => ("match_rows", ", id, standing, updated_at"),
            name => (name, ""),
        };
        let (names, order) = (table.names(), table.order("BINARY"));
        let select = format!("SELECT {names}{more} FROM {from} ORDER BY {order}");
        let rows = query::<Sqlite>(AssertSqlSafe(select)).fetch(self.tx.sqlite().map_err(failed)?);
        let read = move |row: &AnyRow<'_>| {
            if table.name == "matches" { read_match(table, row) } else { table.read(row) }
        };
        Ok(rows.map(move |row| read(&AnyRow::Sqlite(&row?))).map_err(failed).boxed())
    }

    /// Marks the file, so that no server uses it.
    pub(crate) async fn mark(&mut self, place: &str) -> Result<(), OpenError> {
        self.change(vec![(ADD_TABLE, args![]), (ADD_ROW, args![place]), (ADD_MIGRATION, args![])]).await
    }

    /// Notes that the move was committed, and closes the file.
    pub(crate) async fn note_moved(mut self) -> Result<(), OpenError> {
        self.change(note()).await?;
        self.close().await
    }

    /// Removes the mark, and closes the file.
    pub(crate) async fn remove_mark(mut self) -> Result<(), OpenError> {
        self.change(removal()).await?;
        self.close().await
    }

    async fn change(&mut self, change: Change) -> Result<(), OpenError> {
        carry_out(&mut self.tx, change).await.map_err(|error| of_sqlite(&self.path, error))
    }

    async fn close(self) -> Result<(), OpenError> {
        self.tx.close().await.map_err(|error| of_sqlite(&self.path, error))
    }
}

/// Reads the columns of a match, and behind them `id`, `standing` and `updated_at`. Its card becomes the one that
/// lists show.
fn read_match(table: &Table, row: &AnyRow<'_>) -> Result<Vec<Value>, Error> {
    let more = table.columns.len();
    let (id, standing): (Uuid, Option<String>) = (row.get(more)?, row.get(more + 1)?);
    let updated_at: i64 = row.get(more + 2)?;
    let read = |(n, column): (usize, &Column)| {
        if column.name != "card" {
            return column.kind.read(row, n);
        }
        let shown = card(&row.get::<Vec<u8>>(n)?, standing.as_deref(), updated_at)
            .map_err(|error| undecodable(format!("the card of match {id}: {error}")))?;
        Ok(Value::Text(Some(shown.to_json())))
    };
    table.columns.iter().enumerate().map(read).collect()
}

/// The rows of the journals of all matches.
fn journals(tx: &mut Tx) -> impl Stream<Item = Result<Vec<Value>, Error>> + Send {
    let journals = stream::try_unfold((tx, Uuid::nil()), |(tx, after)| async move {
        let journal = journal_behind(tx, after).await?;
        Ok::<_, Error>(journal.map(|(id, rows)| (rows, (tx, id))))
    });
    journals.map_ok(|rows| stream::iter(rows.into_iter().map(Ok::<_, Error>))).try_flatten()
}

/// The journal of the match behind another one, in the order of their ids: rows of `match`, `first`, `last`, `at`,
/// `events`.
async fn journal_behind(tx: &mut Tx, after: Uuid) -> Result<Option<(Uuid, Vec<Vec<Value>>)>, Error> {
    let next = "SELECT id, number, head FROM match_rows WHERE id > $1 ORDER BY id LIMIT 1";
    let Some((id, number, head)) = tx.first::<(Uuid, i64, i64)>(next, args![after]).await? else {
        return Ok(None);
    };
    let damaged = |what: String| undecodable(format!("match {id}: {what}"));
    let mut appends = packed::read(tx, number).await.map_err(|error| damaged(error.to_string()))?;
    let packed_until = appends.last().map_or(0, |append| append.last);
    let since = u32::try_from(packed_until).map_err(|error| damaged(error.to_string()))?;
    let later = appends_after(tx, number, since, u32::MAX).await;
    appends.extend(later.map_err(|error| damaged(error.to_string()))?);
    let mut before = 0;
    for append in &appends {
        if append.first != before + 1 {
            return Err(damaged(format!("event {} is missing", before + 1)));
        }
        append.recorded(MatchId(id)).map_err(undecodable)?;
        before = append.last;
    }
    if before != head {
        return Err(damaged(format!("its last event is number {before}, and should be {head}")));
    }
    let row = |AppendRow { first, last, at, events }| args![id, first, last, at, events];
    Ok(Some((id, appends.into_iter().map(row).collect())))
}
