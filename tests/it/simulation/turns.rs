//! Turns: legal ones, and others.

use lusoria_play::{Event, Match};
use lusoria_rules::Step;
use serde_json::{Value, json};

use super::ledger::Book;
use crate::support::random::Random;

/// The most steps that a turn can have: a triple of zeno.
const STEPS_MAX: usize = 12;

/// The event that gave the present turn, and one of the ways to play it.
pub(super) fn legal_turn(state: &Match, random: &mut Random) -> Option<(u32, Vec<Step>)> {
    let (to_play, mut turn) = (state.to_play()?, state.turn()?);
    let mut steps = Vec::new();
    while !turn.is_complete() && steps.len() <= STEPS_MAX {
        let step = random.pick(&turn.steps())?.clone();
        turn.play(&step).ok()?;
        steps.push(step);
    }
    Some((to_play.given_by, steps))
}

/// A turn that was played already, or one like it, or one that cannot be played.
pub(super) fn odd_turn(state: &Match, book: &Book, random: &mut Random) -> Option<(u32, Vec<Step>)> {
    let played: Vec<_> = book
        .events
        .iter()
        .filter_map(|recorded| match &recorded.event {
            Event::Turned { answers, steps, .. } => {
                Some((*answers, steps.iter().map(lusoria_play::TakenStep::step).collect::<Vec<_>>()))
            }
            _ => None,
        })
        .collect();
    let legal = legal_turn(state, random);
    match random.below(4) {
        0 => random.pick(&played).cloned(),
        1 => random.pick(&played).cloned().map(|(seq, mut steps)| {
            steps.pop();
            (seq, steps)
        }),
        2 => legal.map(|(seq, steps)| (seq.saturating_sub(1), steps)),
        _ => legal.map(|(seq, mut steps)| {
            for step in &mut steps {
                std::mem::swap(&mut step.from, &mut step.to);
            }
            (seq, steps)
        }),
    }
}

/// What a turn is asked for with.
pub(super) fn turn_request(seq: u32, steps: &[Step]) -> Value {
    json!({"seq": seq, "steps": steps})
}
