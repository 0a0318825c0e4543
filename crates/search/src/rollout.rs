//! Rollouts: the value of turns, by playing each of them to the end many times.
//!
//! All turns are played with the same dice, so that luck affects their comparison little, and the luck that
//! the computer measures in each throw is removed (variance reduction). Turns that are certainly worse than
//! the best one are dropped on the way, and the rollout ends when one is left.

use std::cmp::Reverse;

use lusoria_rules::{Step, Turn, tables as tables_rules};

use crate::{Budget, Decision, NotATurn, Stakes, Value, tables};

/// How many games of each turn are played between two tests of certainty: a rollout plays whole rounds.
pub const GAMES_A_ROUND: u32 = 36;
/// How many standard errors the best turn must be ahead: an error rate of one in a hundred, because the test
/// is repeated many times.
const SURE: f64 = 2.58;

/// Turns of equal value may seem to differ by this much.
const ROUNDING: f64 = 1e-6;

/// The plan of a rollout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RolloutPlan {
    /// How many of the best-looking turns are compared at most.
    pub turns_max: usize,
    /// How many games are played from each, at most; rounded up to whole rounds of 36.
    pub games_max: u32,
    /// After how many turns of both sides a game is cut off and evaluated; none if all are played to the end.
    pub horizon: Option<u32>,
    /// The budget of the search that selects the turns.
    pub budget: Budget,
    /// The seed of the dice.
    pub seed: u64,
}

/// The result of a rollout.
#[derive(Debug, Clone, PartialEq)]
pub struct Rollout {
    /// The turns, the best first.
    pub turns: Vec<RolledOut>,
    /// Whether the first is certainly better than all others, or the only one.
    pub is_sure: bool,
    /// The index of the turn that was asked for, if there is one.
    pub asked: Option<usize>,
}

/// A turn that was rolled out.
#[derive(Debug, Clone, PartialEq)]
pub struct RolledOut {
    /// The steps, in an order in which they are legal.
    pub steps: Vec<Step>,
    /// Its value before the rollout.
    pub thought: Value,
    /// The mean value of its games.
    pub value: Value,
    /// The standard error of its worth (−1 to 1, or −2 to 2 for points).
    pub error: f64,
    /// How many games were played.
    pub games: u32,
    /// How much less than the first it is worth, and the standard error, over the games that both have
    /// played.
    pub behind: Difference,
}

/// The difference in worth of two turns.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Difference {
    /// Its mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

impl Difference {
    /// Whether the first of the two is certainly better.
    fn is_sure(self) -> bool {
        self.mean > SURE * self.error + ROUNDING
    }
}

/// The reason that a turn cannot be rolled out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoRollout {
    /// The game has no dice.
    #[error("a game without dice cannot be rolled out")]
    NoDice,
    /// The steps are not a legal turn.
    #[error(transparent)]
    NotATurn(#[from] NotATurn),
}

/// Rolls out the best turns of a decision, and the turn that was `asked` for. `play_all` plays the games that
/// it is given, in parallel or one after the other, and returns their values in the same order. Reports after
/// every round how many games of each turn have been played, and how many turns are left.
///
/// The same decision, plan and program give the same result.
///
/// # Errors
///
/// The game has no dice, or the turn that was asked for is not legal.
///
/// # Panics
///
/// If the dice are not a throw of the game.
pub fn roll_out(
    decision: &Decision,
    asked: Option<&[Step]>,
    plan: &RolloutPlan,
    mut play_all: impl FnMut(&[RolloutGame]) -> Vec<Value>,
    mut tell: impl FnMut(u32, usize),
) -> Result<Rollout, NoRollout> {
    let mut rolling = RollingOut::begin(decision, asked, plan)?;
    while !rolling.is_over() {
        let values = play_all(&rolling.round());
        rolling.take(&values);
        tell(rolling.played, rolling.left.len());
    }
    Ok(rolling.found())
}

/// How much more the first turn is worth than the second, over as many games of each as the plan has. All are
/// played, so that chance favours neither.
///
/// The turn that a rollout found best looks better there than it is, because it was selected by the same
/// numbers. Another rollout with another seed gives an unbiased value.
///
/// # Errors
///
/// The game has no dice, or one of the turns is not legal.
///
/// # Panics
///
/// If the dice are not a throw of the game.
pub fn difference(
    decision: &Decision,
    turns: [&[Step]; 2],
    plan: &RolloutPlan,
    play_all: impl FnOnce(&[RolloutGame]) -> Vec<Value>,
) -> Result<Difference, NoRollout> {
    let Turn::Tables(turn) = decision.turn() else { return Err(NoRollout::NoDice) };
    let [first, second] = turns.map(|steps| end_of(&turn, steps));
    let ends = [first?, second?];
    let games_max = plan.games_max.next_multiple_of(GAMES_A_ROUND);
    let games: Vec<RolloutGame> =
        (0..games_max).flat_map(|number| ends.map(|end| plan.game(end, decision.stakes, number))).collect();
    let worths: Vec<f64> =
        play_all(&games).iter().map(|value| f64::from(decision.stakes.worth(value))).collect();
    Ok(mean_and_error(worths.as_chunks().0.iter().map(|[first, second]| first - second)))
}

/// A rollout in progress, for callers that play its games themselves, a few at a time.
#[derive(Debug)]
pub struct RollingOut {
    stakes: Stakes,
    plan: RolloutPlan,
    rolled: Vec<Rolled>,
    /// The index of the turn that was asked for.
    asked: Option<usize>,
    /// The turns that may still be the best.
    left: Vec<usize>,
    /// How many games have been played of each of these.
    played: u32,
}

/// One game of a rollout.
#[derive(Debug, Clone, Copy)]
pub struct RolloutGame {
    end: tables_rules::Position,
    stakes: Stakes,
    seed: u64,
    number: u32,
    horizon: Option<u32>,
}

/// A turn with its games, by their numbers.
#[derive(Debug)]
struct Rolled {
    steps: Vec<Step>,
    thought: Value,
    end: tables_rules::Position,
    games: Vec<Value>,
}

impl RolloutPlan {
    /// The game with this number from the end of a turn.
    const fn game(&self, end: tables_rules::Position, stakes: Stakes, number: u32) -> RolloutGame {
        RolloutGame { end, stakes, seed: self.seed, number, horizon: self.horizon }
    }
}

impl RolloutGame {
    /// Plays the game. Returns its value for the side that played the turn.
    pub fn play(&self) -> Value {
        tables::game(&self.end, self.stakes, self.seed, self.number, self.horizon)
    }
}

impl RollingOut {
    /// Selects the turns to compare: the best-looking ones, and the turn that was `asked` for.
    ///
    /// # Errors
    ///
    /// The game has no dice, or the turn that was asked for is not legal.
    ///
    /// # Panics
    ///
    /// If the dice are not a throw of the game.
    pub fn begin(decision: &Decision, asked: Option<&[Step]>, plan: &RolloutPlan) -> Result<Self, NoRollout> {
        let Turn::Tables(turn) = decision.turn() else { return Err(NoRollout::NoDice) };
        let mut rolled: Vec<Rolled> = Vec::with_capacity(plan.turns_max + 1);
        for choice in tables::rank(&turn, decision.stakes, plan.budget, plan.turns_max.max(1)) {
            let end = end_of(&turn, &choice.steps).expect("a ranked turn is legal and whole");
            rolled.push(Rolled { steps: choice.steps, thought: choice.value, end, games: Vec::new() });
        }
        let asked = asked.map(|steps| end_of(&turn, steps).map(|end| (steps, end))).transpose()?;
        let asked = asked.map(|(steps, end)| {
            let known = rolled.iter().position(|one| one.end == end);
            known.unwrap_or_else(|| {
                let thought = tables::glance(&end).turned();
                rolled.push(Rolled { steps: steps.to_vec(), thought, end, games: Vec::new() });
                rolled.len() - 1
            })
        });
        let left = (0..rolled.len()).collect();
        Ok(Self { stakes: decision.stakes, plan: *plan, rolled, asked, left, played: 0 })
    }

    /// Whether one turn is certainly the best, or the maximum number of games has been played.
    pub fn is_over(&self) -> bool {
        // A single turn leaves nothing to decide, but its value is still measured.
        self.played >= self.plan.games_max || (self.left.len() == 1 && self.rolled.len() > 1)
    }

    /// How many games have been played of each turn that may still be the best.
    pub const fn played(&self) -> u32 {
        self.played
    }

    /// The games of the next round. They may be played in any order and in parallel.
    pub fn round(&self) -> Vec<RolloutGame> {
        let numbers = self.played..self.played + GAMES_A_ROUND;
        let game = |number, &turn: &usize| self.plan.game(self.rolled[turn].end, self.stakes, number);
        numbers.flat_map(|number| self.left.iter().map(move |turn| game(number, turn))).collect()
    }

    /// Adds the values of the round's games, in their order, and drops turns that are certainly worse than
    /// the best one.
    ///
    /// # Panics
    ///
    /// If the number of values differs from the number of games in the round.
    pub fn take(&mut self, values: &[Value]) {
        assert_eq!(values.len(), GAMES_A_ROUND as usize * self.left.len(), "a round is taken in whole");
        for row in values.chunks_exact(self.left.len()) {
            for (&turn, value) in self.left.iter().zip(row) {
                self.rolled[turn].games.push(*value);
            }
        }
        self.played += GAMES_A_ROUND;
        let (best, stakes, rolled) = (self.best(), self.stakes, &self.rolled);
        self.left.retain(|&one| one == best || !rolled[best].ahead_of(&rolled[one], stakes).is_sure());
    }

    /// Of equal turns, the one that was asked for, otherwise the one that looked best before.
    fn best(&self) -> usize {
        let worth = |one: usize| mean_and_error(self.rolled[one].worths(self.stakes)).mean;
        let looks = |one: usize| (self.asked == Some(one), Reverse(one));
        let order = |&a: &usize, &b: &usize| worth(a).total_cmp(&worth(b)).then(looks(a).cmp(&looks(b)));
        let best = self.left.iter().copied().max_by(order);
        best.expect("there is a turn")
    }

    /// The result so far.
    pub fn found(&self) -> Rollout {
        let (best, stakes) = (self.best(), self.stakes);
        let mut turns: Vec<(usize, RolledOut)> =
            self.rolled.iter().map(|one| one.rolled_out(&self.rolled[best], stakes)).enumerate().collect();
        turns[best].1.behind = Difference::default();
        turns.swap(0, best);
        turns[1..].sort_by(|(_, a), (_, b)| a.behind.mean.total_cmp(&b.behind.mean));
        let asked = turns.iter().position(|(index, _)| self.asked == Some(*index));
        let turns = turns.into_iter().map(|(_, turn)| turn).collect();
        Rollout { turns, is_sure: self.left.len() == 1, asked }
    }
}

impl Rolled {
    fn worths(&self, stakes: Stakes) -> impl Iterator<Item = f64> {
        self.games.iter().map(move |value| f64::from(stakes.worth(value)))
    }

    /// How much more this turn is worth than the other, over the games that both have played with the same
    /// dice.
    fn ahead_of(&self, other: &Self, stakes: Stakes) -> Difference {
        mean_and_error(self.worths(stakes).zip(other.worths(stakes)).map(|(mine, theirs)| mine - theirs))
    }

    fn rolled_out(&self, best: &Self, stakes: Stakes) -> RolledOut {
        let mut value = Value::default();
        self.games.iter().for_each(|game| value.add(game, 1.0 / self.games.len() as f32));
        RolledOut {
            steps: self.steps.clone(),
            thought: self.thought,
            value,
            error: mean_and_error(self.worths(stakes)).error,
            games: u32::try_from(self.games.len()).expect("few games are played"),
            behind: best.ahead_of(self, stakes),
        }
    }
}

/// The position after steps that are a whole turn.
fn end_of(turn: &tables_rules::Turn, steps: &[Step]) -> Result<tables_rules::Position, NotATurn> {
    let mut turn = turn.clone();
    for step in steps {
        turn.play(step).map_err(|_| NotATurn)?;
    }
    turn.end().map(|end| end.position).map_err(|_| NotATurn)
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
