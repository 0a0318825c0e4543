//! A room: a match in memory, with its last committed state, its recent events, and its watchers.
//!
//! A room lives as long as somebody holds it: a watch, a request in progress, or a recent one ([`super::recent_rooms`]).

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use lusoria_play::{Match, MatchId, Millis, Recorded, Seat};
use lusoria_rules::Step;
use lusoria_store::{Era, Version};
use parking_lot::{Mutex, RwLock};
use serde::{Deserialize, Serialize};
use tokio::sync::OnceCell;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use super::{
    CommandError, Positions, Published, Render, journal::version, judge_state::JudgeState, line::Lines,
    publish::Recent, queue::Queue, watchers::Watchers,
};

/// How many events a room keeps for its readers; older ones come from the journal.
const RECENT_MAX: usize = 32;

/// How many turns being built are shown within this time, in milliseconds.
const SHOWN_MAX: usize = 20;
const SHOWN_WITHIN_MS: Millis = 1_000;

/// A match in memory.
pub struct Room {
    id: MatchId,
    /// The history that its journal belongs to.
    history: Uuid,
    rooms: Weak<Rooms>,
    committed: OnceCell<RwLock<Committed>>,
    /// Set once the work has been done that was due before the match was loaded.
    pub(super) is_up_to_date: OnceCell<()>,
    /// The era up to which credit for outages has been given.
    credited_in: AtomicU64,
    pub(super) watchers: Mutex<Watchers>,
    lines: Mutex<Lines>,
    /// When turns being built were shown lately, the earliest first.
    shown_at: Mutex<VecDeque<Millis>>,
    /// The last shown turn.
    shown: Mutex<Option<ShownTurn>>,
    /// How many refreshes were requested since the last one ended.
    pub(super) wanted_refreshes: AtomicU32,
    /// Held while a request is decided; fair.
    pub(super) judge_state: tokio::sync::Mutex<JudgeState>,
    /// The requests that wait for it.
    pub(super) queue: Queue,
    /// When the last request came, in milliseconds since the epoch, and whether the match stays in memory since.
    pub(super) requested_at: AtomicU64,
    pub(super) is_recent: AtomicBool,
}

/// A turn being built, as it was shown.
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
    /// The room of a match, created if there is none.
    pub(super) fn get_or_make(self: &Arc<Self>, id: MatchId, history: Uuid) -> Arc<Room> {
        // Declared first, so that it is dropped after the lock, which it takes if nobody else holds it.
        let found;
        let mut rooms = self.0.lock();
        found = rooms.get(&id).and_then(Weak::upgrade);
        if let Some(room) = found.as_ref().filter(|room| room.history == history) {
            return Arc::clone(room);
        }
        let room = Room::new(self, id, history);
        rooms.insert(id, Arc::downgrade(&room));
        room
    }

    /// The room of a match that has been loaded.
    pub(super) fn get(&self, id: MatchId) -> Option<Arc<Room>> {
        let room = self.0.lock().get(&id).and_then(Weak::upgrade);
        room.filter(|room| room.committed.initialized())
    }

    /// All matches that have watchers.
    pub(super) fn watched(&self) -> Vec<Arc<Room>> {
        let rooms: Vec<_> = self.0.lock().values().filter_map(Weak::upgrade).collect();
        let is_watched = |room: &Arc<Room>| room.committed.initialized() && room.is_watched();
        let mut watched: Vec<_> = rooms.into_iter().filter(is_watched).collect();
        watched.sort_by_key(|room| room.id);
        watched
    }

    /// Removes all rooms. Their holders keep them; nobody else finds them.
    pub(super) fn forget_all(&self) {
        self.0.lock().clear();
    }

    /// Whether a match is in memory, or is being loaded.
    pub(super) fn has(&self, id: MatchId) -> bool {
        self.0.lock().get(&id).is_some_and(|room| room.strong_count() > 0)
    }

    /// Removes the room of a match. Its holders keep it; nobody else finds it.
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
            judge_state: tokio::sync::Mutex::default(),
            queue: Queue::default(),
            requested_at: AtomicU64::default(),
            is_recent: AtomicBool::default(),
        })
    }

    /// The match's id.
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

    /// The history that its journal belongs to.
    pub(super) const fn history(&self) -> Uuid {
        self.history
    }

    /// The version of the match in memory.
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

    /// Sets the state of a match that was just created, unless there is one.
    pub(super) fn begin(&self, state: Match) {
        let committed = Committed { state: Arc::new(state), edition: 0, recent: VecDeque::new() };
        // If there is one, it was read from the journal.
        let _ = self.committed.set(RwLock::new(committed));
    }

    /// Sets the first state, unless there is one.
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

    /// Installs a newly committed state, with the events that led to it, unless a later one is there already,
    /// perhaps from another node. Readers see it from now on; [`Room::mark`] notifies them. Returns whether
    /// it is new.
    pub(super) fn install(&self, state: Arc<Match>, edition: u32, events: &[Published]) -> bool {
        let mut committed = self.committed().write();
        let known = committed.version();
        if (edition, state.head()) <= (known.edition, known.head) {
            return false;
        }
        // In another edition the earlier events may have other names: they come from the journal.
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

    /// The same for events that came from other nodes.
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

    /// Drops what an idle match can read again: the secrets of its dice and the recent events, which readers that are
    /// behind find in the journal. False if it is not idle.
    pub(super) fn drop_caches(&self) -> bool {
        let is_idle = self.judge_state.try_lock().is_ok_and(|mut judge_state| judge_state.drop_caches());
        if is_idle && let Some(committed) = self.committed.get() {
            committed.write().recent = VecDeque::new();
        }
        is_idle
    }

    /// Marks the match for all watchers; a crowd in portions.
    pub(super) fn mark(self: &Arc<Self>, tasks: &TaskTracker) {
        if self.watchers.lock().tell(self.id) {
            tasks.spawn(Arc::clone(self).tell_the_others());
        }
    }

    async fn tell_the_others(self: Arc<Self>) {
        // Yielding lets the runtime handle network input first.
        tokio::task::yield_now().await;
        while self.watchers.lock().tell_some(self.id) {
            tokio::task::yield_now().await;
        }
    }

    /// Whether another turn being built may be shown: only a few a second, since each goes to all watchers.
    pub(super) fn may_show(&self, now: Millis) -> bool {
        let mut shown_at = self.shown_at.lock();
        shown_at.retain(|&at| at + SHOWN_WITHIN_MS > now);
        if shown_at.len() >= SHOWN_MAX {
            return false;
        }
        shown_at.push_back(now);
        true
    }

    /// Notes the shown steps of the present turn.
    pub(super) fn note_shown(&self, turn: ShownTurn) {
        *self.shown.lock() = Some(turn);
    }

    /// The steps last shown of the turn that event `given` gave; none if none were.
    pub(super) fn shown(&self, given: u32) -> Option<Vec<Step>> {
        self.shown.lock().as_ref().filter(|turn| turn.answers == given).map(|turn| turn.steps.clone())
    }

    /// Adds a measured lag of a socket in the turn that event `given` gave.
    pub(super) fn note_line(&self, seat: Seat, given: u32, took: Duration) {
        self.lines.lock().note(seat, given, took);
    }

    /// The lag of the player's line in the turn that event `given` gave, as measured by sockets of this node,
    /// in milliseconds; 0 if unknown.
    pub fn lag_ms(&self, given: u32) -> Millis {
        match self.state().line_to_measure() {
            Some((seat, to_play)) if to_play == given => self.lines.lock().lag_ms(seat, given),
            Some(_) | None => 0,
        }
    }

    /// Whether it has watchers.
    pub(super) fn is_watched(&self) -> bool {
        !self.watchers.lock().is_empty()
    }

    /// Sends all watchers a notice.
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
