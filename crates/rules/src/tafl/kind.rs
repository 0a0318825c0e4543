//! The tafl games: what each of them is, and what its options change.

use super::{board::Board, tablut::TABLUT};
use crate::{Family, Game, Side, Throne, Variant};

/// A tafl game with its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Tablut.
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

    /// The game with its options, among all games.
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

    pub(super) const fn description(self) -> &'static Description {
        match self {
            Self::Tablut { .. } => &TABLUT,
        }
    }

    /// How many pieces the side has at the start, the king included.
    pub(crate) const fn pieces(self, side: Side) -> u8 {
        let Description { attackers, defenders, .. } = self.description();
        match side {
            Side::White => *defenders + 1,
            Side::Black => *attackers,
        }
    }

    /// The board it is played on.
    pub const fn board(self) -> &'static Board {
        &self.description().board
    }
}

/// What a tafl game is, apart from the rules that all of them share here.
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
