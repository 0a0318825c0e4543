//! A watch of a match by a connection.

use std::sync::Arc;

use lusoria_play::{PlayerId, Seat};

use super::{Mailbox, Notice, Room, context::Context};

/// A watch of one match by one connection. Dropping it ends it.
pub struct Watch {
    context: Arc<Context>,
    room: Arc<Room>,
    key: u64,
    seats: Vec<Seat>,
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
        let key = room.watchers.lock().enter(mailbox, !seats.is_empty());
        let watch = Self { context: Arc::clone(context), room, key, seats };
        for &seat in &watch.seats {
            if context.presence.came(watch.room.id(), seat, context.now()) {
                watch.tell_presence(seat, true);
            }
        }
        watch
    }

    /// The match.
    pub fn room(&self) -> &Arc<Room> {
        &self.room
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
        for seat in taken {
            self.seats.push(seat);
            if self.context.presence.came(self.room.id(), seat, self.context.now()) {
                self.tell_presence(seat, true);
            }
        }
    }

    fn tell_presence(&self, seat: Seat, connected: bool) {
        let notice = Notice::Presence { id: self.room.id(), seat, connected };
        self.room.notify(&self.context.render.notice(&notice));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.room.watchers.lock().leave(self.key);
        for &seat in &self.seats {
            if self.context.presence.left(self.room.id(), seat, self.context.now()) {
                self.tell_presence(seat, false);
            }
        }
    }
}
