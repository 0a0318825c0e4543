//! Limits and timeouts of one socket.

use std::time::Duration;

use tokio::time::Instant;

use crate::config;

/// The timeout for `hello`.
pub(super) const HELLO_WITHIN: Duration = Duration::from_secs(10);

/// The time in which a client must read a message, or [`PIECE_BYTES`] of a longer one. A faster client is never
/// disconnected.
pub(super) const MESSAGE_WITHIN: Duration = Duration::from_secs(10);

/// The part of a message that counts as much as a short message, in bytes.
pub(super) const PIECE_BYTES: usize = 4 * 1024;

/// The bytes after which a ping follows …
pub(super) const PING_AFTER_BYTES: u64 = 4 * 1024;

/// … and the messages, or pieces of longer ones, after which one follows …
pub(super) const PING_AFTER_PIECES: u64 = 8;

/// … if the last one was so long ago. Each ping costs the client an answer and the server a read …
pub(super) const PING_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// … or after half a window, or so many messages.
pub(super) const PING_WITHIN_PIECES: u64 = 64;

/// The most unanswered pings.
pub(super) const PINGS_MAX: usize = 64;

/// The most bytes in flight to a client at first.
pub(super) const WINDOW_BYTES: u64 = 24 * 1024;

/// The lower bound of that, for a client that reads slowly.
pub(super) const WINDOW_BYTES_MIN: u64 = 8 * 1024;

/// The upper bound of that: 400 KB a second on a line of 300 ms.
pub(super) const WINDOW_BYTES_MAX: u64 = 128 * 1024;

/// A pong later than this shows that too much is in flight …
pub(super) const PONG_LATE: Duration = Duration::from_secs(2);

/// … and one sooner than this, that more may be in flight.
pub(super) const PONG_SOON: Duration = Duration::from_secs(1);

/// The timeout for the client's close frame.
pub(super) const FAREWELL_WITHIN: Duration = Duration::from_secs(2);

/// The interval of keep-alive pings.
pub(super) const PING_EVERY: Duration = Duration::from_secs(20);

/// A client is disconnected after this much silence, unless much has to be read before the next ping
/// ([`MESSAGE_WITHIN`]). Every client answers pings. A client whose network accepts nothing for as long is
/// disconnected too: it finds everything in the journal when it reconnects.
pub(super) const SILENT_FOR: Duration = Duration::from_mins(1);

/// A request makes the token be looked up again after this time …
pub(super) const TOKEN_GOOD_FOR: Duration = Duration::from_secs(10);

/// … and a ping after this time: then a revoked token receives nothing more.
pub(super) const TOKEN_HEARD_FOR: Duration = Duration::from_secs(35);

/// The most refused requests in a row. After them the connection is closed.
pub(super) const REFUSED_IN_A_ROW_MAX: u32 = 200;

/// The longest response, in bytes. Longer ones, such as some records, are available over HTTP.
pub(super) const ANSWER_BYTES_MAX: usize = 256 * 1024;

/// The room for the fields around a body, in bytes: the longest body of HTTP fits into a message.
const AROUND_A_BODY_BYTES: usize = 1024;

/// The size of the read buffer of each socket, in bytes.
pub(super) const READ_BUFFER_BYTES: usize = 2 * 1024;

/// The bytes of a batch of events that are collected before they are written.
pub(super) const WRITE_BUFFER_BYTES: usize = 4 * 1024;

/// The most bytes that wait to be written: one response, and the messages before it.
pub(super) const WRITE_BUFFER_BYTES_MAX: usize = 2 * ANSWER_BYTES_MAX;

/// The limits that the configuration sets for a socket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Limits {
    /// The longest message, in bytes.
    pub(super) message_bytes: usize,
    /// The most watched matches.
    pub(super) watches: usize,
    /// The rate and the burst of a guest's requests.
    guest: (u32, u32),
    /// The same for a client without a token.
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

    /// The longest message that is read, in bytes. It exceeds the longest that is accepted, so that a client that
    /// sends too much gets a close code. Beyond it the connection breaks.
    pub(super) fn read_bytes_max(&self) -> usize {
        4 * self.message_bytes
    }

    /// The limits as `hello` announces them.
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

    /// The rate of frames of any kind above which they are a flood: twice the rate of a guest's requests. Too many
    /// requests are refused; too many frames close the connection.
    pub(super) fn pace(&self) -> Pace {
        let (per_second, burst) = self.guest;
        Pace::new(per_second.saturating_mul(2), burst.saturating_mul(2))
    }
}

/// Checks frames against a steady rate; stores only the time at which the next one is due.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    apart: Duration,
    ahead_max: Duration,
    due: Instant,
}

impl Pace {
    /// At most `burst` at once after a pause, then `per_second`; both at least 1.
    fn new(per_second: u32, burst: u32) -> Self {
        let apart = Duration::from_secs(1) / per_second.max(1);
        Self { apart, ahead_max: apart.saturating_mul(burst.max(1) - 1), due: Instant::now() }
    }

    /// Counts one frame. False if it comes too soon.
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
