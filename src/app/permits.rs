//! Permits for costly requests: a few run at a time, the others wait a while, and no address
//! fills the queue alone.

use std::{collections::HashMap, net::IpAddr, sync::Arc, time::Duration};

use lusoria_protocol::{Code, Problem};
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{ClientAddress, problem};

/// How many records are built at a time: each is a whole journal in memory.
pub(super) const RECORDS_AT_ONCE: usize = 4;

/// How many uploaded records are read at a time: each is megabytes in memory. A slow sender
/// holds one of these permits, but none of those for judging.
pub(super) const SENT_RECORDS_AT_ONCE: usize = 32;

/// How many uploaded records an address may have waiting or in progress.
pub(super) const SENT_RECORDS_PER_ADDRESS: u32 = 2;

/// How long a request waits for its permit.
const ACQUIRED_WITHIN: Duration = Duration::from_secs(5);

/// When an address with too many waiting requests may try again.
const RETRY_S: u64 = 1;

/// A number of permits, with a quota for each address.
pub(super) struct Permits {
    semaphore: Arc<Semaphore>,
    quota: AddressQuota,
}

/// Limits how many requests of each address wait or run.
pub(super) struct AddressQuota {
    in_use: Arc<Mutex<HashMap<IpAddr, u32>>>,
    per_address_max: u32,
}

/// Permission to do something costly; kept while it is done.
pub struct Permit {
    _permit: OwnedSemaphorePermit,
    _slot: QuotaSlot,
}

/// One request counted against the quota of an address. Dropping it frees the slot.
pub(super) struct QuotaSlot {
    in_use: Arc<Mutex<HashMap<IpAddr, u32>>>,
    network: IpAddr,
}

impl Permits {
    pub(super) fn new(at_once: usize, per_address_max: u32) -> Self {
        Self { semaphore: Arc::new(Semaphore::new(at_once)), quota: AddressQuota::new(per_address_max) }
    }

    /// Waits for a permit.
    ///
    /// # Errors
    /// `too_many_requests` if the address has too many waiting; `unavailable` if it takes too
    /// long.
    pub(super) async fn acquire(&self, address: ClientAddress) -> Result<Permit, Problem> {
        let slot = self.quota.take(address)?;
        match tokio::time::timeout(ACQUIRED_WITHIN, Arc::clone(&self.semaphore).acquire_owned()).await {
            Ok(Ok(permit)) => Ok(Permit { _permit: permit, _slot: slot }),
            Ok(Err(_)) | Err(_) => Err(problem::unavailable()),
        }
    }
}

impl AddressQuota {
    pub(super) fn new(per_address_max: u32) -> Self {
        Self { in_use: Arc::default(), per_address_max }
    }

    /// Takes a slot for a request of this address.
    ///
    /// # Errors
    /// `too_many_requests` if all slots of the address are taken.
    pub(super) fn take(&self, address: ClientAddress) -> Result<QuotaSlot, Problem> {
        let network = address.network();
        let mut in_use = self.in_use.lock();
        let count = in_use.entry(network).or_default();
        if *count >= self.per_address_max {
            let limit = self.per_address_max;
            let detail = format!("your address has {limit} such requests waiting, the most allowed");
            return Err(Problem::new(Code::TooManyRequests, detail)
                .with_limit(limit.into())
                .with_retry_after_s(RETRY_S));
        }
        *count += 1;
        Ok(QuotaSlot { in_use: Arc::clone(&self.in_use), network })
    }
}

impl Drop for QuotaSlot {
    fn drop(&mut self) {
        let mut in_use = self.in_use.lock();
        if let Some(count) = in_use.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                in_use.remove(&self.network);
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
    async fn a_request_that_waits_too_long_is_refused() {
        let (permits, asker) = (Permits::new(1, 8), address("192.0.2.1"));
        let first = permits.acquire(asker).await.ok();
        assert!(first.is_some());
        let refused = permits.acquire(asker).await.err().unwrap();
        assert_eq!((refused.code, refused.retry_after_s), (Code::Unavailable, Some(1)));
        let (second, ()) = tokio::join!(permits.acquire(asker), async { drop(first) });
        assert!(second.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn one_address_cannot_fill_the_queue() {
        let permits = Permits::new(1, 2);
        let (crowd, other) = (address("2001:db8::1"), address("192.0.2.1"));
        let first = permits.acquire(crowd).await.ok();
        let waiting = permits.acquire(crowd);
        tokio::pin!(waiting);
        assert!(futures_util::poll!(waiting.as_mut()).is_pending());
        let refused = permits.acquire(address("2001:db8::2")).await.err().unwrap();
        assert_eq!((refused.code, refused.retry_after_s), (Code::TooManyRequests, Some(1)));
        let others = permits.acquire(other);
        tokio::pin!(others);
        assert!(futures_util::poll!(others.as_mut()).is_pending(), "another address may wait");
        drop(first);
        let second = waiting.await.ok();
        assert!(permits.quota.take(crowd).is_ok(), "a finished request frees its slot");
        drop(second);
        assert!(others.await.is_ok());
    }
}
