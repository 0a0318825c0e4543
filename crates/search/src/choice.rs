//! The input and output of the search.

use lusoria_rules::{Die, History, Position, Step, Turn};

use crate::{Stakes, Value};

/// A decision: which turn to play. The game must be in progress, and the turn must have a legal step.
#[derive(Debug, Clone)]
pub struct Decision<'a> {
    /// The position at the start of the turn.
    pub position: Position,
    /// The throw; empty in a tafl game.
    pub dice: &'a [Die],
    /// The history up to the start of the turn.
    pub history: &'a History,
    /// The stakes.
    pub stakes: Stakes,
}

/// A whole turn with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The steps, in a legal order; empty if nothing can be played.
    pub steps: Vec<Step>,
    /// The value after the turn, for the side that plays it.
    pub value: Value,
    /// How many positions were evaluated to find it.
    pub nodes: u32,
}

/// A turn in hindsight: what it lost, and how lucky its throw was. All values are for the side that played
/// it.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// The value before the throw.
    pub before: Value,
    /// The value after the throw, measured so that its mean over all throws is `before`: luck cancels out in
    /// the long run. In a tafl game the same as `before`.
    pub thrown: Value,
    /// The best turn.
    pub best: Choice,
    /// The value after the played turn.
    pub played: Value,
}

impl Decision<'_> {
    /// The turn before its first step.
    pub(crate) fn turn(&self) -> Turn {
        self.position.turn(self.dice).expect("the dice are a throw of the game")
    }
}

impl Review {
    /// The luck of the throw, in the unit of the stakes.
    pub fn luck(&self, stakes: Stakes) -> f32 {
        stakes.worth(&self.thrown) - stakes.worth(&self.before)
    }

    /// What the turn lost against the best one, in the same unit: 0 or more.
    pub fn lost(&self, stakes: Stakes) -> f32 {
        (stakes.worth(&self.best.value) - stakes.worth(&self.played)).max(0.0)
    }
}
