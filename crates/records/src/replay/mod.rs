//! Replays and judges the record of a match.
//!
//! The journal records and does not judge. This module judges: it computes every throw from the revealed
//! secrets, replays the match from the players' commands by today's rules, and compares the result with the
//! record. It reads nothing but the record.

mod calls;
mod dice;
mod differences;
mod ratings;
mod replayer;
mod report;

pub(crate) use calls::take_over_earlier;
pub(crate) use dice::{Revealed, white_seat};
pub(crate) use ratings::take_over_ratings;
pub(crate) use replayer::play_on;
pub use report::{DiceChecked, Fault, FaultKind, GameReport, Report};

use lusoria_protocol::Record;

/// Returns everything that is wrong with a record, as far as it can be judged.
pub fn judge(record: &Record) -> Report {
    judge_while(record, &|| true).expect("there is always time")
}

/// The same, but none if it takes too long: calls `is_time` between events.
pub fn judge_while(record: &Record, is_time: &dyn Fn() -> bool) -> Option<Report> {
    let mut report = Report::new(record);
    let mut dice = dice::Revealed::of(record, &mut report);
    let numbered = numbered(record, &mut report);
    let judged = replayer::play(record, numbered, (&mut dice, &mut report), is_time)?;
    // The dice of events that could not be replayed can still be computed.
    dice.check(&record.events[judged..], &mut report);
    report.judged = judged;
    Some(report)
}

/// The number of leading events that are numbered 1, 2, 3 …
fn numbered(record: &Record, report: &mut Report) -> usize {
    let misnumbered = (1..).zip(&record.events).find(|(expected, event)| event.seq != *expected);
    match misnumbered {
        Some((expected, event)) => {
            report.fault(Some(expected), FaultKind::Misnumbered { found: event.seq });
            (expected - 1) as usize
        }
        None => record.events.len(),
    }
}
