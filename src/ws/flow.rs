//! How far a client has read, and how much more it may be sent.
//!
//! What is sent is followed by numbered pings. A client answers a ping when it has read
//! everything before it, so its pongs tell how far it has come, whatever the network and the
//! systems on the way hold back. No more is under way to a client than it reads in a moment:
//! then a slow reader answers pings all the time, and one that is silent has stopped reading.

use std::{collections::VecDeque, time::Duration};

use bytes::Bytes;
use tokio::time::Instant;

use super::limits::{
    MESSAGE_WITHIN, PIECE_BYTES, PING_AFTER_BYTES, PING_AFTER_PIECES, PINGS_MAX, PONG_LATE, PONG_SOON,
    SILENT_FOR, WINDOW_BYTES, WINDOW_BYTES_MAX, WINDOW_BYTES_MIN,
};

/// An upper estimate of what the head of a frame takes, in bytes.
const FRAME_HEAD_BYTES: u64 = 8;

/// What is under way to a client.
#[derive(Debug)]
pub(super) struct Flow {
    /// Everything that was sent.
    sent: Amount,
    /// What of it was read: all before the last ping that was answered.
    read: Amount,
    /// Pings that were not answered, oldest first.
    pings: VecDeque<Ping>,
    /// The number of the next ping.
    next: u32,
    /// How much may be under way, in bytes.
    window: u64,
}

/// How much was sent since the beginning.
#[derive(Debug, Default, Clone, Copy)]
struct Amount {
    bytes: u64,
    pieces: u64,
}

/// A ping that was not answered yet.
#[derive(Debug, Clone, Copy)]
struct Ping {
    /// What was sent before it.
    before: Amount,
    at: Instant,
}

impl Flow {
    pub(super) fn new() -> Self {
        Self {
            sent: Amount::default(),
            read: Amount::default(),
            pings: VecDeque::new(),
            next: 0,
            window: WINDOW_BYTES,
        }
    }

    /// Notes that a message of so many bytes is sent.
    pub(super) fn send(&mut self, bytes: usize) {
        self.sent.bytes += bytes as u64 + FRAME_HEAD_BYTES;
        self.sent.pieces += pieces(bytes);
    }

    /// Whether a ping is to follow what was sent.
    pub(super) fn ping_is_due(&self) -> bool {
        let before = self.pings.back().map_or(self.read, |ping| ping.before);
        let is_much = self.sent.bytes - before.bytes >= PING_AFTER_BYTES
            || self.sent.pieces - before.pieces >= PING_AFTER_PIECES;
        is_much && self.pings.len() < PINGS_MAX
    }

    /// The next ping, if not too many are unanswered.
    pub(super) fn ping(&mut self, now: Instant) -> Option<Bytes> {
        if self.pings.len() >= PINGS_MAX {
            return None;
        }
        let number = self.next;
        self.next = number.wrapping_add(1);
        self.pings.push_back(Ping { before: self.sent, at: now });
        Some(Bytes::copy_from_slice(&number.to_be_bytes()))
    }

    /// Takes a pong. Whether it answers a ping that was not answered yet: a client may answer
    /// the latest of several only.
    pub(super) fn pong(&mut self, payload: &[u8], now: Instant) -> bool {
        let Ok(number) = payload.try_into().map(u32::from_be_bytes) else { return false };
        let oldest = self.next.wrapping_sub(u32::try_from(self.pings.len()).unwrap_or(u32::MAX));
        let nth = usize::try_from(number.wrapping_sub(oldest)).unwrap_or(usize::MAX);
        let Some(&Ping { before, at }) = self.pings.get(nth) else { return false };
        self.pings.drain(..=nth);
        let was_under_way = self.under_way();
        self.read = before;
        let took = now - at;
        if took > PONG_LATE {
            self.window = (self.window / 2).max(WINDOW_BYTES_MIN);
        } else if took < PONG_SOON && was_under_way >= self.window / 2 {
            self.window = (self.window * 2).min(WINDOW_BYTES_MAX);
        }
        true
    }

    /// How many bytes more may be sent of what is not urgent. None until a good part of what
    /// is under way was read: sending in tiny portions costs more.
    pub(super) fn room(&self) -> Option<u64> {
        let room = self.window.saturating_sub(self.under_way());
        (room >= self.window / 4).then_some(room)
    }

    /// How long nothing may be heard of the client: it has to read what stands before the
    /// next ping first. Who reads a message in [`MESSAGE_WITHIN`] is always heard in time.
    pub(super) fn patience(&self) -> Duration {
        let upto = self.pings.front().map_or(self.sent, |ping| ping.before);
        patience_for(upto.pieces - self.read.pieces)
    }

    /// Sends on regardless if the client, which is there, answers no pings at all. It is held
    /// back by the network alone.
    pub(super) fn without_pongs(&mut self, now: Instant) {
        let answers_none = self.read.pieces == 0;
        if answers_none && self.pings.front().is_some_and(|ping| now - ping.at >= self.patience()) {
            self.window = u64::MAX;
        }
    }

    fn under_way(&self) -> u64 {
        self.sent.bytes - self.read.bytes
    }
}

/// How many times [`MESSAGE_WITHIN`] a client may take for a message of so many bytes.
pub(super) fn pieces(bytes: usize) -> u64 {
    bytes.div_ceil(PIECE_BYTES).max(1) as u64
}

/// How long a client may take for so many pieces until something is heard of it. Two are in
/// it anyway: what remains is time for the ping itself, which comes every [`super::limits::PING_EVERY`].
pub(super) fn patience_for(pieces: u64) -> Duration {
    let more = u32::try_from(pieces.saturating_sub(2)).unwrap_or(u32::MAX);
    SILENT_FOR + MESSAGE_WITHIN.saturating_mul(more)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENT_BYTES: usize = 450;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// Sends until there is no room; answers the pings.
    fn fill(flow: &mut Flow, now: Instant) -> Vec<Bytes> {
        let mut pings = Vec::new();
        while flow.room().is_some() {
            flow.send(EVENT_BYTES);
            if flow.ping_is_due() {
                pings.extend(flow.ping(now));
            }
        }
        pings
    }

    #[tokio::test(start_paused = true)]
    async fn no_more_is_under_way_than_the_window() {
        let (mut flow, now) = (Flow::new(), Instant::now());
        let pings = fill(&mut flow, now);
        assert!(flow.under_way() <= WINDOW_BYTES);
        assert!(pings.len() as u64 >= flow.under_way() / PING_AFTER_BYTES / 2, "{}", pings.len());
        // The latest alone answers them all.
        assert!(flow.pong(&pings[pings.len() - 1], now));
        assert!(flow.under_way() < PING_AFTER_BYTES && flow.pings.is_empty());
        assert!(pings.iter().all(|ping| !flow.pong(ping, now)), "each counts once");
    }

    #[tokio::test(start_paused = true)]
    async fn pongs_that_answer_no_ping_are_none() {
        let (mut flow, now) = (Flow::new(), Instant::now());
        for payload in [&b""[..], b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\0\0\0\0"] {
            assert!(!flow.pong(payload, now), "{payload:?}");
        }
        let ping = flow.ping(now).unwrap();
        assert!(!flow.pong(b"\0\0\0\x01", now), "of the next one");
        assert!(flow.pong(&ping, now));
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_reader_is_sent_less_ahead_and_a_fast_one_more() {
        let (mut flow, start) = (Flow::new(), Instant::now());
        for ping in fill(&mut flow, start) {
            flow.pong(&ping, start + seconds(5));
        }
        assert_eq!(flow.window, WINDOW_BYTES_MIN);
        for _ in 0..20 {
            for ping in fill(&mut flow, start) {
                flow.pong(&ping, start + Duration::from_millis(300));
            }
        }
        assert_eq!(flow.window, WINDOW_BYTES_MAX);
    }

    #[tokio::test(start_paused = true)]
    async fn patience_is_for_what_is_to_be_read_before_the_next_ping() {
        let (mut flow, now) = (Flow::new(), Instant::now());
        assert_eq!(flow.patience(), SILENT_FOR);
        flow.send(EVENT_BYTES);
        assert_eq!(flow.patience(), SILENT_FOR);
        fill(&mut flow, now);
        assert_eq!(flow.patience(), SILENT_FOR + MESSAGE_WITHIN * 6);
        let mut flow = Flow::new();
        flow.send(256 * 1024);
        assert!(flow.ping_is_due() && flow.ping(now).is_some());
        fill(&mut flow, now);
        assert_eq!(flow.patience(), SILENT_FOR + MESSAGE_WITHIN * 62);
    }

    #[tokio::test(start_paused = true)]
    async fn who_answers_no_ping_at_all_is_sent_to_after_a_while() {
        let (mut flow, now) = (Flow::new(), Instant::now());
        fill(&mut flow, now);
        flow.without_pongs(now + seconds(100));
        assert_eq!(flow.room(), None);
        flow.without_pongs(now + seconds(120));
        assert!(flow.room().is_some());
        for _ in 0..1_000 {
            flow.send(EVENT_BYTES);
            if flow.ping_is_due() {
                flow.ping(now);
            }
        }
        assert_eq!(flow.pings.len(), PINGS_MAX, "no more are kept");
    }
}
