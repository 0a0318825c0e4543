//! How far the arena has come, on a terminal.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use lusoria_arena::{Progress, Score};

/// How wide the bar is at most, in characters.
const BAR_WIDTH_MAX: usize = 20;

/// How wide the line is at most: one that is wrapped could not be drawn over.
const LINE_WIDTH_MAX: usize = 79;

/// How often it is drawn at most.
const DRAWN_EVERY: Duration = Duration::from_millis(100);

/// A line on standard error that is drawn again and again. It is gone when this value is.
pub(super) struct Bar {
    begun: Instant,
    drawn: Option<Instant>,
}

impl Bar {
    pub(super) fn begin() -> Self {
        Self { begun: Instant::now(), drawn: None }
    }

    pub(super) fn show(&mut self, progress: &Progress) {
        let now = Instant::now();
        if self.drawn.is_some_and(|drawn| now.duration_since(drawn) < DRAWN_EVERY) {
            return;
        }
        self.drawn = Some(now);
        let line = line(progress, now.duration_since(self.begun));
        // A terminal that takes nothing is no reason to stop.
        let _ = write!(io::stderr(), "\r{line}\u{1b}[K");
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        let _ = write!(io::stderr(), "\r\u{1b}[K");
    }
}

fn line(progress: &Progress, since: Duration) -> String {
    let Progress { played, games_all } = *progress;
    let (games, Score { wins, draws, losses }) = (played.games(), played);
    let left = if games == 0 {
        String::new()
    } else {
        format!(", {} left", told(since / games * (games_all - games)))
    };
    let told = format!("{games} of {games_all}, A won {wins}, drew {draws}, lost {losses}{left}");
    // Between brackets, and a space after them.
    let width = LINE_WIDTH_MAX.saturating_sub(told.len() + 3).min(BAR_WIDTH_MAX);
    let full = (width * games as usize).checked_div(games_all as usize).unwrap_or(0);
    format!("[{}{}] {told}", "#".repeat(full), ".".repeat(width - full))
}

/// In the greatest unit of which there are two or more.
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
        let played = Score { wins: 20, draws: 2, losses: 18 };
        let progress = Progress { played, games_all: 120 };
        assert_eq!(
            line(&progress, Duration::from_secs(10)),
            "[######..............] 40 of 120, A won 20, drew 2, lost 18, 20 s left"
        );
        let none = Progress { played: Score::default(), games_all: 120 };
        assert!(line(&none, Duration::ZERO).ends_with("lost 0"));
    }

    #[test]
    fn the_remaining_time_is_shown_in_seconds_minutes_or_hours() {
        for (seconds, said) in [(119, "119 s"), (120, "2 min"), (7_199, "119 min"), (7_200, "2 h")] {
            assert_eq!(told(Duration::from_secs(seconds)), said);
        }
    }

    /// The most games that can be asked for, results of the most digits, a week for each game.
    #[test]
    fn the_longest_line_fits_into_eighty_columns() {
        let late = Score { wins: 333_333, draws: 333_333, losses: 333_333 };
        let early = Score { wins: 100_000, draws: 100_000, losses: 100_000 };
        for played in [late, early] {
            let progress = Progress { played, games_all: 1_000_000 };
            let line = line(&progress, Duration::from_hours(168) * played.games());
            assert!(line.chars().count() < 80, "{line}");
            assert!(line.contains(".] ") && line.ends_with(" h left"), "{line}");
        }
    }
}
