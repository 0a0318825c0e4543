//! Reading a match: its snapshot, its events, its record.

use std::sync::Arc;

use lusoria_play::{Match, MatchId, Millis, Phase, Seat, Sits};
use lusoria_protocol::{BuildingView, Event, Events, Problem, Record, Snapshot};

use crate::{
    app::{App, Caller, ClientAddress, matches::turn::play, problem, wire},
    live::{Positions, Presence},
};
use lusoria_store::StoreError;

/// A page of at most this many events is serialised at once.
const SHORT_PAGE: usize = 20;

/// The most events in one page.
pub(in crate::app) const EVENTS_MAX: u32 = 1_000;

impl App {
    /// The match as it is now.
    ///
    /// # Errors
    /// `no_such_match`; `unavailable`.
    pub async fn snapshot(&self, id: MatchId, caller: Option<&Caller>) -> Result<Snapshot, Problem> {
        let state = self.state(id).await?;
        self.live.glimpse_presence(id).await;
        self.note_presence(&state, caller);
        let tournament = self.shown_tournament(&state).await;
        Ok(Snapshot { tournament, ..self.snapshot_of(&state, caller) })
    }

    pub(in crate::app) fn snapshot_of(&self, state: &Match, caller: Option<&Caller>) -> Snapshot {
        let gone_since = |seat| self.gone_since(state, seat);
        let snapshot = wire::snapshot(state, self.live.now(), gone_since, caller.map(Caller::id));
        let spectators = Some(self.live.spectators(state.id())).filter(|count| *count > 0);
        Snapshot { spectators, building: self.building(state), ..snapshot }
    }

    /// The steps of the present turn that its player has shown.
    fn building(&self, state: &Match) -> Option<BuildingView> {
        let steps = self.live.shown_steps(state.id(), state.to_play()?.given_by)?;
        let (turn, _) = play(state.turn()?, &steps).ok()?;
        let position = wire::position(&turn.position().setup(), state.terms().variant.game());
        Some(BuildingView { steps, position })
    }

    /// Since when the player of a seat has been disconnected, at the earliest since the match was created;
    /// none if they are connected, as the computer always is.
    pub(in crate::app) fn gone_since(&self, state: &Match, seat: Seat) -> Option<Millis> {
        match self.live.presence(state.id(), seat) {
            _ if state.is_computer(seat) => None,
            Presence::Connected => None,
            Presence::Gone { since } => Some(since.max(state.created_at())),
        }
    }

    /// Events after `since`, at most 1000.
    ///
    /// # Errors
    /// `no_such_match`; `too_many_requests` if the address has asked for too much; `unavailable`, also if a long
    /// page has waited too long for its turn.
    pub async fn events(
        &self,
        id: MatchId,
        since: u32,
        limit: u32,
        positions: Positions,
        caller: Option<&Caller>,
        address: ClientAddress,
    ) -> Result<Events, Problem> {
        let state = self.state(id).await?;
        self.note_presence(&state, caller);
        let (head, ended) = (state.head(), matches!(state.phase(), Phase::Ended(_)));
        let limit = limit.min(EVENTS_MAX);
        let expected = head.saturating_sub(since).min(limit) as usize;
        // Before the journal is read, so that a refusal costs nothing.
        self.admit_items(address, expected)?;
        let long = expected > SHORT_PAGE;
        // Held until the page is built, which may wait for the pool; meanwhile the next page can be read.
        let _in_memory = if long { Some(self.long_pages_in_memory.acquire().await?) } else { None };
        let reading = if long { Some(self.long_pages.acquire().await?) } else { None };
        let recorded = self.store().events(id, since, limit).await.map_err(problem::store)?.events;
        drop(reading);
        let events = move || {
            // The journal may have grown since the state was taken.
            let known = recorded.iter().take_while(|recorded| recorded.seq <= head);
            let events = known.map(|recorded| wire::event(&state, recorded));
            match positions {
                Positions::Sent => events.collect(),
                Positions::LeftOut => events.map(Event::without_position).collect(),
            }
        };
        let events = self.background.run_if_long(long, events).await.ok_or_else(problem::internal)?;
        Ok(Events { id, events, head, ended })
    }

    /// Takes the slot for reading long pages.
    #[cfg(test)]
    pub(crate) async fn hold_long_pages(&self) -> tokio::sync::OwnedSemaphorePermit {
        self.long_pages.acquire().await.expect("nothing else holds it")
    }

    /// The record of a match, for storing, replaying and checking.
    ///
    /// # Errors
    /// `no_such_match`; `too_many_requests` if the address has too many records waiting; `unavailable`, also
    /// if too many are requested at once.
    pub async fn record(&self, id: MatchId, address: ClientAddress) -> Result<Record, Problem> {
        let _permit = self.records.acquire(address).await?;
        let state = self.state(id).await?;
        self.admit_items(address, state.head() as usize)?;
        self.whole_record(state).await
    }

    /// Reads the journal of a match.
    pub(in crate::app) async fn whole_record(&self, state: Arc<Match>) -> Result<Record, Problem> {
        let id = state.id();
        let mut events = Vec::new();
        while events.len() < state.head() as usize {
            let since = events.last().map_or(0, |last: &lusoria_play::Recorded| last.seq);
            let page = self.store().events(id, since, EVENTS_MAX).await.map_err(problem::store)?.events;
            if page.is_empty() {
                return Err(problem::store(StoreError::Corrupt(
                    "a journal is shorter than its head".to_owned(),
                )));
            }
            events.extend(page);
        }
        events.truncate(state.head() as usize);
        let record = self.background.run(move || wire::record(&state, &events)).await;
        record.ok_or_else(problem::internal)
    }

    /// Notes that a player is present, since they ask about their match.
    pub(in crate::app) fn note_presence(&self, state: &Match, caller: Option<&Caller>) {
        let Some(caller) = caller else { return };
        match state.sits(caller.id()) {
            Sits::Nowhere => {}
            Sits::At(seat) => self.live.saw(state.id(), seat),
            Sits::InBoth => Seat::BOTH.into_iter().for_each(|seat| self.live.saw(state.id(), seat)),
        }
    }
}
