//! The progress of the arena, on a terminal.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use lusoria_arena::{Progress, Score};

/// The greatest width of the bar, in characters.
const BAR_WIDTH_MAX: usize = 20;

/// The greatest width of the line: a wrapped one could not be overwritten.
const LINE_WIDTH_MAX: usize = 79;

/// The shortest time between two updates.
const DRAWN_EVERY: Duration = Duration::from_millis(100);

/// A line on standard error that is updated repeatedly. It is erased when this value is dropped.
pub(super) struct Bar {
    begun: Instant,
    drawn: Option<Instant>,
}

impl Bar {
    pub(super) fn begin() -> Self {
        Self { begun: Instant::now(), drawn: None }
    }

    /// Shows the progress of a contest.
    pub(super) fn show(&mut self, progress: &Progress) {
        let Score { wins, draws, losses } = progress.played;
        let results = format!(", A won {wins}, drew {draws}, lost {losses}");
        self.draw(progress.played.games(), progress.games_all, &results);
    }

    /// Shows how many of all are done.
    pub(super) fn count(&mut self, done: u32, all: u32) {
        self.draw(done, all, "");
    }

    fn draw(&mut self, games: u32, games_all: u32, results: &str) {
        let now = Instant::now();
        if self.drawn.is_some_and(|drawn| now.duration_since(drawn) < DRAWN_EVERY) {
            return;
        }
        self.drawn = Some(now);
        let line = line(games, games_all, results, now.duration_since(self.begun));
        // A failure to print is no reason to stop.
        let _ = write!(io::stderr(), "\r{line}\u{1b}[K");
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        let _ = write!(io::stderr(), "\r\u{1b}[K");
    }
}

fn line(games: u32, games_all: u32, results: &str, since: Duration) -> String {
    let left = if games == 0 {
        String::new()
    } else {
        format!(", {} left", told(since / games * (games_all - games)))
    };
    let told = format!("{games} of {games_all}{results}{left}");
    // The brackets and a space after them.
    let width = LINE_WIDTH_MAX.saturating_sub(told.len() + 3).min(BAR_WIDTH_MAX);
    let full = (width * games as usize).checked_div(games_all as usize).unwrap_or(0);
    format!("[{}{}] {told}", "#".repeat(full), ".".repeat(width - full))
}

/// A time in the greatest unit of which there are two or more.
fn told(time: Duration) -> String {
    match time.as_secs() {
        s if s < 120 => format!("{s} s"),
        s if s < 120 * 60 => format!("{} min", s / 60),
        s => format!("{} h", s / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_grows_with_the_games() {
        assert_eq!(
            line(40, 120, ", A won 20, drew 2, lost 18", Duration::from_secs(10)),
            "[######..............] 40 of 120, A won 20, drew 2, lost 18, 20 s left"
        );
        assert_eq!(line(0, 120, "", Duration::ZERO), "[....................] 0 of 120");
    }

    #[test]
    fn the_remaining_time_is_shown_in_seconds_minutes_or_hours() {
        for (seconds, said) in [(119, "119 s"), (120, "2 min"), (7_199, "119 min"), (7_200, "2 h")] {
            assert_eq!(told(Duration::from_secs(seconds)), said);
        }
    }

    /// The most games that can be requested, results with the most digits, a week for each game.
    #[test]
    fn the_longest_line_fits_into_eighty_columns() {
        for each in [333_333, 100_000] {
            let results = format!(", A won {each}, drew {each}, lost {each}");
            let line = line(3 * each, 1_000_000, &results, Duration::from_hours(168) * (3 * each));
            assert!(line.chars().count() < 80, "{line}");
            assert!(line.contains(".] ") && line.ends_with(" h left"), "{line}");
        }
    }
}
