//! Appends to the journals of matches: nearly all that is ever written.
//!
//! Most are turns, which change only the row of a match and its events. A few statements write
//! all turns of a transaction, however many they are.

use std::{collections::HashSet, sync::LazyLock};

use lusoria_play::PlayerId;
use sqlx::SqliteConnection;

use super::{
    creation::NewEntry,
    events::{self, EventRow, event_rows},
    guest_rows, invitation_rows,
    keys::Key,
    match_columns::MatchColumns,
    rows::{ForRows, LazyRows},
    text::{column, hex},
};
use crate::{
    Append, SecretHash, StoreError,
    error::Refused,
    model::{guests_named_by, last_number},
};

/// An append, converted to columns before it is queued.
pub(super) struct Entry {
    id: String,
    /// The head that the match must have.
    head: i64,
    events: Vec<EventRow>,
    /// Players who must be guests and not blocked.
    guests: Vec<PlayerId>,
    columns: MatchColumns,
    key: Option<Key>,
    /// The hash of the invitation to spend, and the time.
    spends: Option<(String, i64)>,
    create: Option<NewEntry>,
}

/// The outcome of an append. A refused one changes nothing.
pub(super) type Appended = Result<(), Refused>;

/// Writes appends in their order; a refused one does not affect the others.
pub(super) async fn append_all(
    connection: &mut SqliteConnection,
    entries: &[&Entry],
) -> sqlx::Result<Vec<Appended>> {
    // Of several appends to one match only the first goes with the turns; the others follow alone.
    let mut ids = HashSet::new();
    let is_batched: Vec<bool> =
        entries.iter().map(|entry| ids.insert(entry.id.as_str()) && entry.is_plain_turn()).collect();
    let turns: Vec<&Entry> =
        entries.iter().zip(&is_batched).filter(|&(_, goes)| *goes).map(|(entry, _)| *entry).collect();
    let advanced = advance_all(connection, &turns).await?;
    let made = turns.iter().filter(|turn| advanced.contains(&turn.id));
    let rows: Vec<_> = made.flat_map(|turn| turn.event_rows()).collect();
    events::insert(connection, &rows).await?;
    let mut outcomes = Vec::with_capacity(entries.len());
    for (entry, is_batched) in entries.iter().zip(is_batched) {
        outcomes.push(if is_batched && advanced.contains(&entry.id) {
            Ok(())
        } else {
            entry.append(connection).await?
        });
    }
    Ok(outcomes)
}

/// A row for each match. The condition admits only turns that leave state and seats unchanged:
/// an update without those columns does not touch their indexes. Seats are compared with
/// COALESCE so that SQLite uses no index of theirs: matches must be found by id.
static ADVANCE: LazyRows = LazyLock::new(|| {
    ForRows::new(
        "WITH next (id, was, head, updated_at, deadline, waits_for, card, state, listed, seat2) AS (VALUES ",
        10,
        ") UPDATE matches SET head = next.head, updated_at = next.updated_at, deadline = next.deadline, \
         waits_for = next.waits_for, card = next.card FROM next \
         WHERE matches.id = next.id AND matches.head = next.was AND matches.state = next.state \
         AND matches.listed = next.listed AND COALESCE(matches.seat2, '') = COALESCE(next.seat2, '') \
         RETURNING id",
    )
});

/// The compare-and-set, for matches that are all different. Returns the ids of those that had
/// the expected head, state and seats.
async fn advance_all(connection: &mut SqliteConnection, turns: &[&Entry]) -> sqlx::Result<HashSet<String>> {
    let mut advanced = HashSet::with_capacity(turns.len());
    for (statement, turns) in ADVANCE.portions(turns) {
        let mut update = sqlx::query_scalar(statement);
        for Entry { id, head, columns: new, .. } in turns {
            update = update
                .bind(id)
                .bind(head)
                .bind(new.head)
                .bind(new.updated_at)
                .bind(new.deadline)
                .bind(new.waits_for.as_deref())
                .bind(&new.card)
                .bind(new.state)
                .bind(new.listed)
                .bind(new.seat2.as_deref());
        }
        advanced.extend(update.fetch_all(&mut *connection).await?);
    }
    Ok(advanced)
}

impl Entry {
    pub(super) fn of(append: Append) -> Result<Self, StoreError> {
        let head = last_number(append.head, &append.events)?;
        let at = append.events[0].at;
        Ok(Self {
            id: append.id.0.to_string(),
            head: i64::from(append.head),
            events: event_rows(&append.events)?,
            guests: guests_named_by(&append.events, append.key.as_ref()).collect(),
            columns: MatchColumns::of(head, &append.events, append.deadline, &append.card),
            key: append.key.map(|key| Key::of(&key, append.id, append.head + 1)),
            spends: append.spends.map(|SecretHash(hash)| (hex(hash), column(at))),
            create: append.create.map(|new| NewEntry::of(*new)).transpose()?,
        })
    }

    /// Whether it changes only the row of its match and its events.
    const fn is_plain_turn(&self) -> bool {
        self.key.is_none() && self.spends.is_none() && self.create.is_none() && self.guests.is_empty()
    }

    fn event_rows(&self) -> impl Iterator<Item = (&str, &EventRow)> {
        self.events.iter().map(|row| (self.id.as_str(), row))
    }

    async fn append(&self, connection: &mut SqliteConnection) -> sqlx::Result<Appended> {
        // Checks every reason to refuse before writing, so that a refused append leaves nothing
        // in the shared transaction.
        if let Some(refused) = self.refusal(connection).await? {
            return Ok(Err(refused));
        }
        if !self.advance(connection).await? {
            return Ok(Err(Refused::Conflict));
        }
        let rows: Vec<_> = self.event_rows().collect();
        events::insert(connection, &rows).await?;
        if let Some((hash, _)) = &self.spends {
            invitation_rows::delete(connection, hash).await?;
        }
        if let Some(key) = &self.key {
            key.insert(connection).await?;
        }
        if let Some(new) = &self.create {
            new.insert(connection).await?;
        }
        Ok(Ok(()))
    }

    /// Why it must be refused, apart from the head. Writes nothing.
    async fn refusal(&self, connection: &mut SqliteConnection) -> sqlx::Result<Option<Refused>> {
        if let Some(key) = &self.key
            && key.is_used(connection).await?
        {
            return Ok(Some(Refused::KeyUsed));
        }
        if let Some(gone) = guest_rows::first_gone(connection, &self.guests).await? {
            return Ok(Some(Refused::GuestGone(gone)));
        }
        if let Some((hash, at)) = &self.spends
            && !invitation_rows::is_good(connection, hash, &self.id, *at).await?
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{SqliteOptions, open::open};

    /// The cost of a turn does not depend on the number of matches.
    #[tokio::test]
    async fn turns_find_their_matches_by_their_ids() {
        let folder = tempfile::tempdir().expect("a folder");
        let opened = open(&folder.path().join("test.db"), &SqliteOptions::default()).await.expect("opened");
        for (statement, _) in ADVANCE.portions(&[(); 127]) {
            let explain = sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}"));
            let plan: Vec<(i64, i64, i64, String)> =
                sqlx::query_as(explain).fetch_all(&opened.readers).await.expect("a plan");
            let steps: Vec<String> = plan.into_iter().map(|(.., step)| step).collect();
            let finds = "SEARCH matches USING INDEX sqlite_autoindex_matches_1 (id=?)";
            assert!(steps.iter().any(|step| step == finds), "{steps:#?}");
            assert!(!steps.iter().any(|step| step.contains("SCAN matches")), "{steps:#?}");
        }
    }
}
