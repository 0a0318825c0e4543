//! Turns without a choice.

use std::collections::HashSet;

use super::{
    Turn,
    compulsion::Found,
    dice::Hand,
    hash::BuildWordHasher,
    road::{Pace, Progress, Road},
};
use crate::Step;

/// The most partial turns that are searched.
const LOOKED_AT_MAX: usize = 200;

impl Turn {
    /// The steps of the whole rest of the turn, if it ends in the same position however it is played, in the
    /// order that plays lower dice first. None if nothing is left to play, if there is a choice, or if the
    /// search would take long.
    pub fn forced(&self) -> Option<Vec<Step>> {
        let mut walk = Walk {
            road: &self.road,
            found: Found::default(),
            seen: HashSet::default(),
            line: Vec::new(),
            end: None,
        };
        if self.is_complete() || walk.finds_a_choice(&self.progress, self.owed) {
            return None;
        }
        walk.end.map(|(_, paces)| paces.into_iter().map(|pace| self.written(pace)).collect())
    }
}

struct Walk<'a> {
    road: &'a Road,
    found: Found,
    seen: HashSet<Progress, BuildWordHasher>,
    line: Vec<Pace>,
    /// The only end so far, and the first way to reach it.
    end: Option<(Progress, Vec<Pace>)>,
}

impl Walk<'_> {
    /// Whether there is a second end, or too much to search.
    fn finds_a_choice(&mut self, progress: &Progress, owed: u8) -> bool {
        for die in progress.hand.values() {
            for pace in self.road.paces(&progress.own, die) {
                let Some(after) = self.road.keeping_dice(progress, pace, owed, &mut self.found) else {
                    continue;
                };
                self.line.push(pace);
                let choice = if owed == 1 || after.has_won() {
                    self.is_second_end(after)
                } else {
                    self.seen.insert(after)
                        && (self.seen.len() > LOOKED_AT_MAX || self.finds_a_choice(&after, owed - 1))
                };
                self.line.pop();
                if choice {
                    return true;
                }
            }
        }
        false
    }

    fn is_second_end(&mut self, mut end: Progress) -> bool {
        // The unplayed dice do not belong to the end position.
        end.hand = Hand::EMPTY;
        match &self.end {
            None => {
                self.end = Some((end, self.line.clone()));
                false
            }
            Some((other, _)) => *other != end,
        }
    }
}
