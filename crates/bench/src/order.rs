//! Whether events come in their order.

use serde::Deserialize;

/// The number of a match's last event, as answers tell it.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct Head {
    pub(super) head: u32,
}

/// How far a client has read a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Order {
    head: u32,
}

/// What the number of an event says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It is the next one.
    Next,
    /// It came before.
    Repeated,
    /// So many are missing before it.
    AfterGap(u32),
}

impl Order {
    /// Reading begins after that event.
    pub(super) const fn after(head: u32) -> Self {
        Self { head }
    }

    /// The number of the last event.
    pub(super) const fn head(self) -> u32 {
        self.head
    }

    /// Takes the number of the event that came.
    pub(super) fn hear(&mut self, seq: u32) -> Place {
        if seq <= self.head {
            return Place::Repeated;
        }
        let missing = seq - self.head - 1;
        self.head = seq;
        if missing == 0 { Place::Next } else { Place::AfterGap(missing) }
    }

    /// Takes the word of the server that the events `from` to `to` are left out: where they
    /// stand, and how many they are. None if there are no such events.
    pub(super) fn skip(&mut self, from: u32, to: u32) -> Option<(Place, u64)> {
        let count = u64::from(to.checked_sub(from)?) + 1;
        let place = self.hear(from);
        self.head = self.head.max(to);
        Some((place, count))
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Place::{AfterGap, Next, Repeated},
        *,
    };

    #[test]
    fn every_fault_in_the_numbers_is_found_once() {
        let mut order = Order::after(4);
        let places = [5, 6, 6, 5, 9, 10, 8].map(|seq| order.hear(seq));
        assert_eq!(places, [Next, Next, Repeated, Repeated, AfterGap(2), Next, Repeated]);
        assert_eq!(order.head(), 10);
        assert_eq!((order.skip(11, 20), order.hear(21)), (Some((Next, 10)), Next));
        assert_eq!(order.skip(23, 30), Some((AfterGap(1), 8)));
        assert_eq!((order.skip(32, 31), order.head()), (None, 30), "from behind to before");
        assert_eq!(order.skip(0, u32::MAX), Some((Repeated, 1 << 32)));
    }
}
