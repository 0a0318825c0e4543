//! What the search is asked, and what it returns.

use lusoria_rules::{Die, History, Position, Step, Turn};

use crate::{Stakes, Value};

/// The question: which turn to play. The game must be going on, and the turn must have a step to play.
#[derive(Debug, Clone)]
pub struct Decision<'a> {
    /// The position at the start of the turn.
    pub position: Position,
    /// What was thrown; empty in a tafl game.
    pub dice: &'a [Die],
    /// What the game remembers, up to the start of the turn.
    pub history: &'a History,
    /// What is played for.
    pub stakes: Stakes,
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

/// A turn with hindsight: what it lost, and what the dice gave. All values are those of the side that played it.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// What the side could hope for before it threw.
    pub before: Value,
    /// What it could hope for once it had thrown, by the same measure: the mean over all throws
    /// is `before`, so that luck cancels out in the long run. In a tafl game the same as `before`.
    pub thrown: Value,
    /// The best turn.
    pub best: Choice,
    /// What the side could hope for after the turn that was played.
    pub played: Value,
}

impl Decision<'_> {
    /// The turn before its first step.
    pub(crate) fn turn(&self) -> Turn {
        self.position.turn(self.dice).expect("the dice are a throw of the game")
    }
}

impl Review {
    /// What the throw gave, in what counts by the stakes.
    pub fn luck(&self, stakes: Stakes) -> f32 {
        stakes.worth(&self.thrown) - stakes.worth(&self.before)
    }

    /// What the turn lost against the best one: 0 or more.
    pub fn lost(&self, stakes: Stakes) -> f32 {
        (stakes.worth(&self.best.value) - stakes.worth(&self.played)).max(0.0)
    }
}
