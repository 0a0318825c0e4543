//! The board, and moves on it.

use lusoria_rules::{
    Side, Throne,
    tafl::{Board, Cells, Direction, Position},
};

use crate::games::TAFL;

/// The board that the search is built for.
pub(super) const BOARD: &Board = TAFL.board();

/// The number of its cells.
pub(super) const CELLS: usize = (BOARD.size() * BOARD.size()) as usize;

/// The number of a set's only cell, from 0.
pub(super) const fn number(cell: Cells) -> usize {
    cell.trailing_zeros() as usize
}

const fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::North => Direction::South,
        Direction::East => Direction::West,
        Direction::South => Direction::North,
        Direction::West => Direction::East,
    }
}

/// The part of the rim where a piece moving in that direction leaves the board.
const fn rim(direction: Direction) -> Cells {
    BOARD.all() & !BOARD.shift(BOARD.all(), opposite(direction))
}

/// The empty cells.
#[inline]
pub(super) const fn empty(position: &Position) -> Cells {
    BOARD.all() & !(position.attackers() | position.defenders() | position.king())
}

/// Cells that attackers and defenders may enter: the empty throne is a wall to them (tafl 1).
#[inline]
pub(super) const fn free_for_men(position: &Position) -> Cells {
    empty(position) & !BOARD.throne()
}

/// Cells that the king may enter (tafl 1). If the throne is closed, the king cannot return to it.
#[inline]
pub(super) const fn free_for_king(position: &Position) -> Cells {
    match position.kind().throne() {
        Throne::King => empty(position),
        Throne::Closed => free_for_men(position),
    }
}

/// The set moved this many cells. Cells that cross the rim are wrong, unless the result is limited to cells
/// of [`enterable`].
#[inline]
const fn moved(cells: Cells, direction: Direction, by: u32) -> Cells {
    match direction {
        Direction::North => cells << (BOARD.size() * by),
        Direction::East => cells << by,
        Direction::South => cells >> (BOARD.size() * by),
        Direction::West => cells >> by,
    }
}

/// The cells that can be entered by a move in that direction.
const fn enterable(direction: Direction) -> Cells {
    BOARD.shift(BOARD.all(), direction)
}

/// The free ones of these cells, and all free ones behind them in that direction up to the next obstacle.
/// Doubling the distance three times needs no branch, unlike a loop.
#[inline]
fn run(first: Cells, free: Cells, direction: Direction) -> Cells {
    let mut free = free & enterable(direction);
    let mut reached = first;
    for by in [1, 2, 4] {
        reached |= free & moved(reached, direction, by);
        free &= moved(free, direction, by);
    }
    reached
}

/// Every cell that a piece of the set reaches in one move in that direction.
#[inline]
fn ray(from: Cells, free: Cells, direction: Direction) -> Cells {
    run(BOARD.shift(from, direction) & free, free, direction)
}

/// Every cell that a piece of the set reaches in one move.
#[inline]
pub(super) fn slide(from: Cells, free: Cells) -> Cells {
    ray(from, free, Direction::North)
        | ray(from, free, Direction::East)
        | ray(from, free, Direction::South)
        | ray(from, free, Direction::West)
}

/// The cells from which the rim is open in at least one direction, and in at least two.
#[inline]
pub(super) fn looks(free: Cells) -> (Cells, Cells) {
    let (mut once, mut twice) = (0, 0);
    for direction in Direction::ALL {
        let inwards = opposite(direction);
        let looking = BOARD.shift(run(rim(direction) & free, free, inwards), inwards);
        twice |= once & looking;
        once |= looking;
    }
    (once, twice)
}

/// The king's ways out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ways {
    /// In how many directions the king reaches an edge in one move.
    pub(super) count: u32,
    /// The cells on these ways.
    pub(super) cells: Cells,
}

/// The directions in which the king reaches an edge in one move, as [`Position::exits`] counts them, with
/// their cells.
#[inline]
pub(super) fn ways_out(position: &Position) -> Ways {
    let free = free_for_king(position);
    let mut ways = Ways { count: 0, cells: 0 };
    for direction in Direction::ALL {
        let line = ray(position.king(), free, direction);
        if line & BOARD.edge() != 0 {
            ways.count += 1;
            ways.cells |= line;
        }
    }
    ways
}

/// The free cells where an arriving attacker captures the king (tafl 4).
#[inline]
pub(super) fn fatal_cells(position: &Position) -> Cells {
    let (king, attackers) = (position.king(), position.attackers());
    let around = BOARD.neighbours(king);
    let free = free_for_men(position);
    if (king | around) & BOARD.throne() == 0 {
        let mut fatal = 0;
        for direction in Direction::ALL {
            if BOARD.shift(king, opposite(direction)) & attackers != 0 {
                fatal |= BOARD.shift(king, direction);
            }
        }
        fatal & free
    } else {
        let missing = around & !BOARD.throne() & !attackers;
        if missing.is_power_of_two() { missing & free } else { 0 }
    }
}

/// Whether the attackers can capture the king in one move.
#[inline]
pub(super) fn king_falls(position: &Position) -> bool {
    let fatal = fatal_cells(position);
    fatal != 0 && reaches(position.attackers(), fatal, free_for_men(position))
}

/// Whether a piece of the set reaches one of these free cells in one move.
#[inline]
fn reaches(pieces: Cells, goals: Cells, free: Cells) -> bool {
    Direction::ALL.into_iter().any(|direction| {
        let mut wave = BOARD.shift(goals, direction);
        while wave != 0 {
            if wave & pieces != 0 {
                return true;
            }
            wave = BOARD.shift(wave & free, direction);
        }
        false
    })
}

/// The cells where the side to move captures at least one man by arriving there (tafl 2, 3 and 5); they may
/// be occupied or out of reach. Captures of the king are not included.
#[inline]
pub(super) fn capturing_cells(position: &Position) -> Cells {
    let (attackers, defenders, king) = (position.attackers(), position.defenders(), position.king());
    let (own, men) = match position.to_move() {
        Side::White => (defenders | king, attackers),
        Side::Black => (attackers, defenders),
    };
    let hostile = own | BOARD.throne() & !king;
    let mut cells = 0;
    for direction in Direction::ALL {
        let caught = men & BOARD.shift(hostile, direction);
        cells |= BOARD.shift(caught, direction);
    }
    if position.to_move() == Side::Black && king == BOARD.throne() {
        cells |= beyond_guard(attackers, defenders);
    }
    cells
}

/// With the king on the throne: the cell beyond the defender that stands beside three attackers around it
/// (tafl 5).
fn beyond_guard(attackers: Cells, defenders: Cells) -> Cells {
    let guard = BOARD.neighbours(BOARD.throne()) & !attackers;
    if !guard.is_power_of_two() || guard & defenders == 0 {
        return 0;
    }
    Direction::ALL
        .into_iter()
        .filter(|&direction| BOARD.shift(BOARD.throne(), direction) == guard)
        .fold(0, |beyond, direction| beyond | BOARD.shift(guard, direction))
}
