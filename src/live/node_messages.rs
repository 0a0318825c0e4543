//! What nodes tell each other over the bus. No match depends on it: what is in a match comes from the journal, and
//! what is not told is found by looking ([`super::refresh`]). Messages are sealed with the key of the cluster.
//!
//! Secrets never travel here: an event has none that is not public.

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

/// How long the other nodes are given to say when they last saw somebody.
const SEEN_WITHIN: Duration = Duration::from_secs(2);

/// The same if it is only to be shown.
const SHOWN_WITHIN: Duration = Duration::from_millis(250);

/// How often nodes compare who is connected to the matches that are followed: what is told just when a node
/// comes back may be heard by nobody.
const ASK_EVERY: Duration = Duration::from_secs(20);

/// A message from one node to others, as JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum NodeMessage {
    /// The journal of a match goes on, or names in it were replaced. To those who follow it.
    Committed {
        /// The history that its journal is part of.
        history: Uuid,
        head: u32,
        edition: u32,
    },
    /// A line for all who watch a match, or listen to a topic.
    Notice {
        line: Box<RawValue>,
        /// The turn being built that it shows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shown: Option<ShownTurn>,
    },
    /// The lobby is told that a match waits for somebody to join, or no longer does.
    Lobby { id: MatchId, is_open: bool, line: Box<RawValue> },
    /// Something was said in a match. To those who follow it.
    Remark { room: TalkRoom, by: PlayerId, is_text: bool, line: Box<RawValue> },
    /// Somebody came to a seat of a match, or left it. To those who follow it.
    Presence { seat: Seat, presence: Seen },
    /// So many watch a match at a node without playing in it. To those who follow it.
    Spectators { count: u32 },
    /// Somebody begins to follow a match, and wants to know who is connected.
    WhoIsThere,
    /// Tokens of a player may have been revoked. To all.
    Doubt { player: PlayerId },
    /// When were the players of a match last seen? To all.
    Ask { question: u64, id: MatchId },
    /// The answer. To the node that asked.
    Answer { question: u64, presence: BySeat<Seen> },
}

/// A [`Presence`] on the way.
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

    /// The same even if no other node is known: another one may know this one.
    fn send(&self, subject: Subject, message: &NodeMessage) {
        let Some(seal) = self.seal.get() else { return };
        let message = serde_json::to_vec(message).expect("plain data");
        self.bus.publish(subject, seal.close(subject, self.now(), &message));
    }

    /// Tells the nodes that follow a match what its journal has.
    pub(super) fn tell_committed(&self, id: MatchId, Version { head, edition }: Version) {
        let history = self.membership.known().history;
        self.tell(Subject::Match(id), &NodeMessage::Committed { history, head, edition });
    }

    /// Leaves a notice with a player, whichever node they are connected to.
    pub(super) fn tell_player(&self, player: PlayerId, notice: impl FnOnce() -> Notice) {
        if self.membership.has_others() {
            let line = self.render.notice(&notice());
            self.tell_notice(Subject::Player(player), &line, None);
            self.topics.tell(player, || line);
        } else {
            self.topics.tell(player, || self.render.notice(&notice()));
        }
    }

    /// Tells the lobby of every node that a match is closed; that of this node first that it opened, if that
    /// is still to be told.
    pub(super) fn tell_closed(&self, id: MatchId, opened: impl FnOnce() -> Notice) {
        let closed = || self.render.notice(&Notice::Closed { id });
        if self.membership.has_others() {
            self.tell_lobby(id, false, &closed());
        }
        self.topics.tell_closed(id, || self.render.notice(&opened()), closed);
    }

    /// Leaves a notice with everyone who watches a match.
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

    /// Hands a notice to the other nodes on which somebody may want it.
    fn tell_notice(&self, subject: Subject, line: &Bytes, shown: Option<ShownTurn>) {
        if let Some(line) = raw(line) {
            self.tell(subject, &NodeMessage::Notice { line, shown });
        }
    }

    /// Hands a remark to the other nodes on which somebody may listen.
    pub(super) fn tell_said(
        &self,
        subject: Subject,
        SaidRemark { room, by, is_text, line, .. }: &SaidRemark,
    ) {
        if let Some(line) = raw(line) {
            self.tell(subject, &NodeMessage::Remark { room: *room, by: *by, is_text: *is_text, line });
        }
    }

    /// Hands a notice for the lobby to the other nodes.
    pub(super) fn tell_lobby(&self, id: MatchId, is_open: bool, line: &Bytes) {
        if let Some(line) = raw(line) {
            self.tell(Subject::Lobby, &NodeMessage::Lobby { id, is_open, line });
        }
    }

    /// Tells the nodes that follow a match that somebody came or left.
    pub(super) fn tell_presence(&self, id: MatchId, seat: Seat, presence: Presence) {
        self.tell(Subject::Match(id), &Self::presence_message(seat, presence));
    }

    fn presence_message(seat: Seat, presence: Presence) -> NodeMessage {
        NodeMessage::Presence { seat, presence: presence.into() }
    }

    /// Tells the nodes that follow a match how many watch it here without playing in it.
    pub(super) fn tell_spectators(&self, id: MatchId, count: u32) {
        self.tell(Subject::Match(id), &NodeMessage::Spectators { count });
    }

    /// Asks the nodes that follow a match who is connected.
    pub(super) fn ask_who_is_there(&self, id: MatchId) {
        self.tell(Subject::Match(id), &NodeMessage::WhoIsThere);
    }

    /// Tells and asks who is connected to each match that somebody here watches.
    pub(super) fn compare_presence(&self) {
        for room in self.rooms.watched() {
            self.tell_who_is_here(room.id());
            self.ask_who_is_there(room.id());
        }
    }

    /// Tells the nodes that follow a match which of its players are connected to this one, and how many others
    /// watch it here.
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

    /// Has all nodes look up the tokens of a player.
    pub(super) fn tell_doubt(&self, player: PlayerId) {
        self.tell(Subject::All, &NodeMessage::Doubt { player });
    }

    /// Whether the holder of a seat is connected to any node, and since when not. A node that does not answer
    /// may have them.
    pub(super) async fn presence_everywhere(&self, id: MatchId, seat: Seat) -> Presence {
        let here = self.presence.here(id, seat);
        let others = self.membership.others();
        let Presence::Gone { since } = here else { return here };
        // A node that stopped may have had them until then.
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

    /// Has the other nodes say who is connected to a match that nobody here follows, to show it, unless they
    /// have said so just now. Of a match that is followed they tell unasked.
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
        // What some say is better than nothing.
        let _ = timeout(SHOWN_WITHIN, all_answered).await;
        self.presence.take_glimpse(id, &told, self.now());
    }

    fn ask_all(&self, id: MatchId) -> Question<'_> {
        let question = self.questions.ask();
        self.tell(Subject::All, &NodeMessage::Ask { question: question.number, id });
        question
    }
}

/// A line that was rendered, as it stands.
fn raw(line: &Bytes) -> Option<Box<RawValue>> {
    RawValue::from_string(String::from_utf8(line.to_vec()).ok()?).ok()
}

fn line(raw: Box<RawValue>) -> Bytes {
    Bytes::from(String::from(Box::<str>::from(raw)))
}

/// Takes what other nodes tell, until the server stops.
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
                // Who came or left meanwhile was not heard, here or elsewhere.
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

/// Hears a message, if it is of a node.
fn hear(context: &Arc<Context>, subject: Subject, sealed: &Bytes) {
    let Some(seal) = context.seal.get() else { return };
    let (node, message) = match seal.open(subject, context.now(), sealed) {
        Ok((node, message)) => (NodeId(node), message),
        Err(why) => {
            metrics::counter!("lusoria_bus_not_genuine_total", "why" => why.name()).increment(1);
            tracing::debug!(?why, "a message over the bus is not genuine; going on without it");
            return;
        }
    };
    match serde_json::from_slice(&message) {
        Ok(message) => take(context, subject, node, message),
        // A newer release may tell more than this one understands.
        Err(error) => {
            metrics::counter!("lusoria_bus_not_understood_total").increment(1);
            tracing::debug!(%error, "a message from another node could not be read; going on without it");
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
        // Nobody tells that there.
        (subject, _) => {
            tracing::debug!(?subject, "a message from another node is out of place; going on without it");
        }
    }
}
