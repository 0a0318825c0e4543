//! Requests to a match, and their outcome.

use std::sync::Arc;

use lusoria_play::{Bytes32, Command, Match, MatchId, PlayerId};
use lusoria_store::{KeyUse, SecretHash};

use super::{Published, Rewriting};

/// A request to a match.
#[derive(Debug, Clone)]
pub enum MatchRequest {
    /// Apply a command of a player.
    Command {
        /// The command.
        command: Command,
        /// The idempotency key to use up.
        key: Option<KeyUse>,
        /// The invitation that it uses up.
        spends: Option<SecretHash>,
    },
    /// Accept the rematch that the opponent has offered, and create the new match.
    AcceptRematch {
        /// Who accepts.
        by: PlayerId,
        /// Their seed for it.
        seed: RematchSeed,
        /// The idempotency key to use up.
        key: Option<KeyUse>,
    },
    /// End the match without a result, unless it has events after `since` other than credit for
    /// outages.
    EndUnlessPlayed {
        /// The last event that the requester knows.
        since: u32,
    },
    /// Replace something in past events, too.
    Rewrite(Rewriting),
    /// Give the credit for outages that is due.
    CreditOutages,
    /// Give the credit that is due and apply a deadline that has passed, unless a command that
    /// arrived before it is still undecided.
    Wake,
}

/// The seed that a player brings to a rematch: its hash, or none.
pub type RematchSeed = Option<Bytes32>;

/// The outcome of a request.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The match after it.
    pub state: Arc<Match>,
    /// The events that were appended, as every reader gets them; none if nothing had to be done.
    pub events: Vec<Published>,
    /// The rematch that was created.
    pub next: Option<MatchId>,
}

impl MatchRequest {
    /// The guest who makes the request; none for the server's own.
    pub(super) fn requester(&self) -> Option<PlayerId> {
        match self {
            Self::Command { command: Command::Join { player, .. }, .. } => Some(player.id),
            Self::Command { command, .. } => command.by(),
            Self::AcceptRematch { by, .. } => Some(*by),
            Self::EndUnlessPlayed { .. } | Self::Rewrite(_) | Self::CreditOutages | Self::Wake => None,
        }
    }
}
