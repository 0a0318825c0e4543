//! Reading a match from its journal.

use lusoria_play::{Corrupt, Match, MatchId, Recorded};
use lusoria_store::{Store, StoreError};

use super::CommandError;

/// How many events are read at once.
const PAGE: u32 = 512;

/// A match as its journal has it.
///
/// # Errors
/// If there is no such match, or its journal cannot be read.
pub(super) async fn read_match(store: &dyn Store, id: MatchId) -> Result<Match, CommandError> {
    let first = store.events(id, 0, PAGE).await?;
    if first.is_empty() {
        return Err(CommandError::NoSuchMatch);
    }
    let is_all = first.len() < PAGE as usize;
    let mut state = Match::from_journal(id, first).map_err(|why| corrupt(&why))?;
    if !is_all {
        read_on(store, &mut state).await?;
    }
    Ok(state)
}

/// Takes a match on to where its journal ends, and returns the events that it did not know.
///
/// # Errors
/// If its journal cannot be read. The match is of no use then.
pub(super) async fn read_on(store: &dyn Store, state: &mut Match) -> Result<Vec<Recorded>, CommandError> {
    let mut events = Vec::new();
    loop {
        let page = store.events(state.id(), state.head(), PAGE).await?;
        for recorded in &page {
            state.fold(recorded).map_err(|why| corrupt(&why))?;
        }
        let is_last = page.len() < PAGE as usize;
        events.extend(page);
        if is_last {
            return Ok(events);
        }
    }
}

fn corrupt(why: &Corrupt) -> StoreError {
    StoreError::Corrupt(why.to_string())
}
