//! The events of a match that clients received, byte for byte.

use std::collections::BTreeMap;

use lusoria_protocol::MatchId;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    TrialError,
    error::{promised, read},
};

/// The events of a match that were sent to any client. They must stay in the journal permanently, byte for
/// byte.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    id: MatchId,
    events: BTreeMap<u32, Box<str>>,
}

#[derive(Deserialize)]
struct EventNumber {
    seq: u32,
    #[serde(rename = "match")]
    id: MatchId,
}

/// A response with events. Other fields are ignored.
#[derive(Debug, Deserialize)]
pub(crate) struct Told {
    /// The number of the last of them, or of the match's last event in a page.
    pub(crate) head: u32,
    /// The events, as received.
    pub(crate) events: Vec<Box<RawValue>>,
    /// The rematch, if one was created.
    pub(crate) next: Option<MatchId>,
}

impl Seen {
    /// A record without events.
    pub(crate) const fn of(id: MatchId) -> Self {
        Self { id, events: BTreeMap::new() }
    }

    /// The match.
    pub(crate) const fn id(&self) -> MatchId {
        self.id
    }

    /// Notes an event.
    ///
    /// # Errors
    /// If it belongs to another match, or another event with its number was received.
    pub(crate) fn see(&mut self, text: &str) -> Result<u32, TrialError> {
        let EventNumber { seq, id } = read(text)?;
        promised!(id == self.id, "an event of {id} was sent as one of {}: {text}", self.id);
        let before = self.events.entry(seq).or_insert_with(|| text.into());
        promised!(**before == *text, "event {seq} of {id} was sent in two forms:\n  {before}\n  {text}");
        Ok(seq)
    }

    /// An event as it was received.
    pub(crate) fn event(&self, seq: u32) -> Option<&str> {
        self.events.get(&seq).map(|text| &**text)
    }

    /// The greatest number received.
    pub(crate) fn head(&self) -> u32 {
        self.events.last_key_value().map_or(0, |(&seq, _)| seq)
    }

    /// The greatest number up to which every event was received.
    pub(crate) fn whole_until(&self) -> u32 {
        (1..)
            .zip(self.events.keys())
            .take_while(|(expected, seq)| expected == *seq)
            .last()
            .map_or(0, |(seq, _)| seq)
    }

    /// The number of events received.
    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    /// Compares with the journal as the server sends it now, from its first event to its last.
    ///
    /// # Errors
    /// If a number is missing or comes twice, or a received event is missing or has changed.
    pub(crate) fn compare(&self, journal: &[Box<RawValue>]) -> Result<(), TrialError> {
        for (expected, event) in (1..).zip(journal) {
            let EventNumber { seq, .. } = read(event.get())?;
            promised!(seq == expected, "{}: {seq} instead of {expected}", self.id);
        }
        let (id, head) = (self.id, journal.len());
        for (&seq, seen) in &self.events {
            let now = journal.get(seq as usize - 1).map(|event| event.get());
            promised!(
                now.is_some(),
                "event {seq} of {id} was acknowledged and is lost: the journal ends at {head}"
            );
            promised!(now == Some(seen), "event {seq} of {id} has changed:\n  {seen}\n  {now:?}");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";

    fn event(seq: u32, what: &str) -> String {
        format!(r#"{{"match":"{ID}","seq":{seq},"type":"{what}"}}"#)
    }

    fn journal(events: &[String]) -> Vec<Box<RawValue>> {
        events.iter().map(|text| RawValue::from_string(text.clone()).unwrap()).collect()
    }

    #[test]
    fn seen_events_must_be_in_the_journal_byte_for_byte() {
        let mut seen = Seen::of(ID.parse().unwrap());
        for seq in [1, 2, 4] {
            assert_eq!(seen.see(&event(seq, "a")).unwrap(), seq);
        }
        assert_eq!((seen.whole_until(), seen.head()), (2, 4));
        let all: Vec<_> = (1..=5).map(|seq| event(seq, "a")).collect();
        assert!(seen.compare(&journal(&all)).is_ok(), "there may be more");
        assert!(seen.compare(&journal(&all[..4])).is_ok());
        assert!(seen.compare(&journal(&all[..3])).is_err(), "4 is lost");
        let changed = [event(1, "a"), event(2, "b"), event(3, "a"), event(4, "a")];
        assert!(seen.compare(&journal(&changed)).is_err(), "2 has changed");
        let gap = [event(1, "a"), event(2, "a"), event(4, "a"), event(4, "a")];
        assert!(seen.compare(&journal(&gap)).is_err(), "3 is skipped");
    }

    #[test]
    fn one_number_is_one_event() {
        let mut seen = Seen::of(ID.parse().unwrap());
        seen.see(&event(1, "a")).unwrap();
        seen.see(&event(1, "a")).unwrap();
        assert!(seen.see(&event(1, "b")).is_err());
        assert!(seen.see(&event(2, "a").replace(ID, &ID.replace('0', "1"))).is_err(), "another match");
    }
}
