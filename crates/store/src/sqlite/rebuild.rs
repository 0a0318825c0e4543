//! Brings a database of a version before [`JOURNAL`] up to date: copies it into a new file, with the
//! events of each append in one row and finished matches packed, and puts that file in its place.
//!
//! The old file is brought to the last version before that, and stays until the new one is complete
//! and synced. Whenever this is interrupted or cancelled, the next start begins it again.

use std::{
    fs,
    num::NonZero,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, OpenFlags, config::DbConfig};
use tokio_util::sync::CancellationToken;

use super::{
    append_row::AppendRow,
    events,
    files::{self, REBUILDING, beside, give_to_owner_of, make_private, remove_if_there, sync_folder_of},
    migrations::{self, JOURNAL},
    open_error::{OpenError, of_sqlite},
    packed,
    sql::{execute, one, rows},
    text::corrupt,
};
use crate::StoreError;

/// How many matches are packed at once, on all processors.
const MATCHES_AT_ONCE: u32 = 256;

/// How many matches are packed beforehand, to tell how long all will take.
const SAMPLE: i64 = 64;

/// How often to tell how far it is.
const TOLD_EVERY: Duration = Duration::from_secs(10);

/// After how many instructions of SQLite a long statement looks whether it is cancelled: some
/// milliseconds.
const INSTRUCTIONS_AT_ONCE: i32 = 100_000;

/// Brings a database of an older version up to date. It must be locked, and no other program may
/// use it.
///
/// # Errors
/// If something in it cannot be read, there is no room, another program uses it, or it is cancelled.
/// Nothing of it is lost then.
pub(super) fn rebuild(
    path: &Path,
    busy_timeout: Duration,
    cancel: &CancellationToken,
) -> Result<(), OpenError> {
    // Not the link to it.
    let path = &fs::canonicalize(path).map_err(|error| OpenError::File { path: path.to_owned(), error })?;
    let new = &beside(path, REBUILDING);
    remove_if_there(new).map_err(|error| OpenError::File { path: new.clone(), error })?;
    let rebuilt = replace_by_copy(path, new, busy_timeout, cancel);
    if matches!(rebuilt, Err(OpenError::Cancelled(_))) {
        tracing::warn!("bringing the database up to date was cancelled; the next start begins again");
    }
    if rebuilt.is_err()
        && let Err(error) = remove_if_there(new)
    {
        tracing::warn!(
            path = %new.display(), %error,
            "removing an unfinished database failed; the next start does it"
        );
    }
    rebuilt
}

/// Looks whether it is cancelled while it copies, and before each of the two steps that nothing interrupts:
/// copying the WAL into the old file, and syncing the new one.
fn replace_by_copy(
    path: &Path,
    new: &Path,
    busy_timeout: Duration,
    cancel: &CancellationToken,
) -> Result<(), OpenError> {
    let io_failed = |error| OpenError::File { path: new.to_owned(), error };
    let go_on = || if cancel.is_cancelled() { Err(OpenError::Cancelled(path.to_owned())) } else { Ok(()) };
    go_on()?;
    // Another program that has it open is found before the long copy, too.
    leave_no_wal(path, busy_timeout)?;
    let file = make_private(new)?;
    give_to_owner_of(path, &file).map_err(io_failed)?;
    copy(path, new, busy_timeout, cancel)?;
    go_on()?;
    file.sync_all().map_err(io_failed)?;
    leave_no_wal(path, busy_timeout)?;
    // Before the rename: the old WAL must not be beside the new file.
    sync_folder_of(path).and_then(|()| fs::rename(new, path)).map_err(io_failed)?;
    sync_folder_of(path).map_err(io_failed)
}

/// Lets SQLite undo what was being written when a start was killed: a database that is brought up to date
/// is not in WAL mode then. The connections that check a file only read it, and may not do that.
///
/// A WAL that is there, too, stays as it is until [`recover`](super::recovery::recover) has looked at it.
///
/// # Errors
/// If the file cannot be written, or another program uses it.
pub(super) fn roll_back(path: &Path, busy_timeout: Duration) -> Result<(), OpenError> {
    let is_written = fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0);
    // Not the link to it.
    let Ok(path) = fs::canonicalize(path) else { return Ok(()) };
    if !is_written || !beside(&path, files::JOURNAL).exists() {
        return Ok(());
    }
    let undo = || -> rusqlite::Result<(i64,)> {
        let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.busy_timeout(busy_timeout)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        one(&connection, "SELECT COUNT(*) FROM sqlite_master", [])
    };
    undo().map(drop).map_err(|error| of_sqlite(&path, error))
}

/// Takes the old file out of WAL mode, so that none of its other files is left for the new one.
fn leave_no_wal(path: &Path, busy_timeout: Duration) -> Result<(), OpenError> {
    let mode = || -> rusqlite::Result<String> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(busy_timeout)?;
        let (mode,) = one(&connection, "PRAGMA journal_mode = DELETE", [])?;
        Ok(mode)
    };
    let mode = mode().map_err(|error| of_sqlite(path, error))?;
    if mode == "delete" { Ok(()) } else { Err(OpenError::Locked(path.to_owned())) }
}

/// What went wrong while copying.
#[derive(Debug, thiserror::Error)]
enum CopyError {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    #[error(transparent)]
    Content(#[from] StoreError),
    #[error("cancelled")]
    Cancelled,
}

fn copy(old: &Path, new: &Path, busy_timeout: Duration, cancel: &CancellationToken) -> Result<(), OpenError> {
    let copied = Copy::begin(old, new, busy_timeout, cancel).and_then(Copy::run);
    copied.map_err(|error| error.of_opening(old))
}

impl CopyError {
    /// What it means for the database at `old`.
    fn of_opening(self, old: &Path) -> OpenError {
        match self {
            Self::Cancelled => OpenError::Cancelled(old.to_owned()),
            // Nothing else interrupts a statement.
            Self::Sqlite(error) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => {
                OpenError::Cancelled(old.to_owned())
            }
            Self::Sqlite(error) => of_sqlite(old, error),
            Self::Content(error) => OpenError::Damaged { path: old.to_owned(), what: error.to_string() },
        }
    }
}

/// The tables that are copied as they are.
const AS_THEY_ARE: [&str; 9] = [
    "DELETE FROM guests",
    "DELETE FROM commits",
    "INSERT INTO guests (id, name, created_at, kind, blocked_at) \
     SELECT id, name, created_at, kind, blocked_at FROM old.guests",
    "INSERT INTO tokens (hash, guest_id, created_at, id, origin, device, seen_at) \
     SELECT hash, guest_id, created_at, id, origin, device, seen_at FROM old.tokens",
    "INSERT INTO device_codes (guest_id, hash, expires_at) SELECT guest_id, hash, expires_at FROM old.device_codes",
    "INSERT INTO alive (one, at) SELECT one, at FROM old.alive",
    "INSERT INTO outages (began_at, ended_at) SELECT began_at, ended_at FROM old.outages",
    "INSERT INTO history (one, id) SELECT one, id FROM old.history",
    "INSERT INTO commits (one, number) SELECT one, number FROM old.commits",
];

/// The tables that name matches. The ids of old matches are lower-case UUIDs.
const WITH_NUMBERS: [&str; 5] = [
    "INSERT INTO secrets (match, secret) SELECT number, unhex(secret) \
     FROM old.secrets JOIN matches ON matches.id = unhex(match_id, '-')",
    "INSERT INTO invitations (match, hash, expires_at) SELECT number, hash, expires_at \
     FROM old.invitations JOIN matches ON matches.id = unhex(match_id, '-')",
    "INSERT INTO used_keys (guest_id, key, digest, match, first_seq, at) \
     SELECT guest_id, key, digest, number, first_seq, at \
     FROM old.used_keys JOIN matches ON matches.id = unhex(match_id, '-')",
    "INSERT INTO analyses (match, engine, body) SELECT number, engine, body \
     FROM old.analyses JOIN matches ON matches.id = unhex(match_id, '-')",
    "INSERT INTO deadlines (match, at) SELECT number, deadline \
     FROM old.matches AS before JOIN matches ON matches.id = unhex(before.id, '-') WHERE deadline IS NOT NULL",
];

const MATCHES: &str = "SELECT id, head, updated_at, game, state, listed, seat1, seat2, made_by, card \
     FROM old.matches WHERE id > ?1 ORDER BY id LIMIT ?2";
const EVENTS: &str = "SELECT first_seq, seq, at, body FROM old.events WHERE match_id = ?1 ORDER BY seq";
const INSERT: &str = "INSERT INTO matches (id, updated_at, game, state, listed, seat1, seat2, made_by, packed, card) \
     VALUES (unhex(?1, '-'), ?2, ?3, ?4, ?5, unhex(?6, '-'), unhex(?7, '-'), unhex(?8, '-'), ?9, ?10)";
const TOTALS: &str = "SELECT COUNT(*), COALESCE(SUM(head), 0) FROM match_rows";

/// A row of the old `matches`.
type OldRow = (String, i64, i64, String, String, bool, String, Option<String>, Option<String>, String);

/// A match of the old database with its journal.
struct OldMatch {
    row: OldRow,
    appends: Vec<AppendRow>,
}

/// The events and the card of a match, packed.
struct Packed {
    events: Vec<u8>,
    card: Vec<u8>,
}

impl OldMatch {
    /// It packed, if it has ended. One that cannot be packed whole stays as it is.
    fn packed(&self) -> Option<Packed> {
        let (id, head, _, _, state, .., card) = &self.row;
        if state != "finished" {
            return None;
        }
        let packed = || {
            if self.appends.last().is_none_or(|append| append.last != *head) {
                return Err(corrupt(format!("its last event is not number {head}")));
            }
            Ok(Packed { events: packed::pack(&self.appends)?, card: packed::pack_card(card)? })
        };
        let why_not =
            |why: &StoreError| tracing::error!(id, %why, "could not pack a match; leaving it as it is");
        packed().inspect_err(why_not).ok()
    }
}

/// The copying.
struct Copy {
    new: Connection,
    matches: i64,
    /// Matches and events that are copied.
    done: i64,
    events: i64,
    began: Instant,
    told: Instant,
    cancel: CancellationToken,
}

impl Copy {
    /// Brings the old tables to the version before, and makes the new ones.
    fn begin(
        old: &Path,
        new: &Path,
        busy_timeout: Duration,
        cancel: &CancellationToken,
    ) -> Result<Self, CopyError> {
        let mut before = Connection::open(old)?;
        interrupt_when(cancel, &mut before)?;
        before.busy_timeout(busy_timeout)?;
        before.pragma_update(None, "foreign_keys", true)?;
        migrations::apply(&mut before, JOURNAL - 1)?;
        before.close().map_err(|(_, error)| error)?;
        let mut new = Connection::open(new)?;
        new.busy_timeout(busy_timeout)?;
        // It is synced as a whole when it is complete.
        new.pragma_update(None, "journal_mode", "OFF")?;
        new.pragma_update(None, "synchronous", "OFF")?;
        new.pragma_update(None, "cache_size", -64 * 1024)?;
        migrations::apply(&mut new, JOURNAL)?;
        interrupt_when(cancel, &mut new)?;
        let name =
            old.to_str().ok_or_else(|| StoreError::Failed("its name is not valid UTF-8".to_owned()))?;
        execute(&new, "ATTACH ?1 AS old", [name])?;
        let (matches,) = one(&new, "SELECT COUNT(*) FROM old.matches", [])?;
        let now = Instant::now();
        Ok(Self { new, matches, done: 0, events: 0, began: now, told: now, cancel: cancel.clone() })
    }

    fn run(mut self) -> Result<(), CopyError> {
        self.tell_how_long()?;
        self.new.execute_batch("BEGIN")?;
        for sql in AS_THEY_ARE {
            execute(&self.new, sql, [])?;
        }
        let mut last = String::new();
        loop {
            self.go_on()?;
            let chunk = self.matches_after(&last, MATCHES_AT_ONCE)?;
            let Some(OldMatch { row: (id, ..), .. }) = chunk.last() else { break };
            last.clone_from(id);
            let packed = pack_all(&chunk);
            for (one, packed) in chunk.iter().zip(packed) {
                self.insert(one, packed)?;
                self.events += one.appends.last().map_or(0, |append| append.last);
            }
            self.done += i64::try_from(chunk.len()).unwrap_or(0);
            self.tell_how_far();
        }
        for sql in WITH_NUMBERS {
            execute(&self.new, sql, [])?;
        }
        let (copied, after) = ((self.matches, self.events), one::<(i64, i64)>(&self.new, TOTALS, [])?);
        if copied != after {
            let told = format!("(matches, events) were {copied:?} and would be {after:?}");
            return Err(corrupt(told).into());
        }
        self.go_on()?;
        self.new.execute_batch("COMMIT; DETACH old")?;
        let took_s = self.began.elapsed().as_secs();
        tracing::info!(matches = self.matches, took_s, "the database is of version {JOURNAL} now");
        self.new.close().map_err(|(_, error)| error.into())
    }

    /// Ends the copying if it is cancelled.
    fn go_on(&self) -> Result<(), CopyError> {
        if self.cancel.is_cancelled() { Err(CopyError::Cancelled) } else { Ok(()) }
    }

    /// Says beforehand how long it will take, from how long some matches take that lie spread over
    /// the whole.
    fn tell_how_long(&self) -> Result<(), CopyError> {
        if self.matches <= SAMPLE {
            return Ok(());
        }
        let started = Instant::now();
        let mut sample = Vec::new();
        for n in 0..SAMPLE {
            let spread = "SELECT id FROM old.matches ORDER BY id LIMIT 1 OFFSET ?1";
            let (id,): (String,) = one(&self.new, spread, [n * (self.matches - 1) / SAMPLE])?;
            sample.extend(self.matches_after(&id, 1)?);
        }
        pack_all(&sample);
        tracing::warn!(
            matches = self.matches,
            about_s = seconds(started.elapsed(), SAMPLE, self.matches),
            "bringing the database to version {JOURNAL} before the server starts; \
             the old file stays until the new one is complete"
        );
        Ok(())
    }

    fn tell_how_far(&mut self) {
        if self.told.elapsed() >= TOLD_EVERY {
            self.told = Instant::now();
            let left_s = seconds(self.began.elapsed(), self.done, self.matches - self.done);
            tracing::info!(
                done = self.done,
                matches = self.matches,
                left_s,
                "bringing the database up to date"
            );
        }
    }

    /// At most `limit` old matches after an id, in the order of their ids.
    fn matches_after(&self, id: &str, limit: u32) -> Result<Vec<OldMatch>, CopyError> {
        let found: Vec<OldRow> = rows(&self.new, MATCHES, (id, limit))?;
        found.into_iter().map(|row| Ok(OldMatch { appends: self.appends(&row.0)?, row })).collect()
    }

    /// The journal of an old match, which had a row for each event.
    fn appends(&self, id: &str) -> Result<Vec<AppendRow>, CopyError> {
        let found: Vec<(i64, i64, i64, String)> = rows(&self.new, EVENTS, [id])?;
        let mut appends: Vec<AppendRow> = Vec::new();
        for (first, seq, at, body) in found {
            match appends.last_mut().filter(|append| append.first == first) {
                Some(append) if append.at == at => {
                    append.last = seq;
                    // Before the bracket at the end.
                    append.events.insert_str(append.events.len() - 1, &format!(",{body}"));
                }
                Some(_) => {
                    return Err(corrupt(format!(
                        "event {seq} of match {id} has another time than its append"
                    ))
                    .into());
                }
                None => appends.push(AppendRow { first, last: seq, at, events: format!("[{body}]") }),
            }
        }
        Ok(appends)
    }

    fn insert(&self, old: &OldMatch, packed: Option<Packed>) -> Result<(), CopyError> {
        let (id, head, updated_at, game, state, listed, seat1, seat2, made_by, card) = &old.row;
        let (events, card) = match packed {
            Some(Packed { events, card }) => (Some(events), card),
            None => (None, card.clone().into_bytes()),
        };
        let packed = if events.is_some() { *head } else { 0 };
        execute(
            &self.new,
            INSERT,
            (id, updated_at, game, state, listed, seat1, seat2, made_by, packed, card),
        )?;
        let number = self.new.last_insert_rowid();
        if let Some(events) = events {
            packed::replace_parts(&self.new, number, &events)?;
        } else {
            let mut before = None;
            for append in &old.appends {
                before = Some(events::insert(&self.new, number, before, append, None)?);
            }
        }
        Ok(())
    }
}

/// Lets the statements of a connection fail as soon as the copying is cancelled.
fn interrupt_when(cancel: &CancellationToken, connection: &mut Connection) -> rusqlite::Result<()> {
    let cancel = cancel.clone();
    connection.progress_handler(INSTRUCTIONS_AT_ONCE, Some(move || cancel.is_cancelled()))
}

/// Packs matches on all processors; those that have not ended stay as they are.
fn pack_all(matches: &[OldMatch]) -> Vec<Option<Packed>> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let each = matches.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let pack = |part: &[OldMatch]| part.iter().map(OldMatch::packed).collect::<Vec<_>>();
        let parts: Vec<_> = matches.chunks(each).map(|part| scope.spawn(move || pack(part))).collect();
        let mut all = Vec::with_capacity(matches.len());
        for part in parts {
            all.extend(part.join().expect("packing does not panic"));
        }
        all
    })
}

/// How many seconds `left` matches take if `done` took so long.
fn seconds(took: Duration, done: i64, left: i64) -> u64 {
    let done = u32::try_from(done).unwrap_or(u32::MAX).max(1);
    (took / done).saturating_mul(u32::try_from(left).unwrap_or(u32::MAX)).as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{SqliteOptions, failure::FULL, files::WAL, inspect::inspect, open::open};

    /// A database of the version before, with one match.
    fn old_database(path: &Path) {
        let mut connection = Connection::open(path).expect("a new file");
        migrations::apply(&mut connection, JOURNAL - 1).expect("tables");
        let insert = "INSERT INTO matches (id, head, updated_at, game, state, listed, seat1, card) \
             VALUES ('01a204c8-f871-7619-984f-0554b53a255d', 1, 1, 'tavla', 'live', 1, \
                 '01a204c8-f871-7619-984f-0554b53a255e', '{}'); \
             INSERT INTO events (match_id, seq, first_seq, at, body) \
             VALUES ('01a204c8-f871-7619-984f-0554b53a255d', 1, 1, 1, '{}')";
        connection.execute_batch(insert).expect("written");
    }

    #[test]
    fn one_that_is_cancelled_leaves_the_old_file_alone_and_is_begun_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        old_database(&path);
        let before = fs::read(&path).expect("a file");
        let options = SqliteOptions::default();
        options.cancel_opening.cancel();
        let refused = open(&path, &options).map(drop);
        assert!(matches!(refused, Err(OpenError::Cancelled(_))), "{refused:?}");
        assert!(fs::read(&path).expect("a file") == before, "it was changed");
        for left in [REBUILDING, WAL] {
            assert!(!beside(&path, left).exists(), "{left} is left");
        }
        let opened = open(&path, &SqliteOptions::default()).expect("opened");
        let (matches,): (i64,) = one(&opened.writer, "SELECT COUNT(*) FROM match_rows", []).expect("read");
        assert_eq!(matches, 1);
    }

    #[test]
    fn one_that_is_cancelled_at_once_leaves_the_wal_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let [path, killed] = ["test.db", "killed.db"].map(|name| folder.path().join(name));
        let before = killed_with_a_wal(&path, &killed);
        let options = SqliteOptions::default();
        options.cancel_opening.cancel();
        let refused = open(&killed, &options).map(drop);
        assert!(matches!(refused, Err(OpenError::Cancelled(_))), "{refused:?}");
        assert!(contents(&killed, &["", WAL]) == before, "it was changed");
    }

    /// An old database at `path`, and at `killed` its copy with a WAL that is not empty; what is in both files.
    fn killed_with_a_wal(path: &Path, killed: &Path) -> Vec<Vec<u8>> {
        old_database(path);
        let connection = Connection::open(path).expect("a database");
        connection.pragma_update(None, "journal_mode", "WAL").expect("set");
        connection.execute_batch("UPDATE events SET at = 2").expect("written");
        copied(path, killed, &["", WAL])
    }

    /// Copies a database with these files, and returns what is in them.
    fn copied(from: &Path, to: &Path, ends: &[&str]) -> Vec<Vec<u8>> {
        for end in ends {
            fs::copy(beside(from, end), beside(to, end)).expect("copied");
        }
        contents(to, ends)
    }

    fn contents(path: &Path, ends: &[&str]) -> Vec<Vec<u8>> {
        ends.iter().map(|end| fs::read(beside(path, end)).expect("a file")).collect()
    }

    /// Some of it may be damaged: what is sound in it is decided later.
    #[test]
    fn a_wal_beside_a_rollback_journal_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let [path, killed] = ["test.db", "killed.db"].map(|name| folder.path().join(name));
        let before = killed_with_a_wal(&path, &killed);
        fs::write(beside(&killed, files::JOURNAL), "left behind").expect("written");
        roll_back(&killed, Duration::ZERO).expect("rolled back");
        assert!(!beside(&killed, files::JOURNAL).exists(), "it is looked at");
        assert!(contents(&killed, &["", WAL]) == before, "it was changed");
    }

    /// In the middle of a migration, while pages of it are in the file already.
    #[test]
    fn one_that_was_killed_while_it_was_written_is_rolled_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let [path, killed] = ["test.db", "killed.db"].map(|name| folder.path().join(name));
        old_database(&path);
        let connection = Connection::open(&path).expect("a database");
        connection.pragma_update(None, "cache_size", 1).expect("set");
        let half = "BEGIN; UPDATE events SET body = 'lost'; CREATE TABLE more (text TEXT); \
             INSERT INTO more SELECT hex(zeroblob(4000)) FROM json_each('[1,2,3,4,5,6,7,8,9]')";
        connection.execute_batch(half).expect("written");
        copied(&path, &killed, &["", files::JOURNAL]);
        let refused = inspect(&killed, Duration::ZERO);
        assert!(matches!(refused, Err(OpenError::NotPermitted { .. })), "it is half written: {refused:?}");
        let opened = open(&killed, &SqliteOptions::default()).expect("opened");
        let (events,): (String,) = one(&opened.writer, "SELECT events FROM journal", []).expect("read");
        assert_eq!(events, "[{}]");
        assert!(!beside(&killed, files::JOURNAL).exists());
    }

    #[test]
    fn copying_ends_as_soon_as_it_is_cancelled() {
        let folder = tempfile::tempdir().expect("a folder");
        let [old, new] = ["old.db", "new.db"].map(|name| folder.path().join(name));
        old_database(&old);
        let cancel = CancellationToken::new();
        let copy = Copy::begin(&old, &new, Duration::ZERO, &cancel).expect("begun");
        cancel.cancel();
        let ended = copy.run();
        assert!(matches!(ended, Err(CopyError::Cancelled)), "{ended:?}");
    }

    /// One statement may copy millions of rows.
    #[test]
    fn a_long_statement_ends_as_soon_as_it_is_cancelled() {
        let mut connection = Connection::open_in_memory().expect("opened");
        let cancel = CancellationToken::new();
        interrupt_when(&cancel, &mut connection).expect("set");
        cancel.cancel();
        let endless = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) \
             SELECT COUNT(*) FROM numbers";
        let ended = one::<(i64,)>(&connection, endless, []);
        let meaning = CopyError::Sqlite(ended.expect_err("an error")).of_opening(Path::new("test.db"));
        assert!(matches!(meaning, OpenError::Cancelled(_)), "{meaning:?}");
    }

    #[test]
    fn a_full_disk_is_told_even_if_it_is_cancelled() {
        let full = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(FULL), None);
        let meaning = CopyError::Sqlite(full).of_opening(Path::new("test.db"));
        assert!(meaning.is_disk_full(), "{meaning:?}");
    }
}
