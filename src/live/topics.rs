//! The topics other than matches: the lobby, a player's personal notices, and talk; and which tokens their
//! subscribers have shown.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    hash::Hash,
    sync::Arc,
};

use bytes::Bytes;
use lusoria_bus::{Bus, Subject};
use lusoria_play::{MatchId, PlayerId, TalkRoom, TournamentId};
use parking_lot::Mutex;

use super::Mailbox;

/// How many closed matches are remembered.
const CLOSED_MAX: usize = 256;

#[derive(Default)]
pub(super) struct Topics {
    lobby: Mutex<Vec<Arc<Mailbox>>>,
    /// Matches being created, which will be announced to the lobby.
    opening: Mutex<HashSet<MatchId>>,
    personal: Subscribers<PlayerId>,
    /// Subscribers of the talk in a room of a match.
    talks: Mutex<HashMap<(MatchId, TalkRoom), Vec<Hearer>>>,
    tournaments: Subscribers<TournamentId>,
    /// Matches that have closed lately, the last first: another node may announce later that they opened.
    closed: Mutex<VecDeque<MatchId>>,
    /// Every connection that has shown a token, by the token's player.
    shown: Subscribers<PlayerId>,
}

impl Topics {
    /// Registers a match that is about to be created: it can be found, and joined, before the lobby
    /// receives it.
    pub(super) fn opening(&self, id: MatchId) -> Opening<'_> {
        self.opening.lock().insert(id);
        Opening { topics: self, id }
    }

    /// Tells the lobby that a match is closed; first that it opened, if that is still to be sent.
    pub(super) fn tell_closed(
        &self,
        id: MatchId,
        opened: impl FnOnce() -> Bytes,
        closed: impl FnOnce() -> Bytes,
    ) {
        let mut opening = self.opening.lock();
        if opening.remove(&id) {
            self.tell_lobby(opened);
        }
        self.note_closed(id);
        self.tell_lobby(closed);
        drop(opening);
    }

    /// Handles another node's message to the lobby. The message that a match opened may come after it has
    /// closed.
    pub(super) fn take_told(&self, id: MatchId, is_open: bool, notice: &Bytes) {
        if !is_open {
            self.note_closed(id);
        } else if self.closed.lock().contains(&id) {
            return;
        }
        self.tell_lobby(|| notice.clone());
    }

    fn note_closed(&self, id: MatchId) {
        let mut closed = self.closed.lock();
        closed.truncate(CLOSED_MAX - 1);
        closed.push_front(id);
    }

    /// Sends the lobby a notice, which is made only if there are subscribers.
    fn tell_lobby(&self, notice: impl FnOnce() -> Bytes) {
        let lobby = self.lobby.lock();
        if !lobby.is_empty() {
            let notice = notice();
            for mailbox in lobby.iter() {
                mailbox.leave(notice.clone());
            }
        }
    }

    /// Sends a player a notice, which is made only if they are subscribed.
    pub(super) fn tell(&self, player: PlayerId, notice: impl FnOnce() -> Bytes) {
        leave_for(player, &self.personal, notice);
    }

    /// Sends the followers of a tournament a notice, which is made only if there are any.
    pub(super) fn tell_tournament(&self, id: TournamentId, notice: impl FnOnce() -> Bytes) {
        leave_for(id, &self.tournaments, notice);
    }

    /// The tournaments that somebody follows here.
    pub(super) fn followed_tournaments(&self) -> Vec<TournamentId> {
        self.tournaments.lock().keys().copied().collect()
    }

    /// Subscribers of the talk in a room of a match.
    pub(super) fn hearers(&self, id: MatchId, room: TalkRoom) -> Vec<Hearer> {
        self.talks.lock().get(&(id, room)).cloned().unwrap_or_default()
    }

    /// Whether a player is subscribed here.
    pub(super) fn has_listener(&self, player: PlayerId) -> bool {
        self.personal.lock().contains_key(&player)
    }

    fn remove_hearer(&self, talk: (MatchId, TalkRoom), mailbox: &Arc<Mailbox>) {
        let mut talks = self.talks.lock();
        let Some(hearers) = talks.get_mut(&talk) else { return };
        if let Some(at) = hearers.iter().position(|hearer| Arc::ptr_eq(&hearer.mailbox, mailbox)) {
            hearers.swap_remove(at);
        }
        if hearers.is_empty() {
            talks.remove(&talk);
        }
    }

    /// Makes every connection of a player look its token up again.
    pub(super) fn doubt(&self, player: PlayerId) {
        for mailbox in self.shown.lock().get(&player).into_iter().flatten() {
            mailbox.doubt();
        }
    }
}

/// A subscriber of talk.
#[derive(Clone)]
pub(super) struct Hearer {
    pub(super) mailbox: Arc<Mailbox>,
    /// The reader, if they have shown a token with which they may read.
    pub(super) reader: Option<PlayerId>,
}

/// A match being created. Dropping it announces nothing.
pub(super) struct Opening<'a> {
    topics: &'a Topics,
    id: MatchId,
}

impl Opening<'_> {
    /// Tells the lobby that the match is open. Does nothing if the match has closed meanwhile:
    /// [`Topics::tell_closed`] has announced both then.
    pub(super) fn tell(self, notice: impl FnOnce() -> Bytes) {
        let mut opening = self.topics.opening.lock();
        if opening.remove(&self.id) {
            self.topics.tell_lobby(notice);
        }
        // Dropping it takes the lock.
        drop(opening);
    }
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        self.topics.opening.lock().remove(&self.id);
    }
}

/// A mailbox subscribed to a topic. Dropping it ends the subscription.
pub struct TopicSubscription {
    topics: Arc<Topics>,
    mailbox: Arc<Mailbox>,
    topic: Topic,
    /// Keeps the subscription to other nodes' messages.
    _of_others: Option<lusoria_bus::Subscription>,
}

enum Topic {
    Lobby,
    Personal(PlayerId),
    Shown(PlayerId),
    Talk(MatchId, TalkRoom),
    Tournament(TournamentId),
}

impl TopicSubscription {
    pub(super) fn lobby(topics: &Arc<Topics>, mailbox: &Arc<Mailbox>, bus: &dyn Bus) -> Self {
        topics.lobby.lock().push(Arc::clone(mailbox));
        Self::new(topics, mailbox, Topic::Lobby, Some(bus.subscribe(Subject::Lobby)))
    }

    pub(super) fn personal(
        topics: &Arc<Topics>,
        mailbox: &Arc<Mailbox>,
        player: PlayerId,
        bus: &dyn Bus,
    ) -> Self {
        topics.personal.lock().entry(player).or_default().push(Arc::clone(mailbox));
        Self::new(topics, mailbox, Topic::Personal(player), Some(bus.subscribe(Subject::Player(player))))
    }

    pub(super) fn shown(topics: &Arc<Topics>, mailbox: &Arc<Mailbox>, player: PlayerId) -> Self {
        topics.shown.lock().entry(player).or_default().push(Arc::clone(mailbox));
        Self::new(topics, mailbox, Topic::Shown(player), None)
    }

    pub(super) fn talk(
        topics: &Arc<Topics>,
        hearer: Hearer,
        (id, room): (MatchId, TalkRoom),
        bus: &dyn Bus,
    ) -> Self {
        let mailbox = Arc::clone(&hearer.mailbox);
        topics.talks.lock().entry((id, room)).or_default().push(hearer);
        Self::new(topics, &mailbox, Topic::Talk(id, room), Some(bus.subscribe(Subject::Match(id))))
    }

    pub(super) fn tournament(topics: &Arc<Topics>, mailbox: &Arc<Mailbox>, id: TournamentId) -> Self {
        topics.tournaments.lock().entry(id).or_default().push(Arc::clone(mailbox));
        Self::new(topics, mailbox, Topic::Tournament(id), None)
    }

    fn new(
        topics: &Arc<Topics>,
        mailbox: &Arc<Mailbox>,
        topic: Topic,
        of_others: Option<lusoria_bus::Subscription>,
    ) -> Self {
        Self { topics: Arc::clone(topics), mailbox: Arc::clone(mailbox), topic, _of_others: of_others }
    }
}

impl Drop for TopicSubscription {
    fn drop(&mut self) {
        match self.topic {
            Topic::Lobby => remove_one(&mut self.topics.lobby.lock(), &self.mailbox),
            Topic::Personal(player) => remove_of(player, &self.topics.personal, &self.mailbox),
            Topic::Shown(player) => remove_of(player, &self.topics.shown, &self.mailbox),
            Topic::Talk(id, room) => self.topics.remove_hearer((id, room), &self.mailbox),
            Topic::Tournament(id) => remove_of(id, &self.topics.tournaments, &self.mailbox),
        }
    }
}

/// The mailboxes of those subscribed to something.
type Subscribers<K> = Mutex<HashMap<K, Vec<Arc<Mailbox>>>>;

/// Sends the subscribers of one thing a notice, which is made only if there are any.
fn leave_for<K: Eq + Hash + Copy>(key: K, topic: &Subscribers<K>, notice: impl FnOnce() -> Bytes) {
    if let Some(mailboxes) = topic.lock().get(&key) {
        let notice = notice();
        for mailbox in mailboxes {
            mailbox.leave(notice.clone());
        }
    }
}

fn remove_of<K: Eq + Hash + Copy>(key: K, topic: &Subscribers<K>, mailbox: &Arc<Mailbox>) {
    let mut topic = topic.lock();
    if let Some(mailboxes) = topic.get_mut(&key) {
        remove_one(mailboxes, mailbox);
        if mailboxes.is_empty() {
            topic.remove(&key);
        }
    }
}

fn remove_one(mailboxes: &mut Vec<Arc<Mailbox>>, mailbox: &Arc<Mailbox>) {
    if let Some(at) = mailboxes.iter().position(|other| Arc::ptr_eq(other, mailbox)) {
        mailboxes.swap_remove(at);
    }
}
