//! The bus of a server without other nodes.

use bytes::Bytes;
use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use crate::{Bus, Delivery, Subject, Subscription};

/// Publishes to nobody and receives nothing.
#[derive(Debug, Default)]
pub struct Alone {
    closed: CancellationToken,
}

impl Bus for Alone {
    fn publish(&self, _: Subject, _: Bytes) {}

    fn subscribe(&self, _: Subject) -> Subscription {
        Subscription::default()
    }

    fn next(&self) -> BoxFuture<'_, Option<Delivery>> {
        Box::pin(async {
            self.closed.cancelled().await;
            None
        })
    }

    fn is_connected(&self) -> bool {
        false
    }

    fn is_alone(&self) -> bool {
        true
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.closed.cancel();
        Box::pin(std::future::ready(()))
    }
}
