//! Where the watchers of a pair sit: which match is shown, who watches it, and when each
//! turn was meant to be sent.

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

/// How many events back a turn can still be timed: 24 bytes each.
const MARKS: usize = 1_024;

/// The same where nobody but the players looks.
const MARKS_UNWATCHED: usize = 64;

/// Of a mark's 64 bits the lower ones are the number of the event.
const SEQ_BITS: u32 = 24;
const SEQ_MASK: u64 = (1 << SEQ_BITS) - 1;

/// What a pair shows to those who watch it.
pub(super) struct Gallery {
    showing: watch::Sender<Showing>,
    /// Somebody sat down or left.
    moved: Notify,
    marks: Box<[Mark]>,
    zero: Instant,
}

/// What is shown.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Showing {
    /// Counts the matches shown.
    pub(super) number: u32,
    /// The match; none at first.
    pub(super) id: Option<MatchId>,
    /// The match before, or the present one if no more turns are played, and its last event.
    pub(super) ended: Option<(MatchId, u32)>,
    /// Whether no more turns are played.
    pub(super) over: bool,
    /// Those who are to watch it from its beginning.
    expected: u32,
    /// Those of them who do.
    seated: u32,
    /// Those who will from the next one on.
    coming: u32,
}

/// What is known of an event, each with its number, so that one is not taken for another.
#[derive(Default)]
struct Mark {
    /// A print of its text.
    print: AtomicU64,
    /// When it was meant to be sent, in microseconds.
    sent: AtomicU64,
    /// How many watchers have not received it.
    left: AtomicU32,
}

/// A turn reached a watcher.
pub(super) struct Delivered {
    /// When it was meant to be sent.
    pub(super) due: Instant,
    /// How long ago that was.
    pub(super) after: Duration,
    /// Whether nobody else waits for it any more.
    pub(super) is_last: bool,
}

/// A watcher's place. It is given up by [`Gallery::leave`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Seat {
    /// The first match for which it counts.
    from: u32,
    /// The match for which it was taken last.
    taken: u32,
}

impl Gallery {
    /// A gallery that may be watched or not; times are kept from `zero`.
    pub(super) fn new(watched: bool, zero: Instant) -> Self {
        let marks = if watched { MARKS } else { MARKS_UNWATCHED };
        Self {
            showing: watch::Sender::default(),
            moved: Notify::new(),
            marks: std::iter::repeat_with(Mark::default).take(marks).collect(),
            zero,
        }
    }

    /// Shows another match; `ended` is the last event of the one before.
    pub(super) fn show(&self, id: MatchId, ended: Option<(MatchId, u32)>) {
        self.showing.send_modify(|showing| {
            let expected = showing.expected + showing.coming;
            let number = showing.number + 1;
            *showing = Showing { number, id: Some(id), ended, expected, ..Showing::default() };
        });
    }

    /// Forgets the events of the match before. Not until its watchers sit in the next one: they
    /// may still have to receive the last of them.
    pub(super) fn forget(&self) {
        for mark in &self.marks {
            mark.print.store(0, Relaxed);
            mark.sent.store(0, Relaxed);
        }
    }

    /// Shows nothing more after that event.
    pub(super) fn close(&self, last: Option<(MatchId, u32)>) {
        self.showing.send_modify(|showing| (showing.ended, showing.over) = (last, true));
        self.moved.notify_one();
    }

    /// Waits until all who are to watch the match do.
    pub(super) async fn all_seated(&self) {
        loop {
            let showing = *self.showing.borrow();
            if showing.seated >= showing.expected {
                return;
            }
            self.moved.notified().await;
        }
    }

    /// Comes to watch from the next match on.
    pub(super) fn come(&self) -> (Seat, watch::Receiver<Showing>) {
        let mut from = 0;
        self.showing.send_if_modified(|showing| {
            showing.coming += 1;
            from = showing.number + 1;
            false
        });
        (Seat { from, taken: 0 }, self.showing.subscribe())
    }

    /// Looks what is shown, without being waited for.
    pub(super) fn subscribe(&self) -> watch::Receiver<Showing> {
        self.showing.subscribe()
    }

    /// Watches the match of that number. Whether the watcher has been waited for.
    pub(super) fn sit(&self, seat: &mut Seat, number: u32) -> bool {
        let mut counts = false;
        self.showing.send_if_modified(|showing| {
            counts = seat.from <= number && showing.number == number && seat.taken != number;
            showing.seated += u32::from(counts);
            false
        });
        if counts {
            seat.taken = number;
            self.moved.notify_one();
        }
        counts
    }

    /// Watches no more.
    pub(super) fn leave(&self, seat: Seat) {
        self.showing.send_if_modified(|showing| {
            if seat.from > showing.number {
                showing.coming -= 1;
            } else {
                showing.expected -= 1;
                showing.seated -= u32::from(seat.taken == showing.number);
            }
            false
        });
        self.moved.notify_one();
    }

    /// A turn is sent that will be the event `seq` and was due then. Returns how many watch.
    pub(super) fn sending(&self, seq: u32, due: Instant) -> u32 {
        let watching = self.showing.borrow().seated;
        let mark = self.mark(seq);
        mark.left.store(watching, Relaxed);
        let micros = u64::try_from(due.saturating_duration_since(self.zero).as_micros()).unwrap_or(0);
        mark.sent.store(micros << SEQ_BITS | u64::from(seq) & SEQ_MASK, Relaxed);
        watching
    }

    /// A watcher who was waited for received an event; none if it is no turn, or one of long
    /// ago.
    pub(super) fn received(&self, seq: u32, now: Instant) -> Option<Delivered> {
        let mark = self.mark(seq);
        let sent = mark.sent.load(Relaxed);
        if sent & SEQ_MASK != u64::from(seq) & SEQ_MASK {
            return None;
        }
        let due = self.zero + Duration::from_micros(sent >> SEQ_BITS);
        let is_last = mark.left.fetch_sub(1, Relaxed) == 1;
        Some(Delivered { due, after: now.saturating_duration_since(due), is_last })
    }

    /// Whether the event reads as it did for the first who heard it.
    pub(super) fn reads_the_same(&self, seq: u32, text: &str) -> bool {
        let tagged = print(text) << SEQ_BITS | u64::from(seq) & SEQ_MASK;
        let mark = self.mark(seq);
        let known = mark.print.load(Relaxed);
        if known & SEQ_MASK == u64::from(seq) & SEQ_MASK {
            return known == tagged;
        }
        if known & SEQ_MASK < u64::from(seq) & SEQ_MASK {
            return match mark.print.compare_exchange(known, tagged, Relaxed, Relaxed) {
                Ok(_) => true,
                Err(other) => other & SEQ_MASK != u64::from(seq) & SEQ_MASK || other == tagged,
            };
        }
        true
    }

    fn mark(&self, seq: u32) -> &Mark {
        &self.marks[seq as usize % self.marks.len()]
    }
}

fn print(text: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use lusoria_protocol::MatchId;
    use uuid::Uuid;

    use super::*;

    const MATCH: MatchId = MatchId(Uuid::nil());

    #[test]
    fn the_last_watcher_is_the_one_who_receives_last() {
        let zero = Instant::now();
        let gallery = Gallery::new(true, zero);
        let (mut one, _) = gallery.come();
        let (mut two, _) = gallery.come();
        gallery.show(MATCH, None);
        assert!(gallery.sit(&mut one, 1) && gallery.sit(&mut two, 1));
        assert!(!gallery.sit(&mut one, 1), "once is enough");
        let due = zero + Duration::from_millis(5);
        assert_eq!(gallery.sending(7, due), 2);
        let first = gallery.received(7, due + Duration::from_millis(1)).expect("a turn");
        let last = gallery.received(7, due + Duration::from_millis(3)).expect("a turn");
        assert_eq!((first.after, first.is_last), (Duration::from_millis(1), false));
        assert_eq!((last.after, last.is_last, last.due), (Duration::from_millis(3), true, due));
        assert!(gallery.received(8, due).is_none(), "no turn");
        assert!(gallery.received(7 + 1_024, due).is_none(), "another event with the same mark");
        gallery.leave(two);
        assert_eq!(gallery.sending(9, due), 1);
    }

    #[tokio::test]
    async fn a_pair_waits_for_those_who_were_there_before_the_match() {
        let gallery = Gallery::new(true, Instant::now());
        let (mut one, _) = gallery.come();
        gallery.show(MATCH, None);
        let (mut late, _) = gallery.come();
        assert!(!gallery.sit(&mut late, 1), "nobody waits for who comes during a match");
        tokio::select! {
            biased;
            () = gallery.all_seated() => panic!("one is missing"),
            () = std::future::ready(()) => {}
        }
        assert!(gallery.sit(&mut one, 1));
        gallery.all_seated().await;
        gallery.show(MATCH, None);
        assert!(gallery.sit(&mut late, 2));
        gallery.leave(one);
        gallery.all_seated().await;
        gallery.leave(late);
        gallery.all_seated().await;
    }

    #[test]
    fn a_changed_event_is_noticed() {
        let gallery = Gallery::new(false, Instant::now());
        assert!(gallery.reads_the_same(1, "a") && gallery.reads_the_same(1, "a"));
        assert!(!gallery.reads_the_same(1, "b"));
        assert!(gallery.reads_the_same(1 + 64, "c"), "another event with the same mark");
        assert!(gallery.reads_the_same(1, "b"), "too long ago to be known");
        gallery.show(MATCH, None);
        assert!(!gallery.reads_the_same(1 + 64, "b"), "some may still be reading the match before");
        gallery.forget();
        assert!(gallery.reads_the_same(1 + 64, "b"), "of another match");
    }
}
