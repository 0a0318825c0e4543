//! Records of matches as files: JSON (`lusoria-record-1`) and text (`lusoria-text-1`),
//! read and written (docs/record.md).
//!
//! A record as JSON holds every event in full. As text it holds what the players asked for and
//! what came by chance; reading it replays the match, and the rules give the rest. Each can be
//! converted to the other without loss, but for what the text leaves out: the computer's
//! analysis, and calls of a tafl game that differ from those of today.

mod file;
mod form;
mod from_client;
pub mod proof;
pub mod replay;
pub mod text;

pub use file::{BYTES_MAX, Format, RecordFile, RecordFileError, read, to_text};
pub use from_client::{EVENTS_SENT_MAX, judged};
