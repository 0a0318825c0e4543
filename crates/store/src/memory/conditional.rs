//! Conditional turns: what players have laid down to be played for them.

use lusoria_play::{ConditionalTurns, MatchId, Millis, PlayerId};

use super::MemoryStore;
use crate::{Conditionals, MatchState, StoreFuture};

impl Conditionals for MemoryStore {
    fn set_conditional_turns(
        &self,
        id: MatchId,
        guest: PlayerId,
        turns: ConditionalTurns,
    ) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| {
            if !tables.matches.contains_key(&id) || !tables.guests.contains_key(&guest) {
                return Ok(false);
            }
            if turns.is_empty() {
                tables.conditional_turns.remove(&(id, guest));
            } else {
                tables.conditional_turns.insert((id, guest), turns);
            }
            Ok(true)
        })
    }

    fn conditional_turns(&self, id: MatchId, guest: PlayerId) -> StoreFuture<'_, Option<ConditionalTurns>> {
        self.at_once(move |tables| Ok(tables.conditional_turns.get(&(id, guest)).cloned()))
    }

    fn conditional_turns_of(&self, guest: PlayerId) -> StoreFuture<'_, Vec<(MatchId, ConditionalTurns)>> {
        self.at_once(move |tables| {
            let theirs = tables.conditional_turns.iter().filter(|((_, of), _)| *of == guest);
            Ok(theirs.map(|((id, _), turns)| (*id, turns.clone())).collect())
        })
    }

    fn conditional_matches(
        &self,
        since: Millis,
        after: Option<MatchId>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<MatchId>> {
        self.at_once(move |tables| {
            let mut found: Vec<MatchId> = tables.conditional_turns.keys().map(|(id, _)| *id).collect();
            found.dedup();
            found.retain(|id| {
                let is_meant = after.is_none_or(|after| *id > after);
                let goes_on = |of: &super::tables::Match| {
                    of.card.state() != MatchState::Finished && of.updated_at >= since
                };
                is_meant && tables.matches.get(id).is_some_and(goes_on)
            });
            found.truncate(limit as usize);
            Ok(found)
        })
    }
}
