//! New matches.

use futures_util::future::BoxFuture;
use lusoria_dice::Secret;
use lusoria_play::{Clock, MatchId, Millis, PlayerId, Seat};
use sqlx::Error;
use uuid::Uuid;

use super::appends::{self, Entry, Key, MatchColumns, More};
use crate::{
    Answers, NewMatch, SecretHash, StoreError,
    append_row::AppendRow,
    db::{Accepted, Answered, Done, Tx, Undo, first_gone, value::args},
    error::Refused,
    model::guests_named_by,
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
    async fn note(&self, tx: &mut Tx) -> Result<Result<(), Refused>, Error> {
        let (noted, gone) = match self {
            Self::Seeks(seeks) => (seeks.note(tx).await?, Refused::SeekGone),
            Self::Challenge(challenge) => (challenge.note(tx).await?, Refused::ChallengeGone),
        };
        Ok(if noted { Ok(()) } else { Err(gone) })
    }
}

/// A new match, converted to columns before it is queued.
pub(super) struct NewEntry {
    id: Uuid,
    events: AppendRow,
    /// Players who must be guests and not blocked.
    guests: Vec<PlayerId>,
    secret: Secret,
    game: &'static str,
    /// Seat 1; every match has a creator.
    seat1: Option<Uuid>,
    made_by: Option<Uuid>,
    columns: MatchColumns,
    invitation: Option<(SecretHash, Millis)>,
    key: Option<Key>,
    answers: Option<Answering>,
}

const USE_KEY: &str = "INSERT INTO used_keys (guest, key, digest, match, first, at) \
     VALUES ($1, $2, $3, $4, 1, $5) ON CONFLICT DO NOTHING";
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
            guests: guests_named_by(&new.events, new.key.as_ref()).collect(),
            secret: new.secret,
            game: new.card.game().id(),
            seat1: new.card.player(Seat::One).map(|player| player.0),
            made_by: new.made_by.map(|maker| maker.0),
            columns: MatchColumns::of(new.deadline, &new.card),
            invitation: new.invitation.map(|new| (new.hash, new.expires_at)),
            key: new.key.map(Key::of),
            events,
        })
    }

    pub(super) const fn id(&self) -> Uuid {
        self.id
    }

    /// Stores it in the present transaction, which must be undone if it is refused.
    async fn create(&self, tx: &mut Tx) -> Result<Result<(), Refused>, Error> {
        if let Some(key) = &self.key
            && tx.execute(USE_KEY, args![key.guest, &key.name, &key.digest[..], self.id, key.at]).await? == 0
        {
            return Ok(Err(Refused::KeyUsed));
        }
        if let Some(gone) = first_gone(tx, &self.guests).await? {
            return Ok(Err(Refused::GuestGone(gone)));
        }
        if let Some(answers) = &self.answers
            && let Err(gone) = answers.note(tx).await?
        {
            return Ok(Err(gone));
        }
        if tx.execute(TAKE_ID, args![self.id, &self.secret.reveal()[..]]).await? == 0 {
            return Ok(Err(Refused::Conflict));
        }
        let (columns, events) = (&self.columns, &self.events);
        let (hash, expires_at) = self.invitation.unzip();
        let args = args![
            self.id,
            self.game,
            columns.state,
            columns.listed,
            self.seat1,
            columns.seat2,
            self.made_by,
            events.last,
            events.at,
            &columns.card,
            &events.events,
            columns.deadline,
            hash,
            expires_at,
        ];
        tx.execute(INSERT, args).await?;
        Ok(Ok(()))
    }
}

fn done(outcome: Result<(), Refused>) -> Done<Result<(), Refused>> {
    if outcome.is_ok() { Ok(outcome) } else { Err(Undo::With(outcome)) }
}

/// Creates a match.
pub(super) fn create<'t>(tx: &'t mut Tx, new: &'t NewEntry) -> BoxFuture<'t, Done<Result<(), Refused>>> {
    Box::pin(async move { done(new.create(tx).await?) })
}

/// Appends to a match with all that its append does beside.
pub(super) fn append_with<'t>(
    tx: &'t mut Tx,
    (entry, More { create, ratings }): &'t (Entry, More),
) -> BoxFuture<'t, Done<Result<(), Refused>>> {
    Box::pin(async move {
        let appended =
            appends::append(tx.postgres()?, &[entry]).await?.pop().unwrap_or(Err(Refused::Conflict));
        let created = match create {
            Some(new) => new.create(tx).await?,
            None => Ok(()),
        };
        // Of several reasons the first.
        let refused = [appended, created].into_iter().filter_map(Result::err).min_by_key(Refused::rank);
        match refused {
            Some(refused) => done(Err(refused)),
            None => done(ratings.write(tx).await?),
        }
    })
}
