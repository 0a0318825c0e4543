//! An inbox of matches to look at, for the computer and for conditional turns.
//!
//! Like a [`super::Mailbox`] it holds no events but only which matches to look at, each once. If it
//! overflows, it says so, and the listener searches the store.

use std::{collections::BTreeSet, mem};

use lusoria_play::MatchId;
use parking_lot::Mutex;
use tokio::sync::Notify;

/// How many matches it holds.
const MARKED_MAX: usize = 4096;

/// Matches with new events for the computer or for conditional turns.
#[derive(Debug)]
pub struct MatchInbox {
    marked: Mutex<Marked>,
    arrived: Notify,
}

/// The matches marked since the last `take`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Marked {
    /// The matches.
    pub matches: BTreeSet<MatchId>,
    /// Whether there were more, which the store can find.
    pub more: bool,
}

impl Default for MatchInbox {
    /// Overflowed at first: nobody listened before the start, so there may be more.
    fn default() -> Self {
        let marked = Mutex::new(Marked { matches: BTreeSet::new(), more: true });
        let arrived = Notify::new();
        arrived.notify_one();
        Self { marked, arrived }
    }
}

impl MatchInbox {
    /// Marks a match.
    pub fn mark(&self, id: MatchId) {
        let mut marked = self.marked.lock();
        if marked.matches.len() < MARKED_MAX {
            marked.matches.insert(id);
        } else if !marked.matches.contains(&id) {
            marked.more = true;
        }
        drop(marked);
        self.arrived.notify_one();
    }

    /// Makes the listener search the store.
    pub(super) fn mark_all(&self) {
        self.marked.lock().more = true;
        self.arrived.notify_one();
    }

    /// Waits until a match is marked, and takes all of them. Cancel safe.
    pub async fn take(&self) -> Marked {
        loop {
            let arrived = self.arrived.notified();
            {
                let mut marked = self.marked.lock();
                if marked.more || !marked.matches.is_empty() {
                    return mem::take(&mut marked);
                }
            }
            arrived.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn id(n: usize) -> MatchId {
        MatchId(uuid::Uuid::from_u128(n as u128))
    }

    #[tokio::test]
    async fn begins_with_a_search_of_the_store_and_then_holds_each_match_once() {
        let inbox = MatchInbox::default();
        assert_eq!(inbox.take().await, Marked { matches: BTreeSet::new(), more: true });
        assert_eq!(inbox.take().now_or_never(), None);
        for n in [2, 1, 2] {
            inbox.mark(id(n));
        }
        assert_eq!(inbox.take().await, Marked { matches: [id(1), id(2)].into(), more: false });
    }

    #[tokio::test]
    async fn an_overflow_is_noted() {
        let inbox = MatchInbox::default();
        inbox.take().await;
        for n in 0..=MARKED_MAX {
            inbox.mark(id(n));
        }
        let Marked { matches, more } = inbox.take().await;
        assert_eq!((matches.len(), more), (MARKED_MAX, true));
    }
}
