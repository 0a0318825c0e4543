//! New matches.

use futures_util::future::BoxFuture;
use lusoria_dice::Secret;
use lusoria_play::{PlayerId, Seat};
use sqlx::SqliteConnection;

use super::{
    events::{self, EventRow, event_rows},
    guest_rows, invitation_rows,
    keys::Key,
    match_columns::MatchColumns,
    text::{column, hex},
    write::Write,
};
use crate::{
    NewMatch, StoreError,
    error::Refused,
    model::{guests_named_by, last_number},
};

/// Whether there is a match with that id.
pub(super) async fn is_there(connection: &mut SqliteConnection, id: &str) -> sqlx::Result<bool> {
    let head: Option<i64> = sqlx::query_scalar("SELECT head FROM matches WHERE id = $1")
        .bind(id)
        .fetch_optional(connection)
        .await?;
    Ok(head.is_some())
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

    /// Why it must be refused, if so. Writes nothing.
    pub(super) async fn refusal(&self, connection: &mut SqliteConnection) -> sqlx::Result<Option<Refused>> {
        if let Some(key) = &self.key
            && key.is_used(connection).await?
        {
            return Ok(Some(Refused::KeyUsed));
        }
        if let Some(gone) = guest_rows::first_gone(connection, &self.guests).await? {
            return Ok(Some(Refused::GuestGone(gone)));
        }
        Ok(is_there(connection, &self.id).await?.then_some(Refused::Conflict))
    }

    pub(super) async fn insert(&self, connection: &mut SqliteConnection) -> sqlx::Result<()> {
        sqlx::query(
            "INSERT INTO matches \
             (id, head, updated_at, deadline, game, state, listed, seat1, seat2, waits_for, card, \
              made_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        )
        .bind(&self.id)
        .bind(self.columns.head)
        .bind(self.columns.updated_at)
        .bind(self.columns.deadline)
        .bind(self.game)
        .bind(self.columns.state)
        .bind(self.columns.listed)
        .bind(self.seat1.as_deref())
        .bind(self.columns.seat2.as_deref())
        .bind(self.columns.waits_for.as_deref())
        .bind(&self.columns.card)
        .bind(self.made_by.as_deref())
        .execute(&mut *connection)
        .await?;
        let events: Vec<_> = self.events.iter().map(|row| (self.id.as_str(), row)).collect();
        events::insert(connection, &events).await?;
        sqlx::query("INSERT INTO secrets (match_id, secret) VALUES ($1, $2)")
            .bind(&self.id)
            .bind(hex(*self.secret.reveal()))
            .execute(&mut *connection)
            .await?;
        if let Some((hash, expires_at)) = &self.invitation {
            invitation_rows::insert(connection, &self.id, hash, *expires_at).await?;
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
