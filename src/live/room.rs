//! A match in memory: its last committed state, its recent events, and who watches.
//!
//! A room lives as long as somebody holds it: its task, a watch, a request under way.

use std::{
    collections::VecDeque,
    sync::{Arc, Weak},
};

use bytes::Bytes;
use lusoria_play::{Clock, Corrupt, Match, MatchId, Millis, Phase, PlayerId, Recorded, Seat};
use parking_lot::{Mutex, RwLock};
use tokio::sync::{OnceCell, mpsc};

use super::{
    CommandError, Live, Mailbox, Notice, Published, Render,
    queue::{self, QueuedRequest, WaitingCounts},
    request::MatchRequest,
    scheduler,
    watchers::Watchers,
};
use lusoria_store::{Store, StoreError};

/// How many events a room remembers for its readers; older ones come from the journal.
const RECENT_MAX: usize = 32;

/// How many turns being built are shown in so much time, in milliseconds.
const SHOWN_MAX: usize = 20;
const SHOWN_WITHIN_MS: Millis = 1_000;

/// How many events are read from the journal at once.
const JOURNAL_PAGE: u32 = 512;

/// A match in memory.
pub struct Room {
    id: MatchId,
    live: Weak<Live>,
    committed: OnceCell<RwLock<Committed>>,
    /// Set once the credit for outages has been given.
    credited: OnceCell<()>,
    watchers: Mutex<Watchers>,
    /// When turns being built were shown lately, the earliest first.
    shown_at: Mutex<VecDeque<Millis>>,
    /// The queue of the task, while there is one.
    pub(super) queue: Mutex<Option<mpsc::Sender<QueuedRequest>>>,
    pub(super) waiting: WaitingCounts,
}

struct Committed {
    state: Arc<Match>,
    recent: VecDeque<Published>,
}

/// Why a room could not be loaded.
#[derive(Debug, thiserror::Error)]
pub(super) enum LoadError {
    #[error("there is no such match")]
    NoSuchMatch,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Room {
    pub(super) fn new(live: &Arc<Live>, id: MatchId) -> Arc<Self> {
        metrics::gauge!("lusoria_matches_loaded").increment(1);
        Arc::new(Self {
            id,
            live: Arc::downgrade(live),
            committed: OnceCell::new(),
            credited: OnceCell::new(),
            watchers: Mutex::default(),
            shown_at: Mutex::default(),
            queue: Mutex::default(),
            waiting: WaitingCounts::default(),
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

    /// Reads the journal unless that has been done, and gives the credit for outages before
    /// anybody sees the clocks. A match without a clock that waits for a seed gets its present
    /// deadline, or is ended by it. Everybody who comes meanwhile waits for that.
    pub(super) async fn load(self: &Arc<Self>, live: &Arc<Live>) -> Result<(), LoadError> {
        if self.credited.initialized() {
            return Ok(());
        }
        self.committed
            .get_or_try_init(async || {
                let state = read_journal(&*live.store, self.id).await?;
                Ok::<_, LoadError>(RwLock::new(Committed { state: Arc::new(state), recent: VecDeque::new() }))
            })
            .await?;
        let credited = self.credited.get_or_try_init(async || {
            if live.owes(&self.state()) {
                queue::submit_to_room(live, self, MatchRequest::CreditOutages, live.now()).await?;
            }
            let state = self.state();
            // Its row may hold the longer term for a seed that servers once gave.
            if state.terms().clock == Clock::None && matches!(state.phase(), Phase::AwaitingSeeds(_)) {
                if state.next_deadline().is_some_and(|deadline| deadline <= live.now()) {
                    queue::submit_to_room(live, self, MatchRequest::Wake, live.now()).await?;
                } else if scheduler::correct_row(live, self.id, &state).await {
                    live.alarm.set(state.next_deadline());
                }
            }
            Ok::<_, CommandError>(())
        });
        if let Err(error) = credited.await {
            tracing::warn!(id = %self.id.0, %error, "could not bring a match up to date; retrying at the next request");
        }
        Ok(())
    }

    /// Reads the journal again after somebody else appended, or after a commit whose
    /// outcome is unknown. Answers the events that were not known before.
    pub(super) async fn reload(&self, live: &Live) -> Result<Vec<Recorded>, LoadError> {
        let known = self.state().head();
        let state = read_journal(&*live.store, self.id).await?;
        let missed = live.store.events(self.id, known, u32::MAX).await?;
        self.put_anew(state, &missed, &*live.render);
        Ok(missed)
    }

    /// Puts a newly committed state in place. Readers see it from now on; they are told
    /// by [`Room::mark`].
    pub(super) fn install(&self, state: Arc<Match>, events: &[Recorded], render: &dyn Render) {
        let published: Vec<_> =
            events.iter().map(|recorded| Published::new(&state, recorded, render)).collect();
        let mut committed = self.committed().write();
        committed.recent.extend(published);
        let excess = committed.recent.len().saturating_sub(RECENT_MAX);
        committed.recent.drain(..excess);
        committed.state = state;
    }

    /// Puts the match in place as the journal has it, with what has happened since it was known:
    /// the same events may have other words now, so that older ones come from there.
    pub(super) fn put_anew(&self, state: Match, missed: &[Recorded], render: &dyn Render) {
        let mut committed = self.committed().write();
        let last = missed.iter().skip(missed.len().saturating_sub(RECENT_MAX));
        committed.recent = last.map(|recorded| Published::new(&state, recorded, render)).collect();
        committed.state = Arc::new(state);
    }

    /// Tells everyone who watches that the head has advanced; a crowd little by little.
    pub(super) fn mark(self: &Arc<Self>, live: &Live) {
        if self.watchers.lock().tell(self.id) {
            live.tasks.spawn(Arc::clone(self).tell_the_others());
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
    pub(super) fn recent_after(&self, since: u32, limit: usize) -> Option<Vec<Published>> {
        let committed = self.committed().read();
        if since >= committed.state.head() {
            return Some(Vec::new());
        }
        let first = committed.recent.front()?.seq;
        let skip = usize::try_from((since + 1).checked_sub(first)?).expect("a u32 fits");
        Some(committed.recent.iter().skip(skip).take(limit).cloned().collect())
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        metrics::gauge!("lusoria_matches_loaded").decrement(1);
        if let Some(live) = self.live.upgrade() {
            live.forget(self.id);
        }
    }
}

async fn read_journal(store: &dyn Store, id: MatchId) -> Result<Match, LoadError> {
    let corrupt = |why: Corrupt| LoadError::Store(StoreError::Corrupt(why.to_string()));
    let first = store.events(id, 0, JOURNAL_PAGE).await?;
    if first.is_empty() {
        return Err(LoadError::NoSuchMatch);
    }
    let mut page_len = first.len();
    let mut state = Match::from_journal(id, first).map_err(corrupt)?;
    while page_len == JOURNAL_PAGE as usize {
        let page = store.events(id, state.head(), JOURNAL_PAGE).await?;
        page_len = page.len();
        for recorded in page {
            state.fold(recorded).map_err(corrupt)?;
        }
    }
    Ok(state)
}

/// A watch of one match by one connection. Dropping it ends it.
pub struct Watch {
    live: Arc<Live>,
    room: Arc<Room>,
    key: u64,
    seats: Vec<Seat>,
}

impl Watch {
    pub(super) fn begin(
        live: &Arc<Live>,
        room: Arc<Room>,
        mailbox: Arc<Mailbox>,
        player: Option<PlayerId>,
    ) -> Self {
        let state = room.state();
        let holds = |seat: &Seat| player.is_some() && state.player(*seat).map(|p| p.id) == player;
        let seats: Vec<_> = Seat::BOTH.into_iter().filter(holds).collect();
        let key = room.watchers.lock().enter(mailbox, !seats.is_empty());
        let watch = Self { live: Arc::clone(live), room, key, seats };
        for &seat in &watch.seats {
            if live.presence.came(watch.room.id, seat, live.now()) {
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
            if self.live.presence.came(self.room.id, seat, self.live.now()) {
                self.tell_presence(seat, true);
            }
        }
    }

    fn tell_presence(&self, seat: Seat, connected: bool) {
        let notice = Notice::Presence { id: self.room.id, seat, connected };
        self.room.notify(&self.live.render.notice(&notice));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.room.watchers.lock().leave(self.key);
        for &seat in &self.seats {
            if self.live.presence.left(self.room.id, seat, self.live.now()) {
                self.tell_presence(seat, false);
            }
        }
    }
}
