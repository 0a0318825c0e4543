//! The command `lusoria`: its subcommands and exit codes.

mod account;
mod admin;
mod backup;
mod database;
mod database_command;
mod health;
mod moment;
mod move_command;
mod play;
mod record;
mod record_file;
mod replay;
mod restore;
mod serve;
mod verify;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand};
use lusoria_client::printable;

use crate::config::Config;

/// A server for the board games of antiquity.
///
/// Without a command it runs the server.
#[derive(Debug, Parser)]
#[command(name = "lusoria", version, args_conflicts_with_subcommands = true, max_term_width = 100)]
struct Line {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    config: Config,
}

/// The exit codes of a server.
const SERVE_ENDS: &str = "\
The exit code is 0 if the server was told to stop, 2 if it cannot start and nothing has been \
changed, 75 if it cannot start for now: an address is in use or not available yet, or the disk is full.";

/// The exit codes of `play`.
const PLAY_ENDS: &str = "\
The exit code is 0 if all went well; 1 if a match was not sound, there was no connection, something \
could not be sent, or a script failed; 2 if the command line is wrong, and nothing has been changed; \
3 if a match ended and could not be checked.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the server (the default)
    #[command(after_help = SERVE_ENDS)]
    Serve {
        #[command(flatten)]
        config: Box<Config>,
    },
    /// Check records of matches: the dice, every turn, the results
    Replay(replay::Replay),
    /// Compute the dice of a record again, and say what that proves
    Verify(verify::Verify),
    /// Convert a record of a match to text or JSON
    Record(record::Record),
    /// Manage guests, accounts and matches, with or without a running server
    Admin(admin::Admin),
    /// Copy a database and check the copy; a server may be using it
    Backup(backup::Backup),
    /// Replace a database by a backup; no server may be using it
    Restore(restore::Restore),
    /// Move a database file to PostgreSQL, and compare everything; no server may be using either
    Move(move_command::Move),
    /// Manage a database as a whole
    Database(database_command::DatabaseCommand),
    /// Play in the terminal: make, join and watch matches on a server; sign in to an account
    #[command(after_help = PLAY_ENDS, args_conflicts_with_subcommands = true)]
    Play(Box<play::Play>),
    /// Check whether a running server is ready
    Health(health::Health),
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
    /// A check failed.
    Bad,
    /// Something could not be checked.
    Unknown,
}

/// Runs the command line. The exit code is 0 on success; 1 if a check failed, something could not be done, or
/// the server failed while running; 2 if the request could not be met and nothing has been changed, as with a
/// server that cannot start; 3 if a match that was played could not be checked; 75 if a server cannot start
/// for now, because an address is in use or not available yet, or the disk is full.
pub fn main() -> ExitCode {
    let line = Line::parse();
    let out = &mut io::stdout();
    let verdict = match line.command {
        None => return serve::serve(&line.config),
        Some(Command::Serve { config }) => return serve::serve(&config),
        Some(Command::Replay(replay)) => replay.run(out),
        Some(Command::Record(record)) => record.run(out),
        Some(Command::Verify(verify)) => verify.run(out),
        Some(Command::Admin(admin)) => admin.run(out),
        Some(Command::Backup(backup)) => backup.run(out),
        Some(Command::Restore(restore)) => restore.run(out),
        Some(Command::Move(moving)) => moving.run(out),
        Some(Command::Database(database)) => database.run(out),
        Some(Command::Play(play)) => play.run(),
        Some(Command::Health(health)) => health.run(out),
    };
    match verdict {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::Bad) => ExitCode::FAILURE,
        Ok(Verdict::Unknown) => ExitCode::from(3),
        // The reader of the output has closed it.
        Err(Failure::Io { why, .. }) if why.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("lusoria: {failure}");
            ExitCode::from(2)
        }
    }
}

/// A runtime on this thread, for a command's own work.
fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|why| Failure::Io { what: "the runtime".to_owned(), why })
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

    #[test]
    fn serve_is_the_default_and_takes_its_flags_in_both_places() {
        let listen = |line: &[&str]| {
            let line = Line::try_parse_from(line).expect("a sound line");
            match line.command {
                None => line.config.listen.port(),
                Some(Command::Serve { config }) => config.listen.port(),
                Some(_) => panic!("not asked for"),
            }
        };
        assert_eq!(listen(&["lusoria"]), 8080);
        assert_eq!(listen(&["lusoria", "--listen", "127.0.0.1:1"]), 1);
        assert_eq!(listen(&["lusoria", "serve", "--listen", "127.0.0.1:2"]), 2);
        assert!(Line::try_parse_from(["lusoria", "--listen", "127.0.0.1:1", "replay", "x"]).is_err());
    }

    #[test]
    fn every_flag_can_be_a_variable_too() {
        for argument in Line::command().get_arguments() {
            let Some(name) = argument.get_long().filter(|name| !["help", "version"].contains(name)) else {
                continue;
            };
            let variable = argument.get_env().and_then(|name| name.to_str()).expect("a variable");
            assert_eq!(variable, format!("LUSORIA_{}", name.replace('-', "_").to_uppercase()));
        }
    }
}
