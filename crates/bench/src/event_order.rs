//! Checks that events arrive in order.

use serde::Deserialize;

/// The number of a match's last event in a response.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct Head {
    pub(super) head: u32,
}

/// A client's progress in the events of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EventOrder {
    head: u32,
}

/// The position of an event relative to those received before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EventPlace {
    /// It is the next one.
    Next,
    /// It has been received before.
    Repeated,
    /// This many events are missing before it.
    AfterGap(u32),
}

impl EventOrder {
    /// Begins after that event.
    pub(super) const fn after(head: u32) -> Self {
        Self { head }
    }

    /// The number of the last event.
    pub(super) const fn head(self) -> u32 {
        self.head
    }

    /// Adds the number of a received event.
    pub(super) fn receive(&mut self, seq: u32) -> EventPlace {
        if seq <= self.head {
            return EventPlace::Repeated;
        }
        let missing = seq - self.head - 1;
        self.head = seq;
        if missing == 0 { EventPlace::Next } else { EventPlace::AfterGap(missing) }
    }

    /// Handles the server's notice that it leaves out the events `from` to `to`. Returns their position and
    /// number; none if there are no such events.
    pub(super) fn skip(&mut self, from: u32, to: u32) -> Option<(EventPlace, u64)> {
        let count = u64::from(to.checked_sub(from)?) + 1;
        let place = self.receive(from);
        self.head = self.head.max(to);
        Some((place, count))
    }
}

#[cfg(test)]
mod tests {
    use super::{
        EventPlace::{AfterGap, Next, Repeated},
        *,
    };

    #[test]
    fn every_fault_in_the_numbers_is_found_once() {
        let mut order = EventOrder::after(4);
        let places = [5, 6, 6, 5, 9, 10, 8].map(|seq| order.receive(seq));
        assert_eq!(places, [Next, Next, Repeated, Repeated, AfterGap(2), Next, Repeated]);
        assert_eq!(order.head(), 10);
        assert_eq!((order.skip(11, 20), order.receive(21)), (Some((Next, 10)), Next));
        assert_eq!(order.skip(23, 30), Some((AfterGap(1), 8)));
        assert_eq!((order.skip(32, 31), order.head()), (None, 30), "from behind to before");
        assert_eq!(order.skip(0, u32::MAX), Some((Repeated, 1 << 32)));
    }
}
