//! Simple players: yardsticks for the others.

use std::cmp::Reverse;

use lusoria_rules::{Turn, tables};

use crate::{Choice, Random, Value};

/// Plays any legal step until the turn is over.
pub(crate) fn random(mut turn: Turn, seed: u64) -> Choice {
    let mut random = Random::new(seed);
    let mut steps = Vec::new();
    while !turn.is_complete() {
        let mut legal = turn.steps();
        let step = legal.swap_remove(random.below(legal.len()));
        turn.play(&step).expect("a listed step is legal");
        steps.push(step);
    }
    Choice { steps, value: Value::EVEN, nodes: 0 }
}

/// Most pieces off, then fewest pips left, then fewest blots; random among equals.
pub(crate) fn greedy(turn: &tables::Turn, seed: u64) -> Choice {
    let mover = turn.position().to_move();
    let merit = |end: &tables::Position| {
        let blots = (end.occupied(mover) & !end.held(mover)).count_ones();
        (end.off(mover), Reverse(end.pips(mover)), Reverse(blots))
    };
    let ends = turn.ends(usize::MAX).positions;
    let best = ends.iter().map(merit).max().expect("every turn ends somewhere");
    let mut equals: Vec<_> = ends.iter().filter(|end| merit(end) == best).collect();
    let end = *equals.swap_remove(Random::new(seed).below(equals.len()));
    let steps = turn.way_to(&end).expect("there is a way to every end");
    Choice { steps, value: Value::EVEN, nodes: u32::try_from(ends.len()).unwrap_or(u32::MAX) }
}
