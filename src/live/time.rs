//! The two things that only the outside can give: the time and randomness.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use lusoria_play::Millis;
use rand::{TryRng, rngs::SysRng};
use tokio::time::Instant;

/// The server's time: the system's at the start, then the runtime's own clock. It never
/// runs backwards, and under a paused runtime it is virtual.
#[derive(Debug, Clone, Copy)]
pub struct ServerTime {
    started_at: Millis,
    started: Instant,
}

impl ServerTime {
    /// Takes the time from the system.
    pub fn from_system() -> Self {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Self::from_epoch(u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX))
    }

    /// Starts at a given instant, in milliseconds since the epoch.
    pub fn from_epoch(started_at: Millis) -> Self {
        Self { started_at, started: Instant::now() }
    }

    /// The same time, put forward so that it is not before `earliest` now: a machine whose
    /// clock was set back must not write events that are older than those it has.
    #[must_use]
    pub fn not_before(self, earliest: Millis) -> Self {
        let behind = earliest.saturating_sub(self.now());
        Self { started_at: self.started_at + behind, ..self }
    }

    /// Now, in milliseconds since the epoch.
    pub fn now(&self) -> Millis {
        self.at(Instant::now())
    }

    /// An instant, in milliseconds since the epoch; the start of this time if it was before.
    pub fn at(&self, instant: Instant) -> Millis {
        let since = instant.saturating_duration_since(self.started);
        self.started_at + u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }
}

/// A source of random bytes.
pub trait Entropy: Send + Sync + 'static {
    /// Thirty-two random bytes.
    fn bytes32(&self) -> [u8; 32];
}

/// A function that returns other bytes at each call.
impl<Source: Fn() -> [u8; 32] + Send + Sync + 'static> Entropy for Source {
    fn bytes32(&self) -> [u8; 32] {
        self()
    }
}

/// The operating system's.
#[derive(Debug, Clone, Copy, Default)]
pub struct OsEntropy;

impl Entropy for OsEntropy {
    fn bytes32(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        SysRng.try_fill_bytes(&mut bytes).expect("the operating system has random bytes");
        bytes
    }
}
