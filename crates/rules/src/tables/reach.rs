//! The targets of one piece by several dice.

use std::{cmp::Reverse, collections::BTreeMap};

use super::{
    Turn,
    compulsion::Found,
    pieces::Place,
    road::{Pace, Progress},
};
use crate::Step;

impl Turn {
    /// The ways of one piece by two or more dice played one after the other, all steps legal in that order:
    /// for every place of origin and every choice of dice, the steps of one order. Of several orders it is
    /// the one that hits the fewest pieces on the way; among those, the one that plays lower dice first.
    ///
    /// Sorted by origin in the order of travel, then by the dice: the fewest first, then the lowest.
    pub fn reach(&self) -> Vec<Vec<Step>> {
        let mut walk = Walk { turn: self, found: Found::default(), line: Vec::new(), best: BTreeMap::new() };
        if !self.is_complete() {
            walk.on(&self.progress, self.owed);
        }
        let steps = |way: Way| way.paces.into_iter().map(|pace| self.written(pace)).collect();
        walk.best.into_values().map(steps).collect()
    }
}

/// What distinguishes ways: the origin, the number of dice played, and the dice left, the high ones first.
type Choice = (Place, usize, Reverse<u64>);

/// A way of a piece.
struct Way {
    hits: u32,
    paces: Vec<Pace>,
}

struct Walk<'a> {
    turn: &'a Turn,
    found: Found,
    line: Vec<Pace>,
    best: BTreeMap<Choice, Way>,
}

impl Walk<'_> {
    /// Continues with the piece that was moved last, or at first with any.
    fn on(&mut self, progress: &Progress, owed: u8) {
        let turn = self.turn;
        let at = self.line.last().map(|pace| pace.to);
        for die in progress.hand.values() {
            for pace in turn.road.paces(&progress.own, die).filter(|pace| at.is_none_or(|at| at == pace.from))
            {
                let Some(after) = turn.road.keeping_dice(progress, pace, owed, &mut self.found) else {
                    continue;
                };
                self.line.push(pace);
                self.note(&after);
                if owed > 1 && pace.to.is_cell() {
                    self.on(&after, owed - 1);
                }
                self.line.pop();
            }
        }
    }

    /// Records the way to here, unless there is a better one with the same dice. Orders with lower dice first
    /// are tried first.
    fn note(&mut self, after: &Progress) {
        let (Some(first), 2..) = (self.line.first(), self.line.len()) else { return };
        let choice = (first.from, self.line.len(), Reverse(after.hand.bits()));
        let hits = (after.hits & !self.turn.progress.hits).count_ones();
        if self.best.get(&choice).is_none_or(|best| hits < best.hits) {
            self.best.insert(choice, Way { hits, paces: self.line.clone() });
        }
    }
}
