//! What happened in a run, in order: its last part to read, all of it as a hash.

use std::{collections::VecDeque, fmt};

/// How many lines are kept to be read, if nobody asks for more (`LUSORIA_SIMULATE_LINES`).
const KEPT: usize = 120;

/// The longest line that is kept, in characters; the hash is of the whole line.
const LINE_MAX: usize = 400;

/// The trace of a run.
pub(super) struct Trace {
    kept_max: usize,
    hash: u64,
    lines: u64,
    last: VecDeque<String>,
}

impl Default for Trace {
    fn default() -> Self {
        let asked = std::env::var("LUSORIA_SIMULATE_LINES").ok().and_then(|lines| lines.parse().ok());
        Self { kept_max: asked.unwrap_or(KEPT), hash: 0, lines: 0, last: VecDeque::new() }
    }
}

impl Trace {
    /// Notes that something happened, so many milliseconds after the beginning.
    pub(super) fn note(&mut self, at_ms: u64, what: &str) {
        self.lines += 1;
        for byte in at_ms.to_le_bytes().iter().chain(what.as_bytes()) {
            // FNV-1a.
            self.hash = (self.hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        if self.last.len() >= self.kept_max {
            self.last.pop_front();
        }
        let shown: String = what.chars().take(LINE_MAX).collect();
        self.last.push_back(format!("{:>9}.{:03} {shown}", at_ms / 1_000, at_ms % 1_000));
    }

    /// The hash of everything, and how many lines that was.
    pub(super) const fn digest(&self) -> (u64, u64) {
        (self.hash, self.lines)
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.last.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}
