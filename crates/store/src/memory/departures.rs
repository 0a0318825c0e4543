//! Guests who leave.

use std::{cmp::Reverse, collections::BTreeMap};

use lusoria_play::{MatchId, Millis, PlayerId, Recorded, Seat};

use super::{
    MemoryStore,
    tables::{Match, Tables},
};
use crate::{
    AdoptionBeginning, BLOCKS_PER_GUEST_MAX, Card, ChallengeEnd, DEPARTURES_MAX, Departure, Departures,
    ENDED_CHALLENGE_KEPT_MS, ErasureBeginning, ErasureBy, FOLLOWS_PER_GUEST_MAX, HandingOver, MatchState,
    NewAdoption, SanctionKind, StoreFuture, Version,
};

impl Departures for MemoryStore {
    fn begin_adoption(&self, new: NewAdoption) -> StoreFuture<'_, AdoptionBeginning> {
        self.at_once(move |tables| Ok(tables.begin_adoption(new)))
    }

    fn begin_erasure(&self, guest: PlayerId, by: ErasureBy, at: Millis) -> StoreFuture<'_, ErasureBeginning> {
        self.at_once(move |tables| Ok(tables.begin_erasure(guest, &by, at)))
    }

    fn departures(&self) -> StoreFuture<'_, Vec<Departure>> {
        self.at_once(|tables| {
            let mut departures: Vec<_> = tables.departures.values().copied().collect();
            departures.sort_unstable_by_key(|departure| (departure.since, departure.guest));
            departures.truncate(DEPARTURES_MAX as usize);
            Ok(departures)
        })
    }

    fn hand_over(
        &self,
        id: MatchId,
        of: Version,
        adoption: Departure,
        events: Vec<Recorded>,
        card: Card,
    ) -> StoreFuture<'_, HandingOver> {
        self.at_once(move |tables| {
            let Some(adopter) = adoption.adopter.filter(|_| tables.is_leaving(adoption)) else {
                return Ok(HandingOver::Ended);
            };
            if !tables.rewrite(id, of, events, card) {
                return Ok(HandingOver::MovedOn);
            }
            if let Some(kept) = tables.matches.get_mut(&id)
                && kept.made_by == Some(adoption.guest)
            {
                kept.made_by = Some(adopter);
            }
            tables.move_conditional_turns(id, adoption.guest, adopter);
            Ok(HandingOver::HandedOver)
        })
    }

    fn end_departure(&self, departure: Departure) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| {
            let is_this = tables.is_leaving(departure);
            if is_this {
                tables.departures.remove(&departure.guest);
            }
            Ok(is_this)
        })
    }
}

/// Who has done something to whom, and when.
type Relations = BTreeMap<(PlayerId, PlayerId), Millis>;

impl Tables {
    fn begin_adoption(&mut self, new: NewAdoption) -> AdoptionBeginning {
        if let Some(refused) = self.refuses_adoption(&new) {
            return refused;
        }
        let NewAdoption { adopter, guest, at, .. } = new;
        let is_theirs = |kept: &&mut Match| {
            kept.card.player(Seat::One) == Some(guest) && kept.card.state() == MatchState::Open
        };
        for kept in self.matches.values_mut().filter(is_theirs) {
            kept.version.edition += 1;
        }
        move_relations(&mut self.follows, adopter, guest, FOLLOWS_PER_GUEST_MAX);
        move_relations(&mut self.blocks, adopter, guest, BLOCKS_PER_GUEST_MAX);
        let keys: Vec<_> = self.keys.keys().filter(|(of, _)| *of == guest).cloned().collect();
        for (_, key) in keys {
            if let Some(used) = self.keys.remove(&(guest, key.clone())) {
                self.keys.entry((adopter, key)).or_insert(used);
            }
        }
        self.move_conduct(guest, adopter);
        self.leave(guest, Some(adopter), at);
        AdoptionBeginning::Begun
    }

    /// Why an adoption does not begin, if so.
    fn refuses_adoption(&self, new: &NewAdoption) -> Option<AdoptionBeginning> {
        let NewAdoption { adopter, by, guest, session, .. } = *new;
        let has_session = self.tokens.values().any(|of| of.guest == guest && of.session.id == session);
        let kind = |of| self.guests.get(&of).map(|guest| guest.kind);
        let is_blocked = self.guests.get(&guest).is_none_or(|guest| guest.blocked_at.is_some());
        let have_met = self.matches.values().any(|kept| kept.card.seats(adopter) && kept.card.seats(guest));
        [
            (!self.may_ask(adopter, by), AdoptionBeginning::SessionEnded),
            (!self.accounts.contains_key(&adopter), AdoptionBeginning::NoAccount),
            (adopter == guest, AdoptionBeginning::Yourself),
            (!has_session, AdoptionBeginning::GuestSessionEnded),
            (is_blocked, AdoptionBeginning::GuestBlocked),
            (self.accounts.contains_key(&guest), AdoptionBeginning::GuestHasAccount),
            (kind(adopter) != kind(guest), AdoptionBeginning::OtherKind),
            (have_met, AdoptionBeginning::PlayedEachOther),
        ]
        .into_iter()
        .find_map(|(is_so, refused)| is_so.then_some(refused))
    }

    fn begin_erasure(&mut self, guest: PlayerId, by: &ErasureBy, at: Millis) -> ErasureBeginning {
        let is_proven = match by {
            ErasureBy::Operator => true,
            ErasureBy::Session(session) => self.may_ask(guest, *session),
            ErasureBy::Account(proof) => proof.guest == guest && self.holds(proof),
        };
        if !is_proven {
            return ErasureBeginning::NotProven;
        }
        if matches!(by, ErasureBy::Session(_)) && self.accounts.contains_key(&guest) {
            return ErasureBeginning::HasAccount;
        }
        self.leave(guest, None, at);
        ErasureBeginning::Begun
    }

    /// Notes that a guest leaves, and ends what they could still do.
    fn leave(&mut self, guest: PlayerId, adopter: Option<PlayerId>, at: Millis) {
        for departure in self.departures.values_mut().filter(|departure| departure.adopter == Some(guest)) {
            departure.adopter = adopter;
        }
        let departure = self.departures.entry(guest).or_insert(Departure { guest, adopter, since: at });
        departure.adopter = adopter;
        if let Some(guest) = self.guests.get_mut(&guest) {
            guest.blocked_at = guest.blocked_at.or(Some(at));
        }
        self.revoke(guest, |_| true);
        self.revoke_api_tokens(guest);
        self.device_codes.remove(&guest);
        self.seeks.retain(|_, seek| seek.guest != guest);
        let waiting = self.challenges.values_mut().filter(|of| of.end.is_none());
        for challenge in waiting.filter(|of| of.challenger == guest || of.challenged == guest) {
            challenge.end = Some(ChallengeEnd::Withdrawn);
            challenge.expires_at = at + ENDED_CHALLENGE_KEPT_MS;
        }
    }

    /// Gives the adopter what the guest has said, was reported or has reported, and what follows from it.
    fn move_conduct(&mut self, guest: PlayerId, adopter: PlayerId) {
        let moved = |of: PlayerId| if of == guest { adopter } else { of };
        for remark in self.remarks.values_mut() {
            remark.by = moved(remark.by);
        }
        let pairs: Vec<_> = self.reports.values().map(|(of, _)| (of.of, of.reporter, of.reported)).collect();
        for (report, _) in self.reports.values_mut() {
            let pair = (report.of, moved(report.reporter), moved(report.reported));
            if !pairs.contains(&pair) {
                (_, report.reporter, report.reported) = pair;
            }
        }
        let held: Vec<_> =
            self.sanctions.values().filter(|(of, _)| *of == adopter).map(|(_, of)| of.kind).collect();
        for (of, sanction) in self.sanctions.values_mut() {
            if sanction.kind == SanctionKind::Warning || !held.contains(&sanction.kind) {
                *of = moved(*of);
            }
        }
        for (of, _) in self.leavings.values_mut() {
            *of = moved(*of);
        }
        for one in self.turn_losses.values_mut() {
            one.player = moved(one.player);
        }
        let open = |closed_at: &Option<Millis>| closed_at.is_none();
        let flagged: Vec<_> = self
            .flags
            .values()
            .filter(|(flag, closed_at)| flag.player == adopter && open(closed_at))
            .map(|(flag, _)| flag.key)
            .collect();
        for (flag, closed_at) in self.flags.values_mut() {
            if !open(closed_at) || !flagged.contains(&flag.key) {
                flag.player = moved(flag.player);
            }
        }
    }

    /// Gives the adopter what the guest has laid down for a match, unless they have laid down something themselves.
    fn move_conditional_turns(&mut self, id: MatchId, guest: PlayerId, adopter: PlayerId) {
        let is_free =
            self.guests.contains_key(&adopter) && !self.conditional_turns.contains_key(&(id, adopter));
        if is_free && let Some(turns) = self.conditional_turns.remove(&(id, guest)) {
            self.conditional_turns.insert((id, adopter), turns);
        }
    }

    /// Whether a guest leaves in that way.
    fn is_leaving(&self, Departure { guest, adopter, .. }: Departure) -> bool {
        self.departures.get(&guest).is_some_and(|departure| departure.adopter == adopter)
    }

    /// Whether a guest adopts the player in seat 1.
    pub(super) fn adopts(&self, guest: PlayerId, seat1: Option<PlayerId>) -> bool {
        let departure = seat1.and_then(|seat1| self.departures.get(&seat1));
        departure.is_some_and(|departure| departure.adopter == Some(guest))
    }
}

/// Gives the adopter what stands between the guest and others. The adopter's own, which are newer, stay.
fn move_relations(relations: &mut Relations, adopter: PlayerId, guest: PlayerId, max: u32) {
    let of_adopter = relations.keys().filter(|(of, _)| *of == adopter).count();
    let mut moved: Vec<_> = relations
        .iter()
        .filter(|((of, to), _)| *of == guest && *to != adopter && !relations.contains_key(&(adopter, *to)))
        .map(|((_, to), at)| (*at, *to))
        .collect();
    moved.sort_unstable_by_key(|latest| Reverse(*latest));
    moved.truncate((max as usize).saturating_sub(of_adopter));
    let to_guest: Vec<_> = relations
        .iter()
        .filter(|((of, to), _)| *to == guest && *of != adopter)
        .map(|((of, _), at)| (*of, *at))
        .collect();
    relations.extend(moved.into_iter().map(|(at, to)| ((adopter, to), at)));
    for (of, at) in to_guest {
        relations.entry((of, adopter)).or_insert(at);
    }
    relations.retain(|(of, to), _| *of != guest && *to != guest);
}
