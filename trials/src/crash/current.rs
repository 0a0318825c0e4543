//! A match as its two players see it, and the requests that they may send next.

use lusoria_client::MatchView;
use lusoria_protocol::{
    Admission, Draw, Event, EventKind, GuestId, IdempotencyKey, JoinMatch, MatchId, OfferAction, OneTimeCode,
    PlayTurn, PlayerSeed, Rematch, Resign, ResignScope, RevealSeed, Seat, Snapshot, SpendInvitation, ToPlay,
    socket::{MatchCommand, Op},
};
use rand::{Rng, RngExt, rngs::StdRng};

use super::{TrialError, error::read, seen::Seen, wish::Wish};

/// A match that two players play.
pub(crate) struct Current {
    pub(crate) seen: Seen,
    /// The place in the pair of the player in seat 1.
    pub(crate) creator: usize,
    /// The match by its events; none before its snapshot was read.
    pub(crate) view: Option<MatchView>,
    /// The seed that seat 1 has committed to, until it is revealed.
    pub(crate) seed: Option<PlayerSeed>,
    pub(crate) code: Option<OneTimeCode>,
    /// The turn in which a draw was offered last.
    offered_in: u32,
    rematch_declined: bool,
    pub(crate) next: Option<MatchId>,
}

/// The next request of a player, with their place in the pair.
pub(crate) type PlayerRequest = (usize, Wish);

impl Current {
    /// A match of which only the id is known.
    pub(crate) const fn named(id: MatchId) -> Self {
        Self {
            seen: Seen::of(id),
            creator: 0,
            view: None,
            seed: None,
            code: None,
            offered_in: 0,
            rematch_declined: false,
            next: None,
        }
    }

    pub(crate) const fn id(&self) -> MatchId {
        self.seen.id()
    }

    /// Takes over a snapshot; `first` is the first player of the pair.
    pub(crate) fn begin(&mut self, snapshot: Snapshot, first: GuestId) {
        self.creator = usize::from(snapshot.players.one.id != first);
        self.view = Some(snapshot.into());
    }

    /// Applies the events that were seen, up to the first gap.
    pub(crate) fn follow(&mut self) -> Result<(), TrialError> {
        let Some(view) = &mut self.view else { return Ok(()) };
        while let Some(text) = self.seen.event(view.head + 1) {
            let event: Event = read(text)?;
            view.follow(&event)?;
            // The rules know every position that the server sends.
            view.turn()?;
            match event.kind {
                EventKind::SeedRevealed { .. } => self.seed = None,
                EventKind::RematchDeclined { .. } => self.rematch_declined = true,
                EventKind::RematchAgreed { next } => self.next = Some(next),
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether there is a gap in the known events.
    pub(crate) fn lacks(&self) -> bool {
        self.view.as_ref().is_some_and(|view| view.head < self.seen.head())
    }

    /// The player of the pair in that seat.
    pub(crate) const fn player(&self, seat: Seat) -> usize {
        match seat {
            Seat::One => self.creator,
            Seat::Two => 1 - self.creator,
        }
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.view.as_ref().is_some_and(MatchView::has_ended)
    }

    /// Draws a request that one of the players may send now; none if the match is over for them. `key` makes
    /// a new idempotency key.
    pub(crate) fn wish(
        &mut self,
        random: &mut StdRng,
        key: &mut impl FnMut() -> IdempotencyKey,
    ) -> Option<PlayerRequest> {
        let id = self.id();
        let Some(view) = &self.view else {
            return Some((self.creator, Wish::Snapshot(id)));
        };
        if view.has_ended() {
            return self.after_the_end(view, random, key);
        }
        let joiner = self.player(Seat::Two);
        if view.players.two.is_none() {
            let seed = random.random_ratio(1, 2).then(|| seed(random));
            return Some(match (&self.code, view.admission) {
                (Some(code), _) => {
                    let request = SpendInvitation { code: code.clone(), seed };
                    (joiner, Wish::SpendInvitation(Some(key()), request))
                }
                (None, Admission::Invitation) => (self.creator, Wish::Invite(id)),
                (None, _) => (joiner, command(id, Some(key()), JoinMatch { seed })),
            });
        }
        if let Some(seed) = &self.seed {
            return Some((self.creator, command(id, Some(key()), RevealSeed { seed: seed.clone() })));
        }
        let ToPlay { seat, seq, .. } = *view.to_play.as_ref()?;
        let mover = self.player(seat);
        if let Some(offerer) = view.draw_offered_by {
            let action = if random.random_ratio(1, 8) { OfferAction::Accept } else { OfferAction::Decline };
            let answerer = self.player(offerer.other());
            return Some((answerer, command(id, Some(key()), Draw { action })));
        }
        if self.offered_in != seq && random.random_ratio(1, 30) {
            self.offered_in = seq;
            let action = OfferAction::Offer;
            return Some((mover, command(id, Some(key()), Draw { action })));
        }
        if random.random_ratio(1, 400) {
            let scope = if random.random_ratio(1, 2) { ResignScope::Game } else { ResignScope::Match };
            return Some((mover, command(id, Some(key()), Resign { scope })));
        }
        // `follow` and `check` have made sure that the rules accept the position.
        let steps = view.choose(random).ok()??;
        Some((mover, command(id, None, PlayTurn { seq, steps })))
    }

    fn after_the_end(
        &self,
        view: &MatchView,
        random: &mut impl Rng,
        key: &mut impl FnMut() -> IdempotencyKey,
    ) -> Option<PlayerRequest> {
        if self.next.is_some() || self.rematch_declined {
            return None;
        }
        let id = self.id();
        let mut ask = |who, action| (who, command(id, Some(key()), Rematch { action, seed_hash: None }));
        match view.rematch.as_ref().and_then(|rematch| rematch.offered_by) {
            Some(offerer) => {
                let action =
                    if random.random_ratio(3, 4) { OfferAction::Accept } else { OfferAction::Decline };
                Some(ask(self.player(offerer.other()), action))
            }
            None if random.random_ratio(1, 2) => {
                Some(ask(usize::from(random.random_ratio(1, 2)), OfferAction::Offer))
            }
            None => None,
        }
    }
}

fn command(id: MatchId, key: Option<IdempotencyKey>, command: impl Into<MatchCommand>) -> Wish {
    Wish::Command(Op::command(id, key, command))
}

/// A seed such as a player might choose.
pub(crate) fn seed(random: &mut impl Rng) -> PlayerSeed {
    let text = format!("alea {}", random.random::<u32>());
    text.parse().expect("letters and digits make a seed")
}
