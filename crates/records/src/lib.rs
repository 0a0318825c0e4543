//! Records of matches as files: JSON (`lusoria-record-1`) and text (`lusoria-text-1`),
//! read and written (docs/record.md).
//!
//! A record as JSON has every event in full. As text it has the players' commands and the random results;
//! reading it replays the match, and the rules give the rest. Each can be converted to the other without
//! loss, except for what the text leaves out: the computer's analysis, and calls of a tafl game that differ
//! from today's.

mod file;
mod form;
mod from_client;
pub mod proof;
pub mod replay;
pub mod text;

pub use file::{BYTES_MAX, Format, RecordFile, RecordFileError, read, to_text};
pub use from_client::{EVENTS_SENT_MAX, judged};
