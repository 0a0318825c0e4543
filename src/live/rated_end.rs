//! What the end of a rated match adds to the append that ends it.

use std::sync::Arc;

use lusoria_play::{Match, Recorded};
use lusoria_store::RatingChange;

use super::{
    CommandError,
    context::Context,
    rating::{self, Constants, HeldRatings, Rateable},
};

/// What the end of a match changes of ratings, which nothing else on this node changes meanwhile.
pub(super) struct EndRated {
    pub(super) change: Box<RatingChange>,
    _held: HeldRatings,
}

/// The state after a commit, its events, and what they change of ratings.
pub(super) type ToCommit = (Arc<Match>, Arc<[Recorded]>, Option<EndRated>);

/// Computes what the end of a match changes of ratings, and adds it to the events.
///
/// # Errors
/// If the ratings cannot be read.
pub(super) async fn rate(
    context: &Context,
    mut state: Match,
    mut events: Vec<Recorded>,
) -> Result<ToCommit, CommandError> {
    let Some(rateable) = Rateable::of(&state, Constants::PRESENT) else {
        return Ok((Arc::new(state), events.into(), None));
    };
    let (players, key, at) = (rateable.players, rateable.key(), rateable.ended_at());
    let held = context.ratings.hold(players, key).await;
    let change = rateable.change(&context.store.ratings_before(players, key, at).await?);
    state.rate(&mut events, change.constants, rating::told(&change));
    Ok((Arc::new(state), events.into(), Some(EndRated { change: Box::new(change), _held: held })))
}
