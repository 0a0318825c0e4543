//! Mailboxes, on which connections wait.
//!
//! Publishing marks mailboxes and never waits. A mailbox holds no events: it says which matches have
//! advanced, and the connection reads the events after its own cursor. So a slow reader costs a mark, not a
//! queue.

use std::{collections::VecDeque, mem, sync::LazyLock};

use bytes::Bytes;
use lusoria_play::MatchId;
use metrics::Histogram;
use parking_lot::Mutex;
use tokio::sync::Notify;

/// The most notices that wait. Beyond that the oldest are dropped, and the reader is told so.
const NOTICES_MAX: usize = 64;

static DEPTH: LazyLock<Histogram> = LazyLock::new(|| metrics::histogram!("lusoria_mailbox_depth"));

/// Matches that have advanced and notices that arrived, since the last read.
#[derive(Debug, Default)]
pub struct Mailbox {
    waiting: Mutex<Mail>,
    arrived: Notify,
}

/// The contents of a mailbox.
#[derive(Debug, Default)]
pub struct Mail {
    /// Watched matches whose head has advanced, each once. At most as many as the connection's watches.
    pub advanced: Vec<MatchId>,
    /// Notices, ready to be sent.
    pub notices: VecDeque<Bytes>,
    /// Whether notices were dropped.
    pub has_dropped: bool,
    /// Whether the reader's token must be looked up again, since it may be revoked.
    pub is_doubted: bool,
}

impl Mail {
    fn is_empty(&self) -> bool {
        self.advanced.is_empty() && self.notices.is_empty() && !self.is_doubted
    }
}

impl Mailbox {
    /// Marks that a match has advanced.
    pub(super) fn mark(&self, id: MatchId) {
        let mut waiting = self.waiting.lock();
        if !waiting.advanced.contains(&id) {
            waiting.advanced.push(id);
        }
        drop(waiting);
        self.arrived.notify_one();
    }

    /// Adds a notice.
    pub(crate) fn leave(&self, notice: Bytes) {
        let mut waiting = self.waiting.lock();
        if waiting.notices.len() == NOTICES_MAX {
            waiting.notices.pop_front();
            waiting.has_dropped = true;
            metrics::counter!("lusoria_notices_dropped_total").increment(1);
        }
        waiting.notices.push_back(notice);
        drop(waiting);
        self.arrived.notify_one();
    }

    /// Makes the reader look up its token again.
    pub(super) fn doubt(&self) {
        self.waiting.lock().is_doubted = true;
        self.arrived.notify_one();
    }

    /// Waits until there is something and takes it all. Cancel safe.
    pub async fn take(&self) -> Mail {
        self.take_what(true).await
    }

    /// The same, but a connection without space to send more waits only for a doubt of its token.
    pub async fn take_what(&self, has_room: bool) -> Mail {
        loop {
            let arrived = self.arrived.notified();
            {
                let mut waiting = self.waiting.lock();
                if !has_room && mem::take(&mut waiting.is_doubted) {
                    return Mail { is_doubted: true, ..Mail::default() };
                }
                if has_room && !waiting.is_empty() {
                    let depth = waiting.advanced.len() + waiting.notices.len();
                    let mail = mem::take(&mut *waiting);
                    drop(waiting);
                    let depth = u32::try_from(depth).unwrap_or(u32::MAX);
                    DEPTH.record(depth);
                    return mail;
                }
            }
            arrived.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: u128) -> MatchId {
        MatchId(uuid::Uuid::from_u128(n))
    }

    #[tokio::test]
    async fn a_match_that_advances_twice_is_marked_once() {
        let mailbox = Mailbox::default();
        mailbox.mark(id(1));
        mailbox.mark(id(2));
        mailbox.mark(id(1));
        assert_eq!(mailbox.take().await.advanced, [id(1), id(2)]);
    }

    #[tokio::test]
    async fn the_oldest_notices_are_dropped() {
        let mailbox = Mailbox::default();
        for n in 0..=NOTICES_MAX {
            mailbox.leave(Bytes::from(n.to_string()));
        }
        let mail = mailbox.take().await;
        assert_eq!(mail.notices.len(), NOTICES_MAX);
        assert_eq!(mail.notices[0], "1");
        assert!(mail.has_dropped);
        mailbox.leave(Bytes::from("again"));
        assert!(!mailbox.take().await.has_dropped);
    }

    #[tokio::test]
    async fn without_room_only_a_doubt_is_taken() {
        let mailbox = Mailbox::default();
        mailbox.mark(id(1));
        mailbox.leave(Bytes::from("a notice"));
        let taken = tokio::time::timeout(std::time::Duration::ZERO, mailbox.take_what(false)).await;
        assert!(taken.is_err(), "{taken:?}");
        mailbox.doubt();
        let mail = mailbox.take_what(false).await;
        assert!(mail.is_doubted && mail.advanced.is_empty() && mail.notices.is_empty());
        let mail = mailbox.take().await;
        assert!(!mail.is_doubted && mail.advanced == [id(1)] && mail.notices.len() == 1);
    }
}
