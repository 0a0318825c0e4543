//! The events of an append, as one row.

use lusoria_play::{Event, MatchId, Recorded};

use super::text::{column, corrupt, millis, seq};
use crate::{StoreError, model::last_number};

/// The events of an append, which happened at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AppendRow {
    pub(super) first: i64,
    pub(super) last: i64,
    pub(super) at: i64,
    /// A JSON array.
    pub(super) events: String,
}

impl AppendRow {
    /// Serialises the events of an append; in the caller's task, not in the writer's.
    ///
    /// # Errors
    /// If they are not one append that follows number `head`.
    pub(super) fn of(head: u32, events: &[Recorded]) -> Result<Self, StoreError> {
        let last = i64::from(last_number(head, events)?);
        let bodies: Vec<&Event> = events.iter().map(|recorded| &recorded.event).collect();
        let json = serde_json::to_string(&bodies)
            .map_err(|error| StoreError::Failed(format!("an event cannot be written: {error}")))?;
        Ok(Self { first: i64::from(head) + 1, last, at: column(events[0].at), events: json })
    }

    /// The events, each with its number.
    pub(super) fn recorded(&self, id: MatchId) -> Result<Vec<Recorded>, StoreError> {
        let (first, at) = (seq(self.first)?, millis(self.at)?);
        let events: Vec<Event> = serde_json::from_str(&self.events)
            .map_err(|error| corrupt(format!("the events {first} … of match {}: {error}", id.0)))?;
        if i64::try_from(events.len()) != Ok(self.last - self.first + 1) {
            return Err(corrupt(format!("the events {first} … of match {} are not all there", id.0)));
        }
        let recorded = |(seq, event)| Recorded { seq, first, at, event };
        Ok((first..).zip(events).map(recorded).collect())
    }

    /// The same with one event in the place of that with its number.
    pub(super) fn replaced(self, id: MatchId, event: &Recorded) -> Result<Self, StoreError> {
        let mut events = self.recorded(id)?;
        for old in events.iter_mut().filter(|old| old.seq == event.seq) {
            old.event = event.event.clone();
        }
        let head = events.first().map_or(0, |first| first.seq - 1);
        Self::of(head, &events)
    }
}
