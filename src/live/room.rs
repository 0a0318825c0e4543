//! A match in memory: its last committed state, its recent events, and who watches.
//!
//! A room lives as long as somebody holds it: its task, a watch, a request under way.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Weak},
};

use bytes::Bytes;
use lusoria_play::{Match, MatchId, Millis, Recorded};
use parking_lot::{Mutex, RwLock};
use tokio::sync::{OnceCell, mpsc};
use tokio_util::task::TaskTracker;

use super::{
    CommandError, Positions, Published, Render,
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
    rooms: Weak<Rooms>,
    committed: OnceCell<RwLock<Committed>>,
    /// Set once what was due while nobody looked has been done.
    pub(super) is_up_to_date: OnceCell<()>,
    pub(super) watchers: Mutex<Watchers>,
    /// When turns being built were shown lately, the earliest first.
    shown_at: Mutex<VecDeque<Millis>>,
    /// The queue of the task, while there is one.
    pub(super) queue: Mutex<Option<mpsc::Sender<QueuedRequest>>>,
    pub(super) quota: Arc<GuestQuota>,
}

struct Committed {
    state: Arc<Match>,
    recent: VecDeque<Recent>,
}

/// The matches in memory.
#[derive(Default)]
pub(super) struct Rooms(Mutex<HashMap<MatchId, Weak<Room>>>);

impl Rooms {
    /// The room of a match, made if there is none.
    pub(super) fn get_or_make(self: &Arc<Self>, id: MatchId) -> Arc<Room> {
        let mut rooms = self.0.lock();
        rooms.get(&id).and_then(Weak::upgrade).unwrap_or_else(|| {
            let room = Room::new(self, id);
            rooms.insert(id, Arc::downgrade(&room));
            room
        })
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
    fn new(rooms: &Arc<Rooms>, id: MatchId) -> Arc<Self> {
        metrics::gauge!("lusoria_matches_loaded").increment(1);
        Arc::new(Self {
            id,
            rooms: Arc::downgrade(rooms),
            committed: OnceCell::new(),
            is_up_to_date: OnceCell::new(),
            watchers: Mutex::default(),
            shown_at: Mutex::default(),
            queue: Mutex::default(),
            quota: Arc::default(),
        })
    }

    /// Which match.
    pub fn id(&self) -> MatchId {
        self.id
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
        read: impl AsyncFnOnce() -> Result<Match, CommandError>,
    ) -> Result<(), CommandError> {
        let load =
            async || Ok(RwLock::new(Committed { state: Arc::new(read().await?), recent: VecDeque::new() }));
        self.committed.get_or_try_init(load).await.map(drop)
    }

    /// Puts a newly committed state in place, with the events that led to it. Readers see it from
    /// now on; they are told by [`Room::mark`].
    pub(super) fn install(&self, state: Arc<Match>, events: &[Published]) {
        let mut committed = self.committed().write();
        committed.recent.extend(events.iter().cloned().map(Recent::from));
        let excess = committed.recent.len().saturating_sub(RECENT_MAX);
        committed.recent.drain(..excess);
        committed.state = state;
    }

    /// Puts the match in place as the journal has it, with what has happened since it was known:
    /// the same events may have other words now, so that older ones come from there. Only a task of this
    /// process replaces names, so that a state which was read on has the words of the journal.
    pub(super) fn put_anew(&self, state: Match, missed: &[Recorded], render: &dyn Render) {
        let mut committed = self.committed().write();
        let last = missed.iter().skip(missed.len().saturating_sub(RECENT_MAX));
        committed.recent = Published::all(&state, last, render).into_iter().map(Recent::from).collect();
        committed.state = Arc::new(state);
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

impl Drop for Room {
    fn drop(&mut self) {
        metrics::gauge!("lusoria_matches_loaded").decrement(1);
        if let Some(rooms) = self.rooms.upgrade() {
            rooms.forget(self.id);
        }
    }
}
