//! The record of a match: what can be kept, cited, replayed and checked.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Admission, Analysis, CardPlayer, Clock, Event, Game, Hash, MatchId, Options, PlayAs, ResultView, Scheme,
    SeatSeed, Seated,
};

/// The format of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub enum RecordFormat {
    /// This one.
    #[default]
    #[serde(rename = "lusoria-record-1")]
    LusoriaRecord1,
}

/// A match from its first event to its last, or as far as it has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Record {
    /// The format.
    pub format: RecordFormat,
    /// The version of the server that wrote it.
    pub server: String,
    /// The match.
    #[serde(rename = "match")]
    pub id: MatchId,
    /// When it was made.
    pub created_at: u64,
    /// What is played.
    pub game: Game,
    /// With which options.
    pub options: Options,
    /// Points to win the match.
    pub points: u16,
    /// The clock.
    pub clock: Clock,
    /// Who could join.
    pub admission: Admission,
    /// The side that the creator asked for.
    pub side: PlayAs,
    /// Who plays.
    pub players: Seated<CardPlayer>,
    /// Everything that happened.
    pub events: Vec<Event>,
    /// What is needed to compute the dice.
    pub dice: RecordDice,
    /// How it ended; absent while it is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultView>,
    /// What the computer thinks of it; only if it was asked for, and is ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Analysis>,
}

/// What is needed to compute the dice of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecordDice {
    /// The scheme.
    pub scheme: Scheme,
    /// `s[0]`.
    pub commitment: Hash,
    /// The seeds of the seats.
    pub seeds: Seated<SeatSeed>,
    /// The secrets of the games that have ended, by the number of the game.
    pub secrets: BTreeMap<String, Hash>,
}
