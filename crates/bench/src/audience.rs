//! The watchers of a pair: the match that they are shown, how many watch it, and when each turn was due.

use std::{
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
    time::Duration,
};

use lusoria_protocol::MatchId;
use tokio::{
    sync::{Notify, watch},
    time::Instant,
};

/// For how many past events the due time is known. Each takes 24 bytes.
const TRACKED_EVENTS: usize = 1_024;

/// The same for a match without watchers.
const TRACKED_EVENTS_UNWATCHED: usize = 64;

/// The lower bits of a 64-bit value hold the number of the event.
const SEQ_BITS: u32 = 24;
const SEQ_MASK: u64 = (1 << SEQ_BITS) - 1;

/// What a pair shows its watchers.
pub(super) struct Audience {
    showing: watch::Sender<ShownMatch>,
    /// A watcher has begun to watch, or has left.
    changed: Notify,
    marks: Box<[TrackedEvent]>,
    zero: Instant,
}

/// The match that is shown.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ShownMatch {
    /// The number of the match among those shown.
    pub(super) number: u32,
    /// The match; none at first.
    pub(super) id: Option<MatchId>,
    /// The previous match, or the present one if no more turns are played, and its last event.
    pub(super) ended: Option<(MatchId, u32)>,
    /// Whether no more turns are played.
    pub(super) over: bool,
    /// The number of expected watchers, who should see the match from its beginning.
    expected: u32,
    /// How many of them watch it now.
    watching: u32,
    /// The number of watchers expected from the next match on.
    coming: u32,
}

/// The data of an event. Each value contains the event's number, so that one event is not taken for another.
#[derive(Default)]
struct TrackedEvent {
    /// A hash of its text.
    hash: AtomicU64,
    /// When it was due, in microseconds.
    due: AtomicU64,
    /// How many watchers have not received it.
    left: AtomicU32,
}

/// A turn received by a watcher.
pub(super) struct Delivered {
    /// When it was due.
    pub(super) due: Instant,
    /// The time since then.
    pub(super) after: Duration,
    /// Whether all other watchers have received it already.
    pub(super) is_last: bool,
}

/// A watcher's membership of the audience, until [`Audience::leave`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Membership {
    /// The first match for which it counts.
    from: u32,
    /// The last match that the watcher has begun to watch.
    watched: u32,
}

impl Audience {
    /// An audience, with or without watchers. Times count from `zero`.
    pub(super) fn new(watched: bool, zero: Instant) -> Self {
        let marks = if watched { TRACKED_EVENTS } else { TRACKED_EVENTS_UNWATCHED };
        Self {
            showing: watch::Sender::default(),
            changed: Notify::new(),
            marks: std::iter::repeat_with(TrackedEvent::default).take(marks).collect(),
            zero,
        }
    }

    /// Shows another match; `ended` is the last event of the previous one.
    pub(super) fn show(&self, id: MatchId, ended: Option<(MatchId, u32)>) {
        self.showing.send_modify(|showing| {
            let expected = showing.expected + showing.coming;
            let number = showing.number + 1;
            *showing = ShownMatch { number, id: Some(id), ended, expected, ..ShownMatch::default() };
        });
    }

    /// Drops the events of the previous match. To be called when its watchers watch the next match: until
    /// then they may still receive the last events.
    pub(super) fn forget(&self) {
        for mark in &self.marks {
            mark.hash.store(0, Relaxed);
            mark.due.store(0, Relaxed);
        }
    }

    /// Ends with that event: no further match is shown.
    pub(super) fn close(&self, last: Option<(MatchId, u32)>) {
        self.showing.send_modify(|showing| (showing.ended, showing.over) = (last, true));
        self.changed.notify_one();
    }

    /// Waits until all expected watchers watch the match.
    pub(super) async fn all_watching(&self) {
        loop {
            let showing = *self.showing.borrow();
            if showing.watching >= showing.expected {
                return;
            }
            self.changed.notified().await;
        }
    }

    /// Joins the audience; the watcher is expected from the next match on.
    pub(super) fn join(&self) -> (Membership, watch::Receiver<ShownMatch>) {
        let mut from = 0;
        self.showing.send_if_modified(|showing| {
            showing.coming += 1;
            from = showing.number + 1;
            false
        });
        (Membership { from, watched: 0 }, self.showing.subscribe())
    }

    /// Returns what is shown, without being expected.
    pub(super) fn subscribe(&self) -> watch::Receiver<ShownMatch> {
        self.showing.subscribe()
    }

    /// Begins to watch the match with that number. Returns whether the watcher was expected.
    pub(super) fn begin_watching(&self, membership: &mut Membership, number: u32) -> bool {
        let mut counts = false;
        self.showing.send_if_modified(|showing| {
            counts = membership.from <= number && showing.number == number && membership.watched != number;
            showing.watching += u32::from(counts);
            false
        });
        if counts {
            membership.watched = number;
            self.changed.notify_one();
        }
        counts
    }

    /// Leaves the audience.
    pub(super) fn leave(&self, membership: Membership) {
        self.showing.send_if_modified(|showing| {
            if membership.from > showing.number {
                showing.coming -= 1;
            } else {
                showing.expected -= 1;
                showing.watching -= u32::from(membership.watched == showing.number);
            }
            false
        });
        self.changed.notify_one();
    }

    /// Notes that a turn is sent that will be event `seq`, and its due time. Returns how many watch.
    pub(super) fn sending(&self, seq: u32, due: Instant) -> u32 {
        let watching = self.showing.borrow().watching;
        let mark = self.mark(seq);
        mark.left.store(watching, Relaxed);
        let micros = u64::try_from(due.saturating_duration_since(self.zero).as_micros()).unwrap_or(0);
        mark.due.store(micros << SEQ_BITS | u64::from(seq) & SEQ_MASK, Relaxed);
        watching
    }

    /// Notes that an expected watcher has received an event. None if it is not a turn, or too old.
    pub(super) fn received(&self, seq: u32, now: Instant) -> Option<Delivered> {
        let mark = self.mark(seq);
        let sent = mark.due.load(Relaxed);
        if sent & SEQ_MASK != u64::from(seq) & SEQ_MASK {
            return None;
        }
        let due = self.zero + Duration::from_micros(sent >> SEQ_BITS);
        let is_last = mark.left.fetch_sub(1, Relaxed) == 1;
        Some(Delivered { due, after: now.saturating_duration_since(due), is_last })
    }

    /// Whether the event has the same text as when it was first received.
    pub(super) fn is_unchanged(&self, seq: u32, text: &str) -> bool {
        let tagged = hash(text) << SEQ_BITS | u64::from(seq) & SEQ_MASK;
        let mark = self.mark(seq);
        let known = mark.hash.load(Relaxed);
        if known & SEQ_MASK == u64::from(seq) & SEQ_MASK {
            return known == tagged;
        }
        if known & SEQ_MASK < u64::from(seq) & SEQ_MASK {
            return match mark.hash.compare_exchange(known, tagged, Relaxed, Relaxed) {
                Ok(_) => true,
                Err(other) => other & SEQ_MASK != u64::from(seq) & SEQ_MASK || other == tagged,
            };
        }
        true
    }

    fn mark(&self, seq: u32) -> &TrackedEvent {
        &self.marks[seq as usize % self.marks.len()]
    }
}

fn hash(text: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use lusoria_protocol::MatchId;
    use uuid::Uuid;

    use super::*;

    const MATCH: MatchId = MatchId(Uuid::nil());

    #[test]
    fn the_last_watcher_is_the_last_to_receive() {
        let zero = Instant::now();
        let audience = Audience::new(true, zero);
        let (mut one, _) = audience.join();
        let (mut two, _) = audience.join();
        audience.show(MATCH, None);
        assert!(audience.begin_watching(&mut one, 1) && audience.begin_watching(&mut two, 1));
        assert!(!audience.begin_watching(&mut one, 1), "once is enough");
        let due = zero + Duration::from_millis(5);
        assert_eq!(audience.sending(7, due), 2);
        let first = audience.received(7, due + Duration::from_millis(1)).expect("a turn");
        let last = audience.received(7, due + Duration::from_millis(3)).expect("a turn");
        assert_eq!((first.after, first.is_last), (Duration::from_millis(1), false));
        assert_eq!((last.after, last.is_last, last.due), (Duration::from_millis(3), true, due));
        assert!(audience.received(8, due).is_none(), "no turn");
        assert!(audience.received(7 + 1_024, due).is_none(), "another event with the same mark");
        audience.leave(two);
        assert_eq!(audience.sending(9, due), 1);
    }

    #[tokio::test]
    async fn a_pair_waits_for_watchers_who_came_before_the_match() {
        let audience = Audience::new(true, Instant::now());
        let (mut one, _) = audience.join();
        audience.show(MATCH, None);
        let (mut late, _) = audience.join();
        assert!(!audience.begin_watching(&mut late, 1), "a watcher who comes during a match is not awaited");
        tokio::select! {
            biased;
            () = audience.all_watching() => panic!("one is missing"),
            () = std::future::ready(()) => {}
        }
        assert!(audience.begin_watching(&mut one, 1));
        audience.all_watching().await;
        audience.show(MATCH, None);
        assert!(audience.begin_watching(&mut late, 2));
        audience.leave(one);
        audience.all_watching().await;
        audience.leave(late);
        audience.all_watching().await;
    }

    #[test]
    fn a_changed_event_is_noticed() {
        let audience = Audience::new(false, Instant::now());
        assert!(audience.is_unchanged(1, "a") && audience.is_unchanged(1, "a"));
        assert!(!audience.is_unchanged(1, "b"));
        assert!(audience.is_unchanged(1 + 64, "c"), "another event with the same mark");
        assert!(audience.is_unchanged(1, "b"), "too long ago to be known");
        audience.show(MATCH, None);
        assert!(!audience.is_unchanged(1 + 64, "b"), "some may still be reading the match before");
        audience.forget();
        assert!(audience.is_unchanged(1 + 64, "b"), "of another match");
    }
}
