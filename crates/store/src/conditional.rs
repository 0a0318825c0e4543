//! The part of the store for conditional turns.

use lusoria_play::{ConditionalTurns, MatchId, Millis, PlayerId};

use crate::StoreFuture;

/// What players have laid down to be played for them. The promises of [`Store`](crate::Store) hold. It goes with the
/// match and with the guest, and a sweep deletes what is left of matches that have ended.
pub trait Conditionals: Send + Sync + 'static {
    /// Stores what a guest has laid down for a match in the place of what they had; none if it is empty. False if
    /// there is no such match or guest.
    fn set_conditional_turns(
        &self,
        id: MatchId,
        guest: PlayerId,
        turns: ConditionalTurns,
    ) -> StoreFuture<'_, bool>;

    /// Reads what a guest has laid down for a match.
    fn conditional_turns(&self, id: MatchId, guest: PlayerId) -> StoreFuture<'_, Option<ConditionalTurns>>;

    /// Lists all that a guest has laid down, by the ids of the matches.
    fn conditional_turns_of(&self, guest: PlayerId) -> StoreFuture<'_, Vec<(MatchId, ConditionalTurns)>>;

    /// Lists at most `limit` matches after `after`, in the order of their ids, for which somebody has laid down turns,
    /// that have not ended and have changed at `since` or later.
    fn conditional_matches(
        &self,
        since: Millis,
        after: Option<MatchId>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<MatchId>>;
}
