//! Rollouts: what turns are worth, by playing each of them on to the end many times.
//!
//! All turns are played on with the same dice, so that luck tells little about which is better, and the
//! luck that the network sees in each throw is taken out (variance reduction). Turns that are surely worse
//! than the best one are dropped on the way, and all ends when one is left.

use std::{
    num::NonZeroUsize,
    sync::atomic::{AtomicU32, Ordering},
    thread,
};

use lusoria_rules::{Step, Turn};

use crate::{Budget, Decision, Stakes, Value, tables};

/// Games of each turn between two looks at what is sure.
const ROUND: u32 = 36;
/// So many standard errors the best turn must be ahead: one in a hundred, for it is asked again and again.
const SURE: f64 = 2.58;

/// How turns are rolled out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RolloutPlan {
    /// How many turns are compared, at most: those that look best.
    pub turns_max: usize,
    /// How many games are played from each, at most; rounded up to whole rounds of 36.
    pub games_max: u32,
    /// What the look ahead may cost that finds the turns.
    pub budget: Budget,
    /// The seed of the dice.
    pub seed: u64,
    /// How many games are played at the same time. It changes nothing about the result.
    pub threads: NonZeroUsize,
}

/// What a rollout has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Rollout {
    /// The turns, the best first.
    pub turns: Vec<RolledOut>,
    /// Whether the first is surely better than all others, or the only one.
    pub is_sure: bool,
}

/// A turn that was rolled out.
#[derive(Debug, Clone, PartialEq)]
pub struct RolledOut {
    /// The steps, in an order in which they are legal.
    pub steps: Vec<Step>,
    /// What was thought of it before.
    pub thought: Value,
    /// What its games came to on average.
    pub value: Value,
    /// The standard error of what that is worth (−1 to 1, or −2 to 2 for points).
    pub error: f64,
    /// How many games were played from it.
    pub games: u32,
    /// How much less than the first it is worth, and the standard error of that: over the games that both
    /// have played.
    pub behind: Difference,
}

/// A difference of what two turns are worth.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Difference {
    /// Its mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

impl Difference {
    /// Whether the first of the two is surely better.
    fn is_sure(self) -> bool {
        self.mean > SURE * self.error
    }
}

/// A game without dice cannot be rolled out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a game without dice cannot be rolled out")]
pub struct NoDice;

/// Rolls out the best turns of a decision. Tells of every round how many games of each turn have been
/// played, and how many turns are left.
///
/// The same decision, plan and program give the same result.
///
/// # Errors
///
/// The game has no dice.
///
/// # Panics
///
/// If the dice are not a throw of the game.
pub fn roll_out(
    decision: &Decision,
    plan: &RolloutPlan,
    mut tell: impl FnMut(u32, usize),
) -> Result<Rollout, NoDice> {
    let Turn::Tables(turn) = decision.turn() else { return Err(NoDice) };
    let ranked = tables::rank(&turn, decision.stakes, plan.budget, plan.turns_max.max(1));
    let mut rolled: Vec<Rolled> = ranked
        .into_iter()
        .map(|choice| {
            let mut played = turn.clone();
            for step in &choice.steps {
                played.play(step).expect("a ranked turn is legal");
            }
            let end = played.end().expect("a ranked turn is whole").position;
            Rolled { steps: choice.steps, thought: choice.value, end, games: Vec::new() }
        })
        .collect();
    // Without a rival there is nothing to decide, but still something to measure.
    let mut left: Vec<usize> = (0..rolled.len()).collect();
    let mut played = 0;
    while played < plan.games_max && (left.len() > 1 || rolled.len() == 1) {
        let numbers = played..played + ROUND;
        let games = play(&rolled, &left, numbers, decision.stakes, plan);
        for (game, value) in (0..).zip(games) {
            rolled[left[game % left.len()]].games.push(value);
        }
        played += ROUND;
        let best = best(&rolled, &left, decision.stakes);
        left.retain(|&one| one == best || !rolled[best].ahead_of(&rolled[one], decision.stakes).is_sure());
        tell(played, left.len());
    }
    Ok(found(&rolled, &left, decision.stakes))
}

/// A turn with the games played from it, by their numbers.
struct Rolled {
    steps: Vec<Step>,
    thought: Value,
    end: lusoria_rules::tables::Position,
    games: Vec<Value>,
}

/// The games of these numbers from each of the turns that are left: number by number, turn by turn.
fn play(
    rolled: &[Rolled],
    left: &[usize],
    numbers: std::ops::Range<u32>,
    stakes: Stakes,
    plan: &RolloutPlan,
) -> Vec<Value> {
    let turns = u32::try_from(left.len()).expect("few turns are compared");
    let count = (numbers.end - numbers.start) * turns;
    let next = AtomicU32::new(0);
    let work = || {
        let mut values = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count {
                return values;
            }
            let end = &rolled[left[(at % turns) as usize]].end;
            values.push((at, tables::game(end, stakes, plan.seed, numbers.start + at / turns)));
        }
    };
    let mut values: Vec<(u32, Value)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..plan.threads.get()).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a game does not panic")).collect()
    });
    values.sort_by_key(|(at, _)| *at);
    values.into_iter().map(|(_, value)| value).collect()
}

fn best(rolled: &[Rolled], among: &[usize], stakes: Stakes) -> usize {
    let worth = |one: usize| mean_and_error(rolled[one].worths(stakes)).mean;
    let best = among.iter().copied().max_by(|&a, &b| worth(a).total_cmp(&worth(b)));
    best.expect("there is a turn")
}

fn found(rolled: &[Rolled], left: &[usize], stakes: Stakes) -> Rollout {
    let best = best(rolled, left, stakes);
    let mut turns: Vec<RolledOut> = rolled
        .iter()
        .enumerate()
        .map(|(index, one)| {
            let mut value = Value::default();
            one.games.iter().for_each(|game| value.add(game, 1.0 / one.games.len() as f32));
            RolledOut {
                steps: one.steps.clone(),
                thought: one.thought,
                value,
                error: mean_and_error(one.worths(stakes)).error,
                games: u32::try_from(one.games.len()).expect("few games are played"),
                behind: if index == best {
                    Difference::default()
                } else {
                    rolled[best].ahead_of(one, stakes)
                },
            }
        })
        .collect();
    turns.swap(0, best);
    turns[1..].sort_by(|a, b| a.behind.mean.total_cmp(&b.behind.mean));
    Rollout { turns, is_sure: left.len() == 1 }
}

impl Rolled {
    fn worths(&self, stakes: Stakes) -> impl Iterator<Item = f64> {
        self.games.iter().map(move |value| f64::from(stakes.worth(value)))
    }

    /// How much more this turn is worth than the other, over the games that both have played: these had
    /// the same dice.
    fn ahead_of(&self, other: &Self, stakes: Stakes) -> Difference {
        mean_and_error(self.worths(stakes).zip(other.worths(stakes)).map(|(mine, theirs)| mine - theirs))
    }
}

/// The mean of numbers, and its standard error.
fn mean_and_error(numbers: impl Iterator<Item = f64>) -> Difference {
    let (mut count, mut mean, mut squares) = (0.0, 0.0, 0.0);
    for number in numbers {
        count += 1.0;
        let away = number - mean;
        mean += away / count;
        squares += away * (number - mean);
    }
    let error = if count > 1.0 { (squares / (count - 1.0) / count).sqrt() } else { f64::INFINITY };
    Difference { mean, error }
}

#[cfg(test)]
mod tests;
