//! Chooses a turn: evaluates all its ends without look-ahead, and the best of them again over the next
//! throws.

use lusoria_rules::{
    Die,
    tables::{Position, Turn},
};

use super::{
    judge::{Judge, Judged},
    level::Manner,
    mind::Mind,
    throws::Throw,
};
use crate::{Budget, Choice, Level, Random, Review, Stakes, Value};

/// The most ends of one's own turn that are evaluated; of more, the most promising.
const ENDS: u32 = 20_000;
/// The beam width when there are more ends.
const WIDTH: usize = 24;
/// The most ends of a reply that are evaluated.
const REPLIES: u32 = 400;
/// The beam width when a reply has more.
const REPLY_WIDTH: usize = 2;
/// The most turns that are evaluated again.
const AGAIN: usize = 12;
/// How many turns are compared in a review, the played one included.
const REVIEWED: usize = 4;
/// Which part of the throws, by probability, must have been evaluated for the result to count.
const ENOUGH: f32 = 0.6;

/// The turn that a level plays.
pub(crate) fn choose(turn: &Turn, stakes: Stakes, level: Level, budget: Budget, seed: u64) -> Choice {
    let manner = Manner::of(turn.position().rules().variant(), level);
    let mut judge = Judge::new(Mind::of(turn.position().rules()), stakes, budget);
    let mut judged = without_look_ahead(turn, &mut judge);
    if manner.looks_ahead {
        let least = judged[0].worth - manner.margin;
        judged.truncate(judged.iter().take_while(|one| one.worth >= least).count());
        look_ahead(&mut judged, &mut judge, 2);
    }
    let at = manner.pick(&judged, &mut Random::new(seed));
    let Judged { end, value, .. } = judged[at];
    Choice { steps: steps(turn, &end), value, nodes: judge.nodes() }
}

/// The best turns, at most this many.
pub(crate) fn rank(turn: &Turn, stakes: Stakes, budget: Budget, most: usize) -> Vec<Choice> {
    let mut judge = Judge::new(Mind::of(turn.position().rules()), stakes, budget);
    let mut judged = without_look_ahead(turn, &mut judge);
    look_ahead(&mut judged, &mut judge, most);
    let nodes = judge.nodes();
    judged.truncate(most);
    judged
        .iter()
        .map(|Judged { end, value, .. }| Choice { steps: steps(turn, end), value: *value, nodes })
        .collect()
}

/// The value for the side to move before it throws, without look-ahead.
pub(crate) fn glance(position: &Position) -> Value {
    Judge::new(Mind::of(position.rules()), Stakes::Game, Budget { nodes: 1 }).value(position)
}

/// The value for the side to move before it throws: over every throw, if the budget allows.
pub(crate) fn appraise(position: &Position, stakes: Stakes, budget: Budget) -> Value {
    let mut judge = Judge::new(Mind::of(position.rules()), stakes, budget);
    let glance = judge.value(position);
    by_throws(position, &mut judge).map_or(glance, |values| mean(judge.mind, &values))
}

/// Reviews a played turn, which ended in this position, or ended the game like this.
pub(crate) fn review(
    turn: &Turn,
    dice: &[Die],
    (played, over): (&Position, Option<Value>),
    stakes: Stakes,
    budget: Budget,
) -> Review {
    let judge = || Judge::new(Mind::of(turn.position().rules()), stakes, budget.shared_by(2));
    let (before, thrown) = luck(turn.start(), dice, &mut judge());
    let mut judge = judge();
    let mut judged = without_look_ahead(turn, &mut judge);
    let known = judged.iter().position(|one| one.end == *played);
    let mine = known.map_or_else(|| judge.judge(*played), |at| judged.remove(at));
    // The played turn is evaluated again with the best ones, whatever its first value.
    judged.truncate(affordable(&judge).clamp(2, REVIEWED) - 1);
    judged.push(mine);
    sort(&mut judged);
    let all = judged.len();
    look_ahead(&mut judged, &mut judge, all);
    let best = judged[0];
    let value = judged.iter().find(|one| one.end == *played).map_or(mine.value, |one| one.value);
    Review {
        before,
        thrown,
        best: Choice { steps: steps(turn, &best.end), value: best.value, nodes: judge.nodes() },
        played: over.unwrap_or(value),
    }
}

/// The value for the side to move before it throws, and after this throw. Both come from the same evaluation
/// of every throw, or are equal if the budget does not allow it.
fn luck(position: &Position, dice: &[Die], judge: &mut Judge) -> (Value, Value) {
    let glance = judge.value(position);
    let Some(values) = by_throws(position, judge) else { return (glance, glance) };
    (mean(judge.mind, &values), values[judge.mind.throw(dice)])
}

fn steps(turn: &Turn, end: &Position) -> Vec<lusoria_rules::Step> {
    turn.way_to(end).expect("there is a way to every end")
}

/// The ends of the turn without look-ahead, the best first. Leaves half of the budget.
fn without_look_ahead(turn: &Turn, judge: &mut Judge) -> Vec<Judged> {
    let mut judged = judge.ends(turn, ENDS.min(judge.left() / 2), WIDTH).judged;
    sort(&mut judged);
    judged
}

fn sort(judged: &mut [Judged]) {
    judged.sort_by(|a, b| b.worth.total_cmp(&a.worth));
}

/// Evaluates the best turns again over the opponent's throws, and with a large budget the best of these over
/// the throws after that. Each time only as many are kept as the budget allows to evaluate equally; if that
/// is fewer than `least`, or than two, the values stay.
fn look_ahead(judged: &mut Vec<Judged>, judge: &mut Judge, least: usize) {
    let over = judged.first().is_none_or(|best| best.end.outcome().is_some());
    let over = over || judged.iter().all(|one| one.is_known);
    let least = least.min(judged.len()).max(2);
    let again = affordable(judge).min(AGAIN.max(least)).min(judged.len());
    if over || again < least {
        return;
    }
    judged.truncate(again);
    let reply = look_again(judged, judge, 1, least);
    // Another ply costs the price of a reply for every throw of every throw.
    let deeper = (judge.left() / reply.saturating_mul(judge.mind.throws_count()).max(1)) as usize;
    let again = deeper.min(judged.len());
    if again >= least {
        judged.truncate(again);
        look_again(judged, judge, 2, least);
    }
}

/// How many turns can be evaluated again with the rest of the budget.
fn affordable(judge: &Judge) -> usize {
    (judge.left() / (judge.best_end_nodes() * judge.mind.throws_count())) as usize
}

/// Evaluates the turns again, this many plies ahead, and sorts them. Returns the cost of one of them.
///
/// All of them meet the same throws, the likeliest first; if these cost more than the budget allows, the
/// least promising turns are left out, down to `least`. If the budget still ends before most throws have been
/// met, the values stay.
fn look_again(judged: &mut Vec<Judged>, judge: &mut Judge, plies: u32, least: usize) -> u32 {
    let before = judge.nodes();
    let mut sums = vec![Value::default(); judged.len()];
    let (mut met, mut looks) = (0.0, 0);
    for (done, throw) in (0_u32..).zip(&judge.mind.throws) {
        if looks > 0 {
            let look = (judge.nodes() - before).div_ceil(looks).max(1);
            let fit = judge.left() / (look * (judge.mind.throws_count() - done));
            judged.truncate(least.max(fit as usize));
        }
        let row: Option<Vec<Value>> =
            judged.iter().map(|one| after_reply(one, throw, judge, plies)).collect();
        // A row that the budget cut short does not count.
        let Some(row) = row else { break };
        for (sum, value) in sums.iter_mut().zip(&row) {
            sum.add(&value.turned(), throw.chance);
        }
        met += throw.chance;
        looks += u32::try_from(row.len()).expect("few turns are looked at again");
    }
    if met > ENOUGH {
        for (one, sum) in judged.iter_mut().zip(&sums) {
            let mut value = Value::default();
            value.add(sum, 1.0 / met);
            one.value = value;
            one.worth = judge.worth(&value);
        }
        sort(judged);
    }
    (judge.nodes() - before) / u32::try_from(judged.len()).map_or(u32::MAX, |count| count.max(1))
}

/// The other side's value after an end and this throw. If the end's value is exact, no throw is evaluated.
/// None if the budget ends first.
fn after_reply(one: &Judged, throw: &Throw, judge: &mut Judge, plies: u32) -> Option<Value> {
    if one.is_known { Some(one.value.turned()) } else { after_throw(&one.end, throw, judge, plies) }
}

/// The value for the side to move after each throw; none if the budget ends first.
fn by_throws(position: &Position, judge: &mut Judge) -> Option<Vec<Value>> {
    judge.mind.throws.iter().map(|throw| after_throw(position, throw, judge, 1)).collect()
}

/// The value for the side to move before it throws, from its values after each throw.
fn mean(mind: &Mind, values: &[Value]) -> Value {
    let mut mean = Value::default();
    for (throw, value) in mind.throws.iter().zip(values) {
        mean.add(value, throw.chance);
    }
    mean
}

/// The value for the side to move after this throw: of its best turn without look-ahead, followed this many
/// plies further. None if the budget ends first.
fn after_throw(position: &Position, throw: &Throw, judge: &mut Judge, plies: u32) -> Option<Value> {
    if judge.left() == 0 {
        return None;
    }
    if position.outcome().is_some() {
        return Some(judge.value(position));
    }
    let turn = Turn::new(*position, &throw.dice).expect("a throw of the game");
    if turn.dice_playable() == 0 && position.is_dead() {
        return Some(Value::DRAWN);
    }
    let best = judge.best_end(&turn, REPLIES, REPLY_WIDTH)?;
    if plies > 1 && !best.is_known {
        let values = by_throws(&best.end, judge)?;
        Some(mean(judge.mind, &values).turned())
    } else {
        Some(best.value)
    }
}
