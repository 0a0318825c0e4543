//! Permits for costly requests: a few run at a time, the others wait a while, and no address
//! fills the queue alone.

use std::{sync::Arc, time::Duration};

use lusoria_protocol::{Code, Problem};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{
    ClientAddress, problem,
    quota::{AddressQuota, QuotaExceeded, QuotaShare},
};

/// How many records are built at a time: each is a whole journal in memory.
pub(super) const RECORDS_AT_ONCE: usize = 4;

/// How many look through many matches of a player at a time.
pub(super) const RESULTS_AT_ONCE: usize = 2;

/// How many pictures of boards are drawn at a time: each takes a processor for about a tenth of a second.
pub(super) const PICTURES_AT_ONCE: usize = 1;

/// How many uploaded records are read at a time: each is megabytes in memory. A slow sender
/// holds one of these permits, but none of those for judging.
pub(super) const SENT_RECORDS_AT_ONCE: usize = 32;

/// How many pages of many events are read at a time: reading many at once would take the processor from turns.
pub(super) const LONG_PAGES_AT_ONCE: usize = 1;

/// How many pages of many events are in memory at a time: they are serialised one after another.
pub(super) const LONG_PAGES_IN_MEMORY: usize = 16;

/// How many turns are looked for in the journal at a time: each is read back to.
pub(super) const OLD_TURNS_AT_ONCE: usize = 1;

/// How many passwords are checked at a time: each takes 19 MiB and a processor for tens of milliseconds.
pub(super) const PASSWORDS_AT_ONCE: usize = 2;

/// How many uploaded records an address may have waiting or in progress.
pub(super) const SENT_RECORDS_PER_ADDRESS: u32 = 2;

/// How long a request waits for its permit.
const ACQUIRED_WITHIN: Duration = Duration::from_secs(5);

/// When an address with too many waiting requests may try again.
const RETRY_S: u64 = 1;

/// How many requests of a kind may do something costly at a time; the others wait a while.
pub(super) struct Slots(Arc<Semaphore>);

impl Slots {
    pub(super) fn new(at_once: usize) -> Self {
        Self(Arc::new(Semaphore::new(at_once)))
    }

    /// Waits for a slot, which is free again when the permit is dropped.
    ///
    /// # Errors
    /// `unavailable` if it takes too long.
    pub(super) async fn acquire(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let acquired = tokio::time::timeout(ACQUIRED_WITHIN, Arc::clone(&self.0).acquire_owned());
        let permit = acquired.await.map_err(|_| problem::unavailable())?;
        Ok(permit.expect("nothing closes the semaphore"))
    }
}

/// Slots, with a quota for each address.
pub(super) struct Permits {
    slots: Slots,
    quota: AddressQuota,
}

/// Permission to do something costly; kept while it is done.
pub struct Permit {
    _slot: OwnedSemaphorePermit,
    _share: QuotaShare,
}

impl Permits {
    pub(super) fn new(at_once: usize, per_address_max: u32) -> Self {
        Self { slots: Slots::new(at_once), quota: AddressQuota::per_address(per_address_max) }
    }

    /// Waits for a permit.
    ///
    /// # Errors
    /// `too_many_requests` if the address has too many waiting; `unavailable` if it takes too
    /// long.
    pub(super) async fn acquire(&self, address: ClientAddress) -> Result<Permit, Problem> {
        let share = take_one(&self.quota, address)?;
        Ok(Permit { _slot: self.slots.acquire().await?, _share: share })
    }
}

/// Counts a request of this address that waits or runs.
///
/// # Errors
/// `too_many_requests` if the address has as many as it may.
pub(super) fn take_one(quota: &AddressQuota, address: ClientAddress) -> Result<QuotaShare, Problem> {
    quota.take(address, 1).map_err(|exceeded| match exceeded {
        QuotaExceeded::OfAddress(limit) => {
            let detail = format!("your address has {limit} such requests waiting, the most allowed");
            Problem::new(Code::TooManyRequests, detail).with_limit(limit).with_retry_after_s(RETRY_S)
        }
        QuotaExceeded::InAll(_) => problem::unavailable(),
    })
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
        assert!(take_one(&permits.quota, crowd).is_ok(), "a finished request frees its slot");
        drop(second);
        assert!(others.await.is_ok());
    }
}
