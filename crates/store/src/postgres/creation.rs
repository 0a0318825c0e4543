//! New matches.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use lusoria_dice::Secret;
use lusoria_play::{Clock, MatchId, Millis, PlayerId, Seat};
use sqlx_core::{error::Error, query::query, query_scalar::query_scalar};
use sqlx_postgres::{PgConnection, Postgres};
use uuid::Uuid;

use super::{
    appends::{self, Entry, Key, MatchColumns, More},
    challenges::Accepted,
    seeks::Answered,
    session::Undo,
};
use crate::{
    Answers, NewMatch, StoreError, append_row::AppendRow, error::Refused, model::guests_named_by,
    text::column,
};

/// What a match answers, as columns.
enum Answering {
    Seeks(Answered),
    Challenge(Accepted),
}

impl Answering {
    fn of(answers: Answers, id: MatchId, clock: &Clock, at: Millis) -> Self {
        match answers {
            Answers::Seeks(seeks) => Self::Seeks(Answered::by(seeks, id, clock, at)),
            Answers::Challenge => Self::Challenge(Accepted::by(id, clock.is_by_days(), at)),
        }
    }

    /// Notes it, unless it is gone.
    async fn note(&self, connection: &mut PgConnection) -> Result<Result<(), Refused>, Error> {
        let (noted, gone) = match self {
            Self::Seeks(seeks) => (seeks.note(connection).await?, Refused::SeekGone),
            Self::Challenge(challenge) => (challenge.note(connection).await?, Refused::ChallengeGone),
        };
        Ok(if noted { Ok(()) } else { Err(gone) })
    }
}

/// A new match, converted to columns before it is queued.
pub(super) struct NewEntry {
    id: Uuid,
    events: AppendRow,
    /// Players who must be guests and not blocked.
    guests: Vec<Uuid>,
    secret: Secret,
    game: &'static str,
    /// Seat 1; every match has a creator.
    seat1: Option<Uuid>,
    made_by: Option<Uuid>,
    columns: MatchColumns,
    invitation: Option<(Vec<u8>, i64)>,
    key: Option<Key>,
    answers: Option<Answering>,
}

const USE_KEY: &str = "INSERT INTO used_keys (guest, key, digest, match, first, at) \
     VALUES ($1, $2, $3, $4, 1, $5) ON CONFLICT DO NOTHING";
const SEATED: &str = "SELECT id FROM guests WHERE id = ANY ($1) AND blocked_at IS NULL ORDER BY id FOR SHARE";
/// Waits for another creation with that id, and for who shuts one out ([`super::journal::settle`]).
const TAKE_ID: &str = "INSERT INTO secrets (match, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING";
const INSERT: &str = "
    WITH made AS (
        INSERT INTO matches (id, game, state, listed, seat1, seat2, made_by, head, updated_at, card)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ), written AS (
        INSERT INTO journal (match, first, last, at, events) VALUES ($1, 1, $8, $9, $11)
    ), timed AS (
        INSERT INTO deadlines (match, at) SELECT $1, $12 WHERE $12::bigint IS NOT NULL
    )
    INSERT INTO invitations (match, hash, expires_at) SELECT $1, $13, $14 WHERE $13::bytea IS NOT NULL";

impl NewEntry {
    pub(super) fn of(new: NewMatch) -> Result<Self, StoreError> {
        let events = AppendRow::of(0, &new.events)?;
        let at = new.events.first().map_or(0, |event| event.at);
        Ok(Self {
            answers: new.answers.map(|answers| Answering::of(answers, new.id, &new.card.terms.clock, at)),
            id: new.id.0,
            guests: guests_named_by(&new.events, new.key.as_ref()).map(|guest| guest.0).collect(),
            secret: new.secret,
            game: new.card.game().id(),
            seat1: new.card.player(Seat::One).map(|player| player.0),
            made_by: new.made_by.map(|maker| maker.0),
            columns: MatchColumns::of(new.deadline, &new.card),
            invitation: new.invitation.map(|i| (i.hash.0.to_vec(), column(i.expires_at))),
            key: new.key.map(Key::of),
            events,
        })
    }

    pub(super) const fn id(&self) -> Uuid {
        self.id
    }

    /// Stores it in the present transaction, which must be undone if it is refused.
    async fn create(&self, connection: &mut PgConnection) -> Result<Result<(), Refused>, Error> {
        if let Some(key) = &self.key {
            let use_key = query::<Postgres>(USE_KEY).bind(key.guest).bind(&key.name).bind(&key.digest);
            if use_key.bind(self.id).bind(key.at).execute(&mut *connection).await?.rows_affected() == 0 {
                return Ok(Err(Refused::KeyUsed));
            }
        }
        let seated: Vec<Uuid> =
            query_scalar::<Postgres, _>(SEATED).bind(&self.guests).fetch_all(&mut *connection).await?;
        if let Some(gone) = self.guests.iter().find(|guest| !seated.contains(guest)) {
            return Ok(Err(Refused::GuestGone(PlayerId(*gone))));
        }
        if let Some(answers) = &self.answers
            && let Err(gone) = answers.note(connection).await?
        {
            return Ok(Err(gone));
        }
        let take_id = query::<Postgres>(TAKE_ID).bind(self.id).bind(&self.secret.reveal()[..]);
        if take_id.execute(&mut *connection).await?.rows_affected() == 0 {
            return Ok(Err(Refused::Conflict));
        }
        let columns = &self.columns;
        let (hash, expires_at) = self.invitation.clone().unzip();
        query::<Postgres>(INSERT)
            .bind(self.id)
            .bind(self.game)
            .bind(columns.state)
            .bind(columns.listed)
            .bind(self.seat1)
            .bind(columns.seat2)
            .bind(self.made_by)
            .bind(self.events.last)
            .bind(self.events.at)
            .bind(&columns.card)
            .bind(&self.events.events)
            .bind(columns.deadline)
            .bind(hash)
            .bind(expires_at)
            .execute(connection)
            .await?;
        Ok(Ok(()))
    }
}

/// What a transaction comes to that may be refused.
type Done = Result<Result<(), Refused>, Undo<Result<(), Refused>>>;

fn done(outcome: Result<(), Refused>) -> Done {
    if outcome.is_ok() { Ok(outcome) } else { Err(Undo::With(outcome)) }
}

/// Creates a match.
pub(super) fn create(connection: &mut PgConnection, new: Arc<NewEntry>) -> BoxFuture<'_, Done> {
    Box::pin(async move { done(new.create(connection).await?) })
}

/// Appends to a match with all that its append does beside.
pub(super) fn append_with(connection: &mut PgConnection, all: Arc<(Entry, More)>) -> BoxFuture<'_, Done> {
    Box::pin(async move {
        let (entry, More { create, ratings }) = &*all;
        let appended = appends::append(connection, &[entry]).await?.pop().unwrap_or(Err(Refused::Conflict));
        let created = match create {
            Some(new) => new.create(connection).await?,
            None => Ok(()),
        };
        // Of several reasons the first.
        let refused = [appended, created].into_iter().filter_map(Result::err).min_by_key(Refused::rank);
        match refused {
            Some(refused) => done(Err(refused)),
            None => done(ratings.write(connection).await?),
        }
    })
}
