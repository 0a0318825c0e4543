//! Challenges, and whom players follow.

use std::collections::BTreeSet;

use lusoria_play::{ChallengeSettings, ChallengesFrom, MatchId, Millis, Player, PlayerId, PlayerKind};

use super::tables::Tables;
use crate::{
    CHALLENGES_BY_GUEST_MAX, CHALLENGES_TO_GUEST_MAX, Challenge, ChallengeAdding, ChallengeEnd,
    ChallengeEnding, ENDED_CHALLENGE_KEPT_MS, FOLLOWS_PER_GUEST_MAX, Following, Guest, NamedChallenge,
};

impl Tables {
    pub(super) fn add_challenge(&mut self, new: Challenge) -> ChallengeAdding {
        let guest = |id| self.guests.get(&id).filter(|guest| guest.blocked_at.is_none());
        if guest(new.challenger).is_none() {
            return ChallengeAdding::GuestGone;
        }
        if guest(new.challenged).is_none_or(|guest| matches!(guest.kind, PlayerKind::Computer(_))) {
            return ChallengeAdding::NoSuchGuest;
        }
        if self.is_blocked_between(new.challenger, new.challenged) {
            return ChallengeAdding::NotWelcome;
        }
        let settings = self.challenge_settings(new.challenged);
        let takes = match settings.from {
            ChallengesFrom::Everyone => true,
            ChallengesFrom::Followed => self.follows.contains_key(&(new.challenged, new.challenger)),
            ChallengesFrom::Nobody => false,
        };
        if !takes {
            return ChallengeAdding::NotTaken;
        }
        if !settings.plays(new.terms.variant.game()) {
            return ChallengeAdding::OtherGames;
        }
        let now = new.created_at;
        let is_same = |other: &&mut Challenge| {
            other.waits(now)
                && (other.challenger, other.challenged) == (new.challenger, new.challenged)
                && (&other.terms, other.seed_hash) == (&new.terms, new.seed_hash)
        };
        if let Some(same) = self.challenges.values_mut().find(is_same) {
            same.expires_at = new.expires_at;
            return ChallengeAdding::Waits(same.clone());
        }
        let waiting = || self.challenges.values().filter(|other| other.waits(now));
        let of_challenger = waiting().filter(|other| other.challenger == new.challenger).count();
        if of_challenger >= CHALLENGES_BY_GUEST_MAX as usize {
            return ChallengeAdding::TooMany;
        }
        let to_challenged = waiting().filter(|other| other.challenged == new.challenged).count();
        if to_challenged >= CHALLENGES_TO_GUEST_MAX as usize {
            return ChallengeAdding::TooManyForThem;
        }
        self.challenges.insert(new.id, new.clone());
        ChallengeAdding::Waits(new)
    }

    fn is_blocked_between(&self, one: PlayerId, other: PlayerId) -> bool {
        self.blocks.contains_key(&(one, other)) || self.blocks.contains_key(&(other, one))
    }

    fn named(&self, challenge: &Challenge) -> Option<NamedChallenge> {
        let player = |id| {
            let guest = self.guests.get(&id)?;
            Some(Player { id, name: guest.name.clone(), kind: guest.kind })
        };
        Some(NamedChallenge {
            challenger: player(challenge.challenger)?,
            challenged: player(challenge.challenged)?,
            handles: [challenge.challenger, challenge.challenged]
                .map(|id| self.accounts.get(&id).map(|account| account.handle.clone())),
            challenge: challenge.clone(),
        })
    }

    pub(super) fn challenges_of(&self, guest: PlayerId, now: Millis) -> Vec<NamedChallenge> {
        let is_theirs =
            |of: &&Challenge| of.expires_at > now && [of.challenger, of.challenged].contains(&guest);
        let theirs = self.challenges.values().filter(is_theirs);
        let mut theirs: Vec<_> = theirs.filter_map(|challenge| self.named(challenge)).collect();
        theirs.sort_by_key(|named| std::cmp::Reverse((named.challenge.created_at, named.challenge.id)));
        theirs
    }

    pub(super) fn challenge(&self, id: MatchId, now: Millis) -> Option<NamedChallenge> {
        self.challenges
            .get(&id)
            .filter(|challenge| challenge.expires_at > now)
            .and_then(|found| self.named(found))
    }

    pub(super) fn ended_challenges(&self, since: Millis) -> Vec<NamedChallenge> {
        let kept_until = since + ENDED_CHALLENGE_KEPT_MS;
        let ended = |of: &&Challenge| of.end.is_some() && of.expires_at >= kept_until;
        self.challenges.values().filter(ended).filter_map(|challenge| self.named(challenge)).collect()
    }

    pub(super) fn live_challengers(&self, now: Millis) -> Vec<PlayerId> {
        let is_live = |of: &&Challenge| of.waits(now) && !of.terms.clock.is_by_days();
        let challengers: BTreeSet<_> =
            self.challenges.values().filter(is_live).map(|challenge| challenge.challenger).collect();
        challengers.into_iter().collect()
    }

    pub(super) fn prolong_challenges(&mut self, challengers: &[PlayerId], now: Millis, until: Millis) {
        for challenge in self.challenges.values_mut() {
            if challengers.contains(&challenge.challenger)
                && challenge.waits(now)
                && !challenge.terms.clock.is_by_days()
            {
                challenge.expires_at = challenge.expires_at.max(until);
            }
        }
    }

    pub(super) fn end_challenge(
        &mut self,
        id: MatchId,
        by: PlayerId,
        end: ChallengeEnd,
        now: Millis,
    ) -> ChallengeEnding {
        let Some(found) = self.challenges.get_mut(&id).filter(|challenge| challenge.expires_at > now) else {
            return ChallengeEnding::NoSuchChallenge;
        };
        let ends_it = if end == ChallengeEnd::Withdrawn { found.challenger } else { found.challenged };
        if by != ends_it {
            return ChallengeEnding::NoSuchChallenge;
        }
        if found.end.is_some() {
            return ChallengeEnding::EndedBefore(found.clone());
        }
        found.end = Some(end);
        found.expires_at = now + ENDED_CHALLENGE_KEPT_MS;
        ChallengeEnding::Ended(found.clone())
    }

    /// Whether a match can come of this challenge.
    pub(super) fn may_accept(&self, id: MatchId, at: Millis) -> bool {
        let waiting = self.challenges.get(&id).filter(|challenge| challenge.waits(at));
        waiting.is_some_and(|found| !self.is_blocked_between(found.challenger, found.challenged))
    }

    /// Notes that a match came of this challenge. Unless it is by days, what else both wait for in one go ends.
    pub(super) fn accept(&mut self, id: MatchId, at: Millis) {
        let Some(found) = self.challenges.get_mut(&id) else { return };
        found.end = Some(ChallengeEnd::Accepted);
        found.expires_at = at + ENDED_CHALLENGE_KEPT_MS;
        let players = [found.challenger, found.challenged];
        if !found.terms.clock.is_by_days() {
            self.end_live_waiting(players, at);
        }
    }

    /// Ends the live seeks and withdraws the live challenges that some guests have made and that wait: they play now.
    pub(super) fn end_live_waiting(&mut self, guests: [PlayerId; 2], at: Millis) {
        self.seeks.retain(|_, seek| {
            seek.answered.is_some() || seek.terms.is_by_days() || !guests.contains(&seek.guest)
        });
        for other in self.challenges.values_mut() {
            if other.waits(at) && !other.terms.clock.is_by_days() && guests.contains(&other.challenger) {
                other.end = Some(ChallengeEnd::Withdrawn);
                other.expires_at = at + ENDED_CHALLENGE_KEPT_MS;
            }
        }
    }

    pub(super) fn challenge_settings(&self, guest: PlayerId) -> ChallengeSettings {
        self.challenge_settings.get(&guest).cloned().unwrap_or_default()
    }

    pub(super) fn add_follow(&mut self, guest: PlayerId, followed: PlayerId, at: Millis) -> Following {
        if ![guest, followed].iter().all(|id| self.guests.contains_key(id)) {
            return Following::NoSuchGuest;
        }
        let count = self.follows.keys().filter(|(by, _)| *by == guest).count();
        if !self.follows.contains_key(&(guest, followed)) && count >= FOLLOWS_PER_GUEST_MAX as usize {
            return Following::TooMany;
        }
        self.follows.entry((guest, followed)).or_insert(at);
        Following::Followed
    }

    pub(super) fn followed_by(&self, guest: PlayerId) -> Vec<Guest> {
        let theirs = self.follows.iter().filter(|((by, _), _)| *by == guest);
        let mut theirs: Vec<_> = theirs.map(|((_, followed), at)| (*at, *followed)).collect();
        theirs.sort_unstable_by_key(|follow| std::cmp::Reverse(*follow));
        theirs.iter().filter_map(|(_, followed)| self.guests.get(followed).cloned()).collect()
    }

    pub(super) fn set_challenge_settings(&mut self, guest: PlayerId, settings: ChallengeSettings) -> bool {
        let is_there = self.guests.contains_key(&guest);
        if is_there {
            self.challenge_settings.insert(guest, settings);
        }
        is_there
    }
}
