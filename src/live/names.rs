//! Taking the name of a person out of a match: the one thing that changes events that have
//! happened. What happened stays, the name of who did it does not.

use lusoria_play::{Match, MatchId, PlayerId};

use lusoria_store::{Card, Store, StoreError};

use super::{CommandError, journal::version};

/// How many events are read at once.
const PAGE: u32 = 512;

/// Puts `name` in the place of the player's name, in the journal and in what lists show. Answers
/// the match as it is then, and its edition; none if it has moved on meanwhile.
pub(super) async fn replace(
    store: &dyn Store,
    id: MatchId,
    player: PlayerId,
    name: &str,
) -> Result<Option<(Match, u32)>, CommandError> {
    let first = store.events(id, 0, PAGE).await?;
    // If later pages are of another edition, the rewrite is refused.
    let (edition, mut journal) = (first.edition, first.events);
    let mut is_all = journal.len() < PAGE as usize;
    while !is_all {
        let since = journal.last().map_or(0, |last| last.seq);
        let page = store.events(id, since, PAGE).await?.events;
        is_all = page.len() < PAGE as usize;
        journal.extend(page);
    }
    if journal.is_empty() {
        return Err(CommandError::NoSuchMatch);
    }
    let mut changed = Vec::new();
    for recorded in &mut journal {
        let mut has_changed = false;
        for named in recorded.event.players_mut() {
            if named.id == player && named.name != name {
                name.clone_into(&mut named.name);
                has_changed = true;
            }
        }
        changed.extend(has_changed.then(|| recorded.clone()));
    }
    let state = Match::from_journal(id, journal)
        .map_err(|why| CommandError::Store(StoreError::Corrupt(why.to_string())))?;
    // Even if every event has the name: what lists show may have been written since by somebody
    // who did not know it.
    let rewritten = store.rewrite(id, version(&state, edition), changed, Card::of(&state)).await?;
    Ok(rewritten.then_some((state, edition + 1)))
}
