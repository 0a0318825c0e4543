//! The options that games have.

use serde::{Deserialize, Serialize};

/// The options of a game. An option that the game does not have is refused; one that is
/// left out has its default. Answers name all options of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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

impl Options {
    /// No option is named.
    pub const NONE: Self = Self { shift: None, mother: None, row_a_gate: None, throne: None };

    /// The names of the options that have a value.
    pub(crate) fn named(self) -> impl Iterator<Item = &'static str> {
        let Self { shift, mother, row_a_gate, throne } = self;
        let all = [
            ("shift", shift.is_some()),
            ("mother", mother.is_some()),
            ("row_a_gate", row_a_gate.is_some()),
            ("throne", throne.is_some()),
        ];
        all.into_iter().filter(|&(_, has_value)| has_value).map(|(name, _)| name)
    }
}

/// Zeno's option `shift`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Shift {
    /// Only if no value of the throw can enter a piece (zeno 2).
    #[default]
    Throw,
    /// Each die that cannot enter a piece, whatever the others can do.
    Die,
}

/// Tavla's option `mother`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Mother {
    /// A pinned mother changes nothing (tavla 8).
    #[default]
    PlayOn,
    /// A pinned mother loses double, unless it is a dead draw.
    DoubleLoss,
}

/// Tablut's option `throne`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Throne {
    /// Only the king may stop on the throne or cross it (tafl 1).
    #[default]
    King,
    /// Once the king has left, nobody may.
    Closed,
}
