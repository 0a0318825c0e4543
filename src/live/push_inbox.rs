//! Occasions for push messages.
//!
//! Like a [`super::MatchInbox`] it says only what to look at, each once. Marking never waits. What does not
//! fit is dropped, because nothing depends on a push message.

use std::{
    collections::BTreeSet,
    mem,
    sync::atomic::{AtomicBool, Ordering},
};

use lusoria_play::{MatchId, PlayerId, TournamentId};
use parking_lot::Mutex;
use tokio::sync::Notify;

/// How many occasions wait.
const WAITING_MAX: usize = 4096;

/// An occasion for a push message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PushOccasion {
    /// The player to notify.
    pub player: PlayerId,
    /// The reason.
    pub what: PushMatter,
}

/// The reason for a push message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PushMatter {
    /// It is the player's turn in a correspondence match.
    YourTurn(MatchId),
    /// Somebody challenges the player.
    Challenge(MatchId),
    /// This match answers a seek of the player, or a challenge that they made.
    Answered(MatchId),
    /// A tournament has paired the player, or made their match.
    TournamentCall {
        /// The tournament.
        id: TournamentId,
        /// The number of the pairing.
        pairing: u32,
    },
    /// A tournament in which the player took part has ended.
    TournamentEnded(TournamentId),
}

/// Occasions that were committed on this node.
#[derive(Debug, Default)]
pub struct PushInbox {
    is_read: AtomicBool,
    waiting: Mutex<BTreeSet<PushOccasion>>,
    arrived: Notify,
}

impl PushInbox {
    /// Starts collecting. Until then nothing is kept.
    pub fn open(&self) {
        self.is_read.store(true, Ordering::Relaxed);
    }

    /// Adds an occasion.
    pub(super) fn mark(&self, player: PlayerId, what: PushMatter) {
        if !self.is_read.load(Ordering::Relaxed) {
            return;
        }
        let mut waiting = self.waiting.lock();
        if waiting.len() < WAITING_MAX {
            waiting.insert(PushOccasion { player, what });
        } else {
            metrics::counter!("lusoria_pushes_total", "outcome" => "dropped").increment(1);
        }
        drop(waiting);
        self.arrived.notify_one();
    }

    /// Waits until something is marked. Cancel safe.
    pub async fn arrived(&self) {
        loop {
            let arrived = self.arrived.notified();
            if !self.waiting.lock().is_empty() {
                return;
            }
            arrived.await;
        }
    }

    /// Takes all occasions.
    pub fn take(&self) -> BTreeSet<PushOccasion> {
        mem::take(&mut *self.waiting.lock())
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn occasion(n: usize) -> PushOccasion {
        let id = uuid::Uuid::from_u128(n as u128);
        PushOccasion { player: PlayerId(id), what: PushMatter::YourTurn(MatchId(id)) }
    }

    fn mark(inbox: &PushInbox, n: usize) {
        let PushOccasion { player, what } = occasion(n);
        inbox.mark(player, what);
    }

    #[tokio::test]
    async fn each_occasion_is_kept_once_and_only_if_somebody_reads() {
        let inbox = PushInbox::default();
        mark(&inbox, 1);
        inbox.open();
        assert_eq!((inbox.take(), inbox.arrived().now_or_never()), (BTreeSet::new(), None));
        for n in [2, 1, 2] {
            mark(&inbox, n);
        }
        inbox.arrived().await;
        assert_eq!(inbox.take(), [occasion(1), occasion(2)].into());
        assert_eq!((inbox.take(), inbox.arrived().now_or_never()), (BTreeSet::new(), None));
    }

    #[tokio::test]
    async fn an_overflow_is_dropped_without_waiting() {
        let inbox = PushInbox::default();
        inbox.open();
        for n in 0..=WAITING_MAX {
            mark(&inbox, n);
        }
        assert_eq!(inbox.take().len(), WAITING_MAX);
        mark(&inbox, WAITING_MAX);
        assert_eq!(inbox.take(), [occasion(WAITING_MAX)].into());
    }
}
