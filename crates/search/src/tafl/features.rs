//! The features of a position for the evaluation, as counts. The weights, found by self-play, are from the
//! defenders' side.

use lusoria_rules::{
    Side,
    tafl::{Cells, Direction, Position},
};

use super::{
    ground::{BOARD, CELLS, empty, fatal_cells, free_for_king, free_for_men, looks, number, slide},
    groups::{
        ATTACKERS, ATTACKERS_AT, BESET, BIAS, CORNER_ATTACKERS, DEFENDERS, DEFENDERS_AT, FATAL,
        HANGING_ATTACKERS, HANGING_DEFENDERS, KING_AT, KING_REACH, LINES, PAIRS, RAICHI, REACH, SHUT,
        SPOTS_LATER, SPOTS_ONE, SPOTS_TWO, TEMPO, WALK,
    },
};

/// The class of every cell.
const CLASS: [u8; CELLS] = classes();

#[expect(clippy::cast_possible_truncation, reason = "there are 15")]
const fn classes() -> [u8; CELLS] {
    let size = BOARD.size() as usize;
    let mut classes = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (rank, file) = ((cell / size).abs_diff(size / 2), (cell % size).abs_diff(size / 2));
        let (long, short) = if rank > file { (rank, file) } else { (file, rank) };
        classes[cell] = (long * (long + 1) / 2 + short) as u8;
        cell += 1;
    }
    classes
}

/// The four corners, four by four cells.
const CORNERS: [Cells; 4] = corners();

const fn corners() -> [Cells; 4] {
    let size = BOARD.size();
    let half = size / 2;
    let mut corners = [0; 4];
    let mut cell = 0;
    while cell < size * size {
        let (rank, file) = (cell / size, cell % size);
        if rank != half && file != half {
            let corner = (rank > half) as usize * 2 + (file > half) as usize;
            corners[corner] |= 1 << cell;
        }
        cell += 1;
    }
    corners
}

/// The ranks and files that are not on the rim.
const LINES_OF_CELLS: [Cells; 14] = lines();

const fn lines() -> [Cells; 14] {
    let size = BOARD.size();
    let mut lines = [0; 14];
    let mut cell = 0;
    while cell < size * size {
        let (rank, file) = ((cell / size) as usize, (cell % size) as usize);
        if rank > 0 && rank < 8 {
            lines[rank - 1] |= 1 << cell;
        }
        if file > 0 && file < 8 {
            lines[6 + file] |= 1 << cell;
        }
        cell += 1;
    }
    lines
}

/// Passes on the features of the position, as index and count.
#[inline]
pub fn each_feature(position: &Position, mut visit: impl FnMut(usize, i32)) {
    let (attackers, defenders, king) = (position.attackers(), position.defenders(), position.king());
    let white = position.to_move() == Side::White;
    let mover = usize::from(!white);
    visit(BIAS.first, 1);
    visit(TEMPO.first, if white { 1 } else { -1 });
    visit(KING_AT.first + usize::from(CLASS[number(king)]), 1);
    let men = each_of(attackers, |cell| visit(ATTACKERS_AT.first + usize::from(CLASS[cell]), 1));
    visit(ATTACKERS.first + men, 1);
    let men = each_of(defenders, |cell| visit(DEFENDERS_AT.first + usize::from(CLASS[cell]), 1));
    visit(DEFENDERS.first + men, 1);
    let reach = Reach::of(position);
    king_features(position, &reach, mover, &mut visit);
    men_features(position, &reach, mover, &mut visit);
    shape_features(position, &mut visit);
}

/// The cells that pieces reach in one move.
struct Reach {
    attackers: Cells,
    defenders: Cells,
    king: Cells,
}

impl Reach {
    #[inline]
    fn of(position: &Position) -> Self {
        let free = free_for_men(position);
        Self {
            attackers: slide(position.attackers(), free),
            defenders: slide(position.defenders(), free),
            king: slide(position.king(), free_for_king(position)),
        }
    }
}

#[inline]
fn king_features(position: &Position, reach: &Reach, mover: usize, visit: &mut impl FnMut(usize, i32)) {
    let (attackers, king) = (position.attackers(), position.king());
    let free = free_for_king(position);
    visit(KING_REACH.first, few(reach.king, 16));
    let (once, twice) = looks(free | king);
    if mover == 1 && once & king != 0 {
        visit(RAICHI.first, 1);
    }
    visit(SPOTS_ONE.first + mover * 5 + count(reach.king & once, 4), 1);
    visit(SPOTS_TWO.first + mover * 3 + count(reach.king & twice, 2), 1);
    let later = slide(reach.king, free) & !reach.king & once;
    visit(SPOTS_LATER.first + mover * 2, few(later, 12));
    visit(SPOTS_LATER.first + mover * 2 + 1, few(later & twice, 8));
    let walk = walk(king, free);
    visit(WALK.first + walk, 1);
    if walk == NO_WALK && is_shut(king, attackers) {
        visit(SHUT.first, 1);
    }
    let around = BOARD.neighbours(king);
    let zone = if king == BOARD.throne() {
        0
    } else if around & BOARD.throne() != 0 {
        1
    } else {
        2
    };
    visit(BESET.first + zone * 5 + count(around & attackers, 4), 1);
    let fatal = fatal_cells(position);
    if fatal != 0 {
        visit(FATAL.first, 1);
        if mover == 0 && fatal & reach.attackers != 0 {
            visit(FATAL.first + 1, 1);
        }
    }
}

#[inline]
fn men_features(position: &Position, reach: &Reach, mover: usize, visit: &mut impl FnMut(usize, i32)) {
    let (attackers, defenders, king) = (position.attackers(), position.defenders(), position.king());
    let empty_throne = BOARD.throne() & !king;
    let hanging = between(defenders, attackers | empty_throne, reach.attackers);
    if hanging != 0 {
        visit(HANGING_DEFENDERS.first + mover * 3 + count(hanging, 3) - 1, 1);
    }
    let hanging = between(attackers, defenders | king | empty_throne, reach.defenders | reach.king);
    if hanging != 0 {
        visit(HANGING_ATTACKERS.first + mover * 3 + count(hanging, 3) - 1, 1);
    }
    visit(REACH.first, total(reach.attackers));
    visit(REACH.first + 1, total(reach.defenders));
}

#[inline]
fn shape_features(position: &Position, visit: &mut impl FnMut(usize, i32)) {
    let attackers = position.attackers();
    let men = BOARD.all() & !empty(position);
    let (mut unwatched, mut bare) = (0, 0);
    for line in LINES_OF_CELLS {
        unwatched += i32::from(line & attackers == 0);
        bare += i32::from(line & men == 0);
    }
    visit(LINES.first, unwatched);
    visit(LINES.first + 1, bare);
    for corner in CORNERS {
        visit(CORNER_ATTACKERS.first + count(corner & attackers, 4), 1);
    }
    let north = BOARD.shift(attackers, Direction::North);
    let beside = total(attackers & north) + total(attackers & BOARD.shift(attackers, Direction::East));
    visit(PAIRS.first, beside);
    let (east, west) = (BOARD.shift(north, Direction::East), BOARD.shift(north, Direction::West));
    visit(PAIRS.first + 1, total(attackers & east) + total(attackers & west));
}

/// The men between a hostile cell and one that an enemy can reach.
#[inline]
fn between(men: Cells, hostile: Cells, reach: Cells) -> Cells {
    let shift = |cells, direction| BOARD.shift(cells, direction);
    let (north, south) = (Direction::North, Direction::South);
    let (east, west) = (Direction::East, Direction::West);
    men & (shift(hostile, north) & shift(reach, south)
        | shift(hostile, south) & shift(reach, north)
        | shift(hostile, east) & shift(reach, west)
        | shift(hostile, west) & shift(reach, east))
}

/// No way over free cells leads to an edge.
const NO_WALK: usize = 8;

/// Steps over free cells to an edge, minus one and at most 7; or [`NO_WALK`].
#[inline]
fn walk(king: Cells, free: Cells) -> usize {
    let mut known = king;
    let mut steps = 0;
    loop {
        let next = known | BOARD.neighbours(known) & free;
        if next & BOARD.edge() != 0 {
            return steps.min(NO_WALK - 1);
        }
        if next == known {
            return NO_WALK;
        }
        known = next;
        steps += 1;
    }
}

/// Whether the attackers enclose the king and the defenders.
#[inline]
fn is_shut(king: Cells, attackers: Cells) -> bool {
    let mut within = king;
    loop {
        let next = within | BOARD.neighbours(within) & !attackers;
        if next & BOARD.edge() != 0 {
            return false;
        }
        if next == within {
            return true;
        }
        within = next;
    }
}

#[inline]
const fn total(cells: Cells) -> i32 {
    cells.count_ones().cast_signed()
}

/// The number of cells in a small set, at most `most`: quicker where the processor cannot count bits.
#[inline]
const fn few(mut cells: Cells, most: i32) -> i32 {
    let mut few = 0;
    while cells != 0 && few < most {
        cells &= cells - 1;
        few += 1;
    }
    few
}

#[inline]
const fn count(cells: Cells, most: i32) -> usize {
    few(cells, most).cast_unsigned() as usize
}

/// Visits the cells by their numbers. Returns how many there are.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "half by half, which is quicker")]
fn each_of(cells: Cells, mut visit: impl FnMut(usize)) -> usize {
    let mut count = 0;
    for (mut half, first) in [(cells as u64, 0), ((cells >> 64) as u64, 64)] {
        while half != 0 {
            visit(first + half.trailing_zeros() as usize);
            half &= half - 1;
            count += 1;
        }
    }
    count
}
