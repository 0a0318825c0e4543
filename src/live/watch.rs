//! The watch of a match by a connection.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use lusoria_bus::Subject;
use lusoria_play::{PlayerId, Seat};

use super::{Mailbox, Notice, Presence, Room, context::Context, presence::Change};

/// The watch of a match by a connection. Dropping it ends it.
pub struct Watch {
    context: Arc<Context>,
    room: Arc<Room>,
    key: u64,
    seats: Vec<Seat>,
    /// Whether the watcher counts as a spectator.
    is_spectator: bool,
    /// Keeps the subscription to other nodes' messages about the match.
    _of_others: lusoria_bus::Subscription,
}

/// A turn that is sent to its player, with a ping.
#[derive(Debug)]
pub struct GivenTurn {
    /// Weak: a client that never answers must not keep the match in memory.
    room: Weak<Room>,
    seat: Seat,
    given: u32,
}

impl GivenTurn {
    /// Notes how long the answer to its ping took.
    pub fn answered_after(&self, took: Duration) {
        if let Some(room) = self.room.upgrade() {
            room.note_line(self.seat, self.given, took);
        }
    }
}

impl Watch {
    pub(super) fn begin(
        context: &Arc<Context>,
        room: Arc<Room>,
        mailbox: Arc<Mailbox>,
        player: Option<PlayerId>,
    ) -> Self {
        let state = room.state();
        let holds = |seat: &Seat| player.is_some() && state.player(*seat).map(|p| p.id) == player;
        let seats: Vec<_> = Seat::BOTH.into_iter().filter(holds).collect();
        let of_others = context.bus.subscribe(Subject::Match(room.id()));
        let (key, is_first) = {
            let mut watchers = room.watchers.lock();
            let is_first = watchers.is_empty();
            (watchers.enter(mailbox, !seats.is_empty()), is_first)
        };
        if is_first {
            context.ask_who_is_there(room.id());
        }
        let context = Arc::clone(context);
        let mut watch = Self { context, room, key, seats, is_spectator: false, _of_others: of_others };
        watch.count_as_spectator(true);
        for &seat in &watch.seats {
            watch.came(seat);
        }
        watch
    }

    /// The match.
    pub fn room(&self) -> &Arc<Room> {
        &self.room
    }

    /// Sets whether the watcher counts as a spectator; never while they play.
    pub fn count_as_spectator(&mut self, counts: bool) {
        let is_spectator = counts && self.seats.is_empty();
        let (before, spectators) = (self.is_spectator, &self.context.spectators);
        self.is_spectator = is_spectator;
        match (before, is_spectator) {
            (false, true) => spectators.came(self.room.id()),
            (true, false) => spectators.left(self.room.id()),
            (true, true) | (false, false) => {}
        }
    }

    /// The watcher's turn, if the events after `since` up to `to` give it and its line is to be measured.
    pub fn turn_given(&self, since: u32, to: u32) -> Option<GivenTurn> {
        if self.seats.is_empty() {
            // True of most watchers.
            return None;
        }
        let (seat, given) = self.room.state().line_to_measure()?;
        let is_sent = self.seats.contains(&seat) && since < given && given <= to;
        is_sent.then(|| GivenTurn { room: Arc::downgrade(&self.room), seat, given })
    }

    /// Counts the watcher as a player if they have taken a seat since the watch began.
    pub fn sit(&mut self, player: PlayerId) {
        let state = self.room.state();
        let taken: Vec<_> = Seat::BOTH
            .into_iter()
            .filter(|seat| !self.seats.contains(seat) && state.player(*seat).is_some_and(|p| p.id == player))
            .collect();
        if taken.is_empty() {
            return;
        }
        self.room.watchers.lock().sit(self.key);
        self.count_as_spectator(false);
        for seat in taken {
            self.seats.push(seat);
            self.came(seat);
        }
    }

    fn came(&self, seat: Seat) {
        let (id, now) = (self.room.id(), self.context.now());
        self.tell(seat, self.context.presence.came(id, seat, now), Presence::Connected);
    }

    fn left(&self, seat: Seat) {
        let (id, now) = (self.room.id(), self.context.now());
        self.tell(seat, self.context.presence.left(id, seat, now), Presence::Gone { since: now });
    }

    /// Tells other nodes who is connected here, and watchers here who is connected at all.
    fn tell(&self, seat: Seat, change: Change, presence: Presence) {
        let id = self.room.id();
        if change.here {
            self.context.tell_presence(id, seat, presence);
        }
        if change.anywhere {
            let notice = Notice::Presence { id, seat, connected: presence == Presence::Connected };
            self.room.notify(&self.context.render.notice(&notice));
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let is_last = {
            let mut watchers = self.room.watchers.lock();
            watchers.leave(self.key);
            watchers.is_empty()
        };
        for &seat in &self.seats {
            self.left(seat);
        }
        self.count_as_spectator(false);
        if is_last {
            self.context.spectators.forget_elsewhere(self.room.id());
        }
        if is_last && self.context.membership.is_shared() {
            self.context.presence.forget_elsewhere(self.room.id());
        }
    }
}
