//! A match in memory: its last committed state, its recent events, and who watches.
//!
//! A room lives as long as somebody holds it: its task, a watch, a request under way.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Weak,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use lusoria_play::{Match, MatchId, Millis, Recorded, Seat};
use lusoria_rules::Step;
use lusoria_store::{Era, Version};
use parking_lot::{Mutex, RwLock};
use serde::{Deserialize, Serialize};
use tokio::sync::{OnceCell, mpsc};
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use super::{
    CommandError, Positions, Published, Render,
    journal::version,
    line::Lines,
    publish::Recent,
    queue::{GuestQuota, QueuedRequest},
    watchers::Watchers,
};

/// How many events a room remembers for its readers; older ones come from the journal.
const RECENT_MAX: usize = 32;

/// How many turns being built are shown in so much time, in milliseconds.
const SHOWN_MAX: usize = 20;
const SHOWN_WITHIN_MS: Millis = 1_000;

/// A match in memory.
pub struct Room {
    id: MatchId,
    /// What its journal is part of.
    history: Uuid,
    rooms: Weak<Rooms>,
    committed: OnceCell<RwLock<Committed>>,
    /// Set once what was due while nobody looked has been done.
    pub(super) is_up_to_date: OnceCell<()>,
    /// The era up to which credit for outages has been given.
    credited_in: AtomicU64,
    pub(super) watchers: Mutex<Watchers>,
    lines: Mutex<Lines>,
    /// When turns being built were shown lately, the earliest first.
    shown_at: Mutex<VecDeque<Millis>>,
    /// The last one.
    shown: Mutex<Option<ShownTurn>>,
    /// How often a refresh was asked for since none is under way.
    pub(super) wanted_refreshes: AtomicU32,
    /// The queue of the task, while there is one.
    pub(super) queue: Mutex<Option<mpsc::Sender<QueuedRequest>>>,
    pub(super) quota: Arc<GuestQuota>,
}

/// A turn as it was shown while it is built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ShownTurn {
    /// The event that gave it.
    pub(super) answers: u32,
    /// The steps so far.
    pub(super) steps: Vec<Step>,
}

struct Committed {
    state: Arc<Match>,
    edition: u32,
    recent: VecDeque<Recent>,
}

/// The matches in memory.
#[derive(Default)]
pub(super) struct Rooms(Mutex<HashMap<MatchId, Weak<Room>>>);

impl Rooms {
    /// The room of a match, made if there is none.
    pub(super) fn get_or_make(self: &Arc<Self>, id: MatchId, history: Uuid) -> Arc<Room> {
        let mut rooms = self.0.lock();
        rooms.get(&id).and_then(Weak::upgrade).filter(|room| room.history == history).unwrap_or_else(|| {
            let room = Room::new(self, id, history);
            rooms.insert(id, Arc::downgrade(&room));
            room
        })
    }

    /// The room of a match that has been loaded.
    pub(super) fn get(&self, id: MatchId) -> Option<Arc<Room>> {
        self.0.lock().get(&id).and_then(Weak::upgrade).filter(|room| room.committed.initialized())
    }

    /// All matches that somebody watches.
    pub(super) fn watched(&self) -> Vec<Arc<Room>> {
        let rooms: Vec<_> = self.0.lock().values().filter_map(Weak::upgrade).collect();
        let is_watched = |room: &Arc<Room>| room.committed.initialized() && room.is_watched();
        let mut watched: Vec<_> = rooms.into_iter().filter(is_watched).collect();
        watched.sort_by_key(|room| room.id);
        watched
    }

    /// Removes all rooms: those who hold one keep it, nobody else finds it.
    pub(super) fn forget_all(&self) {
        self.0.lock().clear();
    }

    /// Whether a match is in memory, or is being loaded.
    pub(super) fn has(&self, id: MatchId) -> bool {
        self.0.lock().get(&id).is_some_and(|room| room.strong_count() > 0)
    }

    /// Removes the room of a match: those who hold it keep it, nobody else finds it.
    pub(super) fn remove(&self, id: MatchId) {
        self.0.lock().remove(&id);
    }

    fn forget(&self, id: MatchId) {
        let mut rooms = self.0.lock();
        if rooms.get(&id).is_some_and(|room| room.strong_count() == 0) {
            rooms.remove(&id);
        }
    }
}

impl Room {
    fn new(rooms: &Arc<Rooms>, id: MatchId, history: Uuid) -> Arc<Self> {
        metrics::gauge!("lusoria_matches_loaded").increment(1);
        Arc::new(Self {
            id,
            history,
            rooms: Arc::downgrade(rooms),
            committed: OnceCell::new(),
            is_up_to_date: OnceCell::new(),
            credited_in: AtomicU64::new(u64::MAX),
            watchers: Mutex::default(),
            lines: Mutex::default(),
            shown_at: Mutex::default(),
            shown: Mutex::default(),
            wanted_refreshes: AtomicU32::new(0),
            queue: Mutex::default(),
            quota: Arc::default(),
        })
    }

    /// Which match.
    pub fn id(&self) -> MatchId {
        self.id
    }

    /// Whether credit has been given for all outages up to this era.
    pub(super) fn is_credited_in(&self, era: Era) -> bool {
        self.credited_in.load(Ordering::Relaxed) == era.0
    }

    pub(super) fn note_credited_in(&self, era: Era) {
        self.credited_in.store(era.0, Ordering::Relaxed);
    }

    /// The history that its journal is part of.
    pub(super) const fn history(&self) -> Uuid {
        self.history
    }

    /// What of the match is known.
    pub(super) fn version(&self) -> Version {
        self.committed().read().version()
    }

    /// The last committed state, and its edition.
    pub(super) fn edited_state(&self) -> (Arc<Match>, u32) {
        let committed = self.committed().read();
        (Arc::clone(&committed.state), committed.edition)
    }

    /// The last committed state.
    pub fn state(&self) -> Arc<Match> {
        Arc::clone(&self.committed().read().state)
    }

    fn committed(&self) -> &RwLock<Committed> {
        self.committed.get().expect("a room is handed out only after it has been loaded")
    }

    /// Puts the first state in place, unless there is one.
    ///
    /// # Errors
    /// Those of `read`.
    pub(super) async fn load(
        &self,
        read: impl AsyncFnOnce() -> Result<(Match, u32), CommandError>,
    ) -> Result<(), CommandError> {
        let load = async || {
            let (state, edition) = read().await?;
            Ok(RwLock::new(Committed { state: Arc::new(state), edition, recent: VecDeque::new() }))
        };
        self.committed.get_or_try_init(load).await.map(drop)
    }

    /// Puts a newly committed state in place, with the events that led to it, unless a later one is there
    /// already: another node's may have come first. Readers see it from now on; they are told by
    /// [`Room::mark`]. Whether it is new.
    pub(super) fn install(&self, state: Arc<Match>, edition: u32, events: &[Published]) -> bool {
        let mut committed = self.committed().write();
        let known = committed.version();
        if (edition, state.head()) <= (known.edition, known.head) {
            return false;
        }
        // In another edition the events before these may have other words: they come from the journal.
        let follow =
            edition == known.edition && events.first().is_some_and(|first| first.seq == known.head + 1);
        let skip = events.len().saturating_sub(RECENT_MAX);
        if !follow || skip > 0 {
            committed.recent.clear();
        }
        committed.recent.extend(events[skip..].iter().cloned().map(Recent::from));
        let excess = committed.recent.len().saturating_sub(RECENT_MAX);
        committed.recent.drain(..excess);
        (committed.state, committed.edition) = (state, edition);
        true
    }

    /// The same for events that were read or told, not committed here.
    pub(super) fn take_over(
        &self,
        state: Match,
        edition: u32,
        events: &[Recorded],
        render: &dyn Render,
    ) -> bool {
        let last = events.iter().skip(events.len().saturating_sub(RECENT_MAX));
        let published = Published::all(&state, last, render);
        self.install(Arc::new(state), edition, &published)
    }

    /// Drops the recent events of a match on which nothing happens. Readers that are behind read the journal.
    pub(super) fn forget_recent(&self) {
        self.committed().write().recent = VecDeque::new();
    }

    /// Tells everyone who watches that the head has advanced; a crowd little by little.
    pub(super) fn mark(self: &Arc<Self>, tasks: &TaskTracker) {
        if self.watchers.lock().tell(self.id) {
            tasks.spawn(Arc::clone(self).tell_the_others());
        }
    }

    async fn tell_the_others(self: Arc<Self>) {
        // Yielding lets the runtime look first at what has come over the network.
        tokio::task::yield_now().await;
        while self.watchers.lock().tell_some(self.id) {
            tokio::task::yield_now().await;
        }
    }

    /// Whether another turn being built may be shown: not too many in a second, since each
    /// goes to everyone who watches.
    pub(super) fn may_show(&self, now: Millis) -> bool {
        let mut shown_at = self.shown_at.lock();
        shown_at.retain(|&at| at + SHOWN_WITHIN_MS > now);
        if shown_at.len() >= SHOWN_MAX {
            return false;
        }
        shown_at.push_back(now);
        true
    }

    /// Notes what has been shown of the present turn.
    pub(super) fn note_shown(&self, turn: ShownTurn) {
        *self.shown.lock() = Some(turn);
    }

    /// The steps that were last shown of the turn that event `given` gave; none if nothing of it was.
    pub(super) fn shown(&self, given: u32) -> Option<Vec<Step>> {
        self.shown.lock().as_ref().filter(|turn| turn.answers == given).map(|turn| turn.steps.clone())
    }

    /// Notes that a socket answered so long after it was sent the turn that event `given` gave.
    pub(super) fn note_line(&self, seat: Seat, given: u32, took: Duration) {
        self.lines.lock().note(seat, given, took);
    }

    /// How long the line to the player took in the turn that event `given` gave, as far as sockets of this
    /// node have measured it, in milliseconds; 0 if they have not.
    pub fn lag_ms(&self, given: u32) -> Millis {
        match self.state().line_to_measure() {
            Some((seat, to_play)) if to_play == given => self.lines.lock().lag_ms(seat, given),
            Some(_) | None => 0,
        }
    }

    /// Whether anybody watches.
    pub(super) fn is_watched(&self) -> bool {
        !self.watchers.lock().is_empty()
    }

    /// Leaves a notice with everyone who watches.
    pub(super) fn notify(&self, notice: &Bytes) {
        for mailbox in self.watchers.lock().mailboxes() {
            mailbox.leave(notice.clone());
        }
    }

    /// Committed events after `since`, if memory reaches back that far.
    pub(super) fn recent_after(
        &self,
        since: u32,
        limit: usize,
        positions: Positions,
        render: &dyn Render,
    ) -> Option<Vec<Published>> {
        let committed = self.committed().read();
        if since >= committed.state.head() {
            return Some(Vec::new());
        }
        let first = committed.recent.front()?.seq();
        let skip = usize::try_from((since + 1).checked_sub(first)?).expect("a u32 fits");
        let recent = committed.recent.iter().skip(skip).take(limit);
        Some(recent.map(|event| event.with(positions, render)).collect())
    }
}

impl Committed {
    fn version(&self) -> Version {
        version(&self.state, self.edition)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        metrics::gauge!("lusoria_matches_loaded").decrement(1);
        if let Some(rooms) = self.rooms.upgrade() {
            rooms.forget(self.id);
        }
    }
}
