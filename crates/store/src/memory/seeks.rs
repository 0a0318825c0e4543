//! Seeks, and whom players do not want to meet.

use lusoria_play::{Millis, Player, PlayerId, SeekId};

use super::tables::Tables;
use crate::{
    ANSWERED_SEEK_KEPT_MS, BLOCKS_PER_GUEST_MAX, Blocking, Guest, NewMatch, Outage, SEEKS_PER_GUEST_MAX,
    Seek, SeekAdding, SeekWithdrawal, WaitingSeek,
};

impl Seek {
    fn waits(&self, now: Millis) -> bool {
        self.answered.is_none() && self.expires_at > now
    }
}

impl Tables {
    pub(super) fn add_seek(&mut self, new: Seek) -> SeekAdding {
        if self.guests.get(&new.guest).is_none_or(|guest| guest.blocked_at.is_some()) {
            return SeekAdding::GuestGone;
        }
        let waiting = |seek: &&mut Seek| seek.guest == new.guest && seek.waits(new.created_at);
        let is_same = |seek: &&mut Seek| seek.terms == new.terms && seek.seed_hash == new.seed_hash;
        if let Some(same) = self.seeks.values_mut().filter(waiting).find(is_same) {
            same.expires_at = new.expires_at;
            return SeekAdding::Waits(same.clone());
        }
        if self.seeks.values_mut().filter(waiting).count() >= SEEKS_PER_GUEST_MAX as usize {
            return SeekAdding::TooMany;
        }
        self.seeks.insert(new.id, new.clone());
        SeekAdding::Waits(new)
    }

    pub(super) fn seeks_of(&self, guest: PlayerId, now: Millis) -> Vec<Seek> {
        let theirs = self.seeks.values().filter(|seek| seek.guest == guest && seek.expires_at > now);
        let mut theirs: Vec<_> = theirs.cloned().collect();
        theirs.sort_by_key(|seek| std::cmp::Reverse((seek.created_at, seek.id)));
        theirs
    }

    pub(super) fn waiting_seeks(&self, now: Millis) -> Vec<WaitingSeek> {
        let with_player = |seek: &Seek| {
            let guest = self.guests.get(&seek.guest).filter(|guest| guest.blocked_at.is_none())?;
            let player = Player { id: guest.id, name: guest.name.clone(), kind: guest.kind };
            Some(WaitingSeek { seek: seek.clone(), player })
        };
        let waiting = self.seeks.values().filter(|seek| seek.waits(now));
        let mut waiting: Vec<_> = waiting.filter_map(with_player).collect();
        waiting.sort_by_key(|waiting| (waiting.seek.created_at, waiting.seek.id));
        waiting
    }

    pub(super) fn answered_seeks(&self, since: Millis) -> Vec<Seek> {
        let kept_until = since + ANSWERED_SEEK_KEPT_MS;
        let answered = |seek: &&Seek| seek.answered.is_some() && seek.expires_at >= kept_until;
        self.seeks.values().filter(answered).cloned().collect()
    }

    pub(super) fn prolong_seeks(&mut self, guests: &[PlayerId], now: Millis, until: Millis) {
        for seek in self.seeks.values_mut() {
            if guests.contains(&seek.guest) && seek.waits(now) && !seek.terms.is_by_days() {
                seek.expires_at = seek.expires_at.max(until);
            }
        }
    }

    /// Has seeks wait on during the outages that have just been noted.
    pub(super) fn prolong_over_outages(&mut self) {
        for Outage { from, until } in self.cluster.take_new_outages() {
            for seek in self.seeks.values_mut().filter(|seek| seek.waits(from)) {
                seek.expires_at += until - from;
            }
            for challenge in self.challenges.values_mut().filter(|challenge| challenge.waits(from)) {
                challenge.expires_at += until - from;
            }
        }
    }

    pub(super) fn withdraw_seek(&mut self, guest: PlayerId, id: SeekId, now: Millis) -> SeekWithdrawal {
        let found = self.seeks.get(&id).filter(|seek| seek.guest == guest && seek.expires_at > now);
        match found.map(|seek| seek.answered) {
            None => SeekWithdrawal::NoSuchSeek,
            Some(Some(of)) => SeekWithdrawal::Answered(of),
            Some(None) => {
                self.seeks.remove(&id);
                SeekWithdrawal::Withdrawn
            }
        }
    }

    /// Whether a match can answer these seeks.
    pub(super) fn may_answer(&self, seeks: [SeekId; 2], at: Millis) -> bool {
        let [one, other] = seeks.map(|id| self.seeks.get(&id).filter(|seek| seek.waits(at)));
        let (Some(one), Some(other)) = (one, other) else { return false };
        let has_blocked = |a: &Seek, b: &Seek| self.blocks.contains_key(&(a.guest, b.guest));
        one.guest != other.guest && !has_blocked(one, other) && !has_blocked(other, one)
    }

    /// Notes that a new match answers these seeks, and ends the other seeks that it makes idle.
    pub(super) fn answer(&mut self, seeks: [SeekId; 2], new: &NewMatch) {
        let guests: Vec<_> = seeks.iter().filter_map(|id| Some(self.seeks.get(id)?.guest)).collect();
        for id in seeks {
            if let Some(seek) = self.seeks.get_mut(&id) {
                seek.answered = Some(new.id);
                seek.expires_at = new.events[0].at + ANSWERED_SEEK_KEPT_MS;
            }
        }
        if let (false, [one, other]) = (new.card.terms.clock.is_by_days(), &guests[..]) {
            self.end_live_waiting([*one, *other], new.events[0].at);
        }
    }

    pub(super) fn add_block(&mut self, guest: PlayerId, blocked: PlayerId, at: Millis) -> Blocking {
        if ![guest, blocked].iter().all(|id| self.guests.contains_key(id)) {
            return Blocking::NoSuchGuest;
        }
        let count = self.blocks.keys().filter(|(by, _)| *by == guest).count();
        if !self.blocks.contains_key(&(guest, blocked)) && count >= BLOCKS_PER_GUEST_MAX as usize {
            return Blocking::TooMany;
        }
        self.blocks.entry((guest, blocked)).or_insert(at);
        Blocking::Blocked
    }

    pub(super) fn blocked_by(&self, guest: PlayerId) -> Vec<Guest> {
        let theirs = self.blocks.iter().filter(|((by, _), _)| *by == guest);
        let mut theirs: Vec<_> = theirs.map(|((_, blocked), at)| (*at, *blocked)).collect();
        theirs.sort_unstable_by_key(|block| std::cmp::Reverse(*block));
        theirs.iter().filter_map(|(_, blocked)| self.guests.get(blocked).cloned()).collect()
    }

    pub(super) fn blocks_around(&self, guest: PlayerId) -> Vec<PlayerId> {
        let other = |(by, blocked): &(PlayerId, PlayerId)| match guest {
            _ if *by == guest => Some(*blocked),
            _ if *blocked == guest => Some(*by),
            _ => None,
        };
        self.blocks.keys().filter_map(other).collect()
    }
}
