//! Pauses before reconnecting.

use std::time::Duration;

use tokio::time::Instant;

/// The first pause.
const FIRST: Duration = Duration::from_millis(500);

/// The longest pause.
const LONGEST: Duration = Duration::from_secs(20);

/// A connection that lasted this long resets the pauses.
const SETTLED: Duration = Duration::from_secs(10);

/// The pauses of one client: each twice as long as the previous one, until a connection has lasted.
#[derive(Debug, Default)]
pub(super) struct Pauses {
    failures: u32,
    up_since: Option<Instant>,
}

impl Pauses {
    /// Notes that the connection is up.
    pub(super) fn up(&mut self, now: Instant) {
        self.up_since = Some(now);
    }

    /// Notes that the connection is lost, or could not be opened. Returns how long to wait now. `jitter`,
    /// from 0 to 1, keeps clients that were cut off together from reconnecting together; `at_least` is the
    /// pause that the server requested.
    pub(super) fn down(&mut self, now: Instant, jitter: f64, at_least: Duration) -> Duration {
        if self.up_since.take().is_some_and(|since| now.duration_since(since) >= SETTLED) {
            self.failures = 0;
        }
        let pause = FIRST.saturating_mul(2_u32.saturating_pow(self.failures)).min(LONGEST);
        self.failures = self.failures.saturating_add(1);
        pause.mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0).max(at_least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Duration = Duration::ZERO;

    fn whole(pauses: &mut Pauses, now: Instant) -> u128 {
        pauses.down(now, 1.0, NONE).as_millis()
    }

    #[test]
    fn pauses_grow_to_a_limit() {
        let (mut pauses, now) = (Pauses::default(), Instant::now());
        let first: Vec<_> = (0..8).map(|_| whole(&mut pauses, now)).collect();
        assert_eq!(first, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000]);
        let mut tired = Pauses { failures: u32::MAX, up_since: None };
        assert_eq!(whole(&mut tired, now), 20_000);
    }

    #[test]
    fn a_connection_that_held_makes_the_next_pause_short_and_one_that_did_not_does_not() {
        let (mut pauses, mut now) = (Pauses::default(), Instant::now());
        assert_eq!([whole(&mut pauses, now), whole(&mut pauses, now)], [500, 1_000]);
        pauses.up(now);
        now += Duration::from_secs(9);
        assert_eq!(whole(&mut pauses, now), 2_000);
        pauses.up(now);
        now += SETTLED;
        assert_eq!(whole(&mut pauses, now), 500);
    }

    #[test]
    fn a_pause_is_half_chance_and_never_shorter_than_the_server_asks() {
        let now = Instant::now();
        let with = |jitter| Pauses::default().down(now, jitter, NONE).as_millis();
        assert_eq!([with(0.0), with(0.5), with(1.0)], [250, 375, 500]);
        assert_eq!([with(-1.0), with(7.0)], [250, 500]);
        let asked = Duration::from_secs(30);
        assert_eq!(Pauses::default().down(now, 0.3, asked), asked);
    }
}
