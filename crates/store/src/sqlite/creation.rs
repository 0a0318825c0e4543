//! New matches.

use lusoria_dice::Secret;
use lusoria_play::{Clock, MatchId, Millis, PlayerId, Seat};
use rusqlite::Connection;

use super::{
    append_row::AppendRow,
    challenges::Accepted,
    deadlines, events, guest_rows, invitation_rows,
    keys::Key,
    match_columns::{MatchColumns, card_column},
    packed::note_settling,
    seeks::Answered,
    sql::{execute, first},
    text::{column, hex, state_column},
};
use crate::{Answers, MatchState, NewMatch, StoreError, error::Refused, model::guests_named_by};

/// The number of a match; none if there is no such match.
pub(super) fn number_of(connection: &Connection, id: MatchId) -> rusqlite::Result<Option<i64>> {
    let number = first(connection, "SELECT number FROM matches WHERE id = ?1", [id.0.into_bytes()])?;
    Ok(number.map(|(number,)| number))
}

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

    fn refusal(&self, connection: &Connection) -> rusqlite::Result<Option<Refused>> {
        let (may_be, gone) = match self {
            Self::Seeks(seeks) => (seeks.may_be(connection)?, Refused::SeekGone),
            Self::Challenge(challenge) => (challenge.may_be(connection)?, Refused::ChallengeGone),
        };
        Ok((!may_be).then_some(gone))
    }

    fn note(&self, connection: &Connection) -> rusqlite::Result<()> {
        match self {
            Self::Seeks(seeks) => seeks.note(connection),
            Self::Challenge(challenge) => challenge.note(connection),
        }
    }
}

/// A new match, converted to columns before it is queued.
pub(super) struct NewEntry {
    id: MatchId,
    events: AppendRow,
    /// Players who must be guests and not blocked.
    guests: Vec<PlayerId>,
    secret: Secret,
    game: &'static str,
    /// Seat 1; every match has a creator.
    seat1: Option<[u8; 16]>,
    made_by: Option<[u8; 16]>,
    columns: MatchColumns,
    invitation: Option<(String, i64)>,
    key: Option<Key>,
    answers: Option<Answering>,
}

const INSERT: &str = "INSERT INTO matches (id, game, state, listed, seat1, seat2, made_by, updated_at, card) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";

impl NewEntry {
    pub(super) fn of(new: NewMatch) -> Result<Self, StoreError> {
        let events = AppendRow::of(0, &new.events)?;
        let at = new.events.first().map_or(0, |event| event.at);
        Ok(Self {
            answers: new.answers.map(|answers| Answering::of(answers, new.id, &new.card.terms.clock, at)),
            id: new.id,
            guests: guests_named_by(&new.events, new.key.as_ref()).collect(),
            secret: new.secret,
            game: new.card.game().id(),
            seat1: new.card.player(Seat::One).map(|player| player.0.into_bytes()),
            made_by: new.made_by.map(|maker| maker.0.into_bytes()),
            columns: MatchColumns::of(events.at, new.deadline, new.card),
            events,
            invitation: new.invitation.map(|i| (hex(i.hash.0), column(i.expires_at))),
            key: new.key.map(|key| Key::of(&key, 1)),
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
        if let Some(answers) = &self.answers
            && let Some(gone) = answers.refusal(connection)?
        {
            return Ok(Some(gone));
        }
        Ok(number_of(connection, self.id)?.map(|_| Refused::Conflict))
    }

    pub(super) fn insert(&self, connection: &Connection) -> rusqlite::Result<()> {
        let MatchColumns { at, deadline, state, listed, seat2, card, .. } = &self.columns;
        let Self { id, game, seat1, made_by, .. } = self;
        let card = card_column(card).into_bytes();
        let row = (id.0.into_bytes(), game, state, listed, seat1, seat2, made_by, at, card);
        execute(connection, INSERT, row)?;
        let number = connection.last_insert_rowid();
        events::insert(connection, number, None, &self.events, None)?;
        deadlines::set(connection, number, *deadline)?;
        if *state == state_column(MatchState::Finished) {
            note_settling(connection, number, true, *at)?;
        }
        let secret = "INSERT INTO secrets (match, secret) VALUES (?1, ?2)";
        execute(connection, secret, (number, *self.secret.reveal()))?;
        if let Some((hash, expires_at)) = &self.invitation {
            invitation_rows::insert(connection, number, hash, *expires_at)?;
        }
        if let Some(key) = &self.key {
            key.insert(connection, number)?;
        }
        if let Some(answers) = &self.answers {
            answers.note(connection)?;
        }
        Ok(())
    }
}
