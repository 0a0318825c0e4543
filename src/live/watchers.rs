//! The watchers of a match. Players are marked before spectators, and a crowd of spectators in portions.

use std::{collections::BTreeMap, sync::Arc};

use lusoria_play::MatchId;

use super::Mailbox;

/// How many spectators are marked at once. Between portions the requests of players are handled, so that a
/// crowd delays them by no more than one portion.
const TOLD_AT_ONCE: usize = 32;

/// The watchers of a match, each with a number.
#[derive(Default)]
pub(super) struct Watchers {
    next_key: u64,
    players: BTreeMap<u64, Arc<Mailbox>>,
    spectators: BTreeMap<u64, Arc<Mailbox>>,
    /// The progress, while spectators are still to be marked.
    telling: Option<Telling>,
}

/// The progress of marking spectators.
struct Telling {
    /// Spectators from this number on have not been marked.
    from: u64,
    /// Whether the head has advanced since the first of them was marked.
    again: bool,
}

impl Watchers {
    /// Adds a watcher and returns their number.
    pub(super) fn enter(&mut self, mailbox: Arc<Mailbox>, plays: bool) -> u64 {
        let key = self.next_key;
        self.next_key += 1;
        let list = if plays { &mut self.players } else { &mut self.spectators };
        list.insert(key, mailbox);
        key
    }

    /// Whether there are no watchers.
    pub(super) fn is_empty(&self) -> bool {
        self.players.is_empty() && self.spectators.is_empty()
    }

    /// Turns a spectator into a player.
    pub(super) fn sit(&mut self, key: u64) {
        if let Some(mailbox) = self.spectators.remove(&key) {
            self.players.insert(key, mailbox);
        }
    }

    /// Removes a watcher.
    pub(super) fn leave(&mut self, key: u64) {
        self.players.remove(&key);
        self.spectators.remove(&key);
    }

    /// The mailboxes of all watchers, the players' first.
    pub(super) fn mailboxes(&self) -> impl Iterator<Item = &Mailbox> {
        self.players.values().chain(self.spectators.values()).map(|mailbox| &**mailbox)
    }

    /// Marks the match for the players and the first spectators. If the result is true, the caller must call
    /// [`Watchers::tell_some`] until all are marked.
    #[must_use]
    pub(super) fn tell(&mut self, id: MatchId) -> bool {
        for mailbox in self.players.values() {
            mailbox.mark(id);
        }
        if let Some(telling) = &mut self.telling {
            telling.again = true;
            // Another call is doing this already.
            return false;
        }
        self.tell_some(id)
    }

    /// Marks the next spectators. Returns whether there are more.
    #[must_use]
    pub(super) fn tell_some(&mut self, id: MatchId) -> bool {
        let Telling { from, again } = self.telling.take().unwrap_or(Telling { from: 0, again: false });
        let mut untold = self.spectators.range(from..);
        for (_, mailbox) in untold.by_ref().take(TOLD_AT_ONCE) {
            mailbox.mark(id);
        }
        self.telling = match untold.next() {
            Some((&next, _)) => Some(Telling { from: next, again }),
            None => again.then_some(Telling { from: 0, again: false }),
        };
        self.telling.is_some()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    const ID: MatchId = MatchId(uuid::Uuid::nil());

    fn is_told(mailbox: &Mailbox) -> bool {
        mailbox.take().now_or_never().is_some_and(|mail| mail.advanced == [ID])
    }

    #[test]
    fn a_crowd_is_marked_in_portions_after_the_players() {
        let mut watchers = Watchers::default();
        let spectators: Vec<_> = (0..=2 * TOLD_AT_ONCE).map(|_| Arc::new(Mailbox::default())).collect();
        for mailbox in &spectators {
            watchers.enter(Arc::clone(mailbox), false);
        }
        let player = Arc::new(Mailbox::default());
        watchers.enter(Arc::clone(&player), true);
        let told = || spectators.iter().filter(|mailbox| is_told(mailbox)).count();

        assert!(watchers.tell(ID));
        assert!(is_told(&player));
        assert_eq!(told(), TOLD_AT_ONCE);
        // The match advances again: marking does not start over, and nobody misses it.
        assert!(!watchers.tell(ID));
        assert!(is_told(&player));
        assert_eq!(told(), 0);
        assert!(watchers.tell_some(ID));
        assert_eq!(told(), TOLD_AT_ONCE);
        assert!(watchers.tell_some(ID));
        assert_eq!(told(), 1);
        let mut told_again = 0;
        while watchers.tell_some(ID) {
            told_again += told();
        }
        assert_eq!(told_again + told(), spectators.len());
        assert!(watchers.tell(ID), "from the beginning");
    }

    #[test]
    fn a_watcher_who_leaves_or_sits_down_meanwhile_disturbs_nobody() {
        let mut watchers = Watchers::default();
        let mailboxes: Vec<_> = (0..3 * TOLD_AT_ONCE).map(|_| Arc::new(Mailbox::default())).collect();
        let keys: Vec<_> =
            mailboxes.iter().map(|mailbox| watchers.enter(Arc::clone(mailbox), false)).collect();
        assert!(watchers.tell(ID));
        watchers.leave(keys[0]);
        watchers.sit(keys[1]);
        watchers.leave(keys[TOLD_AT_ONCE]);
        while watchers.tell_some(ID) {}
        for (n, mailbox) in mailboxes.iter().enumerate() {
            assert_eq!(is_told(mailbox), n != TOLD_AT_ONCE, "{n}");
        }
        assert_eq!(watchers.mailboxes().count(), mailboxes.len() - 2);
    }
}
