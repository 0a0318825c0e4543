//! The live side of the server: one task for each match that is being played,
//! publishing to watchers, and deadlines.
//!
//! [`Live`] is the door. It asks the store for what lasts; `http` and `ws` reach it
//! through `app`. What a task knows is in the journal, so a task can end at any time.

mod arrival;
mod bell;
mod chance;
mod error;
mod mailbox;
mod names;
mod presence;
mod publish;
mod queue;
mod request;
mod room;
mod scheduler;
mod summary;
mod task;
mod time;
mod topics;
mod watchers;

pub use arrival::{Arrived, LastRead};
pub use bell::{Bell, Rung};
pub use error::CommandError;
pub use mailbox::{Mail, Mailbox};
pub use presence::Here;
pub use publish::{Notice, Published, Render};
pub use queue::WAITING_OF_GUEST_MAX;
pub use request::{Creation, Invite, MatchRequest, Outcome, RematchSeed};
pub use room::{Room, Watch};
pub use summary::{Card, CardResult};
pub use time::{Entropy, OsEntropy, ServerTime};
pub use topics::TopicSubscription;

use std::{
    collections::HashMap,
    sync::{
        Arc, OnceLock, Weak,
        atomic::{AtomicU64, Ordering},
    },
};

use lusoria_play::{Match, MatchId, Millis, PlayerId, Seat};
use parking_lot::Mutex;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use arrival::Arrivals;
use lusoria_store::{Outage, Store, StoreError};
use presence::PresenceBook;
use room::LoadError;
use scheduler::Alarm;
use topics::Topics;

/// How long the store may fail to take the note of being alive, in milliseconds.
const UNWELL_AFTER_MS: Millis = 10_000;

/// All live matches of this server.
pub struct Live {
    store: Arc<dyn Store>,
    /// The time until the server runs.
    prepared: ServerTime,
    running: OnceLock<Running>,
    entropy: Arc<dyn Entropy>,
    render: Arc<dyn Render>,
    rooms: Mutex<HashMap<MatchId, Weak<Room>>>,
    presence: PresenceBook,
    topics: Topics,
    arrivals: Arc<Arrivals>,
    bell: Bell,
    alarm: Alarm,
    /// When the store last took the note that the server is alive.
    alive_at: AtomicU64,
    tasks: TaskTracker,
    stopping: CancellationToken,
}

/// What is known once the server runs.
struct Running {
    time: ServerTime,
    /// The times during which the server did not run, for the credit that matches give.
    outages: Vec<Outage>,
}

impl Live {
    /// Prepares the live matches of a server that does not run yet: until [`Live::begin`] no match
    /// may be looked at.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn prepare(
        store: Arc<dyn Store>,
        time: ServerTime,
        entropy: Arc<dyn Entropy>,
        render: Arc<dyn Render>,
    ) -> Result<Arc<Self>, StoreError> {
        let prepared = time.not_before(store.last_alive().await?.unwrap_or(0));
        let now = prepared.now();
        Ok(Arc::new(Self {
            store,
            prepared,
            running: OnceLock::new(),
            entropy,
            render,
            rooms: Mutex::default(),
            presence: PresenceBook::new(now),
            topics: Topics::default(),
            arrivals: Arc::default(),
            bell: Bell::default(),
            alarm: Alarm::default(),
            alive_at: AtomicU64::new(now),
            tasks: TaskTracker::new(),
            stopping: CancellationToken::new(),
        }))
    }

    /// Notes in the store that the server runs from now on, and starts the scheduler. What takes
    /// time in a start comes before: the outage for which matches are given credit ends here.
    /// What this itself takes passes for nobody: the server's time stands still meanwhile.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    pub async fn begin(self: &Arc<Self>) -> Result<(), StoreError> {
        self.end_outage().await?;
        self.tasks.spawn(scheduler::wake_what_is_due(Arc::clone(self)));
        self.tasks.spawn(scheduler::note_being_alive(Arc::clone(self)));
        self.tasks.spawn(scheduler::sweep_now_and_then(Arc::clone(self)));
        Ok(())
    }

    /// Prepares and begins at once.
    ///
    /// # Errors
    /// As [`Live::prepare`] and [`Live::begin`].
    pub async fn start(
        store: Arc<dyn Store>,
        time: ServerTime,
        entropy: Arc<dyn Entropy>,
        render: Arc<dyn Render>,
    ) -> Result<Arc<Self>, StoreError> {
        let live = Self::prepare(store, time, entropy, render).await?;
        live.begin().await?;
        Ok(live)
    }

    /// Starts for a command that runs while no server does: what is due waits for the server.
    ///
    /// # Errors
    /// As [`Live::start`].
    pub async fn without_scheduler(
        store: Arc<dyn Store>,
        time: ServerTime,
        entropy: Arc<dyn Entropy>,
        render: Arc<dyn Render>,
    ) -> Result<Arc<Self>, StoreError> {
        let live = Self::prepare(store, time, entropy, render).await?;
        live.end_outage().await?;
        Ok(live)
    }

    async fn end_outage(&self) -> Result<(), StoreError> {
        let now = self.prepared.now();
        self.store.begin(now).await?;
        let outages = self.store.outages(0).await?;
        self.presence.begin(now);
        self.alive_at.store(now, Ordering::Relaxed);
        let _ = self.running.set(Running { time: ServerTime::from_epoch(now), outages });
        Ok(())
    }

    /// The server's time, in milliseconds since the epoch.
    pub fn now(&self) -> Millis {
        self.time().now()
    }

    fn time(&self) -> ServerTime {
        self.running.get().map_or(self.prepared, |running| running.time)
    }

    /// What lasts.
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// Random bytes from the operating system (from a seed in tests).
    pub fn entropy(&self) -> &dyn Entropy {
        &*self.entropy
    }

    /// Where the computer hears of its matches.
    pub fn bell(&self) -> &Bell {
        &self.bell
    }

    /// Told when the server is stopping.
    pub fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }

    /// Whether the store takes writes: it has taken the note of being alive lately.
    pub fn is_well(&self) -> bool {
        self.now().saturating_sub(self.alive_at.load(Ordering::Relaxed)) < UNWELL_AFTER_MS
    }

    /// Makes a match. It is made to the end even if the caller no longer waits.
    ///
    /// # Errors
    /// If the terms are out of range or the store refuses.
    pub async fn create(self: &Arc<Self>, creation: Creation) -> Result<Outcome, CommandError> {
        let made = self.tasks.spawn(request::create(Arc::clone(self), creation));
        made.await.unwrap_or_else(|_| Err(CommandError::lost()))
    }

    /// Notes that something has arrived over a connection that has just read the last of it: a
    /// command to match `of`, or to any match if that is not known yet. Until it is decided, the
    /// deadlines that come after it wait for it.
    pub fn arrived(&self, last_read: &LastRead, of: Option<MatchId>) -> Arrived {
        self.arrivals.note(self.time(), last_read.at(), of)
    }

    /// Puts a command that arrives now to the match and waits until it has been committed or
    /// refused.
    ///
    /// # Errors
    /// If there is no such match, it refuses the command, too many commands wait for it, or the
    /// store refuses.
    pub async fn command(
        self: &Arc<Self>,
        id: MatchId,
        request: MatchRequest,
    ) -> Result<Outcome, CommandError> {
        let arrived = self.arrived(&LastRead::default(), Some(id));
        self.command_arrived(id, request, &arrived).await
    }

    /// The same for a command that arrived earlier. It is judged as of then, or as of the last
    /// event of the match if that is later.
    ///
    /// # Errors
    /// As [`Live::command`].
    pub async fn command_arrived(
        self: &Arc<Self>,
        id: MatchId,
        request: MatchRequest,
        arrived: &Arrived,
    ) -> Result<Outcome, CommandError> {
        arrived.concerns(id);
        queue::submit(self, id, request, arrived.at()).await
    }

    /// The last committed state of a match.
    ///
    /// # Errors
    /// If there is no such match or its journal cannot be read.
    pub async fn state(self: &Arc<Self>, id: MatchId) -> Result<Arc<Match>, CommandError> {
        Ok(self.room(id).await?.state())
    }

    /// Events of a match after `since`, from memory or else from the journal; at most
    /// `limit`.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn events_of(&self, room: &Room, since: u32, limit: u32) -> Result<Vec<Published>, StoreError> {
        if let Some(recent) = room.recent_after(since, limit as usize) {
            return Ok(recent);
        }
        let state = room.state();
        let rows = self.store.events(room.id(), since, limit).await?;
        let published = state.head();
        Ok(rows
            .into_iter()
            .take_while(|recorded| recorded.seq <= published)
            .map(|recorded| Published::new(&state, &recorded, &*self.render))
            .collect())
    }

    /// Watches a match: `mailbox` is told whenever its head advances. `seats` are those
    /// that the watcher holds in it; they count as connected while the watch lasts.
    ///
    /// # Errors
    /// If there is no such match or its journal cannot be read.
    pub async fn watch(
        self: &Arc<Self>,
        id: MatchId,
        mailbox: Arc<Mailbox>,
        player: Option<PlayerId>,
    ) -> Result<Watch, CommandError> {
        let room = self.room(id).await?;
        Ok(Watch::begin(self, room, mailbox, player))
    }

    /// Sends a partial turn to everyone who watches; it is not stored. False if too many
    /// were shown just now.
    pub fn show_building(&self, room: &Arc<Room>, notice: &Notice) -> bool {
        let may = room.may_show(self.now());
        if may {
            room.notify(&self.render.notice(notice));
        }
        may
    }

    /// Subscribes a mailbox to the lobby.
    pub fn subscribe_lobby(self: &Arc<Self>, mailbox: &Arc<Mailbox>) -> TopicSubscription {
        TopicSubscription::lobby(self, mailbox)
    }

    /// Subscribes a mailbox to what concerns a player.
    pub fn subscribe_personal(
        self: &Arc<Self>,
        mailbox: &Arc<Mailbox>,
        player: PlayerId,
    ) -> TopicSubscription {
        TopicSubscription::personal(self, mailbox, player)
    }

    /// Keeps a mailbox of a connection that has shown a player's token: it is told when the
    /// token is to be looked up again.
    pub fn token_shown(self: &Arc<Self>, mailbox: &Arc<Mailbox>, player: PlayerId) -> TopicSubscription {
        TopicSubscription::shown(self, mailbox, player)
    }

    /// Has every connection that has shown a token of this player look it up again at once.
    pub fn doubt(&self, player: PlayerId) {
        self.topics.doubt(player);
    }

    /// Notes that the holder of a seat has just been seen.
    pub fn saw(&self, id: MatchId, seat: Seat) {
        self.presence.saw(id, seat, self.now());
    }

    /// Whether the holder of a seat is connected, and since when not.
    pub fn here(&self, id: MatchId, seat: Seat) -> Here {
        self.presence.here(id, seat)
    }

    /// The room of a match, loaded from the journal if it is not in memory.
    ///
    /// # Errors
    /// If there is no such match or its journal cannot be read.
    pub async fn room(self: &Arc<Self>, id: MatchId) -> Result<Arc<Room>, CommandError> {
        let room = {
            let mut rooms = self.rooms.lock();
            rooms.get(&id).and_then(Weak::upgrade).unwrap_or_else(|| {
                let room = Room::new(self, id);
                rooms.insert(id, Arc::downgrade(&room));
                room
            })
        };
        room.load(self).await.map_err(|error| match error {
            LoadError::NoSuchMatch => CommandError::NoSuchMatch,
            LoadError::Store(error) => CommandError::Store(error),
        })?;
        Ok(room)
    }

    /// Renames a player in a match, in past events too. If the match is not in memory, only the
    /// journal is written.
    ///
    /// # Errors
    /// If there is no such match, its journal cannot be read, or the store refuses.
    pub async fn rename_in(
        self: &Arc<Self>,
        id: MatchId,
        player: PlayerId,
        name: &str,
    ) -> Result<(), CommandError> {
        // A task that loads the match meanwhile may have read the old name; later ones read the
        // new one.
        if !self.is_loaded(id) {
            let replaced = match names::replace(&*self.store, id, player, name).await {
                // It may be written: then a task with the old name must not write it again.
                Err(CommandError::Store(StoreError::Unknown(_))) => None,
                replaced => replaced?,
            };
            if replaced.is_some() && !self.is_loaded(id) {
                return Ok(());
            }
        }
        self.command(id, MatchRequest::Rename { player, name: name.to_owned() }).await.map(drop)
    }

    /// Whether the match is in memory, or is being loaded.
    fn is_loaded(&self, id: MatchId) -> bool {
        self.rooms.lock().get(&id).is_some_and(|room| room.strong_count() > 0)
    }

    /// Forgets a match that has ended and whose head is `head`. Watchers keep what they
    /// have; nobody else finds it. False if there is none.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn forget_match(&self, id: MatchId, head: u32) -> Result<bool, StoreError> {
        let forgotten = self.store.forget_match(id, head).await?;
        if forgotten {
            self.rooms.lock().remove(&id);
        }
        Ok(forgotten)
    }

    /// Stops the scheduler, lets every task finish what it has begun, and notes when it
    /// was told to stop as the last moment of being alive: from then on nobody is charged.
    pub async fn stop(&self) {
        let stopped_at = self.now();
        self.stopping.cancel();
        self.tasks.close();
        self.tasks.wait().await;
        if let Err(error) = self.store.note_alive(stopped_at).await {
            tracing::warn!(%error, "could not store the time of the stop");
        }
    }

    /// The outages for which a match may still have to give credit.
    fn outages_owed(&self, state: &Match) -> impl Iterator<Item = Outage> {
        let last = if state.end().is_some() { Millis::MAX } else { state.last_at() };
        let outages = self.running.get().map_or(&[][..], |running| &running.outages);
        outages.iter().copied().filter(move |outage| outage.until > last)
    }

    fn owes(&self, state: &Match) -> bool {
        self.outages_owed(state).next().is_some()
    }

    /// Until when the deadline of a match has to wait for what arrived before it, if it has to.
    fn deadline_held_up_until(&self, state: &Match) -> Option<Millis> {
        let deadline = state.next_deadline()?;
        self.arrivals.held_up_until(state.id(), deadline, self.now())
    }

    /// Rings for the computer if it has a seat.
    fn ring_for_computer(&self, state: &Match) {
        if Seat::BOTH.into_iter().any(|seat| state.is_computer(seat)) {
            self.bell.ring(state.id());
        }
    }

    fn forget(&self, id: MatchId) {
        let mut rooms = self.rooms.lock();
        if rooms.get(&id).is_some_and(|room| room.strong_count() == 0) {
            rooms.remove(&id);
        }
    }
}
