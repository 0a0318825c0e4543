//! What the tasks of all matches share.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU64, Ordering},
};

use lusoria_play::{Match, Millis, Seat};
use lusoria_store::{Outage, Store};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    Entropy, Render, ServerTime, alarm::Alarm, arrival::Arrivals, computer_inbox::ComputerInbox,
    presence::PresenceBook, room::Rooms, topics::Topics,
};

/// What the tasks of all matches share.
pub(super) struct Context {
    pub(super) store: Arc<dyn Store>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) render: Arc<dyn Render>,
    pub(super) rooms: Arc<Rooms>,
    pub(super) presence: PresenceBook,
    pub(super) topics: Arc<Topics>,
    pub(super) arrivals: Arc<Arrivals>,
    pub(super) computer_inbox: ComputerInbox,
    pub(super) alarm: Alarm,
    pub(super) tasks: TaskTracker,
    pub(super) stopping: CancellationToken,
    /// The time until the server runs.
    prepared: ServerTime,
    running: OnceLock<Running>,
    /// When the store last took the note that the server is alive.
    alive_at: AtomicU64,
}

/// What is known once the server runs.
struct Running {
    time: ServerTime,
    /// The times during which the server did not run, for the credit that matches give.
    outages: Vec<Outage>,
}

impl Context {
    /// Of a server that does not run yet.
    pub(super) fn new(
        store: Arc<dyn Store>,
        prepared: ServerTime,
        entropy: Arc<dyn Entropy>,
        render: Arc<dyn Render>,
    ) -> Self {
        let now = prepared.now();
        Self {
            store,
            entropy,
            render,
            rooms: Arc::default(),
            presence: PresenceBook::new(now),
            topics: Arc::default(),
            arrivals: Arc::default(),
            computer_inbox: ComputerInbox::default(),
            alarm: Alarm::default(),
            tasks: TaskTracker::new(),
            stopping: CancellationToken::new(),
            prepared,
            running: OnceLock::new(),
            alive_at: AtomicU64::new(now),
        }
    }

    /// The server runs from `now` on, after these outages.
    pub(super) fn run_from(&self, now: Millis, outages: Vec<Outage>) {
        self.presence.begin(now);
        self.note_alive(now);
        let _ = self.running.set(Running { time: ServerTime::from_epoch(now), outages });
    }

    /// The server's time, in milliseconds since the epoch.
    pub(super) fn now(&self) -> Millis {
        self.time().now()
    }

    pub(super) fn time(&self) -> ServerTime {
        self.running.get().map_or(self.prepared, |running| running.time)
    }

    /// The store has taken the note that the server is alive.
    pub(super) fn note_alive(&self, now: Millis) {
        self.alive_at.store(now, Ordering::Relaxed);
    }

    /// How long ago the store last took that note, in milliseconds.
    pub(super) fn since_alive_ms(&self) -> Millis {
        self.now().saturating_sub(self.alive_at.load(Ordering::Relaxed))
    }

    /// The outages for which a match may still have to give credit.
    pub(super) fn outages_owed(&self, state: &Match) -> impl Iterator<Item = Outage> {
        let last = if state.end().is_some() { Millis::MAX } else { state.last_at() };
        let outages = self.running.get().map_or(&[][..], |running| &running.outages);
        outages.iter().copied().filter(move |outage| outage.until > last)
    }

    /// Until when the deadline of a match has to wait for what arrived before it, if it has to.
    pub(super) fn deadline_held_up_until(&self, state: &Match) -> Option<Millis> {
        let deadline = state.next_deadline()?;
        self.arrivals.held_up_until(state.id(), deadline, self.now())
    }

    /// Has the computer look at a match in which it has a seat.
    pub(super) fn tell_computer(&self, state: &Match) {
        if Seat::BOTH.into_iter().any(|seat| state.is_computer(seat)) {
            self.computer_inbox.mark(state.id());
        }
    }
}
