//! New matches.

use lusoria_dice::Secret;
use lusoria_play::{PlayerId, Seat};
use rusqlite::{Connection, params};

use super::{
    events::{self, EventRow, event_rows},
    guest_rows, invitation_rows,
    keys::Key,
    match_columns::MatchColumns,
    sql::{execute, exists},
    text::{column, hex},
};
use crate::{
    NewMatch, StoreError,
    error::Refused,
    model::{guests_named_by, last_number},
};

/// Whether there is a match with that id.
pub(super) fn is_there(connection: &Connection, id: &str) -> rusqlite::Result<bool> {
    exists(connection, "SELECT 1 FROM matches WHERE id = ?1", [id])
}

/// A new match, converted to columns before it is queued.
pub(super) struct NewEntry {
    id: String,
    events: Vec<EventRow>,
    /// Players who must be guests and not blocked.
    guests: Vec<PlayerId>,
    secret: Secret,
    game: &'static str,
    /// Seat 1; every match has a creator.
    seat1: Option<String>,
    made_by: Option<String>,
    columns: MatchColumns,
    invitation: Option<(String, i64)>,
    key: Option<Key>,
}

const INSERT: &str = "INSERT INTO matches (id, head, updated_at, deadline, game, state, listed, seat1, seat2, \
     waits_for, card, made_by) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";

impl NewEntry {
    pub(super) fn of(new: NewMatch) -> Result<Self, StoreError> {
        let head = last_number(0, &new.events)?;
        Ok(Self {
            id: new.id.0.to_string(),
            events: event_rows(&new.events)?,
            guests: guests_named_by(&new.events, new.key.as_ref()).collect(),
            secret: new.secret,
            game: new.card.game().id(),
            seat1: new.card.player(Seat::One).map(|player| player.0.to_string()),
            made_by: new.made_by.map(|maker| maker.0.to_string()),
            columns: MatchColumns::of(head, &new.events, new.deadline, &new.card),
            invitation: new.invitation.map(|i| (hex(i.hash.0), column(i.expires_at))),
            key: new.key.map(|key| Key::of(&key, new.id, 1)),
        })
    }

    /// Stores it, unless it must be refused.
    pub(super) fn create(&self, connection: &Connection) -> rusqlite::Result<Result<(), Refused>> {
        if let Some(refused) = self.refusal(connection)? {
            return Ok(Err(refused));
        }
        self.insert(connection).map(Ok)
    }

    /// Why it must be refused, if so. Writes nothing.
    pub(super) fn refusal(&self, connection: &Connection) -> rusqlite::Result<Option<Refused>> {
        if let Some(key) = &self.key
            && key.is_used(connection)?
        {
            return Ok(Some(Refused::KeyUsed));
        }
        if let Some(gone) = guest_rows::first_gone(connection, &self.guests)? {
            return Ok(Some(Refused::GuestGone(gone)));
        }
        Ok(is_there(connection, &self.id)?.then_some(Refused::Conflict))
    }

    pub(super) fn insert(&self, connection: &Connection) -> rusqlite::Result<()> {
        let MatchColumns { head, updated_at, deadline, state, listed, seat2, waits_for, card } = &self.columns;
        let Self { id, game, seat1, made_by, .. } = self;
        let row = params![
            id, head, updated_at, deadline, game, state, listed, seat1, seat2, waits_for, card, made_by
        ];
        execute(connection, INSERT, row)?;
        events::insert(connection, &self.id, &self.events)?;
        let secret = "INSERT INTO secrets (match_id, secret) VALUES (?1, ?2)";
        execute(connection, secret, (&self.id, hex(*self.secret.reveal())))?;
        if let Some((hash, expires_at)) = &self.invitation {
            invitation_rows::insert(connection, &self.id, hash, *expires_at)?;
        }
        if let Some(key) = &self.key {
            key.insert(connection)?;
        }
        Ok(())
    }
}
