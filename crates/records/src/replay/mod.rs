//! Judging the record of a match afresh.
//!
//! The journal records and does not judge; this does: it computes every throw from the
//! revealed secrets, plays the match again from what the players asked for, by the rules
//! of today, and compares what should have happened with what is recorded. Nothing is
//! read or written here but the record.

mod again;
mod calls;
mod dice;
mod differences;
mod report;

pub(crate) use again::play_on;
pub(crate) use calls::take_over_earlier;
pub(crate) use dice::{Revealed, white_seat};
pub use report::{DiceChecked, Fault, GameReport, Report, What};

use lusoria_protocol::Record;

/// Everything that is wrong with a record, as far as it can be judged.
pub fn judge(record: &Record) -> Report {
    judge_while(record, &|| true).expect("there is always time")
}

/// The same, but none if it takes too long: between events it is asked whether there is
/// still time.
pub fn judge_while(record: &Record, is_time: &dyn Fn() -> bool) -> Option<Report> {
    let mut report = Report::new(record);
    let mut dice = dice::Revealed::of(record, &mut report);
    let numbered = numbered(record, &mut report);
    let judged = again::play(record, numbered, (&mut dice, &mut report), is_time)?;
    // What could not be played again has dice that can still be computed.
    dice.check(&record.events[judged..], &mut report);
    report.judged = judged;
    Some(report)
}

/// How many events from the start are numbered 1, 2, 3 …
fn numbered(record: &Record, report: &mut Report) -> usize {
    let misnumbered = (1..).zip(&record.events).find(|(expected, event)| event.seq != *expected);
    match misnumbered {
        Some((expected, event)) => {
            report.fault(Some(expected), What::Misnumbered { found: event.seq });
            (expected - 1) as usize
        }
        None => record.events.len(),
    }
}
