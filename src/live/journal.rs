//! Reading a match from its journal.

use lusoria_play::{Corrupt, Match, MatchId};
use lusoria_store::{Store, StoreError};

use super::CommandError;

/// How many events are read at once.
const PAGE: u32 = 512;

/// A match as its journal has it.
///
/// # Errors
/// If there is no such match, or its journal cannot be read.
pub(super) async fn read_match(store: &dyn Store, id: MatchId) -> Result<Match, CommandError> {
    let corrupt = |why: Corrupt| StoreError::Corrupt(why.to_string());
    let first = store.events(id, 0, PAGE).await?;
    if first.is_empty() {
        return Err(CommandError::NoSuchMatch);
    }
    let mut page_len = first.len();
    let mut state = Match::from_journal(id, first).map_err(corrupt)?;
    while page_len == PAGE as usize {
        let page = store.events(id, state.head(), PAGE).await?;
        page_len = page.len();
        for recorded in page {
            state.fold(&recorded).map_err(corrupt)?;
        }
    }
    Ok(state)
}
