//! Schedules turns.

use std::{sync::Arc, time::Duration};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::{sync::mpsc, time::Instant};

use super::{
    load::{Arrival, Load, Pace},
    run_state::RunState,
};

/// The most waiting turns of a match. More are dropped at once.
const WAITING_MAX: usize = 4_096;

/// How long the scheduler sleeps at most before it checks whether the run is over.
const NAP_MAX: Duration = Duration::from_millis(50);

/// The time of each turn, counted from the beginning of the load, and its match.
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
    /// This many turns a second over this many matches, both more than 0.
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

/// Notifies the matches when their turns are due. It has its own thread, because tokio's timers are no finer
/// than a millisecond, and the measured latencies may be shorter.
pub(super) struct TurnScheduler {
    arrivals: Option<Arrivals>,
    matches: Vec<mpsc::Sender<Instant>>,
}

impl TurnScheduler {
    /// A scheduler for a load, and the receiver of each match.
    pub(super) fn new(load: &Load) -> (Self, Vec<TurnTimes>) {
        match load.pace {
            Pace::Closed => {
                let starts = std::iter::repeat_with(|| TurnTimes::Closed).take(load.matches).collect();
                (Self { arrivals: None, matches: Vec::new() }, starts)
            }
            Pace::Rate { turns_per_s, arrival } => {
                let channels = std::iter::repeat_with(|| mpsc::channel(WAITING_MAX)).take(load.matches);
                let (matches, starts) = channels.map(|(told, due)| (told, TurnTimes::Scheduled(due))).unzip();
                let arrivals = Arrivals::new(turns_per_s, arrival, load.matches, load.seed);
                (Self { arrivals: Some(arrivals), matches }, starts)
            }
        }
    }

    /// Runs from that moment until the run is over.
    pub(super) fn start(self, from: Instant, run_state: &Arc<RunState>) {
        let run_state = Arc::clone(run_state);
        if let Some(arrivals) = self.arrivals {
            tokio::task::spawn_blocking(move || beat(arrivals, from, &self.matches, &run_state));
        }
    }
}

fn beat(arrivals: Arrivals, from: Instant, matches: &[mpsc::Sender<Instant>], run_state: &RunState) {
    for (after, of_match) in arrivals {
        // No turn is that late.
        let Some(due) = from.checked_add(after) else { return };
        loop {
            if run_state.is_over(due) {
                return;
            }
            let left = due.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            std::thread::sleep(left.min(NAP_MAX));
        }
        if matches[of_match].try_send(due).is_err() {
            run_state.give_up(due);
        }
    }
}

/// When a match sends its next turn.
pub(super) enum TurnTimes {
    /// As soon as it can.
    Closed,
    /// At the times that the scheduler sends.
    Scheduled(mpsc::Receiver<Instant>),
}

impl TurnTimes {
    /// The time of the next turn; none if no more turns come. Cancel safe.
    pub(super) async fn next(&mut self) -> Option<Instant> {
        match self {
            Self::Closed => Some(Instant::now()),
            Self::Scheduled(due) => due.recv().await,
        }
    }

    /// Drops a turn that came too late to be played, and all waiting ones.
    pub(super) fn give_up(&mut self, first: Option<Instant>, run_state: &RunState) {
        if let Self::Scheduled(waiting) = self {
            let mut next = first.or_else(|| waiting.try_recv().ok());
            while let Some(due) = next {
                run_state.give_up(due);
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
        // Random gaps are exponential: as many are shorter than ln 2 of the mean as longer.
        let times: Vec<_> = arrivals(7).map(|(at, _)| at.as_secs_f64()).collect();
        let short = times.windows(2).filter(|pair| pair[1] - pair[0] < 2f64.ln() / 500.0).count();
        assert!((9_700..10_300).contains(&short), "{short}");
    }

    /// A server that stalls once for 100 ms and otherwise responds at once, with a turn every 10 ms: turns
    /// that wait behind the stall count as late as they were.
    #[tokio::test(start_paused = true)]
    async fn a_turn_that_waits_for_its_match_counts_from_when_it_was_due() {
        let (told, due) = mpsc::channel(WAITING_MAX);
        let from = Instant::now();
        for (after, _) in Arrivals::new(100.0, Arrival::Even, 1, 1).take(13) {
            told.try_send(from + after).expect("room");
        }
        drop(told);
        let mut starts = TurnTimes::Scheduled(due);
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
