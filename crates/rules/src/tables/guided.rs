//! Finds the most promising ends of a turn, where there are too many to look at all.

use std::{cmp::Reverse, collections::HashSet};

use super::{
    Position, Turn,
    compulsion::Found,
    dice::Hand,
    hash::BuildWordHasher,
    road::{Pace, Progress},
};

impl Turn {
    /// Distinct positions in which the turn can end, with the other side to move. After every die the search
    /// continues only from the `width` positions with the highest `value`, which is called as if the turn
    /// ended there. Returns the ends after the last die of all positions kept before it, in an order that
    /// depends only on `value`.
    ///
    /// A triple has up to some fifty thousand ends; this evaluates a few hundred positions.
    pub fn ends_guided(&self, width: usize, mut value: impl FnMut(&Position) -> f32) -> Vec<Position> {
        let other = self.position().to_move().other();
        if self.is_complete() {
            return vec![self.position().with_to_move(other)];
        }
        let stand = |at: &Progress| self.start().played(at.own, at.hits).with_to_move(other);
        let mut kept = vec![self.progress];
        let mut ends = Vec::new();
        let mut seen: HashSet<Progress, BuildWordHasher> = HashSet::default();
        let mut found = Found::default();
        for owed in (1..=self.owed).rev() {
            let mut next = Vec::new();
            for progress in &kept {
                self.each_after(progress, owed, &mut found, |_, mut after| {
                    let is_end = owed == 1 || after.has_won();
                    if is_end {
                        // The unplayed dice do not belong to the end position.
                        after.hand = Hand::EMPTY;
                    }
                    if !(is_end && after.owes_entry) && seen.insert(after) {
                        if is_end { &mut ends } else { &mut next }.push(after);
                    }
                });
            }
            if next.len() > width {
                let mut valued: Vec<(f32, Progress)> =
                    next.iter().map(|progress| (value(&stand(progress)), *progress)).collect();
                valued.sort_by(|a, b| b.0.total_cmp(&a.0));
                valued.truncate(width);
                next = valued.into_iter().map(|(_, progress)| progress).collect();
            }
            kept = next;
        }
        ends.iter().map(stand).collect()
    }

    /// Steps that end the turn in that position; none if it cannot end there. Of several ways, the one that
    /// plays higher dice first.
    pub fn way_to(&self, end: &Position) -> Option<Vec<crate::Step>> {
        let other = self.position().to_move().other();
        if end.to_move() != other {
            return None;
        }
        if self.is_complete() {
            return (self.position().with_to_move(other) == *end).then(Vec::new);
        }
        let mut search = WayTo {
            turn: self,
            end: *end,
            found: Found::default(),
            seen: HashSet::default(),
            line: Vec::new(),
        };
        search
            .goes_on(&self.progress, self.owed)
            .then(|| search.line.iter().map(|&pace| self.written(pace)).collect())
    }

    /// Passes on the state after every step that still lets the turn play the dice it owes.
    fn each_after(
        &self,
        progress: &Progress,
        owed: u8,
        found: &mut Found,
        mut visit: impl FnMut(Pace, Progress),
    ) {
        for die in progress.hand.values() {
            for pace in self.road.paces(&progress.own, die) {
                if let Some(after) = self.road.keeping_dice(progress, pace, owed, found) {
                    visit(pace, after);
                }
            }
        }
    }
}

struct WayTo<'a> {
    turn: &'a Turn,
    end: Position,
    found: Found,
    seen: HashSet<Progress, BuildWordHasher>,
    line: Vec<Pace>,
}

impl WayTo<'_> {
    fn goes_on(&mut self, progress: &Progress, owed: u8) -> bool {
        let mut nexts = Vec::new();
        self.turn.each_after(progress, owed, &mut self.found, |pace, after| nexts.push((pace, after)));
        nexts.sort_by_key(|(pace, _)| Reverse(pace.die));
        for (pace, after) in nexts {
            if !self.can_become_end(&after) || !self.seen.insert(after) {
                continue;
            }
            self.line.push(pace);
            let arrived = if owed == 1 || after.has_won() {
                !after.owes_entry && self.is_end(&after)
            } else {
                self.goes_on(&after, owed - 1)
            };
            if arrived {
                return true;
            }
            self.line.pop();
        }
        false
    }

    fn is_end(&self, after: &Progress) -> bool {
        self.turn.start().played(after.own, after.hits).with_to_move(self.end.to_move()) == self.end
    }

    /// Pieces only move forward: at no cell may there be more pieces at it and beyond than in the end.
    fn can_become_end(&self, after: &Progress) -> bool {
        use super::pieces::Place;
        let goal = self.end.pieces(self.end.to_move().other());
        let (mut here, mut there) = (after.own.count(Place::OFF), goal.count(Place::OFF));
        if here > there {
            return false;
        }
        for index in (0..self.turn.road.rules.length()).rev() {
            here += after.own.count(Place::cell(index));
            there += goal.count(Place::cell(index));
            if here > there {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::{prelude::*, test_runner::TestRng};

    use super::*;
    use crate::{Die, Game, Variant, tables::Rules};

    fn turns(game: Game, rng: &mut TestRng, visit: &mut dyn FnMut(&Turn)) {
        let rules = Rules::of(Variant::standard(game)).unwrap();
        let mut position = Position::start(rules);
        for _ in 0..60 {
            let dice: Vec<Die> = (0..game.dice()).map(|_| Die::ALL[(rng.next_u32() % 6) as usize]).collect();
            let turn = Turn::new(position, &dice).unwrap();
            visit(&turn);
            let ends = turn.ends(2_000).positions;
            position = ends[rng.next_u32() as usize % ends.len()];
            if position.outcome().is_some() {
                return;
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn with_room_for_all_no_end_is_missed(game in 0..4_usize, mut rng in any::<u64>().prop_perturb(|_, rng| rng)) {
            turns(Game::ALL[game], &mut rng, &mut |turn| {
                let all = turn.ends(3_000);
                if all.truncated {
                    return;
                }
                let guided = turn.ends_guided(usize::MAX, |_| unreachable!("nothing is left out"));
                let (all, found): (HashSet<_>, HashSet<_>) =
                    (all.positions.into_iter().collect(), guided.iter().copied().collect());
                assert_eq!(guided.len(), found.len());
                assert_eq!(all, found);
            });
        }

        #[test]
        fn narrow_ends_are_ends_and_there_is_a_way_to_them(game in 0..4_usize, mut rng in any::<u64>().prop_perturb(|_, rng| rng)) {
            turns(Game::ALL[game], &mut rng, &mut |turn| {
                let ends = turn.ends_guided(2, |position| f32::from(position.off(position.to_move().other())));
                assert!(!ends.is_empty());
                for end in ends {
                    let mut played = turn.clone();
                    for step in turn.way_to(&end).expect("there is a way to every end") {
                        played.play(&step).unwrap();
                    }
                    assert_eq!(played.end().unwrap().position, end);
                }
            });
        }
    }
}
