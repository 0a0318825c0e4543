//! The results as a table.

use std::fmt::Write;

use super::reader::{Reader, ReaderResult};

/// A reader and its result.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) reader: Reader,
    pub(super) fared: ReaderResult,
}

impl Row {
    /// Whether they stayed connected if they read anything, and were disconnected if they did not.
    pub(super) fn is_good(&self) -> bool {
        let ReaderResult { cut_after, ended, .. } = &self.fared;
        match self.reader.pause {
            Some(_) => cut_after.is_none() && ended.is_none(),
            None => cut_after.is_some(),
        }
    }
}

/// A line for each reader.
pub(super) fn table(rows: &[Row]) -> String {
    let mut table = String::new();
    for row in rows {
        let Row { reader, fared: ReaderResult { events, answered_within, cut_after, ended } } = row;
        let verdict = if row.is_good() { "good" } else { "BAD " };
        let _ = write!(table, "{verdict}  {:<44} {events:>6} events  ", reader.to_string());
        let _ = match cut_after {
            None => write!(table, "stayed"),
            Some(after) => write!(table, "cut after {:.0} s", after.as_secs_f64()),
        };
        if let Some(why) = ended {
            let _ = write!(table, " ({why})");
        }
        if let Some(within) = answered_within {
            let _ = write!(table, ", answered within {:.1} s", within.as_secs_f64());
        }
        table.push('\n');
    }
    table
}
