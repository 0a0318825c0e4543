//! Positions: the pieces, and the side to move.

use std::collections::BTreeMap;

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{DeserializeSeed, Error as _},
};
#[cfg(feature = "schema")]
use utoipa::{
    ToSchema,
    openapi::{KnownFormat, Object, ObjectBuilder, SchemaFormat, Type},
};

use lusoria_rules::CellName;

use crate::{SideName, strict::Strict};

/// A position: of a dice game, or of tablut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(untagged)]
pub enum Position {
    /// Of a dice game.
    Tables(TablesPosition),
    /// Of tablut.
    Tafl(TaflPosition),
}

/// Written by hand, so that an error names the wrong field and not just that neither kind of position fits.
impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Strict.deserialize(deserializer)?;
        let position = if value.get("board").is_some() {
            TaflPosition::deserialize(value).map(Self::Tafl)
        } else {
            TablesPosition::deserialize(value).map(Self::Tables)
        };
        position.map_err(|error| D::Error::custom(format!("position: {error}")))
    }
}

/// A position of a dice game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(example = json!({
    "white": {"points": {"1": 1, "3": 2}, "supply": 12, "off": 0, "exposed": false},
    "black": {"points": {}, "supply": 15, "off": 0, "exposed": false},
    "to_move": "black"
})))]
pub struct TablesPosition {
    /// White's pieces.
    pub white: Pieces,
    /// Black's pieces.
    pub black: Pieces,
    /// The side that has thrown, or throws next.
    pub to_move: SideName,
}

/// One side's fifteen pieces in a dice game. Responses have only the fields of the game.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Pieces {
    /// Pieces by the cell's name, each side by its own path; tavla: pinned pieces included.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(schema_with = points))]
    pub points: BTreeMap<CellName, u8>,
    /// Pieces not yet entered (not in tavla).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supply: Option<u8>,
    /// Hit pieces that must enter again (tabula, scripta).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bar: Option<u8>,
    /// Pieces borne off.
    #[serde(default)]
    pub off: u8,
    /// Tavla: the cells on which a piece of this side is pinned, from 24 down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pinned: Option<Vec<String>>,
    /// Zeno: whether single pieces on cells 1–6 can be hit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exposed: Option<bool>,
}

#[cfg(feature = "schema")]
fn points() -> Object {
    let count = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
        .minimum(Some(0))
        .maximum(Some(u8::MAX));
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .additional_properties(Some(count))
        .max_properties(Some(40))
        .description(Some(
            "Pieces by the cell's name, each side by its own path; tavla: pinned pieces included.",
        ))
        .build()
}

/// A position of tablut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(example = json!({
    "board": "3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3", "to_move": "attackers"
})))]
pub struct TaflPosition {
    /// Ranks 9 to 1: `t` attacker, `T` defender, `K` king, a digit for so many empty cells.
    pub board: String,
    /// The side to move.
    pub to_move: SideName,
}
