//! What has happened in a match, as the journal keeps it.

use lusoria_rules::{Call, Die, Played, Reason, Setup, Side, Step};
use serde::{Deserialize, Serialize};

use crate::{BySeat, Bytes32, MatchId, Millis, Player, RatedSeat, Seat, Seed, Terms, UnratedReason};

/// The version of the events below, written into the first one of each match.
pub const JOURNAL_VERSION: u16 = 1;

/// An event with its number and time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// 1, 2, 3 … without gaps.
    pub seq: u32,
    /// The number of the first event of the same append: what one command caused.
    pub first: u32,
    /// When, never before the event before it.
    pub at: Millis,
    /// What.
    pub event: Event,
}

/// What happened. Everything that a fold needs is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The match was made and seat 1 taken.
    Created {
        /// [`JOURNAL_VERSION`] when it was written.
        version: u16,
        /// What is played.
        terms: Terms,
        /// Seat 1.
        creator: Player,
        /// `s[0]` of the dice (docs/dice.md).
        commitment: Bytes32,
        /// The seed of seat 1.
        seed: SeatSeed,
        /// The match of which this is the rematch.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rematch_of: Option<MatchId>,
        /// The player who made the match, if the computer sits in their place.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        made_by: Option<Player>,
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
        /// Whose.
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
        /// What is on the clocks, in milliseconds; none without a clock.
        clocks_ms: Option<BySeat<Millis>>,
    },
    /// Each side threw one die to find out who begins.
    OpeningThrown {
        /// The number of the throw in the game, from 0.
        throw: u32,
        /// White's die.
        white: Die,
        /// Black's die.
        black: Die,
        /// Who begins, with both dice to play; none if the dice were equal.
        begins: Option<Side>,
    },
    /// A side has thrown; it is its turn.
    Thrown {
        /// Who has thrown.
        seat: Seat,
        /// As which side.
        side: Side,
        /// The number of the throw in the game, from 0.
        throw: u32,
        /// In the order drawn.
        dice: Vec<Die>,
    },
    /// A side played its turn.
    Turned {
        /// Who.
        seat: Seat,
        /// As which side.
        side: Side,
        /// The number of the event that gave the turn.
        answers: u32,
        /// What was played, in order.
        steps: Vec<TakenStep>,
        /// The position after it.
        position: Setup,
        /// The warning of a tafl game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<Call>,
        /// What is on the clocks now; none without a clock.
        clocks_ms: Option<BySeat<Millis>>,
        /// How much of the turn was given back for the line; never 0. `clocks_ms` has it already.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lag_ms: Option<Millis>,
        /// What the computer spent on it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thought: Option<Thought>,
    },
    /// A side could play nothing, and its turn passed by itself.
    Passed {
        /// Who.
        seat: Seat,
        /// As which side.
        side: Side,
    },
    /// A person took their last turn back, against the computer: with it every turn since. Their side has the
    /// turn again, with the dice that it had; the next throw of the game is the one that came next then.
    TakenBack {
        /// The seat that did so.
        seat: Seat,
        /// As which side.
        side: Side,
        /// The number of the event that gave the turn at first. This event gives it again.
        to: u32,
        /// Which turn of the game it is, from 1; passes count.
        turn: u32,
        /// The turns that count now in all games of the match; passes do not.
        turns: u32,
        /// What it had thrown, in the order drawn; empty in a tafl game.
        dice: Vec<Die>,
        /// The position at the start of the turn.
        position: Setup,
        /// What is on the clocks now; none without a clock.
        clocks_ms: Option<BySeat<Millis>>,
    },
    /// A draw was offered.
    DrawOffered {
        /// The seat that did so.
        seat: Seat,
    },
    /// The offer of a draw was declined.
    DrawDeclined {
        /// The seat that did so.
        seat: Seat,
    },
    /// The server had not been running; the side to play gets the time back.
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
        /// The winner; none for a draw or a game broken off.
        winner: Option<Seat>,
        /// The side that the winner played.
        winner_side: Option<Side>,
        /// What the winner scores; 0 without one.
        points: u8,
        /// Why.
        reason: GameEnd,
        /// `s[game]` of the dice.
        secret: Bytes32,
        /// The score of the match after it.
        score: BySeat<u16>,
    },
    /// The match ended.
    MatchEnded {
        /// How.
        end: MatchEnd,
    },
    /// The match changed the ratings of both players. Comes in the append of `MatchEnded`, right after it.
    Rated {
        /// Which constants were used (docs/ratings.md). After a release those of a number never change.
        constants: u16,
        /// Of each seat.
        seats: BySeat<RatedSeat>,
    },
    /// The operator took the rating of this match back: ratings are as if it had never been rated.
    Unrated {
        /// Why.
        reason: UnratedReason,
    },
    /// A rematch was offered.
    RematchOffered {
        /// The seat that did so.
        seat: Seat,
        /// The hash of the seed that the offerer brings to it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed_hash: Option<Bytes32>,
    },
    /// The offer of a rematch was declined.
    RematchDeclined {
        /// The seat that did so.
        seat: Seat,
    },
    /// The rematch was made.
    RematchAgreed {
        /// The new match.
        next: MatchId,
    },
}

/// The players whom an event names, each by `$as_option` of where they stand in it.
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
    /// What is played, of the first event of a match.
    pub const fn terms(&self) -> Option<&Terms> {
        match self {
            Event::Created { terms, .. } => Some(terms),
            _ => None,
        }
    }

    /// The players whom it names.
    pub fn players(&self) -> impl Iterator<Item = &Player> {
        players!(self, as_ref)
    }

    /// The same, to rename them.
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
    /// The player has committed to it and reveals it later.
    Hash(Bytes32),
}

impl SeatSeed {
    /// The seed, unless it is still to be revealed.
    pub const fn known(&self) -> Option<&Seed> {
        match self {
            Self::Brought(seed) | Self::Drawn(seed) => Some(seed),
            Self::Hash(_) => None,
        }
    }
}

/// Why a game ended.
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
    /// A later game of a series whose side did not make its first turn in time.
    NoShow,
    /// Without a clock: a player had gone, and the other one claimed the game.
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
    /// Broken off without a result.
    Aborted(AbortReason),
}

/// Why a match was broken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AbortReason {
    /// The creator withdrew it: before anybody joined, or while the computer played in their place.
    Withdrawn,
    /// Nobody joined in time.
    Expired,
    /// A player aborted it before both had made their first turn.
    Player(Seat),
    /// A seat did not reveal its seed in time.
    SeedNotRevealed(Seat),
    /// A side did not make its first turn in time.
    NoShow(Seat),
    /// Without a clock: nothing was played for a long time.
    Abandoned,
    /// The server's operator ended it.
    Operator,
}
