//! Push subscriptions: where messages for guests go while they have no page open.

use std::fmt;

use lusoria_play::{ApiTokenId, Millis, PlayerId, PushSubscriptionId, SessionId};

/// How many push subscriptions a guest can have; a further one replaces the oldest.
pub const PUSH_SUBSCRIPTIONS_PER_GUEST_MAX: u32 = 16;

/// Where push messages for a guest go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushSubscription {
    /// Its id, which is unique.
    pub id: PushSubscriptionId,
    /// Who is told.
    pub guest: PlayerId,
    /// What made it, and ends it.
    pub bearer: PushBearer,
    /// Where, and what messages are encrypted with.
    pub target: PushTarget,
    /// In which language, if they have said so.
    pub language: Option<String>,
    /// When it was made, or last made again.
    pub created_at: Millis,
}

/// What a push subscription ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushBearer {
    /// A session of the guest.
    Session(SessionId),
    /// An API token of the guest.
    ApiToken(ApiTokenId),
}

/// A browser at a push service, and what messages to it are encrypted with. All of it is secret.
#[derive(Clone, PartialEq, Eq)]
pub struct PushTarget {
    /// Its address. No two subscriptions have the same.
    pub endpoint: String,
    /// Its public key: an uncompressed point on P-256.
    pub key: [u8; 65],
    /// The secret that it shares with the server.
    pub auth: [u8; 16],
}

impl fmt::Debug for PushTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PushTarget(…)")
    }
}
