//! Finds all positions in which a turn can end.

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
    /// The positions, with the other side to move; always in the same order for the same turn.
    pub positions: Vec<Position>,
    /// Whether there are more than the limit.
    pub truncated: bool,
}

impl Turn {
    /// The distinct positions in which the turn can end, at most `limit` of them. A turn that passes ends in
    /// its starting position.
    ///
    /// Does not check on the way whether a branch can still play enough dice: one that cannot never reaches
    /// an end.
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
    /// The states reached. None where all dice are alike: there two sequences lead to the same position
    /// exactly if they have the same steps in another order, and only one order of each is searched.
    seen: Option<HashSet<Progress, BuildWordHasher>>,
    ends: Vec<Progress>,
    truncated: bool,
}

impl Walk<'_> {
    /// Searches on with that many dice still to be played, at least one. A state with the same pieces and
    /// dice is searched only once, however it was reached.
    fn on(&mut self, progress: &Progress, owed: u8, mut asleep: Asleep) {
        for die in progress.hand.values() {
            for pace in self.road.paces(&progress.own, die) {
                if asleep.has(pace) {
                    continue;
                }
                let mut after = progress.after(self.road, pace);
                let ends = owed == 1 || after.has_won();
                if ends {
                    // The unplayed dice do not belong to the end position.
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

/// Steps that need not be tried, because all ends after them have been found. Once a step has been tried, it
/// sleeps while the later steps are tried from the same pieces and dice: playing it later leads to the same
/// positions as playing it first. (Sleep sets, P. Godefroid.)
///
/// That holds for any two steps that are legal at the same time. Blocked cells do not change, and what opens
/// stays open, so neither prevents the other, unless both need the last die of a value, which never comes
/// back, or the only piece on a place: when that piece leaves, the steps from there wake. It is also safe
/// that states in [`Walk::seen`] are not searched again, whatever slept when they were first reached: dice
/// only get fewer, so all their ends have been found.
#[derive(Debug, Clone, Copy, Default)]
struct Asleep {
    /// For each die, the places that the sleeping steps leave.
    from: [u64; Die::ALL.len()],
}

impl Asleep {
    fn has(&self, pace: Pace) -> bool {
        self.from[slot(pace.die)] & pace.from.bit() != 0
    }

    fn add(&mut self, pace: Pace) {
        self.from[slot(pace.die)] |= pace.from.bit();
    }

    /// The steps that still sleep after this step, by a side that had these pieces before it.
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
