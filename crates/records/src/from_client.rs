//! Judges records that clients upload.

use lusoria_protocol::{
    Code, JudgedRecord, Problem, Record, RecordFault, RecordReport, RecordedDice, RecordedGame,
};

use super::{RecordFile, RecordFileError, file::read_sent, text::LineError};
use crate::replay::{DiceChecked, Fault, GameReport, Report, judge_while};

/// The most events of an uploaded record: a single match has a tenth of that.
pub const EVENTS_SENT_MAX: usize = 10_000;

/// Judges a record of either format, while `is_time` is true. The computer's analysis is left out.
///
/// # Errors
/// `unreadable_record`, with the line, if it is not a record or its match is impossible. `unavailable` if it
/// takes too long.
pub fn judged(bytes: &[u8], is_time: &dyn Fn() -> bool) -> Result<JudgedRecord, Problem> {
    let too_long = || {
        let detail =
            "this record takes too long to judge here: \"lusoria replay\" has all the time that it needs";
        Problem::new(Code::Unavailable, detail)
    };
    let written = read_sent(bytes).map_err(|why| unreadable(&why))?;
    let events = match &written {
        RecordFile::Json(record) => record.events.len(),
        RecordFile::Text(told) => told.events(),
    };
    if events > EVENTS_SENT_MAX {
        let detail = format!("a record that is sent has at most {EVENTS_SENT_MAX} events, not {events}");
        return Err(Problem::new(Code::UnreadableRecord, detail).with_limit(EVENTS_SENT_MAX as u64));
    }
    let record = match written {
        RecordFile::Json(record) => *record,
        RecordFile::Text(told) => {
            let record = told.record_while(is_time).map_err(|refused| told_wrongly(&refused))?;
            record.ok_or_else(too_long)?
        }
    };
    let record = Record { analysis: None, ..record };
    let report = judge_while(&record, is_time).ok_or_else(too_long)?;
    Ok(JudgedRecord { report: told(&report, record.result.is_some()), record })
}

fn unreadable(why: &RecordFileError) -> Problem {
    let line = why.line().and_then(|line| u32::try_from(line).ok());
    Problem { line, ..Problem::new(Code::UnreadableRecord, why.to_string()) }
}

fn told_wrongly(refused: &LineError) -> Problem {
    let line = u32::try_from(refused.line).ok();
    Problem { line, ..Problem::new(Code::UnreadableRecord, refused.to_string()) }
}

fn told(report: &Report, over: bool) -> RecordReport {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    RecordReport {
        sound: report.is_sound(),
        over,
        faults: report.faults.iter().map(fault).collect(),
        faults_more: count(report.faults_more),
        judged: count(report.judged),
        games: report.games.iter().map(game).collect(),
    }
}

fn fault(fault: &Fault) -> RecordFault {
    RecordFault { seq: fault.seq, detail: fault.kind.to_string() }
}

const fn game(game: &GameReport) -> RecordedGame {
    RecordedGame {
        game: game.number,
        turns: game.turns,
        passes: game.passes,
        throws: game.throws,
        dice: match game.dice {
            DiceChecked::Yes => RecordedDice::Computed,
            DiceChecked::NotYet => RecordedDice::NotYet,
            DiceChecked::SecretWrong => RecordedDice::SecretWrong,
        },
    }
}
