//! What is sent to push services, and what carries it.

use std::{io, time::Duration};

use futures_util::future::BoxFuture;
use lusoria_push::Endpoint;

/// A request to a push service (RFC 8030 5).
#[derive(Clone)]
pub struct PushRequest {
    /// Where.
    pub endpoint: Endpoint,
    /// `Authorization`: who sends.
    pub authorization: String,
    /// `TTL`: for how many seconds the push service keeps the message for a browser that it does not reach.
    pub ttl_s: u32,
    /// `Urgency`: `high` or `normal`.
    pub urgency: &'static str,
    /// `Topic`: a later message of the same topic replaces one that was not delivered.
    pub topic: String,
    /// The encrypted message.
    pub body: Vec<u8>,
}

/// What a push service answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PushAnswer {
    /// The status.
    pub status: u16,
    /// `Retry-After`, if it is in seconds.
    pub retry_after: Option<Duration>,
}

/// Why a push service has not answered.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Unsent(#[from] pub io::Error);

/// Carries requests to push services.
pub trait PushSender: Send + Sync + 'static {
    /// Sends a request, however long that takes, and follows no redirect.
    fn send(&self, request: PushRequest) -> BoxFuture<'_, Result<PushAnswer, Unsent>>;
}
