//! The tafl games: the description of each, and the effect of its options. Shared rules are numbered as in
//! rules/tablut.md: "tafl 4" is its number 4.

use super::board::Board;
use crate::{Family, Game, Side, Throne, Variant};

/// A tafl game with its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Tablut (rules/tablut.md).
    Tablut {
        /// Who may use the throne (tafl 1).
        throne: Throne,
    },
}

impl Kind {
    /// The tafl game of that variant; none if it is a dice game.
    pub const fn of(variant: Variant) -> Option<Self> {
        match variant.family() {
            Family::Tafl(kind) => Some(kind),
            Family::Tables(_) => None,
        }
    }

    /// The variant of this game with its options.
    pub const fn variant(self) -> Variant {
        match self {
            Self::Tablut { throne } => Variant::Tablut { throne },
        }
    }

    /// The game without its options.
    pub const fn game(self) -> Game {
        self.variant().game()
    }

    /// Who may use the throne (tafl 1).
    pub const fn throne(self) -> Throne {
        match self {
            Self::Tablut { throne } => throne,
        }
    }

    /// The same game with this option.
    #[must_use]
    pub const fn with_throne(self, throne: Throne) -> Self {
        match self {
            Self::Tablut { .. } => Self::Tablut { throne },
        }
    }

    pub(super) const fn description(self) -> &'static Description {
        match self {
            Self::Tablut { .. } => &TABLUT,
        }
    }

    /// The number of the side's pieces at the start, the king included.
    pub(crate) const fn pieces(self, side: Side) -> u8 {
        let Description { attackers, defenders, .. } = self.description();
        match side {
            Side::White => *defenders + 1,
            Side::Black => *attackers,
        }
    }

    /// Its board.
    pub const fn board(self) -> &'static Board {
        &self.description().board
    }
}

/// The description of a tafl game, apart from the rules that all share.
#[derive(Debug)]
pub(super) struct Description {
    pub(super) board: Board,
    /// The start in `OpenTafl`'s letters, highest rank first.
    pub(super) start: &'static str,
    /// The attackers' pieces at the start.
    pub(super) attackers: u8,
    /// The defenders' pieces at the start, without the king.
    pub(super) defenders: u8,
}

// A constant and not a static, so that the compiler can use the board's numbers in other crates' code too.
const TABLUT: Description = Description {
    board: Board::new(9),
    start: "3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3",
    attackers: 16,
    defenders: 8,
};
