//! The tournaments in memory.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use lusoria_play::{Millis, PlayerId, TournamentId};
use lusoria_store::{StoreError, TournamentEvent};
use lusoria_tournament::{Event, Recorded, Tournament};
use parking_lot::{Mutex, RwLock};

use super::TournamentError;
use crate::live::{alarm::Alarm, context::Context};

/// How many tournaments are kept at most, unless they are in use.
const KEPT_MAX: usize = 256;

/// How many events are read at once.
const PAGE: u32 = 1_000;

/// The tournaments in memory, and when the next one is due. Any of them can be dropped and read again.
#[derive(Default)]
pub(in crate::live) struct Tournaments {
    kept: Mutex<HashMap<TournamentId, Arc<Kept>>>,
    pub(super) alarm: Alarm,
}

impl Tournaments {
    /// The place of a tournament, which may not be read yet.
    pub(super) fn kept(&self, id: TournamentId) -> Arc<Kept> {
        let mut kept = self.kept.lock();
        if !kept.contains_key(&id) && kept.len() >= KEPT_MAX {
            let unused = kept.iter().filter(|(_, one)| Arc::strong_count(one) == 1);
            let oldest = unused.min_by_key(|(_, one)| one.used_at.load(Ordering::Relaxed)).map(|(id, _)| *id);
            if let Some(oldest) = oldest {
                kept.remove(&oldest);
            }
        }
        Arc::clone(kept.entry(id).or_insert_with(|| Arc::new(Kept::new(id))))
    }

    /// Forgets what a place holds that turned out to be none, so that strangers cannot fill the memory.
    fn forget(&self, id: TournamentId) {
        self.kept.lock().remove(&id);
    }

    /// Forgets all of them: the store has another history.
    pub(in crate::live) fn forget_all(&self) {
        self.kept.lock().clear();
        self.alarm.set(Some(0));
    }

    /// Notes that a tournament has events that were not decided here.
    pub(super) fn note_changed(&self, id: TournamentId) {
        if let Some(kept) = self.kept.lock().get(&id) {
            kept.is_stale.store(true, Ordering::Release);
        }
    }
}

/// A tournament and what must be known to go on with it.
#[derive(Debug, Clone)]
pub struct Known {
    /// The fold of its events.
    pub state: Tournament,
    /// The time of the last event that was decided; those of matches are not, and may come before the credit for an
    /// outage.
    pub(super) judged_at: Millis,
}

impl Known {
    /// Folds the next event.
    pub(super) fn fold(&mut self, recorded: &Recorded) -> Result<(), StoreError> {
        self.state.fold(recorded).map_err(|why| StoreError::Corrupt(why.to_string()))?;
        if !matches!(recorded.event, Event::MatchBegan { .. } | Event::MatchEnded { .. }) {
            self.judged_at = self.judged_at.max(recorded.at);
        }
        Ok(())
    }
}

/// Who blocks whom.
pub(super) type Blocks = HashSet<(PlayerId, PlayerId)>;

/// The place of a tournament in memory.
pub(in crate::live) struct Kept {
    id: TournamentId,
    /// Held while something is decided.
    pub(super) turn: tokio::sync::Mutex<()>,
    /// Held while the last events are read for those who only look, so that they hold no decision up.
    reading: tokio::sync::Mutex<()>,
    latest: RwLock<Option<Arc<Known>>>,
    /// Whether the store has events that `latest` lacks, as far as this node knows.
    is_stale: AtomicBool,
    used_at: AtomicU64,
    /// Who blocks whom, and when that was read.
    blocks: Mutex<Option<(Millis, Arc<Blocks>)>>,
}

impl Kept {
    fn new(id: TournamentId) -> Self {
        Self {
            id,
            turn: tokio::sync::Mutex::default(),
            reading: tokio::sync::Mutex::default(),
            latest: RwLock::default(),
            is_stale: AtomicBool::new(true),
            used_at: AtomicU64::default(),
            blocks: Mutex::default(),
        }
    }

    /// The last committed state.
    pub(super) async fn latest(&self, context: &Context) -> Result<Arc<Known>, TournamentError> {
        self.used_at.store(context.now(), Ordering::Relaxed);
        if !context.membership.is_shared()
            && !self.is_stale.load(Ordering::Acquire)
            && let Some(known) = self.latest.read().clone()
        {
            return Ok(known);
        }
        let _reading = self.reading.lock().await;
        self.refresh(context).await
    }

    /// Reads the events that are missing.
    pub(super) async fn refresh(&self, context: &Context) -> Result<Arc<Known>, TournamentError> {
        // Before the events: what is noted from here on is read next time.
        self.is_stale.store(false, Ordering::Release);
        let read = self.read_on(context).await;
        match &read {
            Ok(_) => {}
            Err(TournamentError::NoSuchTournament) => context.tournaments.forget(self.id),
            Err(_) => self.is_stale.store(true, Ordering::Release),
        }
        read
    }

    async fn read_on(&self, context: &Context) -> Result<Arc<Known>, TournamentError> {
        let known = self.latest.read().clone();
        let since = known.as_ref().map_or(0, |known| known.state.head());
        let mut events = context.store.tournament_events(self.id, since, PAGE).await?;
        let known = match known {
            Some(known) if events.is_empty() => return Ok(known),
            known => known,
        };
        let mut known = if let Some(known) = known {
            Known::clone(&known)
        } else {
            let Some(first) = events.first() else { return Err(TournamentError::NoSuchTournament) };
            let first = read(first)?;
            let state = Tournament::from_events(self.id, std::slice::from_ref(&first))
                .map_err(|why| StoreError::Corrupt(why.to_string()))?;
            events.remove(0);
            Known { state, judged_at: first.at }
        };
        loop {
            for event in &events {
                known.fold(&read(event)?)?;
            }
            events = context.store.tournament_events(self.id, known.state.head(), PAGE).await?;
            if events.is_empty() {
                return Ok(self.install(known));
            }
        }
    }

    /// Makes a state that was committed the latest, unless a later one is known by now.
    pub(super) fn install(&self, known: Known) -> Arc<Known> {
        let known = Arc::new(known);
        let mut latest = self.latest.write();
        if latest.as_ref().is_none_or(|latest| latest.state.head() <= known.state.head()) {
            *latest = Some(Arc::clone(&known));
        }
        known
    }

    /// Whom the players of an arena must not meet, as it was at most a minute ago.
    pub(super) async fn blocks(
        &self,
        context: &Context,
        state: &Tournament,
    ) -> Result<Arc<Blocks>, StoreError> {
        const GOOD_FOR_MS: Millis = 60_000;
        let now = context.now();
        if let Some((at, blocks)) = &*self.blocks.lock()
            && now < at + GOOD_FOR_MS
        {
            return Ok(Arc::clone(blocks));
        }
        let players = state.entrants().iter().filter(|entrant| !entrant.is_gone());
        let players = players.map(|entrant| entrant.player).collect();
        let blocks = Arc::new(context.store.blocks_by(players).await?.into_iter().collect());
        *self.blocks.lock() = Some((now, Arc::clone(&blocks)));
        Ok(blocks)
    }
}

/// An event as it was stored.
///
/// # Errors
/// If this program cannot have written it.
pub fn read(stored: &TournamentEvent) -> Result<Recorded, StoreError> {
    let event = serde_json::from_str(&stored.event)
        .map_err(|error| StoreError::Corrupt(format!("event {} of a tournament: {error}", stored.seq)))?;
    Ok(Recorded { seq: stored.seq, at: stored.at, event })
}
