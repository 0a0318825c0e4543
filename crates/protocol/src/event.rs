//! What has happened in a match.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{
    Admission, BySeat, Call, CardPlayer, Clock, Die, Game, Hash, MatchId, Options, PlayAs, PlayerSeed,
    Position, RatedSeat, Seat, SeatSeed, SideName, TakenStep, Thought, UnratedReason,
};

/// An event of a match. It never changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Event {
    /// The match.
    #[serde(rename = "match")]
    pub id: MatchId,
    /// 1, 2, 3 … without gaps.
    pub seq: u32,
    /// When, never before the event before it.
    pub at: u64,
    /// What.
    #[serde(flatten)]
    pub kind: EventKind,
}

impl Event {
    /// The event as those get it who ask for `positions: false`: of a turn, without the position
    /// after it.
    #[must_use]
    pub fn without_position(mut self) -> Self {
        if let EventKind::Turned { position, .. } = &mut self.kind {
            *position = None;
        }
        self
    }
}

/// What happened. New types may be added within this version of the API: ignore those
/// that you do not know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EventKind {
    /// The match was made and seat 1 taken.
    Created {
        /// The version of the events that follow.
        version: u16,
        /// What is played.
        game: Game,
        /// With which options.
        options: Options,
        /// Points to win the match; 1 is a single game.
        points: u16,
        /// How many games: 2 in a pair, in which the sides are exchanged; absent otherwise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(minimum = 2, maximum = 2))]
        games: Option<u8>,
        /// The clock.
        clock: Clock,
        /// Who may join.
        admission: Admission,
        /// The side that the creator asked for.
        side: PlayAs,
        /// Whether it changes the ratings of both players; absent if not.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        rated: bool,
        /// Seat 1.
        player: CardPlayer,
        /// `s[0]` of the dice.
        commitment: Hash,
        /// The seed of seat 1.
        seed: SeatSeed,
        /// The match of which this is the rematch.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rematch_of: Option<MatchId>,
        /// Who made the match and lets the computer play in seat 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        made_by: Option<CardPlayer>,
    },
    /// Seat 2 was taken.
    Joined {
        /// Seat 2.
        player: CardPlayer,
        /// The seed of seat 2.
        seed: SeatSeed,
    },
    /// A seat revealed the seed that it had committed to.
    SeedRevealed {
        /// Whose.
        seat: Seat,
        /// The seed.
        seed: PlayerSeed,
    },
    /// A game of the match began.
    GameStarted {
        /// From 1.
        game_number: u16,
        /// Who plays which side.
        sides: BySeat<SideName>,
        /// The position at the start.
        position: Position,
        /// What is on the clocks; absent without a clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks_ms: Option<BySeat<u64>>,
    },
    /// Tavla: each side threw one die; the higher begins with both dice. A tie is thrown again.
    OpeningThrown {
        /// The number of the throw in the game, from 0.
        throw: u32,
        /// White's die.
        white: Die,
        /// Black's die.
        black: Die,
        /// Who begins; absent if the dice were equal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        begins: Option<SideName>,
    },
    /// A side has thrown; it is its turn, unless it can play nothing.
    Thrown {
        /// Who.
        seat: Seat,
        /// As which side.
        side: SideName,
        /// The number of the throw in the game, from 0.
        throw: u32,
        /// In the order thrown.
        dice: Vec<Die>,
    },
    /// A side played its turn.
    Turned {
        /// Who.
        seat: Seat,
        /// As which side.
        side: SideName,
        /// The number of the event that gave the turn.
        answers: u32,
        /// What was played, in order.
        steps: Vec<TakenStep>,
        /// The same as people write it.
        notation: String,
        /// The position after it: always there unless `positions: false` was asked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        position: Option<Position>,
        /// Tablut's warning.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<Call>,
        /// What is on the clocks now; absent without a clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks_ms: Option<BySeat<u64>>,
        /// How much of the turn was given back for the line to the player: `clocks_ms` has it
        /// already. Absent if nothing was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lag_ms: Option<u64>,
        /// What the computer spent on it; absent for others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thought: Option<Thought>,
    },
    /// A side could play nothing, and its turn passed by itself.
    Passed {
        /// Who.
        seat: Seat,
        /// As which side.
        side: SideName,
    },
    /// A person took their last turn back, against the computer, and with it all turns since. They have the turn
    /// again, given by this event, with the same dice; the throws after it come again, too.
    TakenBack {
        /// Who.
        seat: Seat,
        /// As which side.
        side: SideName,
        /// The number of the event that gave the turn at first.
        to: u32,
        /// Which turn of the game it is, from 1; passes count.
        turn: u32,
        /// The turns that count now in all games of the match; passes do not.
        turns: u32,
        /// What it had thrown, in the order thrown; empty in tablut.
        dice: Vec<Die>,
        /// The position at the start of the turn.
        position: Position,
        /// What is on the clocks now; absent without a clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks_ms: Option<BySeat<u64>>,
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
        /// The last moment at which the server was known to run.
        down_at: u64,
        /// When it started again.
        up_at: u64,
        /// By how much the present term was put off.
        credit_ms: u64,
    },
    /// A game of the match ended. This is the game's last event.
    GameEnded {
        /// From 1.
        game_number: u16,
        /// The winner's seat; absent for a draw or a game broken off.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        winner_seat: Option<Seat>,
        /// The winner's side.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        winner_side: Option<SideName>,
        /// What the winner scores; 0 without one.
        points: u8,
        /// Why.
        reason: GameEnd,
        /// The game's secret, from which everyone can compute its dice.
        secret: Hash,
        /// The score of the match after it.
        score: BySeat<u16>,
    },
    /// The match ended.
    MatchEnded {
        /// How.
        result: MatchResult,
        /// The winner's seat.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        winner_seat: Option<Seat>,
        /// Why it was broken off.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<AbortReason>,
        /// The seat that caused it to be broken off.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by_seat: Option<Seat>,
    },
    /// The match changed the ratings of both players. It follows `match_ended` at once.
    Rated {
        /// Which constants were used (docs/ratings.md).
        constants: u16,
        /// Of each seat.
        seats: BySeat<RatedSeat>,
    },
    /// The operator took the rating of this match back: ratings are as if it had never been rated. Those that later
    /// matches told stay as they were told.
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
        seed_hash: Option<Hash>,
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

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum GameEnd {
    /// The winner has borne off all pieces.
    BorneOff,
    /// The same while the loser had borne off none (tavla): counts 2.
    Mars,
    /// Tavla's option `double_loss`: the loser's first piece is pinned at its start: counts 2.
    Mother,
    /// Tavla: both sides have a piece pinned at its start: a draw.
    DeadDraw,
    /// No roll of either side could ever be played again: a draw.
    DeadPosition,
    /// Tablut: the king has reached an edge.
    KingEscaped,
    /// Tablut: the king is captured.
    KingCaptured,
    /// Tablut: the side to move had no legal move and lost.
    NoMove,
    /// Tablut: the same position for the third time: a draw.
    Repetition,
    /// Tablut: a hundred moves of each side without a capture: a draw.
    Drought,
    /// The loser resigned.
    Resigned,
    /// The players agreed on a draw.
    Agreed,
    /// The loser ran out of time.
    Time,
    /// In a later game of a series, the loser did not make the first turn in time.
    NoShow,
    /// Without a clock: the loser had gone, and the winner claimed the game.
    Claimed,
    /// The match was broken off during this game.
    Aborted,
}

/// How a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MatchResult {
    /// Somebody won.
    Won,
    /// A draw.
    Drawn,
    /// Broken off without a result.
    Aborted,
}

/// Why a match was broken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AbortReason {
    /// The creator withdrew it: before anybody joined, or while the computer played in their
    /// place.
    Withdrawn,
    /// Nobody joined in time.
    Expired,
    /// A player aborted it before both had made their first turn.
    Player,
    /// A seat did not reveal its seed in time.
    SeedNotRevealed,
    /// A side did not make its first turn in time.
    NoShow,
    /// Without a clock: nothing was played for a long time.
    Abandoned,
    /// The server's operator ended it.
    Operator,
}
