//! Value iteration over all positions with few pieces.

use std::collections::BTreeMap;

use lusoria_rules::{
    BySide, DiceSide, Die, Side,
    tables::{Position, Rules, Turn},
};
use lusoria_search::endings::LastPieces;

/// Iteration stops when no chance changes by more than this.
const ENOUGH: f64 = 1e-9;

/// All positions, with the positions that every turn can lead to.
pub(crate) struct Positions {
    pieces: LastPieces,
    /// The probabilities of the throws.
    chances: Vec<f64>,
    /// The positions in which both sides still have pieces to play, those nearest to the end first.
    order: Vec<u32>,
    /// The beginnings of the ends of every position and throw, in the order of `order`.
    starts: Vec<u32>,
    /// The positions after the turns, the other side to move.
    ends: Vec<u32>,
}

impl Positions {
    /// Lists all ends of all turns, by the rules themselves. Both sides are alike, so White is to move.
    pub(crate) fn of(rules: &'static Rules, pieces: LastPieces) -> Self {
        let throws = throws(rules.dice());
        let count = pieces.count();
        let mut all = Vec::new();
        for mine in 1..count {
            for theirs in 1..count {
                let sides = BySide { white: side(rules, pieces, mine), black: side(rules, pieces, theirs) };
                if let Ok(position) = Position::from_setup(rules, &sides, Side::White) {
                    all.push((
                        position.pips(Side::White) + position.pips(Side::Black),
                        mine * count + theirs,
                        position,
                    ));
                }
            }
        }
        all.sort_by_key(|&(pips, number, _)| (pips, number));
        let mut positions = Self {
            pieces,
            chances: throws.iter().map(|(_, chance)| *chance).collect(),
            order: Vec::with_capacity(all.len()),
            starts: vec![0],
            ends: Vec::new(),
        };
        for (_, number, position) in all {
            positions.order.push(short(number));
            for (dice, _) in &throws {
                positions.list(&position, dice);
            }
        }
        positions
    }

    fn list(&mut self, position: &Position, dice: &[Die]) {
        let turn = Turn::new(*position, dice).expect("a throw of the game");
        let number = |end: &Position| {
            let of = |side| self.pieces.number(end, side).expect("pieces only become fewer");
            short(of(Side::Black) * self.pieces.count() + of(Side::White))
        };
        let mut ends: Vec<u32> = turn.ends(usize::MAX).positions.iter().map(number).collect();
        ends.sort_unstable();
        ends.dedup();
        self.ends.extend(ends);
        self.starts.push(short(self.ends.len()));
    }

    /// The number of positions with pieces on both sides.
    pub(crate) fn count(&self) -> usize {
        self.order.len()
    }

    /// The chances of the side to move: by its pieces, then by the other's. Calls `tell` after every round
    /// with its number and the largest change.
    pub(crate) fn solve(&self, mut tell: impl FnMut(u32, f64)) -> Vec<f64> {
        let count = self.pieces.count();
        // A side with no pieces left has won: it never moves, but its entry counts in the other side's sum.
        let mut wins = vec![0.5; count * count];
        wins[..count].fill(1.0);
        wins.iter_mut().step_by(count).skip(1).for_each(|win| *win = 0.0);
        for round in 1.. {
            let mut most = 0.0_f64;
            for (at, &number) in self.order.iter().enumerate() {
                let starts = &self.starts[at * self.chances.len()..][..=self.chances.len()];
                let mut win = 0.0;
                for (range, chance) in starts.windows(2).zip(&self.chances) {
                    let ends = &self.ends[range[0] as usize..range[1] as usize];
                    let least = ends.iter().map(|&end| wins[end as usize]).fold(1.0, f64::min);
                    win += chance * (1.0 - least);
                }
                let known = &mut wins[number as usize];
                most = most.max((win - *known).abs());
                *known = win;
            }
            tell(round, most);
            if most < ENOUGH {
                break;
            }
        }
        wins
    }
}

/// A side with these pieces left.
fn side(rules: &Rules, pieces: LastPieces, number: usize) -> DiceSide {
    let places = pieces.places(number);
    let mut side =
        DiceSide { exposed: rules.shelter().is_some(), points: BTreeMap::new(), ..DiceSide::default() };
    side.off = 15 - u8::try_from(places.len()).expect("there are at most two");
    let cells = rules.cells();
    for place in places {
        match (cells.get(place), rules.has_bar()) {
            (Some(&cell), _) => *side.points.entry(cell.to_owned().into()).or_default() += 1,
            (None, true) => side.bar += 1,
            (None, false) => {
                *side.points.entry(format!("m{}", place + 1 - cells.len()).into()).or_default() += 1;
            }
        }
    }
    side
}

/// The distinct throws with their chances.
fn throws(dice: usize) -> Vec<(Vec<Die>, f64)> {
    let mut throws: BTreeMap<Vec<Die>, f64> = BTreeMap::from([(Vec::new(), 1.0)]);
    for _ in 0..dice {
        let mut longer = BTreeMap::new();
        for (dice, chance) in &throws {
            for die in Die::ALL {
                let mut with = dice.clone();
                with.push(die);
                with.sort_unstable();
                *longer.entry(with).or_default() += chance / 6.0;
            }
        }
        throws = longer;
    }
    throws.into_iter().collect()
}

fn short(number: usize) -> u32 {
    u32::try_from(number).expect("there are few positions")
}
