//! The results of floods, for people and for programs.

use std::{collections::BTreeMap, fmt};

use serde::Serialize;

use super::tally::Tally;

/// The most by which a flood may disturb more than it does on the echo port.
const RATIO_MAX: f64 = 1.5;

/// The result of a flood.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Row {
    pub(super) flood: &'static str,
    pub(super) does: &'static str,
    /// How it ended, and how often.
    pub(super) ends: Tally,
    /// The ends that it should have had and did not.
    pub(super) missing: Vec<&'static str>,
    /// The errors of honest players, with their counts.
    pub(super) errors: BTreeMap<String, u64>,
    /// The measurements; none in the short form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) measured: Option<Measured>,
}

/// The time between the moment when an honest player's turn was due and the moment when the opponent received
/// it: medians of the 99th percentiles of all repetitions, in microseconds. Memory in bytes.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Measured {
    /// Without any flood.
    pub(super) alone_p99_us: u64,
    /// With the flood on the server.
    pub(super) server_p99_us: u64,
    /// With the flood on the echo port.
    pub(super) echo_p99_us: u64,
    /// All of them, in the order of measuring.
    pub(super) server_all_us: Vec<u64>,
    pub(super) echo_all_us: Vec<u64>,
    /// The server's memory before the flood, its maximum during it, and afterwards.
    pub(super) memory_before_bytes: u64,
    pub(super) memory_peak_bytes: u64,
    pub(super) memory_after_bytes: u64,
}

impl Measured {
    /// How many times more the flood disturbs on the server than on the echo port.
    #[expect(clippy::cast_precision_loss, reason = "microseconds of a moment")]
    pub(super) fn ratio(&self) -> f64 {
        self.server_p99_us as f64 / self.echo_p99_us.max(1) as f64
    }
}

impl Row {
    /// Whether every promise was kept.
    pub(super) fn is_good(&self) -> bool {
        self.missing.is_empty()
            && self.errors.is_empty()
            && self.measured.as_ref().is_none_or(|measured| measured.ratio() <= RATIO_MAX)
    }
}

impl fmt::Display for Row {
    #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<15}", self.flood)?;
        if let Some(measured) = &self.measured {
            let ms = |us: u64| us as f64 / 1e3;
            let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
            write!(
                f,
                "{:>7.2}{:>8.2}{:>8.2}{:>7.2}{:>7.0}{:>6.0}{:>6.0}",
                ms(measured.alone_p99_us),
                ms(measured.echo_p99_us),
                ms(measured.server_p99_us),
                measured.ratio(),
                mib(measured.memory_before_bytes),
                mib(measured.memory_peak_bytes),
                mib(measured.memory_after_bytes),
            )?;
        }
        write!(f, "  {}", if self.is_good() { "kept  " } else { "BROKEN" })?;
        for (what, times) in &self.ends.0 {
            write!(f, "  {times} {what}")?;
        }
        for missing in &self.missing {
            write!(f, "; it never was: {missing}")?;
        }
        for (error, times) in &self.errors {
            write!(f, "; the players got {times} {error}")?;
        }
        Ok(())
    }
}

/// All results as a table.
pub(super) fn table(rows: &[Row]) -> String {
    use fmt::Write;
    let mut table = String::new();
    if rows.iter().any(|row| row.measured.is_some()) {
        table.push_str("p99 in ms until the opponent received the turn: alone, with the flood on the echo port, on the server;\n");
        table.push_str(
            "their ratio; the server's memory in MiB before, at most, after; how the flood ended\n",
        );
    }
    for row in rows {
        let _ = writeln!(table, "{row}");
    }
    let broken = rows.iter().filter(|row| !row.is_good()).count();
    let _ = writeln!(table, "{} floods, {broken} of them not as promised", rows.len());
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(server_p99_us: u64, missing: &[&'static str]) -> Row {
        Row {
            flood: "pings",
            does: "pings",
            ends: Tally::default(),
            missing: missing.to_vec(),
            errors: BTreeMap::new(),
            measured: Some(Measured {
                alone_p99_us: 500,
                server_p99_us,
                echo_p99_us: 1_000,
                server_all_us: Vec::new(),
                echo_all_us: Vec::new(),
                memory_before_bytes: 0,
                memory_peak_bytes: 0,
                memory_after_bytes: 0,
            }),
        }
    }

    #[test]
    fn a_flood_is_judged_by_its_ratio_and_by_how_it_ended() {
        assert!(row(1_500, &[]).is_good());
        assert!(!row(1_501, &[]).is_good());
        assert!(!row(100, &["close 4429"]).is_good());
        assert!(table(&[row(1, &[]), row(9_000, &[])]).ends_with("2 floods, 1 of them not as promised\n"));
    }
}
