//! Requests to push services, and their sender.

use std::{io, time::Duration};

use futures_util::future::BoxFuture;
use lusoria_push::Endpoint;

/// A request to a push service (RFC 8030 5).
#[derive(Clone)]
pub struct PushRequest {
    /// The address.
    pub endpoint: Endpoint,
    /// `Authorization`: identifies this server.
    pub authorization: String,
    /// `TTL`: how long the push service keeps the message for an unreachable browser, in seconds.
    pub ttl_s: u32,
    /// `Urgency`: `high` or `normal`.
    pub urgency: &'static str,
    /// `Topic`: a later message of the same topic replaces one that was not delivered.
    pub topic: String,
    /// The encrypted message.
    pub body: Vec<u8>,
}

/// The response of a push service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PushAnswer {
    /// The status.
    pub status: u16,
    /// `Retry-After`, if it is in seconds.
    pub retry_after: Option<Duration>,
}

/// The reason that a push service has not answered.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Unsent(#[from] pub io::Error);

/// Sends requests to push services.
pub trait PushSender: Send + Sync + 'static {
    /// Sends a request without a time limit, and follows no redirect.
    fn send(&self, request: PushRequest) -> BoxFuture<'_, Result<PushAnswer, Unsent>>;
}
