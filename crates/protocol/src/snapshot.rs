//! How a match stands.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{
    AbortReason, Admission, BySeat, Call, CardPlayer, Clock, DiceView, Die, Game, GuestId, Level, MatchId,
    MatchRatings, MatchResult, Options, PlayAs, PlayerKind, Position, Seat, Seated, SideName, Step,
};

/// A match as it stands after event `head`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Snapshot {
    /// The match.
    pub id: MatchId,
    /// The number of its last event: watch `since` this one.
    pub head: u32,
    /// When it was made.
    pub created_at: u64,
    /// When it last changed.
    pub updated_at: u64,
    /// The server's time, in milliseconds since the epoch.
    pub server_time: u64,
    /// What is played.
    pub game: Game,
    /// With which options.
    pub options: Options,
    /// Points to win the match; 1 is a single game.
    pub points: u16,
    /// How many games: 2 in a pair, in which the sides are exchanged; absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(minimum = 2, maximum = 2))]
    pub games: Option<u8>,
    /// The clock.
    pub clock: Clock,
    /// Who may join.
    pub admission: Admission,
    /// The side that the creator asked for in the first game.
    pub side: PlayAs,
    /// Whether it changes the ratings of both players; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// Where it stands.
    pub state: MatchState,
    /// Who plays.
    pub players: Seated<PlayerView>,
    /// The score.
    pub score: BySeat<u16>,
    /// The game being played or played last, from 1; 0 before the first.
    pub game_number: u16,
    /// Who plays which side in that game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sides: Option<BySeat<SideName>>,
    /// The position of that game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// Whose turn it is; absent if nobody's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_play: Option<ToPlay>,
    /// How far the turn has been shown while it is built; absent if nothing of it has been. Who plays shows it when they
    /// have uncovered their throw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub building: Option<BuildingView>,
    /// The clocks; absent without a clock and while no game is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClocksView>,
    /// When the match acts by itself if nothing happens: a loss on time, a no-show, an expiry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_at: Option<u64>,
    /// The seat whose offer of a draw stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_offered_by: Option<Seat>,
    /// Whether you may offer a draw now; absent unless you play and a game is being played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub may_offer_draw: Option<bool>,
    /// What is known of a rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch: Option<RematchView>,
    /// The guest who made the match and lets the computer play in seat 1; they may abort it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_by: Option<CardPlayer>,
    /// The match of which this one is the rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch_of: Option<MatchId>,
    /// Tablut: what the position does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tafl: Option<TaflView>,
    /// Dice games: what each seat's dice must still add up to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pips: Option<BySeat<u32>>,
    /// How many sockets and streams of people who do not play in it watch it now; absent if none is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spectators: Option<u32>,
    /// The turns played so far in the match, without passes and those that were taken back.
    pub turns: u32,
    /// How many turns were taken back; absent if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takebacks: Option<u32>,
    /// The event in which you played the turn that you may take back; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub may_take_back: Option<u32>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultView>,
    /// What it did to the ratings of its players; absent if it changed none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratings: Option<MatchRatings>,
    /// What is public of the dice.
    pub dice: DiceView,
    /// Your seats, if you are known; empty if you only watch.
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

/// Where a match stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MatchState {
    /// It waits for somebody to take seat 2.
    Open,
    /// Both seats are taken; a seed is still to be revealed.
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
    /// Who.
    pub id: GuestId,
    /// Their name when they took the seat.
    pub name: String,
    /// Whether they are a person, a bot or the computer.
    #[serde(default)]
    pub kind: PlayerKind,
    /// How strong the computer plays; only if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// Whether they watch the match now, over a socket or a stream; the computer always does.
    pub connected: bool,
    /// Since when they have been gone, if they are not connected; never before the match was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone_since_at: Option<u64>,
}

/// Whose turn it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ToPlay {
    /// Who.
    pub seat: Seat,
    /// As which side.
    pub side: SideName,
    /// The number of the event that gave the turn: what a turn must name.
    pub seq: u32,
    /// What was thrown, in order; empty in tablut.
    pub dice: Vec<Die>,
    /// When the turn began.
    pub since_at: u64,
    /// Whether it is this side's first turn of the game: its clock does not run yet, but a
    /// turn that does not come in time breaks the match off.
    pub first_turn: bool,
}

/// The clocks of a match, as they stood when the snapshot was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ClocksView {
    /// What each seat has left.
    pub remaining_ms: BySeat<u64>,
    /// The seat whose clock runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub running_seat: Option<Seat>,
    /// When that clock will have run out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_at: Option<u64>,
}

/// What is known of a rematch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RematchView {
    /// The seat whose offer stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered_by: Option<Seat>,
    /// The new match, once both have agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<MatchId>,
}

/// What a game of tablut remembers beyond its position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TaflView {
    /// The moves, of both sides together, since the last capture; 200 are a draw.
    pub moves_since_capture: u16,
    /// How often this position has stood with the same side to move; the third time is a draw.
    pub repetitions: u8,
    /// The warning that stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<Call>,
}

/// How a match ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ResultView {
    /// Won, drawn or broken off.
    pub result: MatchResult,
    /// The winner's seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner_seat: Option<Seat>,
    /// Why it was broken off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<AbortReason>,
    /// The seat that caused it to be broken off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_seat: Option<Seat>,
}
