//! Requests to a match, and their outcome.

use std::sync::Arc;

use lusoria_play::{Bytes32, Command, Match, MatchId, PlayerId};
use lusoria_store::{KeyUse, SecretHash};

use super::{Published, Rewriting};

/// A request to a match.
#[derive(Debug, Clone)]
pub enum MatchRequest {
    /// Applies a player's command.
    Command {
        /// The command.
        command: Command,
        /// The idempotency key to store.
        key: Option<KeyUse>,
        /// The invitation that it spends.
        spends: Option<SecretHash>,
    },
    /// Accepts the rematch that the opponent has offered, and creates the new match.
    AcceptRematch {
        /// The player who accepts.
        by: PlayerId,
        /// Their seed for it.
        seed: RematchSeed,
        /// The idempotency key to store.
        key: Option<KeyUse>,
    },
    /// Ends the match without a result, unless it has events after `since` other than credit for outages.
    EndUnlessPlayed {
        /// The last event that the requester knows.
        since: u32,
    },
    /// Rewrites a player in all events.
    Rewrite(Rewriting),
    /// Gives the credit for outages that is due.
    CreditOutages,
    /// Gives the credit that is due, and applies a deadline that has passed, unless an earlier command is
    /// still undecided.
    Wake,
}

/// The seed that a player brings to a rematch: its hash, or none.
pub type RematchSeed = Option<Bytes32>;

/// The outcome of a request.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The match after it.
    pub state: Arc<Match>,
    /// The appended events, as every reader gets them; empty if nothing had to be done.
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
