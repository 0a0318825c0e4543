//! Connections in memory: what the server reads and writes, and what is on its way.
//!
//! A link has two ends. The server's end is read and written by the real conversation;
//! the client's end is moved by the agenda of the world: every frame has an hour at which
//! it arrives. The server can have only so many frames on their way to a client that does
//! not read.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    pin::Pin,
    task::{Context, Poll, Waker},
};

use axum::extract::ws::Message;
use futures_util::{Sink, Stream};
use lusoria::ws::{Ending, ReadError, WriteError};
use lusoria_play::MatchId;
use serde_json::Value;

use super::world::{Shared, World};

/// One connection between a client and the server.
#[derive(Default)]
pub(super) struct Link {
    pub(super) client: usize,
    /// The guest whose token it has shown, whatever becomes of the token later.
    pub(super) guest: Option<usize>,
    /// The server at the other end.
    pub(super) node: usize,
    /// The history that the server has told.
    pub(super) history: Option<u128>,
    /// When the server last answered something that had taken it long: meanwhile it sends nothing else.
    pub(super) busy_until: u64,
    /// How far the server has sent each match that is watched, and since when it is.
    pub(super) sent: BTreeMap<MatchId, (u32, u64)>,
    /// What has arrived and the server has not read.
    pub(super) arrived: VecDeque<Message>,
    /// What the server has written and the client has not read.
    pub(super) unread: VecDeque<Frame>,
    /// How many frames may be unread before the server has to wait.
    window: usize,
    /// What the server has read and not answered: the id, and when it arrived.
    pub(super) unanswered: VecDeque<(Option<u32>, u64)>,
    /// The matches of which the server has said that it sends turns without the position after them.
    pub(super) without_positions: BTreeSet<MatchId>,
    /// The server can neither read nor write any more.
    pub(super) broken: bool,
    /// The client has left; whether the server has noticed is another matter.
    pub(super) left: bool,
    /// How many pings of the server have no pong yet, and when the last pong came: until then there may be no
    /// room for what the client has not asked for.
    pub(super) pings: u32,
    pub(super) heard_pong_at: u64,
    /// When the server last had to wait for the client.
    pub(super) blocked_at: Option<u64>,
    /// When the server last read anything before it said farewell.
    pub(super) heard_at: u64,
    /// Whether the server has said farewell.
    pub(super) dismissed: bool,
    /// How often the client was slow to read.
    pub(super) stalls: u32,
    /// How the conversation ended.
    pub(super) ending: Option<Ending>,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

/// What the server writes.
pub(super) enum Frame {
    Text(String, Value),
    Ping(bytes::Bytes),
    Close(u16),
}

impl Link {
    pub(super) fn new(client: usize, guest: Option<usize>, node: usize, window: usize, now: u64) -> Self {
        Self { client, guest, node, window, heard_at: now, ..Self::default() }
    }

    /// Whether the server never had to wait for the client, so that no notice was dropped.
    pub(super) const fn reads_well(&self) -> bool {
        self.blocked_at.is_none() && self.stalls == 0
    }

    /// A frame arrives at the server.
    pub(super) fn arrive(&mut self, message: Message) {
        self.arrived.push_back(message);
        self.wake();
    }

    /// The client reads the next frame.
    pub(super) fn read(&mut self) -> Option<Frame> {
        let frame = self.unread.pop_front();
        self.wake();
        frame
    }

    /// The server's end breaks.
    pub(super) fn cut(&mut self) {
        self.broken = true;
        self.wake();
    }

    /// The server looks at it again.
    pub(super) fn wake(&mut self) {
        for waker in [self.reader.take(), self.writer.take()].into_iter().flatten() {
            waker.wake();
        }
    }
}

/// The server's end of a link.
pub(super) struct ServersEnd {
    world: Shared,
    link: usize,
}

impl ServersEnd {
    pub(super) fn new(world: &Shared, link: usize) -> Self {
        Self { world: Shared::clone(world), link }
    }

    fn poll_room(&self, cx: &Context<'_>) -> Poll<Result<(), WriteError>> {
        let mut world = self.world.lock();
        let now = world.now();
        let is_paused = world.is_paused(self.link);
        let link = &mut world.links[self.link];
        if link.broken {
            return Poll::Ready(Err(WriteError::Broken));
        }
        if is_paused {
            link.writer = Some(cx.waker().clone());
            return Poll::Pending;
        }
        if link.unread.len() < link.window {
            return Poll::Ready(Ok(()));
        }
        link.blocked_at = Some(now);
        link.writer = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Stream for ServersEnd {
    type Item = Result<Message, ReadError>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut world = self.world.lock();
        let now = world.now();
        let is_paused = world.is_paused(self.link);
        let link = &mut world.links[self.link];
        if is_paused && !link.broken {
            link.reader = Some(cx.waker().clone());
            return Poll::Pending;
        }
        if let Some(message) = link.arrived.pop_front() {
            if !link.dismissed {
                link.heard_at = now;
            }
            if let Message::Pong(_) = &message {
                link.pings = link.pings.saturating_sub(1);
                link.heard_pong_at = now;
            }
            if let Message::Text(text) = &message {
                let id = id_of(text);
                link.unanswered.push_back((id, now));
                world.server_hears(self.link, id);
            }
            return Poll::Ready(Some(Ok(message)));
        }
        if link.broken {
            return Poll::Ready(Some(Err(ReadError::Broken)));
        }
        link.reader = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Sink<Message> for ServersEnd {
    type Error = WriteError;

    fn poll_ready(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), WriteError>> {
        self.poll_room(cx)
    }

    fn start_send(self: Pin<&mut Self>, message: Message) -> Result<(), WriteError> {
        World::server_says(&mut self.world.lock(), self.link, message);
        Ok(())
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), WriteError>> {
        self.poll_room(cx)
    }

    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), WriteError>> {
        self.poll_room(cx)
    }
}

fn id_of(text: &str) -> Option<u32> {
    let message: Value = serde_json::from_str(text).ok()?;
    message.get("id")?.as_u64()?.try_into().ok()
}
