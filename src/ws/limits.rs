//! What one socket may do, and how long it may take.

use std::time::Duration;

use tokio::time::Instant;

use crate::config;

/// How long a client may take until it has said `hello`.
pub(super) const HELLO_WITHIN: Duration = Duration::from_secs(10);

/// How long a client may take for a message, or for [`PIECE_BYTES`] of a longer one. Who is
/// faster is never cut.
pub(super) const MESSAGE_WITHIN: Duration = Duration::from_secs(10);

/// How much of a message counts as much as a short one, in bytes.
pub(super) const PIECE_BYTES: usize = 4 * 1024;

/// After how many bytes a ping follows …
pub(super) const PING_AFTER_BYTES: u64 = 4 * 1024;

/// … and after how many messages, or pieces of longer ones.
pub(super) const PING_AFTER_PIECES: u64 = 8;

/// The most pings that are unanswered.
pub(super) const PINGS_MAX: usize = 64;

/// How many bytes may be under way to a client at first.
pub(super) const WINDOW_BYTES: u64 = 24 * 1024;

/// The least that it becomes for a client that reads slowly.
pub(super) const WINDOW_BYTES_MIN: u64 = 8 * 1024;

/// The most that it becomes for one that reads fast: 400 KB a second on a line of 300 ms.
pub(super) const WINDOW_BYTES_MAX: u64 = 128 * 1024;

/// A ping that is answered later than this shows that too much is under way …
pub(super) const PONG_LATE: Duration = Duration::from_secs(2);

/// … and one that is answered sooner than this, that more may be.
pub(super) const PONG_SOON: Duration = Duration::from_secs(1);

/// How long a client may take to answer a farewell.
pub(super) const FAREWELL_WITHIN: Duration = Duration::from_secs(2);

/// How often the server asks whether the client is still there.
pub(super) const PING_EVERY: Duration = Duration::from_secs(20);

/// A client of which nothing is heard for so long is gone, unless much stands before the next
/// ping ([`MESSAGE_WITHIN`]). Every client answers pings. One that the network takes nothing
/// for is cut after as long: it finds everything in the journal when it comes back.
pub(super) const SILENT_FOR: Duration = Duration::from_mins(1);

/// A token is looked up again for a request if the last time is so long ago …
pub(super) const TOKEN_GOOD_FOR: Duration = Duration::from_secs(10);

/// … and without any request if it is so long ago: a revoked token hears nothing more
/// after that.
pub(super) const TOKEN_HEARD_FOR: Duration = Duration::from_secs(35);

/// How many requests in a row may come too soon. A client that has been told so often and does
/// not stop is closed.
pub(super) const REFUSED_IN_A_ROW_MAX: u32 = 200;

/// The longest answer. A record can be longer: it is to be had over HTTP.
pub(super) const ANSWER_BYTES_MAX: usize = 256 * 1024;

/// How much may stand around a body in a message: the longest body that HTTP takes fits into one.
const AROUND_A_BODY_BYTES: usize = 1024;

/// How many bytes are read from the network at once. Each socket keeps as many.
pub(super) const READ_BUFFER_BYTES: usize = 2 * 1024;

/// How many bytes of a batch of events are collected before they are written.
pub(super) const WRITE_BUFFER_BYTES: usize = 4 * 1024;

/// The most bytes that wait to be written: one answer and what is put before it.
pub(super) const WRITE_BUFFER_BYTES_MAX: usize = 2 * ANSWER_BYTES_MAX;

/// What the configuration allows a socket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Limits {
    /// The longest message, in bytes.
    pub(super) message_bytes: usize,
    /// The most matches watched.
    pub(super) watches: usize,
    /// Requests a second, and at once, of a guest.
    guest: (u32, u32),
    /// The same without a token.
    address: (u32, u32),
}

impl Limits {
    pub(super) fn new(limits: &config::Limits) -> Self {
        let size = |n: u32| usize::try_from(n).expect("a u32 fits");
        Self {
            message_bytes: size(limits.body_bytes) + AROUND_A_BODY_BYTES,
            watches: size(limits.watches_per_socket),
            guest: (limits.guest_requests_per_s, limits.guest_burst),
            address: (limits.address_requests_per_s, limits.address_burst),
        }
    }

    /// How long a message may be and still be read, in bytes: longer than one that is
    /// answered, so that a client that sends too much can be told so. Beyond it the connection
    /// breaks.
    pub(super) fn read_bytes_max(&self) -> usize {
        4 * self.message_bytes
    }

    /// What a client is told.
    pub(super) fn told(&self, is_guest: bool) -> lusoria_protocol::socket::Limits {
        let (messages_per_second, messages_burst) = if is_guest { self.guest } else { self.address };
        let told = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        lusoria_protocol::socket::Limits {
            message_bytes_max: told(self.message_bytes),
            watches_max: told(self.watches),
            messages_per_second,
            messages_burst,
        }
    }

    /// How fast frames may come, of whatever kind, before they are a flood: twice as fast
    /// as a guest's requests may. Who asks too often is refused; who does not stop, is closed.
    pub(super) fn pace(&self) -> Pace {
        let (per_second, burst) = self.guest;
        Pace::new(per_second.saturating_mul(2), burst.saturating_mul(2))
    }
}

/// Counts frames against a steady rate, remembering only when the next one is due.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    apart: Duration,
    ahead_max: Duration,
    due: Instant,
}

impl Pace {
    /// So many a second, and so many at once after a pause; both at least 1.
    fn new(per_second: u32, burst: u32) -> Self {
        let apart = Duration::from_secs(1) / per_second.max(1);
        Self { apart, ahead_max: apart.saturating_mul(burst.max(1) - 1), due: Instant::now() }
    }

    /// Takes one. False if it comes too soon.
    pub(super) fn take(&mut self, now: Instant) -> bool {
        let due = self.due.max(now);
        let in_time = due - now <= self.ahead_max;
        if in_time {
            self.due = due + self.apart;
        }
        in_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_burst_then_a_steady_rate() {
        let start = Instant::now();
        let mut pace = Pace::new(10, 5);
        let taken = |pace: &mut Pace, at_ms: u64| pace.take(start + Duration::from_millis(at_ms));
        assert_eq!([0; 6].map(|at| taken(&mut pace, at)), [true, true, true, true, true, false]);
        assert!(!taken(&mut pace, 99));
        assert!(taken(&mut pace, 100));
        assert!(!taken(&mut pace, 100));
        assert!(taken(&mut pace, 200));
        assert_eq!([9_000; 6].map(|at| taken(&mut pace, at)), [true, true, true, true, true, false]);
    }
}
