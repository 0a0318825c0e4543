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
    slots: Mutex<HashMap<TournamentId, Arc<TournamentSlot>>>,
    pub(super) alarm: Alarm,
}

impl Tournaments {
    /// The slot of a tournament, which may not be read yet, or not exist. Slots of ids that strangers made up are dropped
    /// before they are many, and push no tournament out.
    pub(super) fn slot(&self, id: TournamentId) -> Arc<TournamentSlot> {
        let mut slots = self.slots.lock();
        if !slots.contains_key(&id) && slots.len() >= KEPT_MAX {
            slots.retain(|_, slot| Arc::strong_count(slot) > 1 || slot.is_filled());
        }
        Arc::clone(slots.entry(id).or_insert_with(|| Arc::new(TournamentSlot::new(id))))
    }

    /// Keeps a state that was committed, in place of that of the tournament that was not used for the longest time if
    /// there are too many.
    pub(super) fn install(
        &self,
        slot: &TournamentSlot,
        known: CommittedTournament,
    ) -> Arc<CommittedTournament> {
        let is_new = !slot.is_filled();
        let known = slot.install(known);
        if is_new {
            let mut slots = self.slots.lock();
            if slots.values().filter(|slot| slot.is_filled()).count() > KEPT_MAX {
                let unused = slots.iter().filter(|(_, one)| Arc::strong_count(one) == 1 && one.is_filled());
                let oldest = unused.min_by_key(|(_, one)| one.used_at.load(Ordering::Relaxed));
                if let Some(oldest) = oldest.map(|(id, _)| *id) {
                    slots.remove(&oldest);
                }
            }
        }
        known
    }

    /// Forgets all of them: the store has another history.
    pub(in crate::live) fn forget_all(&self) {
        self.slots.lock().clear();
        self.alarm.set(Some(0));
    }

    /// Notes that a tournament has events that were not decided here.
    pub(super) fn note_changed(&self, id: TournamentId) {
        if let Some(slot) = self.slots.lock().get(&id) {
            slot.is_stale.store(true, Ordering::Release);
        }
    }
}

/// A tournament and what must be known to go on with it.
#[derive(Debug, Clone)]
pub struct CommittedTournament {
    /// The fold of its events.
    pub state: Tournament,
    /// The time of the last event that was decided; those of matches are not, and may come before the credit for an
    /// outage.
    pub(super) last_decided_at: Millis,
}

impl CommittedTournament {
    /// Folds the next event.
    pub(super) fn fold(&mut self, recorded: &Recorded) -> Result<(), StoreError> {
        self.state.fold(recorded).map_err(|why| StoreError::Corrupt(why.to_string()))?;
        if !matches!(recorded.event, Event::MatchBegan { .. } | Event::MatchEnded { .. }) {
            self.last_decided_at = self.last_decided_at.max(recorded.at);
        }
        Ok(())
    }
}

/// Who blocks whom.
pub(super) type Blocks = HashSet<(PlayerId, PlayerId)>;

/// A tournament in memory.
pub(in crate::live) struct TournamentSlot {
    id: TournamentId,
    /// Held while something is decided.
    pub(super) write_lock: tokio::sync::Mutex<()>,
    /// Held while the last events are read for those who only look, so that they hold no decision up.
    reading: tokio::sync::Mutex<()>,
    latest: RwLock<Option<Arc<CommittedTournament>>>,
    /// Whether the store has events that `latest` lacks, as far as this node knows.
    is_stale: AtomicBool,
    used_at: AtomicU64,
    /// Who blocks whom, and when that was read.
    blocks: Mutex<Option<(Millis, Arc<Blocks>)>>,
}

impl TournamentSlot {
    fn new(id: TournamentId) -> Self {
        Self {
            id,
            write_lock: tokio::sync::Mutex::default(),
            reading: tokio::sync::Mutex::default(),
            latest: RwLock::default(),
            is_stale: AtomicBool::new(true),
            used_at: AtomicU64::default(),
            blocks: Mutex::default(),
        }
    }

    /// The last committed state.
    pub(super) async fn latest(
        &self,
        context: &Context,
    ) -> Result<Arc<CommittedTournament>, TournamentError> {
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
    pub(super) async fn refresh(
        &self,
        context: &Context,
    ) -> Result<Arc<CommittedTournament>, TournamentError> {
        // Before the events: what is noted from here on is read next time.
        self.is_stale.store(false, Ordering::Release);
        let read = self.read_on(context).await;
        if read.is_err() {
            self.is_stale.store(true, Ordering::Release);
        }
        read
    }

    async fn read_on(&self, context: &Context) -> Result<Arc<CommittedTournament>, TournamentError> {
        let known = self.latest.read().clone();
        let since = known.as_ref().map_or(0, |known| known.state.head());
        let mut events = context.store.tournament_events(self.id, since, PAGE).await?;
        let known = match known {
            Some(known) if events.is_empty() => return Ok(known),
            known => known,
        };
        let mut known = if let Some(known) = known {
            CommittedTournament::clone(&known)
        } else {
            let Some(first) = events.first() else { return Err(TournamentError::NoSuchTournament) };
            let first = read(first)?;
            let state = Tournament::from_events(self.id, std::slice::from_ref(&first))
                .map_err(|why| StoreError::Corrupt(why.to_string()))?;
            events.remove(0);
            CommittedTournament { state, last_decided_at: first.at }
        };
        loop {
            for event in &events {
                known.fold(&read(event)?)?;
            }
            events = context.store.tournament_events(self.id, known.state.head(), PAGE).await?;
            if events.is_empty() {
                return Ok(context.tournaments.install(self, known));
            }
        }
    }

    /// Whether a state was read or committed.
    fn is_filled(&self) -> bool {
        self.latest.read().is_some()
    }

    /// Makes a state that was committed the latest, unless a later one is known by now.
    fn install(&self, known: CommittedTournament) -> Arc<CommittedTournament> {
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

#[cfg(test)]
mod tests {
    use lusoria_play::{Clock, Length};
    use lusoria_rules::{Game, Variant};
    use lusoria_tournament::{Conditions, Format, Settings, Who};
    use uuid::Uuid;

    use super::*;

    fn state(id: TournamentId) -> CommittedTournament {
        let settings = Settings {
            name: "Cup".into(),
            description: String::new(),
            format: Format::Swiss { rounds: None, every_ms: None },
            variant: Variant::standard(Game::Tabula),
            length: Length::Points(1),
            clock: Clock::Days { days: 1 },
            rated: false,
            begins_at: 0,
            wait_ms: Settings::WAIT_MS,
            listed: true,
            conditions: Conditions {
                who: Who::Both,
                entrants_max: 4,
                rated_matches_min: 0,
                rating_min: None,
                rating_max: None,
                account_age_ms_min: 0,
                players: Vec::new(),
                code: None,
            },
        };
        let (state, _) = Tournament::create(id, PlayerId(Uuid::nil()), settings, 0).expect("good settings");
        CommittedTournament { state, last_decided_at: 0 }
    }

    #[test]
    fn only_a_tournament_that_exists_pushes_another_out() {
        let tournaments = Tournaments::default();
        let id = |number: usize| TournamentId(Uuid::from_u128(number as u128));
        let keep = |number: usize| {
            let slot = tournaments.slot(id(number));
            slot.used_at.store(number as u64, Ordering::Relaxed);
            tournaments.install(&slot, state(id(number)));
        };
        let kept = || {
            let slots = tournaments.slots.lock();
            let mut kept: Vec<_> =
                slots.iter().filter(|(_, slot)| slot.is_filled()).map(|(id, _)| *id).collect();
            kept.sort_unstable();
            kept
        };
        (0..KEPT_MAX).for_each(keep);
        for made_up in 10_000..10_000 + 3 * KEPT_MAX {
            tournaments.slot(id(made_up));
        }
        assert_eq!(kept(), (0..KEPT_MAX).map(id).collect::<Vec<_>>());
        assert!(tournaments.slots.lock().len() <= 2 * KEPT_MAX, "what nobody uses is dropped");
        keep(KEPT_MAX);
        assert_eq!(kept(), (1..=KEPT_MAX).map(id).collect::<Vec<_>>(), "the one that was used first is gone");
    }
}
