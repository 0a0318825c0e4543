//! Appends to the journals of matches: nearly all that is ever written.

use lusoria_play::PlayerId;
use rusqlite::Connection;

use super::{
    creation::NewEntry,
    events::{self, EventRow, event_rows},
    guest_rows, invitation_rows,
    keys::Key,
    match_columns::MatchColumns,
    sql::execute,
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

/// For turns, which leave state and seats as they are: an update without those columns does not
/// touch their indexes.
const ADVANCE: &str = "UPDATE matches SET head = ?3, updated_at = ?4, deadline = ?5, waits_for = ?6, card = ?7 \
     WHERE id = ?1 AND head = ?2 AND state = ?8 AND listed = ?9 AND seat2 IS ?10";
const ADVANCE_AND_CHANGE: &str = "UPDATE matches SET head = ?3, updated_at = ?4, deadline = ?5, \
     waits_for = ?6, card = ?7, state = ?8, listed = ?9, seat2 = ?10 WHERE id = ?1 AND head = ?2";

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

    /// Writes it, unless it must be refused: then it changes nothing, and does not affect the
    /// other writes of the transaction.
    pub(super) fn append(&self, connection: &Connection) -> rusqlite::Result<Result<(), Refused>> {
        // Checks every reason to refuse before writing.
        if let Some(refused) = self.refusal(connection)? {
            return Ok(Err(refused));
        }
        if !self.advance(connection)? {
            return Ok(Err(Refused::Conflict));
        }
        events::insert(connection, &self.id, &self.events)?;
        if let Some((hash, _)) = &self.spends {
            invitation_rows::delete(connection, hash)?;
        }
        if let Some(key) = &self.key {
            key.insert(connection)?;
        }
        if let Some(new) = &self.create {
            new.insert(connection)?;
        }
        Ok(Ok(()))
    }

    /// Why it must be refused, apart from the head. Writes nothing.
    fn refusal(&self, connection: &Connection) -> rusqlite::Result<Option<Refused>> {
        if let Some(key) = &self.key
            && key.is_used(connection)?
        {
            return Ok(Some(Refused::KeyUsed));
        }
        if let Some(gone) = guest_rows::first_gone(connection, &self.guests)? {
            return Ok(Some(Refused::GuestGone(gone)));
        }
        if let Some((hash, at)) = &self.spends
            && !invitation_rows::is_good(connection, hash, &self.id, *at)?
        {
            return Ok(Some(Refused::InvitationGone));
        }
        match &self.create {
            Some(new) => new.refusal(connection),
            None => Ok(None),
        }
    }

    /// The compare-and-set: true if the head was the expected one.
    fn advance(&self, connection: &Connection) -> rusqlite::Result<bool> {
        let MatchColumns { head, updated_at, deadline, state, listed, seat2, waits_for, card } = &self.columns;
        let row =
            (&self.id, self.head, head, updated_at, deadline, waits_for, card, state, listed, seat2);
        Ok(execute(connection, ADVANCE, row)? == 1 || execute(connection, ADVANCE_AND_CHANGE, row)? == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{SqliteOptions, open::open, sql};

    /// The cost of a turn does not depend on the number of matches.
    #[test]
    fn turns_find_their_matches_by_their_ids() {
        let folder = tempfile::tempdir().expect("a folder");
        let opened = open(&folder.path().join("test.db"), &SqliteOptions::default()).expect("opened");
        for statement in [ADVANCE, ADVANCE_AND_CHANGE] {
            let plan = sql::plan(&opened.writer, statement);
            assert_eq!(plan, ["SEARCH matches USING INDEX sqlite_autoindex_matches_1 (id=?)"]);
        }
    }
}
