//! `lusoria perft` and `lusoria vectors` as a person calls them.

use std::{
    io::Write,
    process::{Command, Output},
};

use tempfile::NamedTempFile;

/// Where the vectors lie.
const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/rules/tests/vectors");

fn lusoria(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lusoria")).args(arguments).output().expect("the binary runs")
}

fn last_line(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("text").lines().last().unwrap_or_default()
}

fn file(text: &str) -> NamedTempFile {
    let mut file = NamedTempFile::new().expect("a temporary file");
    file.write_all(text.as_bytes()).expect("room for it");
    file
}

fn path(file: &NamedTempFile) -> &str {
    file.path().to_str().expect("a path in UTF-8")
}

#[test]
fn perft_ends_with_the_number_alone() {
    let output = lusoria(&["perft", "tablut", "--depth", "3"]);
    assert!(output.status.success());
    assert_eq!(last_line(&output), "353200");
}

#[test]
fn perft_takes_options_and_refuses_others() {
    assert!(lusoria(&["perft", "scripta", "--depth", "1", "--option", "row_a_gate=false"]).status.success());
    let refused = lusoria(&["perft", "scripta", "--depth", "1", "--option", "gate=false"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("row_a_gate"));
    assert_eq!(lusoria(&["perft", "chess", "--depth", "1"]).status.code(), Some(2));
}

#[test]
fn vectors_that_hold_pass() {
    let corners = format!("{VECTORS}/tablut-corners.jsonl");
    let output = lusoria(&["vectors", &corners]);
    assert!(output.status.success());
    assert!(last_line(&output).ends_with(" passed, 0 failed"), "{}", last_line(&output));
}

#[test]
fn a_damaged_vector_fails_and_is_named() {
    let corners = std::fs::read_to_string(format!("{VECTORS}/tablut-corners.jsonl")).expect("the vectors");
    let sound = corners.lines().next().expect("a first line");
    let damaged = sound.replacen("\"exits\": 3", "\"exits\": 7", 1);
    assert_ne!(sound, damaged, "the damage must hit");
    let file = file(&format!("{sound}\n\n{damaged}\nnonsense\n"));
    let output = lusoria(&["vectors", path(&file)]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(last_line(&output), "1 passed, 2 failed");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains(":3: ") && said.contains(":4: not a vector"), "{said}");
}

#[test]
fn files_that_prove_nothing_are_an_error() {
    let empty = file("\n\n");
    let output = lusoria(&["vectors", path(&empty)]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(last_line(&output), "0 passed, 0 failed");
    assert_eq!(lusoria(&["vectors", "there-is-no-such-file.jsonl"]).status.code(), Some(2));
    assert_eq!(lusoria(&["vectors"]).status.code(), Some(2));
}
