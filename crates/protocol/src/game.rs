//! The games, their sides and options.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The id of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Game {
    /// Zeno's Tavli.
    Zeno,
    /// Tavla, Mahbousseh.
    Tavla,
    /// Ludus XII scriptorum.
    Scripta,
    /// Tabula.
    Tabula,
    /// Tablut.
    Tablut,
}

/// A side by its name in the game: `white` and `black`, in tablut `defenders` (the
/// king's) and `attackers`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SideName {
    /// White, in the dice games.
    White,
    /// Black, in the dice games.
    Black,
    /// Tablut: the king's side.
    Defenders,
    /// Tablut: the side that besieges the king.
    Attackers,
}

/// The options of a game. An option that the game does not have is refused; one that is
/// left out has its default. Answers name all options of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Zeno: when an entered piece may move inside cells 1–6 while others wait. Default `throw`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shift: Option<Shift>,
    /// Tavla: what it means that a side's first piece is pinned at its start. Default `play_on`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mother: Option<Mother>,
    /// Scripta: whether pieces stay in row A until all have entered. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row_a_gate: Option<bool>,
    /// Tablut: who may use the throne. Default `king`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throne: Option<Throne>,
}

/// Zeno's option `shift`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shift {
    /// Only if no value of the throw can enter a piece.
    Throw,
    /// Each die that cannot enter a piece, whatever the others can do.
    Die,
}

/// Tavla's option `mother`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mother {
    /// It changes nothing.
    PlayOn,
    /// It loses double.
    DoubleLoss,
}

/// Tablut's option `throne`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Throne {
    /// The king may return to it and cross it.
    King,
    /// Once the king has left, nobody may.
    Closed,
}
