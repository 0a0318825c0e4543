//! State shared by all matches.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU64, Ordering},
};

use lusoria_bus::{Bus, Seal};
use lusoria_play::{Match, MatchId, Millis, PlayerId, Seat};
use lusoria_store::Store;
use tokio::sync::{Mutex, Notify};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    Entropy, Render, Room, ServerTime,
    alarm::Alarm,
    arrival::Arrivals,
    match_inbox::MatchInbox,
    membership::Membership,
    presence::PresenceBook,
    push_inbox::{PushInbox, PushMatter},
    questions::Questions,
    rating::RatingLocks,
    recent_rooms::RecentRooms,
    room::Rooms,
    spectators::Spectators,
    topics::Topics,
    tournaments::Tournaments,
};

/// State shared by all matches.
pub(super) struct Context {
    pub(super) store: Arc<Store>,
    pub(super) bus: Arc<dyn Bus>,
    /// The key that seals messages to other nodes; set when this node has joined them.
    pub(super) seal: OnceLock<Seal>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) render: Arc<dyn Render>,
    pub(super) membership: Membership,
    pub(super) rooms: Arc<Rooms>,
    pub(super) recent_rooms: RecentRooms,
    pub(super) presence: PresenceBook,
    pub(super) spectators: Spectators,
    pub(super) topics: Arc<Topics>,
    pub(super) arrivals: Arc<Arrivals>,
    pub(super) questions: Questions,
    pub(super) computer_inbox: MatchInbox,
    /// Matches that may have a conditional turn to play.
    pub(super) conditional_inbox: MatchInbox,
    pub(super) push_inbox: PushInbox,
    pub(super) alarm: Alarm,
    pub(super) tournaments: Tournaments,
    pub(super) ratings: RatingLocks,
    pub(super) tasks: TaskTracker,
    pub(super) stopping: CancellationToken,
    /// Cancelled when another node has taken this one's name.
    pub(super) expelled: CancellationToken,
    /// Notified when all watched matches must be refreshed.
    pub(super) look: Notify,
    /// Held during a beat.
    pub(super) beating: Mutex<()>,
    /// Held while a seek is paired.
    pub(super) pairing: Mutex<()>,
    /// Notified when all connections must be closed.
    interrupted: Notify,
    /// How many tokens have been revoked since the start, as far as is known.
    revocations: AtomicU64,
    /// The time before the server runs.
    prepared: ServerTime,
    running: OnceLock<ServerTime>,
}

impl Context {
    /// For a server that does not run yet.
    pub(super) fn new(
        store: Arc<Store>,
        bus: Arc<dyn Bus>,
        membership: Membership,
        prepared: ServerTime,
        entropy: Arc<dyn Entropy>,
        render: Arc<dyn Render>,
    ) -> Self {
        Self {
            store,
            bus,
            seal: OnceLock::new(),
            entropy,
            render,
            membership,
            rooms: Arc::default(),
            recent_rooms: RecentRooms::default(),
            presence: PresenceBook::new(prepared.now()),
            spectators: Spectators::default(),
            topics: Arc::default(),
            arrivals: Arc::default(),
            questions: Questions::default(),
            computer_inbox: MatchInbox::default(),
            conditional_inbox: MatchInbox::default(),
            push_inbox: PushInbox::default(),
            alarm: Alarm::default(),
            tournaments: Tournaments::default(),
            ratings: RatingLocks::default(),
            tasks: TaskTracker::new(),
            stopping: CancellationToken::new(),
            expelled: CancellationToken::new(),
            look: Notify::new(),
            beating: Mutex::default(),
            pairing: Mutex::default(),
            interrupted: Notify::new(),
            revocations: AtomicU64::default(),
            prepared,
            running: OnceLock::new(),
        }
    }

    /// Makes the server run by this time.
    pub(super) fn run_by(&self, time: ServerTime) {
        self.presence.begin(time.now());
        let _ = self.running.set(time);
    }

    /// The server's time, in milliseconds since the epoch.
    pub(super) fn now(&self) -> Millis {
        self.running.get().unwrap_or(&self.prepared).now()
    }

    pub(super) fn time(&self) -> ServerTime {
        self.running.get().unwrap_or(&self.prepared).clone()
    }

    /// Closes all connections: what their clients know may be wrong, or this node cannot serve them.
    pub(super) fn interrupt(&self) {
        self.interrupted.notify_one();
    }

    pub(super) async fn interrupted(&self) {
        self.interrupted.notified().await;
    }

    /// The room of a match, created if there is none.
    pub(super) fn room(&self, id: MatchId) -> Arc<Room> {
        self.rooms.get_or_make(id, self.membership.known().history)
    }

    /// Until when the deadline of a match must wait for earlier messages, if it must.
    pub(super) fn deadline_held_up_until(&self, state: &Match) -> Option<Millis> {
        let deadline = state.next_deadline()?;
        self.arrivals.held_up_until(state.id(), deadline, self.now())
    }

    /// Marks a match for the computer if it has a seat there.
    pub(super) fn tell_computer(&self, state: &Match) {
        if Seat::BOTH.into_iter().any(|seat| state.is_computer(seat)) {
            self.computer_inbox.mark(state.id());
        }
    }

    /// Marks a match whose player to move may have conditional turns.
    pub(super) fn play_conditional(&self, state: &Match) {
        if state.terms().clock.is_correspondence() {
            self.conditional_inbox.mark(state.id());
        }
    }

    /// Queues a push message for the player to move in a correspondence match. Only the node that committed
    /// calls this, so the player gets one message, not one from each node.
    pub(super) fn push_turn(&self, state: &Match) {
        let seat = state.waits_for().filter(|seat| !state.is_computer(*seat));
        if let Some(player) = seat.and_then(|seat| state.player(seat))
            && state.terms().clock.is_correspondence()
        {
            self.push_inbox.mark(player.id, PushMatter::YourTurn(state.id()));
        }
    }

    /// Makes every connection of this node that has shown a token of this player look it up again.
    pub(super) fn doubt_here(&self, player: PlayerId) {
        self.revocations.fetch_add(1, Ordering::Release);
        self.topics.doubt(player);
    }

    /// How many tokens have been revoked since the start, as far as is known.
    pub(super) fn revocations(&self) -> u64 {
        self.revocations.load(Ordering::Acquire)
    }
}
