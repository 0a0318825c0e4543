//! Opening the file: its lock, its settings, its version.

use std::{fs::File, path::Path, time::Duration};

use sqlx::Error;
use uuid::Uuid;

use super::{
    connect::{Wal, roll_back, to_read, to_serve, to_write},
    files::{JOURNAL, RESTORING, WAL, beside, lock, make_private},
    inspect::{inspect, reader, up_to_date},
    migrations::{self, STEPS},
    open_error::{OpenError, of_sqlite},
    options::SqliteOptions,
    recovery::{Loss, is_loss_unknown, number, recover},
};
use crate::sql::{Open, Readers, Tx, args};

/// Before this version of SQLite two connections that copied the WAL and wrote it at the
/// same time could damage the database (sqlite.org/wal.html, "the WAL-reset bug").
const SQLITE_VERSION_MIN: [u32; 3] = [3, 51, 3];
/// `PRAGMA synchronous` calls FULL 2.
const SYNCHRONOUS_FULL: i64 = 2;
/// How long a read waits for a free connection.
const CONNECTION_WITHIN: Duration = Duration::from_secs(5);

/// An open database.
pub(super) struct Opened {
    pub(super) lock: File,
    pub(super) writer: Tx,
    /// Opens another connection for writing.
    pub(super) open_writer: Open,
    pub(super) checkpointer: Tx,
    pub(super) readers: Readers,
    /// Which history the journals tell.
    pub(super) history: Uuid,
    /// The number of the last commit.
    pub(super) commits: u64,
    /// The acknowledged commits that were missing.
    pub(super) loss: Option<Loss>,
    /// Whether nobody can tell whether some were.
    pub(super) is_loss_unknown: bool,
}

/// Locks the file, creates it if there is none, checks it and migrates it.
pub(super) async fn open(path: &Path, options: &SqliteOptions) -> Result<Opened, OpenError> {
    let lock = lock(path)?;
    if beside(path, RESTORING).exists() {
        return Err(OpenError::RestoreInterrupted(path.to_owned()));
    }
    let is_empty = |path: &Path| std::fs::metadata(path).map_or(0, |found| found.len()) == 0;
    // Beside a WAL, it is not of that file, and what opens it would copy the WAL.
    if beside(path, JOURNAL).exists() && !is_empty(path) && is_empty(&beside(path, WAL)) {
        roll_back(path, options.busy_timeout).await.map_err(|error| of_sqlite(path, error))?;
    }
    let is_loss_unknown = is_loss_unknown(path);
    let loss = recover(path, options.on_lost_commits, options.busy_timeout).await?;
    // An empty file was left by a server that was stopped while creating it.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() || found.len() > 0) {
        inspect(path, options.busy_timeout).await?;
    }
    if options.cancel_opening.is_cancelled() {
        return Err(OpenError::Cancelled(path.to_owned()));
    }
    make_private(path)?;
    let of_sqlite = |error| of_sqlite(path, error);
    let open_writer = writers(path, options);
    let mut writer = open_writer().await.map_err(of_sqlite)?;
    let prepared = prepare(path, &mut writer, loss).await;
    let (history, commits) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            // Before the lock is released. The first error is the one that tells.
            let _ = writer.close().await;
            return Err(error);
        }
    };
    if let Some(loss) = loss {
        loss.log(path, history);
    }
    let checkpointer = open_writer().await.map_err(of_sqlite)?;
    let (reads, busy_timeout) = (path.to_owned(), options.busy_timeout);
    let open_reader: Open = Box::new(move || {
        let path = reads.clone();
        Box::pin(async move { to_serve(&path, busy_timeout).await })
    });
    let readers = Readers::new(options.readers, open_reader, CONNECTION_WITHIN, None);
    Ok(Opened { lock, writer, open_writer, checkpointer, readers, history, commits, loss, is_loss_unknown })
}

/// Opens the file for reading, whether or not a server uses it. Creates, locks and migrates
/// nothing.
pub(super) async fn open_to_read(path: &Path) -> Result<(Readers, Uuid), OpenError> {
    if beside(path, RESTORING).exists() {
        return Err(OpenError::RestoreInterrupted(path.to_owned()));
    }
    let busy_timeout = SqliteOptions::default().busy_timeout;
    up_to_date(path, busy_timeout).await?;
    let mut tx = reader(path, busy_timeout).await?;
    let history = history_of(&mut tx).await;
    // It has only read.
    let _ = tx.close().await;
    let history = history.map_err(|error| of_sqlite(path, error))?;
    let reads = path.to_owned();
    let open_reader: Open = Box::new(move || {
        let path = reads.clone();
        Box::pin(async move { to_read(&path, Wal::Read, busy_timeout).await })
    });
    Ok((Readers::new(1, open_reader, CONNECTION_WITHIN, None), history))
}

fn writers(path: &Path, options: &SqliteOptions) -> Open {
    let (path, options) = (path.to_owned(), options.clone());
    Box::new(move || {
        let (path, options) = (path.clone(), options.clone());
        Box::pin(async move { to_write(&path, &options).await })
    })
}

/// Checks the settings, brings the tables up to date, and begins a history if there is none, or after a
/// loss. Returns the history and the number of the last commit.
async fn prepare(path: &Path, writer: &mut Tx, loss: Option<Loss>) -> Result<(Uuid, u64), OpenError> {
    let of_sqlite = |error| of_sqlite(path, error);
    check_durable(path, writer).await?;
    migrations::apply(writer, &STEPS).await.map_err(of_sqlite)?;
    begin_history(writer, Uuid::new_v4(), Uuid::new_v4()).await.map_err(of_sqlite)?;
    if let Some(loss) = loss {
        begin_another_history(writer, loss).await.map_err(of_sqlite)?;
    }
    let history = history_of(writer).await.map_err(of_sqlite)?;
    let commits = number(writer).await.map_err(of_sqlite)?;
    Ok((history, commits))
}

/// Reads the settings back: SQLite falls back silently where it cannot comply.
async fn check_durable(path: &Path, tx: &mut Tx) -> Result<(), OpenError> {
    let of_sqlite = |error| of_sqlite(path, error);
    let not_durable = |setting, found| OpenError::NotDurable { path: path.to_owned(), setting, found };
    let version: String = tx.one("SELECT sqlite_version()", args![]).await.map_err(of_sqlite)?;
    let numbers: Vec<u32> = version.split('.').filter_map(|number| number.parse().ok()).collect();
    if numbers[..] < SQLITE_VERSION_MIN[..] {
        return Err(not_durable("sqlite_version", version));
    }
    let mode: String = tx.one("PRAGMA journal_mode", args![]).await.map_err(of_sqlite)?;
    if !mode.eq_ignore_ascii_case("wal") {
        return Err(not_durable("journal_mode", mode));
    }
    let synchronous: i64 = tx.one("PRAGMA synchronous", args![]).await.map_err(of_sqlite)?;
    if synchronous != SYNCHRONOUS_FULL {
        return Err(not_durable("synchronous", synchronous.to_string()));
    }
    Ok(())
}

/// Begins the history of a database that has none.
pub(super) async fn begin_history(tx: &mut Tx, id: Uuid, history: Uuid) -> Result<(), Error> {
    let insert = "INSERT INTO cluster (id, history, era) VALUES ($1, $2, 0) ON CONFLICT (one) DO NOTHING";
    tx.execute(insert, args![id, history]).await.map(drop)
}

/// After a loss, because clients may know events that are lost. Its commits get numbers beyond all that were noted.
async fn begin_another_history(tx: &mut Tx, loss: Loss) -> Result<(), Error> {
    tx.queue("BEGIN IMMEDIATE", args![]).await?;
    tx.queue("UPDATE cluster SET history = $1, era = era + 1", args![Uuid::new_v4()]).await?;
    tx.queue("UPDATE commits SET number = $1", args![loss.noted + 1]).await?;
    tx.commit().await.map_err(|(error, _)| error)
}

/// The id of the history.
pub(super) async fn history_of(tx: &mut Tx) -> Result<Uuid, Error> {
    tx.one("SELECT history FROM cluster", args![]).await
}
