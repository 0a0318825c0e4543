//! The last six cells, from which pieces are borne off.

use lusoria_rules::{BySide, DiceSide, Setup, Side, tables};

/// How many cells they are.
pub(super) const HOME: usize = 6;

/// The pieces on each of them, in the order of travel: the farthest from the end first.
pub(super) type Counts = [u8; HOME];

/// The pieces of a side that brings home and bears off undisturbed; none if it has others elsewhere, or
/// pinned ones.
pub(super) fn of(position: &tables::Position, side: Side) -> Option<Counts> {
    let home = ((1_u64 << HOME) - 1) << first_cell(position);
    let elsewhere = position.occupied(side) & !home != 0
        || position.supply(side) + position.bar(side) > 0
        || position.pinned(side) != 0;
    (!elsewhere).then(|| counts(position, side))
}

/// The side's pieces on these cells, ignoring others.
pub(super) fn counts(position: &tables::Position, side: Side) -> Counts {
    let first = first_cell(position);
    [0, 1, 2, 3, 4, 5].map(|nth| position.on(side, first + nth))
}

fn first_cell(position: &tables::Position) -> u8 {
    position.length() - 6
}

/// These last pieces, White to move; all others are off.
pub(super) fn position(rules: &'static tables::Rules, white: Counts, black: Counts) -> tables::Position {
    let names = || rules.cells()[rules.cells().len() - HOME..].iter().map(|&cell| cell.to_owned().into());
    let side = |counts: Counts| DiceSide {
        points: names().zip(counts).filter(|(_, count)| *count > 0).collect(),
        off: 15 - counts.iter().sum::<u8>(),
        ..DiceSide::default()
    };
    let setup =
        Setup::Tables { sides: BySide { white: side(white), black: side(black) }, to_move: Side::White };
    match lusoria_rules::Position::recorded(rules.variant(), &setup) {
        Ok(lusoria_rules::Position::Tables(position)) => position,
        other => unreachable!("a home can be recorded: {other:?}"),
    }
}
