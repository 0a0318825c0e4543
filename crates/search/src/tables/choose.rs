//! Choosing a turn: all its ends at a glance, the best of them again by what may be thrown next.

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

/// Ends of one's own turn that are looked at, at most; of more, those that promise most.
const ENDS: u32 = 20_000;
/// How many positions are gone on from where there are more ends.
const WIDTH: usize = 24;
/// Ends of a reply that are looked at, at most.
const REPLIES: u32 = 400;
/// How many positions are gone on from where a reply has more.
const REPLY_WIDTH: usize = 2;
/// The most turns that are looked at again.
const AGAIN: usize = 12;
/// The turns that are compared with hindsight, the one that was played among them.
const REVIEWED: usize = 4;
/// What a reply costs at first, until it is known: positions valued.
const REPLY_NODES: u32 = 60;
/// How much of what can be thrown must have been met for it to count.
const ENOUGH: f32 = 0.6;

/// The turn that a level plays.
pub(crate) fn choose(turn: &Turn, stakes: Stakes, level: Level, budget: Budget, seed: u64) -> Choice {
    let manner = Manner::of(turn.position().rules().game(), level);
    let mut judge = Judge::new(Mind::of(turn.position().rules().game()), stakes, budget);
    let mut judged = at_a_glance(turn, &mut judge);
    if manner.looks_ahead {
        look_ahead(&mut judged, &mut judge, manner.margin);
    }
    let at = manner.pick(&judged, &mut Random::new(seed));
    let Judged { end, value, .. } = judged[at];
    Choice { steps: steps(turn, &end), value, nodes: judge.nodes() }
}

/// The best turns, at most so many.
pub(crate) fn rank(turn: &Turn, stakes: Stakes, budget: Budget, most: usize) -> Vec<Choice> {
    let mut judge = Judge::new(Mind::of(turn.position().rules().game()), stakes, budget);
    let mut judged = at_a_glance(turn, &mut judge);
    look_ahead(&mut judged, &mut judge, f32::INFINITY);
    let nodes = judge.nodes();
    judged.truncate(most);
    judged
        .iter()
        .map(|Judged { end, value, .. }| Choice { steps: steps(turn, end), value: *value, nodes })
        .collect()
}

/// What the side to move can hope for before it throws: by every throw, if the budget allows.
pub(crate) fn appraise(position: &Position, stakes: Stakes, budget: Budget) -> Value {
    let mut judge = Judge::new(Mind::of(position.rules().game()), stakes, budget);
    let glance = judge.value(position);
    if affordable(&judge) == 0 {
        return glance;
    }
    by_throws(position, &mut judge, 1).unwrap_or(glance)
}

/// A turn that was played, with hindsight: it ended in that position, or ended the game so.
pub(crate) fn review(
    turn: &Turn,
    dice: &[Die],
    (played, over): (&Position, Option<Value>),
    stakes: Stakes,
    budget: Budget,
) -> Review {
    let before = appraise(turn.start(), stakes, budget.shared_by(2));
    let mut judge = Judge::new(Mind::of(turn.position().rules().game()), stakes, budget.shared_by(2));
    let throw = judge.mind.throw(dice);
    // Looked at as narrowly as every throw was for the mean.
    let thrown = after_throw(turn.start(), throw, &mut judge, 1).unwrap_or(before);
    let mut judged = at_a_glance(turn, &mut judge);
    let known = judged.iter().position(|one| one.end == *played);
    let mine = known.map_or_else(|| judge.judge(*played), |at| judged.remove(at));
    // The turn that was played is looked at again with the best ones, whatever a glance says.
    judged.truncate(affordable(&judge).clamp(2, REVIEWED) - 1);
    judged.push(mine);
    sort(&mut judged);
    look_ahead(&mut judged, &mut judge, f32::INFINITY);
    let best = judged[0];
    let value = judged.iter().find(|one| one.end == *played).map_or(mine.value, |one| one.value);
    Review {
        before,
        thrown,
        best: Choice { steps: steps(turn, &best.end), value: best.value, nodes: judge.nodes() },
        played: over.unwrap_or(value),
    }
}

fn steps(turn: &Turn, end: &Position) -> Vec<lusoria_rules::Step> {
    turn.way_to(end).expect("there is a way to every end")
}

/// The ends of the turn, the best first.
fn at_a_glance(turn: &Turn, judge: &mut Judge) -> Vec<Judged> {
    let mut judged = judge.ends(turn, ENDS, WIDTH);
    sort(&mut judged);
    judged
}

fn sort(judged: &mut [Judged]) {
    judged.sort_by(|a, b| b.worth.total_cmp(&a.worth));
}

/// Values the best turns again by what the opponent can throw, and where the budget is large by
/// what can be thrown after that. Only turns that a glance finds within `margin` of the best
/// are worth it. The turns that were looked at again come first.
///
/// All of them meet the same throws, the likeliest first. If the budget ends before most throws
/// have been met, the glance stands.
fn look_ahead(judged: &mut [Judged], judge: &mut Judge, margin: f32) {
    let Some(best) = judged.first().copied() else { return };
    let close = judged.iter().take_while(|one| one.worth >= best.worth - margin).count();
    if close < 2 || best.end.outcome().is_some() {
        return;
    }
    let throws = judge.mind.throws_count();
    let affordable = affordable(judge);
    if affordable < 2 {
        return;
    }
    let again = close.min(affordable).min(AGAIN);
    let shallow = look_again(&mut judged[..again], judge, 1);
    // A third ply costs a reply's price for every throw of every throw.
    let deep_row = shallow.saturating_mul(throws).max(1);
    let affordable = (judge.left() / deep_row) as usize;
    if affordable >= 2 {
        let again = again.min(affordable);
        look_again(&mut judged[..again], judge, 2);
    }
}

/// How many turns can be looked at again with what is left of the budget.
fn affordable(judge: &Judge) -> usize {
    (judge.left() / (REPLY_NODES * judge.mind.throws_count())) as usize
}

/// Values the turns again, so many plies ahead, and sorts them. Answers what one of them cost.
fn look_again(judged: &mut [Judged], judge: &mut Judge, plies: u32) -> u32 {
    let before = judge.nodes();
    let mut sums = vec![Value::default(); judged.len()];
    let mut met = 0.0;
    for throw in &judge.mind.throws {
        let row: Option<Vec<Value>> =
            judged.iter().map(|one| after_throw(&one.end, throw, judge, plies)).collect();
        // A row that the budget cut short counts for nothing.
        let Some(row) = row else { break };
        for (sum, value) in sums.iter_mut().zip(&row) {
            sum.add(&value.turned(), throw.chance);
        }
        met += throw.chance;
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

/// What the side to move can hope for, over all throws; none if the budget ends before.
fn by_throws(position: &Position, judge: &mut Judge, plies: u32) -> Option<Value> {
    let mut sum = Value::default();
    for throw in &judge.mind.throws {
        sum.add(&after_throw(position, throw, judge, plies)?, throw.chance);
    }
    Some(sum)
}

/// What the side to move can hope for once it has thrown that: with its best turn, as it finds
/// it at a glance, followed so many plies further. None if the budget ends before.
fn after_throw(position: &Position, throw: &Throw, judge: &mut Judge, plies: u32) -> Option<Value> {
    if judge.left() == 0 {
        return None;
    }
    if position.outcome().is_some() {
        return Some(judge.value(position));
    }
    let turn = Turn::new(*position, &throw.dice).expect("a throw of the game");
    let judged = judge.ends(&turn, REPLIES, REPLY_WIDTH);
    let best = judged
        .iter()
        .reduce(|best, one| if one.worth > best.worth { one } else { best })
        .expect("every turn ends somewhere");
    if plies > 1 && best.end.outcome().is_none() {
        by_throws(&best.end, judge, plies - 1).map(|value| value.turned())
    } else {
        Some(best.value)
    }
}
