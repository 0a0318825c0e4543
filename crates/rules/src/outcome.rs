//! How a game ends by its own rules.

use serde::{Deserialize, Serialize};

use crate::Side;

/// The end of a game by its rules, not by clock, resignation or agreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner; none for a draw.
    pub winner: Option<Side>,
    /// The winner's points: 1 or 2; 0 for a draw.
    pub points: u8,
    /// The reason.
    pub reason: Reason,
}

/// Why a game ended by its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Fifteen pieces off (rules/README.md).
    BorneOff,
    /// Fifteen pieces off while the loser had none (tavla 7): counts 2.
    Mars,
    /// With the option `mother`, `double_loss`: the mother is pinned (tavla 8): counts 2.
    Mother,
    /// Both mothers pinned (tavla 8): a draw.
    DeadDraw,
    /// Every roll of both sides would pass (rules/README.md): a draw.
    DeadPosition,
    /// The king has reached an edge (tafl 6).
    KingEscaped,
    /// The king is captured (tafl 4).
    KingCaptured,
    /// The side to move has no legal move (tafl 8).
    NoMove,
    /// The same position for the third time (tafl 8): a draw.
    Repetition,
    /// A hundred moves of each side without a capture (tafl 8): a draw.
    Drought,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 10] = [
        Self::BorneOff,
        Self::Mars,
        Self::Mother,
        Self::DeadDraw,
        Self::DeadPosition,
        Self::KingEscaped,
        Self::KingCaptured,
        Self::NoMove,
        Self::Repetition,
        Self::Drought,
    ];

    /// A stable code: `borne_off`, `mars`, …
    pub const fn code(self) -> &'static str {
        match self {
            Self::BorneOff => "borne_off",
            Self::Mars => "mars",
            Self::Mother => "mother",
            Self::DeadDraw => "dead_draw",
            Self::DeadPosition => "dead_position",
            Self::KingEscaped => "king_escaped",
            Self::KingCaptured => "king_captured",
            Self::NoMove => "no_move",
            Self::Repetition => "repetition",
            Self::Drought => "drought",
        }
    }
}

/// Tablut's warning after a move of the defenders.
// Its rule is tafl 7.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// The king has one way to an edge.
    Raichi,
    /// The king has two ways or more.
    Tuichu,
}

impl Call {
    /// The call for this many ways to an edge; none for 0.
    pub const fn of(ways: u32) -> Option<Self> {
        match ways {
            0 => None,
            1 => Some(Self::Raichi),
            2.. => Some(Self::Tuichu),
        }
    }
}
