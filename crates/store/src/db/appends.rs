//! Appends to the journals of matches, and new matches: nearly all that is ever written.
//!
//! An append that depends on its match alone is plain: those that wait go to the journal together, as one statement
//! ([`crate::postgres::journal`], [`crate::sqlite::journal`]). For every other one checks run here together, all of
//! them even if one refuses it. Locks are taken in one order everywhere, so that writers wait for each other in no
//! circle: the era, the match, guests, the invitation, the tournament.

use lusoria_dice::Secret;
use lusoria_play::{Millis, PlayerId, Seat};
use sqlx::Error;
use uuid::Uuid;

use super::{
    challenges::Accepted, guests::who_may_play, opponents::end_live_waiting, ratings::RatingEntry,
    seeks::Answered, tournaments::add_note,
};
use crate::{
    Answers, Append, Invitation, KeyUse, NewMatch, SecretHash, StoreError, TournamentNote,
    append_row::AppendRow,
    error::Refused,
    match_rows::{NewRow, PlainAppend, Shown},
    model::guests_named_by,
    postgres,
    sql::{Check, Done, Tx, Undo, args, first_refused},
    sqlite,
};

/// An append, with all that it does beside.
pub(crate) struct Entry {
    pub(crate) append: Box<PlainAppend>,
    /// Players who must be guests and not blocked.
    guests: Vec<PlayerId>,
    key: Option<KeyUse>,
    /// The hash of the invitation to spend.
    spends: Option<SecretHash>,
    /// The rematch to store.
    create: Option<Box<NewEntry>>,
    ratings: Option<RatingEntry>,
    /// What is added to the tournament, and when.
    tournament: Option<(TournamentNote, Millis)>,
}

impl Entry {
    /// Converts an append.
    ///
    /// # Errors
    /// If its events are not one append that follows its head.
    pub(crate) fn of(append: Append) -> Result<Self, StoreError> {
        let events = AppendRow::of(append.of.head, &append.events)?;
        let at = append.events.first().map_or(0, |event| event.at);
        let ratings = (append.rates.is_some() || append.unrates).then_some(RatingEntry {
            id: append.id,
            at,
            rates: append.rates,
            unrates: append.unrates,
        });
        Ok(Self {
            guests: guests_named_by(&append.events, append.key.as_ref()).collect(),
            key: append.key,
            spends: append.spends,
            create: append.create.map(|new| NewEntry::of(*new).map(Box::new)).transpose()?,
            ratings,
            tournament: append.tournament.map(|note| (note, at)),
            append: Box::new(PlainAppend {
                id: append.id,
                of: append.of,
                era: append.era,
                shown: Shown::of(append.card, append.deadline),
                events,
            }),
        })
    }

    /// Whether it depends on the match alone.
    pub(crate) fn is_plain(&self) -> bool {
        self.guests.is_empty()
            && self.key.is_none()
            && self.spends.is_none()
            && self.create.is_none()
            && self.ratings.is_none()
            && self.tournament.is_none()
    }

    /// Writes it with all that it does beside, in a transaction that must be undone if it is refused.
    pub(crate) async fn append(&self, tx: &mut Tx) -> Done<Result<(), Refused>> {
        let mut checks = self.checks();
        let mut refused = Vec::new();
        if let Some(new) = &self.create {
            checks.extend(new.checks());
        }
        refused.extend(first_refused(tx, checks).await?);
        if let Some(new) = &self.create {
            refused.extend(new.answer(tx).await?);
        }
        if let Some(first) = refused.into_iter().min_by_key(Refused::rank) {
            return undone(first);
        }
        match tx {
            Tx::Sqlite(_) => sqlite::journal::write(tx, &self.append).await?,
            Tx::Postgres(_) => postgres::journal::write(tx, &self.append).await?,
        }
        if let Some(new) = &self.create {
            new.write(tx).await?;
        }
        if let Some(ratings) = &self.ratings
            && let Err(refused) = ratings.write(tx).await?
        {
            return undone(refused);
        }
        if let Some((note, at)) = &self.tournament {
            add_note(tx, note, *at).await?;
        }
        Ok(Ok(()))
    }

    fn checks(&self) -> Vec<Check<'_>> {
        let PlainAppend { id, of, events, shown, .. } = &*self.append;
        let mut checks = self.append.checks();
        checks.extend(self.key.as_ref().map(|key| use_key(key, id.0, of.head + 1)));
        // Who adopts the player in seat 1 cannot play against them: nobody plays against themselves.
        checks.extend(may_play(&self.guests, shown.seat1));
        checks.extend(self.spends.map(|hash| {
            let spend = "DELETE FROM invitations WHERE match = $1 AND hash = $2 AND expires_at > $3";
            Check::one_changes(spend, args![*id, hash, events.at], Refused::InvitationGone)
        }));
        checks
    }
}

/// Uses up an idempotency key for the event `first` of a match or tournament.
pub(super) fn use_key<'c>(key: &KeyUse, id: Uuid, first: u32) -> Check<'c> {
    let insert = "INSERT INTO used_keys (guest, key, digest, match, first, at) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING";
    Check::one_changes(insert, args![key.guest, &key.key, key.digest, id, first, key.at], Refused::KeyUsed)
}

/// Asks whether some guests may play; no question if there are none.
fn may_play(guests: &[PlayerId], departed: Option<PlayerId>) -> Option<Check<'_>> {
    let check = Check::of(who_may_play(guests, departed), |found| {
        let found: Vec<PlayerId> = found.all()?;
        Ok(guests.iter().copied().find(|guest| !found.contains(guest)).map(Refused::GuestGone))
    });
    (!guests.is_empty()).then_some(check)
}

const fn undone(refused: Refused) -> Done<Result<(), Refused>> {
    Err(Undo::With(Err(refused)))
}

/// A new match, with all that its creation does beside.
pub(crate) struct NewEntry {
    pub(crate) row: NewRow,
    /// Players who must be guests and not blocked.
    guests: Vec<PlayerId>,
    secret: Secret,
    invitation: Option<Invitation>,
    key: Option<KeyUse>,
    answers: Option<Answering>,
}

/// What a match answers.
enum Answering {
    Seeks(Answered),
    Challenge(Accepted),
    /// A pairing of a tournament: what is added there, and when.
    Pairing(TournamentNote, Millis),
}

impl NewEntry {
    /// Converts a new match.
    ///
    /// # Errors
    /// If its events are not one append.
    pub(crate) fn of(new: NewMatch) -> Result<Self, StoreError> {
        let events = AppendRow::of(0, &new.events)?;
        let at = new.events.first().map_or(0, |event| event.at);
        let clock = &new.card.terms.clock;
        let answers = new.answers.map(|answers| match answers {
            Answers::Seeks(seeks) => Answering::Seeks(Answered::by(seeks, new.id, clock, at)),
            Answers::Challenge => Answering::Challenge(Accepted::by(new.id, clock.is_correspondence(), at)),
            Answers::Tournament(note) => Answering::Pairing(note, at),
        });
        Ok(Self {
            answers,
            guests: guests_named_by(&new.events, new.key.as_ref()).collect(),
            secret: new.secret,
            invitation: new.invitation,
            key: new.key,
            row: NewRow {
                id: new.id,
                events,
                shown: Shown::of(new.card, new.deadline),
                made_by: new.made_by,
            },
        })
    }

    /// Stores it, in a transaction that must be undone if it is refused.
    pub(crate) async fn create(&self, tx: &mut Tx) -> Done<Result<(), Refused>> {
        let checked = first_refused(tx, self.checks()).await?;
        let answered = self.answer(tx).await?;
        if let Some(refused) = checked.into_iter().chain(answered).min_by_key(Refused::rank) {
            return undone(refused);
        }
        self.write(tx).await?;
        Ok(Ok(()))
    }

    fn checks(&self) -> Vec<Check<'_>> {
        let mut checks = Vec::from_iter(self.key.as_ref().map(|key| use_key(key, self.row.id.0, 1)));
        checks.extend(may_play(&self.guests, None));
        if self.answers.is_none() {
            checks.push(self.take_id());
        }
        checks
    }

    /// Waits for another creation with that id, and for what shuts one out (`settle`).
    fn take_id(&self) -> Check<'_> {
        let take = "INSERT INTO secrets (match, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        Check::one_changes(take, args![self.row.id, &self.secret.reveal()[..]], Refused::Conflict)
    }

    /// Notes what it answers, and then takes the id: the match of a challenge has the id of the challenge.
    async fn answer(&self, tx: &mut Tx) -> Result<Option<Refused>, Error> {
        let gone = match &self.answers {
            None => return Ok(None),
            Some(Answering::Seeks(seeks)) => (!seeks.note(tx).await?).then_some(Refused::SeekGone),
            Some(Answering::Challenge(challenge)) => {
                (!challenge.note(tx).await?).then_some(Refused::ChallengeGone)
            }
            Some(Answering::Pairing(_, at)) => {
                let card = &self.row.shown.card;
                if let [Some(one), Some(other)] = Seat::BOTH.map(|seat| card.player(seat))
                    && !card.terms.clock.is_correspondence()
                {
                    end_live_waiting(tx, [one, other], *at).await?;
                }
                None
            }
        };
        match gone {
            Some(gone) => Ok(Some(gone)),
            None => first_refused(tx, vec![self.take_id()]).await,
        }
    }

    async fn write(&self, tx: &mut Tx) -> Result<(), Error> {
        match tx {
            Tx::Sqlite(_) => sqlite::journal::create(tx, &self.row).await?,
            Tx::Postgres(_) => postgres::journal::create(tx, &self.row).await?,
        }
        if let Some(new) = &self.invitation {
            let insert = "INSERT INTO invitations (match, hash, expires_at) VALUES ($1, $2, $3)";
            tx.queue(insert, args![self.row.id, new.hash, new.expires_at]).await?;
        }
        if let Some(Answering::Pairing(note, at)) = &self.answers {
            add_note(tx, note, *at).await?;
        }
        Ok(())
    }
}
