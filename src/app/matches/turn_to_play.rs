//! A turn for the computer to choose or evaluate: when it plays, for hints, and in an analysis.

use lusoria_play::Match;
use lusoria_rules::{Die, History, Position};
use lusoria_search::{Decision, Stakes};

/// A turn to be played.
#[derive(Debug, Clone)]
pub struct TurnToPlay {
    /// The position at the start of the turn.
    pub position: Position,
    /// The throw; empty in a tafl game.
    pub dice: Vec<Die>,
    /// The history that the rules need.
    pub history: History,
    /// The stakes.
    pub stakes: Stakes,
}

impl TurnToPlay {
    /// The turn to be played in a match; none unless a game is in progress.
    pub fn of(state: &Match) -> Option<Self> {
        let game = state.game()?;
        Some(Self {
            position: game.position,
            dice: state.to_play()?.dice.clone(),
            history: game.history.clone(),
            stakes: stakes(state),
        })
    }

    /// The same for the search.
    pub fn decision(&self) -> Decision<'_> {
        Decision { position: self.position, dice: &self.dice, history: &self.history, stakes: self.stakes }
    }
}

/// The stakes of a match.
pub(in crate::app) fn stakes(state: &Match) -> Stakes {
    if state.terms().length.is_series() { Stakes::Points } else { Stakes::Game }
}
