//! Moves a file to PostgreSQL: copies every row, reads all of them back and compares them.
//!
//! What arrives is one transaction: until it is committed, the database is as empty as before. Just before that
//! the file is marked as moved, so that no server uses it any more; if the commit fails, the mark is removed.
//! Moving that was interrupted in between is taken up again by running it again: the database then has the
//! history of the file, or it is empty.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crate::{
    StoreError,
    postgres::{self, moving::Arrival},
    sqlite::{self, moving::Source, readers::blocking},
};

/// How often to tell how far it is.
const TOLD_EVERY: Duration = Duration::from_secs(10);
/// How many batches may wait to be written.
const BATCHES_AHEAD: usize = 4;

/// A table of PostgreSQL that takes rows of a file.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    /// The columns of its primary key.
    pub(crate) key: &'static str,
    /// The columns that are moved.
    pub(crate) columns: &'static str,
}

/// In an order in which a row comes after those that it refers to.
pub(crate) static TABLES: [Table; 11] = {
    const fn table(name: &'static str, key: &'static str, columns: &'static str) -> Table {
        Table { name, key, columns }
    }
    [
        table("guests", "id", "id, name, kind, created_at, blocked_at"),
        table("tokens", "hash", "hash, id, guest, created_at, origin, device, seen_at"),
        table("device_codes", "guest", "guest, hash, expires_at"),
        table(
            "matches",
            "id",
            "id, game, state, listed, seat1, seat2, made_by, head, edition, updated_at, card",
        ),
        table("journal", "match, last", "match, first, last, at, events"),
        table("deadlines", "match", "match, at"),
        table("secrets", "match", "match, secret"),
        table("invitations", "match", "match, hash, expires_at"),
        table("used_keys", "guest, key", "guest, key, digest, match, first, at"),
        table("analyses", "match", "match, engine, body"),
        table("outages", "ended_at, began_at", "began_at, ended_at"),
    ]
};

/// Rows of a table, each as a JSON object of its columns.
pub(crate) struct Batch {
    pub(crate) table: &'static Table,
    pub(crate) rows: Vec<String>,
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

/// That a file was moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Where to, without the password: `USER@HOST:PORT/DATABASE`.
    pub place: String,
    /// What was moved; none if it had been moved before.
    pub now: Option<Totals>,
}

/// How far the moving is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Whether the copy is being compared; before that, it is made.
    pub comparing: bool,
    /// How many matches are done.
    pub matches: u64,
    /// How many there are.
    pub of: u64,
}

/// Why a file was not moved. Unless the error says otherwise, the file can be used as before.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] sqlite::OpenError),
    /// The database cannot be used.
    #[error(transparent)]
    Database(#[from] postgres::OpenError),
    /// Something in the file cannot be read.
    #[error("{path} cannot be moved: {error}; \"lusoria backup\" checks it")]
    Content {
        /// Which file.
        path: PathBuf,
        /// What.
        error: StoreError,
    },
    /// There are guests or matches already.
    #[error("the database at {place} is not empty; create another one with: createdb --encoding=UTF8")]
    NotEmpty {
        /// Where, without the password.
        place: String,
    },
    /// Servers run there.
    #[error("servers run on the database at {place}: {nodes}; stop them first")]
    NodesRun {
        /// Where, without the password.
        place: String,
        /// Their names.
        nodes: String,
    },
    /// What was read back is not what was written.
    #[error("what arrived in the database at {place} differs, so nothing was moved: {what}")]
    Differs {
        /// Where, without the password.
        place: String,
        /// What differs.
        what: String,
    },
    /// Nobody knows whether the last step was done.
    #[error(
        "the line to the database at {place} broke at the last step ({why}); whether it was done is not known, \
         and the file is marked as moved: run this again"
    )]
    Unknown {
        /// Where, without the password.
        place: String,
        /// What the system said.
        why: String,
    },
}

/// Moves the file to an empty PostgreSQL database, and marks it as moved. It tells how far it is, every
/// 10 seconds.
///
/// # Errors
/// If a server uses either of them, the database is not empty, or something cannot be read or written.
pub async fn move_to_postgres(
    file: &Path,
    url: &str,
    tell: &mut (dyn FnMut(Progress) + Send),
) -> Result<Moved, MoveError> {
    let path = file.to_owned();
    let mark = blocking(move || sqlite::moving::mark(&path)).await?;
    let mut arrival = Arrival::connect(url).await?;
    let place = arrival.place();
    if let Some(mark) = mark {
        if arrival.history().await? == mark.history {
            return Ok(Moved { place, now: None });
        }
        if mark.place != place {
            return Err(mark.into_error(file).into());
        }
        // It was marked for a commit that did not come.
        arrival.lock_empty().await?;
        let path = file.to_owned();
        blocking(move || sqlite::moving::unmark(&path)).await?;
    } else {
        arrival.lock_empty().await?;
    }
    let path = file.to_owned();
    let mut source = blocking(move || Source::open(&path)).await?;
    let totals = source.totals()?;
    let mut tally = Tally { comparing: false, matches: 0, of: totals.matches, told: Instant::now(), tell };
    let mut counts = [0; TABLES.len()];
    source = each_batch(source, async |batch: Batch| {
        tally.count(&batch);
        counts[place_of(batch.table)] += batch.rows.len();
        arrival.write(&batch).await
    })
    .await?;
    tally = Tally { comparing: true, matches: 0, ..tally };
    source = each_batch(source, async |batch: Batch| {
        tally.count(&batch);
        arrival.compare(&batch).await
    })
    .await?;
    arrival.compare_counts(&counts).await?;
    arrival.take_over(source.history(), source.ran_until()?).await?;
    let marked = place.clone();
    let source = blocking(move || source.mark(&marked)).await?;
    match arrival.commit().await {
        Ok(()) => {}
        // The file stays marked.
        Err(error @ MoveError::Unknown { .. }) => return Err(error),
        Err(error) => {
            blocking(move || source.unmark()).await?;
            return Err(error);
        }
    }
    blocking(move || source.close()).await;
    Ok(Moved { place, now: Some(totals) })
}

/// Where the table is in [`TABLES`].
fn place_of(table: &Table) -> usize {
    TABLES.iter().position(|known| known.name == table.name).expect("one of them")
}

/// Reads the whole file on a thread of its own, and does this with each batch.
async fn each_batch(
    source: Source,
    mut work: impl AsyncFnMut(Batch) -> Result<(), MoveError>,
) -> Result<Source, MoveError> {
    let (give, mut take) = tokio::sync::mpsc::channel(BATCHES_AHEAD);
    let reading = blocking(move || {
        // Without a taker it ends.
        let read = source.read(&mut |batch| give.blocking_send(batch).is_ok());
        drop(give);
        (source, read)
    });
    let working = async {
        while let Some(batch) = take.recv().await {
            work(batch).await?;
        }
        // It waits for no room any more.
        drop(take);
        Ok::<(), MoveError>(())
    };
    let (worked, (source, read)) = tokio::join!(working, reading);
    worked?;
    read?;
    Ok(source)
}

/// Tells from time to time how far it is.
struct Tally<'t> {
    comparing: bool,
    matches: u64,
    of: u64,
    told: Instant,
    tell: &'t mut (dyn FnMut(Progress) + Send),
}

impl Tally<'_> {
    fn count(&mut self, batch: &Batch) {
        if batch.table.name == "matches" {
            self.matches += batch.rows.len() as u64;
        }
        if self.told.elapsed() >= TOLD_EVERY {
            self.told = Instant::now();
            (self.tell)(Progress { comparing: self.comparing, matches: self.matches, of: self.of });
        }
    }
}
