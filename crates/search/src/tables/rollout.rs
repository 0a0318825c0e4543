//! One game played to its end to learn what a position is worth, with the luck of the dice taken out.

use lusoria_rules::tables::{Position, Turn};

use super::{
    exact::known,
    judge::{Ends, Judge},
    mind::Mind,
    throws::Throw,
};
use crate::{Budget, Random, Stakes, Value};

/// Ends of a turn that are looked at, at most.
const ENDS: u32 = 400;
/// How many positions are gone on from where there are more.
const WIDTH: usize = 4;
/// Longer games are broken off.
const TURNS_MAX: u32 = 3_000;

/// The best turn after a throw.
struct Best {
    end: Position,
    /// What the side that plays it can hope for.
    value: Value,
    /// Whether the game has ended here by the dead position's rule.
    is_dead: bool,
}

/// What a game from this position on was worth to the side that does not move first, both sides playing
/// what the computer likes best at a glance. `number` is that of the game among those of the same seed: games of the
/// same number have the same dice, whatever they begin with, and first throws come up as often as they are
/// likely to.
///
/// From how the game ended is taken what the throws gave more than the mean of all throws of their turns,
/// by the computer's own judgement. That is nothing on average, whatever the judgement is worth; but the
/// better it is, the less is left to chance.
///
/// Beyond the horizon, and in games that are very long, what the computer thinks of the position stands for the
/// rest.
pub(crate) fn game(start: &Position, stakes: Stakes, seed: u64, number: u32, horizon: Option<u32>) -> Value {
    let turns_max = horizon.unwrap_or(TURNS_MAX);
    let mind = Mind::of(start.rules());
    let mut judge = Judge::new(mind, stakes, Budget { nodes: u32::MAX });
    let mut random = Random::new(seed ^ u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut throw = first_throw(mind, seed, number);
    let mut position = *start;
    let mut luck = Value::default();
    let end = (0..turns_max).find_map(|turn| {
        // The values of the side that moves now, to the one that does not move first.
        let turned = |value: Value| if turn % 2 == 0 { value.turned() } else { value };
        if let Some(value) = known(&position) {
            return Some(turned(value));
        }
        judge.begin_anew();
        let mut bests: Vec<Best> =
            mind.throws.iter().map(|throw| best(&position, throw, &mut judge)).collect();
        for (best, throw) in bests.iter().zip(&mind.throws) {
            luck.add(&turned(best.value), -throw.chance);
        }
        let best = bests.swap_remove(throw);
        luck.add(&turned(best.value), 1.0);
        throw = by_lot(mind, &mut random);
        position = best.end;
        best.is_dead.then_some(Value::DRAWN)
    });
    let mut value = end.unwrap_or_else(|| {
        let value = judge.value(&position);
        if turns_max.is_multiple_of(2) { value.turned() } else { value }
    });
    value.add(&luck, -1.0);
    value
}

fn best(position: &Position, throw: &Throw, judge: &mut Judge) -> Best {
    let turn = Turn::new(*position, &throw.dice).expect("a throw of the game");
    if turn.dice_playable() == 0 && position.is_dead() {
        return Best { end: *position, value: Value::DRAWN, is_dead: true };
    }
    let Ends { judged, .. } = judge.ends(&turn, ENDS, WIDTH);
    let best = judged.into_iter().reduce(|best, one| if one.worth > best.worth { one } else { best });
    let best = best.expect("every turn ends somewhere");
    Best { end: best.end, value: best.value, is_dead: false }
}

/// The first throw of a game: of as many games as there are ways for the dice to fall, each has another.
fn first_throw(mind: &Mind, seed: u64, number: u32) -> usize {
    let ways: usize = mind.throws.iter().map(|throw| mind.ways(throw)).sum();
    let mut order: Vec<usize> =
        mind.throws.iter().enumerate().flat_map(|(index, throw)| vec![index; mind.ways(throw)]).collect();
    Random::new(!seed).shuffle(&mut order);
    order[number as usize % ways]
}

/// A throw, each as often as it is likely to come.
fn by_lot(mind: &Mind, random: &mut Random) -> usize {
    let mut left = random.unit();
    let mut passed = |throw: &Throw| {
        left -= throw.chance;
        left >= 0.0
    };
    mind.throws.iter().take_while(|throw| passed(throw)).count().min(mind.throws.len() - 1)
}
