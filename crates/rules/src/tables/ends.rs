//! All the positions in which a turn can end.

use std::collections::HashSet;

use super::{
    Position, Turn,
    dice::Hand,
    hash::BuildWordHasher,
    pieces::Pieces,
    road::{Pace, Progress, Road},
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
        let remembers = self.progress.hand.alike().is_none();
        let mut walk = Walk {
            road: &self.road,
            limit,
            seen: remembers.then(HashSet::default),
            ends: Vec::new(),
            truncated: false,
        };
        walk.on(&self.progress, self.owed, Asleep::default());
        let positions =
            walk.ends.iter().map(|end| self.start().played(end.own, end.hits).with_to_move(other)).collect();
        Ends { positions, truncated: walk.truncated }
    }
}

struct Walk<'a> {
    road: &'a Road,
    limit: usize,
    /// What has been reached. None where all dice are alike: there sequences lead to the same position exactly if
    /// they play the same steps in another order, and one order of each is walked.
    seen: Option<HashSet<Progress, BuildWordHasher>>,
    ends: Vec<Progress>,
    truncated: bool,
}

impl Walk<'_> {
    /// Walks on with that many dice still to be played, at least one. The same
    /// pieces with the same dice left are walked on from only once, however
    /// they were reached.
    fn on(&mut self, progress: &Progress, owed: u8, mut asleep: Asleep) {
        for die in progress.hand.values() {
            for pace in self.road.paces(&progress.own, die) {
                if asleep.has(pace) {
                    continue;
                }
                let mut after = progress.after(self.road, pace);
                let ends = owed == 1 || after.has_won();
                if ends {
                    // The dice left over tell nothing about where the turn has ended.
                    after.hand = Hand::EMPTY;
                }
                if self.seen.as_mut().is_none_or(|seen| seen.insert(after)) {
                    if ends {
                        self.arrive(after);
                    } else {
                        self.on(&after, owed - 1, asleep.after(&progress.own, pace));
                    }
                    if self.truncated {
                        return;
                    }
                }
                asleep.add(pace);
            }
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

/// The steps that need not be tried, because all ends to which they lead have been found. Once a step has been tried, it
/// sleeps while the steps after it are tried from the same pieces and dice: to play it later leads where playing it
/// first has led. (Sleep sets, P. Godefroid.)
///
/// That holds for any two steps that are allowed at the same time. Blocked cells do not change, and what opens stays
/// open, so neither forbids the other, unless both want the last die of a value, which never comes back, or the only
/// piece on a place: when that piece goes, the steps from there wake. Nor does it harm that what is in [`Walk::seen`] is
/// not walked again, whatever slept when it was: dice only get fewer, so it has been walked to all its ends.
#[derive(Debug, Clone, Copy, Default)]
struct Asleep {
    /// By die, the places that the steps leave.
    from: [u64; Die::ALL.len()],
}

impl Asleep {
    fn has(&self, pace: Pace) -> bool {
        self.from[slot(pace.die)] & pace.from.bit() != 0
    }

    fn add(&mut self, pace: Pace) {
        self.from[slot(pace.die)] |= pace.from.bit();
    }

    /// What still sleeps once the step has been played by a side that had these pieces before it.
    fn after(mut self, own: &Pieces, pace: Pace) -> Self {
        if own.count(pace.from) == 1 {
            self.from.iter_mut().for_each(|from| *from &= !pace.from.bit());
        }
        self
    }
}

fn slot(die: Die) -> usize {
    usize::from(die.value()) - 1
}
