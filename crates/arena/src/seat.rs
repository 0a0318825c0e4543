//! A player's seat: chooses the turns of one side.

use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use lusoria_rules::{Side, Step};
use lusoria_search::{Budget, Player, Value, choose};

use super::{
    Contest, Entrant, EntrantId,
    engine::{Ended, OutsideEngine},
    error::TurnError,
    question::Question,
};

/// A player. Each thread has its own.
pub(super) enum Seat {
    Computer { player: Player, budget: Budget },
    Outside(Box<OutsideEngine>),
}

/// A chosen turn, with its cost.
pub(super) struct ChosenTurn {
    pub(super) steps: Vec<Step>,
    pub(super) time: Duration,
    /// Evaluated positions; unknown for outside engines.
    pub(super) nodes: Option<u32>,
    /// The player's value after it; unknown for outside engines.
    pub(super) value: Option<Value>,
}

impl Seat {
    pub(super) fn of(contest: &Contest, entrant: EntrantId) -> Self {
        match contest.entrants.get(entrant) {
            &Entrant::Computer(player) => Self::Computer { player, budget: contest.allowed(entrant, player) },
            Entrant::Program(program) => {
                Self::Outside(Box::new(OutsideEngine::new(program.clone(), contest)))
            }
        }
    }

    /// Begins a game in which it plays that side. Games count from 0.
    pub(super) fn begin(
        &mut self,
        game: u32,
        side: Side,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<(), TurnError> {
        match self {
            Self::Computer { .. } => Ok(()),
            Self::Outside(engine) => engine.begin(game, side, seed, stop),
        }
    }

    pub(super) fn choose(&mut self, question: &Question, stop: &AtomicBool) -> Result<ChosenTurn, TurnError> {
        match self {
            Self::Computer { player, budget } => {
                let begun = Instant::now();
                let choice = choose(question.decision, *player, *budget, question.seed);
                let time = begun.elapsed();
                let (nodes, value) = (Some(choice.nodes), Some(choice.value));
                Ok(ChosenTurn { steps: choice.steps, time, nodes, value })
            }
            Self::Outside(engine) => {
                let (steps, time) = engine.choose(question, stop)?;
                Ok(ChosenTurn { steps, time, nodes: None, value: None })
            }
        }
    }

    /// Ends the game.
    pub(super) fn end(&mut self, ended: &Ended) {
        match self {
            Self::Computer { .. } => {}
            Self::Outside(engine) => engine.end(ended),
        }
    }

    /// Ends an outside engine that has forfeited; the next game starts a new process.
    pub(super) fn dismiss(&mut self) {
        match self {
            Self::Computer { .. } => {}
            Self::Outside(engine) => engine.dismiss(),
        }
    }
}
