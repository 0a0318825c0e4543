//! The events of a match.

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
    /// Its time, never before that of the previous event.
    pub at: u64,
    /// The kind of event.
    #[serde(flatten)]
    pub kind: EventKind,
}

impl Event {
    /// The event for clients that ask for `positions: false`: a turn without the position after it.
    #[must_use]
    pub fn without_position(mut self) -> Self {
        if let EventKind::Turned { position, .. } = &mut self.kind {
            *position = None;
        }
        self
    }
}

/// The kind of event. New types may be added within this version of the API: ignore those that you do not know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EventKind {
    /// The match was created and seat 1 taken.
    Created {
        /// The version of the events that follow.
        version: u16,
        /// The game.
        game: Game,
        /// Its options.
        options: Options,
        /// Points to win the match; 1 is a single game.
        points: u16,
        /// The number of games: 2 in a pair, in which the sides are exchanged; absent otherwise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(minimum = 2, maximum = 2))]
        games: Option<u8>,
        /// The clock.
        clock: Clock,
        /// The admission: who may join.
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
        /// The creator, if the computer plays in seat 1 for them.
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
        /// The seat.
        seat: Seat,
        /// The seed.
        seed: PlayerSeed,
    },
    /// A game of the match began.
    GameStarted {
        /// From 1.
        game_number: u16,
        /// The sides of the seats.
        sides: BySeat<SideName>,
        /// The position at the start.
        position: Position,
        /// The remaining times; absent without a clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks_ms: Option<BySeat<u64>>,
    },
    /// Tavla: each side threw one die; the higher one begins with both dice. After a tie both throw again.
    OpeningThrown {
        /// The number of the throw in the game, from 0.
        throw: u32,
        /// White's die.
        white: Die,
        /// Black's die.
        black: Die,
        /// The side that begins; absent if the dice were equal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        begins: Option<SideName>,
    },
    /// A side has thrown; it is its turn, unless it can play nothing.
    Thrown {
        /// The seat.
        seat: Seat,
        /// Its side.
        side: SideName,
        /// The number of the throw in the game, from 0.
        throw: u32,
        /// In the order thrown.
        dice: Vec<Die>,
    },
    /// A side played its turn.
    Turned {
        /// The seat.
        seat: Seat,
        /// Its side.
        side: SideName,
        /// The number of the event that gave the turn.
        answers: u32,
        /// The steps, in order.
        steps: Vec<TakenStep>,
        /// The same in notation.
        notation: String,
        /// The position after it; absent only for clients that ask for `positions: false`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        position: Option<Position>,
        /// The warning in tablut.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<Call>,
        /// The remaining times; absent without a clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks_ms: Option<BySeat<u64>>,
        /// The time that was returned to the player for the lag of their line, already in `clocks_ms`. Absent if none
        /// was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lag_ms: Option<u64>,
        /// The computer's effort; absent for others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thought: Option<Thought>,
    },
    /// A side could play nothing, and its turn passed by itself.
    Passed {
        /// The seat.
        seat: Seat,
        /// Its side.
        side: SideName,
    },
    /// A person took their last turn back, against the computer or as their opponent agreed, and with it all turns
    /// since. They have the turn again, given by this event, with the same dice; the throws after it come again, too.
    TakenBack {
        /// The seat.
        seat: Seat,
        /// Its side.
        side: SideName,
        /// The number of the event that gave the turn at first.
        to: u32,
        /// The number of the turn in the game, from 1, including passes.
        turn: u32,
        /// The number of turns that count now in all games of the match, without passes.
        turns: u32,
        /// The dice of the turn, in the order thrown; empty in tablut.
        dice: Vec<Die>,
        /// The position at the start of the turn.
        position: Position,
        /// The remaining times; absent without a clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks_ms: Option<BySeat<u64>>,
    },
    /// A person offered to take their last turn back.
    TakebackOffered {
        /// The seat that did it.
        seat: Seat,
        /// The number of the event in which it played the turn.
        turned: u32,
    },
    /// The offer to take a turn back was declined.
    TakebackDeclined {
        /// The seat that did it.
        seat: Seat,
    },
    /// A draw was offered.
    DrawOffered {
        /// The seat that did it.
        seat: Seat,
    },
    /// The offer of a draw was declined.
    DrawDeclined {
        /// The seat that did it.
        seat: Seat,
    },
    /// The server had not been running; the time is returned to the side to play.
    Credited {
        /// The last moment at which the server was known to run.
        down_at: u64,
        /// When it started again.
        up_at: u64,
        /// The extension of the present deadline.
        credit_ms: u64,
    },
    /// A game of the match ended. This is the game's last event.
    GameEnded {
        /// From 1.
        game_number: u16,
        /// The winner's seat; absent for a draw or an aborted game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        winner_seat: Option<Seat>,
        /// The winner's side.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        winner_side: Option<SideName>,
        /// The winner's score; 0 without a winner.
        points: u8,
        /// The reason.
        reason: GameEnd,
        /// The game's secret, with which everyone can compute its dice.
        secret: Hash,
        /// The score of the match after it.
        score: BySeat<u16>,
    },
    /// The match ended.
    MatchEnded {
        /// The result.
        result: MatchResult,
        /// The winner's seat.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        winner_seat: Option<Seat>,
        /// The reason why it was aborted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<AbortReason>,
        /// The seat that caused the abort.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by_seat: Option<Seat>,
    },
    /// The match changed the ratings of both players. It follows `match_ended` at once.
    Rated {
        /// The version of the constants (docs/ratings.md).
        constants: u16,
        /// The change of each seat.
        seats: BySeat<RatedSeat>,
    },
    /// The operator revoked the rating of this match: ratings are as if it had never been rated. The events of later
    /// matches stay unchanged.
    Unrated {
        /// The reason.
        reason: UnratedReason,
    },
    /// A rematch was offered.
    RematchOffered {
        /// The seat that did it.
        seat: Seat,
        /// The hash of the offerer's seed for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed_hash: Option<Hash>,
    },
    /// The offer of a rematch was declined.
    RematchDeclined {
        /// The seat that did it.
        seat: Seat,
    },
    /// The rematch was created.
    RematchAgreed {
        /// The new match.
        next: MatchId,
    },
}

/// The reason why a game ended.
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
    /// Without a clock: the loser was away, and the winner claimed the game.
    Claimed,
    /// The match was aborted during this game.
    Aborted,
}

/// The result of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MatchResult {
    /// One player won.
    Won,
    /// A draw.
    Drawn,
    /// Aborted without a result.
    Aborted,
}

/// The reason why a match was aborted.
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
