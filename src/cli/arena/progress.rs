//! How far the arena has come, on a terminal.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use crate::arena::Progress;

/// How wide the bar is, in characters.
const WIDTH: u32 = 30;

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
    let Progress { games, games_all, results: [wins, draws, losses] } = *progress;
    let full = (WIDTH * games).checked_div(games_all).unwrap_or(0);
    let bar: String = (0..WIDTH).map(|place| if place < full { '#' } else { '.' }).collect();
    let left = if games == 0 {
        String::new()
    } else {
        let left_s = since.as_secs_f64() / f64::from(games) * f64::from(games_all - games);
        format!(", {left_s:.0} s left")
    };
    format!("[{bar}] {games} of {games_all} games, A won {wins}, drew {draws}, lost {losses}{left}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_grows_with_the_games() {
        let progress = Progress { games: 40, games_all: 120, results: [20, 1, 17] };
        assert_eq!(
            line(&progress, Duration::from_secs(10)),
            "[##########....................] 40 of 120 games, A won 20, drew 1, lost 17, 20 s left"
        );
        let none = Progress { games: 0, games_all: 120, results: [0; 3] };
        assert!(line(&none, Duration::ZERO).ends_with("lost 0"));
    }
}
