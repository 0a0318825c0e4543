//! A position as text: drawn from the geometry that the server tells, without knowing the
//! game.

mod canvas;
mod grid;
mod points;
mod rows;
mod squares;

use std::collections::HashMap;

use lusoria_protocol::{CatalogueEntry, Cell, CellShape, Pieces, Position, SideName, TablesPosition};

pub use canvas::Look;
pub(crate) use canvas::Paint;
use grid::Grid;

/// Whose pieces: those of the side that the catalogue names first, or of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Of {
    #[default]
    First,
    Second,
}

impl Of {
    /// Whose pieces those of a side are.
    pub(crate) const fn side(side: SideName) -> Self {
        match side {
            SideName::White | SideName::Defenders => Self::First,
            SideName::Black | SideName::Attackers => Self::Second,
        }
    }

    pub(crate) const fn paint(self) -> Paint {
        match self {
            Self::First => Paint::First,
            Self::Second => Paint::Second,
        }
    }

    /// What its pieces look like.
    pub(crate) const fn mark(self, look: Look) -> &'static str {
        match self {
            Self::First => look.either("○", "O"),
            Self::Second => look.either("●", "X"),
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    pub(crate) const fn pieces(self, position: &TablesPosition) -> &Pieces {
        match self {
            Self::First => &position.white,
            Self::Second => &position.black,
        }
    }

    fn name(self, cell: &Cell) -> &str {
        match self {
            Self::First => &cell.names.white,
            Self::Second => &cell.names.black,
        }
    }
}

/// How the board is held.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Held {
    /// Whose names the cells carry, and whose side is below.
    pub(crate) viewer: Of,
    /// Turned by a half.
    pub(crate) turned: bool,
}

/// The lines of the board; none if it is of a kind that this client cannot draw.
pub(crate) fn draw(
    entry: &CatalogueEntry,
    position: &Position,
    held: Held,
    look: Look,
) -> Option<Vec<String>> {
    let cells = &entry.board.cells;
    let shape = cells.first()?.shape;
    // Where the sides go opposite ways, the viewer's home is below.
    let opposite = cells.iter().any(|cell| cell.names.white != cell.names.black);
    let mirrored = opposite && held.viewer == Of::Second;
    let grid = Grid::of(cells, mirrored, held.turned)?;
    match (position, shape) {
        (Position::Tables(position), CellShape::PointUp | CellShape::PointDown) => {
            Some(points::draw(&grid, &standing(cells, position), held, look))
        }
        (Position::Tables(position), CellShape::Circle) => {
            Some(rows::draw(&grid, &standing(cells, position), held, look))
        }
        (Position::Tafl(position), CellShape::Square | CellShape::Throne | CellShape::Camp) => {
            squares::draw(&grid, &position.board, held.turned, look)
        }
        (Position::Tables(_), CellShape::Square | CellShape::Throne | CellShape::Camp)
        | (Position::Tafl(_), CellShape::PointUp | CellShape::PointDown | CellShape::Circle) => None,
    }
}

/// What stands on a cell of a dice game.
#[derive(Debug, Clone, Copy, Default)]
struct Standing {
    first: u8,
    second: u8,
    /// Whose single piece is held below the others.
    pinned: Option<Of>,
}

impl Standing {
    const fn count(self, of: Of) -> u8 {
        match of {
            Of::First => self.first,
            Of::Second => self.second,
        }
    }
}

/// What stands on each cell, by its id.
fn standing(cells: &[Cell], position: &TablesPosition) -> HashMap<String, Standing> {
    let on = |cell: &Cell| {
        let count = |of: Of| of.pieces(position).points.get(of.name(cell)).copied().unwrap_or(0);
        let pinned = [Of::First, Of::Second].into_iter().find(|of| {
            let pinned = of.pieces(position).pinned.iter().flatten();
            pinned.into_iter().any(|name| name == of.name(cell))
        });
        Standing { first: count(Of::First), second: count(Of::Second), pinned }
    };
    cells.iter().map(|cell| (cell.id.clone(), on(cell))).collect()
}
