//! All the positions in which a turn can end.

use std::collections::HashSet;

use super::{
    Position, Turn,
    dice::Hand,
    hash::BuildWordHasher,
    road::{Progress, Road},
};
use crate::Die;

/// The distinct positions in which a turn can end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ends {
    /// The positions, the other side to move; in an order that stays the same
    /// for the same turn.
    pub positions: Vec<Position>,
    /// Whether there are more than asked for.
    pub truncated: bool,
}

impl Turn {
    /// The distinct positions in which the turn can end, at most `limit` of
    /// them. A turn that passes ends in the position as it is.
    ///
    /// Whether a branch can still play enough dice is not asked on the way: one
    /// that cannot just never arrives.
    pub fn ends(&self, limit: usize) -> Ends {
        let other = self.position().to_move().other();
        if self.is_complete() {
            let positions = [self.position().with_to_move(other)].into_iter().take(limit).collect();
            return Ends { positions, truncated: limit == 0 };
        }
        let mut walk =
            Walk { road: &self.road, limit, seen: HashSet::default(), ends: Vec::new(), truncated: false };
        match self.progress.hand.alike() {
            Some(die) => walk.on_alike(&self.progress, die, self.owed, 0),
            None => walk.on(&self.progress, self.owed),
        }
        let positions =
            walk.ends.iter().map(|end| self.start().played(end.own, end.hits).with_to_move(other)).collect();
        Ends { positions, truncated: walk.truncated }
    }
}

struct Walk<'a> {
    road: &'a Road,
    limit: usize,
    seen: HashSet<Progress, BuildWordHasher>,
    ends: Vec<Progress>,
    truncated: bool,
}

impl Walk<'_> {
    /// Walks on with that many dice still to be played, at least one. The same
    /// pieces with the same dice left are walked on from only once, however
    /// they were reached.
    fn on(&mut self, progress: &Progress, owed: u8) {
        for die in progress.hand.values() {
            for pace in self.road.paces(&progress.own, die) {
                let mut after = progress.after(self.road, pace);
                let ends = owed == 1 || after.has_won();
                if ends {
                    // The dice left over tell nothing about where the turn has ended.
                    after.hand = Hand::EMPTY;
                }
                if self.seen.insert(after) {
                    if ends {
                        self.arrive(after);
                    } else {
                        self.on(&after, owed - 1);
                    }
                    if self.truncated {
                        return;
                    }
                }
            }
        }
    }

    /// As [`Walk::on`], for dice that are all alike, where nothing has to be
    /// remembered. As [`super::compulsion`] explains, no step then forbids
    /// another, so that sequences lead to the same position exactly if they
    /// play the same steps in another order. One order of each is walked: a
    /// step tried here sleeps in the branches of those tried after it, until
    /// the turn ends, because the sequences that play it later than them were
    /// all found where it came first. (Sleep sets, P. Godefroid.)
    fn on_alike(&mut self, progress: &Progress, die: Die, owed: u8, mut asleep: u64) {
        for pace in self.road.paces(&progress.own, die) {
            if asleep & pace.from.bit() != 0 {
                continue;
            }
            let after = progress.after(self.road, pace);
            if owed == 1 || after.has_won() {
                self.arrive(after);
            } else {
                self.on_alike(&after, die, owed - 1, asleep);
            }
            if self.truncated {
                return;
            }
            asleep |= pace.from.bit();
        }
    }

    fn arrive(&mut self, end: Progress) {
        if end.owes_entry {
            return;
        }
        if self.ends.len() < self.limit {
            self.ends.push(end);
        } else {
            self.truncated = true;
        }
    }
}
