//! Accepts challenges, which creates their matches, and notifies both sides.

use std::sync::Arc;

use lusoria_play::{Clock, Millis, SeedBrought};
use lusoria_store::{Challenge, ChallengeEnd, ENDED_CHALLENGE_KEPT_MS, NamedChallenge, StoreError};

use super::{
    CommandError, Notice, PushMatter,
    context::Context,
    creation::{self, Answering, Creation},
};

/// How long a challenge waits after the challenger was last present, in milliseconds.
pub const LIVE_CHALLENGE_FOR_MS: Millis = 60_000;

/// How long a challenge to a correspondence match waits, in milliseconds.
pub const CHALLENGE_BY_DAYS_FOR_MS: Millis = 14 * Clock::DAY_MS;

/// Creates the match of a waiting challenge, with the seed that the challenged player brings.
///
/// # Errors
/// `ChallengeGone` if it no longer waits or one player has blocked the other; errors of the store.
pub(super) async fn accept(
    context: Arc<Context>,
    of: NamedChallenge,
    seed: SeedBrought,
) -> Result<NamedChallenge, CommandError> {
    let NamedChallenge { challenge, challenger, challenged, .. } = of.clone();
    let creation = Creation {
        terms: challenge.terms,
        creator: challenger,
        made_by: None,
        joiner: Some((challenged, seed)),
        seed: challenge.seed_hash.map_or(SeedBrought::Nothing, SeedBrought::Hash),
        invite: None,
        key: None,
        answers: Some(Answering::Challenge(challenge.id)),
    };
    let made = creation::create(Arc::clone(&context), creation).await?;
    let expires_at = made.created_at() + ENDED_CHALLENGE_KEPT_MS;
    let challenge = Challenge { end: Some(ChallengeEnd::Accepted), expires_at, ..challenge };
    let accepted = NamedChallenge { challenge, ..of };
    tell_both(&context, &accepted);
    Ok(accepted)
}

/// Notifies both sides of a challenge's new state.
pub(super) fn tell_both(context: &Context, of: &NamedChallenge) {
    for player in [of.challenger.id, of.challenged.id] {
        context.tell_player(player, || Notice::Challenge(of.clone()));
    }
    let Challenge { id, challenger, challenged, end, .. } = of.challenge;
    match end {
        None => context.push_inbox.mark(challenged, PushMatter::Challenge(id)),
        Some(ChallengeEnd::Accepted) => context.push_inbox.mark(challenger, PushMatter::Answered(id)),
        Some(ChallengeEnd::Declined(_) | ChallengeEnd::Withdrawn) => {}
    }
}

/// Prolongs the challenges of players who are connected to this node.
pub(super) async fn prolong(context: &Context, now: Millis) -> Result<(), StoreError> {
    let mut here = context.store.live_challengers(now).await?;
    here.retain(|player| context.topics.has_listener(*player));
    if here.is_empty() {
        return Ok(());
    }
    context.store.prolong_challenges(here, now, now + LIVE_CHALLENGE_FOR_MS).await
}

/// Notifies players connected to this node of challenges that ended at or after `since`. The node that ended
/// one may have stopped before it notified them, and a new match withdraws others.
pub(super) async fn tell_again(context: &Context, since: Millis) -> Result<(), StoreError> {
    for of in context.store.ended_challenges(since).await? {
        for player in [of.challenger.id, of.challenged.id] {
            context.topics.tell(player, || context.render.notice(&Notice::Challenge(of.clone())));
        }
    }
    Ok(())
}
