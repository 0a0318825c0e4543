//! Talk: what was said in matches, and how guests talk.

use lusoria_play::{MatchId, Player, PlayerId, PlayerKind, RemarkId, Seat, TalkRoom};

use super::{MemoryStore, tables::Tables};
use crate::{
    Card, MatchState, NewRemark, REMARKS_AT_ONCE_MAX, REMARKS_PER_MATCH_MAX, Remark, RemarkAdding,
    SanctionKind, StoreFuture, TEXT_AFTER_MATCHES, TalkSettings, Talker, Talks, talk::too_fast,
};

impl Talks for MemoryStore {
    fn add_remark(&self, new: NewRemark) -> StoreFuture<'_, RemarkAdding> {
        self.at_once(move |tables| Ok(tables.add_remark(new)))
    }

    fn remarks(&self, of: MatchId, room: TalkRoom, limit: u32) -> StoreFuture<'_, Vec<Remark>> {
        self.at_once(move |tables| {
            let there = tables.remarks.values().rev().filter(|new| new.of == of && new.room == room);
            let mut last: Vec<_> =
                there.take(limit as usize).filter_map(|new| tables.told_remark(new)).collect();
            last.reverse();
            Ok(last)
        })
    }

    fn remarks_by(
        &self,
        guest: PlayerId,
        after: Option<RemarkId>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<Remark>> {
        self.at_once(move |tables| {
            let theirs = tables
                .remarks
                .values()
                .filter(|new| new.by == guest && after.is_none_or(|after| new.id > after));
            Ok(theirs.take(limit as usize).filter_map(|new| tables.told_remark(new)).collect())
        })
    }

    fn talkers(&self, guests: Vec<PlayerId>) -> StoreFuture<'_, Vec<Talker>> {
        self.at_once(move |tables| Ok(guests.iter().filter_map(|guest| tables.talker(*guest)).collect()))
    }

    fn set_talk_settings(&self, guest: PlayerId, settings: TalkSettings) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| {
            let has_account = tables.accounts.contains_key(&guest);
            if has_account {
                tables.talk_settings.insert(guest, settings);
            }
            Ok(has_account)
        })
    }
}

impl Tables {
    fn add_remark(&mut self, new: NewRemark) -> RemarkAdding {
        if self.guests.get(&new.by).is_none_or(|guest| guest.blocked_at.is_some()) {
            return RemarkAdding::GuestGone;
        }
        if !self.matches.contains_key(&new.of) {
            return RemarkAdding::NoSuchMatch;
        }
        for kind in [SanctionKind::Ban, SanctionKind::Mute] {
            if let Some(sanction) = self.held(new.by, kind, new.said_at) {
                return RemarkAdding::Sanctioned(sanction.clone());
            }
        }
        let theirs = || self.remarks.values().rev().filter(|remark| remark.by == new.by);
        let lately: Vec<_> = theirs().take(REMARKS_AT_ONCE_MAX as usize).map(|of| of.said_at).collect();
        if let Some(wait_ms) = too_fast(&lately, new.said_at) {
            return RemarkAdding::TooFast(wait_ms);
        }
        if theirs().filter(|remark| remark.of == new.of).count() >= REMARKS_PER_MATCH_MAX as usize {
            return RemarkAdding::TooMany;
        }
        self.remarks.insert(new.id, new);
        RemarkAdding::Added
    }

    fn told_remark(&self, new: &NewRemark) -> Option<Remark> {
        let NewRemark { id, of, room, by, said_at, said } = new.clone();
        Some(Remark { id, of, room, by: self.player(by)?, said_at, said })
    }

    /// A guest as a player.
    pub(super) fn player(&self, guest: PlayerId) -> Option<Player> {
        let guest = self.guests.get(&guest)?;
        Some(Player { id: guest.id, name: guest.name.clone(), kind: guest.kind })
    }

    fn talker(&self, guest: PlayerId) -> Option<Talker> {
        let kind = self.guests.get(&guest)?.kind;
        let is_other = |card: &Card, seat: Seat| {
            let other = card.players.get(seat.other()).as_ref();
            other.is_some_and(|other| other.id != guest && !matches!(other.kind, PlayerKind::Computer(_)))
        };
        let counts = |card: &Card| {
            let plays = |seat| card.player(seat) == Some(guest) && is_other(card, seat);
            card.state() == MatchState::Finished && Seat::BOTH.into_iter().any(plays)
        };
        let matches = self.matches.values().filter(|kept| counts(&kept.card));
        let matches = matches.take(TEXT_AFTER_MATCHES as usize).count();
        Some(Talker {
            guest,
            kind,
            account_since: self.accounts.get(&guest).map(|account| account.created_at),
            settings: self.talk_settings.get(&guest).copied().unwrap_or_default(),
            matches: u32::try_from(matches).unwrap_or(TEXT_AFTER_MATCHES),
        })
    }
}
