//! The events of a match, as the journal stores them.

use lusoria_rules::{Call, Die, Played, Reason, Setup, Side, Step};
use serde::{Deserialize, Serialize};

use crate::{
    BySeat, Bytes32, MatchId, Millis, Player, RatedSeat, Seat, Seed, Terms, TournamentId, UnratedReason,
};

/// The version of the events below, written into the first one of each match.
pub const JOURNAL_VERSION: u16 = 1;

/// An event with its number and time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// The sequence number: 1, 2, 3 … without gaps.
    pub seq: u32,
    /// The sequence number of the first event of the same append (the events that one command caused).
    pub first: u32,
    /// The time, never before that of the previous event.
    pub at: Millis,
    /// The event.
    pub event: Event,
}

/// An event. It contains everything that a fold needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The match was created and seat 1 taken.
    Created {
        /// [`JOURNAL_VERSION`] when it was written.
        version: u16,
        /// The terms.
        terms: Terms,
        /// Seat 1.
        creator: Player,
        /// `s[0]` of the dice (docs/dice.md).
        commitment: Bytes32,
        /// The seed of seat 1.
        seed: SeatSeed,
        /// The match that this one is a rematch of.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rematch_of: Option<MatchId>,
        /// The player who created the match, if the computer sits in their place.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        made_by: Option<Player>,
        /// The tournament that the match belongs to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tournament: Option<TournamentId>,
    },
    /// Seat 2 was taken.
    Joined {
        /// Seat 2.
        player: Player,
        /// The seed of seat 2.
        seed: SeatSeed,
    },
    /// A seat revealed the seed that it had committed to.
    SeedRevealed {
        /// The seat.
        seat: Seat,
        /// The seed.
        seed: Seed,
    },
    /// A game of the match began.
    GameStarted {
        /// From 1.
        game: u16,
        /// The seat that plays White (in a tafl game the king's side).
        white: Seat,
        /// The position at the start.
        position: Setup,
        /// The time on the clocks, in milliseconds; none without a clock.
        clocks_ms: Option<BySeat<Millis>>,
    },
    /// Each side threw one die to decide who begins.
    OpeningThrown {
        /// The number of the throw in the game, from 0.
        throw: u32,
        /// White's die.
        white: Die,
        /// Black's die.
        black: Die,
        /// The side that begins, with both dice to play; none if the dice were equal.
        begins: Option<Side>,
    },
    /// A side has thrown, and has the turn.
    Thrown {
        /// The seat that has thrown.
        seat: Seat,
        /// Its side.
        side: Side,
        /// The number of the throw in the game, from 0.
        throw: u32,
        /// The dice in the order drawn.
        dice: Vec<Die>,
    },
    /// A side played its turn.
    Turned {
        /// The seat.
        seat: Seat,
        /// Its side.
        side: Side,
        /// The number of the event that gave the turn.
        answers: u32,
        /// The steps in order.
        steps: Vec<TakenStep>,
        /// The position after it.
        position: Setup,
        /// The warning of a tafl game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<Call>,
        /// The time on the clocks now; none without a clock.
        clocks_ms: Option<BySeat<Millis>>,
        /// How much of the turn was given back for lag; never 0. `clocks_ms` includes it already.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lag_ms: Option<Millis>,
        /// The computer's budget and use of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thought: Option<Thought>,
    },
    /// A side could play nothing, and its turn passed automatically.
    Passed {
        /// The seat.
        seat: Seat,
        /// Its side.
        side: Side,
    },
    /// A person took back their last turn, against the computer or as their opponent agreed, and with it every
    /// turn since. Their side has the turn again, with the same dice; the next throws of the game are the same
    /// as before.
    TakenBack {
        /// The seat.
        seat: Seat,
        /// Its side.
        side: Side,
        /// The number of the event that gave the turn at first. This event gives it again.
        to: u32,
        /// The number of the turn in the game, from 1; passes count.
        turn: u32,
        /// The number of turns that count now in all games of the match; passes do not.
        turns: u32,
        /// Its throw, in the order drawn; empty in a tafl game.
        dice: Vec<Die>,
        /// The position at the start of the turn.
        position: Setup,
        /// The time on the clocks now; none without a clock.
        clocks_ms: Option<BySeat<Millis>>,
    },
    /// A person offered to take back their last turn, against a person.
    TakebackOffered {
        /// The seat that offered it.
        seat: Seat,
        /// The number of the event in which it played the turn.
        turned: u32,
    },
    /// The offer to take a turn back was declined.
    TakebackDeclined {
        /// The seat that declined it.
        seat: Seat,
    },
    /// A draw was offered.
    DrawOffered {
        /// The seat that offered it.
        seat: Seat,
    },
    /// The offer of a draw was declined.
    DrawDeclined {
        /// The seat that declined it.
        seat: Seat,
    },
    /// The server was not running; the side to move gets the time back.
    Credited {
        /// The last moment at which it was known to run.
        from: Millis,
        /// When it started again.
        until: Millis,
        /// By how much the present term was extended.
        credit_ms: Millis,
    },
    /// A game of the match ended. This is the game's last event.
    GameEnded {
        /// From 1.
        game: u16,
        /// The winner; none for a draw or an aborted game.
        winner: Option<Seat>,
        /// The side that the winner played.
        winner_side: Option<Side>,
        /// The winner's points; 0 without a winner.
        points: u8,
        /// The reason.
        reason: GameEnd,
        /// `s[game]` of the dice.
        secret: Bytes32,
        /// The score of the match after it.
        score: BySeat<u16>,
    },
    /// The match ended.
    MatchEnded {
        /// The result.
        end: MatchEnd,
    },
    /// The match changed the ratings of both players. Follows `MatchEnded` in the same append.
    Rated {
        /// The number of the constants that were used (docs/ratings.md). After a release numbered constants
        /// never change.
        constants: u16,
        /// The change of each seat.
        seats: BySeat<RatedSeat>,
    },
    /// The operator took back the rating of this match: ratings are as if it had never been rated.
    Unrated {
        /// The reason.
        reason: UnratedReason,
    },
    /// A rematch was offered.
    RematchOffered {
        /// The seat that offered it.
        seat: Seat,
        /// The hash of the seed that the offerer brings to it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed_hash: Option<Bytes32>,
    },
    /// The offer of a rematch was declined.
    RematchDeclined {
        /// The seat that declined it.
        seat: Seat,
    },
    /// The rematch was created.
    RematchAgreed {
        /// The new match.
        next: MatchId,
    },
}

/// Matches an event to the places of its players, each as `$as_option`.
macro_rules! players {
    ($event:expr, $as_option:ident) => {{
        let (one, other) = match $event {
            Event::Created { creator, made_by, .. } => (Some(creator), made_by.$as_option()),
            Event::Joined { player, .. } => (Some(player), None),
            Event::SeedRevealed { .. }
            | Event::GameStarted { .. }
            | Event::OpeningThrown { .. }
            | Event::Thrown { .. }
            | Event::Turned { .. }
            | Event::Passed { .. }
            | Event::TakenBack { .. }
            | Event::TakebackOffered { .. }
            | Event::TakebackDeclined { .. }
            | Event::DrawOffered { .. }
            | Event::DrawDeclined { .. }
            | Event::GameEnded { .. }
            | Event::MatchEnded { .. }
            | Event::Rated { .. }
            | Event::Unrated { .. }
            | Event::RematchOffered { .. }
            | Event::RematchDeclined { .. }
            | Event::RematchAgreed { .. }
            | Event::Credited { .. } => (None, None),
        };
        one.into_iter().chain(other)
    }};
}

impl Event {
    /// The terms, in the first event of a match.
    pub const fn terms(&self) -> Option<&Terms> {
        match self {
            Event::Created { terms, .. } => Some(terms),
            _ => None,
        }
    }

    /// The players in the event.
    pub fn players(&self) -> impl Iterator<Item = &Player> {
        players!(self, as_ref)
    }

    /// The players in the event, to rename them.
    pub fn players_mut(&mut self) -> impl Iterator<Item = &mut Player> {
        players!(self, as_mut)
    }
}

/// What the computer spent on a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Thought {
    /// How many positions it was allowed to value: fewer, the more turns it had to think of
    /// at the same time.
    pub budget: u32,
    /// How many it did value.
    pub nodes: u32,
}

/// A step that was played, with what it did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TakenStep {
    /// The die played; none in tablut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub die: Option<Die>,
    /// Where the piece came from.
    pub from: String,
    /// Where it went to.
    pub to: String,
    /// The step sent an enemy piece away (zeno, scripta, tabula).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hit: bool,
    /// The step pinned an enemy piece (tavla).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pin: bool,
    /// The cells whose pieces were captured (tablut).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub captures: Vec<String>,
}

impl TakenStep {
    /// A step with what it did.
    pub fn new(step: Step, played: Played) -> Self {
        let (Step { die, from, to }, Played { hit, pin, captures }) = (step, played);
        Self { die, from, to, hit, pin, captures }
    }

    /// The step alone.
    pub fn step(&self) -> Step {
        Step { die: self.die, from: self.from.clone(), to: self.to.clone() }
    }
}

/// The seed of a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatSeed {
    /// The player brought it.
    Brought(Seed),
    /// The server drew it.
    Drawn(Seed),
    /// The player has committed to it, and reveals it later.
    Hash(Bytes32),
}

impl SeatSeed {
    /// The seed, unless it must still be revealed.
    pub const fn known(&self) -> Option<&Seed> {
        match self {
            Self::Brought(seed) | Self::Drawn(seed) => Some(seed),
            Self::Hash(_) => None,
        }
    }
}

/// The reason that a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameEnd {
    /// By the game's own rules.
    Rules(Reason),
    /// A player resigned.
    Resigned,
    /// The players agreed on a draw.
    Agreed,
    /// A side ran out of time.
    Time,
    /// A side did not play its first turn in time, in a later game of a series.
    NoShow,
    /// Without a clock: a player had gone, and the opponent claimed the game.
    Claimed,
    /// The match was aborted during this game.
    Aborted,
}

/// How a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchEnd {
    /// Won.
    Won(Seat),
    /// Drawn.
    Drawn,
    /// Aborted without a result.
    Aborted(AbortReason),
}

/// The reason that a match was aborted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AbortReason {
    /// The creator withdrew it: before anybody joined, or while the computer played in their place.
    Withdrawn,
    /// Nobody joined in time.
    Expired,
    /// A player aborted it before both had played their first turn.
    Player(Seat),
    /// A seat did not reveal its seed in time.
    SeedNotRevealed(Seat),
    /// A side did not play its first turn in time.
    NoShow(Seat),
    /// Without a clock: nothing was played for a long time.
    Abandoned,
    /// The server's operator ended it.
    Operator,
}
