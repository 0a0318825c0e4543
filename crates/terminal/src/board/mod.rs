//! Draws a position as text, from the geometry in the server's catalogue, without knowing the game.

mod canvas;
mod grid;
mod points;
mod rows;
mod squares;

use std::collections::HashMap;

use lusoria_protocol::{CatalogueEntry, Cell, CellShape, Pieces, Position, SideName, TablesPosition};

pub(crate) use canvas::Paint;
pub use canvas::Style;
use grid::Grid;

/// One of the two sides: the first one that the catalogue names, or the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum BoardSide {
    #[default]
    First,
    Second,
}

impl BoardSide {
    /// The side of that name.
    pub(crate) const fn of(side: SideName) -> Self {
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

    /// The character of its pieces.
    pub(crate) const fn mark(self, style: Style) -> &'static str {
        match self {
            Self::First => style.either("○", "O"),
            Self::Second => style.either("●", "X"),
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

/// The orientation of the board.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Orientation {
    /// The side at the bottom, whose names of cells are shown.
    pub(crate) viewer: BoardSide,
    /// Whether it is rotated by half a turn.
    pub(crate) turned: bool,
}

/// The lines of the board; none if this client cannot draw this kind.
pub(crate) fn draw(
    entry: &CatalogueEntry,
    position: &Position,
    orientation: Orientation,
    style: Style,
) -> Option<Vec<String>> {
    let cells = &entry.board.cells;
    let shape = cells.first()?.shape;
    // Where the sides travel in opposite directions, the viewer's home is at the bottom.
    let opposite = cells.iter().any(|cell| cell.names.white != cell.names.black);
    let mirrored = opposite && orientation.viewer == BoardSide::Second;
    let grid = Grid::of(cells, mirrored, orientation.turned)?;
    match (position, shape) {
        (Position::Tables(position), CellShape::PointUp | CellShape::PointDown) => {
            Some(points::draw(&grid, &cell_pieces(cells, position), orientation, style))
        }
        (Position::Tables(position), CellShape::Circle) => {
            Some(rows::draw(&grid, &cell_pieces(cells, position), orientation, style))
        }
        (Position::Tafl(position), CellShape::Square | CellShape::Throne | CellShape::Camp) => {
            squares::draw(&grid, &position.board, orientation.turned, style)
        }
        (Position::Tables(_), CellShape::Square | CellShape::Throne | CellShape::Camp)
        | (Position::Tafl(_), CellShape::PointUp | CellShape::PointDown | CellShape::Circle) => None,
    }
}

/// The pieces on a cell of a dice game.
#[derive(Debug, Clone, Copy, Default)]
struct CellPieces {
    first: u8,
    second: u8,
    /// The side whose single piece is pinned below the others.
    pinned: Option<BoardSide>,
}

impl CellPieces {
    const fn count(self, of: BoardSide) -> u8 {
        match of {
            BoardSide::First => self.first,
            BoardSide::Second => self.second,
        }
    }
}

/// The pieces on each cell, by its id.
fn cell_pieces(cells: &[Cell], position: &TablesPosition) -> HashMap<String, CellPieces> {
    let on = |cell: &Cell| {
        let count = |of: BoardSide| of.pieces(position).points.get(of.name(cell)).copied().unwrap_or(0);
        let pinned = [BoardSide::First, BoardSide::Second].into_iter().find(|of| {
            let pinned = of.pieces(position).pinned.iter().flatten();
            pinned.into_iter().any(|name| name == of.name(cell))
        });
        CellPieces { first: count(BoardSide::First), second: count(BoardSide::Second), pinned }
    };
    cells.iter().map(|cell| (cell.id.clone(), on(cell))).collect()
}
