//! Creates matches.

use crate::{
    Admission, Bytes32, Chance, Event, JOURNAL_VERSION, Match, MatchId, Millis, Player, Recorded, SeatSeed,
    SeedBrought, Terms, TermsError, TournamentId, append::Append,
};

/// The data from which a match is created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Creation {
    /// Its id.
    pub id: MatchId,
    /// The terms.
    pub terms: Terms,
    /// The player in seat 1; with [`Admission::BothSeats`] in seat 2 as well.
    pub creator: Player,
    /// `s[0]` of the dice.
    pub commitment: Bytes32,
    /// The seed of seat 1.
    pub seed: SeedBrought,
    /// The player who created it, if they let the computer play in seat 1.
    pub made_by: Option<Player>,
    /// The player who takes seat 2 at once, with their seed: the computer, or in a rematch the player who
    /// accepts.
    pub joiner: Option<(Player, SeedBrought)>,
    /// The match that this one is a rematch of.
    pub rematch_of: Option<MatchId>,
    /// The tournament that it belongs to.
    pub tournament: Option<TournamentId>,
}

impl Match {
    /// Creates a match, and starts its first game if both seats are taken and no seed must still be revealed.
    /// The events are one append.
    ///
    /// # Errors
    /// If the terms are out of range.
    pub fn create(
        creation: Creation,
        now: Millis,
        chance: &mut dyn Chance,
    ) -> Result<(Self, Vec<Recorded>), TermsError> {
        let Creation { id, terms, creator, commitment, seed, made_by, joiner, rematch_of, tournament } =
            creation;
        terms.check()?;
        let joiner = match terms.admission {
            Admission::BothSeats => joiner.or_else(|| Some((creator.clone(), SeedBrought::Nothing))),
            Admission::Open | Admission::Invitation => joiner,
        };
        let seed = seat_seed(seed, chance);
        let version = JOURNAL_VERSION;
        let event =
            Event::Created { version, terms, creator, commitment, seed, rematch_of, made_by, tournament };
        let created = Recorded { seq: 1, first: 1, at: now, event };
        let mut state = Self::created(id, created.clone()).expect("the first event makes the match");
        let mut append = Append::continuing(&mut state, created, chance);
        if let Some((player, seed)) = joiner {
            let seed = seat_seed(seed, append.chance());
            append.emit(Event::Joined { player, seed });
            append.start_if_ready();
        }
        let events = append.into_events();
        Ok((state, events))
    }
}

fn seat_seed(brought: SeedBrought, chance: &mut dyn Chance) -> SeatSeed {
    match brought {
        SeedBrought::Nothing => SeatSeed::Drawn(chance.seed()),
        SeedBrought::Hash(hash) => SeatSeed::Hash(hash),
    }
}
