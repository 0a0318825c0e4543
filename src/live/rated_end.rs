//! Adds the rating changes to the append that ends a rated match.

use std::sync::Arc;

use lusoria_play::{Match, Recorded};
use lusoria_store::RatingChange;

use super::{
    CommandError,
    context::Context,
    rating::{self, Constants, HeldRatings, Rateable},
};

/// The rating changes at the end of a match, with the locks that keep this node from changing the same
/// ratings meanwhile.
pub(super) struct EndRated {
    pub(super) change: Box<RatingChange>,
    _held: HeldRatings,
}

/// The state after a commit, its events, and its rating changes.
pub(super) type ToCommit = (Arc<Match>, Arc<[Recorded]>, Option<EndRated>);

/// Computes the rating changes of a match's end, and adds them to the events.
///
/// # Errors
/// If the ratings cannot be read.
pub(super) async fn rate(
    context: &Context,
    mut state: Arc<Match>,
    mut events: Vec<Recorded>,
) -> Result<ToCommit, CommandError> {
    let Some(rateable) = Rateable::of(&state, Constants::PRESENT) else {
        return Ok((state, events.into(), None));
    };
    let (players, key, at) = (rateable.players, rateable.key(), rateable.ended_at());
    let held = context.ratings.hold(players, key).await;
    let change = rateable.change(&context.store.ratings_before(players, key, at).await?);
    Arc::make_mut(&mut state).rate(&mut events, change.constants, rating::told(&change));
    Ok((state, events.into(), Some(EndRated { change: Box::new(change), _held: held })))
}
