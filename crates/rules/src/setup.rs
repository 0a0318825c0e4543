//! Positions as written: they may be impossible until [`crate::Position::from_setup`]
//! has checked them.

use std::{borrow::Cow, collections::BTreeMap};

use serde::{Deserialize, Serialize};

use crate::Game;

/// One of the two sides. In a tafl game White is the king's side (the defenders)
/// and Black the attackers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// White; in a tafl game the defenders.
    White,
    /// Black; in a tafl game the attackers.
    Black,
}

impl Side {
    /// Both sides, White first.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// A value for each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct BySide<T> {
    /// White's; in a tafl game the defenders'.
    pub white: T,
    /// Black's; in a tafl game the attackers'.
    pub black: T,
}

impl<T> BySide<T> {
    /// The value of that side.
    pub const fn get(&self, side: Side) -> &T {
        match side {
            Side::White => &self.white,
            Side::Black => &self.black,
        }
    }

    /// The value of that side, to change.
    pub const fn get_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        }
    }
}

/// A position in written form, in the terms of vectors/README.md.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Setup {
    /// Of a dice game.
    Tables {
        /// The pieces of each side.
        #[serde(flatten)]
        sides: BySide<DiceSide>,
        /// The side that has rolled, or rolls next.
        to_move: Side,
    },
    /// Of a tafl game.
    Tafl {
        /// Ranks 9 to 1 in `OpenTafl`'s letters: `t` attacker, `T` defender, `K` king.
        board: String,
        /// The side to move.
        to_move: Side,
    },
}

/// The name of a cell. Those of the rules take no memory.
pub type CellName = Cow<'static, str>;

/// One side's pieces in a dice game, in written form. Fields that a game does not have must be left at their
/// defaults.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DiceSide {
    /// Pieces by cell name, on the side's own path; pinned pieces included.
    pub points: BTreeMap<CellName, u8>,
    /// Pieces not yet entered.
    pub supply: u8,
    /// Hit pieces that must enter again from the bar.
    pub bar: u8,
    /// Pieces borne off.
    pub off: u8,
    /// The cells on which a piece of this side is pinned, from 24 down.
    pub pinned: Vec<String>,
    /// Whether blots on the first cells can be hit.
    pub exposed: bool,
}

/// The reason why a written position is impossible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The position is written for the other family of games.
    #[error("this is not a position of {game}")]
    WrongFamily {
        /// The requested game.
        game: Game,
    },
    /// A cell that the game does not have.
    #[error("{game} has no cell \"{cell}\"")]
    UnknownCell {
        /// The game.
        game: Game,
        /// The text given as a cell.
        cell: String,
    },
    /// A place or mark that the game does not have, such as a bar.
    #[error("{game} has no \"{place}\"")]
    NoSuchPlace {
        /// The game.
        game: Game,
        /// The name of the place.
        place: &'static str,
    },
    /// A side has the wrong total number of pieces.
    #[error("{side} has {found} pieces in all, not {expected}")]
    PieceCount {
        /// The side's name in the game.
        side: &'static str,
        /// The number found.
        found: u32,
        /// The number in the game.
        expected: u32,
    },
    /// Both sides occupy a cell that only one can.
    #[error("{cell} (by White's count) holds pieces of both sides")]
    Shared {
        /// The cell, by White's path.
        cell: String,
    },
    /// A cell marked as pinned does not have the pieces for that.
    #[error(
        "{side}'s {cell} cannot be pinned: it needs exactly one piece of {side} below at least one of the enemy"
    )]
    NotPinned {
        /// The side whose piece is marked as pinned.
        side: &'static str,
        /// The cell, by that side's path.
        cell: String,
    },
    /// A side's `exposed` contradicts its pieces.
    #[error("{side} cannot be {}exposed with its pieces there", if *.exposed { "" } else { "un" })]
    Exposure {
        /// The side.
        side: &'static str,
        /// The claimed value.
        exposed: bool,
    },
    /// Pieces that no play can bring to these places together.
    #[error("{side}: {why}")]
    Unreachable {
        /// The side.
        side: &'static str,
        /// The reason in words.
        why: &'static str,
    },
    /// In a tafl game: the board's text is not nine ranks of nine cells in the letters t, T, K and digits.
    #[error("the board is not nine ranks of nine cells: {why}")]
    Board {
        /// The fault in words.
        why: String,
    },
    /// In a tafl game: not exactly one king.
    #[error("there must be exactly one king, not {found}")]
    Kings {
        /// The number found.
        found: u32,
    },
    /// In a tafl game: more pieces than the side can have.
    #[error("{side} can have at most {limit} pieces, not {found}")]
    TooMany {
        /// The side.
        side: &'static str,
        /// The number found.
        found: u32,
        /// The most that the side can have.
        limit: u32,
    },
    /// In a tafl game: a piece other than the king on the throne.
    #[error("only the king may stand on the throne")]
    OnThrone,
    /// The game would already be over.
    #[error("the game is already over: {why}")]
    Over {
        /// The reason in words.
        why: &'static str,
    },
}

impl SetupError {
    /// A stable code, in `snake_case`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::WrongFamily { .. } => "wrong_family",
            Self::UnknownCell { .. } => "unknown_cell",
            Self::NoSuchPlace { .. } => "no_such_place",
            Self::PieceCount { .. } => "piece_count",
            Self::Shared { .. } => "shared",
            Self::NotPinned { .. } => "not_pinned",
            Self::Exposure { .. } => "exposure",
            Self::Unreachable { .. } => "unreachable",
            Self::Board { .. } => "board",
            Self::Kings { .. } => "kings",
            Self::TooMany { .. } => "too_many",
            Self::OnThrone => "on_throne",
            Self::Over { .. } => "already_over",
        }
    }

    /// The side that has the fault, if it is one side's.
    #[must_use]
    pub const fn side(&self) -> Option<&'static str> {
        match self {
            Self::PieceCount { side, .. }
            | Self::NotPinned { side, .. }
            | Self::Exposure { side, .. }
            | Self::Unreachable { side, .. }
            | Self::TooMany { side, .. } => Some(side),
            Self::WrongFamily { .. }
            | Self::UnknownCell { .. }
            | Self::NoSuchPlace { .. }
            | Self::Shared { .. }
            | Self::Board { .. }
            | Self::Kings { .. }
            | Self::OnThrone
            | Self::Over { .. } => None,
        }
    }
}
