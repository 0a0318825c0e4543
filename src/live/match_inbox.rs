//! Which matches the computer is to look at, or what plays conditional turns.
//!
//! Like a [`super::Mailbox`] it holds no events but only which matches to look at, each once.
//! Nothing depends on its size: what does not fit is noted, and the listener looks into
//! the store for it.

use std::{collections::BTreeSet, mem};

use lusoria_play::MatchId;
use parking_lot::Mutex;
use tokio::sync::Notify;

/// How many matches wait to be looked at.
const MARKED_MAX: usize = 4096;

/// Matches in which something has happened that the computer, or what plays conditional turns, is to look at.
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
    /// Whether there were more of them: the store knows which.
    pub more: bool,
}

impl Default for MatchInbox {
    /// At the start nobody has listened: there may be more.
    fn default() -> Self {
        let marked = Mutex::new(Marked { matches: BTreeSet::new(), more: true });
        let arrived = Notify::new();
        arrived.notify_one();
        Self { marked, arrived }
    }
}

impl MatchInbox {
    /// Something has happened in a match.
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

    /// Something may have happened in any match: the store knows.
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
    async fn at_first_the_store_is_to_be_looked_into_and_then_each_match_once() {
        let inbox = MatchInbox::default();
        assert_eq!(inbox.take().await, Marked { matches: BTreeSet::new(), more: true });
        assert_eq!(inbox.take().now_or_never(), None);
        for n in [2, 1, 2] {
            inbox.mark(id(n));
        }
        assert_eq!(inbox.take().await, Marked { matches: [id(1), id(2)].into(), more: false });
    }

    #[tokio::test]
    async fn what_does_not_fit_is_noted() {
        let inbox = MatchInbox::default();
        inbox.take().await;
        for n in 0..=MARKED_MAX {
            inbox.mark(id(n));
        }
        let Marked { matches, more } = inbox.take().await;
        assert_eq!((matches.len(), more), (MARKED_MAX, true));
    }
}
