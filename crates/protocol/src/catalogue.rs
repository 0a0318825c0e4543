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
    /// What it is called.
    pub name: String,
    /// What it is, in a sentence or two.
    pub description: String,
    /// Where its rules come from.
    pub source: String,
    /// Its rules, exactly.
    pub rules_url: String,
    /// Its sides, the one that `white` stands for in each pair of names first.
    pub sides: Vec<SideEntry>,
    /// The dice in a throw; 0 if it is played without.
    pub dice: u8,
    /// Who begins; absent if an opening throw decides it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_to_move: Option<SideName>,
    /// Whether each side throws one die to find out who begins.
    pub opening_throw: bool,
    /// Its options.
    pub options: Vec<OptionEntry>,
    /// What a won game can score, beside 1.
    pub scores: Vec<u8>,
    /// Whether only pairs of games are rated: one side wins too often for a single game to say much.
    #[serde(default)]
    pub rated_in_pairs: bool,
    /// The position at the start; in a game with an opening throw either side may begin.
    pub start: Position,
    /// The board.
    pub board: Geometry,
    /// Clocks that suit its length.
    pub clock_presets: Vec<ClockPreset>,
    /// How many turns a game has, about, of both sides together.
    pub typical_turns: u32,
}

/// A side of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct SideEntry {
    /// What it is called in every request and answer.
    pub id: SideName,
    /// What to call it when talking to people.
    pub name: String,
    /// How many pieces it has.
    pub pieces: u8,
}

/// An option of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct OptionEntry {
    /// Its field in `options`.
    pub name: String,
    /// What it decides.
    pub description: String,
    /// What it can be.
    pub values: Vec<OptionValue>,
    /// What it is if left out.
    pub default: OptionSetting,
}

/// What an option can be.
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
    /// What it means.
    pub description: String,
}

/// A clock that suits a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ClockPreset {
    /// Its id within the game.
    pub id: String,
    /// What to call it.
    pub name: String,
    /// The clock.
    pub clock: Clock,
    /// How long a game takes with it, about, if both sides use all their time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lasts_ms: Option<u64>,
}
