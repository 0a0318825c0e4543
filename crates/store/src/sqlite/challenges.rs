//! Challenges, and which of them players take.

use lusoria_play::{Bytes32, ChallengeSettings, ChallengesFrom, MatchId, Millis, Player, PlayerId};
use rusqlite::Connection;
use uuid::Uuid;

use super::{
    readers::Readers,
    sql::{execute, exists, first, one, rows},
    text::{
        bytes, challenge_end, challenge_end_columns, challenge_settings, column, corrupt, games_column, hex,
        millis, pace_column, player_id, player_kind, taken_column, terms, terms_column,
    },
    writer::Writer,
};
use crate::{
    CHALLENGES_BY_GUEST_MAX, CHALLENGES_TO_GUEST_MAX, Challenge, ChallengeAdding, ChallengeEnd,
    ChallengeEnding, ENDED_CHALLENGE_KEPT_MS, NamedChallenge, StoreError,
};

/// A row of `challenges`.
type ChallengeRow = (String, String, String, String, Option<String>, i64, i64, String, Option<String>);

/// The same with the name, the kind and the handle of both.
type NamedRow = (
    String,
    String,
    String,
    String,
    Option<String>,
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
        "challenges.id, challenger_id, challenged_id, terms, seed_hash, challenges.created_at, expires_at, \
         state, reason"
    };
}

macro_rules! named_where {
    ($condition:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            ", one.name, one.kind, other.name, other.kind, one_account.handle, other_account.handle FROM challenges \
             JOIN guests AS one ON one.id = challenger_id JOIN guests AS other ON other.id = challenged_id \
             LEFT JOIN accounts AS one_account ON one_account.guest_id = challenger_id \
             LEFT JOIN accounts AS other_account ON other_account.guest_id = challenged_id WHERE ",
            $condition
        )
    };
}

const ONE: &str = concat!("SELECT ", columns!(), " FROM challenges WHERE id = ?1 AND expires_at > ?2");

/// Whether one of two has blocked the other, as a condition on `?1` and `?2`.
macro_rules! are_blocked {
    () => {
        "SELECT 1 FROM blocks WHERE guest_id = ?1 AND blocked_id = ?2 OR guest_id = ?2 AND blocked_id = ?1"
    };
}

fn uuid(column: &str) -> Result<Uuid, StoreError> {
    Uuid::try_parse(column).map_err(corrupt)
}

fn challenge(row: ChallengeRow) -> Result<Challenge, StoreError> {
    let (id, by, to, of, seed_hash, created_at, expires_at, state, reason) = row;
    Ok(Challenge {
        id: uuid(&id).map(MatchId)?,
        challenger: player_id(&by)?,
        challenged: player_id(&to)?,
        terms: terms(&of)?,
        seed_hash: seed_hash.map(bytes).transpose()?.map(Bytes32),
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
    Waits(String, i64),
    Refused(ChallengeAdding),
}

/// Adds a challenge that waits.
pub(super) async fn add(writer: &Writer, new: Challenge) -> Result<ChallengeAdding, StoreError> {
    let id = new.id.0.to_string();
    let (from, to) = (new.challenger.0.to_string(), new.challenged.0.to_string());
    let (terms, pace) = (terms_column(&new.terms), pace_column(new.terms.clock.is_by_days()));
    let (game, seed_hash) = (new.terms.variant.game(), new.seed_hash.map(|hash| hex(hash.0)));
    let (now, expires_at) = (column(new.created_at), column(new.expires_at));
    let add = writer.write(move |connection| {
        let refused = |why| Ok(Ok(Added::Refused(why)));
        let is_there = "SELECT 1 FROM guests WHERE id = ?1 AND blocked_at IS NULL";
        if !exists(connection, is_there, [&from])? {
            return refused(ChallengeAdding::GuestGone);
        }
        let is_somebody = "SELECT 1 FROM guests WHERE id = ?1 AND blocked_at IS NULL AND kind <> 'computer'";
        if !exists(connection, is_somebody, [&to])? {
            return refused(ChallengeAdding::NoSuchGuest);
        }
        if exists(connection, are_blocked!(), (&from, &to))? {
            return refused(ChallengeAdding::NotWelcome);
        }
        let settings = match settings_in(connection, &to)? {
            Ok(settings) => settings,
            Err(error) => return Ok(Err(error)),
        };
        let follows = "SELECT 1 FROM follows WHERE guest_id = ?1 AND followed_id = ?2";
        let takes = match settings.from {
            ChallengesFrom::Everyone => true,
            ChallengesFrom::Followed => exists(connection, follows, (&to, &from))?,
            ChallengesFrom::Nobody => false,
        };
        if !takes {
            return refused(ChallengeAdding::NotTaken);
        }
        if !settings.plays(game) {
            return refused(ChallengeAdding::OtherGames);
        }
        let same = "SELECT id, created_at FROM challenges WHERE challenger_id = ?1 AND challenged_id = ?2 \
             AND state = 'waiting' AND expires_at > ?3 AND terms = ?4 AND seed_hash IS ?5";
        let by = (&from, &to, now, &terms, &seed_hash);
        if let Some((same, since)) = first(connection, same, by)? {
            execute(connection, "UPDATE challenges SET expires_at = ?2 WHERE id = ?1", (&same, expires_at))?;
            return Ok(Ok(Added::Waits(same, since)));
        }
        let made = "SELECT COUNT(*) FROM challenges \
             WHERE challenger_id = ?1 AND state = 'waiting' AND expires_at > ?2";
        let (made,): (u32,) = one(connection, made, (&from, now))?;
        if made >= CHALLENGES_BY_GUEST_MAX {
            return refused(ChallengeAdding::TooMany);
        }
        let got = "SELECT COUNT(*) FROM challenges \
             WHERE challenged_id = ?1 AND state = 'waiting' AND expires_at > ?2";
        let (got,): (u32,) = one(connection, got, (&to, now))?;
        if got >= CHALLENGES_TO_GUEST_MAX {
            return refused(ChallengeAdding::TooManyForThem);
        }
        let insert = "INSERT INTO challenges \
             (id, challenger_id, challenged_id, terms, pace, seed_hash, created_at, expires_at, state) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'waiting')";
        let row = (&id, &from, &to, &terms, pace, &seed_hash, now, expires_at);
        execute(connection, insert, row)?;
        Ok(Ok(Added::Waits(id.clone(), now)))
    });
    Ok(match add.await?? {
        Added::Waits(id, since) => ChallengeAdding::Waits(Challenge {
            id: uuid(&id).map(MatchId)?,
            created_at: millis(since)?,
            ..new
        }),
        Added::Refused(why) => why,
    })
}

/// The challenges that a guest made or got, the newest first.
pub(super) async fn of(
    readers: &Readers,
    guest: PlayerId,
    now: Millis,
) -> Result<Vec<NamedChallenge>, StoreError> {
    let select = named_where!(
        "(challenger_id = ?1 OR challenged_id = ?1) AND expires_at > ?2 \
         ORDER BY challenges.created_at DESC, challenges.id DESC"
    );
    let by = (guest.0.to_string(), column(now));
    let found: Vec<NamedRow> = readers.read(move |connection| rows(connection, select, by)).await?;
    found.into_iter().map(named).collect()
}

/// One challenge, unless it has expired.
pub(super) async fn get(
    readers: &Readers,
    id: MatchId,
    now: Millis,
) -> Result<Option<NamedChallenge>, StoreError> {
    let by = (id.0.to_string(), column(now));
    let select = named_where!("challenges.id = ?1 AND expires_at > ?2");
    let found: Option<NamedRow> = readers.read(move |connection| first(connection, select, by)).await?;
    found.map(named).transpose()
}

/// The challenges that ended at or after `since`.
pub(super) async fn ended(readers: &Readers, since: Millis) -> Result<Vec<NamedChallenge>, StoreError> {
    let select = named_where!("state <> 'waiting' AND expires_at >= ?1");
    let by = [column(since + ENDED_CHALLENGE_KEPT_MS)];
    let found: Vec<NamedRow> = readers.read(move |connection| rows(connection, select, by)).await?;
    found.into_iter().map(named).collect()
}

/// Lists those who made challenges that wait and are not by days.
pub(super) async fn live_challengers(readers: &Readers, now: Millis) -> Result<Vec<PlayerId>, StoreError> {
    let select = "SELECT DISTINCT challenger_id FROM challenges \
         WHERE expires_at > ?1 AND state = 'waiting' AND pace = 'live'";
    let by = [column(now)];
    let found: Vec<(String,)> = readers.read(move |connection| rows(connection, select, by)).await?;
    found.iter().map(|(id,)| player_id(id)).collect()
}

/// Has the waiting challenges of some challengers that are not by days expire later.
pub(super) async fn prolong(
    writer: &Writer,
    challengers: Vec<PlayerId>,
    now: Millis,
    until: Millis,
) -> Result<(), StoreError> {
    let challengers: Vec<_> = challengers.iter().map(|guest| guest.0.to_string()).collect();
    let prolong = writer.write(move |connection| {
        let update = "UPDATE challenges SET expires_at = ?3 WHERE challenger_id = ?1 AND state = 'waiting' \
             AND pace = 'live' AND expires_at > ?2 AND expires_at < ?3";
        for challenger in &challengers {
            execute(connection, update, (challenger, column(now), column(until)))?;
        }
        Ok(())
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
    let (id, by) = (id.0.to_string(), by.0.to_string());
    let ending = writer.write(move |connection| {
        let found: Option<ChallengeRow> = first(connection, ONE, (&id, column(now)))?;
        let Some(mut found) = found else { return Ok(None) };
        let ends_it = if end == ChallengeEnd::Withdrawn { &found.1 } else { &found.2 };
        if *ends_it != by {
            return Ok(None);
        }
        let waits = found.7 == "waiting";
        if waits {
            let (state, reason) = challenge_end_columns(end);
            let kept_until = column(now + ENDED_CHALLENGE_KEPT_MS);
            let update = "UPDATE challenges SET state = ?2, reason = ?3, expires_at = ?4 WHERE id = ?1";
            execute(connection, update, (&id, state, reason, kept_until))?;
            (found.6, found.7, found.8) = (kept_until, state.to_owned(), reason.map(str::to_owned));
        }
        Ok(Some((waits, found)))
    });
    Ok(match ending.await? {
        None => ChallengeEnding::NoSuchChallenge,
        Some((true, row)) => ChallengeEnding::Ended(challenge(row)?),
        Some((false, row)) => ChallengeEnding::EndedBefore(challenge(row)?),
    })
}

/// A challenge of which a match comes, as columns.
pub(super) struct Accepted {
    id: String,
    is_by_days: bool,
    at: i64,
    kept_until: i64,
}

impl Accepted {
    pub(super) fn by(id: MatchId, is_by_days: bool, at: Millis) -> Self {
        let kept_until = column(at + ENDED_CHALLENGE_KEPT_MS);
        Self { id: id.0.to_string(), is_by_days, at: column(at), kept_until }
    }

    /// Whether it waits, and neither of the two has blocked the other.
    pub(super) fn may_be(&self, connection: &Connection) -> rusqlite::Result<bool> {
        let waits = "SELECT 1 FROM challenges WHERE id = ?1 AND state = 'waiting' AND expires_at > ?2 \
             AND NOT EXISTS (SELECT 1 FROM blocks \
                 WHERE guest_id = challenger_id AND blocked_id = challenged_id \
                 OR guest_id = challenged_id AND blocked_id = challenger_id)";
        exists(connection, waits, (&self.id, self.at))
    }

    /// Notes that the match came of it. Unless it is by days, what else both wait for in one go ends.
    pub(super) fn note(&self, connection: &Connection) -> rusqlite::Result<()> {
        let accept = "UPDATE challenges SET state = 'accepted', expires_at = ?2 WHERE id = ?1";
        execute(connection, accept, (&self.id, self.kept_until))?;
        if self.is_by_days {
            return Ok(());
        }
        let players = "SELECT challenger_id, challenged_id FROM challenges WHERE id = ?1";
        let (one, other): (String, String) = one(connection, players, [&self.id])?;
        end_live_waiting(connection, [&one, &other], self.at)
    }
}

/// Ends the live seeks and withdraws the live challenges that two guests have made and that wait: they play now.
pub(super) fn end_live_waiting(connection: &Connection, guests: [&str; 2], at: i64) -> rusqlite::Result<()> {
    let [one, other] = guests;
    let seeks = "DELETE FROM seeks WHERE guest_id IN (?1, ?2) AND match_id IS NULL AND pace = 'live'";
    execute(connection, seeks, (one, other))?;
    let challenges = "UPDATE challenges SET state = 'withdrawn', expires_at = ?4 \
         WHERE challenger_id IN (?1, ?2) AND state = 'waiting' AND pace = 'live' AND expires_at > ?3";
    let kept_until = at + column(ENDED_CHALLENGE_KEPT_MS);
    execute(connection, challenges, (one, other, at, kept_until)).map(drop)
}

fn settings_in(
    connection: &Connection,
    guest: &str,
) -> rusqlite::Result<Result<ChallengeSettings, StoreError>> {
    let select = "SELECT taken, games FROM challenge_settings WHERE guest_id = ?1";
    let found: Option<(String, String)> = first(connection, select, [guest])?;
    Ok(found.map_or_else(
        || Ok(ChallengeSettings::default()),
        |(taken, games)| challenge_settings(&taken, &games),
    ))
}

/// Which challenges a guest takes.
pub(super) async fn settings(readers: &Readers, guest: PlayerId) -> Result<ChallengeSettings, StoreError> {
    let guest = guest.0.to_string();
    readers.read(move |connection| settings_in(connection, &guest)).await?
}

/// Sets which challenges a guest takes; false if there is no such guest.
pub(super) async fn set_settings(
    writer: &Writer,
    guest: PlayerId,
    settings: ChallengeSettings,
) -> Result<bool, StoreError> {
    let (guest, taken, games) =
        (guest.0.to_string(), taken_column(settings.from), games_column(&settings.games));
    let set = writer.write(move |connection| {
        let set = "INSERT INTO challenge_settings (guest_id, taken, games) \
             SELECT id, ?2, ?3 FROM guests WHERE id = ?1 \
             ON CONFLICT (guest_id) DO UPDATE SET taken = excluded.taken, games = excluded.games";
        execute(connection, set, (&guest, taken, &games))
    });
    Ok(set.await? == 1)
}
