//! `lusoria replay`: judges records of matches again.

use std::{io::Write, path::PathBuf};

use clap::Args;
use lusoria_protocol::{AnalysedGame, AnalysisTotals, Record, word};

use super::{Failure, Verdict, printable, record_file, say};
use lusoria_records::replay::{Report, judge};

/// What to check.
#[derive(Debug, Args)]
pub(super) struct Replay {
    /// Records as GET /api/v1/matches/ID/record gives them, as JSON or as text; - is the
    /// standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Replay {
    /// Prints a line for each game and each fault, and a final verdict on all records.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let (mut faults, mut unchecked, mut unfinished) = (0, 0, 0);
        for path in &self.files {
            let record = match record_file::read(path)?.record() {
                Ok(record) => record,
                Err(refused) => {
                    // The rest of the text depends on the part that is wrong.
                    say(out, format_args!("{}:\n  {}", path.display(), printable(&refused.to_string())))?;
                    faults += 1;
                    continue;
                }
            };
            let report = judge(&record);
            tell(&record, &report, out)?;
            faults += report.faults.len() + report.faults_more;
            unchecked += report.throws_unchecked();
            unfinished += usize::from(record.result.is_none());
        }
        let records = match self.files.len() {
            1 => "1 record".to_owned(),
            many => format!("{many} records"),
        };
        match (faults, unfinished) {
            (0, 0) => say(out, format_args!("sound: {records}"))?,
            (0, _) => {
                let verdict = format!("sound so far: {records}, {unfinished} of them not over");
                say(out, format_args!("{verdict}, {unchecked} throws not yet checkable"))?;
            }
            (1, _) => say(out, format_args!("NOT SOUND: {records}, 1 fault"))?,
            _ => say(out, format_args!("NOT SOUND: {records}, {faults} faults"))?,
        }
        Ok(if faults == 0 { Verdict::Good } else { Verdict::Bad })
    }
}

fn tell(record: &Record, report: &Report, out: &mut dyn Write) -> Result<(), Failure> {
    let (id, game, points) = (record.id, word(&record.game), record.points);
    say(out, format_args!("match {id}: {game} to {points}, {} events", report.events))?;
    for game in &report.games {
        say(out, format_args!("  {game}"))?;
    }
    for AnalysedGame { game, totals, unknown, .. } in
        record.analysis.iter().flat_map(|analysis| &analysis.games)
    {
        let [one, two] = [&totals.one, &totals.two].map(seen);
        let neither = unknown.map_or_else(String::new, |unknown| {
            format!("; {unknown:+.2} for seat 1 is neither luck nor loss")
        });
        say(out, format_args!("  game {game} as the computer saw it: seat 1 {one}; seat 2 {two}{neither}"))?;
    }
    // A record is untrusted text.
    for fault in &report.faults {
        say(out, format_args!("  {}", printable(&fault.to_string())))?;
    }
    if report.faults_more > 0 {
        say(out, format_args!("  and {} more faults", report.faults_more))?;
    }
    if report.judged < report.events {
        say(out, format_args!("  only the dice could be checked after event {}", report.judged))?;
    }
    Ok(())
}

fn seen(AnalysisTotals { luck, lost, turns, mistakes }: &AnalysisTotals) -> String {
    format!("luck {luck:+.2}, lost {lost:.2} in {turns} turns with {mistakes} mistakes")
}
