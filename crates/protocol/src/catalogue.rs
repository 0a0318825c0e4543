//! The games that the server knows.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Clock, Game, Geometry, Position, SideName};

/// All games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Catalogue {
    /// The games.
    pub games: Vec<CatalogueEntry>,
}

/// A game: everything that a client needs to show and play it without knowing it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct CatalogueEntry {
    /// The game.
    pub id: Game,
    /// Its name.
    pub name: String,
    /// Its description, in a sentence or two.
    pub description: String,
    /// The source of its rules.
    pub source: String,
    /// The address of its exact rules.
    pub rules_url: String,
    /// Its sides; the one that `white` stands for in each pair of names is first.
    pub sides: Vec<SideEntry>,
    /// The number of dice in a throw; 0 without dice.
    pub dice: u8,
    /// The side that begins; absent if an opening throw decides it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_to_move: Option<SideName>,
    /// Whether each side throws one die to decide which begins.
    pub opening_throw: bool,
    /// Its options.
    pub options: Vec<OptionEntry>,
    /// The scores of a won game other than 1.
    pub scores: Vec<u8>,
    /// Whether only pairs of games are rated, because one side has too great an advantage in a single game.
    #[serde(default)]
    pub rated_in_pairs: bool,
    /// The position at the start; in a game with an opening throw either side may begin.
    pub start: Position,
    /// The board.
    pub board: Geometry,
    /// Clocks that suit its length.
    pub clock_presets: Vec<ClockPreset>,
    /// The approximate number of turns in a game, of both sides together.
    pub typical_turns: u32,
}

/// A side of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct SideEntry {
    /// Its name in requests and responses.
    pub id: SideName,
    /// Its name for people.
    pub name: String,
    /// The number of its pieces.
    pub pieces: u8,
}

/// An option of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct OptionEntry {
    /// Its field in `options`.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its values.
    pub values: Vec<OptionValue>,
    /// Its default.
    pub default: OptionSetting,
}

/// The values of an option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(untagged)]
pub enum OptionSetting {
    /// Yes or no.
    Flag(bool),
    /// A word.
    Word(String),
}

/// A value of an option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct OptionValue {
    /// The value.
    pub value: OptionSetting,
    /// Its meaning.
    pub description: String,
}

/// A clock that suits a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ClockPreset {
    /// Its id within the game.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The clock.
    pub clock: Clock,
    /// The approximate duration of a game, if both sides use all their time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lasts_ms: Option<u64>,
}
