//! A file that is moved to PostgreSQL: reading all its rows, and the mark that keeps servers from it.
//!
//! The mark is a table, and a migration that no release knows: so releases that do not know the table refuse
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
    failure::undecodable,
    files::Hold,
    inspect::{inspect, reader, up_to_date},
    match_columns::{card, card_column},
    migrations::LATEST,
    open::{self, Opened, connect_to_write},
    open_error::{OpenError, of_sqlite},
    options::{OnLostCommits, SqliteOptions},
    packed, soundness,
    sql::{execute, first, one},
    text::{corrupt, match_id},
    truncate_wal_and_close,
};
use crate::moved_rows::{Batch, Table};

/// At most how many rows are in a batch, but for the journal of one match.
const ROWS_AT_ONCE: usize = 1_000;
/// From how many bytes on a batch is full.
const BYTES_AT_ONCE: usize = 4 << 20;

/// The number of the migration that marks a file. No release will have as many.
const MARK_VERSION: i64 = 1_000_000_000;

const ADD_MIGRATION: &str = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
     VALUES (?1, 'moved to PostgreSQL', TRUE, x'', 0)";
const ADD_TABLE: &str =
    "CREATE TABLE moved (place TEXT NOT NULL, at TEXT NOT NULL, is_moved INTEGER NOT NULL)";
const ADD_ROW: &str =
    "INSERT INTO moved (place, at, is_moved) VALUES (?1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 0)";
const NOTE_MOVED: &str = "UPDATE moved SET is_moved = 1";
const REMOVE_TABLE: &str = "DROP TABLE moved";
const REMOVE_MIGRATION: &str = "DELETE FROM _sqlx_migrations WHERE version = ?1";

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
pub(crate) fn note_moved(path: &Path) -> Result<(), OpenError> {
    change_mark(path, |connection| execute(connection, NOTE_MOVED, []).map(drop))
}

/// Removes the mark of a file whose move was not committed.
pub(crate) fn remove_mark(path: &Path) -> Result<(), OpenError> {
    change_mark(path, remove)
}

/// Removes the mark of a file and begins another history.
pub(crate) fn use_again(path: &Path) -> Result<(), OpenError> {
    change_mark(path, |connection| {
        remove(connection)?;
        execute(connection, "UPDATE history SET id = ?1", [Uuid::new_v4().to_string()]).map(drop)
    })
}

fn remove(connection: &Connection) -> rusqlite::Result<()> {
    execute(connection, REMOVE_MIGRATION, [MARK_VERSION])?;
    connection.execute_batch(REMOVE_TABLE)
}

fn change_mark(
    path: &Path,
    change: impl FnOnce(&Connection) -> rusqlite::Result<()>,
) -> Result<(), OpenError> {
    let options = SqliteOptions::default();
    match inspect(path, options.busy_timeout) {
        Err(OpenError::Moved { .. } | OpenError::Moving { .. }) => {}
        Err(error) => return Err(error),
        Ok(_) => return Err(OpenError::NotMoved(path.to_owned())),
    }
    let _hold = Hold::of(path)?;
    let changed = connect_to_write(path, &options).and_then(|mut connection| {
        commit(&mut connection, change)?;
        truncate_wal_and_close(connection)
    });
    changed.map_err(|error| of_sqlite(path, error))
}

fn commit(
    connection: &mut Connection,
    change: impl FnOnce(&Connection) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    change(&transaction)?;
    transaction.commit()
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
    /// As a server's start; if the file is of an earlier version, has lost commits or is damaged.
    pub(crate) fn open(path: &Path) -> Result<Use, OpenError> {
        let busy_timeout = SqliteOptions::default().busy_timeout;
        match up_to_date(path, busy_timeout) {
            Ok(()) => {}
            Err(error @ (OpenError::Moved { .. } | OpenError::Moving { .. })) => {
                let history = open::history_of(&reader(path, busy_timeout)?);
                let history = history.map_err(|error| of_sqlite(path, error))?;
                let is_moved = matches!(error, OpenError::Moved { .. });
                let (OpenError::Moved { place, at, .. } | OpenError::Moving { place, at, .. }) = error else {
                    return Err(error);
                };
                return Ok(Use::Marked(Mark { place, at, is_moved, history }));
            }
            Err(error) => return Err(error),
        }
        let options = SqliteOptions { on_lost_commits: OnLostCommits::Refuse, ..SqliteOptions::default() };
        let Opened { lock, writer, history, .. } = open::open(path, &options)?;
        let faults = soundness::faults(&writer, LATEST).map_err(|error| of_sqlite(path, error))?;
        if faults.is_empty() {
            Ok(Use::Free(Self { path: path.to_owned(), connection: writer, history, _lock: lock }))
        } else {
            Err(OpenError::Damaged { path: path.to_owned(), what: faults.join("; ") })
        }
    }

    pub(crate) const fn history(&self) -> Uuid {
        self.history
    }

    fn of_sqlite(&self, error: rusqlite::Error) -> OpenError {
        match error {
            rusqlite::Error::FromSqlConversionFailure(_, _, why) => {
                OpenError::Damaged { path: self.path.clone(), what: why.to_string() }
            }
            error => of_sqlite(&self.path, error),
        }
    }

    pub(crate) fn totals(&self) -> Result<Totals, OpenError> {
        const COUNTS: &str = "SELECT (SELECT COUNT(*) FROM guests WHERE kind <> 'computer'), \
             COUNT(*), COALESCE(SUM(head), 0) FROM match_rows";
        let counts = one(&self.connection, COUNTS, []);
        let (guests, matches, events) = counts.map_err(|error| self.of_sqlite(error))?;
        Ok(Totals { guests, matches, events })
    }

    /// Until when a server ran on the file, in milliseconds since the epoch, if one did.
    pub(crate) fn ran_until(&self) -> Result<Option<i64>, OpenError> {
        let at = first(&self.connection, "SELECT at FROM alive", []);
        Ok(at.map_err(|error| self.of_sqlite(error))?.map(|(at,)| at))
    }

    /// Hands all rows to `send`, until that returns false.
    pub(crate) fn read(&self, send: &mut dyn FnMut(Batch) -> bool) -> Result<(), OpenError> {
        for table in Table::ALL {
            let goes_on = match rows_of(table) {
                Rows::AsJson(select) => self.read_table(table, select, send),
                Rows::WithJournal => self.read_matches(send),
                Rows::WithMatches => Ok(true),
            };
            if !goes_on.map_err(|error| self.of_sqlite(error))? {
                break;
            }
        }
        Ok(())
    }

    fn read_table(
        &self,
        table: Table,
        select: &str,
        send: &mut dyn FnMut(Batch) -> bool,
    ) -> rusqlite::Result<bool> {
        let mut statement = self.connection.prepare(select)?;
        let mut batch = OpenBatch::of(table);
        for row in statement.query_map([], |row| row.get(0))? {
            batch.add(row?);
            if batch.is_full() && !send(batch.take()) {
                return Ok(false);
            }
        }
        Ok(batch.rows.is_empty() || send(batch.take()))
    }

    /// Each match comes before its journal.
    fn read_matches(&self, send: &mut dyn FnMut(Batch) -> bool) -> rusqlite::Result<bool> {
        let (mut matches, mut journal) = (OpenBatch::of(Table::Matches), OpenBatch::of(Table::Journal));
        let mut statement = self.connection.prepare(MATCHES)?;
        for row in statement.query_map([], |row| MatchRow::try_from(row))? {
            let row = row?;
            for AppendRow { first, last, at, events } in self.journal_of(&row)? {
                let append =
                    json!({"match": row.id, "first": first, "last": last, "at": at, "events": events});
                journal.add(append.to_string());
            }
            matches.add(row.json.to_string());
            if (matches.is_full() || journal.is_full()) && !(send(matches.take()) && send(journal.take())) {
                return Ok(false);
            }
        }
        Ok(matches.rows.is_empty() || send(matches.take()) && send(journal.take()))
    }

    /// All appends of a match, which tell its events from the first to the last.
    fn journal_of(&self, row: &MatchRow) -> rusqlite::Result<Vec<AppendRow>> {
        let MatchRow { number, id, head, .. } = *row;
        let damaged = |what: String| undecodable(corrupt(format!("match {id}: {what}")));
        let mut appends =
            packed::read(&self.connection, number).map_err(|error| damaged(error.to_string()))?;
        let packed_until = appends.last().map_or(0, |append| append.last);
        let since = u32::try_from(packed_until).map_err(|error| damaged(error.to_string()))?;
        appends.extend(journal_after(&self.connection, number, since, u32::MAX)?);
        let mut before = 0;
        for append in &appends {
            if append.first != before + 1 {
                return Err(damaged(format!("event {} is missing", before + 1)));
            }
            append.recorded(match_id(id.into_bytes())).map_err(undecodable)?;
            before = append.last;
        }
        if before == head {
            Ok(appends)
        } else {
            Err(damaged(format!("its last event is number {before}, and should be {head}")))
        }
    }

    /// Marks the file, so that no server uses it.
    pub(crate) fn mark(mut self, place: &str) -> Result<Self, OpenError> {
        self.change(|connection| {
            connection.execute_batch(ADD_TABLE)?;
            execute(connection, ADD_ROW, [place])?;
            execute(connection, ADD_MIGRATION, [MARK_VERSION]).map(drop)
        })?;
        Ok(self)
    }

    /// Notes that the move was committed, and closes the file.
    pub(crate) fn note_moved(mut self) -> Result<(), OpenError> {
        self.change(|connection| execute(connection, NOTE_MOVED, []).map(drop))
    }

    /// Removes the mark, and closes the file.
    pub(crate) fn remove_mark(mut self) -> Result<(), OpenError> {
        self.change(remove)
    }

    /// Changes the file itself, not only its WAL: it may be copied without that.
    fn change(&mut self, change: impl FnOnce(&Connection) -> rusqlite::Result<()>) -> Result<(), OpenError> {
        let changed = commit(&mut self.connection, change).and_then(|()| {
            let _: (i64, i64, i64) = one(&self.connection, "PRAGMA wal_checkpoint(TRUNCATE)", [])?;
            Ok(())
        });
        changed.map_err(|error| of_sqlite(&self.path, error))
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
        let match_id = Uuid::from_bytes(row.get("id")?);
        let (shown, standing): (Vec<u8>, Option<String>) = (row.get("card")?, row.get("standing")?);
        let shown = card(&shown, standing.as_deref(), number("updated_at")?)
            .map_err(|error| undecodable(corrupt(format!("the card of match {match_id}: {error}"))))?;
        let json = json!({
            "id": match_id,
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
        Ok(Self { number: number("number")?, id: match_id, head: number("head")?, json })
    }
}

/// An id of sixteen bytes as it is usually written.
macro_rules! uuid {
    ($column:literal) => {
        concat!(
            "lower(substr(hex(",
            $column,
            "), 1, 8) || '-' || substr(hex(",
            $column,
            "), 9, 4) || '-' \
             || substr(hex(",
            $column,
            "), 13, 4) || '-' || substr(hex(",
            $column,
            "), 17, 4) || '-' \
             || substr(hex(",
            $column,
            "), 21))"
        )
    };
}

/// The id of a match in the row of a table that has its number.
macro_rules! of_match {
    ($columns:expr, $table:literal) => {
        concat!(
            "SELECT json_object('match', ",
            uuid!("matches.id"),
            ", ",
            $columns,
            ") FROM ",
            $table,
            " JOIN matches ON matches.number = ",
            $table,
            ".match"
        )
    };
}

/// How the rows of a table are read.
enum Rows {
    /// By this query, each as JSON.
    AsJson(&'static str),
    /// The matches, each with its journal.
    WithJournal,
    /// The journal.
    WithMatches,
}

/// Hashes are written as PostgreSQL writes them.
#[expect(clippy::too_many_lines, reason = "an arm for each table")]
const fn rows_of(table: Table) -> Rows {
    Rows::AsJson(match table {
        Table::Matches => return Rows::WithJournal,
        Table::Journal => return Rows::WithMatches,
        Table::Guests => {
            "SELECT json_object('id', id, 'name', name, 'kind', kind, 'created_at', created_at, \
             'blocked_at', blocked_at) FROM guests"
        }
        Table::Tokens => {
            "SELECT json_object('hash', '\\x' || hash, 'id', id, 'guest', guest_id, 'created_at', created_at, \
             'origin', COALESCE(signed_in_by, origin), 'device', device, 'seen_at', seen_at) FROM tokens"
        }
        Table::DeviceCodes => {
            "SELECT json_object('guest', guest_id, 'hash', '\\x' || hash, 'expires_at', expires_at) \
             FROM device_codes"
        }
        Table::Accounts => {
            "SELECT json_object('guest', guest_id, 'handle', handle, 'skeleton', skeleton, \
             'password', NULLIF(password, ''), 'created_at', created_at) FROM accounts"
        }
        Table::RecoveryCodes => {
            "SELECT json_object('hash', '\\x' || hash, 'guest', guest_id) FROM recovery_codes"
        }
        Table::Seeks => {
            "SELECT json_object('id', id, 'guest', guest_id, 'terms', terms, 'pace', pace, \
             'seed_hash', '\\x' || seed_hash, 'created_at', created_at, 'expires_at', expires_at, \
             'match', match_id) FROM seeks"
        }
        Table::Blocks => {
            "SELECT json_object('guest', guest_id, 'blocked', blocked_id, 'created_at', created_at) FROM blocks"
        }
        Table::Follows => {
            "SELECT json_object('guest', guest_id, 'followed', followed_id, 'created_at', created_at) FROM follows"
        }
        Table::Challenges => {
            "SELECT json_object('id', id, 'challenger', challenger_id, 'challenged', challenged_id, 'terms', terms, \
             'pace', pace, 'seed_hash', '\\x' || seed_hash, 'created_at', created_at, 'expires_at', expires_at, \
             'state', state, 'reason', reason) FROM challenges"
        }
        Table::ChallengeSettings => {
            "SELECT json_object('guest', guest_id, 'taken', taken, 'games', games) FROM challenge_settings"
        }
        Table::SignUps => "SELECT json_object('id', id, 'policy', policy) FROM sign_ups",
        Table::SignUpCodes => {
            "SELECT json_object('hash', '\\x' || hash, 'expires_at', expires_at) FROM sign_up_codes"
        }
        Table::ApiTokens => {
            "SELECT json_object('hash', '\\x' || hash, 'id', id, 'guest', guest_id, 'name', name, \
             'scopes', scopes, 'created_at', created_at, 'expires_at', expires_at, 'used_at', used_at) \
             FROM api_tokens"
        }
        Table::Passkeys => {
            "SELECT json_object('id', id, 'guest', guest_id, 'credential', '\\x' || lower(hex(credential)), \
             'cose_key', '\\x' || lower(hex(cose_key)), 'counter', counter, \
             'is_backup_eligible', json(iif(is_backup_eligible, 'true', 'false')), \
             'is_backed_up', json(iif(is_backed_up, 'true', 'false')), \
             'name', name, 'created_at', created_at, 'used_at', used_at) FROM passkeys"
        }
        Table::Departures => {
            "SELECT json_object('guest', guest_id, 'adopter', adopter_id, 'since', since) FROM departures"
        }
        Table::Preferences => {
            "SELECT json_object('guest', guest_id, 'name', name, 'value', value) FROM preferences"
        }
        Table::ServerKeys => {
            "SELECT json_object('purpose', purpose, 'key', '\\x' || lower(hex(key))) FROM server_keys"
        }
        Table::PushSubscriptions => {
            "SELECT json_object('id', id, 'guest', guest_id, 'session', session_id, 'api_token', api_token_id, \
             'endpoint', endpoint, 'key', '\\x' || lower(hex(key)), 'auth', '\\x' || lower(hex(auth)), \
             'language', language, 'created_at', created_at) FROM push_subscriptions"
        }
        Table::Deadlines => of_match!("'at', at", "deadlines"),
        Table::Secrets => of_match!("'secret', '\\x' || lower(hex(secret))", "secrets"),
        Table::Invitations => of_match!("'hash', '\\x' || hash, 'expires_at', expires_at", "invitations"),
        Table::UsedKeys => {
            of_match!(
                "'guest', guest_id, 'key', key, 'digest', '\\x' || digest, 'first', first_seq, 'at', at",
                "used_keys"
            )
        }
        Table::Analyses => of_match!("'engine', engine, 'body', body", "analyses"),
        Table::ConditionalTurns => of_match!("'guest', guest_id, 'turns', turns", "conditional_turns"),
        Table::Remarks => of_match!(
            concat!(
                "'id', ",
                uuid!("remarks.id"),
                ", 'room', room, 'guest', guest_id, 'said_at', said_at, 'phrase', phrase, 'words', words"
            ),
            "remarks"
        ),
        Table::TalkSettings => {
            "SELECT json_object('guest', guest_id, 'takes_text', json(iif(takes_text, 'true', 'false')), \
             'has_childrens_mode', json(iif(has_childrens_mode, 'true', 'false'))) FROM talk_settings"
        }
        Table::Reports => of_match!(
            concat!(
                "'id', ",
                uuid!("reports.id"),
                ", 'reporter', reporter_id, 'reported', reported_id, 'reason', reason, 'words', words, \
                 'made_at', made_at, 'closed_at', closed_at"
            ),
            "reports"
        ),
        Table::Sanctions => concat!(
            "SELECT json_object('id', ",
            uuid!("id"),
            ", 'guest', guest_id, 'kind', kind, 'imposed_at', imposed_at, 'until', until, 'words', words, \
             'read_at', read_at) FROM sanctions"
        ),
        Table::ModerationLog => concat!(
            "SELECT json_object('id', ",
            uuid!("id"),
            ", 'done_at', done_at, 'act', act, 'guest', guest_id, 'match', match_id, 'report', report, \
             'until', until, 'note', note) FROM moderation_log"
        ),
        Table::Leavings => of_match!("'guest', guest_id, 'left_at', left_at", "leavings"),
        Table::TurnLosses => of_match!(
            "'seat', seat, 'guest', guest_id, 'game', turn_losses.game, 'pace', pace, 'ended_at', ended_at, \
             'points', json(printf('%!.17g', points)), 'turns', turns, 'lost', json(printf('%!.17g', lost)), 'judge', judge",
            "turn_losses"
        ),
        Table::EngineFlags => concat!(
            "SELECT json_object('id', ",
            uuid!("id"),
            ", 'guest', guest_id, 'game', game, 'pace', pace, 'raised_at', raised_at, 'points', json(printf('%!.17g', points)), \
             'matches', matches, 'turns', turns, 'lost', json(printf('%!.17g', lost)), 'expected', json(printf('%!.17g', expected)), 'closed_at', closed_at) \
             FROM engine_flags"
        ),
        Table::Ratings => {
            "SELECT json_object('guest', guest_id, 'game', game, 'pace', pace, 'version', version, 'number', number, \
             'matches', matches, 'points', json(printf('%!.17g', points)), 'deviation', json(printf('%!.17g', deviation)), 'volatility', json(printf('%!.17g', volatility)), \
             'ended_at', ended_at, 'better_sides', better_sides) FROM ratings"
        }
        Table::RatingChanges => of_match!(
            "'seat', seat, 'guest', guest_id, 'opponent', opponent_id, 'game', rating_changes.game, 'pace', pace, \
             'number', rating_changes.number, 'at', at, 'constants', constants, 'points_before', json(printf('%!.17g', points_before)), \
             'deviation_before', json(printf('%!.17g', deviation_before)), 'volatility_before', json(printf('%!.17g', volatility_before)), 'points', json(printf('%!.17g', points)), \
             'deviation', json(printf('%!.17g', deviation)), 'volatility', json(printf('%!.17g', volatility)), 'taken_back_at', taken_back_at",
            "rating_changes"
        ),
        Table::RatingsStale => "SELECT json_object('game', game, 'pace', pace) FROM ratings_stale",
        Table::Outages => "SELECT json_object('began_at', began_at, 'ended_at', ended_at) FROM outages",
    })
}

/// A batch to which rows are added.
struct OpenBatch {
    table: Table,
    rows: Vec<String>,
    bytes: usize,
}

impl OpenBatch {
    const fn of(table: Table) -> Self {
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
