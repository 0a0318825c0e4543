//! Where the computer hears that something has happened in one of its matches.
//!
//! Like a [`super::Mailbox`] it holds no events but only which matches to look at, each once.
//! Nothing depends on its size: what does not fit is noted, and the listener looks into
//! the store for it.

use std::{collections::BTreeSet, mem};

use lusoria_play::MatchId;
use parking_lot::Mutex;
use tokio::sync::Notify;

/// How many matches wait to be looked at.
const RUNG_MAX: usize = 4096;

/// Matches with the computer in a seat in which something has happened.
#[derive(Debug)]
pub struct Bell {
    rung: Mutex<Rung>,
    arrived: Notify,
}

/// What has been heard since the last time.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Rung {
    /// The matches.
    pub matches: BTreeSet<MatchId>,
    /// Whether there were more of them: the store knows which.
    pub more: bool,
}

impl Default for Bell {
    /// At the start nobody has listened: there may be more.
    fn default() -> Self {
        let rung = Mutex::new(Rung { matches: BTreeSet::new(), more: true });
        let arrived = Notify::new();
        arrived.notify_one();
        Self { rung, arrived }
    }
}

impl Bell {
    /// Something has happened in a match.
    pub fn ring(&self, id: MatchId) {
        let mut rung = self.rung.lock();
        if rung.matches.len() < RUNG_MAX {
            rung.matches.insert(id);
        } else if !rung.matches.contains(&id) {
            rung.more = true;
        }
        drop(rung);
        self.arrived.notify_one();
    }

    /// Something has happened, and it is not known where.
    pub fn ring_for_more(&self) {
        self.rung.lock().more = true;
        self.arrived.notify_one();
    }

    /// Waits until it rings and takes all of it. Losing the future loses nothing.
    pub async fn heard(&self) -> Rung {
        loop {
            let arrived = self.arrived.notified();
            {
                let mut rung = self.rung.lock();
                if rung.more || !rung.matches.is_empty() {
                    return mem::take(&mut rung);
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
        let bell = Bell::default();
        assert_eq!(bell.heard().await, Rung { matches: BTreeSet::new(), more: true });
        assert_eq!(bell.heard().now_or_never(), None);
        for n in [2, 1, 2] {
            bell.ring(id(n));
        }
        assert_eq!(bell.heard().await, Rung { matches: [id(1), id(2)].into(), more: false });
    }

    #[tokio::test]
    async fn what_does_not_fit_is_noted() {
        let bell = Bell::default();
        bell.heard().await;
        for n in 0..=RUNG_MAX {
            bell.ring(id(n));
        }
        let Rung { matches, more } = bell.heard().await;
        assert_eq!((matches.len(), more), (RUNG_MAX, true));
    }
}
