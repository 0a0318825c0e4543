//! Messages between nodes over the bus. No match depends on them: matches come from the journal, and lost
//! messages are made up for by regular reads ([`super::refresh`]). Messages are sealed with the key of the
//! cluster.
//!
//! They contain no secrets: an event has only public data.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use lusoria_bus::{Delivery, Subject};
use lusoria_play::{BySeat, MatchId, Millis, PlayerId, Seat, TalkRoom};
use lusoria_store::{NodeId, Version};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::time::{MissedTickBehavior, timeout};
use uuid::Uuid;

use super::{
    Notice, Presence, Room, SaidRemark, context::Context, questions::Question, refresh, room::ShownTurn, talk,
};

/// How long the other nodes have to say when they last saw a player.
const SEEN_WITHIN: Duration = Duration::from_secs(2);

/// The same if the answer is only displayed.
const SHOWN_WITHIN: Duration = Duration::from_millis(250);

/// How often nodes compare the presence in followed matches, since a message may be lost just when a node
/// comes back.
const ASK_EVERY: Duration = Duration::from_secs(20);

/// A message from one node to others, as JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum NodeMessage {
    /// The journal of a match has new events, or names in it were replaced. Sent to its followers.
    Committed {
        /// The history that its journal belongs to.
        history: Uuid,
        head: u32,
        edition: u32,
    },
    /// A line for all watchers of a match, or subscribers of a topic.
    Notice {
        line: Box<RawValue>,
        /// The turn being built that the line shows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shown: Option<ShownTurn>,
    },
    /// For the lobby: a match is open, or no longer is.
    Lobby { id: MatchId, is_open: bool, line: Box<RawValue> },
    /// Something was said in a match. Sent to its followers.
    Remark { room: TalkRoom, by: PlayerId, is_text: bool, line: Box<RawValue> },
    /// A player connected to a match, or disconnected. Sent to its followers.
    Presence { seat: Seat, presence: Seen },
    /// The number of spectators of a match at a node. Sent to its followers.
    Spectators { count: u32 },
    /// A node begins to follow a match, and asks who is connected.
    WhoIsThere,
    /// Tokens of a player may have been revoked. Sent to all.
    Doubt { player: PlayerId },
    /// Asks when the players of a match were last seen. Sent to all.
    Ask { question: u64, id: MatchId },
    /// The answer, sent to the node that asked.
    Answer { question: u64, presence: BySeat<Seen> },
}

/// A [`Presence`] as it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Seen {
    Connected,
    Gone { since: Millis },
}

impl From<Presence> for Seen {
    fn from(presence: Presence) -> Self {
        match presence {
            Presence::Connected => Self::Connected,
            Presence::Gone { since } => Self::Gone { since },
        }
    }
}

impl From<Seen> for Presence {
    fn from(seen: Seen) -> Self {
        match seen {
            Seen::Connected => Self::Connected,
            Seen::Gone { since } => Self::Gone { since },
        }
    }
}

impl Context {
    fn tell(&self, subject: Subject, message: &NodeMessage) {
        if self.membership.has_others() {
            self.send(subject, message);
        }
    }

    /// Sends a message even if no other node is known, because another one may know this one.
    fn send(&self, subject: Subject, message: &NodeMessage) {
        let Some(seal) = self.seal.get() else { return };
        let message = serde_json::to_vec(message).expect("plain data");
        self.bus.publish(subject, seal.close(subject, self.now(), &message));
    }

    /// Tells the followers of a match the version of its journal.
    pub(super) fn tell_committed(&self, id: MatchId, Version { head, edition }: Version) {
        let history = self.membership.known().history;
        self.tell(Subject::Match(id), &NodeMessage::Committed { history, head, edition });
    }

    /// Sends a player a notice, on whichever node they are connected.
    pub(super) fn tell_player(&self, player: PlayerId, notice: impl FnOnce() -> Notice) {
        if self.membership.has_others() {
            let line = self.render.notice(&notice());
            self.tell_notice(Subject::Player(player), &line, None);
            self.topics.tell(player, || line);
        } else {
            self.topics.tell(player, || self.render.notice(&notice()));
        }
    }

    /// Tells the lobby of every node that a match is closed; the lobby of this node first that it opened, if
    /// that is still to be sent.
    pub(super) fn tell_closed(&self, id: MatchId, opened: impl FnOnce() -> Notice) {
        let closed = || self.render.notice(&Notice::Closed { id });
        if self.membership.has_others() {
            self.tell_lobby(id, false, &closed());
        }
        self.topics.tell_closed(id, || self.render.notice(&opened()), closed);
    }

    /// Sends all watchers of a match a notice.
    pub(super) fn tell_watchers(&self, room: &Room, notice: &Notice) {
        let line: Bytes = self.render.notice(notice);
        let shown = match notice {
            Notice::Building { answers, steps, .. } => {
                Some(ShownTurn { answers: *answers, steps: steps.clone() })
            }
            _ => None,
        };
        if let Some(shown) = &shown {
            room.note_shown(shown.clone());
        }
        self.tell_notice(Subject::Match(room.id()), &line, shown);
        room.notify(&line);
    }

    /// Sends a notice to the other nodes.
    fn tell_notice(&self, subject: Subject, line: &Bytes, shown: Option<ShownTurn>) {
        if let Some(line) = raw(line) {
            self.tell(subject, &NodeMessage::Notice { line, shown });
        }
    }

    /// Sends a remark to the other nodes.
    pub(super) fn tell_said(
        &self,
        subject: Subject,
        SaidRemark { room, by, is_text, line, .. }: &SaidRemark,
    ) {
        if let Some(line) = raw(line) {
            self.tell(subject, &NodeMessage::Remark { room: *room, by: *by, is_text: *is_text, line });
        }
    }

    /// Sends a notice for the lobby to the other nodes.
    pub(super) fn tell_lobby(&self, id: MatchId, is_open: bool, line: &Bytes) {
        if let Some(line) = raw(line) {
            self.tell(Subject::Lobby, &NodeMessage::Lobby { id, is_open, line });
        }
    }

    /// Tells the followers of a match that a player connected or disconnected.
    pub(super) fn tell_presence(&self, id: MatchId, seat: Seat, presence: Presence) {
        self.tell(Subject::Match(id), &Self::presence_message(seat, presence));
    }

    fn presence_message(seat: Seat, presence: Presence) -> NodeMessage {
        NodeMessage::Presence { seat, presence: presence.into() }
    }

    /// Tells the followers of a match the number of spectators here.
    pub(super) fn tell_spectators(&self, id: MatchId, count: u32) {
        self.tell(Subject::Match(id), &NodeMessage::Spectators { count });
    }

    /// Asks the followers of a match who is connected.
    pub(super) fn ask_who_is_there(&self, id: MatchId) {
        self.tell(Subject::Match(id), &NodeMessage::WhoIsThere);
    }

    /// Exchanges the presence in all matches that are watched here.
    pub(super) fn compare_presence(&self) {
        for room in self.rooms.watched() {
            self.tell_who_is_here(room.id());
            self.ask_who_is_there(room.id());
        }
    }

    /// Tells the followers of a match which players are connected to this node, and how many spectators it
    /// has here.
    fn tell_who_is_here(&self, id: MatchId) {
        for seat in Seat::BOTH {
            if self.presence.here(id, seat) == Presence::Connected {
                self.send(Subject::Match(id), &Self::presence_message(seat, Presence::Connected));
            }
        }
        let count = self.spectators.here(id);
        if count > 0 {
            self.send(Subject::Match(id), &NodeMessage::Spectators { count });
        }
    }

    /// Makes all nodes look up the tokens of a player again.
    pub(super) fn tell_doubt(&self, player: PlayerId) {
        self.tell(Subject::All, &NodeMessage::Doubt { player });
    }

    /// Whether a player is connected to any node, and since when not. A node that does not answer may have
    /// them.
    pub(super) async fn presence_everywhere(&self, id: MatchId, seat: Seat) -> Presence {
        let here = self.presence.here(id, seat);
        let others = self.membership.others();
        let Presence::Gone { since } = here else { return here };
        // They may have been connected to a stopped node until it stopped.
        let mut since = since.max(self.membership.known().lost_at.unwrap_or(0));
        if others.is_empty() {
            return Presence::Gone { since };
        }
        let mut question = self.ask_all(id);
        let mut open = others;
        let all_answered = async {
            while !open.is_empty() {
                let Some((node, told)) = question.answers.recv().await else { return Presence::Connected };
                match *told.get(seat) {
                    Presence::Gone { since: told } => {
                        since = since.max(told);
                        open.retain(|other| *other != node);
                    }
                    Presence::Connected => return Presence::Connected,
                }
            }
            Presence::Gone { since }
        };
        timeout(SEEN_WITHIN, all_answered).await.unwrap_or(Presence::Connected)
    }

    /// Asks the other nodes about presence in a match that nobody follows here, to display it, unless they
    /// have answered just now. For followed matches they send it unasked.
    pub(super) async fn glimpse(&self, id: MatchId) {
        let others = self.membership.others();
        let is_followed = || self.rooms.get(id).is_some_and(|room| room.is_watched());
        if others.is_empty()
            || !self.bus.is_connected()
            || is_followed()
            || self.presence.has_glimpse(id, self.now())
        {
            return;
        }
        let mut question = self.ask_all(id);
        let mut told = Vec::with_capacity(others.len());
        let mut open = others;
        let all_answered = async {
            while !open.is_empty()
                && let Some((node, presence)) = question.answers.recv().await
            {
                told.push(presence);
                open.retain(|other| *other != node);
            }
        };
        // Some answers are better than none.
        let _ = timeout(SHOWN_WITHIN, all_answered).await;
        self.presence.take_glimpse(id, &told, self.now());
    }

    fn ask_all(&self, id: MatchId) -> Question<'_> {
        let question = self.questions.ask();
        self.tell(Subject::All, &NodeMessage::Ask { question: question.number, id });
        question
    }
}

/// A rendered line as raw JSON.
fn raw(line: &Bytes) -> Option<Box<RawValue>> {
    RawValue::from_string(String::from_utf8(line.to_vec()).ok()?).ok()
}

fn line(raw: Box<RawValue>) -> Bytes {
    Bytes::from(String::from(Box::<str>::from(raw)))
}

/// Handles messages of other nodes until the server stops.
pub(super) async fn listen(context: Arc<Context>) {
    let _all = context.bus.subscribe(Subject::All);
    let _own = context.bus.subscribe(Subject::Node(context.membership.id().0));
    let mut ask = tokio::time::interval(ASK_EVERY);
    ask.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let delivery = tokio::select! {
            biased;
            () = context.stopping.cancelled() => return,
            delivery = context.bus.next() => delivery,
            _ = ask.tick() => {
                context.compare_presence();
                continue;
            }
        };
        match delivery {
            None => return,
            Some(Delivery::Gap) => {
                context.look.notify_one();
                // Connections and disconnections meanwhile were missed, here and elsewhere.
                for room in context.rooms.watched() {
                    context.presence.forget_elsewhere(room.id());
                    context.spectators.forget_elsewhere(room.id());
                }
                context.compare_presence();
            }
            Some(Delivery::Message { subject, payload }) => hear(&context, subject, &payload),
        }
    }
}

/// Handles a message, if it is from a node.
fn hear(context: &Arc<Context>, subject: Subject, sealed: &Bytes) {
    let Some(seal) = context.seal.get() else { return };
    let (node, message) = match seal.open(subject, context.now(), sealed) {
        Ok((node, message)) => (NodeId(node), message),
        Err(why) => {
            metrics::counter!("lusoria_bus_not_genuine_total", "why" => why.name()).increment(1);
            tracing::debug!(?why, "a message over the bus is not genuine; ignoring it");
            return;
        }
    };
    match serde_json::from_slice(&message) {
        Ok(message) => take(context, subject, node, message),
        // A later release may send messages that this one does not understand.
        Err(error) => {
            metrics::counter!("lusoria_bus_not_understood_total").increment(1);
            tracing::debug!(%error, "could not read a message from another node; ignoring it");
        }
    }
}

fn take(context: &Arc<Context>, subject: Subject, node: NodeId, message: NodeMessage) {
    match (subject, message) {
        (Subject::Match(id), NodeMessage::Committed { history, head, edition }) => {
            if let Some(room) = context.rooms.get(id).filter(|room| room.history() == history) {
                refresh::take_told(context, &room, Version { head, edition });
            }
        }
        (Subject::Match(id), NodeMessage::Notice { line: raw, shown }) => {
            if let Some(room) = context.rooms.get(id) {
                if let Some(shown) = shown {
                    room.note_shown(shown);
                }
                room.notify(&line(raw));
            }
        }
        (Subject::Player(player), NodeMessage::Notice { line: raw, shown: _ }) => {
            context.topics.tell(player, || line(raw));
        }
        (Subject::Lobby, NodeMessage::Lobby { id, is_open, line: raw }) => {
            context.topics.take_told(id, is_open, &line(raw));
        }
        (Subject::Match(id), NodeMessage::Remark { room, by, is_text, line: raw }) => {
            talk::take_told(context, SaidRemark { of: id, room, by, is_text, line: line(raw) });
        }
        (Subject::Match(id), NodeMessage::Presence { seat, presence }) => {
            if let Some(room) = context.rooms.get(id)
                && let Some(connected) = context.presence.note_elsewhere(id, seat, node, presence.into())
            {
                room.notify(&context.render.notice(&Notice::Presence { id, seat, connected }));
            }
        }
        (Subject::Match(id), NodeMessage::Spectators { count }) => {
            if context.rooms.get(id).is_some_and(|room| room.is_watched()) {
                context.spectators.note_elsewhere(id, node, count, context.now());
            }
        }
        (Subject::Match(id), NodeMessage::WhoIsThere) => context.tell_who_is_here(id),
        (Subject::All, NodeMessage::Doubt { player }) => context.doubt_here(player),
        (Subject::All, NodeMessage::Ask { question, id }) => {
            let here = |seat| context.presence.here(id, seat).into();
            let presence = BySeat(here(Seat::One), here(Seat::Two));
            context.send(Subject::Node(node.0), &NodeMessage::Answer { question, presence });
        }
        (Subject::Node(_), NodeMessage::Answer { question, presence }) => {
            let BySeat(one, two) = presence;
            context.questions.answer(question, node, BySeat(one.into(), two.into()));
        }
        // Nobody sends that on this subject.
        (subject, _) => {
            tracing::debug!(?subject, "a message from another node has the wrong subject; ignoring it");
        }
    }
}
