//! Chooses, ranks and appraises: passes each decision to the search of its game.

use lusoria_rules::{History, Position, Turn};

use crate::{Budget, Choice, Decision, Player, Stakes, Value, simple, tables, tafl};

/// Chooses a turn as this player would.
///
/// # Panics
///
/// If the dice are not a throw of the game.
pub fn choose(decision: &Decision, player: Player, budget: Budget, seed: u64) -> Choice {
    match (player, decision.turn()) {
        (Player::Random, turn) => simple::random(turn, seed),
        (Player::Greedy, Turn::Tables(turn)) => simple::greedy(&turn, seed),
        (Player::Level(level), Turn::Tables(turn)) => {
            tables::choose(&turn, decision.stakes, level, budget, seed)
        }
        (Player::Greedy, Turn::Tafl(turn)) => tafl::material(&turn, decision.history, seed),
        (Player::Level(level), Turn::Tafl(turn)) => {
            tafl::choose(&turn, decision.history, level, budget, seed)
        }
    }
}

/// The best turns according to the strongest level, at most `most`, the best first. Turns that end in the
/// same position are one turn.
///
/// # Panics
///
/// If the dice are not a throw of the game.
pub fn rank(decision: &Decision, budget: Budget, most: usize) -> Vec<Choice> {
    match decision.turn() {
        Turn::Tables(turn) => tables::rank(&turn, decision.stakes, budget, most),
        Turn::Tafl(turn) => tafl::rank(&turn, decision.history, budget, most),
    }
}

/// The value for the side to move before it throws.
pub fn appraise(position: &Position, history: &History, stakes: Stakes, budget: Budget) -> Value {
    if let Some(outcome) = position.outcome() {
        return Value::of_outcome(outcome, position.to_move());
    }
    match position {
        Position::Tables(position) => tables::appraise(position, stakes, budget),
        Position::Tafl(position) => tafl::appraise(position, history, budget),
    }
}
