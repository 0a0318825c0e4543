//! Challenges, and which of them players take.
//!
//! What adds a challenge locks both guests; what ends or accepts one locks it.

use std::sync::Arc;

use lusoria_play::{Bytes32, ChallengeSettings, ChallengesFrom, MatchId, Millis, Player, PlayerId};
use sqlx_core::{error::Error, query::query, query_as::query_as, query_scalar::query_scalar};
use sqlx_postgres::{PgConnection, Postgres};
use uuid::Uuid;

use super::{readers::Readers, writer::Writer};
use crate::{
    CHALLENGES_BY_GUEST_MAX, CHALLENGES_TO_GUEST_MAX, Challenge, ChallengeAdding, ChallengeEnd,
    ChallengeEnding, ENDED_CHALLENGE_KEPT_MS, NamedChallenge, StoreError,
    text::{
        challenge_end, challenge_end_columns, challenge_settings, column, corrupt, games_column, millis,
        pace_column, player_kind, taken_column, terms, terms_column,
    },
};

/// A row of `challenges`.
type ChallengeRow = (Uuid, Uuid, Uuid, String, Option<Vec<u8>>, i64, i64, String, Option<String>);

/// The same with the name, the kind and the handle of both.
type NamedRow = (
    Uuid,
    Uuid,
    Uuid,
    String,
    Option<Vec<u8>>,
    i64,
    i64,
    String,
    Option<String>,
    String,
    String,
    String,
    String,
    Option<String>,
    Option<String>,
);

macro_rules! columns {
    () => {
        "challenges.id, challenger, challenged, terms, seed_hash, challenges.created_at, expires_at, state, reason"
    };
}

macro_rules! named_where {
    ($condition:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            ", one.name, one.kind, other.name, other.kind, one_account.handle, other_account.handle FROM challenges \
             JOIN guests AS one ON one.id = challenger JOIN guests AS other ON other.id = challenged \
             LEFT JOIN accounts AS one_account ON one_account.guest = challenger \
             LEFT JOIN accounts AS other_account ON other_account.guest = challenged WHERE ",
            $condition
        )
    };
}

const OF: &str = named_where!(
    "(challenger = $1 OR challenged = $1) AND expires_at > $2 \
     ORDER BY challenges.created_at DESC, challenges.id DESC"
);
const NAMED: &str = named_where!("challenges.id = $1 AND expires_at > $2");
const ENDED: &str = named_where!("state <> 'waiting' AND expires_at >= $1");
const LOCK: &str =
    concat!("SELECT ", columns!(), " FROM challenges WHERE id = $1 AND expires_at > $2 FOR UPDATE");

fn challenge(row: ChallengeRow) -> Result<Challenge, StoreError> {
    let (id, by, to, of, seed_hash, created_at, expires_at, state, reason) = row;
    let hash = |bytes: Vec<u8>| bytes.try_into().map(Bytes32).map_err(|_| corrupt("a hash has 32 bytes"));
    Ok(Challenge {
        id: MatchId(id),
        challenger: PlayerId(by),
        challenged: PlayerId(to),
        terms: terms(&of)?,
        seed_hash: seed_hash.map(hash).transpose()?,
        created_at: millis(created_at)?,
        expires_at: millis(expires_at)?,
        end: challenge_end(&state, reason.as_deref())?,
    })
}

fn named(row: NamedRow) -> Result<NamedChallenge, StoreError> {
    let (
        id,
        one,
        other,
        terms,
        seed,
        created_at,
        expires_at,
        state,
        reason,
        one_name,
        one_kind,
        name,
        kind,
        one_handle,
        handle,
    ) = row;
    let challenge = challenge((id, one, other, terms, seed, created_at, expires_at, state, reason))?;
    let player =
        |id, name, kind: &str| Ok::<_, StoreError>(Player { id, name, kind: player_kind(id, kind)? });
    Ok(NamedChallenge {
        challenger: player(challenge.challenger, one_name, &one_kind)?,
        challenged: player(challenge.challenged, name, &kind)?,
        handles: [one_handle, handle],
        challenge,
    })
}

/// What became of a challenge, before its columns are read.
enum Added {
    /// This one waits, since then.
    Waits(Uuid, i64),
    Refused(ChallengeAdding),
}

/// Adds a challenge that waits.
pub(super) async fn add(writer: &Writer, new: Challenge) -> Result<ChallengeAdding, StoreError> {
    let (challenger, shared) = (new.challenger, Arc::new(new.clone()));
    // The settings are columns of the database: what cannot be read of them is an error of its own.
    let add = writer.write(challenger.0, move |connection| {
        let new = Arc::clone(&shared);
        Box::pin(async move { Ok(insert(connection, &new).await?) })
    });
    Ok(match add.await?? {
        Added::Waits(id, since) => {
            ChallengeAdding::Waits(Challenge { id: MatchId(id), created_at: millis(since)?, ..new })
        }
        Added::Refused(why) => why,
    })
}

async fn insert(connection: &mut PgConnection, new: &Challenge) -> Result<Result<Added, StoreError>, Error> {
    let refused = |why| Ok(Ok(Added::Refused(why)));
    let (from, to, now) = (new.challenger.0, new.challenged.0, column(new.created_at));
    // In one order, so that two who challenge each other do not wait for each other.
    let lock = "SELECT id, kind <> 'computer' FROM guests WHERE id IN ($1, $2) AND blocked_at IS NULL \
         ORDER BY id FOR NO KEY UPDATE";
    let lock = query_as::<Postgres, (Uuid, bool)>(lock).bind(from).bind(to);
    let there = lock.fetch_all(&mut *connection).await?;
    if !there.iter().any(|(id, _)| *id == from) {
        return refused(ChallengeAdding::GuestGone);
    }
    if !there.contains(&(to, true)) {
        return refused(ChallengeAdding::NoSuchGuest);
    }
    let blocked = "SELECT EXISTS (SELECT FROM blocks \
         WHERE guest = $1 AND blocked = $2 OR guest = $2 AND blocked = $1)";
    let blocked = query_scalar::<Postgres, bool>(blocked).bind(from).bind(to);
    if blocked.fetch_one(&mut *connection).await? {
        return refused(ChallengeAdding::NotWelcome);
    }
    let settings = match settings_in(connection, to).await? {
        Ok(settings) => settings,
        Err(error) => return Ok(Err(error)),
    };
    let takes = match settings.from {
        ChallengesFrom::Everyone => true,
        ChallengesFrom::Nobody => false,
        ChallengesFrom::Followed => {
            let follows = "SELECT EXISTS (SELECT FROM follows WHERE guest = $1 AND followed = $2)";
            let follows = query_scalar::<Postgres, bool>(follows).bind(to).bind(from);
            follows.fetch_one(&mut *connection).await?
        }
    };
    if !takes {
        return refused(ChallengeAdding::NotTaken);
    }
    if !settings.plays(new.terms.variant.game()) {
        return refused(ChallengeAdding::OtherGames);
    }
    let (terms, seed_hash) = (terms_column(&new.terms), new.seed_hash.map(|hash| hash.0.to_vec()));
    let same = "UPDATE challenges SET expires_at = $6 WHERE challenger = $1 AND challenged = $2 \
         AND state = 'waiting' AND expires_at > $3 AND terms = $4 AND seed_hash IS NOT DISTINCT FROM $5 \
         RETURNING id, created_at";
    let same = query_as::<Postgres, (Uuid, i64)>(same).bind(from).bind(to).bind(now);
    let same = same.bind(&terms).bind(&seed_hash).bind(column(new.expires_at));
    if let Some((id, since)) = same.fetch_optional(&mut *connection).await? {
        return Ok(Ok(Added::Waits(id, since)));
    }
    let waiting = "SELECT count(*) FILTER (WHERE challenger = $1), count(*) FILTER (WHERE challenged = $2) \
         FROM challenges WHERE (challenger = $1 OR challenged = $2) AND state = 'waiting' AND expires_at > $3";
    let waiting = query_as::<Postgres, (i64, i64)>(waiting).bind(from).bind(to).bind(now);
    let (made, got) = waiting.fetch_one(&mut *connection).await?;
    if made >= i64::from(CHALLENGES_BY_GUEST_MAX) {
        return refused(ChallengeAdding::TooMany);
    }
    if got >= i64::from(CHALLENGES_TO_GUEST_MAX) {
        return refused(ChallengeAdding::TooManyForThem);
    }
    let insert = "INSERT INTO challenges \
         (id, challenger, challenged, terms, pace, seed_hash, created_at, expires_at, state) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'waiting')";
    query::<Postgres>(insert)
        .bind(new.id.0)
        .bind(from)
        .bind(to)
        .bind(&terms)
        .bind(pace_column(new.terms.clock.is_by_days()))
        .bind(&seed_hash)
        .bind(now)
        .bind(column(new.expires_at))
        .execute(connection)
        .await?;
    Ok(Ok(Added::Waits(new.id.0, now)))
}

/// The challenges that a guest made or got, the newest first.
pub(super) async fn of(
    readers: &Readers,
    guest: PlayerId,
    now: Millis,
) -> Result<Vec<NamedChallenge>, StoreError> {
    let found: Vec<NamedRow> = readers
        .read(|connection| {
            Box::pin(query_as::<Postgres, _>(OF).bind(guest.0).bind(column(now)).fetch_all(connection))
        })
        .await?;
    found.into_iter().map(named).collect()
}

/// One challenge, unless it has expired.
pub(super) async fn get(
    readers: &Readers,
    id: MatchId,
    now: Millis,
) -> Result<Option<NamedChallenge>, StoreError> {
    let found: Option<NamedRow> = readers
        .read(|connection| {
            Box::pin(query_as::<Postgres, _>(NAMED).bind(id.0).bind(column(now)).fetch_optional(connection))
        })
        .await?;
    found.map(named).transpose()
}

/// The challenges that ended at or after `since`.
pub(super) async fn ended(readers: &Readers, since: Millis) -> Result<Vec<NamedChallenge>, StoreError> {
    let kept_until = column(since + ENDED_CHALLENGE_KEPT_MS);
    let found: Vec<NamedRow> = readers
        .read(|connection| Box::pin(query_as::<Postgres, _>(ENDED).bind(kept_until).fetch_all(connection)))
        .await?;
    found.into_iter().map(named).collect()
}

/// Lists those who made challenges that wait and are not by days.
pub(super) async fn live_challengers(readers: &Readers, now: Millis) -> Result<Vec<PlayerId>, StoreError> {
    let select = "SELECT DISTINCT challenger FROM challenges \
         WHERE expires_at > $1 AND state = 'waiting' AND pace = 'live'";
    let now = column(now);
    let found: Vec<(Uuid,)> = readers
        .read(move |connection| Box::pin(query_as::<Postgres, _>(select).bind(now).fetch_all(connection)))
        .await?;
    Ok(found.into_iter().map(|(id,)| PlayerId(id)).collect())
}

/// Has the waiting challenges of some challengers that are not by days expire later.
pub(super) async fn prolong(
    writer: &Writer,
    challengers: Vec<PlayerId>,
    now: Millis,
    until: Millis,
) -> Result<(), StoreError> {
    let challengers: Arc<[Uuid]> = challengers.into_iter().map(|guest| guest.0).collect();
    let prolong = writer.write(Uuid::nil(), move |connection| {
        let challengers = Arc::clone(&challengers);
        Box::pin(async move {
            // In one order, so that two of them do not wait for each other.
            let update = "UPDATE challenges SET expires_at = $3 WHERE id IN (SELECT id FROM challenges \
                 WHERE challenger = ANY ($1) AND state = 'waiting' AND pace = 'live' AND expires_at > $2 \
                 AND expires_at < $3 ORDER BY id FOR UPDATE)";
            let update = query::<Postgres>(update).bind(&challengers[..]).bind(column(now));
            update.bind(column(until)).execute(connection).await?;
            Ok(())
        })
    });
    Ok(prolong.await?)
}

/// Declines or withdraws a challenge.
pub(super) async fn end(
    writer: &Writer,
    id: MatchId,
    by: PlayerId,
    end: ChallengeEnd,
    now: Millis,
) -> Result<ChallengeEnding, StoreError> {
    let ending = writer.write(by.0, move |connection| {
        Box::pin(async move {
            let lock = query_as::<Postgres, ChallengeRow>(LOCK).bind(id.0).bind(column(now));
            let Some(mut found) = lock.fetch_optional(&mut *connection).await? else { return Ok(None) };
            let ends_it = if end == ChallengeEnd::Withdrawn { found.1 } else { found.2 };
            if ends_it != by.0 {
                return Ok(None);
            }
            let waits = found.7 == "waiting";
            if waits {
                let (state, reason) = challenge_end_columns(end);
                let kept_until = column(now + ENDED_CHALLENGE_KEPT_MS);
                let update = "UPDATE challenges SET state = $2, reason = $3, expires_at = $4 WHERE id = $1";
                let update = query::<Postgres>(update).bind(id.0).bind(state).bind(reason).bind(kept_until);
                update.execute(connection).await?;
                (found.6, found.7, found.8) = (kept_until, state.to_owned(), reason.map(str::to_owned));
            }
            Ok(Some((waits, found)))
        })
    });
    Ok(match ending.await? {
        None => ChallengeEnding::NoSuchChallenge,
        Some((true, row)) => ChallengeEnding::Ended(challenge(row)?),
        Some((false, row)) => ChallengeEnding::EndedBefore(challenge(row)?),
    })
}

/// A challenge of which a match comes, as columns.
pub(super) struct Accepted {
    id: Uuid,
    is_by_days: bool,
    at: i64,
    kept_until: i64,
}

impl Accepted {
    pub(super) fn by(id: MatchId, is_by_days: bool, at: Millis) -> Self {
        Self { id: id.0, is_by_days, at: column(at), kept_until: column(at + ENDED_CHALLENGE_KEPT_MS) }
    }

    /// Notes that the match came of it. False unless it waits and neither of the two has blocked the other. Unless it
    /// is by days, what else both wait for in one go ends. The guests are locked.
    pub(super) async fn note(&self, connection: &mut PgConnection) -> Result<bool, Error> {
        let accept = "UPDATE challenges SET state = 'accepted', expires_at = $3 \
             WHERE id = $1 AND state = 'waiting' AND expires_at > $2 AND NOT EXISTS (SELECT FROM blocks \
                 WHERE guest = challenger AND blocked = challenged \
                 OR guest = challenged AND blocked = challenger) \
             RETURNING challenger, challenged";
        let accept = query_as::<Postgres, (Uuid, Uuid)>(accept).bind(self.id).bind(self.at);
        let accepted = accept.bind(self.kept_until).fetch_optional(&mut *connection).await?;
        let Some((one, other)) = accepted else { return Ok(false) };
        if !self.is_by_days {
            end_live_waiting(connection, &[one, other], self.at).await?;
        }
        Ok(true)
    }
}

/// Ends the live seeks and withdraws the live challenges that some guests have made and that wait: they play now.
pub(super) async fn end_live_waiting(
    connection: &mut PgConnection,
    guests: &[Uuid],
    at: i64,
) -> Result<(), Error> {
    let seeks = "DELETE FROM seeks WHERE id IN (SELECT id FROM seeks \
         WHERE guest = ANY ($1) AND match IS NULL AND pace = 'live' ORDER BY id FOR UPDATE)";
    query::<Postgres>(seeks).bind(guests).execute(&mut *connection).await?;
    let challenges = "UPDATE challenges SET state = 'withdrawn', expires_at = $3 WHERE id IN \
         (SELECT id FROM challenges WHERE challenger = ANY ($1) AND state = 'waiting' AND pace = 'live' \
          AND expires_at > $2 ORDER BY id FOR UPDATE)";
    let kept_until = at + column(ENDED_CHALLENGE_KEPT_MS);
    query::<Postgres>(challenges).bind(guests).bind(at).bind(kept_until).execute(connection).await.map(drop)
}

async fn settings_in(
    connection: &mut PgConnection,
    guest: Uuid,
) -> Result<Result<ChallengeSettings, StoreError>, Error> {
    let select = "SELECT taken, games FROM challenge_settings WHERE guest = $1";
    let found = query_as::<Postgres, (String, String)>(select).bind(guest).fetch_optional(connection).await?;
    Ok(found.map_or_else(
        || Ok(ChallengeSettings::default()),
        |(taken, games)| challenge_settings(&taken, &games),
    ))
}

/// Which challenges a guest takes.
pub(super) async fn settings(readers: &Readers, guest: PlayerId) -> Result<ChallengeSettings, StoreError> {
    readers.read(|connection| Box::pin(settings_in(connection, guest.0))).await?
}

/// Sets which challenges a guest takes; false if there is no such guest.
pub(super) async fn set_settings(
    writer: &Writer,
    guest: PlayerId,
    settings: ChallengeSettings,
) -> Result<bool, StoreError> {
    let (taken, games): (_, Arc<str>) = (taken_column(settings.from), games_column(&settings.games).into());
    let set = writer.write(guest.0, move |connection| {
        let games = Arc::clone(&games);
        Box::pin(async move {
            let set = "INSERT INTO challenge_settings (guest, taken, games) \
                 SELECT id, $2, $3 FROM guests WHERE id = $1 \
                 ON CONFLICT (guest) DO UPDATE SET taken = excluded.taken, games = excluded.games";
            let set = query::<Postgres>(set).bind(guest.0).bind(taken).bind(&*games);
            Ok(set.execute(connection).await?.rows_affected() == 1)
        })
    });
    Ok(set.await?)
}
