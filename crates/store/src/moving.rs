//! Moves a file to PostgreSQL: copies every row, reads all of them back and compares them.
//!
//! What is copied is one transaction: until it is committed, the database stays empty. Just before the commit
//! the file is marked, so that no server uses it any more; if the commit fails, the mark is removed. If the
//! program is killed between the two, the mark says that the move has not ended, and the next try finds out
//! from the database whether it was committed: then its history is that of the file.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use futures_util::TryStreamExt as _;

use crate::{
    moved_rows::{Table, are_equal},
    postgres::moving::{Destination, DestinationError},
    sql::value::Value,
    sqlite::{
        self,
        moving::{Source, Use},
    },
};

pub use crate::sqlite::moving::Totals;

/// How often the progress is reported.
const REPORTED_EVERY: Duration = Duration::from_secs(10);
/// How many rows one statement writes: the values of all their columns are fewer than 65 536.
const ROWS_AT_ONCE: usize = 250;

/// What a move came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Where the rows are, without the password: `USER@HOST:PORT/DATABASE`.
    pub place: String,
    /// What was moved; none if an earlier move had been committed.
    pub totals: Option<Totals>,
}

/// How far a move is: so many matches of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: MoveStage,
    /// For how many matches it is done.
    pub matches: u64,
    /// How many there are.
    pub of: u64,
}

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveStage {
    /// Rows are written.
    Copying,
    /// They are read back and compared.
    Comparing,
}

/// Why a file was not moved. Unless the error says otherwise, the file can be used as before.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] sqlite::OpenError),
    /// The database cannot be used, or what arrived there differs.
    #[error(transparent)]
    Database(#[from] DestinationError),
    /// It is not known whether the move was committed.
    #[error(
        "the connection to the database at {place} broke during the commit ({why}), so it is not known whether {path} \
         was moved; no server uses the file meanwhile: run this again"
    )]
    Unknown {
        /// Which file.
        path: PathBuf,
        /// Where to, without the password.
        place: String,
        /// What the system said.
        why: String,
    },
    /// The move was not committed, and the mark could not be removed.
    #[error(
        "{path} was not moved ({why}), and is still marked, so that no server uses it ({mark}): run this again"
    )]
    StillMarked {
        /// Which file.
        path: PathBuf,
        /// Why it was not moved.
        why: Box<DestinationError>,
        /// Why it is still marked.
        mark: sqlite::OpenError,
    },
}

impl MoveError {
    /// Whether the file is marked now, so that no server uses it.
    pub const fn leaves_mark(&self) -> bool {
        match self {
            Self::Unknown { .. } | Self::StillMarked { .. } => true,
            Self::File(_) | Self::Database(_) => false,
        }
    }
}

/// Moves the file to an empty PostgreSQL database, and marks it as moved. Reports its progress every 10 seconds.
///
/// # Errors
/// If a server uses either of them, the database is not empty, or something cannot be read or written.
pub async fn move_to_postgres(
    file: &Path,
    url: &str,
    report: &mut (dyn FnMut(Progress) + Send),
) -> Result<Moved, MoveError> {
    // The lock and the other files are beside the file itself, not beside a link to it.
    let path = &fs::canonicalize(file).map_err(|error| unreachable_file(file, error))?;
    let (mut source, mut destination) = match Source::open(path).await? {
        Use::Free(source) => (source, Destination::connect(url).await?),
        Use::Marked(mark) => {
            let mut destination = Destination::connect(url).await?;
            let place = destination.place().to_owned();
            if destination.history().await? == Some(mark.history) {
                sqlite::moving::note_moved(path).await?;
                return Ok(Moved { place, totals: None });
            }
            if mark.is_moved || mark.place != place {
                return Err(mark.into_error(path).into());
            }
            destination.check_unused().await?;
            sqlite::moving::remove_mark(path).await?;
            match Source::open(path).await? {
                Use::Free(source) => (source, destination),
                Use::Marked(mark) => return Err(mark.into_error(path).into()),
            }
        }
    };
    destination.begin().await?;
    let totals = source.totals().await?;
    copy(&mut source, &mut destination, totals.matches, report).await?;
    destination.take_over(source.history(), source.ran_until().await?).await?;
    let place = destination.place().to_owned();
    source.mark(&place).await?;
    match destination.commit().await {
        Ok(()) => {}
        // The file stays marked.
        Err(DestinationError::Unknown { place, why }) => {
            return Err(MoveError::Unknown { path: path.clone(), place, why });
        }
        Err(why) => {
            return Err(match source.remove_mark().await {
                Ok(()) => why.into(),
                Err(mark) => MoveError::StillMarked { path: path.clone(), why: Box::new(why), mark },
            });
        }
    }
    if let Err(error) = source.note_moved().await {
        tracing::warn!(%error, "could not note in the file that it was moved; it says that the move has not ended");
    }
    destination.analyze().await;
    Ok(Moved { place, totals: Some(totals) })
}

/// Lets servers use a file again that was moved, or whose move has not ended. Another history begins: clients
/// may know what happened in the database that it was moved to, and discard it.
///
/// # Errors
/// If it was not moved, or another program uses it.
pub async fn use_again(file: &Path) -> Result<(), sqlite::OpenError> {
    let path = fs::canonicalize(file).map_err(|error| unreachable_file(file, error))?;
    sqlite::moving::use_again(&path).await
}

fn unreachable_file(path: &Path, error: io::Error) -> sqlite::OpenError {
    let path = path.to_owned();
    if error.kind() == io::ErrorKind::NotFound {
        sqlite::OpenError::Missing(path)
    } else {
        sqlite::OpenError::File { path, error }
    }
}

/// Tells how far a stage is.
struct Reporter<'r> {
    progress: Progress,
    reported: Instant,
    report: &'r mut (dyn FnMut(Progress) + Send),
}

impl<'r> Reporter<'r> {
    fn new(stage: MoveStage, of: u64, report: &'r mut (dyn FnMut(Progress) + Send)) -> Self {
        Self { progress: Progress { stage, matches: 0, of }, reported: Instant::now(), report }
    }

    fn note(&mut self, table: &Table, rows: &[Vec<Value>]) {
        // Nearly all rows are of the journal, where each match has one that begins with its first event.
        if table.name == "journal" {
            let begins = |row: &&Vec<Value>| matches!(row[1], Value::Integer(Some(1)));
            self.progress.matches += rows.iter().filter(begins).count() as u64;
        }
        if self.reported.elapsed() >= REPORTED_EVERY {
            self.reported = Instant::now();
            (self.report)(self.progress);
        }
    }
}

/// Writes all rows, then reads them back.
async fn copy(
    source: &mut Source,
    destination: &mut Destination,
    matches: u64,
    report: &mut (dyn FnMut(Progress) + Send),
) -> Result<(), MoveError> {
    let tables = destination.tables().await?;
    let mut counts = Vec::new();
    let mut copied = Reporter::new(MoveStage::Copying, matches, report);
    for table in &tables {
        let mut count = 0;
        let mut batches = source.rows(table)?.try_chunks(ROWS_AT_ONCE);
        while let Some(rows) = batches.try_next().await.map_err(|error| error.1)? {
            count += rows.len();
            copied.note(table, &rows);
            destination.insert(table, rows).await?;
        }
        counts.push(count);
    }
    for (table, count) in tables.iter().zip(counts) {
        destination.compare_count(table, count).await?;
    }
    let mut compared = Reporter::new(MoveStage::Comparing, matches, report);
    for table in &tables {
        if let Some(row) = difference(source, destination, table, &mut compared).await? {
            let what = format!("{}: {} is missing or another", table.name, table.told(&row));
            return Err(destination.differs(what).into());
        }
    }
    Ok(())
}

/// The first row that is not the same in both, if any.
async fn difference(
    source: &mut Source,
    destination: &mut Destination,
    table: &Table,
    compared: &mut Reporter<'_>,
) -> Result<Option<Vec<Value>>, MoveError> {
    let (mut expected, mut found) = (source.rows(table)?, destination.rows(table)?);
    loop {
        match (expected.try_next().await?, found.try_next().await?) {
            (Some(row), Some(found)) if are_equal(&row, &found) => compared.note(table, &[row]),
            (Some(row), _) | (None, Some(row)) => return Ok(Some(row)),
            (None, None) => return Ok(None),
        }
    }
}
