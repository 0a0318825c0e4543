//! Challenges as both sides see them.

use lusoria_protocol::{Challenge as WireChallenge, ChallengeState};
use lusoria_store::{ChallengeEnd, NamedChallenge};

use super::other;

/// A challenge.
pub fn challenge(of: &NamedChallenge) -> WireChallenge {
    let NamedChallenge { challenge, challenger, challenged, handles } = of;
    let [from_handle, to_handle] = handles.clone().map(|handle| handle.and_then(|of| of.try_into().ok()));
    let terms = &challenge.terms;
    let (state, reason) = match challenge.end {
        None => (ChallengeState::Waiting, None),
        Some(ChallengeEnd::Accepted) => (ChallengeState::Accepted, None),
        Some(ChallengeEnd::Declined(reason)) => (ChallengeState::Declined, reason),
        Some(ChallengeEnd::Withdrawn) => (ChallengeState::Withdrawn, None),
    };
    WireChallenge {
        id: challenge.id,
        from: other::of(challenger),
        from_handle,
        to: other::of(challenged),
        to_handle,
        game: terms.variant.game(),
        options: terms.variant.options(),
        points: terms.length.points(),
        games: lusoria_wire::games(terms.length),
        clock: terms.clock,
        side: lusoria_wire::play_as(terms),
        rated: terms.rated,
        state,
        reason,
        created_at: challenge.created_at,
        expires_at: challenge.expires_at,
    }
}
