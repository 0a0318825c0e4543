//! What the dice give: the chance of winning once they are thrown, against the mean over all throws that could
//! have come.

use lusoria_rules::Die;
use lusoria_search::{Budget, Decision, Stakes, Value, network::Throw, rank};
use serde::Serialize;

use super::{
    course::Course,
    sample::{self, Sample},
};
use crate::Estimate;

/// So few positions that the ends of a turn are looked at, and nothing that may be thrown after it.
const GLANCE: Budget = Budget { nodes: 1_600 };

/// What the throws do to a game: what each gave is the chance of winning with its best turn, as the computer sees
/// it at a glance, less the mean of that over all throws.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Luck {
    /// The standard deviation of what one throw gives, in chances of winning.
    pub of_a_throw: Estimate,
    /// The standard deviation of what all throws of a game give one side more than the other.
    pub of_a_game: Estimate,
    /// The standard deviation of a side's score once that is taken out.
    pub rest: Estimate,
    /// The part of the variance of results that goes when it is taken out: 0 if the throws tell nothing, 1 if
    /// they tell all.
    pub explained: Estimate,
}

/// What a side can hope for after each throw that could come, and which did.
pub(super) struct ThrowChances {
    /// The chance of winning, draws as halves; none for a throw that could not come.
    after: Vec<Option<f64>>,
    /// Their mean: what the side could hope for before it threw.
    before: f64,
    /// The throw that came.
    came: usize,
}

impl ThrowChances {
    /// Of the side to move. Each die of an opening throw is one side's, and they differ.
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

    /// What the side could hope for before it threw.
    pub(super) const fn before(&self) -> f64 {
        self.before
    }

    /// What the throw that came gave.
    pub(super) fn luck(&self) -> f64 {
        self.after[self.came].map_or(0.0, |after| after - self.before)
    }

    /// What each throw would have given; none for a throw that could not come.
    pub(super) fn worths(&self) -> impl Iterator<Item = Option<f64>> {
        self.after.iter().map(|after| after.map(|after| after - self.before))
    }
}

/// What the side to move can hope for after that throw, with the turn that looks best.
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
                // Of results that are all the same there is nothing to explain.
                if results > 0.0 { 1.0 - variance(Course::white_without_luck) / results } else { 0.0 }
            }),
        }
    }
}
