//! Positions with few pieces anywhere, as beginnings of games that teach endings.

use lusoria_rules::{BySide, DiceSide, Side, tables};
use lusoria_search::{Random, endings::known};

/// The pieces of a side.
const PIECES: u8 = 15;
/// The most pieces that a side has left: more than any table covers.
const LEFT_MAX: usize = 9;

/// A random position in which each side has one to nine pieces left; none whose chances are known.
pub(super) fn begin(rules: &'static tables::Rules, random: &mut Random) -> tables::Position {
    loop {
        let sides = BySide { white: side(rules, random), black: side(rules, random) };
        let to_move = Side::BOTH[random.below(2)];
        match tables::Position::from_setup(rules, &sides, to_move) {
            Ok(position) if known(&position).is_none() => return position,
            _ => {}
        }
    }
}

/// A side's last pieces: half of them at home, the others anywhere on the path; sometimes one waits.
fn side(rules: &tables::Rules, random: &mut Random) -> DiceSide {
    let left = 1 + random.below(LEFT_MAX);
    let cells = rules.cells();
    let last_only = random.below(4) == 0 || !(rules.has_bar() || rules.shelter().is_some());
    let mut side = DiceSide { exposed: rules.shelter().is_some(), ..DiceSide::default() };
    for _ in 0..left {
        if !last_only && random.below(8) == 0 {
            if rules.has_bar() {
                side.bar += 1;
                continue;
            }
            *side.points.entry(format!("m{}", 1 + random.below(12)).into()).or_default() += 1;
            continue;
        }
        let anywhere = !last_only && random.below(2) == 0;
        let first = if anywhere { 0 } else { cells.len() - 6 };
        let cell = cells[first + random.below(cells.len() - first)];
        *side.points.entry(cell.to_owned().into()).or_default() += 1;
    }
    side.off = PIECES - u8::try_from(left).expect("few are left");
    side
}
