//! The record of a match: to keep, cite, replay and verify.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{
    Admission, Analysis, CardPlayer, Clock, Event, EventKind, Game, Hash, MatchId, Options, PlayAs,
    ResultView, Scheme, SeatSeed, Seated,
};

/// The format of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub enum RecordFormat {
    /// This one.
    #[default]
    #[serde(rename = "lusoria-record-1")]
    LusoriaRecord1,
}

/// A match from its first event to its last one so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Record {
    /// The format.
    pub format: RecordFormat,
    /// The version of the server that wrote it.
    pub server: String,
    /// The match.
    #[serde(rename = "match")]
    pub id: MatchId,
    /// The time of its creation.
    pub created_at: u64,
    /// The game.
    pub game: Game,
    /// Its options.
    pub options: Options,
    /// Points to win the match.
    pub points: u16,
    /// The number of games: 2 in a pair, in which the sides are exchanged; absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(minimum = 2, maximum = 2))]
    pub games: Option<u8>,
    /// The clock.
    pub clock: Clock,
    /// The admission: who could join.
    pub admission: Admission,
    /// The side that the creator asked for.
    pub side: PlayAs,
    /// Whether it changed the ratings of both players; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// The players.
    pub players: Seated<CardPlayer>,
    /// All events, with the position after every turn.
    #[serde(deserialize_with = "with_positions")]
    pub events: Vec<Event>,
    /// The data to compute the dice.
    pub dice: RecordDice,
    /// Its result; absent while it is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultView>,
    /// The computer's analysis; only if it was requested and is ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Analysis>,
}

/// Reads the events of a record. Unlike in watched matches, each has its position.
fn with_positions<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Event>, D::Error> {
    struct WithPosition(Event);

    impl<'de> Deserialize<'de> for WithPosition {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let event = Event::deserialize(deserializer)?;
            match &event.kind {
                EventKind::Turned { position: None, .. } => Err(D::Error::missing_field("position")),
                _ => Ok(Self(event)),
            }
        }
    }

    let events = Vec::<WithPosition>::deserialize(deserializer)?;
    Ok(events.into_iter().map(|WithPosition(event)| event).collect())
}

/// A record that a client sent, with its verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct JudgedRecord {
    /// The verdict.
    pub report: RecordReport,
    /// The record; if it was sent as text, completed by the rules.
    pub record: Record,
}

/// The verdict on a record: the dice, every turn, the results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RecordReport {
    /// Whether no fault was found, as far as it can be judged.
    pub sound: bool,
    /// Whether the match has ended: if not, the throws of the last game cannot be judged yet.
    pub over: bool,
    /// The faults, at most a hundred, in the order found.
    pub faults: Vec<RecordFault>,
    /// The number of further faults.
    pub faults_more: u32,
    /// The number of events that could be replayed, from the first.
    pub judged: u32,
    /// The games.
    pub games: Vec<RecordedGame>,
}

/// A fault in a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RecordFault {
    /// The number of the event; absent if the fault is outside the events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u32>,
    /// The fault, in words.
    pub detail: String,
}

/// A game of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RecordedGame {
    /// From 1.
    pub game: u16,
    /// Turns that were played.
    pub turns: u32,
    /// Passes, because nothing could be played.
    pub passes: u32,
    /// Throws, opening throws included.
    pub throws: u32,
    /// The result of their check.
    pub dice: RecordedDice,
}

/// Whether the dice of a game could be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RecordedDice {
    /// Its secret leads to the commitment, and every throw was computed.
    Computed,
    /// Its secret is published when the game ends.
    NotYet,
    /// Its secret does not lead to the commitment.
    SecretWrong,
}

/// The data to compute the dice of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
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
