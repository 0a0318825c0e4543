//! Flow control: how much a client has read, and how much more may be sent to it.
//!
//! Numbered pings follow what is sent. A client answers a ping after it has read everything before it, so its pongs
//! show its progress, however much the network and the systems on the way buffer. No more is in flight to a client
//! than it reads in a short time. So a slow reader still answers pings steadily, and a silent one has stopped
//! reading.

use std::{collections::VecDeque, time::Duration};

use bytes::Bytes;
use tokio::time::Instant;

use super::limits::{
    MESSAGE_WITHIN, PIECE_BYTES, PING_AFTER_BYTES, PING_AFTER_PIECES, PING_AGAIN_AFTER, PING_WITHIN_PIECES,
    PINGS_MAX, PONG_LATE, PONG_SOON, SILENT_FOR, WINDOW_BYTES, WINDOW_BYTES_MAX, WINDOW_BYTES_MIN,
};

/// The size of a frame's header in bytes, rounded up.
const FRAME_HEAD_BYTES: u64 = 8;

/// The bytes in flight to a client.
#[derive(Debug)]
pub(super) struct Flow {
    /// Everything sent.
    sent: Amount,
    /// The part of it that the client has read: all before the last answered ping.
    read: Amount,
    /// Unanswered pings, oldest first.
    pings: VecDeque<Ping>,
    /// The number of the next ping.
    next: u32,
    /// The amounts sent before the last ping, and when that was.
    last_ping: (Amount, Option<Instant>),
    /// The most bytes in flight.
    window: u64,
}

/// The amounts sent since the beginning.
#[derive(Debug, Default, Clone, Copy)]
struct Amount {
    bytes: u64,
    pieces: u64,
}

/// An unanswered ping.
#[derive(Debug, Clone, Copy)]
struct Ping {
    /// The amounts sent before it.
    before: Amount,
    at: Instant,
    /// What its pong must repeat besides the number, if a client could gain from when it answers.
    secret: Option<u64>,
}

/// A pong that answers a ping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pong {
    /// The number of the ping.
    pub(super) number: u32,
    /// The time from ping to pong.
    pub(super) took: Duration,
}

impl Flow {
    pub(super) fn new() -> Self {
        Self {
            sent: Amount::default(),
            read: Amount::default(),
            pings: VecDeque::new(),
            next: 0,
            last_ping: (Amount::default(), None),
            window: WINDOW_BYTES,
        }
    }

    /// Notes that a message of this many bytes is sent.
    pub(super) fn send(&mut self, bytes: usize) {
        self.sent.bytes += bytes as u64 + FRAME_HEAD_BYTES;
        self.sent.pieces += pieces(bytes);
    }

    /// Whether enough was sent for another ping: much, and some time after the last one; or so much that the client
    /// may soon have to wait for its pong, or that it would have to be patient for long.
    pub(super) fn ping_is_due(&self, now: impl FnOnce() -> Instant) -> bool {
        let (before, at) = self.last_ping;
        let (bytes, pieces) = (self.sent.bytes - before.bytes, self.sent.pieces - before.pieces);
        (bytes >= PING_AFTER_BYTES || pieces >= PING_AFTER_PIECES)
            && self.pings.len() < PINGS_MAX
            && (bytes >= self.window / 2
                || pieces >= PING_WITHIN_PIECES
                || at.is_none_or(|at| now() - at >= PING_AGAIN_AFTER))
    }

    /// The payload of the next ping; none if too many are unanswered.
    pub(super) fn ping(&mut self, now: Instant) -> Option<Bytes> {
        Some(self.next_ping(now, None)?.1)
    }

    /// Like `ping`, for a ping whose pong a client cannot forge without the secret: its number and payload.
    pub(super) fn timed_ping(&mut self, now: Instant, secret: u64) -> Option<(u32, Bytes)> {
        self.next_ping(now, Some(secret))
    }

    fn next_ping(&mut self, now: Instant, secret: Option<u64>) -> Option<(u32, Bytes)> {
        if self.pings.len() >= PINGS_MAX {
            return None;
        }
        let number = self.next;
        self.next = number.wrapping_add(1);
        self.last_ping = (self.sent, Some(now));
        let ping = Ping { before: self.sent, at: now, secret };
        self.pings.push_back(ping);
        Some((number, ping.payload(number)))
    }

    /// Whether that ping is still unanswered.
    pub(super) fn is_unanswered(&self, number: u32) -> bool {
        self.nth(number) < self.pings.len()
    }

    fn nth(&self, number: u32) -> usize {
        let oldest = self.next.wrapping_sub(u32::try_from(self.pings.len()).unwrap_or(u32::MAX));
        usize::try_from(number.wrapping_sub(oldest)).unwrap_or(usize::MAX)
    }

    /// Accepts a pong. None if it answers no open ping. A client may answer only the latest of several pings.
    pub(super) fn pong(&mut self, payload: &[u8], now: Instant) -> Option<Pong> {
        let number = u32::from_be_bytes(*payload.first_chunk()?);
        let nth = self.nth(number);
        let ping = *self.pings.get(nth)?;
        if ping.payload(number) != payload {
            return None;
        }
        let Ping { before, at, .. } = ping;
        self.pings.drain(..=nth);
        let was_under_way = self.under_way();
        self.read = before;
        let took = now - at;
        if took > PONG_LATE {
            self.window = (self.window / 2).max(WINDOW_BYTES_MIN);
        } else if took < PONG_SOON && was_under_way >= self.window / 2 {
            self.window = (self.window * 2).min(WINDOW_BYTES_MAX);
        }
        Some(Pong { number, took })
    }

    /// The number of bytes of non-urgent messages that may be sent now. None until the client has read a good part of
    /// what is in flight, because tiny portions cost more; but without an open ping nothing would tell.
    pub(super) fn room(&self) -> Option<u64> {
        let room = self.window.saturating_sub(self.under_way());
        let least = self.window / 4;
        (room >= least || self.pings.is_empty()).then_some(room.max(least))
    }

    /// How long the client may be silent: it first has to read everything before the next ping. A client that reads a
    /// message in [`MESSAGE_WITHIN`] always answers in time.
    pub(super) fn patience(&self) -> Duration {
        let upto = self.pings.front().map_or(self.sent, |ping| ping.before);
        patience_for(upto.pieces - self.read.pieces)
    }

    /// Keeps sending if the client is connected but never answers pings. Then only the network limits it.
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

impl Ping {
    /// The payload, which the pong must repeat.
    fn payload(&self, number: u32) -> Bytes {
        let number = number.to_be_bytes();
        match self.secret {
            None => Bytes::copy_from_slice(&number),
            Some(secret) => [&number[..], &secret.to_be_bytes()].concat().into(),
        }
    }
}

/// The multiple of [`MESSAGE_WITHIN`] that a client may take for a message of this many bytes.
pub(super) fn pieces(bytes: usize) -> u64 {
    bytes.div_ceil(PIECE_BYTES).max(1) as u64
}

/// The time in which a client must be heard from while it reads this many pieces. Two of them are included anyway;
/// the rest is time for the ping itself, which is sent every [`super::limits::PING_EVERY`].
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

    /// Sends until the window is full; answers the pings.
    fn fill(flow: &mut Flow, now: Instant) -> Vec<Bytes> {
        let mut pings = Vec::new();
        while flow.room().is_some() {
            flow.send(EVENT_BYTES);
            if flow.ping_is_due(|| now) {
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
        assert!(pings.len() >= 2, "{}", pings.len());
        // The pong of the latest ping answers all earlier ones.
        assert!(flow.pong(&pings[pings.len() - 1], now).is_some());
        assert!(flow.under_way() < PING_AFTER_BYTES && flow.pings.is_empty());
        assert!(pings.iter().all(|ping| flow.pong(ping, now).is_none()), "each counts once");
    }

    #[tokio::test(start_paused = true)]
    async fn a_fast_reader_is_pinged_once_a_second_unless_much_is_sent() {
        let (mut flow, start) = (Flow::new(), Instant::now());
        let mut pings = Vec::new();
        for event in 0..300 {
            let now = start + Duration::from_millis(10 * event);
            flow.send(EVENT_BYTES);
            if flow.ping_is_due(|| now) {
                pings.push(event);
                let ping = flow.ping(now).unwrap();
                flow.pong(&ping, now);
            }
        }
        // 12 KiB are half a window; it grows until 64 messages come first.
        assert_eq!(pings, [7, 34, 88, 152, 216, 280]);
    }

    #[tokio::test(start_paused = true)]
    async fn pongs_that_answer_no_ping_are_none() {
        let (mut flow, now) = (Flow::new(), Instant::now());
        for payload in [&b""[..], b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\0\0\0\0"] {
            assert_eq!(flow.pong(payload, now), None, "{payload:?}");
        }
        let ping = flow.ping(now).unwrap();
        assert_eq!(flow.pong(b"\0\0\0\x01", now), None, "it belongs to the next one");
        assert!(flow.pong(&ping, now).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn the_pong_of_a_timed_ping_has_its_secret_and_counts_once() {
        let (mut flow, sent) = (Flow::new(), Instant::now());
        let (number, ping) = flow.timed_ping(sent, 0x0123_4567_89ab_cdef).unwrap();
        let now = sent + Duration::from_millis(150);
        let (of_another, cut, longer) =
            ([&ping[..4], &[7; 8]].concat(), &ping[..4], [&ping[..], b"x"].concat());
        for forged in [&of_another[..], cut, &longer[..]] {
            assert_eq!(flow.pong(forged, now), None, "{forged:?}");
        }
        assert!(flow.is_unanswered(number));
        assert_eq!(flow.pong(&ping, now), Some(Pong { number, took: Duration::from_millis(150) }));
        assert!(!flow.is_unanswered(number));
        assert_eq!(flow.pong(&ping, now), None);
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
        assert!(flow.ping_is_due(|| now) && flow.ping(now).is_some());
        fill(&mut flow, now);
        assert_eq!(flow.patience(), SILENT_FOR + MESSAGE_WITHIN * 62);
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_late_pong_a_window_without_an_open_ping_stays_open() {
        let (mut flow, now) = (Flow::new(), Instant::now());
        flow.send(4 * 1024);
        assert!(flow.ping_is_due(|| now));
        let ping = flow.ping(now).expect("none is open");
        flow.send(11 * 1024);
        assert!(!flow.ping_is_due(|| now), "the last is too recent");
        assert!(flow.pong(&ping, now + 2 * PONG_LATE).is_some());
        assert_eq!(flow.window, WINDOW_BYTES / 2);
        assert!(flow.room().is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn who_answers_no_ping_at_all_is_sent_to_after_a_while() {
        let (mut flow, now) = (Flow::new(), Instant::now());
        fill(&mut flow, now);
        flow.without_pongs(now + seconds(100));
        assert_eq!(flow.room(), None);
        flow.without_pongs(now + seconds(120));
        assert!(flow.room().is_some());
        for _ in 0..2 * PINGS_MAX as u64 * PING_WITHIN_PIECES {
            flow.send(EVENT_BYTES);
            if flow.ping_is_due(|| now) {
                flow.ping(now);
            }
        }
        assert_eq!(flow.pings.len(), PINGS_MAX, "the number is limited");
    }
}
