//! Challenges, and which of them players take.
//!
//! A transaction that adds a challenge locks both guests; one that ends or accepts it locks the challenge.

use lusoria_play::{Bytes32, ChallengeSettings, ChallengesFrom, DeclineReason, MatchId, Millis, PlayerId};
use lusoria_rules::Game;
use sqlx::Error;

use super::{
    Store, guests,
    opponents::{are_blocked, end_live_waiting},
};
use crate::{
    CHALLENGES_BY_GUEST_MAX, CHALLENGES_TO_GUEST_MAX, Challenge, ChallengeAdding, ChallengeEnd,
    ChallengeEnding, ENDED_CHALLENGE_KEPT_MS, NamedChallenge, StoreFuture,
    sql::{
        Tx, args,
        value::{AnyRow, Argument, Column, Row, Value, undecodable},
    },
};

macro_rules! named_where {
    ($condition:literal) => {
        concat!(
            "SELECT challenges.id, challenger, challenged, terms, seed_hash, challenges.created_at, expires_at, \
             state, reason, one.id, one.name, one.kind, other.id, other.name, other.kind, \
             one_account.handle, other_account.handle FROM challenges \
             JOIN guests AS one ON one.id = challenger JOIN guests AS other ON other.id = challenged \
             LEFT JOIN accounts AS one_account ON one_account.guest = challenger \
             LEFT JOIN accounts AS other_account ON other_account.guest = challenged WHERE ",
            $condition
        )
    };
}

const SETTINGS: &str = "SELECT taken, games FROM challenge_settings WHERE guest = $1";

const fn word(reason: DeclineReason) -> &'static str {
    match reason {
        DeclineReason::Later => "later",
        DeclineReason::TooFast => "too_fast",
        DeclineReason::TooSlow => "too_slow",
        DeclineReason::OtherGame => "other_game",
        DeclineReason::OtherLength => "other_length",
        DeclineReason::NoBots => "no_bots",
    }
}

impl Argument for DeclineReason {
    fn value(this: Option<Self>) -> Value {
        Value::Text(this.map(|reason| word(reason).to_owned()))
    }
}

impl Column for DeclineReason {
    fn read(row: &AnyRow<'_>, index: usize) -> Result<Self, Error> {
        let all =
            [Self::Later, Self::TooFast, Self::TooSlow, Self::OtherGame, Self::OtherLength, Self::NoBots];
        let found = row.get::<String>(index)?;
        let reason = all.into_iter().find(|reason| word(*reason) == found);
        reason.ok_or_else(|| undecodable(format!("no challenge is declined because of {found:?}")))
    }
}

/// `id`, `challenger`, `challenged`, `terms`, `seed_hash`, `created_at`, `expires_at`, `state`, `reason`.
impl Row for Challenge {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self {
            id: row.get(0)?,
            challenger: row.get(1)?,
            challenged: row.get(2)?,
            terms: row.get(3)?,
            seed_hash: row.get::<Option<[u8; 32]>>(4)?.map(Bytes32),
            created_at: row.get(5)?,
            expires_at: row.get(6)?,
            end: match &*row.get::<String>(7)? {
                "waiting" => None,
                "accepted" => Some(ChallengeEnd::Accepted),
                "withdrawn" => Some(ChallengeEnd::Withdrawn),
                "declined" => Some(ChallengeEnd::Declined(row.get(8)?)),
                other => return Err(undecodable(format!("no challenge is {other:?}"))),
            },
        })
    }
}

/// A challenge, then `id`, `name` and `kind` of both guests, then both handles.
impl Row for NamedChallenge {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        Ok(Self {
            challenge: Challenge::read(row)?,
            challenger: guests::player(row, 9)?,
            challenged: guests::player(row, 12)?,
            handles: [row.get(15)?, row.get(16)?],
        })
    }
}

/// `taken`, and `games`: their names with spaces between them.
impl Row for ChallengeSettings {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        let games: String = row.get(1)?;
        let game = |name: &str| {
            let game = Game::ALL.into_iter().find(|game| game.id() == name);
            game.ok_or_else(|| undecodable(format!("there is no game {name:?}")))
        };
        let games = games.split_whitespace().map(game).collect::<Result<_, _>>()?;
        Ok(Self { from: row.get(0)?, games })
    }
}

impl Store {
    /// Adds a challenge that waits.
    pub fn add_challenge(&self, challenge: Challenge) -> StoreFuture<'_, ChallengeAdding> {
        self.write(challenge.challenger.0, challenge, |tx, new| {
            Box::pin(async move { Ok(add(tx, new).await?) })
        })
    }

    /// Lists the challenges that a guest made or got, the newest first: those that wait, and those that have ended.
    pub fn challenges_of(&self, guest: PlayerId, now: Millis) -> StoreFuture<'_, Vec<NamedChallenge>> {
        let select = named_where!(
            "(challenger = $1 OR challenged = $1) AND expires_at > $2 \
             ORDER BY challenges.created_at DESC, challenges.id DESC"
        );
        self.all(select, args![guest, now])
    }

    /// Reads a challenge that waits or has ended.
    pub fn challenge(&self, id: MatchId, now: Millis) -> StoreFuture<'_, Option<NamedChallenge>> {
        self.first(named_where!("challenges.id = $1 AND expires_at > $2"), args![id, now])
    }

    /// Lists the challenges that ended at or after `since`, in any order.
    pub fn ended_challenges(&self, since: Millis) -> StoreFuture<'_, Vec<NamedChallenge>> {
        let select = named_where!("state <> 'waiting' AND expires_at >= $1");
        self.all(select, args![since + ENDED_CHALLENGE_KEPT_MS])
    }

    /// Lists the challengers of waiting live challenges, each once, in any order.
    pub fn live_challengers(&self, now: Millis) -> StoreFuture<'_, Vec<PlayerId>> {
        let select = "SELECT DISTINCT challenger FROM challenges \
             WHERE expires_at > $1 AND state = 'waiting' AND pace = 'live'";
        self.all(select, args![now])
    }

    /// Extends the live challenges of some challengers that wait to `until`; never shortens them.
    pub fn prolong_challenges(
        &self,
        challengers: Vec<PlayerId>,
        now: Millis,
        until: Millis,
    ) -> StoreFuture<'_, ()> {
        let lock = "SELECT id FROM challenges \
             WHERE challenger IN (SELECT unhex(value) FROM json_each($1)) \
             AND state = 'waiting' AND pace = 'live' AND expires_at > $2 AND expires_at < $3 ORDER BY id";
        let update =
            "UPDATE challenges SET expires_at = $2 WHERE id IN (SELECT unhex(value) FROM json_each($1))";
        Box::pin(self.prolong(lock, update, challengers, now, until))
    }

    /// Declines a challenge to a guest, or withdraws one of theirs.
    pub fn end_challenge(
        &self,
        id: MatchId,
        by: PlayerId,
        end: ChallengeEnd,
        now: Millis,
    ) -> StoreFuture<'_, ChallengeEnding> {
        self.write(by.0, (id, by, end, now), |tx, &(id, by, end, now)| {
            Box::pin(async move {
                let lock = "SELECT id, challenger, challenged, terms, seed_hash, created_at, expires_at, \
                     state, reason FROM challenges WHERE id = $1 AND expires_at > $2";
                let Some(found) = tx.lock_first::<Challenge>(lock, args![id, now]).await? else {
                    return Ok(ChallengeEnding::NoSuchChallenge);
                };
                let (state, reason, ends_it) = match end {
                    ChallengeEnd::Accepted => ("accepted", None, found.challenged),
                    ChallengeEnd::Declined(reason) => ("declined", reason, found.challenged),
                    ChallengeEnd::Withdrawn => ("withdrawn", None, found.challenger),
                };
                if ends_it != by {
                    return Ok(ChallengeEnding::NoSuchChallenge);
                }
                if found.end.is_some() {
                    return Ok(ChallengeEnding::EndedBefore(found));
                }
                let expires_at = now + ENDED_CHALLENGE_KEPT_MS;
                let update = "UPDATE challenges SET state = $2, reason = $3, expires_at = $4 WHERE id = $1";
                tx.queue(update, args![id, state, reason, expires_at]).await?;
                Ok(ChallengeEnding::Ended(Challenge { end: Some(end), expires_at, ..found }))
            })
        })
    }

    /// Reads which challenges a guest takes.
    pub fn challenge_settings(&self, guest: PlayerId) -> StoreFuture<'_, ChallengeSettings> {
        Box::pin(async move {
            let found: Option<ChallengeSettings> = self.first(SETTINGS, args![guest]).await?;
            Ok(found.unwrap_or_default())
        })
    }

    /// Sets which challenges a guest takes. False if there is no such guest.
    pub fn set_challenge_settings(
        &self,
        guest: PlayerId,
        settings: ChallengeSettings,
    ) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            let games = settings.games.iter().map(|game| game.id()).collect::<Vec<_>>().join(" ");
            let upsert = "INSERT INTO challenge_settings (guest, taken, games) \
             SELECT id, $2, $3 FROM guests WHERE id = $1 \
             ON CONFLICT (guest) DO UPDATE SET taken = excluded.taken, games = excluded.games";
            Ok(self.execute(guest.0, upsert, args![guest, settings.from, games]).await? == 1)
        })
    }
}

async fn add(tx: &mut Tx, new: &Challenge) -> Result<ChallengeAdding, Error> {
    let (from, to, now) = (new.challenger, new.challenged, new.created_at);
    // In one order, so that two challenges, each from one to the other, do not wait for each other.
    let lock = "SELECT id, kind <> 'computer' FROM guests WHERE id IN ($1, $2) AND blocked_at IS NULL \
         ORDER BY id";
    let there: Vec<(PlayerId, bool)> = tx.lock_all(lock, args![from, to]).await?;
    if !there.iter().any(|(id, _)| *id == from) {
        return Ok(ChallengeAdding::GuestGone);
    }
    if !there.contains(&(to, true)) {
        return Ok(ChallengeAdding::NoSuchGuest);
    }
    if are_blocked(tx, from, to).await? {
        return Ok(ChallengeAdding::NotWelcome);
    }
    let settings: Option<ChallengeSettings> = tx.first(SETTINGS, args![to]).await?;
    let settings = settings.unwrap_or_default();
    let follows = "SELECT 1 FROM follows WHERE guest = $1 AND followed = $2";
    let takes = match settings.from {
        ChallengesFrom::Everyone => true,
        ChallengesFrom::Followed => tx.exists(follows, args![to, from]).await?,
        ChallengesFrom::Nobody => false,
    };
    if !takes {
        return Ok(ChallengeAdding::NotTaken);
    }
    if !settings.plays(new.terms.variant.game()) {
        return Ok(ChallengeAdding::OtherGames);
    }
    let seed_hash = new.seed_hash.map(|hash| hash.0);
    let same = "UPDATE challenges SET expires_at = $6 WHERE challenger = $1 AND challenged = $2 \
         AND state = 'waiting' AND expires_at > $3 AND terms = $4 AND seed_hash IS NOT DISTINCT FROM $5 \
         RETURNING id, created_at";
    let same: Option<(MatchId, Millis)> =
        tx.first(same, args![from, to, now, &new.terms, seed_hash, new.expires_at]).await?;
    if let Some((id, created_at)) = same {
        return Ok(ChallengeAdding::Waits(Challenge { id, created_at, ..new.clone() }));
    }
    let waiting = "SELECT count(*) FILTER (WHERE challenger = $1), count(*) FILTER (WHERE challenged = $2) \
         FROM challenges WHERE (challenger = $1 OR challenged = $2) AND state = 'waiting' AND expires_at > $3";
    let (made, got): (u32, u32) = tx.one(waiting, args![from, to, now]).await?;
    if made >= CHALLENGES_BY_GUEST_MAX {
        return Ok(ChallengeAdding::TooMany);
    }
    if got >= CHALLENGES_TO_GUEST_MAX {
        return Ok(ChallengeAdding::TooManyForThem);
    }
    let insert = "INSERT INTO challenges \
         (id, challenger, challenged, terms, pace, seed_hash, created_at, expires_at, state) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'waiting')";
    let pace = new.terms.clock.pace();
    tx.queue(insert, args![new.id, from, to, &new.terms, pace, seed_hash, now, new.expires_at]).await?;
    Ok(ChallengeAdding::Waits(new.clone()))
}

/// A challenge of which a match comes.
pub(crate) struct Accepted {
    id: MatchId,
    is_correspondence: bool,
    at: Millis,
}

impl Accepted {
    pub(crate) const fn by(id: MatchId, is_correspondence: bool, at: Millis) -> Self {
        Self { id, is_correspondence, at }
    }

    /// Notes that the match comes of it. False unless the challenge waits and neither of the two has blocked the other.
    /// Ends what else of both waits to be played live, if the match is. The guests are locked.
    pub(crate) async fn note(&self, tx: &mut Tx) -> Result<bool, Error> {
        let accept = "UPDATE challenges SET state = 'accepted', expires_at = $3 \
             WHERE id = $1 AND state = 'waiting' AND expires_at > $2 AND NOT EXISTS (SELECT 1 FROM blocks \
                 WHERE guest = challenger AND blocked = challenged \
                 OR guest = challenged AND blocked = challenger) \
             RETURNING challenger, challenged";
        let kept_until = self.at + ENDED_CHALLENGE_KEPT_MS;
        let accepted: Option<(PlayerId, PlayerId)> =
            tx.first(accept, args![self.id, self.at, kept_until]).await?;
        let Some((one, other)) = accepted else { return Ok(false) };
        if !self.is_correspondence {
            end_live_waiting(tx, [one, other], self.at).await?;
        }
        Ok(true)
    }
}
