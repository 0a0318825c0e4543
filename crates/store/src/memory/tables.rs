//! The tables in memory: their contents, the checks of an append, lists, sweeping.

use std::collections::{BTreeMap, BTreeSet};

use lusoria_dice::Secret;
use lusoria_play::{
    ChallengeSettings, ConditionalTurns, FlagId, LEAVINGS_COUNT_FOR_MS, Level, MatchId, Millis, Player,
    PlayerId, PlayerKind, Recorded, RemarkId, ReportId, SanctionId, Seat, SeekId,
};
use uuid::Uuid;

use super::{game_counts::Counted, nodes::Cluster};
use crate::{
    Account, Answers, ApiToken, Append, AppendError, CLOSED_REPORTS_KEPT_MS, Card, Challenge, Departure,
    DeviceCode, Guest, Head, Invitation, KEYS_KEPT_MS, KeptAnalysis, KeyPurpose, KeyUse, LogRow, MatchFilter,
    MatchRow, MatchState, MatchesOfGame, NewFlag, NewMatch, NewRemark, NewReport, PAST_SANCTIONS_KEPT_MS,
    Page, Passkey, PasskeyId, Played, PreferenceValues, PushSubscription, PushSubscriptionId,
    REMARKS_KEPT_MS, RatingKey, Recent, Sanction, SecretHash, SecretKey, Seek, Session, SignUpPolicy,
    Statistics, StoreError, StoredChange, StoredRating, TURN_LOSSES_KEPT_MS, TalkSettings, TurnLosses,
    UsedKey, Version,
    error::Refused,
    model::{EXPIRED_KEPT_MS, guests_named_by, last_number},
    text::first_id_of,
};

pub(super) struct Tables {
    pub(super) closed: bool,
    pub(super) matches: BTreeMap<MatchId, Match>,
    pub(super) invitations: BTreeMap<MatchId, Invitation>,
    pub(super) guests: BTreeMap<PlayerId, Guest>,
    pub(super) tokens: BTreeMap<SecretHash, Token>,
    pub(super) device_codes: BTreeMap<PlayerId, DeviceCode>,
    pub(super) accounts: BTreeMap<PlayerId, Account>,
    pub(super) recovery_codes: BTreeMap<SecretHash, PlayerId>,
    pub(super) seeks: BTreeMap<SeekId, Seek>,
    /// Who has blocked whom, and when.
    pub(super) blocks: BTreeMap<(PlayerId, PlayerId), Millis>,
    /// Who follows whom, and since when.
    pub(super) follows: BTreeMap<(PlayerId, PlayerId), Millis>,
    pub(super) challenges: BTreeMap<MatchId, Challenge>,
    pub(super) challenge_settings: BTreeMap<PlayerId, ChallengeSettings>,
    pub(super) sign_ups: SignUpPolicy,
    pub(super) sign_up_codes: BTreeMap<SecretHash, Millis>,
    pub(super) api_tokens: BTreeMap<SecretHash, (PlayerId, ApiToken)>,
    pub(super) passkeys: BTreeMap<PasskeyId, Passkey>,
    pub(super) spent_challenges: BTreeMap<SecretHash, Millis>,
    pub(super) departures: BTreeMap<PlayerId, Departure>,
    pub(super) preferences: BTreeMap<PlayerId, PreferenceValues>,
    pub(super) server_keys: BTreeMap<KeyPurpose, SecretKey>,
    pub(super) push_subscriptions: BTreeMap<PushSubscriptionId, PushSubscription>,
    pub(super) keys: BTreeMap<(PlayerId, String), (UsedKey, Millis)>,
    pub(super) analyses: BTreeMap<MatchId, KeptAnalysis>,
    pub(super) conditional_turns: BTreeMap<(MatchId, PlayerId), ConditionalTurns>,
    pub(super) remarks: BTreeMap<RemarkId, NewRemark>,
    pub(super) talk_settings: BTreeMap<PlayerId, TalkSettings>,
    /// With when they were closed.
    pub(super) reports: BTreeMap<ReportId, (NewReport, Option<Millis>)>,
    pub(super) sanctions: BTreeMap<SanctionId, (PlayerId, Sanction)>,
    pub(super) moderation_log: BTreeMap<Uuid, LogRow>,
    /// Who left each match, and when.
    pub(super) leavings: BTreeMap<MatchId, (PlayerId, Millis)>,
    /// By match and number of the seat.
    pub(super) turn_losses: BTreeMap<(MatchId, u8), TurnLosses>,
    /// With when they were closed.
    pub(super) flags: BTreeMap<FlagId, (NewFlag, Option<Millis>)>,
    pub(super) counted: Counted,
    pub(super) ratings: BTreeMap<(PlayerId, RatingKey), StoredRating>,
    /// By match and number of the seat.
    pub(super) rating_changes: BTreeMap<(MatchId, u8), (RatingKey, StoredChange)>,
    pub(super) stale_ratings: BTreeSet<RatingKey>,
    pub(super) cluster: Cluster,
}

impl Default for Tables {
    /// Empty but for the computer.
    fn default() -> Self {
        let computers = Level::ALL.map(|level| {
            let Player { id, name, kind } = Player::computer(level);
            (id, Guest { id, name, kind, created_at: 0, blocked_at: None })
        });
        Self {
            closed: false,
            matches: BTreeMap::new(),
            invitations: BTreeMap::new(),
            guests: computers.into(),
            tokens: BTreeMap::new(),
            device_codes: BTreeMap::new(),
            accounts: BTreeMap::new(),
            recovery_codes: BTreeMap::new(),
            seeks: BTreeMap::new(),
            blocks: BTreeMap::new(),
            follows: BTreeMap::new(),
            challenges: BTreeMap::new(),
            challenge_settings: BTreeMap::new(),
            sign_ups: SignUpPolicy::Open,
            sign_up_codes: BTreeMap::new(),
            api_tokens: BTreeMap::new(),
            passkeys: BTreeMap::new(),
            spent_challenges: BTreeMap::new(),
            departures: BTreeMap::new(),
            preferences: BTreeMap::new(),
            server_keys: BTreeMap::new(),
            push_subscriptions: BTreeMap::new(),
            keys: BTreeMap::new(),
            analyses: BTreeMap::new(),
            conditional_turns: BTreeMap::new(),
            remarks: BTreeMap::new(),
            talk_settings: BTreeMap::new(),
            reports: BTreeMap::new(),
            sanctions: BTreeMap::new(),
            moderation_log: BTreeMap::new(),
            leavings: BTreeMap::new(),
            turn_losses: BTreeMap::new(),
            flags: BTreeMap::new(),
            counted: Counted::default(),
            ratings: BTreeMap::new(),
            rating_changes: BTreeMap::new(),
            stale_ratings: BTreeSet::new(),
            cluster: Cluster::default(),
        }
    }
}

pub(super) struct Match {
    pub(super) events: Vec<Recorded>,
    pub(super) version: Version,
    pub(super) updated_at: Millis,
    pub(super) deadline: Option<Millis>,
    pub(super) card: Card,
    pub(super) made_by: Option<PlayerId>,
    pub(super) secret: Secret,
}

/// A session, stored under the hash of its token.
pub(super) struct Token {
    pub(super) guest: PlayerId,
    pub(super) session: Session,
}

pub(super) fn failed<T>(why: &str) -> Result<T, StoreError> {
    Err(StoreError::Failed(why.to_owned()))
}

impl Tables {
    pub(super) fn check_key(&self, key: Option<&KeyUse>) -> Result<(), Refused> {
        match key {
            Some(key) if self.keys.contains_key(&(key.guest, key.key.clone())) => Err(Refused::KeyUsed),
            _ => Ok(()),
        }
    }

    pub(super) fn check_guests(&self, events: &[Recorded], key: Option<&KeyUse>) -> Result<(), Refused> {
        let is_there = |id| self.guests.get(&id).is_some_and(|guest| guest.blocked_at.is_none());
        guests_named_by(events, key)
            .find(|id| !is_there(*id))
            .map_or(Ok(()), |gone| Err(Refused::GuestGone(gone)))
    }

    pub(super) fn check_new(&self, new: &NewMatch) -> Result<(), AppendError> {
        self.check_key(new.key.as_ref())?;
        self.check_guests(&new.events, new.key.as_ref())?;
        let at = new.events[0].at;
        match new.answers {
            Some(Answers::Seeks(seeks)) if !self.may_answer(seeks, at) => {
                return Err(Refused::SeekGone.into());
            }
            Some(Answers::Challenge) if !self.may_accept(new.id, at) => {
                return Err(Refused::ChallengeGone.into());
            }
            _ => {}
        }
        if self.matches.contains_key(&new.id) {
            return Err(Refused::Conflict.into());
        }
        if let Some(invitation) = &new.invitation {
            self.check_invitation(new.id, invitation)?;
        }
        Ok(())
    }

    pub(super) fn check_invitation(&self, id: MatchId, new: &Invitation) -> Result<(), StoreError> {
        if self.invitations.iter().any(|(of, other)| *of != id && other.hash == new.hash) {
            return failed("the invitation is there already");
        }
        Ok(())
    }

    pub(super) fn insert(&mut self, new: NewMatch, head: u32) {
        match new.answers {
            Some(Answers::Seeks(seeks)) => self.answer(seeks, &new),
            Some(Answers::Challenge) => self.accept(new.id, new.events[0].at),
            None => {}
        }
        self.use_key(new.key, new.id, 1);
        self.invitations.extend(new.invitation.map(|invitation| (new.id, invitation)));
        let updated_at = new.events.last().map_or(0, |event| event.at);
        let NewMatch { id, events, deadline, card, made_by, secret, .. } = new;
        let version = Version { head, edition: 0 };
        self.matches.insert(id, Match { events, version, updated_at, deadline, card, made_by, secret });
    }

    pub(super) fn use_key(&mut self, key: Option<KeyUse>, id: MatchId, first: u32) {
        let used = key.map(|key| ((key.guest, key.key), (UsedKey { digest: key.digest, id, first }, key.at)));
        self.keys.extend(used);
    }

    pub(super) fn create(&mut self, new: NewMatch) -> Result<(), AppendError> {
        let head = last_number(0, &new.events)?;
        self.check_new(&new)?;
        self.insert(new, head);
        Ok(())
    }

    pub(super) fn append(&mut self, append: Append) -> Result<(), AppendError> {
        let head = last_number(append.of.head, &append.events)?;
        let create_head = append.create.as_ref().map(|new| last_number(0, &new.events)).transpose()?;
        let at = append.events[0].at;
        self.check_key(append.key.as_ref())?;
        self.check_guests(&append.events, append.key.as_ref())?;
        let seat1 = append.card.player(Seat::One);
        let adopter =
            guests_named_by(&append.events, append.key.as_ref()).find(|guest| self.adopts(*guest, seat1));
        if let Some(adopter) = adopter {
            return Err(Refused::GuestGone(adopter).into());
        }
        let good = |(id, invitation): (&MatchId, &Invitation)| {
            *id == append.id && Some(invitation.hash) == append.spends && invitation.expires_at > at
        };
        if append.spends.is_some() && !self.invitations.iter().any(good) {
            return Err(Refused::InvitationGone.into());
        }
        if let Some(new) = &append.create {
            self.check_new(new)?;
        }
        if let Some(change) = &append.rates {
            self.check_ratings(change)?;
        }
        let Some(found) = self.matches.get_mut(&append.id).filter(|found| found.version == append.of) else {
            return Err(Refused::Conflict.into());
        };
        found.version.head = head;
        found.updated_at = append.events.last().map_or(at, |event| event.at);
        found.deadline = append.deadline;
        found.events.extend_from_slice(&append.events);
        found.card = append.card;
        if append.spends.is_some() {
            self.invitations.remove(&append.id);
        }
        self.use_key(append.key, append.id, append.of.head + 1);
        if let Some(change) = &append.rates {
            self.rate(append.id, change);
        }
        if append.unrates {
            self.take_back_ratings(append.id, at);
        }
        if let (Some(new), Some(head)) = (append.create, create_head) {
            self.insert(*new, head);
        }
        Ok(())
    }

    pub(super) fn rewrite(&mut self, id: MatchId, of: Version, events: Vec<Recorded>, card: Card) -> bool {
        let Some(kept) = self.matches.get_mut(&id).filter(|kept| kept.version == of) else { return false };
        for new in events {
            let old = kept.events.iter_mut().find(|old| old.seq == new.seq);
            if let Some(old) = old {
                old.event = new.event;
            }
        }
        kept.card = card;
        kept.version.edition += 1;
        true
    }

    pub(super) fn list(&self, filter: &MatchFilter, after: Option<MatchId>, limit: u32) -> Page {
        let limit = limit as usize;
        let found = |(id, kept): &(&MatchId, &Match)| {
            after.is_none_or(|after| **id < after) && lists(filter, **id, &kept.card)
        };
        let mut found = self.matches.iter().rev().filter(found).map(|(id, kept)| kept.row(*id));
        let rows: Vec<_> = found.by_ref().take(limit).collect();
        let next = rows.last().map(|row| row.id).filter(|_| found.next().is_some());
        Page { rows, next }
    }

    pub(super) fn unfinished(&self) -> impl Iterator<Item = &Match> {
        self.matches.values().filter(|kept| kept.card.state() != MatchState::Finished)
    }

    pub(super) fn statistics(&self, since: Vec<Millis>) -> Statistics {
        let guests = || self.guests.values().filter(|guest| !matches!(guest.kind, PlayerKind::Computer(_)));
        let people = guests().filter(|guest| guest.kind == PlayerKind::Person).count() as u64;
        let blocked = guests().filter(|guest| guest.blocked_at.is_some()).count() as u64;
        let mut matches: Vec<MatchesOfGame> = Vec::new();
        for kept in self.matches.values() {
            let (game, state) = (kept.card.game(), kept.card.state());
            let events = u64::from(kept.version.head);
            match matches.iter_mut().find(|of| of.game == game && of.state == state) {
                Some(of) => (of.matches, of.events) = (of.matches + 1, of.events + events),
                None => matches.push(MatchesOfGame { game, state, matches: 1, events }),
            }
        }
        matches.sort_by_key(|of| (of.game.id(), of.state));
        let recent = since.into_iter().map(|since| Recent {
            since,
            guests: guests().filter(|guest| guest.created_at >= since).count() as u64,
            made: self.matches.values().filter(|kept| kept.events[0].at >= since).count() as u64,
            touched: self.matches.values().filter(|kept| kept.updated_at >= since).count() as u64,
        });
        let bots = guests().count() as u64 - people;
        Statistics { people, bots, blocked, matches, bytes: 0, recent: recent.collect() }
    }

    pub(super) fn sweep(&mut self, now: Millis) {
        self.keys.retain(|_, (_, at)| *at >= now.saturating_sub(KEYS_KEPT_MS));
        self.device_codes.retain(|_, code| code.expires_at > now);
        self.sign_up_codes.retain(|_, expires_at| *expires_at > now);
        self.invitations.retain(|_, invitation| invitation.expires_at > now);
        self.seeks.retain(|_, seek| seek.expires_at > now);
        self.challenges.retain(|_, challenge| challenge.expires_at > now);
        self.spent_challenges.retain(|_, expires_at| *expires_at > now);
        let Self { matches, conditional_turns, .. } = self;
        conditional_turns.retain(|(id, _), _| {
            matches.get(id).is_some_and(|kept| kept.card.state() != MatchState::Finished)
        });
        self.remarks.retain(|_, remark| remark.said_at > now.saturating_sub(REMARKS_KEPT_MS));
        let closed = now.saturating_sub(CLOSED_REPORTS_KEPT_MS);
        self.reports.retain(|_, (_, closed_at)| closed_at.is_none_or(|at| at > closed));
        let past = now.saturating_sub(PAST_SANCTIONS_KEPT_MS);
        self.sanctions.retain(|_, (_, of)| {
            of.until.is_none_or(|at| at > past) && of.read_at.is_none_or(|at| at > past)
        });
        self.leavings.retain(|_, (_, at)| *at > now.saturating_sub(LEAVINGS_COUNT_FOR_MS));
        self.turn_losses.retain(|_, one| one.ended_at > now.saturating_sub(TURN_LOSSES_KEPT_MS));
        let until = now.saturating_sub(EXPIRED_KEPT_MS);
        self.api_tokens.retain(|_, (_, token)| token.expires_at > until);
        let unfinished = self.matches.values().filter(|kept| kept.card.state() != MatchState::Finished);
        let oldest = unfinished.map(|kept| kept.updated_at).min().unwrap_or(now);
        self.cluster.sweep(oldest, now);
    }
}

impl Match {
    pub(super) const fn head(&self) -> Head {
        Head { version: self.version, deadline: self.deadline }
    }

    pub(super) fn row(&self, id: MatchId) -> MatchRow {
        MatchRow {
            id,
            head: self.version.head,
            card: Card { updated_at: self.updated_at, ..self.card.clone() },
        }
    }
}

pub(super) fn count<'a>(matches: impl Iterator<Item = &'a Match>) -> u32 {
    u32::try_from(matches.count()).unwrap_or(u32::MAX)
}

pub(super) fn lists(filter: &MatchFilter, id: MatchId, card: &Card) -> bool {
    match filter {
        MatchFilter::Listed { state, game } => {
            card.is_listed() && card.state() == *state && game.is_none_or(|game| game == card.game())
        }
        MatchFilter::Of { player, state } => {
            card.seats(*player) && state.is_none_or(|state| state == card.state())
        }
        MatchFilter::Played(played) => is_played(played, id, card),
    }
}

fn is_played(played: &Played, id: MatchId, card: &Card) -> bool {
    let Played { player, opponent, game, viewer, from, until } = played;
    let [one, two] = Seat::BOTH.map(|seat| card.player(seat));
    let others = [(one, two), (two, one)].into_iter().filter(|(theirs, _)| *theirs == Some(*player));
    two.is_some()
        && others.map(|(_, other)| other).any(|other| opponent.is_none_or(|opponent| other == Some(opponent)))
        && game.is_none_or(|game| game == card.game())
        && (card.is_listed() || viewer.is_some_and(|viewer| card.seats(viewer)))
        && from.is_none_or(|from| id.0 >= first_id_of(from))
        && until.is_none_or(|until| id.0 < first_id_of(until))
}
