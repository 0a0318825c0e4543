//! Boards of squares, each with one piece.

use lusoria_protocol::CellShape;

use super::{BoardSide, Paint, Style, canvas::Canvas, grid::Grid};

const WIDTH: usize = 3;
/// The columns used by the rank numbers.
const LEFT: usize = 3;

/// `board` is the board of a position: the ranks from the highest, `t` attacker, `T` defender, `K` king, a
/// digit for that many empty cells. None if it does not match the cells.
pub(super) fn draw(grid: &Grid<'_>, board: &str, turned: bool, style: Style) -> Option<Vec<String>> {
    let mut ranks: Vec<Vec<Option<char>>> = board.split('/').map(rank).collect::<Option<_>>()?;
    if ranks.len() != grid.rows.len() || ranks.iter().any(|rank| rank.len() != grid.columns()) {
        return None;
    }
    if turned {
        ranks.reverse();
        for rank in &mut ranks {
            rank.reverse();
        }
    }
    let mut canvas = Canvas::default();
    for (y, (cells, pieces)) in grid.rows.iter().zip(ranks).enumerate() {
        let label = cells[0].label.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        canvas.put(1, y, Paint::Dim, label);
        for (column, (cell, piece)) in cells.iter().zip(pieces).enumerate() {
            let x = LEFT + column * WIDTH;
            let (paint, mark) = match (piece, cell.shape) {
                (Some('K'), _) => (Paint::First, style.either("♔", "K")),
                (Some('T'), _) => (BoardSide::First.paint(), BoardSide::First.mark(style)),
                (Some(_), _) => (BoardSide::Second.paint(), BoardSide::Second.mark(style)),
                (None, CellShape::Throne) => (Paint::Dim, style.either("×", "+")),
                (None, CellShape::Camp) => (Paint::Dim, ":"),
                (None, CellShape::Square | CellShape::Circle | CellShape::PointUp | CellShape::PointDown) => {
                    (Paint::Dim, style.either("·", "."))
                }
            };
            canvas.put(x + 1, y, paint, mark);
        }
    }
    for (column, cell) in grid.rows[0].iter().enumerate() {
        let label = cell.label.trim_end_matches(|letter: char| letter.is_ascii_digit());
        canvas.put(LEFT + column * WIDTH + 1, grid.rows.len(), Paint::Dim, label);
    }
    Some(canvas.lines(style))
}

fn rank(text: &str) -> Option<Vec<Option<char>>> {
    let mut cells = Vec::new();
    for letter in text.chars() {
        match letter {
            't' | 'T' | 'K' => cells.push(Some(letter)),
            '1'..='9' => cells.extend((0..letter.to_digit(10)?).map(|_| None)),
            _ => return None,
        }
        if cells.len() > 64 {
            return None;
        }
    }
    Some(cells)
}
