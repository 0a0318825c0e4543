//! The results of the trials, for people and for programs.

use std::time::Duration;

use serde::Serialize;

use super::{Engine, kinds::Kind, world::Tally};

/// The rounds after which every kind must have had its worst case at least once.
const ROUNDS_TO_TRY: u32 = 20;

/// The result of one kind.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    kind: String,
    rounds: u32,
    /// Matches that were played.
    matches: u64,
    /// Requests that were answered without an error.
    answers: u64,
    /// Events that were received and compared with the journal, once after each round.
    events_compared: u64,
    /// Requests that were repeated to compare their answers.
    answers_compared: u64,
    /// Requests that were repeated because their outcome was unknown.
    resent: u64,
    /// How often the server was unavailable.
    unavailable: u64,
    /// Runs of a server in which a checkpoint was made.
    copied: u64,
    /// Losses that the server reported.
    losses_noticed: u64,
    /// How often the server reported a full disk.
    filled: u64,
    /// Matches that were packed.
    packed: u64,
    /// Starts that were killed before finished matches were packed, and after.
    killed_before_packing: u64,
    killed_after_packing: u64,
    /// Pieces of writes that a power cut reverted.
    pieces_lost: u64,
    /// Files that a power cut removed or restored.
    files_lost: u64,
    /// Records that were replayed.
    records_judged: u64,
    restart_ms_p50: u64,
    restart_ms_max: u64,
    took_s: u64,
    /// The broken promises.
    faults: Vec<String>,
}

impl Report {
    pub(super) fn new(
        kind: String,
        rounds: u32,
        tally: &mut Tally,
        took: Duration,
        faults: Vec<String>,
    ) -> Self {
        tally.restarts.sort_unstable();
        let ms = |duration: Option<&Duration>| {
            duration.map_or(0, |duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
        };
        Self {
            kind,
            rounds,
            matches: tally.matches,
            answers: tally.answers,
            events_compared: tally.compared.events,
            answers_compared: tally.compared.again,
            resent: tally.resent,
            unavailable: tally.unavailable,
            copied: tally.copied,
            losses_noticed: tally.noticed,
            filled: tally.filled,
            packed: tally.packing.packed,
            killed_before_packing: tally.packing.killed_before,
            killed_after_packing: tally.packing.killed_after,
            pieces_lost: tally.lost.pieces,
            files_lost: tally.lost.entries,
            records_judged: tally.compared.judged,
            restart_ms_p50: ms(tally.restarts.get(tally.restarts.len() / 2)),
            restart_ms_max: ms(tally.restarts.last()),
            took_s: took.as_secs(),
            faults,
        }
    }

    /// Whether a power cut has lost anything.
    pub(super) const fn lost_anything(&self) -> bool {
        self.pieces_lost + self.files_lost > 0
    }

    /// Checks that the trial caused its fault at all: otherwise it has shown nothing.
    pub(super) fn must_have_tried(mut self, kind: Kind, engine: Engine) -> Self {
        let untried = match kind {
            // Losses with the power, and packing, are known of a file alone.
            Kind::Power | Kind::Kill if engine == Engine::Postgres => return self,
            Kind::Power if self.pieces_lost == 0 => "no power cut has lost anything",
            Kind::Power if self.copied == 0 => "the log was never copied into the database",
            Kind::DamagedWal if self.losses_noticed == 0 => "no damage has lost anything",
            Kind::SmallDisk if self.filled == 0 => "the small disk was never full",
            Kind::Kill if self.killed_before_packing + self.killed_after_packing == 0 => {
                "no start was killed around its packing"
            }
            Kind::DiskFull if self.unavailable == 0 => "the disk was never full",
            _ => return self,
        };
        if self.is_good() && self.rounds >= ROUNDS_TO_TRY {
            self.faults.push(untried.to_owned());
        }
        self
    }

    pub(super) fn is_good(&self) -> bool {
        self.faults.is_empty()
    }
}

/// A column of the table: its heading, its width, and its text.
type Column = (&'static str, usize, fn(&Report) -> String);

const COLUMNS: [Column; 15] = [
    ("rounds", 6, |report| report.rounds.to_string()),
    ("matches", 7, |report| report.matches.to_string()),
    ("answers", 8, |report| report.answers.to_string()),
    ("events=", 9, |report| report.events_compared.to_string()),
    ("again=", 8, |report| report.answers_compared.to_string()),
    ("resent", 6, |report| report.resent.to_string()),
    ("503s", 6, |report| report.unavailable.to_string()),
    ("copied", 6, |report| report.copied.to_string()),
    ("packed", 6, |report| report.packed.to_string()),
    ("unsynced", 8, |report| report.pieces_lost.to_string()),
    ("noticed", 8, |report| report.losses_noticed.to_string()),
    ("judged", 6, |report| report.records_judged.to_string()),
    ("restart ms", 12, |report| format!("{}/{}", report.restart_ms_p50, report.restart_ms_max)),
    ("s", 6, |report| report.took_s.to_string()),
    ("faults", 6, |report| report.faults.len().to_string()),
];

/// The table for people.
pub(super) fn table(reports: &[Report]) -> String {
    let line = |kind: &str, cell: &dyn Fn(&Column) -> String| {
        let cells = COLUMNS.iter().map(|column| format!(" {:>1$}", cell(column), column.1));
        format!("{kind:<14}{}\n", cells.collect::<String>())
    };
    let rows = reports.iter().map(|report| line(&report.kind, &|column| column.2(report)));
    std::iter::once(line("kind", &|column| column.0.to_owned())).chain(rows).collect()
}
