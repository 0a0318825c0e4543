//! Boards of two rows of points, with pieces stacked from the edges to the middle.

use std::collections::HashMap;

use super::{BoardSide, CellPieces, Orientation, Paint, Style, canvas::Canvas, grid::Grid};

/// How many pieces of a stack are drawn one by one.
const DEEP: usize = 5;
const WIDTH: usize = 4;
const GAP: usize = 3;
/// The lines above the upper row: labels and the edge.
const TOP: usize = 2;

pub(super) fn draw(
    grid: &Grid<'_>,
    cell_pieces: &HashMap<String, CellPieces>,
    orientation: Orientation,
    style: Style,
) -> Vec<String> {
    let mut canvas = Canvas::default();
    let bottom = TOP + 2 * DEEP + 1;
    for (row, cells) in grid.rows.iter().take(2).enumerate() {
        let above = row == 0;
        for (column, cell) in cells.iter().enumerate() {
            let x = 1 + grid.x(column, WIDTH, GAP);
            let label = orientation.viewer.name(cell);
            canvas.put_middle(x, WIDTH, if above { 0 } else { bottom + 1 }, Paint::Dim, label);
            let stack = stack(cell_pieces.get(&cell.id).copied().unwrap_or_default(), style);
            for depth in 0..DEEP {
                let y = if above { TOP + depth } else { bottom - 1 - depth };
                match stack.get(depth) {
                    Some((of, mark)) => canvas.put_middle(x, WIDTH, y, of.paint(), mark),
                    None if depth == 0 => canvas.put_middle(x, WIDTH, y, Paint::Dim, style.either("·", ".")),
                    None => {}
                }
            }
        }
    }
    edges(&mut canvas, grid, bottom, style);
    canvas.lines(style)
}

/// The pieces of a cell from its foot; the last one becomes a number if there are more.
fn stack(CellPieces { first, second, pinned }: CellPieces, style: Style) -> Vec<(BoardSide, String)> {
    let mut stack = Vec::new();
    let mut lay =
        |of: BoardSide, count: u8| stack.extend((0..count).map(|_| (of, of.mark(style).to_owned())));
    let (below, above) = match pinned {
        Some(of) => (of, of.other()),
        None => (BoardSide::First, BoardSide::Second),
    };
    let count = |of: BoardSide| if of == BoardSide::First { first } else { second };
    for of in [below, above] {
        lay(of, count(of));
    }
    if let Some((of, mark)) = stack.first_mut().filter(|_| pinned.is_some()) {
        // A pinned piece has a mark of its own.
        let orientation = match of {
            BoardSide::First => style.either("◌", "o"),
            BoardSide::Second => style.either("◉", "x"),
        };
        orientation.clone_into(mark);
    }
    if stack.len() > DEEP {
        let (of, _) = stack[stack.len() - 1];
        stack.truncate(DEEP - 1);
        stack.push((of, count(of).to_string()));
    }
    stack
}

fn edges(canvas: &mut Canvas, grid: &Grid<'_>, bottom: usize, style: Style) {
    let end = grid.x(grid.columns() - 1, WIDTH, GAP) + WIDTH + 1;
    let line = style.either("─", "-");
    for (y, [left, right]) in
        [(TOP - 1, style.either(["┌", "┐"], ["+", "+"])), (bottom, style.either(["└", "┘"], ["+", "+"]))]
    {
        canvas.put(0, y, Paint::Dim, &format!("{left}{}{right}", line.repeat(end)));
    }
    let wall = style.either("│", "|");
    let middle = grid.gap.map(|before| grid.x(before, WIDTH, GAP) - GAP + GAP / 2 + 1);
    for y in TOP..bottom {
        for x in [Some(0), middle, Some(end + 1)].into_iter().flatten() {
            canvas.put(x, y, Paint::Dim, wall);
        }
    }
}
