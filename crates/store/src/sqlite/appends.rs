//! Appends to the journals of matches: nearly all that is ever written.
//!
//! Most are turns, which concern a match's row and its events alone. All turns of a
//! transaction are made by a few statements, however many they are.

use std::{collections::HashSet, sync::LazyLock};

use lusoria_play::PlayerId;
use sqlx::SqliteConnection;

use super::{
    changing::Changing,
    creation::NewEntry,
    events::{self, EventRow, event_rows},
    guest_rows, invitation_rows,
    keys::Key,
    rows::{ForRows, LazyRows},
    text::{column, hex},
};
use crate::{
    Append, SecretHash, StoreError,
    error::Refused,
    model::{guests_named_by, last_number},
};

/// An append, ready to be written.
pub(super) struct Entry {
    id: String,
    /// The head that the match must have.
    head: i64,
    events: Vec<EventRow>,
    /// Who must be guests that are not blocked.
    guests: Vec<PlayerId>,
    columns: Changing,
    key: Option<Key>,
    /// The hash of the invitation to spend, and when.
    spends: Option<(String, i64)>,
    create: Option<NewEntry>,
}

/// Whether an append was made. One that is refused changes nothing.
pub(super) type Made = Result<(), Refused>;

/// Makes appends, in their order; a refused one leaves the others as they are.
pub(super) async fn make_all(
    connection: &mut SqliteConnection,
    entries: &[&Entry],
) -> sqlx::Result<Vec<Made>> {
    // Of two appends to one match the first comes first: the others of its match go alone.
    let mut ids = HashSet::new();
    let goes_along: Vec<bool> =
        entries.iter().map(|entry| ids.insert(entry.id.as_str()) && entry.is_alone()).collect();
    let turns: Vec<&Entry> =
        entries.iter().zip(&goes_along).filter(|&(_, goes)| *goes).map(|(entry, _)| *entry).collect();
    let advanced = advance_all(connection, &turns).await?;
    let made = turns.iter().filter(|turn| advanced.contains(&turn.id));
    let rows: Vec<_> = made.flat_map(|turn| turn.event_rows()).collect();
    events::insert(connection, &rows).await?;
    let mut outcomes = Vec::with_capacity(entries.len());
    for (entry, goes_along) in entries.iter().zip(goes_along) {
        outcomes.push(if goes_along && advanced.contains(&entry.id) {
            Ok(())
        } else {
            entry.make(connection).await?
        });
    }
    Ok(outcomes)
}

/// A row for each match. The condition lets through what leaves state and seats as they
/// are: an update that does not name those columns leaves their indexes alone. Seats are
/// compared in a way for which no index can be used: the id alone shall find a match.
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

/// The compare-and-set of matches that are all different: the ids of those that had the
/// expected head, state and seats.
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
            columns: Changing::of(head, &append.events, append.deadline, append.summary),
            key: append.key.map(|key| Key::of(&key, append.id, append.head + 1)),
            spends: append.spends.map(|SecretHash(hash)| (hex(hash), column(at))),
            create: append.create.map(|new| NewEntry::of(*new)).transpose()?,
        })
    }

    /// Whether it concerns nothing but its match.
    const fn is_alone(&self) -> bool {
        self.key.is_none() && self.spends.is_none() && self.create.is_none() && self.guests.is_empty()
    }

    fn event_rows(&self) -> impl Iterator<Item = (&str, &EventRow)> {
        self.events.iter().map(|row| (self.id.as_str(), row))
    }

    async fn make(&self, connection: &mut SqliteConnection) -> sqlx::Result<Made> {
        // Every reason to refuse is looked for before anything is written, so that a
        // refused append leaves nothing behind in the transaction of the others.
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

    /// Why it cannot be made, but for the head; nothing is written yet.
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

    /// However many matches there are, a turn costs what its match costs.
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
