//! Tafl games.
use crate::{Budget, Choice, Level, Value, simple};
use lusoria_rules::{History, Turn, tafl};
pub(crate) fn choose(turn: &tafl::Turn, _: &History, _: Level, _: Budget, seed: u64) -> Choice {
    material(turn, &History::default(), seed)
}
pub(crate) fn material(turn: &tafl::Turn, _: &History, seed: u64) -> Choice {
    simple::random(Turn::Tafl(turn.clone()), seed)
}
pub(crate) fn rank(turn: &tafl::Turn, _: &History, _: Budget, _: usize) -> Vec<Choice> {
    vec![material(turn, &History::default(), 0)]
}
pub(crate) fn appraise(_: &tafl::Position, _: &History, _: Budget) -> Value {
    Value::EVEN
}
