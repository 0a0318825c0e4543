//! Outside engines: programs that choose turns, asked in lines of JSON on their standard input
//! (docs/bots.md, "Engines for the arena").
//!
//! Nothing that an engine does or leaves undone blocks the arena for longer than its limits:
//! one thread writes to it, one reads its answers, one what it says on standard error, and all
//! that they hold is bounded.

mod answer;
mod fault;
mod group;
mod legal;
mod memory;
mod message;
mod process;

use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use lusoria_rules::{Side, Step};

use super::{
    ArenaError, Contest, Limits, Program,
    seat::{Question, Trouble},
};
pub use fault::Fault;
pub use group::exit_with_engines;
pub(super) use memory::Memory;
pub(super) use message::Ended;
use message::{Hello, Message};
use process::Process;

/// How many legal turns an engine is told at most; as many as it does not say otherwise.
const LEGAL_MAX: usize = 200;

/// An engine in its seat. The program runs from its first game on, until it forfeits.
pub(super) struct Outside {
    program: Program,
    hello: String,
    game: lusoria_rules::Game,
    limits: Limits,
    running: Option<Running>,
}

struct Running {
    process: Process,
    /// How many legal turns it wants to be told.
    legal_max: usize,
}

impl Outside {
    pub(super) fn new(program: Program, contest: &Contest) -> Self {
        let hello = Message::Hello(Hello::of(contest)).line();
        let game = contest.variant.game();
        Self { program, hello, game, limits: contest.limits, running: None }
    }

    /// Starts the program if it does not run, and tells it of a game, counted from 0.
    pub(super) fn begin(
        &mut self,
        game: u32,
        side: Side,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<(), Trouble> {
        if self.running.is_none() {
            let mut process = Process::start(&self.program)
                .map_err(|why| Trouble::Arena(ArenaError::Start { program: self.program.clone(), why }))?;
            process.tell(self.hello.clone())?;
            let line = process.answer(self.limits.ready, stop).map_err(not_ready_in_time)?;
            let ready = answer::ready(&line)?;
            let legal_max = ready.legal.map_or(LEGAL_MAX, |legal| usize::from(legal).min(LEGAL_MAX));
            self.running = Some(Running { process, legal_max });
        }
        let start = Message::Start { game: game + 1, side: self.game.side_name(side), seed };
        Ok(self.running()?.process.tell(start.line())?)
    }

    /// The steps of its turn, and what it took to answer them.
    pub(super) fn choose(
        &mut self,
        question: &Question,
        stop: &AtomicBool,
    ) -> Result<(Vec<Step>, Duration), Trouble> {
        let within = self.limits.turn;
        let running = self.running()?;
        let asked = message::turn(question, running.legal_max, within).line();
        let begun = Instant::now();
        running.process.ask(asked)?;
        let line = running.process.answer(within, stop)?;
        let time = begun.elapsed();
        Ok((answer::steps(&line, question.turn)?, time))
    }

    pub(super) fn end(&mut self, ended: &Ended) {
        if let Some(running) = &mut self.running {
            // If it does not hear of it, that will be seen in its next game.
            let _ = running.process.tell(Message::End(ended).line());
        }
    }

    /// Ends the program, whatever it is doing.
    pub(super) fn dismiss(&mut self) {
        if let Some(mut running) = self.running.take() {
            running.process.end();
        }
    }

    fn running(&mut self) -> Result<&mut Running, Fault> {
        // A game goes on only with a program that has been started for it.
        self.running.as_mut().ok_or(Fault::Gone)
    }
}

fn not_ready_in_time(trouble: Trouble) -> Trouble {
    match trouble {
        Trouble::Fault(Fault::Late { within_ms }) => Fault::ReadyLate { within_ms }.into(),
        Trouble::Fault(_) | Trouble::Arena(_) | Trouble::Stopped => trouble,
    }
}

/// Whole milliseconds.
fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
