//! Boards of rows of circles, with pieces on top of each other.

use std::collections::HashMap;

use super::{BoardSide, CellPieces, Orientation, Paint, Style, canvas::Canvas, grid::Grid};

const WIDTH: usize = 5;
const GAP: usize = 3;
/// Up to this many pieces are drawn one by one.
const FEW: u8 = 3;

pub(super) fn draw(
    grid: &Grid<'_>,
    cell_pieces: &HashMap<String, CellPieces>,
    orientation: Orientation,
    style: Style,
) -> Vec<String> {
    let mut canvas = Canvas::default();
    let end = grid.x(grid.columns() - 1, WIDTH, GAP) + WIDTH + 1;
    let line = style.either("─", "-");
    let edge = |canvas: &mut Canvas, y: usize, [left, right]: [&str; 2]| {
        canvas.put(0, y, Paint::Dim, &format!("{left}{}{right}", line.repeat(end)));
    };
    edge(&mut canvas, 0, style.either(["┌", "┐"], ["+", "+"]));
    let mut y = 1;
    for (row, cells) in grid.rows.iter().enumerate() {
        let from = y;
        for (column, cell) in cells.iter().enumerate() {
            canvas.put_middle(
                1 + grid.x(column, WIDTH, GAP),
                WIDTH,
                y,
                Paint::Dim,
                orientation.viewer.name(cell),
            );
        }
        let on: Vec<CellPieces> =
            cells.iter().map(|cell| cell_pieces.get(&cell.id).copied().unwrap_or_default()).collect();
        y += 1;
        let shared = on.iter().any(|on| on.first > 0 && on.second > 0);
        for (column, on) in on.iter().enumerate() {
            let x = 1 + grid.x(column, WIDTH, GAP);
            let mut put = |line: usize, of: BoardSide| {
                canvas.put_middle(x, WIDTH, y + line, of.paint(), &pieces(of, on.count(of), style));
            };
            match (on.first > 0, on.second > 0) {
                (true, true) => {
                    put(0, BoardSide::First);
                    put(1, BoardSide::Second);
                }
                (true, false) => put(0, BoardSide::First),
                (false, true) => put(0, BoardSide::Second),
                (false, false) => canvas.put_middle(x, WIDTH, y, Paint::Dim, style.either("·", ".")),
            }
        }
        y += if shared { 2 } else { 1 };
        let wall = style.either("│", "|");
        let middle = grid.gap.map(|before| grid.x(before, WIDTH, GAP) - GAP + GAP / 2 + 1);
        for y in from..y {
            for x in [Some(0), middle, Some(end + 1)].into_iter().flatten() {
                canvas.put(x, y, Paint::Dim, wall);
            }
        }
        if row + 1 < grid.rows.len() {
            edge(&mut canvas, y, style.either(["├", "┤"], ["+", "+"]));
            y += 1;
        }
    }
    edge(&mut canvas, y, style.either(["└", "┘"], ["+", "+"]));
    canvas.lines(style)
}

fn pieces(of: BoardSide, count: u8, style: Style) -> String {
    let mark = of.mark(style);
    if count <= FEW { mark.repeat(usize::from(count)) } else { format!("{count}{mark}") }
}
