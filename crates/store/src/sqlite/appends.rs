//! Appends to the journals of matches: nearly all that is ever written.
//!
//! A turn adds a row to the journal and corrects a deadline. What changes the state of a match, or who
//! plays it, changes its row too.

use lusoria_play::{MatchId, PlayerId, Seat};
use rusqlite::Connection;

use super::{
    append_row::AppendRow,
    creation::NewEntry,
    deadlines, departures, events, guest_rows, invitation_rows,
    keys::Key,
    match_columns::{MatchColumns, card_column},
    packed::note_settling,
    rating_rows,
    sql::{execute, first},
    text::{hex, state_column},
};
use crate::{
    Append, MatchState, RatingChange, SecretHash, StoreError, error::Refused, model::guests_named_by,
};

/// An append, converted to columns before it is queued.
pub(super) struct Entry {
    id: MatchId,
    edition: u32,
    events: AppendRow,
    /// Players who must be guests and not blocked.
    guests: Vec<PlayerId>,
    /// Nobody joins a match whose seat 1 they adopt.
    seat1: Option<PlayerId>,
    columns: MatchColumns,
    key: Option<Key>,
    /// The hash of the invitation to spend, and the time.
    spends: Option<(String, i64)>,
    create: Option<NewEntry>,
    rates: Option<Box<RatingChange>>,
    unrates: bool,
}

/// The row of a match, as far as an append may change it.
const MATCH: &str = "SELECT number, state, listed, seat2, COALESCE(last, packed), rewritten, arrival \
     FROM matches LEFT JOIN newest ON match = number WHERE id = ?1";
const CHANGE: &str =
    "UPDATE matches SET state = ?2, listed = ?3, seat2 = ?4, updated_at = ?5, card = ?6 WHERE number = ?1";

/// With the number of its last event, its edition, and where its last append is if that is in the journal.
type MatchNow = (i64, String, bool, Option<[u8; 16]>, i64, u32, Option<i64>);

impl Entry {
    pub(super) fn of(append: Append) -> Result<Self, StoreError> {
        let events = AppendRow::of(append.of.head, &append.events)?;
        Ok(Self {
            id: append.id,
            edition: append.of.edition,
            guests: guests_named_by(&append.events, append.key.as_ref()).collect(),
            seat1: append.card.player(Seat::One),
            columns: MatchColumns::of(events.at, append.deadline, append.card),
            key: append.key.map(|key| Key::of(&key, append.of.head + 1)),
            spends: append.spends.map(|SecretHash(hash)| (hex(hash), events.at)),
            create: append.create.map(|new| NewEntry::of(*new)).transpose()?,
            rates: append.rates,
            unrates: append.unrates,
            events,
        })
    }

    /// Writes it, unless it must be refused: then it changes nothing, and does not affect the
    /// other writes of the transaction.
    pub(super) fn append(&self, connection: &Connection) -> rusqlite::Result<Result<(), Refused>> {
        // Checks every reason to refuse before writing.
        if let Some(refused) = self.refusal(connection)? {
            return Ok(Err(refused));
        }
        let Some(number) = self.advance(connection)? else { return Ok(Err(Refused::Conflict)) };
        if let Some((hash, _)) = &self.spends {
            invitation_rows::delete(connection, hash)?;
        }
        if let Some(key) = &self.key {
            key.insert(connection, number)?;
        }
        if let Some(rates) = &self.rates {
            rating_rows::rate(connection, number, self.id, rates)?;
        }
        if self.unrates {
            rating_rows::take_back(connection, number, self.events.at)?;
        }
        if let Some(new) = &self.create {
            new.insert(connection)?;
        }
        Ok(Ok(()))
    }

    /// Why it must be refused, apart from its version. Writes nothing.
    fn refusal(&self, connection: &Connection) -> rusqlite::Result<Option<Refused>> {
        if let Some(key) = &self.key
            && key.is_used(connection)?
        {
            return Ok(Some(Refused::KeyUsed));
        }
        if let Some(gone) = guest_rows::first_gone(connection, &self.guests)? {
            return Ok(Some(Refused::GuestGone(gone)));
        }
        if let Some(adopter) = departures::first_adopter(connection, &self.guests, self.seat1)? {
            return Ok(Some(Refused::GuestGone(adopter)));
        }
        if let Some((hash, at)) = &self.spends
            && !invitation_rows::is_good(connection, hash, self.id, *at)?
        {
            return Ok(Some(Refused::InvitationGone));
        }
        match &self.create {
            Some(new) => new.refusal(connection),
            None => Ok(None),
        }
    }

    /// The compare-and-set: the number of the match, or none if its head, its edition or a rating of its players is
    /// not the expected one.
    fn advance(&self, connection: &Connection) -> rusqlite::Result<Option<i64>> {
        let found: Option<MatchNow> = first(connection, MATCH, [self.id.0.into_bytes()])?;
        let Some((number, state_now, listed_now, seat2_now, head, edition, before)) = found else {
            return Ok(None);
        };
        if (head, edition) != (self.events.first - 1, self.edition) {
            return Ok(None);
        }
        if let Some(rates) = &self.rates
            && !rating_rows::are_as_read(connection, rates)?
        {
            return Ok(None);
        }
        let MatchColumns { at, deadline, state, listed, seat2, card, standing } = &self.columns;
        let is_turn = (state_now.as_str(), listed_now, seat2_now) == (*state, *listed, *seat2);
        events::insert(connection, number, before, &self.events, is_turn.then_some(standing))?;
        if !is_turn {
            let card = card_column(card).into_bytes();
            execute(connection, CHANGE, (number, state, listed, seat2, at, card))?;
        }
        deadlines::set(connection, number, *deadline)?;
        let has_ended = *state == state_column(MatchState::Finished);
        if has_ended || !is_turn {
            note_settling(connection, number, has_ended, *at)?;
        }
        Ok(Some(number))
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;
    use crate::sqlite::{SqliteOptions, open::open, sql};

    /// The cost of a turn does not depend on the number of matches.
    #[test]
    fn turns_find_their_matches_by_their_ids() {
        let folder = tempfile::tempdir().expect("a folder");
        let opened = open(&folder.path().join("test.db"), &SqliteOptions::default()).expect("opened");
        let plan = sql::plan(&opened.writer, MATCH);
        assert_eq!(
            plan,
            [
                "SEARCH matches USING INDEX sqlite_autoindex_matches_1 (id=?)",
                "SEARCH newest USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
            ]
        );
    }

    /// SQLite prepares a statement again whose plan could depend on a parameter, unless told not to.
    #[test]
    fn a_turn_prepares_no_statement_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let opened = open(&folder.path().join("test.db"), &SqliteOptions::default()).expect("opened");
        for id in 0..9_u8 {
            let found: Option<MatchNow> = first(&opened.writer, MATCH, [[id; 16]]).expect("read");
            assert!(found.is_none());
        }
        let statement = opened.writer.prepare_cached(MATCH).expect("a query");
        assert_eq!(statement.get_status(StatementStatus::Run), 9);
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
    }
}
