//! The questions that the computer answers.

use lusoria_rules::{Die, History, Outcome, Position, Side, Step, Turn};

use crate::{Budget, Player, Value, simple, tables, tafl};

/// A turn to be chosen. The game must be going on, and the turn must have a step to play.
#[derive(Debug, Clone)]
pub struct Decision<'a> {
    /// The position at the start of the turn.
    pub position: Position,
    /// What was thrown; empty in tablut.
    pub dice: &'a [Die],
    /// What the game remembers, up to the start of the turn.
    pub history: &'a History,
    /// What is played for.
    pub stakes: Stakes,
}

/// What is played for, which matters where a win can count double (tavla 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stakes {
    /// A single game: a win is a win.
    Game,
    /// A series: a double win is worth two.
    Points,
}

/// A whole turn with what it is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The steps, in an order in which they are legal; none if nothing can be played.
    pub steps: Vec<Step>,
    /// What the side that plays the turn can hope for after it.
    pub value: Value,
    /// How many positions were valued to find it.
    pub nodes: u32,
}

impl Stakes {
    /// What a value is worth: more is better.
    pub fn worth(self, value: &Value) -> f32 {
        match self {
            Self::Game => 2.0 * value.score() - 1.0,
            Self::Points => value.points(),
        }
    }
}

impl Decision<'_> {
    /// The turn before its first step.
    pub(crate) fn turn(&self) -> Turn {
        self.position.turn(self.dice).expect("whoever asks has the throw of the game")
    }
}

/// Chooses a turn as that player would.
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

/// The best turns as the strongest level sees them, at most `most`, the best first. Turns that
/// end in the same position are one turn.
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

/// What the side to move can hope for before it throws.
pub fn appraise(position: &Position, history: &History, stakes: Stakes, budget: Budget) -> Value {
    if let Some(outcome) = position.outcome() {
        return ended(outcome, position.to_move());
    }
    match position {
        Position::Tables(position) => tables::appraise(position, stakes, budget),
        Position::Tafl(position) => tafl::appraise(position, history, budget),
    }
}

/// What a game that has ended so is worth to that side.
pub(crate) fn ended(outcome: Outcome, side: Side) -> Value {
    let points = i8::try_from(outcome.points).expect("a game scores at most 2");
    match outcome.winner {
        None => Value::DRAWN,
        Some(winner) if winner == side => Value::of_points(points),
        Some(_) => Value::of_points(-points),
    }
}
