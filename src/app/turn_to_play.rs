//! A turn for the computer to choose or judge: as a player, for hints, and in an analysis.

use lusoria_play::Match;
use lusoria_rules::{Die, History, Position};
use lusoria_search::{Decision, Stakes};

/// A turn that is to be played.
#[derive(Debug, Clone)]
pub struct TurnToPlay {
    /// The position at the start of the turn.
    pub position: Position,
    /// What was thrown; empty in a tafl game.
    pub dice: Vec<Die>,
    /// What the game remembers.
    pub history: History,
    /// What is played for.
    pub stakes: Stakes,
}

impl TurnToPlay {
    /// The turn that is to be played; none unless a game is being played.
    pub fn of(state: &Match) -> Option<Self> {
        let game = state.game()?;
        Some(Self {
            position: game.position,
            dice: state.to_play()?.dice.clone(),
            history: game.history.clone(),
            stakes: stakes(state),
        })
    }

    /// The same as the search reads it.
    pub fn decision(&self) -> Decision<'_> {
        Decision { position: self.position, dice: &self.dice, history: &self.history, stakes: self.stakes }
    }
}

/// What is played for in a match.
pub(super) fn stakes(state: &Match) -> Stakes {
    if state.terms().length.is_series() { Stakes::Points } else { Stakes::Game }
}
