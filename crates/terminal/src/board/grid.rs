//! Cells in rows and columns.

use lusoria_protocol::Cell;

/// The most rows, and the most columns, that fit a terminal.
const ROWS_MAX: usize = 9;
const COLUMNS_MAX: usize = 12;

/// Cells in rows from the top, each from the left.
pub(super) struct Grid<'a> {
    pub(super) rows: Vec<Vec<&'a Cell>>,
    /// The column that is preceded by a gap.
    pub(super) gap: Option<usize>,
}

impl<'a> Grid<'a> {
    /// Arranges the cells; `mirrored` exchanges top and bottom, `turned` rotates the board by half a turn.
    /// None if they are not in rows of equal length, or there are too many.
    pub(super) fn of(cells: &'a [Cell], mirrored: bool, turned: bool) -> Option<Self> {
        if cells.len() > ROWS_MAX * COLUMNS_MAX || cells.iter().any(|cell| !(cell.x + cell.y).is_finite()) {
            return None;
        }
        let mut sorted: Vec<&Cell> = cells.iter().collect();
        sorted.sort_by(|a, b| a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x)));
        let mut rows: Vec<Vec<&Cell>> = Vec::new();
        for cell in sorted {
            match rows.last_mut() {
                Some(row) if row[0].y.total_cmp(&cell.y).is_eq() => row.push(cell),
                _ => rows.push(vec![cell]),
            }
        }
        let columns = rows.first()?.len();
        if rows.len() > ROWS_MAX || columns > COLUMNS_MAX || rows.iter().any(|row| row.len() != columns) {
            return None;
        }
        let wide = |pair: &[&Cell]| pair[1].x - pair[0].x > pair[0].w * 1.5;
        let mut gap = rows[0].windows(2).position(wide).map(|before| before + 1);
        if mirrored != turned {
            rows.reverse();
        }
        if turned {
            for row in &mut rows {
                row.reverse();
            }
            gap = gap.map(|before| columns - before);
        }
        Some(Self { rows, gap })
    }

    /// The number of columns.
    pub(super) fn columns(&self) -> usize {
        self.rows[0].len()
    }

    /// The x of a column, if each is `width` wide and the gap `gap_width`.
    pub(super) fn x(&self, column: usize, width: usize, gap_width: usize) -> usize {
        column * width + if self.gap.is_some_and(|before| column >= before) { gap_width } else { 0 }
    }
}
