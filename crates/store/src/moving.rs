//! Moves a file to PostgreSQL: copies every row, reads all of them back and compares them.
//!
//! What is copied is one transaction: until it is committed, the database stays empty. Just before the commit
//! the file is marked, so that no server uses it any more; if the commit fails, the mark is removed. If the
//! program is killed between the two, the mark says that the move has not ended, and the next try finds out
//! from the database whether it was committed: then its history is that of the file.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use tokio::{sync::mpsc, task::spawn_blocking};

use crate::{
    moved_rows::{Batch, Table},
    postgres::moving::{Destination, DestinationError},
    sqlite::{
        self,
        moving::{Source, Use},
    },
};

pub use crate::sqlite::moving::Totals;

/// How often the progress is reported.
const REPORTED_EVERY: Duration = Duration::from_secs(10);
/// How many batches may wait to be written.
const BATCHES_AHEAD: usize = 4;

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
    let (source, mut destination) = match on_file(path, Source::open).await? {
        Use::Free(source) => (source, Destination::connect(url).await?),
        Use::Marked(mark) => {
            let mut destination = Destination::connect(url).await?;
            let place = destination.place().to_owned();
            if destination.history().await? == Some(mark.history) {
                on_file(path, sqlite::moving::note_moved).await?;
                return Ok(Moved { place, totals: None });
            }
            if mark.is_moved || mark.place != place {
                return Err(mark.into_error(path).into());
            }
            destination.check_unused().await?;
            on_file(path, sqlite::moving::remove_mark).await?;
            match on_file(path, Source::open).await? {
                Use::Free(source) => (source, destination),
                Use::Marked(mark) => return Err(mark.into_error(path).into()),
            }
        }
    };
    destination.begin().await?;
    let totals = source.totals()?;
    let source = copy(source, &mut destination, totals, report).await?;
    destination.take_over(source.history(), source.ran_until()?).await?;
    let place = destination.place().to_owned();
    let marked = place.clone();
    let source = spawn_blocking(move || source.mark(&marked)).await.expect("it does not panic")?;
    match destination.commit().await {
        Ok(()) => {}
        // The file stays marked.
        Err(DestinationError::Unknown { place, why }) => {
            return Err(MoveError::Unknown { path: path.clone(), place, why });
        }
        Err(why) => {
            let unmarked = spawn_blocking(move || source.remove_mark()).await.expect("it does not panic");
            return Err(match unmarked {
                Ok(()) => why.into(),
                Err(mark) => MoveError::StillMarked { path: path.clone(), why: Box::new(why), mark },
            });
        }
    }
    let noted = spawn_blocking(move || source.note_moved()).await.expect("it does not panic");
    if let Err(error) = noted {
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
pub fn use_again(file: &Path) -> Result<(), sqlite::OpenError> {
    let path = fs::canonicalize(file).map_err(|error| unreachable_file(file, error))?;
    sqlite::moving::use_again(&path)
}

fn unreachable_file(path: &Path, error: io::Error) -> sqlite::OpenError {
    let path = path.to_owned();
    if error.kind() == io::ErrorKind::NotFound {
        sqlite::OpenError::Missing(path)
    } else {
        sqlite::OpenError::File { path, error }
    }
}

/// Does something that may block with the file.
async fn on_file<T: Send + 'static>(
    path: &Path,
    work: fn(&Path) -> Result<T, sqlite::OpenError>,
) -> Result<T, sqlite::OpenError> {
    let path = path.to_owned();
    spawn_blocking(move || work(&path)).await.expect("it does not panic")
}

/// Writes all rows, then reads them back.
async fn copy(
    mut source: Source,
    destination: &mut Destination,
    totals: Totals,
    report: &mut (dyn FnMut(Progress) + Send),
) -> Result<Source, MoveError> {
    let mut counts = BTreeMap::new();
    for stage in [MoveStage::Copying, MoveStage::Comparing] {
        let mut progress = Progress { stage, matches: 0, of: totals.matches };
        let mut reported = Instant::now();
        source = each_batch(source, async |batch| {
            let rows = batch.rows.len();
            match stage {
                MoveStage::Copying => {
                    *counts.entry(batch.table).or_default() += rows;
                    destination.write(&batch).await?;
                }
                MoveStage::Comparing => destination.compare(&batch).await?,
            }
            if batch.table == Table::Matches {
                progress.matches += rows as u64;
            }
            if reported.elapsed() >= REPORTED_EVERY {
                reported = Instant::now();
                report(progress);
            }
            Ok(())
        })
        .await?;
    }
    destination.compare_counts(&counts).await?;
    Ok(source)
}

/// Reads the whole file on a thread of its own, and does this with each batch.
async fn each_batch(
    source: Source,
    mut work: impl AsyncFnMut(Batch) -> Result<(), MoveError>,
) -> Result<Source, MoveError> {
    let (sender, mut receiver) = mpsc::channel(BATCHES_AHEAD);
    let reading = spawn_blocking(move || {
        // It ends early if nobody receives any more.
        let read = source.read(&mut |batch| sender.blocking_send(batch).is_ok());
        drop(sender);
        (source, read)
    });
    let working = async {
        while let Some(batch) = receiver.recv().await {
            work(batch).await?;
        }
        drop(receiver);
        Ok::<(), MoveError>(())
    };
    let (worked, read) = tokio::join!(working, reading);
    let (source, read) = read.expect("it does not panic");
    worked?;
    read?;
    Ok(source)
}
