//! The command `lusoria`: what is asked for, and with which exit code it ends.

mod health;
mod options;
mod perft;
mod vectors;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand};

/// A server on which people play the board games of antiquity with each other.
#[derive(Debug, Parser)]
#[command(name = "lusoria", version, max_term_width = 100)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Count the positions that a game can reach, depth by depth
    Perft(perft::Perft),
    /// Check files of test vectors against the rules
    Vectors(vectors::Vectors),
    /// Ask a running server whether it can serve
    Health(health::Health),
}

/// Why a command did not do what it was asked for.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// It was asked for something that makes no sense.
    #[error("{0}")]
    Usage(String),
    /// A file or the terminal refused.
    #[error("{what}: {why}")]
    Io {
        /// What was being read or written.
        what: String,
        /// What the system says.
        why: io::Error,
    },
}

/// What a command found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Good,
    /// Something that was checked does not hold.
    Bad,
}

/// Does what the command line says. The exit code is 0 if all is well, 1 if something
/// that was checked does not hold or the server failed, 2 if the request could not be met.
pub fn main() -> ExitCode {
    let line = Line::parse();
    let out = &mut io::stdout().lock();
    let verdict = match line.command {
        Command::Perft(perft) => perft.run(out),
        Command::Vectors(vectors) => vectors.run(out),
        Command::Health(health) => health.run(out),
    };
    match verdict {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::Bad) => ExitCode::FAILURE,
        // Whoever read the output has seen enough.
        Err(Failure::Io { why, .. }) if why.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("lusoria: {failure}");
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
