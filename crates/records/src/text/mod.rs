//! The text record, `lusoria-text-1`: tag pairs, and below them the games with turns in notation.
//! docs/record.md has its grammar.

mod claims;
mod event;
mod exact;
mod lines;
mod moment;
mod notation;
mod parsed;
mod play;
mod quoted;

mod tags;
mod values;
mod write;

pub use moment::moment;
pub use parsed::ParsedText;
pub use write::write;

/// The name of the format, in the first tag.
pub const FORMAT: &str = "lusoria-text-1";

/// The longest line, in bytes.
pub const LINE_BYTES_MAX: usize = 4_096;

/// The most tags: those of a match, and the secrets of its games.
pub const TAGS_MAX: usize = 1_100;

/// The most events.
pub const EVENTS_MAX: usize = 1_000_000;

/// A line that cannot be parsed or is impossible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct LineError {
    /// The line, from 1.
    pub line: usize,
    /// The fault in words.
    pub why: String,
}

impl LineError {
    fn new(line: usize, why: impl Into<String>) -> Self {
        Self { line, why: why.into() }
    }
}
