//! The command `lusoria-lab`: what the makers of Lusoria measure, compare and train. No server needs it.

#![allow(
    clippy::cast_precision_loss,
    reason = "games, rounds and lengths of texts are counted in millions at most"
)]

mod arena;
mod bench;
mod dictionary;
mod echo;
mod endings;
mod engine;
mod options;
mod perft;
mod rollout;
mod stopping;
mod train;
mod vectors;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand};
use lusoria_client::printable;

/// Measures, compares and trains what Lusoria is made of.
#[derive(Debug, Parser)]
#[command(name = "lusoria-lab", version, max_term_width = 100)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play games between two levels or outside engines
    Arena(Box<arena::Arena>),
    /// Load a running server with matches and watchers, and measure it
    Bench(Box<bench::Bench>),
    /// Train a dictionary that packs journals
    Dictionary(dictionary::Dictionary),
    /// Serve the bare echo that `bench --echo` measures
    #[command(hide = true)]
    Echo {
        /// Over plain HTTP instead of sockets
        #[arg(long)]
        http: bool,
    },
    /// Compute the chances of a game's last pieces
    Endings(endings::EndingsOf),
    /// Play as an outside engine in the arena of another version or program
    Engine(engine::Engine),
    /// Count the positions that a game can reach, depth by depth
    Perft(perft::Perft),
    /// Compare the best turns of a throw by playing each of them to the end many times
    Rollout(rollout::RollOut),
    /// Teach the computer a game by self-play
    Train(train::Train),
    /// Check files of test vectors against the rules
    Vectors(vectors::Vectors),
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// The command line is wrong, or the request cannot be met.
    #[error("{0}")]
    Usage(String),
    /// Reading or writing failed.
    #[error("{what}: {why}")]
    Io {
        /// What was being read or written.
        what: String,
        /// The system's error.
        why: io::Error,
    },
}

/// What a command found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Good,
    /// A check failed, or not everything could be done.
    Bad,
}

/// Runs the command line. The exit code is 0 on success; 1 if a check failed or something could not be done; 2 if
/// the request could not be met.
fn main() -> ExitCode {
    let out = &mut io::stdout();
    let verdict = match Line::parse().command {
        Command::Arena(arena) => arena.run(out),
        Command::Bench(bench) => bench.run(out),
        Command::Dictionary(dictionary) => dictionary.run(out),
        Command::Echo { http } => echo::serve(http),
        Command::Endings(endings) => endings.run(out),
        Command::Engine(engine) => engine.run(out),
        Command::Perft(perft) => perft.run(out),
        Command::Rollout(rollout) => rollout.run(out),
        Command::Train(train) => train.run(),
        Command::Vectors(vectors) => vectors.run(out),
    };
    match verdict {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::Bad) => ExitCode::FAILURE,
        // The reader of the output has closed it.
        Err(Failure::Io { why, .. }) if why.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("lusoria-lab: {failure}");
            ExitCode::from(2)
        }
    }
}

/// Writes a line of output.
fn say(out: &mut dyn Write, line: impl std::fmt::Display) -> Result<(), Failure> {
    writeln!(out, "{line}").map_err(|why| Failure::Io { what: "standard output".to_owned(), why })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Line::command().debug_assert();
    }
}
