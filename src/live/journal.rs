//! Loads matches from their journals.

use lusoria_play::{Corrupt, Match, MatchId, Recorded};
use lusoria_store::{Store, StoreError, Version};

use super::CommandError;

/// How many events are read at once.
const PAGE: u32 = 512;

/// How often a match is read again because a name in it was replaced meanwhile.
const ATTEMPTS: u32 = 4;

/// A match folded from its journal, with its edition.
///
/// # Errors
/// If there is no such match, or its journal cannot be read.
pub(super) async fn read_match(store: &Store, id: MatchId) -> Result<(Match, u32), CommandError> {
    for _ in 0..ATTEMPTS {
        let first = store.events(id, 0, PAGE).await?;
        if first.events.is_empty() {
            return Err(CommandError::NoSuchMatch);
        }
        let is_all = first.events.len() < PAGE as usize;
        let mut state = Match::from_journal(id, first.events).map_err(|why| corrupt(&why))?;
        if is_all || read_on(store, &mut state, first.edition).await?.is_some() {
            return Ok((state, first.edition));
        }
    }
    Err(StoreError::Busy("names in the match are being replaced".to_owned()).into())
}

/// Folds the newer events of the journal into a match, and returns them. None if the journal has another
/// edition: then all of it must be read again.
///
/// # Errors
/// If its journal cannot be read. After an error or another edition the match must not be used.
pub(super) async fn read_on(
    store: &Store,
    state: &mut Match,
    edition: u32,
) -> Result<Option<Vec<Recorded>>, CommandError> {
    let mut events = Vec::new();
    loop {
        let page = store.events(state.id(), state.head(), PAGE).await?;
        if page.edition != edition {
            return Ok(None);
        }
        fold(state, &page.events)?;
        let is_last = page.events.len() < PAGE as usize;
        events.extend(page.events);
        if is_last {
            return Ok(Some(events));
        }
    }
}

/// Folds events into a match.
///
/// # Errors
/// If they do not follow.
pub(super) fn fold(state: &mut Match, events: &[Recorded]) -> Result<(), StoreError> {
    events.iter().try_for_each(|recorded| state.fold(recorded).map_err(|why| corrupt(&why)))
}

/// The version of a match in memory.
pub(super) fn version(state: &Match, edition: u32) -> Version {
    Version { head: state.head(), edition }
}

fn corrupt(why: &Corrupt) -> StoreError {
    StoreError::Corrupt(why.to_string())
}
