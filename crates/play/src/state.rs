//! The state of a match, and its queries.

use std::collections::VecDeque;

use lusoria_rules::Turn;
use serde::{Deserialize, Serialize};

use crate::{
    Admission, BySeat, Bytes32, Clock, Game, GameEnd, GameResult, MatchEnd, MatchId, Millis, Player,
    PlayerId, Rated, Rematch, Seat, SeatSeed, Seed, Terms, ToPlay, TournamentId, rating::GameOutcome,
    term::Term,
};

/// How many answered turns a match remembers, to distinguish a repeated turn from a wrong one.
pub(crate) const ANSWERED_MAX: usize = 64;

/// A match: the fold of its events.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    pub(crate) id: MatchId,
    pub(crate) terms: Terms,
    pub(crate) commitment: Bytes32,
    pub(crate) rematch_of: Option<MatchId>,
    pub(crate) made_by: Option<Player>,
    pub(crate) tournament: Option<TournamentId>,
    pub(crate) creator: Player,
    pub(crate) joiner: Option<Player>,
    pub(crate) seeds: BySeat<Option<SeatSeed>>,
    pub(crate) score: BySeat<u16>,
    pub(crate) game: Option<Game>,
    /// The results of the first two games, once they have ended: as many as a rating needs.
    pub(crate) outcomes: [Option<GameOutcome>; 2],
    /// Which seats have played a turn in any of the games.
    pub(crate) have_turned: BySeat<bool>,
    pub(crate) end: Option<MatchEnd>,
    pub(crate) ended_at: Option<Millis>,
    pub(crate) rated: Option<Rated>,
    pub(crate) rematch: Rematch,
    /// The present term; none once the match has ended.
    pub(crate) term: Option<Term>,
    pub(crate) credited_until: Millis,
    /// The latest turns, the oldest first.
    pub(crate) answered: VecDeque<Answered>,
    pub(crate) turns: u32,
    pub(crate) takebacks: u32,
    pub(crate) created_at: Millis,
    pub(crate) head: u32,
    pub(crate) last_at: Millis,
}

/// A turn that was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Answered {
    /// The event that gave it.
    pub(crate) given: u32,
    /// The event that recorded it.
    pub(crate) turned: u32,
    pub(crate) seat: Seat,
}

/// The phase of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase {
    /// Nobody has taken seat 2.
    Open,
    /// These seats must still reveal their seeds.
    AwaitingSeeds(Vec<Seat>),
    /// A game is being played.
    Playing,
    /// It is over.
    Ended(MatchEnd),
}

/// Where a match stands, as lists sort it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MatchStage {
    /// It waits for somebody to take seat 2.
    Open,
    /// Both seats are taken; it is played.
    Live,
    /// It has ended.
    Finished,
}

/// The seats of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sits {
    /// They are not a player of the match.
    Nowhere,
    /// In one seat.
    At(Seat),
    /// In both ([`Admission::BothSeats`]).
    InBoth,
}

impl Match {
    /// Its id.
    pub const fn id(&self) -> MatchId {
        self.id
    }

    /// The terms.
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The match that this one is a rematch of.
    pub const fn rematch_of(&self) -> Option<MatchId> {
        self.rematch_of
    }

    /// The player who created it, if the computer sits in their place.
    pub const fn made_by(&self) -> Option<&Player> {
        self.made_by.as_ref()
    }

    /// The tournament that it belongs to.
    pub const fn tournament(&self) -> Option<TournamentId> {
        self.tournament
    }

    /// `s[0]` of the dice.
    pub const fn commitment(&self) -> Bytes32 {
        self.commitment
    }

    /// The phase.
    pub fn phase(&self) -> Phase {
        match (self.end, &self.game, &self.joiner) {
            (Some(end), _, _) => Phase::Ended(end),
            (None, Some(_), _) => Phase::Playing,
            (None, None, Some(_)) => Phase::AwaitingSeeds(self.unrevealed().collect()),
            (None, None, None) => Phase::Open,
        }
    }

    /// The result.
    pub const fn end(&self) -> Option<MatchEnd> {
        self.end
    }

    /// The player in that seat.
    pub const fn player(&self, seat: Seat) -> Option<&Player> {
        match seat {
            Seat::One => Some(&self.creator),
            Seat::Two => self.joiner.as_ref(),
        }
    }

    /// Whether a turn in response to event `given` may have been played too long ago to be remembered, so
    /// that only the journal knows.
    pub fn has_forgotten(&self, given: u32) -> bool {
        self.answered.len() == ANSWERED_MAX
            && self.answered.front().is_some_and(|oldest| given < oldest.given)
    }

    /// Whether the computer has that seat.
    pub fn is_computer(&self, seat: Seat) -> bool {
        self.player(seat).is_some_and(|player| player.kind.level().is_some())
    }

    /// The seats of that player.
    pub fn sits(&self, player: PlayerId) -> Sits {
        let at = |seat| self.player(seat).is_some_and(|sitting| sitting.id == player);
        match (at(Seat::One), at(Seat::Two)) {
            (false, false) => Sits::Nowhere,
            (true, false) => Sits::At(Seat::One),
            (false, true) => Sits::At(Seat::Two),
            (true, true) => Sits::InBoth,
        }
    }

    /// The points of both seats.
    pub const fn score(&self) -> BySeat<u16> {
        self.score
    }

    /// The public part of a seat's seed: its hash until it is revealed, then the seed. None while nobody sits
    /// there.
    pub const fn seed(&self, seat: Seat) -> Option<&SeatSeed> {
        self.seeds.get(seat).as_ref()
    }

    /// The game being played, or the last one; none before the first.
    pub const fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// The turn to play; none unless a game is in progress.
    pub fn to_play(&self) -> Option<&ToPlay> {
        self.game.as_ref()?.to_play.as_ref()
    }

    /// When the time of the present turn began: when it was given, or later by the credit for outages. None
    /// unless a game is in progress.
    pub fn turn_since(&self) -> Option<Millis> {
        self.to_play()?;
        Some(self.term?.ends(0))
    }

    /// The present turn without any step, to list the legal ones.
    pub fn turn(&self) -> Option<Turn> {
        let game = self.game.as_ref()?;
        game.position.turn(&game.to_play.as_ref()?.dice).ok()
    }

    /// The seat for which the match waits: to play a turn, or to reveal its seed.
    pub fn waits_for(&self) -> Option<Seat> {
        match self.phase() {
            Phase::Open | Phase::Ended(_) => None,
            Phase::AwaitingSeeds(seats) => seats.first().copied(),
            Phase::Playing => self.to_play().map(|to_play| to_play.seat),
        }
    }

    /// The clocks at `now`, in milliseconds; none without a clock, or before the first game. In
    /// correspondence games both clocks show a full term, except the running one. A side's first turn in a
    /// game with another clock is free.
    pub fn clocks_ms(&self, now: Millis) -> Option<BySeat<Millis>> {
        let game = self.game.as_ref()?;
        let mut clocks = game.clocks_ms?;
        if let (Some(to_play), Some(term)) = (&game.to_play, self.term) {
            let clock = clocks.get_mut(to_play.seat);
            let first = !game.has_played(to_play.seat);
            *clock = clock.saturating_sub(self.terms.clock.charge(term.elapsed(now), first));
        }
        if let Some(GameResult { winner: Some(winner), reason: GameEnd::Time, .. }) = game.result {
            *clocks.get_mut(winner.other()) = 0;
        }
        Some(clocks)
    }

    /// The clocks after the present turn if it ends now and `lag_ms` of it is given back.
    pub(crate) fn clocks_after_turn_ms(&self, now: Millis, lag_ms: Millis) -> Option<BySeat<Millis>> {
        let game = self.game.as_ref()?;
        let mut clocks = game.clocks_ms?;
        let (to_play, term) = (game.to_play.as_ref()?, self.term?);
        let clock = clocks.get_mut(to_play.seat);
        let first = !game.has_played(to_play.seat);
        *clock = self.terms.clock.after_turn_ms(*clock, term.elapsed(now), lag_ms, first);
        Some(clocks)
    }

    /// The seat whose offer of a draw is open.
    pub fn draw_offer(&self) -> Option<Seat> {
        self.game.as_ref()?.draw_offer
    }

    /// Whether the seat may offer a draw now: it has played a turn since its last offer, and no offer is
    /// open.
    pub fn may_offer_draw(&self, seat: Seat) -> bool {
        self.game.as_ref().is_some_and(|game| {
            game.result.is_none() && game.draw_offer.is_none() && !game.has_offered.get(seat)
        })
    }

    /// The state of a rematch.
    pub const fn rematch(&self) -> &Rematch {
        &self.rematch
    }

    /// The number of its last event.
    pub const fn head(&self) -> u32 {
        self.head
    }

    /// When it was created.
    pub const fn created_at(&self) -> Millis {
        self.created_at
    }

    /// When its last event happened.
    pub const fn last_at(&self) -> Millis {
        self.last_at
    }

    /// The number of turns in all its games, without passes and turns that were taken back.
    pub const fn turns(&self) -> u32 {
        self.turns
    }

    /// Whether both sides have played their first turn of the first game: from then on the match cannot be
    /// aborted.
    pub fn under_way(&self) -> bool {
        self.game
            .as_ref()
            .is_some_and(|game| game.number > 1 || Seat::BOTH.into_iter().all(|seat| game.has_played(seat)))
    }

    /// The seats that have committed to a seed and not revealed it.
    pub(crate) fn unrevealed(&self) -> impl Iterator<Item = Seat> {
        Seat::BOTH.into_iter().filter(|&seat| matches!(self.seed(seat), Some(SeatSeed::Hash(_))))
    }

    /// Both seeds, once they are known.
    pub(crate) fn known_seeds(&self) -> Option<(&Seed, &Seed)> {
        Some((self.seed(Seat::One)?.known()?, self.seed(Seat::Two)?.known()?))
    }

    /// How long an open match waits for an opponent, in milliseconds.
    pub(crate) const fn open_for_ms(&self) -> Millis {
        match (self.terms.admission, self.terms.clock) {
            (Admission::Invitation, _) | (_, Clock::Days { .. }) => Clock::INVITED_FOR_MS,
            (
                Admission::Open | Admission::BothSeats,
                Clock::None {} | Clock::Fischer { .. } | Clock::Delay { .. },
            ) => Clock::OPEN_FOR_MS,
        }
    }
}
