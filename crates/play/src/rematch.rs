//! Rematches.

use lusoria_rules::Side;

use crate::{
    BySeat, Bytes32, Colours, Creation, Event, Length, Match, MatchEnd, MatchId, PlayerId, Refusal, Seat,
    SeedBrought, Sits, Terms, append::Append,
};

/// The state of a rematch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rematch {
    offer: Option<RematchOffer>,
    has_offered: BySeat<bool>,
    next: Option<MatchId>,
}

/// An offer of a rematch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RematchOffer {
    /// The seat that offers.
    pub seat: Seat,
    /// The hash of the seed that the offerer brings to it.
    pub seed_hash: Option<Bytes32>,
}

impl Rematch {
    /// The open offer.
    pub const fn offer_standing(&self) -> Option<RematchOffer> {
        self.offer
    }

    /// Whether the seat has used its only offer.
    pub const fn has_offered(&self, seat: Seat) -> bool {
        *self.has_offered.get(seat)
    }

    /// The match that was created.
    pub const fn next(&self) -> Option<MatchId> {
        self.next
    }

    pub(crate) fn offer(&mut self, seat: Seat, seed_hash: Option<Bytes32>) {
        self.offer = Some(RematchOffer { seat, seed_hash });
        *self.has_offered.get_mut(seat) = true;
    }

    pub(crate) fn decline(&mut self) {
        self.offer = None;
    }

    pub(crate) fn agree(&mut self, next: MatchId) {
        self.offer = None;
        self.next = Some(next);
    }
}

impl Match {
    /// The data for the rematch when `by` accepts the open offer: the same terms with the colours changed (in
    /// a tafl game the winner of the last game takes the king's side, after a draw the sides change; tafl 9).
    /// In a pair the other player begins as White. The offerer takes seat 1.
    ///
    /// The caller creates the match with [`Match::create`] and applies [`crate::Command::AcceptRematch`] to
    /// this one, both in one transaction.
    ///
    /// # Errors
    /// If there is no offer that this player can accept.
    pub fn rematch_creation(
        &self,
        by: PlayerId,
        seed: SeedBrought,
        id: MatchId,
        commitment: Bytes32,
    ) -> Result<Creation, Refusal> {
        let offer = self.rematch_offer_to(by)?;
        let offerer = self.player(offer.seat).ok_or(Refusal::NoRematch)?.clone();
        let accepter = self.player(offer.seat.other()).ok_or(Refusal::NoRematch)?.clone();
        let last = self.game.as_ref().ok_or(Refusal::NoRematch)?;
        let white = match (self.terms.length, self.outcomes[0]) {
            (Length::Pair, Some(first)) => first.white.other(),
            (Length::Pair, None) | (Length::Points(_), _) => {
                last.next_white(self.terms.variant, self.terms.length)
            }
        };
        let side = if white == offer.seat { Side::White } else { Side::Black };
        Ok(Creation {
            id,
            terms: Terms { colours: Colours::SeatOne(side), ..self.terms },
            creator: offerer,
            commitment,
            seed: offer.seed_hash.map_or(SeedBrought::Nothing, SeedBrought::Hash),
            made_by: None,
            joiner: Some((accepter, seed)),
            rematch_of: Some(self.id),
            tournament: None,
        })
    }

    /// Whether the match can have a rematch.
    fn refuse_without_rematch(&self) -> Result<(), Refusal> {
        match self.end {
            None => Err(Refusal::NotOver),
            Some(MatchEnd::Aborted(_)) => Err(Refusal::NoRematch),
            Some(MatchEnd::Won(_) | MatchEnd::Drawn) if self.rematch.next.is_some() => {
                Err(Refusal::RematchMade)
            }
            Some(MatchEnd::Won(_) | MatchEnd::Drawn) => Ok(()),
        }
    }

    /// The open offer, if this player can answer it.
    fn rematch_offer_to(&self, by: PlayerId) -> Result<RematchOffer, Refusal> {
        let sits = self.sits(by);
        if sits == Sits::Nowhere {
            return Err(Refusal::NotAPlayer);
        }
        self.refuse_without_rematch()?;
        let offer = self.rematch.offer.ok_or(Refusal::NoOffer)?;
        if sits == Sits::At(offer.seat) { Err(Refusal::NoOffer) } else { Ok(offer) }
    }
}

impl Append<'_> {
    /// Each seat can offer once; a player who holds both seats offers for seat 1.
    pub(crate) fn offer_rematch(&mut self, by: PlayerId, seed_hash: Option<Bytes32>) -> Result<(), Refusal> {
        self.state().refuse_without_rematch()?;
        let seat = match self.state().sits(by) {
            Sits::Nowhere => return Err(Refusal::NotAPlayer),
            Sits::At(seat) => seat,
            Sits::InBoth => Seat::One,
        };
        if self.state().rematch.offer.is_some() || self.state().rematch.has_offered(seat) {
            return Err(Refusal::RematchOffered);
        }
        self.emit(Event::RematchOffered { seat, seed_hash });
        Ok(())
    }

    pub(crate) fn decline_rematch(&mut self, by: PlayerId) -> Result<(), Refusal> {
        let offer = self.state().rematch_offer_to(by)?;
        self.emit(Event::RematchDeclined { seat: offer.seat.other() });
        Ok(())
    }

    pub(crate) fn accept_rematch(&mut self, by: PlayerId, next: MatchId) -> Result<(), Refusal> {
        self.state().rematch_offer_to(by)?;
        self.emit(Event::RematchAgreed { next });
        Ok(())
    }
}
