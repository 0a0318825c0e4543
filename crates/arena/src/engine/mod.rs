//! Outside engines: programs that choose turns, with requests in lines of JSON on their standard input
//! (docs/bots.md, "Engines for the arena").
//!
//! Whatever an engine does, it never blocks the arena longer than its time limits: one thread writes to it,
//! one reads its replies, one its standard error, and all queues are bounded.

mod answer;
mod fault;
mod legal;
mod memory;
mod message;
mod process;
mod process_group;

use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use lusoria_rules::{Side, Step};

use super::{
    Contest, Limits, Program,
    error::{ArenaError, TurnError},
    question::Question,
};
pub use fault::Fault;
pub(super) use memory::Memory;
pub(super) use message::Ended;
use message::{Hello, Message};
use process::Process;
pub use process_group::exit_with_engines;

/// The most legal turns that an engine is sent, and the default.
const LEGAL_MAX: usize = 200;

/// An engine in its seat. The program runs from its first game until it forfeits; if it exits
/// normally between two games, it is started again.
pub(super) struct OutsideEngine {
    program: Program,
    hello: String,
    /// The `start` message of the present game.
    start: String,
    game: lusoria_rules::Game,
    limits: Limits,
    running: Option<Running>,
}

struct Running {
    process: Process,
    /// How many legal turns it requested.
    legal_max: usize,
    /// Whether it was started for the present game, or has replied in it: otherwise it may not have read a
    /// `start` message that was only written.
    plays: bool,
}

impl OutsideEngine {
    pub(super) fn new(program: Program, contest: &Contest) -> Self {
        let hello = Message::Hello(Hello::of(contest)).line();
        let game = contest.variant.game();
        Self { program, hello, start: String::new(), game, limits: contest.limits, running: None }
    }

    /// Starts the program if it does not run, and sends it the start of a game, counted from 0.
    pub(super) fn begin(
        &mut self,
        game: u32,
        side: Side,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<(), TurnError> {
        self.start = Message::Start { game: game + 1, side: self.game.side_name(side), seed }.line();
        let Some(running) = &mut self.running else { return self.start(stop) };
        running.plays = false;
        match running.process.tell(self.start.clone()) {
            Err(fault) if fault.is_farewell() => self.start(stop),
            told => Ok(told?),
        }
    }

    /// Starts the program, and sends it the start of the present game.
    fn start(&mut self, stop: &AtomicBool) -> Result<(), TurnError> {
        self.running = None;
        let mut process = Process::start(&self.program)
            .map_err(|why| TurnError::Arena(ArenaError::Start { program: self.program.clone(), why }))?;
        process.tell(self.hello.clone())?;
        let line = process.answer(self.limits.ready, stop).map_err(not_ready_in_time)?;
        let ready = answer::ready(&line)?;
        let legal_max = ready.legal.map_or(LEGAL_MAX, |legal| usize::from(legal).min(LEGAL_MAX));
        process.tell(self.start.clone())?;
        self.running = Some(Running { process, legal_max, plays: true });
        Ok(())
    }

    /// The steps of its turn, and the time it took.
    pub(super) fn choose(
        &mut self,
        question: &Question,
        stop: &AtomicBool,
    ) -> Result<(Vec<Step>, Duration), TurnError> {
        let (line, time) = match self.ask(question, stop) {
            Err(TurnError::Fault(fault)) if fault.is_farewell() && !self.running()?.plays => {
                self.start(stop)?;
                self.ask(question, stop)?
            }
            answered => answered?,
        };
        Ok((answer::steps(&line, question.turn)?, time))
    }

    /// Its reply, and the time it took.
    fn ask(&mut self, question: &Question, stop: &AtomicBool) -> Result<(Vec<u8>, Duration), TurnError> {
        let within = self.limits.turn;
        let running = self.running()?;
        let asked = message::turn(question, running.legal_max, within).line();
        let begun = Instant::now();
        running.process.ask(asked)?;
        let line = running.process.answer(within, stop)?;
        running.plays = true;
        Ok((line, begun.elapsed()))
    }

    pub(super) fn end(&mut self, ended: &Ended) {
        if let Some(running) = &mut self.running {
            // A failure will be noticed in its next game.
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
        // A game continues only with a program that was started for it.
        self.running.as_mut().ok_or(Fault::Gone)
    }
}

fn not_ready_in_time(error: TurnError) -> TurnError {
    match error {
        TurnError::Fault(Fault::Late { within_ms }) => Fault::ReadyLate { within_ms }.into(),
        TurnError::Fault(_) | TurnError::Arena(_) | TurnError::Stopped => error,
    }
}
