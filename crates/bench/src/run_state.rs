//! The state that all tasks of a run share: the measured window, and whether the run is over.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use parking_lot::Mutex;
use tokio::time::Instant;

/// The state of a run. All its tasks read it without waiting.
#[derive(Debug, Default)]
pub(super) struct RunState {
    window: OnceLock<Window>,
    over: AtomicBool,
    turns_left: Option<AtomicU64>,
    /// When the dropped turns were due.
    given_up: Mutex<Vec<Instant>>,
    /// Turns that the opponent received so far, counted or not.
    pub(super) turns: AtomicU64,
    /// Events that watchers received so far, counted or not.
    pub(super) deliveries: AtomicU64,
    /// Errors so far.
    pub(super) errors: AtomicU64,
}

/// The measured window.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) from: Instant,
    pub(super) until: Option<Instant>,
}

impl RunState {
    /// A run with this many turns, or without a limit.
    pub(super) fn new(turns_max: Option<u64>) -> Self {
        Self { turns_left: turns_max.map(AtomicU64::new), ..Self::default() }
    }

    /// Starts the turns.
    pub(super) fn open(&self, window: Window) {
        // The run opens it once.
        let _ = self.window.set(window);
    }

    /// Ends the turns.
    pub(super) fn end(&self) {
        self.over.store(true, Relaxed);
    }

    /// Whether a turn due at this time is too late to be played.
    pub(super) fn is_over(&self, due: Instant) -> bool {
        let until = self.window.get().and_then(|window| window.until);
        self.over.load(Relaxed) || until.is_some_and(|until| due >= until)
    }

    /// Whether something due at this time counts.
    pub(super) fn counts(&self, due: Instant) -> bool {
        self.window
            .get()
            .is_some_and(|window| window.from <= due && window.until.is_none_or(|until| due < until))
    }

    /// Takes one of the remaining turns; false if none is left.
    pub(super) fn take_turn(&self, due: Instant) -> bool {
        let left = || match &self.turns_left {
            None => true,
            Some(left) => left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok(),
        };
        !self.is_over(due) && left()
    }

    /// Notes a turn that was due at this time and could not be played, although the run allowed it.
    pub(super) fn give_up(&self, due: Instant) {
        if self.counts(due) && !self.is_played_out() {
            self.given_up.lock().push(due);
        }
    }

    /// Whether all turns of the run have been played.
    pub(super) fn is_played_out(&self) -> bool {
        self.turns_left.as_ref().is_some_and(|left| left.load(Relaxed) == 0)
    }

    /// For each dropped turn, the time from when it was due until `then`: playing it would have taken at
    /// least as long.
    pub(super) fn given_up(&self, then: Instant) -> Vec<Duration> {
        self.given_up.lock().iter().map(|&due| then.saturating_duration_since(due)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_played_until_the_end_and_counted_after_the_warm_up() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let run_state = RunState::new(Some(2));
        assert!(!run_state.counts(start));
        run_state.open(Window { from: start + second, until: Some(start + 2 * second) });
        assert!(
            !run_state.counts(start)
                && run_state.counts(start + second)
                && !run_state.counts(start + 2 * second)
        );
        assert!(run_state.take_turn(start), "the warm-up is played too");
        assert!(!run_state.take_turn(start + 2 * second), "too late");
        assert!(run_state.take_turn(start + second));
        assert!(!run_state.take_turn(start + second), "both turns are played");
        run_state.end();
        assert!(run_state.is_over(start));
        run_state.give_up(start + second);
        assert!(run_state.given_up(start).is_empty(), "all turns are played");
    }

    #[test]
    fn turns_that_are_given_up_have_an_age() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let run_state = RunState::new(None);
        run_state.open(Window { from: start + second, until: Some(start + 4 * second) });
        for due in 0..6 {
            run_state.give_up(start + due * second);
        }
        assert_eq!(run_state.given_up(start + 4 * second), [3 * second, 2 * second, second]);
    }
}
