//! Record files of both formats.

use std::fmt;

use lusoria_protocol::{Record, plainly};
use serde_json::error::Category;

use super::{
    form,
    proof::Claims,
    text::{self, LineError, ParsedText},
};
use crate::replay::{judge, take_over_earlier};

/// The largest file, in bytes: a series of four hundred long games is smaller.
pub const BYTES_MAX: usize = 64 << 20;

/// The format of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `lusoria-record-1`.
    Json,
    /// `lusoria-text-1`.
    Text,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordFile {
    /// JSON: a record.
    Json(Box<Record>),
    /// Text: parsed, but its match not replayed yet.
    Text(Box<ParsedText>),
}

/// The reason that a file is not a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordFileError {
    /// It is longer than any record.
    #[error("longer than {BYTES_MAX} bytes, the most that a record can have")]
    TooLarge,
    /// It is empty.
    #[error("empty")]
    Empty,
    /// It is not UTF-8.
    #[error("not a record: byte {at} is not UTF-8")]
    NotText {
        /// The number of the byte, from 1.
        at: usize,
    },
    /// It is neither format.
    #[error("not a record: it begins neither like JSON nor with [Format \"{}\"]", text::FORMAT)]
    SomethingElse,
    /// It is a record of another version, or something else.
    #[error("the format is {found}; this program reads \"lusoria-record-1\" and \"{}\"", text::FORMAT)]
    OtherFormat {
        /// The format that it names, as JSON.
        found: String,
    },
    /// It ends too early.
    #[error("truncated: it ends at line {line}, column {column}, in the middle")]
    Truncated {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// It is not JSON, or not a record.
    #[error("{what}, at line {line}, column {column}: {why}")]
    Damaged {
        /// The fault in words.
        what: &'static str,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The reason in words.
        why: String,
    },
    /// A line of a text cannot be parsed.
    #[error(transparent)]
    Line(#[from] LineError),
}

impl RecordFileError {
    /// A stable code, in `snake_case`.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooLarge => "too_large",
            Self::Empty | Self::NotText { .. } | Self::SomethingElse => "not_a_record",
            Self::OtherFormat { .. } => "other_format",
            Self::Truncated { .. } => "truncated",
            Self::Damaged { .. } | Self::Line(_) => "damaged",
        }
    }

    /// The wrong line, from 1, if it is a single line.
    pub const fn line(&self) -> Option<usize> {
        match self {
            Self::Truncated { line, .. } | Self::Damaged { line, .. } => Some(*line),
            Self::Line(error) => Some(error.line),
            Self::TooLarge
            | Self::Empty
            | Self::NotText { .. }
            | Self::SomethingElse
            | Self::OtherFormat { .. } => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Json => "json",
            Self::Text => "text",
        })
    }
}

impl RecordFile {
    /// The record; for a text, from replaying its match.
    ///
    /// # Errors
    /// The first line of a text that is impossible.
    pub fn record(self) -> Result<Record, LineError> {
        match self {
            Self::Json(record) => Ok(*record),
            Self::Text(told) => told.record(),
        }
    }

    /// The claims about the dice, without replaying anything.
    pub fn claims(&self) -> Claims {
        match self {
            Self::Json(record) => Claims::of(record),
            Self::Text(told) => told.claims(),
        }
    }

    /// Its format.
    pub const fn format(&self) -> Format {
        match self {
            Self::Json(_) => Format::Json,
            Self::Text(_) => Format::Text,
        }
    }
}

/// Reads a file of either format, recognised by its beginning.
///
/// # Errors
/// The reason that it is not a record, and the place.
pub fn read(bytes: &[u8]) -> Result<RecordFile, RecordFileError> {
    read_with(bytes, form::read)
}

/// The same for a body sent to the API, in which whole numbers may be written as fractions, `4.0`.
///
/// # Errors
/// As [`read`].
pub(super) fn read_sent(bytes: &[u8]) -> Result<RecordFile, RecordFileError> {
    read_with(bytes, form::read_generously)
}

fn read_with(
    bytes: &[u8],
    form: fn(&str) -> serde_json::Result<Record>,
) -> Result<RecordFile, RecordFileError> {
    if bytes.len() > BYTES_MAX {
        return Err(RecordFileError::TooLarge);
    }
    let text =
        std::str::from_utf8(bytes).map_err(|why| RecordFileError::NotText { at: why.valid_up_to() + 1 })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.trim_start().bytes().next() {
        None => Err(RecordFileError::Empty),
        Some(b'{') => read_json(text, form).map(|record| RecordFile::Json(Box::new(record))),
        Some(b'[' | b';') => Ok(RecordFile::Text(Box::new(ParsedText::read(text)?))),
        Some(_) => Err(RecordFileError::SomethingElse),
    }
}

/// The format of a record.
#[derive(serde::Deserialize)]
struct Named {
    format: serde_json::Value,
}

fn read_json(text: &str, form: fn(&str) -> serde_json::Result<Record>) -> Result<Record, RecordFileError> {
    let why = match form(text) {
        Ok(record) => return Ok(record),
        Err(why) => why,
    };
    let (line, column) = (why.line(), why.column());
    let named = serde_json::from_str::<Named>(text);
    let what = match (why.classify(), named) {
        (Category::Eof, _) => return Err(RecordFileError::Truncated { line, column }),
        (_, Ok(Named { format })) if format != "lusoria-record-1" => {
            return Err(RecordFileError::OtherFormat {
                found: format.to_string().chars().take(80).collect(),
            });
        }
        (Category::Data, Ok(_)) => "not a whole record",
        (Category::Data, Err(_)) => "not a record",
        (Category::Syntax | Category::Io, _) => "not JSON",
    };
    let said = why.to_string();
    let why = plainly(said.rsplit_once(" at line ").map_or(said.as_str(), |(said, _)| said));
    Err(RecordFileError::Damaged { what, line, column, why })
}

/// Writes the record as text, without the computer's analysis. A text has no calls of a tafl game: the call
/// of an older record is read as it is computed today.
///
/// # Errors
/// In words, if the match of the record is impossible, so that it has no text. Wrong dice, lots and secrets
/// can be written.
pub fn to_text(record: &Record) -> Result<String, String> {
    let written = text::write(record);
    let refused = match ParsedText::read(&written).and_then(|told| told.record()) {
        Ok(mut again) => {
            take_over_earlier(record.game, &mut again.events, &record.events);
            if again == (Record { analysis: None, ..record.clone() }) {
                return Ok(written);
            }
            "it says what the rules do not".to_owned()
        }
        Err(refused) => refused.why,
    };
    let faults = judge(record).faults;
    Err(faults.iter().find(|fault| !fault.is_chance()).map_or(refused, ToString::to_string))
}
