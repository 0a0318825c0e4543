//! The state of a match.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{
    AbortReason, Admission, BySeat, Call, CardPlayer, Clock, DiceView, Die, Game, GuestId, Level, MatchId,
    MatchRatings, MatchResult, OfTournament, Options, PlayAs, PlayerKind, Position, Seat, Seated, SideName,
    Step,
};

/// The state of a match after event `head`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Snapshot {
    /// The match.
    pub id: MatchId,
    /// The tournament that it belongs to; absent if none, or if lists do not show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<OfTournament>,
    /// The number of its last event: watch `since` this one.
    pub head: u32,
    /// The time of its creation.
    pub created_at: u64,
    /// The time of its last change.
    pub updated_at: u64,
    /// The server's time, in milliseconds since the epoch.
    pub server_time: u64,
    /// The game.
    pub game: Game,
    /// Its options.
    pub options: Options,
    /// Points to win the match; 1 is a single game.
    pub points: u16,
    /// The number of games: 2 in a pair, in which the sides are exchanged; absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(minimum = 2, maximum = 2))]
    pub games: Option<u8>,
    /// The clock.
    pub clock: Clock,
    /// The admission: who may join.
    pub admission: Admission,
    /// The side that the creator asked for in the first game.
    pub side: PlayAs,
    /// Whether it changes the ratings of both players; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// Its state.
    pub state: MatchState,
    /// The players.
    pub players: Seated<PlayerView>,
    /// The score.
    pub score: BySeat<u16>,
    /// The game being played or played last, from 1; 0 before the first.
    pub game_number: u16,
    /// The sides of the seats in that game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sides: Option<BySeat<SideName>>,
    /// The position of that game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// The side to play and its turn; absent if it is nobody's turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_play: Option<ToPlay>,
    /// The part of the turn that its player has shown; absent if none. Players show their turn once they have
    /// uncovered their throw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub building: Option<BuildingView>,
    /// The clocks; absent without a clock and while no game is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClocksView>,
    /// The next deadline: a loss on time, a no-show, an expiry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_at: Option<u64>,
    /// The seat with an open draw offer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_offered_by: Option<Seat>,
    /// Whether you may offer a draw now; absent unless you play and a game is being played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub may_offer_draw: Option<bool>,
    /// The state of a rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch: Option<RematchView>,
    /// The creator, if the computer plays in seat 1 for them; they may abort the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_by: Option<CardPlayer>,
    /// The match of which this one is the rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch_of: Option<MatchId>,
    /// Tablut: the state beyond the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tafl: Option<TaflView>,
    /// Dice games: the pips that each seat still needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pips: Option<BySeat<u32>>,
    /// The number of sockets and streams that watch it now, without those of its players; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spectators: Option<u32>,
    /// The number of turns so far, without passes and turns that were taken back.
    pub turns: u32,
    /// The number of turns taken back; absent if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takebacks: Option<u32>,
    /// The event in which you played the turn that you may take back, or offer to take back if you play against a
    /// person; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub may_take_back: Option<u32>,
    /// The open offer to take a turn back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takeback_offer: Option<TakebackOffer>,
    /// Its result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultView>,
    /// The changes of its players' ratings; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratings: Option<MatchRatings>,
    /// The public data of the dice.
    pub dice: DiceView,
    /// Your seats, if you sent a token; empty if you only watch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub your_seats: Option<Vec<Seat>>,
}

/// A turn that is being built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct BuildingView {
    /// The steps so far.
    pub steps: Vec<Step>,
    /// The position after them.
    pub position: Position,
}

/// The state of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MatchState {
    /// It waits for an opponent.
    Open,
    /// Both seats are taken; a seed must still be revealed.
    AwaitingSeeds,
    /// It is played.
    Playing,
    /// It has ended.
    Ended,
}

/// A player of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PlayerView {
    /// Their id.
    pub id: GuestId,
    /// Their name when they took the seat.
    pub name: String,
    /// Whether they are a person, a bot or the computer.
    #[serde(default)]
    pub kind: PlayerKind,
    /// The level of the computer; only if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// Whether they watch the match now, over a socket or a stream; the computer always does.
    pub connected: bool,
    /// The time since which they have been disconnected, if they are; never before the match was created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone_since_at: Option<u64>,
}

/// The side to play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ToPlay {
    /// The seat.
    pub seat: Seat,
    /// Its side.
    pub side: SideName,
    /// The number of the event that gave the turn, which a turn must name.
    pub seq: u32,
    /// The dice, in the order thrown; empty in tablut.
    pub dice: Vec<Die>,
    /// When the turn began.
    pub since_at: u64,
    /// Whether it is this side's first turn of the game: its clock does not run yet, but if the turn does not come in
    /// time, the match is aborted.
    pub first_turn: bool,
}

/// The clocks of a match at the time of the snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ClocksView {
    /// The remaining time of each seat.
    pub remaining_ms: BySeat<u64>,
    /// The seat whose clock runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub running_seat: Option<Seat>,
    /// The time at which that clock runs out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_at: Option<u64>,
}

/// An offer to take a turn back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TakebackOffer {
    /// The seat that offers to take its last turn back.
    pub seat: Seat,
    /// The event in which it played that turn: the `seq` of an answer.
    pub turned: u32,
}

/// The state of a rematch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RematchView {
    /// The seat with an open offer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered_by: Option<Seat>,
    /// The new match, once both have agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<MatchId>,
}

/// The state of a game of tablut beyond its position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TaflView {
    /// The moves, of both sides together, since the last capture; 200 are a draw.
    pub moves_since_capture: u16,
    /// The number of times of this position with the same side to move; the third time is a draw.
    pub repetitions: u8,
    /// The present warning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<Call>,
}

/// The result of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ResultView {
    /// Won, drawn or aborted.
    pub result: MatchResult,
    /// The winner's seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner_seat: Option<Seat>,
    /// The reason why it was aborted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<AbortReason>,
    /// The seat that caused the abort.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_seat: Option<Seat>,
}
