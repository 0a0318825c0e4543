//! The counts and times of a task of the load.

use std::{collections::BTreeMap, time::Duration};

use hdrhistogram::Histogram;

use super::{
    error::ClientError,
    event_order::EventPlace,
    report::{Computer, Latency, Players, Watchers},
    run_state::RunState,
};

/// Durations, in microseconds with three significant digits. They take no memory before the first one is
/// recorded: most tasks record few kinds of them, or none.
#[derive(Debug, Clone, Default)]
pub(super) struct Durations(Option<Histogram<u64>>);

impl Durations {
    fn histogram(&mut self) -> &mut Histogram<u64> {
        self.0.get_or_insert_with(|| Histogram::new(3).expect("three digits are few enough"))
    }

    pub(super) fn record(&mut self, duration: Duration) {
        // A growing histogram accepts everything shorter than centuries.
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX >> 1);
        let _ = self.histogram().record(micros);
    }

    fn add(&mut self, other: &Self) {
        if let Some(other) = &other.0 {
            // A growing histogram accepts what another one has accepted.
            let _ = self.histogram().add(other);
        }
    }

    fn count(&self) -> u64 {
        self.0.as_ref().map_or(0, Histogram::len)
    }

    /// A copy with these added.
    fn with(&self, others: &[Duration]) -> Self {
        let mut all = self.clone();
        for &other in others {
            all.record(other);
        }
        all
    }

    /// The summary for the report; none if there are none.
    pub(super) fn summary(&self) -> Option<Latency> {
        let histogram = self.0.as_ref()?;
        let at = |quantile| histogram.value_at_quantile(quantile);
        Some(Latency {
            count: histogram.len(),
            mean_us: histogram.mean(),
            p50_us: at(0.5),
            p90_us: at(0.9),
            p99_us: at(0.99),
            p999_us: at(0.999),
            max_us: histogram.max(),
        })
    }
}

/// The counts and times of a task of the load.
#[derive(Debug, Default, Clone)]
pub(super) struct Tally {
    /// Turns that were sent.
    pub(super) sent: u64,
    /// … until their response.
    pub(super) acknowledged: Durations,
    /// … until the opponent received them.
    pub(super) received: Durations,
    /// How late they were sent.
    pub(super) late: Durations,
    /// How long the computer took for its turns.
    pub(super) answered: Durations,
    /// Its budgets for them, in positions.
    pub(super) budgets: u64,
    /// Bytes that the first player received unasked, and the number of turns.
    pub(super) pushed: (u64, u64),
    pub(super) matches_finished: u64,
    pub(super) matches_abandoned: u64,
    /// Turns, each multiplied by the number of its watchers.
    pub(super) shown: u64,
    /// Events that watchers received.
    pub(super) deliveries: u64,
    /// Turns until a watcher received them.
    pub(super) delivered: Durations,
    /// Turns until the last watcher received them.
    pub(super) delivered_to_all: Durations,
    /// Events that slow watchers received.
    pub(super) slow_deliveries: u64,
    /// Events that slow watchers were told they had missed.
    pub(super) skipped: u64,
    /// Slow and silent watchers whose connections the server closed.
    pub(super) sent_away: u64,
    pub(super) missing: u64,
    pub(super) repeated: u64,
    pub(super) changed: u64,
    pub(super) errors: BTreeMap<String, u64>,
}

impl Tally {
    /// Adds another task's tally.
    pub(super) fn add(&mut self, other: &Self) {
        macro_rules! add {
            ($($count:ident)*; $($durations:ident)*) => {
                $(self.$count += other.$count;)*
                $(self.$durations.add(&other.$durations);)*
            };
        }
        add!(
            sent budgets matches_finished matches_abandoned shown deliveries slow_deliveries skipped
            sent_away missing repeated changed;
            acknowledged received late answered delivered delivered_to_all
        );
        self.pushed = (self.pushed.0 + other.pushed.0, self.pushed.1 + other.pushed.1);
        for (name, count) in &other.errors {
            *self.errors.entry(name.clone()).or_default() += count;
        }
    }

    /// Counts an event by its position among the others.
    pub(super) fn place(&mut self, place: EventPlace) {
        match place {
            EventPlace::Next => {}
            EventPlace::Repeated => self.repeated += 1,
            EventPlace::AfterGap(missing) => self.missing += u64::from(missing),
        }
    }

    /// Counts an error.
    pub(super) fn count_error(&mut self, error: &ClientError, run_state: &RunState) {
        run_state.errors.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        *self.errors.entry(error.name()).or_default() += 1;
    }

    /// The report on the players, with the ages of the turns that were due and not sent: without them, a load
    /// would look better the less it could do.
    pub(super) fn players(&self, measured_s: f64, unsent: &[Duration]) -> Players {
        Players {
            turns_sent: self.sent,
            turns_acknowledged: self.acknowledged.count(),
            turns_received: self.received.count(),
            turns_unsent: unsent.len() as u64,
            turns_per_s: per_s(self.received.count(), measured_s),
            acknowledged: self.acknowledged.with(unsent).summary(),
            received: self.received.with(unsent).summary(),
            late: self.late.with(unsent).summary(),
            bytes_per_turn: self.pushed.0.checked_div(self.pushed.1).unwrap_or(0),
            matches_finished: self.matches_finished,
            matches_abandoned: self.matches_abandoned,
        }
    }

    /// The report on this many matches against the computer; none if there were none.
    pub(super) fn computer(&self, matches: usize, measured_s: f64) -> Option<Computer> {
        let turns = self.answered.count();
        (matches > 0).then(|| Computer {
            matches,
            turns,
            turns_per_s: per_s(turns, measured_s),
            answered: self.answered.summary(),
            budget_mean: self.budgets.checked_div(turns).unwrap_or(0),
        })
    }

    /// The report on the watchers.
    pub(super) fn watchers(&self, measured_s: f64) -> Watchers {
        Watchers {
            turns_shown: self.shown,
            turns_delivered: self.delivered.count(),
            deliveries: self.deliveries,
            deliveries_per_s: per_s(self.deliveries, measured_s),
            delivered: self.delivered.summary(),
            delivered_to_all: self.delivered_to_all.summary(),
            slow_deliveries: self.slow_deliveries,
            skipped: self.skipped,
            sent_away: self.sent_away,
        }
    }
}

fn per_s(count: u64, seconds: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "no run counts so far")]
    let count = count as f64;
    if seconds > 0.0 { count / seconds } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_add_up() {
        let (mut one, mut two) = (Tally::default(), Tally::default());
        for ms in 1..=1_000 {
            let tally = if ms % 3 == 0 { &mut one } else { &mut two };
            tally.received.record(Duration::from_millis(ms));
        }
        one.place(EventPlace::AfterGap(3));
        two.place(EventPlace::Repeated);
        two.count_error(&ClientError::Stuck, &RunState::default());
        one.add(&two);
        one.add(&two.clone());
        let told = one.received.summary().expect("some were recorded");
        assert_eq!(told.count, 333 + 2 * 667);
        assert!((499_000..=501_500).contains(&told.p50_us), "{told:?}");
        assert!((1_000_000..=1_001_000).contains(&told.max_us), "{told:?}");
        assert_eq!((one.missing, one.repeated, one.errors["stuck"]), (3, 2, 2));
        assert_eq!(one.acknowledged.summary(), None);
    }

    #[test]
    fn turns_that_were_not_sent_count_as_long_as_they_waited() {
        let mut tally = Tally::default();
        for durations in [&mut tally.acknowledged, &mut tally.received, &mut tally.late] {
            (0..98).for_each(|_| durations.record(Duration::from_millis(1)));
        }
        let players = tally.players(1.0, &[Duration::from_secs(3), Duration::from_secs(4)]);
        assert_eq!((players.turns_received, players.turns_unsent), (98, 2));
        for latency in [players.acknowledged, players.received, players.late] {
            let latency = latency.expect("some were recorded");
            assert_eq!((latency.count, latency.p50_us), (100, 1_000));
            assert!(latency.p99_us >= 2_990_000 && latency.max_us >= 3_990_000, "{latency:?}");
        }
    }
}
