//! Luck of the dice: the chance of winning after a throw, minus the mean over all throws that could have
//! come.

use lusoria_rules::Die;
use lusoria_search::{Budget, Decision, Stakes, Value, network::Throw, rank};
use serde::Serialize;

use super::{
    course::Course,
    sample::{self, Sample},
};
use crate::Estimate;

/// A budget so small that the ends of a turn are evaluated without look-ahead.
const GLANCE: Budget = Budget { nodes: 1_600 };

/// The effect of the throws on a game. The luck of a throw is the chance of winning with its best turn,
/// evaluated without look-ahead, minus the mean of that over all throws.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Luck {
    /// The standard deviation of the luck of one throw, in chances of winning.
    pub of_a_throw: Estimate,
    /// The standard deviation of one side's luck minus the other's in a game.
    pub of_a_game: Estimate,
    /// The standard deviation of a side's score with luck removed.
    pub rest: Estimate,
    /// The part of the variance of results that luck explains: 0 if it explains nothing, 1 if everything.
    pub explained: Estimate,
}

/// A side's chances after each possible throw, and the actual throw.
pub(super) struct ThrowChances {
    /// The chance of winning, a draw counting half; none for an impossible throw.
    after: Vec<Option<f64>>,
    /// Their mean: the expectation before the throw.
    before: f64,
    /// The index of the actual throw.
    came: usize,
}

impl ThrowChances {
    /// For the side to move. Each die of an opening throw belongs to one side, and they differ.
    pub(super) fn of(decision: &Decision<'_>, throws: &[Throw], is_opening: bool) -> Self {
        let can_come = |throw: &Throw| !is_opening || throw.dice[0] != throw.dice[1];
        let after: Vec<Option<f64>> = throws
            .iter()
            .map(|throw| can_come(throw).then(|| after(decision, &throw.dice).score().into()))
            .collect();
        let known = throws.iter().zip(&after);
        let known = known.filter_map(|(throw, after)| Some((f64::from(throw.chance), (*after)?)));
        let (sum, chances) = known
            .fold((0.0, 0.0), |(sum, chances), (chance, after)| (sum + chance * after, chances + chance));
        let mut dice = decision.dice.to_vec();
        dice.sort_unstable();
        let came = throws.iter().position(|throw| throw.dice == dice).expect("a throw of the game");
        Self { after, before: sum / chances, came }
    }

    /// The expectation before the throw.
    pub(super) const fn before(&self) -> f64 {
        self.before
    }

    /// The luck of the actual throw.
    pub(super) fn luck(&self) -> f64 {
        self.after[self.came].map_or(0.0, |after| after - self.before)
    }

    /// The worth of each throw; none for an impossible one.
    pub(super) fn worths(&self) -> impl Iterator<Item = Option<f64>> {
        self.after.iter().map(|after| after.map(|after| after - self.before))
    }
}

/// The value for the side to move after this throw, with the best-looking turn.
fn after(decision: &Decision<'_>, dice: &[Die]) -> Value {
    let turn = decision.position.turn(dice).expect("a throw of the game");
    if turn.is_complete() {
        let end = turn.end(decision.history).expect("a turn in which nothing is legal may end");
        if let Some(outcome) = end.outcome {
            return Value::of_outcome(outcome, decision.position.to_move());
        }
    }
    let thrown = Decision { dice, stakes: Stakes::Game, ..decision.clone() };
    rank(&thrown, GLANCE, 1).first().expect("every turn ends somewhere").value
}

impl Luck {
    pub(super) fn of(sample: &Sample) -> Self {
        let squares = |courses: &[&Course]| {
            let (squares, turns) = courses.iter().fold((0.0, 0.0), |(squares, turns), course| {
                (squares + course.luck_squares, turns + f64::from(course.turns))
            });
            squares / turns
        };
        Self {
            of_a_throw: sample.estimate(|courses| squares(courses).sqrt()),
            of_a_game: sample.deviation(|course| course.luck),
            rest: sample.deviation(Course::white_without_luck),
            explained: sample.estimate(|courses| {
                let variance = |of: fn(&Course) -> f64| sample::variance(courses, of);
                let results = variance(|course| course.white);
                // With equal results there is no variance to explain.
                if results > 0.0 { 1.0 - variance(Course::white_without_luck) / results } else { 0.0 }
            }),
        }
    }
}
