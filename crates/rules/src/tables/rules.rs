//! The parts that a dice game is composed of. Each game's own file fills in one [`Rules`]; nothing else in
//! the engine asks which game it is. The source is noted beside each part: "zeno 4" is number 4 of
//! rules/zeno.md.

use std::{
    fmt,
    hash::{Hash, Hasher},
};

use super::{Position, pieces::Place};
use crate::{Family, Game, Mother, Shift, Side, Variant};

/// A dice game with its options, for the engine.
pub struct Rules {
    /// The game and its options.
    pub(super) variant: Variant,
    /// The names of the path's cells in the order of travel.
    pub(super) cells: &'static [&'static str],
    /// The relative direction of the sides' paths.
    pub(super) way: Way,
    /// The number of dice in a throw.
    pub(super) dice: usize,
    /// How often three dice alike are played; meaningless for two dice.
    pub(super) triple: u8,
    /// Whether both sides roll one die each to decide who begins (tavla 1).
    pub(super) opening_throw: bool,
    /// How pieces enter the board.
    pub(super) entering: Entering,
    /// What happens on a cell with an enemy blot.
    pub(super) landing: Landing,
    /// Where hit pieces wait and enter again.
    pub(super) waiting: Waiting,
    /// How the end of a game is judged.
    pub(super) scoring: Scoring,
    /// Draws the board.
    pub(super) drawing: fn(&Position) -> String,
}

/// The relative direction of the two paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// A number means the same cell for both sides.
    Same,
    /// A side's first cell is the other's last.
    Opposite,
}

/// How pieces enter the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entering {
    /// All stand on the first cell from the start (tavla).
    Placed,
    /// Whenever the mover likes (tabula 2).
    Free,
    /// At least one in every turn while any is off the board (scripta 2).
    EachTurn {
        /// The cells that pieces may not leave while the supply lasts (scripta 3).
        gate: Option<u8>,
    },
    /// All of them before any moves on (zeno 2).
    First {
        /// The cells in which a throw that cannot enter may shift pieces.
        zone: u8,
        /// Whether the throw or each die decides that it cannot enter.
        shift: Shift,
    },
}

/// Where a piece may land besides empty cells and its own side's. Two enemy pieces always block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Landing {
    /// An enemy blot is hit.
    Hit,
    /// As `Hit`, but in the first cells a blot blocks until its side is exposed (zeno 3, 4).
    HitOnceExposed {
        /// How many cells shelter.
        zone: u8,
    },
    /// An enemy blot stays and is pinned (tavla 4).
    Pin,
}

/// Where hit pieces wait. They must move first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waiting {
    /// Nothing is ever hit.
    Nowhere,
    /// On the bar, to enter as from the supply.
    Bar,
    /// In the middle row, beside the cell where they were hit (zeno 5).
    MiddleRow {
        /// The names of its cells.
        cells: &'static [&'static str; 12],
    },
}

/// How the end of a game is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scoring {
    /// A win is a win.
    Plain,
    /// A win over a side with no piece off counts double; pinned first cells matter (tavla 7, 8).
    Mars {
        /// The effect of one pinned first cell.
        mother: Mother,
    },
}

impl Rules {
    /// The rules of a variant; none for a tafl game, which has no dice.
    pub const fn of(variant: Variant) -> Option<&'static Self> {
        match variant.family() {
            Family::Tables(rules) => Some(rules),
            Family::Tafl(_) => None,
        }
    }

    /// The game and its options.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The game.
    pub const fn game(&self) -> Game {
        self.variant.game()
    }

    /// The number of dice in a throw.
    pub const fn dice(&self) -> usize {
        self.dice
    }

    /// Whether both sides roll one die each to decide who begins.
    pub const fn has_opening_throw(&self) -> bool {
        self.opening_throw
    }

    /// The possible scores of a won game.
    pub const fn scores(&self) -> &'static [u8] {
        match self.scoring {
            Scoring::Plain => &[1],
            Scoring::Mars { .. } => &[1, 2],
        }
    }

    /// The names of the path's cells in the order of travel.
    pub const fn cells(&self) -> &'static [&'static str] {
        self.cells
    }

    /// The number of path cells, 24 or 36.
    #[inline]
    pub(super) fn length(&self) -> u8 {
        u8::try_from(self.cells.len()).expect("a path has at most 36 cells")
    }

    /// The first of the last six cells, from which pieces are borne off.
    pub(super) fn home(&self) -> u8 {
        self.length() - 6
    }

    /// The other side's place for the same cell of the path.
    pub(super) fn across(&self, cell: Place) -> Place {
        match self.way {
            Way::Same => cell,
            Way::Opposite => Place::cell(self.length() - 1 - cell.index()),
        }
    }

    /// The path's cells in the order of travel.
    pub(super) fn path(&self) -> impl Iterator<Item = Place> + use<> {
        (0..self.length()).map(Place::cell)
    }

    /// The middle row's cells from the first; none where there is no middle row.
    pub(super) fn middle_row(&self) -> impl Iterator<Item = Place> + use<> {
        let cells = match self.waiting {
            Waiting::MiddleRow { .. } => 24..36,
            Waiting::Nowhere | Waiting::Bar => 0..0,
        };
        cells.map(Place::cell)
    }

    /// The name of a place.
    pub(super) fn name(&self, place: Place) -> &'static str {
        match (place, self.waiting) {
            (Place::SUPPLY, _) => "supply",
            (Place::BAR, _) => "bar",
            (Place::OFF, _) => "off",
            (cell, Waiting::MiddleRow { cells }) if cell.index() >= self.length() => {
                cells[usize::from(cell.index() - self.length())]
            }
            (cell, _) => self.cells[usize::from(cell.index())],
        }
    }

    /// The cell of that name.
    pub(super) fn cell_named(&self, name: &str) -> Option<Place> {
        self.path().chain(self.middle_row()).find(|&cell| self.name(cell) == name)
    }

    /// The place of that name, cell or not, if the game has it.
    pub(super) fn place_named(&self, name: &str) -> Option<Place> {
        match name {
            "supply" if self.has_supply() => Some(Place::SUPPLY),
            "bar" if self.has_bar() => Some(Place::BAR),
            "off" => Some(Place::OFF),
            _ => self.cell_named(name),
        }
    }

    /// Whether pieces start off the board.
    pub fn has_supply(&self) -> bool {
        match self.entering {
            Entering::Placed => false,
            Entering::Free | Entering::EachTurn { .. } | Entering::First { .. } => true,
        }
    }

    /// Whether hit pieces go to a bar.
    pub fn has_bar(&self) -> bool {
        match self.waiting {
            Waiting::Bar => true,
            Waiting::Nowhere | Waiting::MiddleRow { .. } => false,
        }
    }

    /// Whether a blot is pinned instead of hit.
    pub fn pins(&self) -> bool {
        match self.landing {
            Landing::Pin => true,
            Landing::Hit | Landing::HitOnceExposed { .. } => false,
        }
    }

    /// How many cells shelter a blot until its side is exposed; none where nothing does.
    pub fn shelter(&self) -> Option<u8> {
        match self.landing {
            Landing::HitOnceExposed { zone } => Some(zone),
            Landing::Hit | Landing::Pin => None,
        }
    }

    /// The side's name.
    pub(super) fn side_name(&self, side: Side) -> &'static str {
        self.game().side_name(side)
    }
}

/// Two rules are equal if their variants are: there is one value of each.
impl PartialEq for Rules {
    fn eq(&self, other: &Self) -> bool {
        self.variant == other.variant
    }
}

impl Eq for Rules {}

impl Hash for Rules {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.variant.hash(state);
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.variant.fmt(f)
    }
}
