//! The resources of a process, as Linux reports them in /proc.

use std::{fs, time::Duration};

use tokio::time::Instant;

use super::report::{Memory, Process};

/// CPU ticks per second in /proc: the same on every Linux.
const TICKS_PER_S: u64 = 100;

/// The resident memory of a process, in bytes; none if it is gone, or this is not Linux.
pub fn resident_bytes(pid: u32) -> Option<u64> {
    Watched::other(pid).memory()
}

/// A process of this machine.
#[derive(Debug, Clone)]
pub(super) struct Watched {
    folder: String,
}

impl Watched {
    /// The process with that id.
    pub(super) fn other(pid: u32) -> Self {
        Self { folder: format!("/proc/{pid}") }
    }

    /// This process.
    pub(super) fn own() -> Self {
        Self { folder: "/proc/self".to_owned() }
    }

    /// Its resident memory, in bytes; none if it is gone, or this is not Linux.
    pub(super) fn memory(&self) -> Option<u64> {
        resident(&fs::read_to_string(format!("{}/status", self.folder)).ok()?)
    }

    /// The CPU time that it has used since it began.
    pub(super) fn cpu(&self) -> Option<Duration> {
        used(&fs::read_to_string(format!("{}/stat", self.folder)).ok()?)
    }
}

fn resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

fn used(stat: &str) -> Option<Duration> {
    // The name of the program may contain anything, brackets and spaces included.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(11).map(str::parse::<u64>);
    let (user, system) = (times.next()?.ok()?, times.next()?.ok()?);
    Some(Duration::from_millis((user + system) * 1000 / TICKS_PER_S))
}

/// How many files this process may open, if that is known.
pub(super) fn files_max() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Measures a process over a run.
pub(super) struct Meter {
    pub(super) watched: Watched,
    before: Option<u64>,
    peak: u64,
    after: Option<u64>,
    cpu_from: Option<(Instant, Duration)>,
    cpu_until: Option<(Instant, Duration)>,
}

impl Meter {
    /// Takes the first measurement.
    pub(super) fn new(watched: Watched) -> Self {
        let before = watched.memory();
        Self { watched, before, peak: 0, after: None, cpu_from: None, cpu_until: None }
    }

    /// Measures while the load runs.
    pub(super) fn look(&mut self, counts: bool) {
        self.peak = self.peak.max(self.watched.memory().unwrap_or(0));
        if counts && self.cpu_from.is_none() {
            self.cpu_from = self.cpu();
        }
    }

    /// Takes the last measurement.
    pub(super) fn end(&mut self) {
        self.after = self.watched.memory();
        self.peak = self.peak.max(self.after.unwrap_or(0));
        self.cpu_until = self.cpu();
    }

    fn cpu(&self) -> Option<(Instant, Duration)> {
        Some((Instant::now(), self.watched.cpu()?))
    }

    /// None if the process does not exist, or nothing was measured.
    pub(super) fn summary(&self) -> Option<Process> {
        let ((from, cpu_from), (until, cpu_until)) = (self.cpu_from?, self.cpu_until?);
        let cpu_s = cpu_until.saturating_sub(cpu_from).as_secs_f64();
        Some(Process {
            cpu_s,
            cores: cpu_s / (until - from).as_secs_f64(),
            memory: Memory { before_bytes: self.before?, peak_bytes: self.peak, after_bytes: self.after? },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_and_cpu_are_read_from_what_linux_writes() {
        assert_eq!(resident("Name:\tx\nVmHWM:\t  9 kB\nVmRSS:\t   1234 kB\n"), Some(1_263_616));
        assert_eq!(resident("Name:\tx\n"), None);
        let stat = "7 (a b) c) S 1 2 3 4 5 6 7 8 9 10 250 30 0 0 20 0 1";
        assert_eq!(used(stat), Some(Duration::from_millis(2_800)));
    }
}
