//! Two topics beside the matches: the lobby, and what concerns one player.

use std::{collections::HashMap, sync::Arc};

use bytes::Bytes;
use lusoria_play::PlayerId;
use parking_lot::Mutex;

use super::{Live, Mailbox};

#[derive(Default)]
pub(super) struct Topics {
    lobby: Mutex<Vec<Arc<Mailbox>>>,
    personal: Mutex<HashMap<PlayerId, Vec<Arc<Mailbox>>>>,
}

impl Topics {
    /// Leaves a notice with everybody in the lobby. It is made only if anybody is there.
    pub(super) fn tell_lobby(&self, notice: impl FnOnce() -> Bytes) {
        let lobby = self.lobby.lock();
        if !lobby.is_empty() {
            let notice = notice();
            for mailbox in lobby.iter() {
                mailbox.leave(notice.clone());
            }
        }
    }

    /// Leaves a notice with a player. It is made only if he listens.
    pub(super) fn tell(&self, player: PlayerId, notice: impl FnOnce() -> Bytes) {
        if let Some(mailboxes) = self.personal.lock().get(&player) {
            let notice = notice();
            for mailbox in mailboxes {
                mailbox.leave(notice.clone());
            }
        }
    }
}

/// A mailbox subscribed to a topic. Dropping it ends the subscription.
pub struct TopicSubscription {
    live: Arc<Live>,
    mailbox: Arc<Mailbox>,
    topic: Topic,
}

enum Topic {
    Lobby,
    Personal(PlayerId),
}

impl TopicSubscription {
    pub(super) fn lobby(live: &Arc<Live>, mailbox: &Arc<Mailbox>) -> Self {
        live.topics.lobby.lock().push(Arc::clone(mailbox));
        Self { live: Arc::clone(live), mailbox: Arc::clone(mailbox), topic: Topic::Lobby }
    }

    pub(super) fn personal(live: &Arc<Live>, mailbox: &Arc<Mailbox>, player: PlayerId) -> Self {
        live.topics.personal.lock().entry(player).or_default().push(Arc::clone(mailbox));
        Self { live: Arc::clone(live), mailbox: Arc::clone(mailbox), topic: Topic::Personal(player) }
    }
}

impl Drop for TopicSubscription {
    fn drop(&mut self) {
        match self.topic {
            Topic::Lobby => remove_one(&mut self.live.topics.lobby.lock(), &self.mailbox),
            Topic::Personal(player) => {
                let mut personal = self.live.topics.personal.lock();
                if let Some(mailboxes) = personal.get_mut(&player) {
                    remove_one(mailboxes, &self.mailbox);
                    if mailboxes.is_empty() {
                        personal.remove(&player);
                    }
                }
            }
        }
    }
}

fn remove_one(mailboxes: &mut Vec<Arc<Mailbox>>, mailbox: &Arc<Mailbox>) {
    if let Some(at) = mailboxes.iter().position(|other| Arc::ptr_eq(other, mailbox)) {
        mailboxes.swap_remove(at);
    }
}
