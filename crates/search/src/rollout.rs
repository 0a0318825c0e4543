//! Rollouts: what turns are worth, by playing each of them on to the end many times.
//!
//! All turns are played on with the same dice, so that luck tells little about which is better, and the
//! luck that the computer sees in each throw is taken out (variance reduction). Turns that are surely worse
//! than the best one are dropped on the way, and all ends when one is left.

use std::cmp::Reverse;

use lusoria_rules::{Step, Turn, tables as tables_rules};

use crate::{Budget, Decision, NotATurn, Stakes, Value, tables};

/// Games of each turn between two looks at what is sure: a rollout plays whole rounds.
pub const GAMES_A_ROUND: u32 = 36;
/// So many standard errors the best turn must be ahead: one in a hundred, for it is asked again and again.
const SURE: f64 = 2.58;

/// Turns of the same worth may seem to differ by this much.
const ROUNDING: f64 = 1e-6;

/// How turns are rolled out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RolloutPlan {
    /// How many turns are compared, at most: those that look best.
    pub turns_max: usize,
    /// How many games are played from each, at most; rounded up to whole rounds of 36.
    pub games_max: u32,
    /// After how many turns of both sides a game is broken off, and counts as what the computer then thinks of
    /// its position; none if all are played to the end.
    pub horizon: Option<u32>,
    /// What the look ahead may cost that finds the turns.
    pub budget: Budget,
    /// The seed of the dice.
    pub seed: u64,
}

/// What a rollout has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Rollout {
    /// The turns, the best first.
    pub turns: Vec<RolledOut>,
    /// Whether the first is surely better than all others, or the only one.
    pub is_sure: bool,
    /// Which of them was asked about, if one was.
    pub asked: Option<usize>,
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
        self.mean > SURE * self.error + ROUNDING
    }
}

/// Why a turn cannot be rolled out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoRollout {
    /// The game has no dice.
    #[error("a game without dice cannot be rolled out")]
    NoDice,
    /// The turn that is asked about is none.
    #[error(transparent)]
    NotATurn(#[from] NotATurn),
}

/// Rolls out the best turns of a decision, and the one that is `asked` about. `play_all` plays the games that it is
/// given, at the same time or one after the other, and says what they were worth, in their order. Tells of every
/// round how many games of each turn have been played, and how many turns are left.
///
/// The same decision, plan and program give the same result.
///
/// # Errors
///
/// The game has no dice, or the turn that is asked about is not legal.
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

/// How much more the first turn is worth than the second: over as many games of each as the plan has, all
/// played whatever they show, so that chance favours neither.
///
/// A turn that a rollout found to be the best looks better there than it is, as whatever is chosen for its
/// numbers does. Another rollout, of another seed, tells what it is worth.
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

/// A rollout that is going on: for those who play its games themselves, a few at a time.
#[derive(Debug)]
pub struct RollingOut {
    stakes: Stakes,
    plan: RolloutPlan,
    rolled: Vec<Rolled>,
    /// Which of them was asked about.
    asked: Option<usize>,
    /// Those that may be the best.
    left: Vec<usize>,
    /// How many games have been played from each of these.
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

/// A turn with the games played from it, by their numbers.
#[derive(Debug)]
struct Rolled {
    steps: Vec<Step>,
    thought: Value,
    end: tables_rules::Position,
    games: Vec<Value>,
}

impl RolloutPlan {
    /// The game of that number from the end of a turn.
    const fn game(&self, end: tables_rules::Position, stakes: Stakes, number: u32) -> RolloutGame {
        RolloutGame { end, stakes, seed: self.seed, number, horizon: self.horizon }
    }
}

impl RolloutGame {
    /// Plays it: what it was worth to the side that played the turn.
    pub fn play(&self) -> Value {
        tables::game(&self.end, self.stakes, self.seed, self.number, self.horizon)
    }
}

impl RollingOut {
    /// Finds the turns that are compared: those that look best, and the one that is `asked` about, if it is
    /// not one of these.
    ///
    /// # Errors
    ///
    /// The game has no dice, or the turn that is asked about is not legal.
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

    /// Whether one turn is surely the best, or as many games have been played as may be.
    pub fn is_over(&self) -> bool {
        // Without a rival there is nothing to decide, but still something to measure.
        self.played >= self.plan.games_max || (self.left.len() == 1 && self.rolled.len() > 1)
    }

    /// How many games have been played of each turn that may still be the best.
    pub const fn played(&self) -> u32 {
        self.played
    }

    /// The games of the next round. They may be played in any order, at the same time.
    pub fn round(&self) -> Vec<RolloutGame> {
        let numbers = self.played..self.played + GAMES_A_ROUND;
        let game = |number, &turn: &usize| self.plan.game(self.rolled[turn].end, self.stakes, number);
        numbers.flat_map(|number| self.left.iter().map(move |turn| game(number, turn))).collect()
    }

    /// Takes in what the games of the round were worth, in their order, and drops the turns that are surely
    /// worse than the best one.
    ///
    /// # Panics
    ///
    /// If these are not as many as the round has games.
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

    /// Of those that are worth the same the one that was asked about, else the one that looked best before.
    fn best(&self) -> usize {
        let worth = |one: usize| mean_and_error(self.rolled[one].worths(self.stakes)).mean;
        let looks = |one: usize| (self.asked == Some(one), Reverse(one));
        let order = |&a: &usize, &b: &usize| worth(a).total_cmp(&worth(b)).then(looks(a).cmp(&looks(b)));
        let best = self.left.iter().copied().max_by(order);
        best.expect("there is a turn")
    }

    /// What has been found so far.
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

    /// How much more this turn is worth than the other, over the games that both have played: these had
    /// the same dice.
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

/// Where steps lead that are a whole turn.
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
