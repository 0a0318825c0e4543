//! What several tests need.

pub(crate) mod browser;
pub(crate) mod database;
pub(crate) mod http;
pub(crate) mod postgres;
pub(crate) mod random;
pub(crate) mod random_match;
pub(crate) mod server;
pub(crate) mod store;

use std::{
    io::Write,
    process::{Command, Output},
};

use lusoria_protocol::Record;
use lusoria_records::replay::judge;
use tempfile::NamedTempFile;

/// Runs the binary to its end.
pub(crate) fn lusoria(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lusoria")).args(arguments).output().expect("the binary runs")
}

/// A temporary file with that text.
pub(crate) fn file(text: &str) -> NamedTempFile {
    let mut file = NamedTempFile::new().expect("a temporary file");
    file.write_all(text.as_bytes()).expect("room for it");
    file
}

/// Its path, as an argument.
pub(crate) fn path(file: &NamedTempFile) -> &str {
    file.path().to_str().expect("a path in UTF-8")
}

/// Nothing is wrong with a record, and all of it was judged.
#[track_caller]
pub(crate) fn assert_sound(record: &Record) {
    let report = judge(record);
    let faults: Vec<String> = report.faults.iter().map(ToString::to_string).collect();
    assert!(report.is_sound(), "{faults:#?}");
    assert_eq!((report.judged, report.events), (record.events.len(), record.events.len()));
}
