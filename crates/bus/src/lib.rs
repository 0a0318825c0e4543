//! Carries messages between the nodes of a cluster: a match has a new head, a player is connected here, a
//! token is revoked. Nothing depends on a message arriving: the database is the truth, and a lost message
//! costs only latency.
//!
//! | bus | for |
//! | --- | --- |
//! | [`Alone`] | a server without other nodes |
//! | [`NatsBus`] | a cluster, over NATS |
//! | [`Hub`] | tests: several nodes in one process, with every fault that a network has |
//!
//! All of them keep the same laws:
//!
//! - A node never receives its own messages.
//! - A node receives a message if it is subscribed to the subject when the message passes.
//! - [`Bus::publish`] never waits. What does not fit into a bounded queue is dropped and counted.
//! - A node that may have missed messages gets one [`Delivery::Gap`] until it takes it: after its own
//!   connection was lost, after its queue overflowed, and also if another node could not send.
//!
//! Metrics of a cluster:
//!
//! | metric | what |
//! | --- | --- |
//! | `lusoria_bus_published_total` | messages handed to NATS |
//! | `lusoria_bus_received_total` | messages received from other nodes |
//! | `lusoria_bus_dropped_total` | messages that were dropped, by why: `disconnected`, `outbox_full`, `too_large`, `inbox_full`, `slow_consumer` |
//! | `lusoria_bus_gaps_total` | times that messages may have been lost |
//! | `lusoria_bus_connected` | 1 while NATS is connected, else 0 |

mod alone;
mod backlog;
mod hub;
mod inbox;
mod interests;
mod nats;
mod seal;
mod subject;

use std::fmt;

use bytes::Bytes;
use futures_util::future::BoxFuture;

pub use alone::Alone;
pub use hub::{Hub, HubBus, Passing, Policy};
pub use nats::{BadNatsUrl, NatsBus, NatsError, NatsOptions, NatsUrl};
pub use seal::{NotGenuine, Seal};
pub use subject::Subject;

/// The longest payload, in bytes.
pub const PAYLOAD_MAX: usize = 64 * 1024;

/// Carries messages between nodes.
pub trait Bus: Send + Sync + 'static {
    /// Sends a message to the other nodes that are subscribed to the subject. Never waits: what does not fit
    /// into the bounded queue is dropped and counted, and so is a payload longer than [`PAYLOAD_MAX`].
    fn publish(&self, subject: Subject, payload: Bytes);

    /// Subscribes to a subject until the subscription is dropped. Subscriptions to one subject are counted.
    ///
    /// It takes effect a little later: data read right after this call may be older than the first message
    /// received, and a message in between may be missed.
    fn subscribe(&self, subject: Subject) -> Subscription;

    /// Waits for the next delivery; `None` when the bus is closed. Only one task may call it. Cancel safe.
    fn next(&self) -> BoxFuture<'_, Option<Delivery>>;

    /// Whether messages reach other nodes now, as far as is known.
    fn is_connected(&self) -> bool;

    /// Whether there is nothing to connect to.
    fn is_alone(&self) -> bool {
        false
    }

    /// Sends the queued messages, for at most a second, and stops. Nothing is delivered any more.
    fn close(&self) -> BoxFuture<'_, ()>;
}

/// A delivery to a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivery {
    /// A message of another node.
    Message {
        /// Its subject.
        subject: Subject,
        /// Its payload. Anybody on the network may have sent it, so do not trust it until [`Seal::open`] has
        /// checked it.
        payload: Bytes,
    },
    /// Messages may have been lost: read everything again.
    Gap,
}

/// Listens to a subject until it is dropped.
#[derive(Default)]
#[must_use = "a subscription ends when it is dropped"]
pub struct Subscription(Option<Box<dyn FnOnce() + Send + Sync>>);

impl Subscription {
    /// A subscription that calls this when it is dropped.
    fn until(ended: impl FnOnce() + Send + Sync + 'static) -> Self {
        Self(Some(Box::new(ended)))
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(ended) = self.0.take() {
            ended();
        }
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription").finish_non_exhaustive()
    }
}

/// Counts a message that was dropped.
fn count_dropped(why: &'static str, messages: u64) {
    metrics::counter!("lusoria_bus_dropped_total", "why" => why).increment(messages);
}
