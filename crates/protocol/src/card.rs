//! Matches in lists.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{
    Admission, BySeat, CardPlayer, Clock, Cursor, Game, MatchId, MatchResult, MatchStage, OfTournament,
    Options, PlayAs, Seat, Seated,
};

/// A match in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct MatchCard {
    /// The match.
    pub id: MatchId,
    /// The tournament that it belongs to, if lists show that. Notices may leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<OfTournament>,
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
    /// The side that the creator asked for.
    pub side: PlayAs,
    /// Whether it changes the ratings of both players; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// Its state.
    pub state: MatchStage,
    /// The players.
    pub players: Seated<CardPlayer>,
    /// The score.
    pub score: BySeat<u16>,
    /// The number of turns so far, without passes and turns that were taken back.
    pub turns: u32,
    /// The number of turns taken back; absent if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takebacks: Option<u32>,
    /// The seat whose turn it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_play: Option<Seat>,
    /// The time of its creation.
    pub created_at: u64,
    /// The time of its last change.
    pub updated_at: u64,
    /// The number of its last event.
    pub head: u32,
    /// Its result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<MatchResult>,
    /// The winner's seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner_seat: Option<Seat>,
    /// Whether it is your turn; in your own lists only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub your_turn: Option<bool>,
    /// Your seats; in your own lists only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub your_seats: Option<Vec<Seat>>,
}

/// A page of matches, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct MatchList {
    /// The matches.
    pub matches: Vec<MatchCard>,
    /// The beginning of the next page; absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Cursor>,
}
