//! The four dice games.
use crate::{Budget, Choice, Level, Stakes, Value, simple};
use lusoria_rules::tables::{Position, Turn};
pub(crate) fn choose(turn: &Turn, _: Stakes, _: Level, _: Budget, seed: u64) -> Choice {
    simple::greedy(turn, seed)
}
pub(crate) fn rank(turn: &Turn, _: Stakes, _: Budget, _: usize) -> Vec<Choice> {
    vec![simple::greedy(turn, 0)]
}
pub(crate) fn appraise(_: &Position, _: Stakes, _: Budget) -> Value {
    Value::EVEN
}
