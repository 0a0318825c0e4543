//! The board with three rows of twelve, as carved into slabs of stone all over the Roman world.

use lusoria_protocol::Cell;

use crate::{
    board::Mark,
    canvas::{circle, ellipse},
    layout::Layout,
    ornaments::{Cut, cross, halves, ivy, rosette},
    slab::{same, single},
};

/// The y of the rows in the catalogue; the middle one in the middle.
const ROWS_Y: [f32; 3] = [0.5, 2.5, 4.5];

/// The cells, and the dividers of the tables.
pub(crate) fn marks(layout: &Layout) -> Vec<Mark> {
    let cells = &layout.entry.board.cells;
    let lettered = cells.iter().all(|cell| cell.id.starts_with(|c: char| c.is_ascii_uppercase()));
    let mut marks: Vec<Mark> = cells.iter().map(|cell| cut_cell(layout, cell, lettered)).collect();
    for row in ROWS_Y {
        let spots = cells.iter().filter(|cell| same(single(cell.y), row));
        let beside = spots.filter(|cell| same(single(cell.x), 5.0) || same(single(cell.x), 7.0));
        let [a, b] = beside.map(|cell| layout.spot(&cell.id)).collect::<Vec<_>>()[..] else { continue };
        let middle = (f32::midpoint(a.x, b.x), f32::midpoint(a.y, b.y));
        marks.extend(divider(middle, same(row, ROWS_Y[1]), lettered));
    }
    marks
}

fn cut_cell(layout: &Layout, cell: &Cell, lettered: bool) -> Mark {
    let spot = layout.spot(&cell.id);
    let at = |cut| Mark::at((spot.x, spot.y), 1.0, cut);
    if lettered {
        let letter = cell.id.chars().next().map(String::from);
        return Mark { bowl: Some(circle(0.46)), letter, ..at(Cut::of([circle(0.46)], [])) };
    }
    if cell.table.as_ref().is_some_and(|table| table.starts_with("middle")) {
        return at(Cut::of([circle(0.4), cross(0.19)], []));
    }
    Mark { bowl: Some(circle(0.46)), ..at(Cut::of([circle(0.46), circle(0.36)], [circle(0.05)])) }
}

/// The divider between the two tables of a row.
fn divider(middle: (f32, f32), is_middle_row: bool, lettered: bool) -> Vec<Mark> {
    match (is_middle_row, lettered) {
        (false, true) => vec![Mark::at(middle, 1.0, ivy())],
        (false, false) => vec![Mark::at(middle, 1.0, halves())],
        (true, false) => vec![Mark::at(middle, 1.0, rosette())],
        (true, true) => {
            vec![Mark::at(middle, 1.0, Cut::of([ellipse(0.53, 1.08)], [])), Mark::at(middle, 0.7, rosette())]
        }
    }
}
