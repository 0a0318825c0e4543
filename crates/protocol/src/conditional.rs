//! Conditional turns: played for you while you are away.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::{
    ToSchema,
    openapi::{Array, ArrayBuilder, Ref},
};

use crate::{MatchId, Step};

/// Your conditional turns in a correspondence match: they are played for you after your opponent's turn, as if you
/// had sent them at that moment. Only you see them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ConditionalTurns {
    /// The number of the event that gave the present turn: `to_play.seq` of the snapshot.
    #[cfg_attr(feature = "schema", schema(minimum = 1, example = 4))]
    pub seq: u32,
    /// Lines of turns, your opponent's and your own in turn, each beginning with one of your opponent's and ending with
    /// one of your own: at most 32, of at most 16 turns. Only in games without dice, where a turn is one step.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(schema_with = lines))]
    pub lines: Vec<Vec<Step>>,
    /// Whether turns that leave you no choice are played for you.
    #[serde(default)]
    pub forced: bool,
}

#[cfg(feature = "schema")]
fn lines() -> Array {
    use lusoria_play::ConditionalTurns as Kept;

    let line = ArrayBuilder::new()
        .items(Ref::from_schema_name("Step"))
        .min_items(Some(2))
        .max_items(Some(Kept::LINE_TURNS_MAX));
    ArrayBuilder::new()
        .items(line)
        .max_items(Some(Kept::LINES_MAX))
        .description(Some(
            "Lines of turns, your opponent's and your own in turn, each beginning with one of your opponent's and \
             ending with one of your own: at most 32, of at most 16 turns. Only in games without dice, where a turn is \
             one step.",
        ))
        .build()
}

/// Your conditional turns in one of your matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ConditionalMatch {
    /// The match.
    #[serde(rename = "match")]
    pub id: MatchId,
    /// The lines, from the event after `seq` on.
    pub turns: ConditionalTurns,
}

/// Your conditional turns in all your matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ConditionalTurnsList {
    /// By the ids of the matches.
    pub matches: Vec<ConditionalMatch>,
}
