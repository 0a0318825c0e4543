//! A player in its seat: chooses the turns of one side.

use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use lusoria_rules::{Side, Step};
use lusoria_search::{Budget, Player, choose};

use super::{
    Contest, Entrant, EntrantId,
    engine::{Ended, OutsideEngine},
    error::TurnError,
    question::Question,
};

/// A player at work. Each thread has its own.
pub(super) enum Seat {
    Computer { player: Player, budget: Budget },
    Outside(Box<OutsideEngine>),
}

/// What was chosen, and what it cost.
pub(super) struct ChosenTurn {
    pub(super) steps: Vec<Step>,
    pub(super) time: Duration,
    /// Positions valued; not known of outside engines.
    pub(super) nodes: Option<u32>,
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

    /// A game begins, in which it plays that side. Games count from 0.
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
                Ok(ChosenTurn { steps: choice.steps, time: begun.elapsed(), nodes: Some(choice.nodes) })
            }
            Self::Outside(engine) => {
                let (steps, time) = engine.choose(question, stop)?;
                Ok(ChosenTurn { steps, time, nodes: None })
            }
        }
    }

    /// The game has ended.
    pub(super) fn end(&mut self, ended: &Ended) {
        match self {
            Self::Computer { .. } => {}
            Self::Outside(engine) => engine.end(ended),
        }
    }

    /// It has forfeited: an outside engine begins the next game as a new process.
    pub(super) fn dismiss(&mut self) {
        match self {
            Self::Computer { .. } => {}
            Self::Outside(engine) => engine.dismiss(),
        }
    }
}
