//! The tests of the command and of the arena behind it.

mod arena;
mod cli;

use std::{
    io::Write,
    process::{Command, Output},
};

use tempfile::NamedTempFile;

/// Runs the binary to its end.
fn lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lusoria-lab")).args(arguments).output().expect("the binary runs")
}

/// A temporary file with that text.
fn file(text: &str) -> NamedTempFile {
    let mut file = NamedTempFile::new().expect("a temporary file");
    file.write_all(text.as_bytes()).expect("room for it");
    file
}

/// Its path, as an argument.
fn path(file: &NamedTempFile) -> &str {
    file.path().to_str().expect("a path in UTF-8")
}
