//! Looking back at a turn that was played: what it lost, and what the dice gave.

use lusoria_rules::{History, Position, Step, Turn};

use crate::{Budget, Choice, Decision, Value, choice, tables, tafl};

/// A turn with hindsight. All values are those of the side that played it.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// What the side could hope for before it threw.
    pub before: Value,
    /// What it could hope for once it had thrown, by the same measure: the mean over all throws
    /// is `before`, so that luck cancels out in the long run. In tablut the same as `before`.
    pub thrown: Value,
    /// The best turn.
    pub best: Choice,
    /// What the side could hope for after the turn that was played.
    pub played: Value,
}

/// The steps are not a whole legal turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the steps are not a whole legal turn")]
pub struct NotATurn;

impl Review {
    /// What the throw gave, in what counts by the stakes.
    pub fn luck(&self, stakes: crate::Stakes) -> f32 {
        stakes.worth(&self.thrown) - stakes.worth(&self.before)
    }

    /// What the turn lost against the best one: 0 or more.
    pub fn lost(&self, stakes: crate::Stakes) -> f32 {
        (stakes.worth(&self.best.value) - stakes.worth(&self.played)).max(0.0)
    }
}

/// Reviews a turn. The same decision, steps and budget give the same review.
///
/// # Errors
///
/// The steps are not a whole legal turn.
///
/// # Panics
///
/// If the dice are not a throw of the game.
pub fn review(decision: &Decision, steps: &[Step], budget: Budget) -> Result<Review, NotATurn> {
    let mut turn = decision.turn();
    for step in steps {
        turn.play(step).map_err(|_| NotATurn)?;
    }
    let end = turn.end(decision.history).map_err(|_| NotATurn)?;
    let mover = decision.position.to_move();
    let over = end.outcome.map(|outcome| choice::ended(outcome, mover));
    Ok(match (decision.turn(), end.position) {
        (Turn::Tables(turn), Position::Tables(played)) => {
            tables::review(&turn, decision.dice, (&played, over), decision.stakes, budget)
        }
        (Turn::Tafl(turn), Position::Tafl(played)) => {
            let mut history: History = decision.history.clone();
            history.record(&end.position, end.captured);
            tafl::review(&turn, decision.history, (&played, over), &history, budget)
        }
        (Turn::Tables(_), Position::Tafl(_)) | (Turn::Tafl(_), Position::Tables(_)) => {
            unreachable!("a turn ends in a position of its own game")
        }
    })
}
