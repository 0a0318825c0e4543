//! Plays one game to its end to estimate the value of a position, with the luck of the dice removed.

use lusoria_rules::tables::{Position, Turn};

use super::{
    exact::known,
    judge::{Ends, Judge},
    mind::Mind,
    throws::Throw,
};
use crate::{Budget, Random, Stakes, Value};

/// The most ends of a turn that are evaluated.
const ENDS: u32 = 400;
/// The beam width when there are more.
const WIDTH: usize = 4;
/// Longer games are cut off.
const TURNS_MAX: u32 = 3_000;

/// The best turn after a throw.
struct Best {
    end: Position,
    /// Its value for the side that plays it.
    value: Value,
    /// Whether the game ends here by the rule of the dead position.
    is_dead: bool,
}

/// The value of a game from this position for the side that does not move first, both sides playing the best
/// turn without look-ahead. `number` is the game's number for this seed: games with the same number have the
/// same dice, whatever position they begin with, and first throws occur as often as they are likely.
///
/// The luck of each throw, measured as its value minus the mean over all throws of that turn by the
/// computer's own evaluation, is subtracted from the result. It is zero on average, whatever the quality of
/// the evaluation; but the better the evaluation, the less is left to chance.
///
/// Beyond the horizon, and in very long games, the evaluation of the position replaces the rest.
pub(crate) fn game(start: &Position, stakes: Stakes, seed: u64, number: u32, horizon: Option<u32>) -> Value {
    let turns_max = horizon.unwrap_or(TURNS_MAX);
    let mind = Mind::of(start.rules());
    let mut judge = Judge::new(mind, stakes, Budget { nodes: u32::MAX });
    let mut random = Random::new(seed ^ u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut throw = first_throw(mind, seed, number);
    let mut position = *start;
    let mut luck = Value::default();
    let end = (0..turns_max).find_map(|turn| {
        // Values for the side that moves now, converted to the side that does not move first.
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
        throw = draw_throw(mind, &mut random);
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

/// The first throw of a game: as many games as there are ways for the dice to fall have all the different
/// ones.
fn first_throw(mind: &Mind, seed: u64, number: u32) -> usize {
    let ways: usize = mind.throws.iter().map(|throw| mind.ways(throw)).sum();
    let mut order: Vec<usize> =
        mind.throws.iter().enumerate().flat_map(|(index, throw)| vec![index; mind.ways(throw)]).collect();
    Random::new(!seed).shuffle(&mut order);
    order[number as usize % ways]
}

/// A random throw, with its probability.
fn draw_throw(mind: &Mind, random: &mut Random) -> usize {
    let mut left = random.unit();
    let mut passed = |throw: &Throw| {
        left -= throw.chance;
        left >= 0.0
    };
    mind.throws.iter().take_while(|throw| passed(throw)).count().min(mind.throws.len() - 1)
}
