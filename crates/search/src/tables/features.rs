//! The inputs of the network.
//!
//! Everything is seen from the side that throws next, "I", against "they". Each side's pieces are given on
//! its own path: for every place their number in the four steps of Tesauro's TD-Gammon (one, two or more,
//! three or more, how many beyond), the pinned cells, and then what decides these games: distance left, blots
//! and who can reach them, blocks and what they stop, pieces that wait to enter.

#![expect(clippy::inline_always, reason = "only what is inlined uses the processor's own instructions")]

use lusoria_rules::{Side, tables::Position};

use super::prospects::{PROSPECTS, prospects};

/// The number of inputs for the pieces on one place.
pub(crate) const STEPS: usize = 4;
/// Cells, supply, bar, off.
pub(crate) const PLACES: usize = 39;
const SUPPLY: usize = 36;
const BAR: usize = 37;
const OFF: usize = 38;
/// The cells on which a piece can be pinned.
pub(crate) const PINNABLE: usize = 24;
/// The number of inputs about one side as a whole.
pub(crate) const TRAITS: usize = 16;
/// The number of inputs about both sides together, and about the next throw.
pub(crate) const COMMON: usize = 3 + PROSPECTS;
/// The number of inputs of one side.
pub(crate) const ROLE: usize = PLACES * STEPS + PINNABLE + TRAITS;
/// The number of all inputs.
pub(crate) const INPUTS: usize = 2 * ROLE + COMMON;

/// Phases of a game that need different evaluation; each has its own network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// A side still has pieces that have never entered; where all are placed, many that have not left the
    /// first cell.
    Opening = 0,
    /// Pieces of both sides can still meet.
    Contact = 1,
    /// They cannot any more; where both travel in the same direction, both sides bear off.
    Race = 2,
}

impl Phase {
    /// The number of phases.
    pub const COUNT: usize = 3;

    /// The phase of a position.
    pub fn of(position: &Position) -> Self {
        let both = Side::BOTH;
        if both.iter().any(|&side| position.supply(side) > 0) {
            return Self::Opening;
        }
        if !position.is_opposed() {
            let bears_off = |&side: &Side| position.off(side) > 0;
            return if both.iter().all(bears_off) { Self::Race } else { Self::Contact };
        }
        if !in_contact(position) {
            Self::Race
        } else if both.iter().all(|&side| position.on(side, 0) > 4) {
            Self::Opening
        } else {
            Self::Contact
        }
    }
}

/// Whether pieces that travel in opposite directions can still meet.
pub(crate) fn in_contact(position: &Position) -> bool {
    let (white, black) = (Side::White, Side::Black);
    if position.bar(white) > 0 || position.bar(black) > 0 {
        return true;
    }
    let mine = position.occupied(white);
    let theirs = position.across(position.occupied(black));
    // My rearmost piece is behind theirs, which comes from the other end.
    mine != 0 && theirs != 0 && mine.trailing_zeros() <= theirs.ilog2()
}

/// The inputs for the number of pieces on a place.
pub(crate) fn steps(count: u8) -> [f32; STEPS] {
    let is = |is: bool| if is { 1.0 } else { 0.0 };
    [is(count == 1), is(count >= 2), is(count >= 3), f32::from(count.saturating_sub(3)) / 4.0]
}

/// Passes on every place of the side that holds pieces, with their number.
pub(crate) fn each_place(position: &Position, side: Side, mut visit: impl FnMut(usize, u8)) {
    let mut cells = position.occupied(side);
    while cells != 0 {
        let cell = u8::try_from(cells.trailing_zeros()).expect("a bit's number is small");
        visit(usize::from(cell), position.on(side, cell));
        cells &= cells - 1;
    }
    for (place, count) in
        [(SUPPLY, position.supply(side)), (BAR, position.bar(side)), (OFF, position.off(side))]
    {
        if count > 0 {
            visit(place, count);
        }
    }
}

/// The inputs about one side as a whole, all of the order of 1.
pub(crate) fn traits(position: &Position, side: Side) -> [f32; TRAITS] {
    let other = side.other();
    let length = position.length();
    let path = position.path();
    let (occupied, held, pinned) =
        (position.occupied(side) & path, position.held(side) & path, position.pinned(side));
    let mut blots = occupied & !held & !pinned;
    let has_middle_row = position.has_middle_row();
    if has_middle_row && !position.exposed(side) {
        // The first table shelters.
        blots &= !0b11_1111;
    }
    // Shifted by one bit, to make space for pieces that wait before the first cell.
    let threats = from_where(position, other);
    let targets = position.across(blots) << 1;
    let walls = position.across(held) << 1;
    let (mut direct, mut indirect, mut shots, mut stops) = (0, 0, 0, 0);
    for die in 1..=6 {
        let reached = threats << die;
        direct |= reached;
        shots += (reached & targets).count_ones();
        stops += (reached & walls).count_ones();
        indirect |= reached << 6;
    }
    let waits = position.bar(side) + position.supply(side);
    let middle = if has_middle_row { (position.occupied(side) >> 24).count_ones() } else { 0 };
    let rear = if occupied == 0 { u32::from(length) } else { occupied.trailing_zeros() };
    [
        small(position.pips(side)) / f32::from(length) / 8.0,
        small(blots.count_ones()) / 4.0,
        small((direct & targets).count_ones()) / 3.0,
        small(shots) / 6.0,
        small((indirect & targets & !direct).count_ones()) / 3.0,
        small(held.count_ones()) / 5.0,
        small(longest_run(held)) / 4.0,
        small(stops) / 10.0,
        small((walls >> 1 & 0b11_1111).count_ones()) / 4.0,
        if threats & 1 == 1 { small((walls >> 1 & 0b11_1111).count_ones()) / 4.0 } else { 0.0 },
        small(rear) / f32::from(length),
        f32::from(home(position, side)) / 15.0,
        f32::from(waits) / 8.0,
        small(middle) / 3.0,
        small(pinned.count_ones()) / 3.0,
        if position.exposed(side) || pinned & 1 == 1 { 1.0 } else { 0.0 },
    ]
}

/// The inputs about both sides, whose traits are given, the side to move first; then, while they can meet,
/// about the next throw.
#[inline(always)]
pub(crate) fn common(
    position: &Position,
    phase: Phase,
    mine: &[f32; TRAITS],
    theirs: &[f32; TRAITS],
) -> [f32; COMMON] {
    let me = position.to_move();
    let length = f32::from(position.length());
    let (mine, theirs) = (mine[0] * length * 8.0, theirs[0] * length * 8.0);
    let mut common = [0.0; COMMON];
    common[0] = ((theirs - mine) / length / 2.0).clamp(-2.0, 2.0);
    common[1] = (theirs - mine) / (theirs + mine + 1.0);
    common[2] = f32::from(position.on(me, 0)) / 15.0 - f32::from(position.on(me.other(), 0)) / 15.0;
    if phase != Phase::Race {
        common[3..].copy_from_slice(&prospects(position));
    }
    common
}

/// The cells from which the side's pieces count when they move by a die, as bits of its own path shifted by
/// one: bit 0 is before the first cell.
fn from_where(position: &Position, side: Side) -> u64 {
    let waits = u64::from(position.bar(side) + position.supply(side) > 0);
    // Middle cell m enters again as from outer cell m - 1.
    let middle = if position.has_middle_row() { position.occupied(side) >> 24 } else { 0 };
    (position.occupied(side) & position.path() & !position.pinned(side)) << 1 | waits | middle
}

/// The pieces in the last six cells.
fn home(position: &Position, side: Side) -> u8 {
    (position.length() - 6..position.length()).map(|cell| position.on(side, cell)).sum()
}

/// The longest run of adjacent cells.
fn longest_run(mut cells: u64) -> u32 {
    let mut longest = 0;
    while cells != 0 {
        cells &= cells >> 1;
        longest += 1;
    }
    longest
}

#[expect(clippy::cast_precision_loss, reason = "counts and pips are small")]
fn small(count: u32) -> f32 {
    count as f32
}
