//! A player in its seat: chooses the turns of one side.

use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use lusoria_rules::{Side, Step};
use lusoria_search::{Budget, Player, choose};

use super::{
    Contest, Entrant, Which,
    engine::{Ended, Outside},
    error::Trouble,
    question::Question,
};

/// A player at work. Each thread has its own.
pub(super) enum Seat {
    Computer { player: Player, budget: Budget },
    Outside(Box<Outside>),
}

/// What was chosen, and what it cost.
pub(super) struct Chosen {
    pub(super) steps: Vec<Step>,
    pub(super) time: Duration,
    /// Positions valued; not known of outside engines.
    pub(super) nodes: Option<u32>,
}

impl Seat {
    pub(super) fn of(contest: &Contest, which: Which) -> Self {
        match contest.entrants.get(which) {
            &Entrant::Computer(player) => Self::Computer { player, budget: contest.allowed(which, player) },
            Entrant::Program(program) => Self::Outside(Box::new(Outside::new(program.clone(), contest))),
        }
    }

    /// A game begins, in which it plays that side. Games count from 0.
    pub(super) fn begin(
        &mut self,
        game: u32,
        side: Side,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<(), Trouble> {
        match self {
            Self::Computer { .. } => Ok(()),
            Self::Outside(engine) => engine.begin(game, side, seed, stop),
        }
    }

    pub(super) fn choose(&mut self, question: &Question, stop: &AtomicBool) -> Result<Chosen, Trouble> {
        match self {
            Self::Computer { player, budget } => {
                let begun = Instant::now();
                let choice = choose(question.decision, *player, *budget, question.seed);
                Ok(Chosen { steps: choice.steps, time: begun.elapsed(), nodes: Some(choice.nodes) })
            }
            Self::Outside(engine) => {
                let (steps, time) = engine.choose(question, stop)?;
                Ok(Chosen { steps, time, nodes: None })
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
