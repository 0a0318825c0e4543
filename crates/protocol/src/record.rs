//! The record of a match: what can be kept, cited, replayed and checked.

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

/// A match from its first event to its last, or as far as it has come.
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
    /// When it was made.
    pub created_at: u64,
    /// What is played.
    pub game: Game,
    /// With which options.
    pub options: Options,
    /// Points to win the match.
    pub points: u16,
    /// How many games: 2 in a pair, in which the sides are exchanged; absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(minimum = 2, maximum = 2))]
    pub games: Option<u8>,
    /// The clock.
    pub clock: Clock,
    /// Who could join.
    pub admission: Admission,
    /// The side that the creator asked for.
    pub side: PlayAs,
    /// Whether it changed the ratings of both players; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// Who plays.
    pub players: Seated<CardPlayer>,
    /// Everything that happened, with the position after every turn.
    #[serde(deserialize_with = "with_positions")]
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

/// Reads the events of a record. Unlike those that are watched, each has its position.
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

/// A record that somebody sent, with what judging it afresh has shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct JudgedRecord {
    /// What was found.
    pub report: RecordReport,
    /// The record: of a text, with everything that follows from it by the rules.
    pub record: Record,
}

/// What judging a record afresh has shown: the dice, every turn, the results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RecordReport {
    /// Whether nothing is wrong with it, as far as it can be judged.
    pub sound: bool,
    /// Whether the match is over: if not, the throws of the last game cannot be judged yet.
    pub over: bool,
    /// What is wrong, at most a hundred, in the order found.
    pub faults: Vec<RecordFault>,
    /// How many more there are.
    pub faults_more: u32,
    /// How many events could be played again, from the first.
    pub judged: u32,
    /// The games.
    pub games: Vec<RecordedGame>,
}

/// Something that is wrong with a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct RecordFault {
    /// The number of the event; absent if it is in what the record says outside its events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u32>,
    /// What, in words.
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
    /// Turns that passed because nothing could be played.
    pub passes: u32,
    /// Throws, opening throws included.
    pub throws: u32,
    /// What came of their check.
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

/// What is needed to compute the dice of a record.
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
