//! When turns are meant to be sent.

use std::{sync::Arc, time::Duration};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::{sync::mpsc, time::Instant};

use super::{
    course::Course,
    load::{Arrival, Load, Pace},
};

/// The most turns of a match that wait to be sent. More are given up at once.
const WAITING_MAX: usize = 4_096;

/// How long the metronome sleeps at most before it looks whether the run is over.
const NAP_MAX: Duration = Duration::from_millis(50);

/// When turns are meant to be sent, from the beginning of the load, and of which match.
#[derive(Debug)]
pub struct Arrivals {
    turns_per_s: f64,
    arrival: Arrival,
    matches: usize,
    random: StdRng,
    count: u64,
    at_s: f64,
}

impl Arrivals {
    /// So many a second over so many matches, both more than 0.
    pub fn new(turns_per_s: f64, arrival: Arrival, matches: usize, seed: u64) -> Self {
        let random = StdRng::seed_from_u64(seed);
        Self { turns_per_s, arrival, matches: matches.max(1), random, count: 0, at_s: 0.0 }
    }
}

impl Iterator for Arrivals {
    type Item = (Duration, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let of_match = match self.arrival {
            Arrival::Even => {
                #[expect(clippy::cast_precision_loss, reason = "no run has so many turns")]
                let count = self.count as f64;
                self.at_s = count / self.turns_per_s;
                usize::try_from(self.count).unwrap_or(usize::MAX) % self.matches
            }
            Arrival::Poisson => {
                let chance: f64 = self.random.random();
                self.at_s -= (1.0 - chance).ln() / self.turns_per_s;
                self.random.random_range(..self.matches)
            }
        };
        self.count += 1;
        Some((Duration::try_from_secs_f64(self.at_s).ok()?, of_match))
    }
}

/// Tells the matches when their turns are due. It has a thread of its own: tokio's
/// timers are no finer than a millisecond, and the latencies that are measured may be
/// shorter than that.
pub(super) struct Metronome {
    arrivals: Option<Arrivals>,
    matches: Vec<mpsc::Sender<Instant>>,
}

impl Metronome {
    /// A metronome for a load, and the receiver of each match.
    pub(super) fn new(load: &Load) -> (Self, Vec<Starts>) {
        match load.pace {
            Pace::Closed => {
                let starts = std::iter::repeat_with(|| Starts::Closed).take(load.matches).collect();
                (Self { arrivals: None, matches: Vec::new() }, starts)
            }
            Pace::Rate { turns_per_s, arrival } => {
                let channels = std::iter::repeat_with(|| mpsc::channel(WAITING_MAX)).take(load.matches);
                let (matches, starts) = channels.map(|(told, due)| (told, Starts::Told(due))).unzip();
                let arrivals = Arrivals::new(turns_per_s, arrival, load.matches, load.seed);
                (Self { arrivals: Some(arrivals), matches }, starts)
            }
        }
    }

    /// Runs from that moment until the run is over.
    pub(super) fn start(self, from: Instant, course: &Arc<Course>) {
        let course = Arc::clone(course);
        if let Some(arrivals) = self.arrivals {
            tokio::task::spawn_blocking(move || beat(arrivals, from, &self.matches, &course));
        }
    }
}

fn beat(arrivals: Arrivals, from: Instant, matches: &[mpsc::Sender<Instant>], course: &Course) {
    for (after, of_match) in arrivals {
        // None comes so late.
        let Some(due) = from.checked_add(after) else { return };
        loop {
            if course.is_over(due) {
                return;
            }
            let left = due.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            std::thread::sleep(left.min(NAP_MAX));
        }
        if matches[of_match].try_send(due).is_err() {
            course.give_up(due);
        }
    }
}

/// Tells a match when to send its next turn.
pub(super) enum Starts {
    /// As soon as it can.
    Closed,
    /// When the metronome says so.
    Told(mpsc::Receiver<Instant>),
}

impl Starts {
    /// When the next turn was or is meant to be sent; none if there is none to come.
    /// Cancel safe.
    pub(super) async fn next(&mut self) -> Option<Instant> {
        match self {
            Self::Closed => Some(Instant::now()),
            Self::Told(due) => due.recv().await,
        }
    }

    /// Gives up a turn that came too late to be played, and all that still wait.
    pub(super) fn give_up(&mut self, first: Option<Instant>, course: &Course) {
        if let Self::Told(waiting) = self {
            let mut next = first.or_else(|| waiting.try_recv().ok());
            while let Some(due) = next {
                course.give_up(due);
                next = waiting.try_recv().ok();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_arrivals_go_round() {
        let arrivals: Vec<_> = Arrivals::new(100.0, Arrival::Even, 3, 1).take(5).collect();
        let ms = Duration::from_millis;
        assert_eq!(arrivals, [(ms(0), 0), (ms(10), 1), (ms(20), 2), (ms(30), 0), (ms(40), 1)]);
    }

    #[test]
    fn poisson_arrivals_have_the_rate_and_follow_from_the_seed() {
        let arrivals = |seed| Arrivals::new(500.0, Arrival::Poisson, 10, seed).take(20_000);
        let (last, _) = arrivals(7).last().expect("arrivals never end");
        assert!((38.0..42.0).contains(&last.as_secs_f64()), "{last:?}");
        let first = arrivals(7).filter(|&(_, of_match)| of_match == 0).count();
        assert!((1_800..2_200).contains(&first), "{first}");
        assert!(arrivals(7).eq(arrivals(7)) && !arrivals(7).eq(arrivals(8)));
        // Gaps of chance are exponential: as many are shorter than ln 2 of the mean as longer.
        let times: Vec<_> = arrivals(7).map(|(at, _)| at.as_secs_f64()).collect();
        let short = times.windows(2).filter(|pair| pair[1] - pair[0] < 2f64.ln() / 500.0).count();
        assert!((9_700..10_300).contains(&short), "{short}");
    }

    /// A server that stalls once for 100 ms and answers at once otherwise, asked every
    /// 10 ms: the turns that had to wait behind the stall count as late as they were.
    #[tokio::test(start_paused = true)]
    async fn a_turn_that_waits_for_its_match_counts_from_when_it_was_due() {
        let (told, due) = mpsc::channel(WAITING_MAX);
        let from = Instant::now();
        for (after, _) in Arrivals::new(100.0, Arrival::Even, 1, 1).take(13) {
            told.try_send(from + after).expect("room");
        }
        drop(told);
        let mut starts = Starts::Told(due);
        let mut latencies_ms = Vec::new();
        while let Some(due) = starts.next().await {
            tokio::time::sleep_until(due).await;
            if latencies_ms.is_empty() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            latencies_ms.push(due.elapsed().as_millis());
        }
        assert_eq!(latencies_ms, [100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 0, 0, 0]);
    }
}
