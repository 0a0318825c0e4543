//! Matches and their events.

use std::sync::LazyLock;

use futures_util::future::BoxFuture;
use lusoria_dice::Secret;
use lusoria_play::{MatchId, Millis, Recorded};
use sqlx::{SqliteConnection, SqlitePool};

use super::{
    failure, invitations,
    keys::Key,
    text::{bytes, column, corrupt, hex, millis, seq, state_column},
    writer::{Write, Writer},
};
use crate::store::{
    Append, AppendError, Head, NewMatch, SecretHash, StoreError, Summary, error::Refused, model::last_number,
};

/// Stores a new match.
pub(super) async fn create(writer: &Writer, new: NewMatch) -> Result<(), AppendError> {
    let new = NewEntry::of(new)?;
    Ok(writer.write(new).await??)
}

/// Appends to the journal of a match.
pub(super) async fn append(writer: &Writer, append: Append) -> Result<(), AppendError> {
    let entry = Entry::of(append)?;
    Ok(writer.write(entry).await??)
}

/// Corrects the deadline of a match that still has that head.
pub(super) async fn set_deadline(
    writer: &Writer,
    id: MatchId,
    head: u32,
    deadline: Option<Millis>,
) -> Result<(), StoreError> {
    let set = SetDeadline { id: id.0.to_string(), head: i64::from(head), deadline: deadline.map(column) };
    Ok(writer.write(set).await?)
}

/// The head of a match.
pub(super) async fn head(readers: &SqlitePool, id: MatchId) -> Result<Option<Head>, StoreError> {
    let found: Option<(i64, Option<i64>)> =
        sqlx::query_as("SELECT head, deadline FROM matches WHERE id = $1")
            .bind(id.0.to_string())
            .fetch_optional(readers)
            .await
            .map_err(failure::of_read)?;
    let Some((head, deadline)) = found else { return Ok(None) };
    Ok(Some(Head { seq: seq(head)?, deadline: deadline.map(millis).transpose()? }))
}

/// At most `limit` events after number `since`.
pub(super) async fn events(
    readers: &SqlitePool,
    id: MatchId,
    since: u32,
    limit: u32,
) -> Result<Vec<Recorded>, StoreError> {
    let rows: Vec<(i64, i64, i64, String)> = sqlx::query_as(
        "SELECT seq, first_seq, at, body FROM events WHERE match_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
    )
    .bind(id.0.to_string())
    .bind(i64::from(since))
    .bind(i64::from(limit))
    .fetch_all(readers)
    .await
    .map_err(failure::of_read)?;
    rows.into_iter()
        .map(|(number, first, at, body)| {
            let event = serde_json::from_str(&body)
                .map_err(|error| corrupt(format!("event {number} of match {}: {error}", id.0)))?;
            Ok(Recorded { seq: seq(number)?, first: seq(first)?, at: millis(at)?, event })
        })
        .collect()
}

/// The secret `s[1024]` of a match.
pub(super) async fn secret(readers: &SqlitePool, id: MatchId) -> Result<Option<Secret>, StoreError> {
    let found: Option<String> = sqlx::query_scalar("SELECT secret FROM secrets WHERE match_id = $1")
        .bind(id.0.to_string())
        .fetch_optional(readers)
        .await
        .map_err(failure::of_read)?;
    found.map(|hex| bytes(hex).map(Secret::new)).transpose()
}

/// An event as its row.
struct EventRow {
    seq: i64,
    first: i64,
    at: i64,
    body: String,
}

/// Events as rows; serialised here, in the caller's task, not in the writer's.
fn event_rows(events: &[Recorded]) -> Result<Vec<EventRow>, StoreError> {
    events
        .iter()
        .map(|recorded| {
            let body = serde_json::to_string(&recorded.event)
                .map_err(|error| StoreError::Failed(format!("an event cannot be written: {error}")))?;
            Ok(EventRow {
                seq: i64::from(recorded.seq),
                first: i64::from(recorded.first),
                at: column(recorded.at),
                body,
            })
        })
        .collect()
}

/// The most events that one statement inserts.
const INSERT_MAX: usize = 8;

/// The statement that inserts `n + 1` events of the match `$1`.
static INSERTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let row = |n: usize| format!("($1, ${}, ${}, ${}, ${})", 4 * n + 2, 4 * n + 3, 4 * n + 4, 4 * n + 5);
    let insert = |rows: usize| {
        let rows: Vec<String> = (0..rows).map(row).collect();
        format!("INSERT INTO events (match_id, seq, first_seq, at, body) VALUES {}", rows.join(", "))
    };
    (1..=INSERT_MAX).map(insert).collect()
});

async fn insert_events(connection: &mut SqliteConnection, id: &str, rows: &[EventRow]) -> sqlx::Result<()> {
    for some in rows.chunks(INSERT_MAX) {
        let statement: &'static str = &INSERTS[some.len() - 1];
        let mut insert = sqlx::query(statement).bind(id);
        for row in some {
            insert = insert.bind(row.seq).bind(row.first).bind(row.at).bind(row.body.as_str());
        }
        insert.execute(&mut *connection).await?;
    }
    Ok(())
}

/// The columns of a match's row that change.
struct Changing {
    head: i64,
    updated_at: i64,
    deadline: Option<i64>,
    state: &'static str,
    listed: i64,
    seat2: Option<String>,
    waits_for: Option<String>,
    card: String,
}

impl Changing {
    fn of(head: u32, events: &[Recorded], deadline: Option<u64>, summary: Summary) -> Self {
        Self {
            head: i64::from(head),
            updated_at: events.last().map_or(0, |last| column(last.at)),
            deadline: deadline.map(column),
            state: state_column(summary.state),
            listed: i64::from(summary.listed),
            seat2: summary.seat2.map(|player| player.0.to_string()),
            waits_for: summary.waits_for.map(|player| player.0.to_string()),
            card: summary.card,
        }
    }
}

/// A new match, ready to be written.
struct NewEntry {
    id: String,
    events: Vec<EventRow>,
    secret: Secret,
    game: &'static str,
    seat1: String,
    columns: Changing,
    invitation: Option<(String, i64)>,
    key: Option<Key>,
}

impl NewEntry {
    fn of(new: NewMatch) -> Result<Self, StoreError> {
        let head = last_number(0, &new.events)?;
        Ok(Self {
            id: new.id.0.to_string(),
            events: event_rows(&new.events)?,
            secret: new.secret,
            game: new.summary.game.id(),
            seat1: new.summary.seat1.0.to_string(),
            columns: Changing::of(head, &new.events, new.deadline, new.summary),
            invitation: new.invitation.map(|i| (hex(i.hash.0), column(i.expires_at))),
            key: new.key.map(|key| Key::of(&key, new.id, 1)),
        })
    }

    /// Why it cannot be stored, if so; nothing is written yet.
    async fn refusal(&self, connection: &mut SqliteConnection) -> sqlx::Result<Option<Refused>> {
        if let Some(key) = &self.key
            && key.is_used(connection).await?
        {
            return Ok(Some(Refused::KeyUsed));
        }
        let there: Option<i64> = sqlx::query_scalar("SELECT head FROM matches WHERE id = $1")
            .bind(&self.id)
            .fetch_optional(connection)
            .await?;
        Ok(there.map(|_| Refused::Conflict))
    }

    async fn insert(&self, connection: &mut SqliteConnection) -> sqlx::Result<()> {
        sqlx::query(
            "INSERT INTO matches \
             (id, head, updated_at, deadline, game, state, listed, seat1, seat2, waits_for, card) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        )
        .bind(&self.id)
        .bind(self.columns.head)
        .bind(self.columns.updated_at)
        .bind(self.columns.deadline)
        .bind(self.game)
        .bind(self.columns.state)
        .bind(self.columns.listed)
        .bind(&self.seat1)
        .bind(self.columns.seat2.as_deref())
        .bind(self.columns.waits_for.as_deref())
        .bind(&self.columns.card)
        .execute(&mut *connection)
        .await?;
        insert_events(connection, &self.id, &self.events).await?;
        sqlx::query("INSERT INTO secrets (match_id, secret) VALUES ($1, $2)")
            .bind(&self.id)
            .bind(hex(*self.secret.reveal()))
            .execute(&mut *connection)
            .await?;
        if let Some((hash, expires_at)) = &self.invitation {
            invitations::insert(connection, &self.id, hash, *expires_at).await?;
        }
        if let Some(key) = &self.key {
            key.insert(connection).await?;
        }
        Ok(())
    }
}

impl Write for NewEntry {
    type Outcome = Result<(), Refused>;

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<Self::Outcome>> {
        Box::pin(async {
            if let Some(refused) = self.refusal(connection).await? {
                return Ok(Err(refused));
            }
            self.insert(connection).await?;
            Ok(Ok(()))
        })
    }
}

/// An append, ready to be written.
struct Entry {
    id: String,
    /// The head that the match must have.
    head: i64,
    events: Vec<EventRow>,
    columns: Changing,
    key: Option<Key>,
    /// The hash of the invitation to spend, and when.
    spends: Option<(String, i64)>,
    create: Option<NewEntry>,
}

impl Entry {
    fn of(append: Append) -> Result<Self, StoreError> {
        let head = last_number(append.head, &append.events)?;
        let at = append.events[0].at;
        Ok(Self {
            id: append.id.0.to_string(),
            head: i64::from(append.head),
            events: event_rows(&append.events)?,
            columns: Changing::of(head, &append.events, append.deadline, append.summary),
            key: append.key.map(|key| Key::of(&key, append.id, append.head + 1)),
            spends: append.spends.map(|SecretHash(hash)| (hex(hash), column(at))),
            create: append.create.map(|new| NewEntry::of(*new)).transpose()?,
        })
    }

    /// Why it cannot be made, but for the head; nothing is written yet.
    async fn refusal(&self, connection: &mut SqliteConnection) -> sqlx::Result<Option<Refused>> {
        if let Some(key) = &self.key
            && key.is_used(connection).await?
        {
            return Ok(Some(Refused::KeyUsed));
        }
        if let Some((hash, at)) = &self.spends
            && !invitations::is_good(connection, hash, &self.id, *at).await?
        {
            return Ok(Some(Refused::InvitationGone));
        }
        match &self.create {
            Some(new) => new.refusal(connection).await,
            None => Ok(None),
        }
    }

    /// The compare-and-set: true if the head was the expected one.
    async fn advance(&self, connection: &mut SqliteConnection) -> sqlx::Result<bool> {
        let new = &self.columns;
        // Most appends are turns, which leave state and seats as they are. An update that
        // does not name those columns leaves their indexes alone.
        let turned = sqlx::query(
            "UPDATE matches SET head = $1, updated_at = $2, deadline = $3, waits_for = $4, card = $5 \
             WHERE id = $6 AND head = $7 AND state = $8 AND listed = $9 AND seat2 IS NOT DISTINCT FROM $10",
        )
        .bind(new.head)
        .bind(new.updated_at)
        .bind(new.deadline)
        .bind(new.waits_for.as_deref())
        .bind(&new.card)
        .bind(&self.id)
        .bind(self.head)
        .bind(new.state)
        .bind(new.listed)
        .bind(new.seat2.as_deref())
        .execute(&mut *connection)
        .await?;
        if turned.rows_affected() == 1 {
            return Ok(true);
        }
        let changed = sqlx::query(
            "UPDATE matches SET head = $1, updated_at = $2, deadline = $3, waits_for = $4, card = $5, \
             state = $6, listed = $7, seat2 = $8 WHERE id = $9 AND head = $10",
        )
        .bind(new.head)
        .bind(new.updated_at)
        .bind(new.deadline)
        .bind(new.waits_for.as_deref())
        .bind(&new.card)
        .bind(new.state)
        .bind(new.listed)
        .bind(new.seat2.as_deref())
        .bind(&self.id)
        .bind(self.head)
        .execute(connection)
        .await?;
        Ok(changed.rows_affected() == 1)
    }
}

impl Write for Entry {
    type Outcome = Result<(), Refused>;

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<Self::Outcome>> {
        Box::pin(async {
            // Every reason to refuse is looked for before anything is written, so that a
            // refused append leaves nothing behind in the transaction of the others.
            if let Some(refused) = self.refusal(connection).await? {
                return Ok(Err(refused));
            }
            if !self.advance(connection).await? {
                return Ok(Err(Refused::Conflict));
            }
            insert_events(connection, &self.id, &self.events).await?;
            if let Some((hash, _)) = &self.spends {
                invitations::delete(connection, hash).await?;
            }
            if let Some(key) = &self.key {
                key.insert(connection).await?;
            }
            if let Some(new) = &self.create {
                new.insert(connection).await?;
            }
            Ok(Ok(()))
        })
    }
}

struct SetDeadline {
    id: String,
    head: i64,
    deadline: Option<i64>,
}

impl Write for SetDeadline {
    type Outcome = ();

    fn run<'a>(&'a self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, sqlx::Result<()>> {
        Box::pin(async {
            sqlx::query("UPDATE matches SET deadline = $1 WHERE id = $2 AND head = $3")
                .bind(self.deadline)
                .bind(&self.id)
                .bind(self.head)
                .execute(connection)
                .await?;
            Ok(())
        })
    }
}
