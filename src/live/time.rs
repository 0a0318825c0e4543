//! The two inputs from outside: time and randomness.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use lusoria_play::Millis;
use rand::{TryRng, rngs::SysRng};
use tokio::time::Instant;

/// By at most this much a steered time is corrected at once even if that may be wrong, in milliseconds:
/// players hardly notice it on their clocks.
const STEERED_AT_ONCE_MS: i64 = 50;

/// How exactly the other time must be known for that, in milliseconds.
const STEERED_WITHIN_MS: u64 = 100;

/// The server's time: the system's at the start, then the runtime's own clock. It never runs backwards, and
/// under a paused runtime it is virtual. Clones share the same time.
#[derive(Debug, Clone)]
pub struct ServerTime {
    started_at: Millis,
    started: Instant,
    /// None if it is not steered.
    steering: Option<Arc<Steering>>,
}

/// How a time follows another one.
#[derive(Debug, Default)]
struct Steering {
    offset_ms: AtomicI64,
    /// The latest time that was returned: none is earlier.
    told: AtomicU64,
}

impl ServerTime {
    /// Starts with the system's time.
    pub fn from_system() -> Self {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Self::from_epoch(u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX))
    }

    /// Starts at a given instant, in milliseconds since the epoch.
    pub fn from_epoch(started_at: Millis) -> Self {
        Self { started_at, started: Instant::now(), steering: None }
    }

    /// The same time, to be steered.
    #[must_use]
    pub(super) fn steered(self) -> Self {
        Self { steering: Some(Arc::default()), ..self }
    }

    /// Moves the time closer to another one, which was `other` at `instant` with an error of at most
    /// `unsure_ms`: forward at once, backward by standing still. Corrects what is certainly wrong, or a
    /// little if that is more and the other time is known well. Returns the remaining difference, in
    /// milliseconds. A time that is not steered stays as it is.
    pub(super) fn steer(&self, other: Millis, instant: Instant, unsure_ms: u64) -> u64 {
        let off_ms = other.cast_signed() - self.at(instant).cast_signed();
        let Some(steering) = &self.steering else { return off_ms.unsigned_abs() };
        let certain_ms = off_ms.saturating_abs() - unsure_ms.cast_signed();
        let at_least_ms = if unsure_ms <= STEERED_WITHIN_MS { STEERED_AT_ONCE_MS } else { 0 };
        let at_once_ms = at_least_ms.max(certain_ms);
        let by_ms = off_ms.clamp(-at_once_ms, at_once_ms);
        steering.offset_ms.fetch_add(by_ms, Ordering::Relaxed);
        (off_ms - by_ms).unsigned_abs()
    }

    /// Now, in milliseconds since the epoch.
    pub fn now(&self) -> Millis {
        let now = self.at(Instant::now());
        match &self.steering {
            None => now,
            Some(steering) => steering.told.fetch_max(now, Ordering::Relaxed).max(now),
        }
    }

    /// The time at an instant, in milliseconds since the epoch; the start of this time if it was before.
    pub fn at(&self, instant: Instant) -> Millis {
        let since = instant.saturating_duration_since(self.started);
        let at = self.started_at + u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        let offset_ms =
            self.steering.as_ref().map_or(0, |steering| steering.offset_ms.load(Ordering::Relaxed));
        at.saturating_add_signed(offset_ms)
    }
}

/// A source of random bytes.
pub trait Entropy: Send + Sync + 'static {
    /// Thirty-two random bytes.
    fn bytes32(&self) -> [u8; 32];
}

/// A function that returns new bytes at each call.
impl<Source: Fn() -> [u8; 32] + Send + Sync + 'static> Entropy for Source {
    fn bytes32(&self) -> [u8; 32] {
        self()
    }
}

/// The operating system's randomness.
#[derive(Debug, Clone, Copy, Default)]
pub struct OsEntropy;

impl Entropy for OsEntropy {
    fn bytes32(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        SysRng.try_fill_bytes(&mut bytes).expect("the operating system has random bytes");
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_steered_time_follows_another_and_never_runs_back() {
        let time = ServerTime::from_epoch(1_000_000).steered();
        let (start, mut last) = (Instant::now(), 0);
        for ahead_ms in [-400_i64, 300] {
            let other = |at: Instant| {
                let passed = u64::try_from((at - start).as_millis()).expect("a short while");
                (1_000_000 + passed).saturating_add_signed(ahead_ms)
            };
            let mut off_ms = u64::MAX;
            while off_ms > 0 {
                tokio::time::advance(Duration::from_millis(10)).await;
                let now = Instant::now();
                off_ms = time.steer(other(now), now, 100);
                assert!(time.now() >= last);
                last = time.now();
            }
            tokio::time::advance(Duration::from_secs(1)).await;
            assert_eq!(time.now(), other(Instant::now()));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_certain_error_is_corrected_at_once() {
        let time = ServerTime::from_epoch(1_000_000).steered();
        let now = Instant::now();
        assert_eq!(time.steer(1_005_000, now, 300), 300);
        assert_eq!(time.now(), 1_004_700);
        assert_eq!(time.steer(1_004_680, now, 0), 0);
        assert_eq!(time.now(), 1_004_700, "it stands still until the other has caught up");
    }

    #[tokio::test(start_paused = true)]
    async fn a_time_that_is_not_steered_stays_as_it_is() {
        let time = ServerTime::from_epoch(1_000_000);
        assert_eq!(time.steer(1_000_700, Instant::now(), 0), 700);
        assert_eq!(time.now(), 1_000_000);
    }
}
