//! What costs much: only a few are answered at a time, the others wait a while, and nobody
//! fills the queue alone.

use std::{collections::HashMap, net::IpAddr, sync::Arc, time::Duration};

use lusoria_protocol::{Code, Problem};
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{ClientAddress, problem};

/// How many records are put together at a time: each is a whole journal in memory.
pub(super) const RECORDS_AT_ONCE: usize = 4;

/// How many records that somebody sends are taken in at a time: each is megabytes in memory.
/// Whoever sends slowly holds a place until it is there, and no turn to be judged.
pub(super) const SENT_RECORDS_AT_ONCE: usize = 32;

/// How many of them an address may have waiting or in hand.
pub(super) const SENT_RECORDS_PER_ADDRESS: u32 = 2;

/// How long a question waits until it is answered.
const BEGINS_WITHIN: Duration = Duration::from_secs(5);

/// When somebody who has too many waiting may come again.
const RETRY_S: u64 = 1;

/// Lets a few in at a time.
pub(super) struct Turnstile {
    permits: Arc<Semaphore>,
    places: Places,
}

/// Counts how much each address has waiting or in hand, and lets it have no more than so much.
pub(super) struct Places {
    here: Arc<Mutex<HashMap<IpAddr, u32>>>,
    per_address_max: u32,
}

/// Leave to go ahead, to be kept until it has been used.
pub struct Passed {
    _permit: OwnedSemaphorePermit,
    _place: Place,
}

/// A place of an address, until this is dropped.
pub(super) struct Place {
    here: Arc<Mutex<HashMap<IpAddr, u32>>>,
    network: IpAddr,
}

impl Turnstile {
    pub(super) fn new(at_once: usize, per_address_max: u32) -> Self {
        Self { permits: Arc::new(Semaphore::new(at_once)), places: Places::new(per_address_max) }
    }

    /// Waits until it is the address's turn.
    ///
    /// # Errors
    /// `too_many_requests` if it has too many waiting already; `unavailable` if it takes too
    /// long.
    pub(super) async fn pass(&self, address: ClientAddress) -> Result<Passed, Problem> {
        let place = self.places.take(address)?;
        match tokio::time::timeout(BEGINS_WITHIN, Arc::clone(&self.permits).acquire_owned()).await {
            Ok(Ok(permit)) => Ok(Passed { _permit: permit, _place: place }),
            Ok(Err(_)) | Err(_) => Err(problem::unavailable()),
        }
    }
}

impl Places {
    pub(super) fn new(per_address_max: u32) -> Self {
        Self { here: Arc::default(), per_address_max }
    }

    /// Takes a place for something that the address asks for.
    ///
    /// # Errors
    /// `too_many_requests` if it has no more.
    pub(super) fn take(&self, address: ClientAddress) -> Result<Place, Problem> {
        let network = address.network();
        let mut here = self.here.lock();
        let count = here.entry(network).or_default();
        if *count >= self.per_address_max {
            let limit = self.per_address_max;
            let detail = format!("your address has {limit} such questions waiting, the most there can be");
            return Err(Problem::new(Code::TooManyRequests, detail)
                .with_limit(limit.into())
                .with_retry_after_s(RETRY_S));
        }
        *count += 1;
        Ok(Place { here: Arc::clone(&self.here), network })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut here = self.here.lock();
        if let Some(count) = here.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                here.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> ClientAddress {
        ClientAddress(text.parse().unwrap())
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_has_waited_long_enough_is_told_to_come_back() {
        let (turnstile, asker) = (Turnstile::new(1, 8), address("192.0.2.1"));
        let first = turnstile.pass(asker).await.ok();
        assert!(first.is_some());
        let refused = turnstile.pass(asker).await.err().unwrap();
        assert_eq!((refused.code, refused.retry_after_s), (Code::Unavailable, Some(1)));
        let (second, ()) = tokio::join!(turnstile.pass(asker), async { drop(first) });
        assert!(second.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_fills_the_queue_alone() {
        let turnstile = Turnstile::new(1, 2);
        let (crowd, other) = (address("2001:db8::1"), address("192.0.2.1"));
        let first = turnstile.pass(crowd).await.ok();
        let waiting = turnstile.pass(crowd);
        tokio::pin!(waiting);
        assert!(futures_util::poll!(waiting.as_mut()).is_pending());
        let refused = turnstile.pass(address("2001:db8::2")).await.err().unwrap();
        assert_eq!((refused.code, refused.retry_after_s), (Code::TooManyRequests, Some(1)));
        let others = turnstile.pass(other);
        tokio::pin!(others);
        assert!(futures_util::poll!(others.as_mut()).is_pending(), "another address may wait");
        drop(first);
        let second = waiting.await.ok();
        assert!(turnstile.places.take(crowd).is_ok(), "whoever has gone has left his place");
        drop(second);
        assert!(others.await.is_ok());
    }
}
