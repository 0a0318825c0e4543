//! Reviews a played turn: what it lost, and how lucky its throw was.

use lusoria_rules::{History, Position, Step, Turn};

use crate::{Budget, Decision, Review, Value, tables, tafl};

/// The steps are not a whole legal turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the steps are not a whole legal turn")]
pub struct NotATurn;

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
    let over = end.outcome.map(|outcome| Value::of_outcome(outcome, mover));
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
