//! Permits for costly requests: a few run at a time, the others wait for a while. No address can fill the
//! queue alone, and the network that has had the fewest permits lately is next.

use std::{collections::HashMap, net::IpAddr, sync::Arc, time::Duration};

use lusoria_protocol::{Code, Problem};
use parking_lot::Mutex;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, oneshot},
    time::Instant,
};

use crate::app::{
    ClientAddress,
    limits::quota::{AddressQuota, QuotaExceeded, QuotaShare},
    problem,
};

/// How many records are built at a time: each is a whole journal in memory.
pub(in crate::app) const RECORDS_AT_ONCE: usize = 4;

/// How many requests that read many matches of a player run at a time.
pub(in crate::app) const RESULTS_AT_ONCE: usize = 2;

/// How many pictures of boards are drawn at a time: each takes one processor for about a tenth of a second.
pub(in crate::app) const PICTURES_AT_ONCE: usize = 1;

/// How many uploaded records are read at a time: each is megabytes in memory. A slow sender
/// holds one of these permits, but none of those for judging.
pub(in crate::app) const SENT_RECORDS_AT_ONCE: usize = 32;

/// How many pages of many events are read at a time: reading several at once would take processor time from
/// turns.
pub(in crate::app) const LONG_PAGES_AT_ONCE: usize = 1;

/// How many pages of many events are in memory at a time: they are serialised one after another.
pub(in crate::app) const LONG_PAGES_IN_MEMORY: usize = 16;

/// How many turns are looked up in the journal at a time: each one is found by reading backwards.
pub(in crate::app) const OLD_TURNS_AT_ONCE: usize = 1;

/// How many passwords are checked at a time: each takes 19 MiB, and one processor for tens of milliseconds.
pub(in crate::app) const PASSWORDS_AT_ONCE: usize = 2;

/// How many uploaded records an address may have waiting or in progress.
pub(in crate::app) const SENT_RECORDS_PER_ADDRESS: u32 = 2;

/// How long a request waits for its permit.
const ACQUIRED_WITHIN: Duration = Duration::from_secs(5);

/// When an address with too many waiting requests may try again.
const RETRY_S: u64 = 1;

/// Slots for costly requests of one kind; when all are taken, others wait for a while.
pub(in crate::app) struct Slots(Arc<Semaphore>);

impl Slots {
    pub(in crate::app) fn new(at_once: usize) -> Self {
        Self(Arc::new(Semaphore::new(at_once)))
    }

    /// Waits for a slot. Dropping the permit frees it.
    ///
    /// # Errors
    /// `unavailable` if it takes too long.
    pub(in crate::app) async fn acquire(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let acquired = tokio::time::timeout(ACQUIRED_WITHIN, Arc::clone(&self.0).acquire_owned());
        let permit = acquired.await.map_err(|_| problem::unavailable())?;
        Ok(permit.expect("nothing closes the semaphore"))
    }
}

/// After this time the slots that a network has had count half.
const HALVED_AFTER: Duration = Duration::from_secs(10);

/// Slots shared fairly between networks, with a quota for each address.
pub(in crate::app) struct Permits {
    queue: Arc<Mutex<Queue>>,
    quota: AddressQuota,
}

/// Permission for a costly request; held while it runs.
pub struct Permit {
    _slot: Slot,
    _share: QuotaShare,
}

/// Clients that wait for a slot, and how many slots each network has had lately.
struct Queue {
    free: usize,
    waiting: Vec<Waiting>,
    recent: HashMap<IpAddr, u32>,
    halved_at: Instant,
}

struct Waiting {
    networks: [IpAddr; 2],
    slot: oneshot::Sender<Slot>,
}

/// A slot. Dropping it passes it to the next in the queue.
struct Slot(Arc<Mutex<Queue>>);

impl Queue {
    /// Takes a slot for a client in these networks, if one is free.
    fn take(&mut self, networks: [IpAddr; 2]) -> bool {
        self.decay();
        let is_free = self.free > 0;
        if is_free {
            self.free -= 1;
            self.count(networks);
        }
        is_free
    }

    /// Frees a slot, or returns the next in the queue, who gets it.
    fn next(&mut self) -> Option<oneshot::Sender<Slot>> {
        self.decay();
        self.waiting.retain(|waiting| !waiting.slot.is_closed());
        let recent = |Waiting { networks, .. }: &Waiting| {
            networks.map(|of| self.recent.get(&of).copied().unwrap_or(0))
        };
        let next = self.waiting.iter().enumerate().min_by_key(|(_, waiting)| recent(waiting));
        let Some((next, _)) = next else {
            self.free += 1;
            return None;
        };
        let Waiting { networks, slot } = self.waiting.remove(next);
        self.count(networks);
        Some(slot)
    }

    /// Makes earlier slots count less.
    fn decay(&mut self) {
        let halvings = self.halved_at.elapsed().as_secs() / HALVED_AFTER.as_secs();
        if halvings > 0 {
            self.halved_at = Instant::now();
            self.recent.retain(|_, count| {
                *count = count.checked_shr(halvings.try_into().unwrap_or(u32::MAX)).unwrap_or(0);
                *count > 0
            });
        }
    }

    fn count(&mut self, networks: [IpAddr; 2]) {
        for network in networks {
            *self.recent.entry(network).or_default() += 1;
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let next = self.0.lock().next();
        if let Some(next) = next {
            // If nobody waits any more, dropping it passes it on.
            let _ = next.send(Self(Arc::clone(&self.0)));
        }
    }
}

impl Permits {
    pub(in crate::app) fn new(at_once: usize, per_address_max: u32) -> Self {
        let queue =
            Queue { free: at_once, waiting: Vec::new(), recent: HashMap::new(), halved_at: Instant::now() };
        Self { queue: Arc::new(Mutex::new(queue)), quota: AddressQuota::per_address(per_address_max) }
    }

    /// Waits for a permit.
    ///
    /// # Errors
    /// `too_many_requests` if the address has too many waiting; `unavailable` if it takes too
    /// long.
    pub(in crate::app) async fn acquire(&self, address: ClientAddress) -> Result<Permit, Problem> {
        let share = take_one(&self.quota, address)?;
        Ok(Permit { _slot: self.slot(address.networks()).await?, _share: share })
    }

    async fn slot(&self, networks: [IpAddr; 2]) -> Result<Slot, Problem> {
        let granted = {
            let mut queue = self.queue.lock();
            if queue.take(networks) {
                return Ok(Slot(Arc::clone(&self.queue)));
            }
            let (slot, granted) = oneshot::channel();
            queue.waiting.push(Waiting { networks, slot });
            granted
        };
        let granted =
            tokio::time::timeout(ACQUIRED_WITHIN, granted).await.map_err(|_| problem::unavailable())?;
        granted.map_err(|_| problem::internal())
    }
}

/// Counts a request of this address that waits or runs.
///
/// # Errors
/// `too_many_requests` if the address has reached its limit.
pub(in crate::app) fn take_one(quota: &AddressQuota, address: ClientAddress) -> Result<QuotaShare, Problem> {
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

    /// Lets clients from these addresses wait for a slot at the same time. Returns the order in which they
    /// got one.
    async fn order(permits: &Permits, addresses: &[&str]) -> Vec<usize> {
        let taken = permits.acquire(address("100.64.0.1")).await.ok();
        let order = Mutex::new(Vec::new());
        let one = async |(n, from): (usize, &&str)| {
            let permit = permits.acquire(address(from)).await.ok();
            assert!(permit.is_some());
            order.lock().push(n);
        };
        let all = futures_util::future::join_all(addresses.iter().enumerate().map(one));
        tokio::join!(biased; all, async { drop(taken) });
        order.into_inner()
    }

    #[tokio::test(start_paused = true)]
    async fn networks_take_turns() {
        let permits = Permits::new(1, 8);
        let crowd = ["192.0.2.1", "192.0.2.1", "192.0.2.1", "198.51.100.1", "203.0.113.1"];
        assert_eq!(order(&permits, &crowd).await, [0, 3, 4, 1, 2]);
        // Networks of 64 bits within the same 48 bits count as one.
        let permits = Permits::new(1, 8);
        let crowd = ["2001:db8:1:1::1", "2001:db8:1:2::1", "2001:db8:1:1::2", "2001:db8:2::1"];
        assert_eq!(order(&permits, &crowd).await, [0, 3, 1, 2]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_network_that_had_many_slots_lately_comes_after_one_that_had_none() {
        let permits = Permits::new(1, 8);
        for _ in 0..20 {
            assert!(permits.acquire(address("198.51.100.1")).await.is_ok());
        }
        let crowd = ["198.51.100.1", "198.51.100.1", "203.0.113.1"];
        assert_eq!(order(&permits, &crowd).await, [2, 0, 1]);
    }

    #[tokio::test(start_paused = true)]
    async fn skips_clients_that_disconnected() {
        let permits = Permits::new(1, 8);
        let first = permits.acquire(address("192.0.2.1")).await.ok();
        {
            let gone = permits.acquire(address("192.0.2.2"));
            tokio::pin!(gone);
            assert!(futures_util::poll!(gone.as_mut()).is_pending());
        }
        let waiting = permits.acquire(address("192.0.2.3"));
        tokio::pin!(waiting);
        assert!(futures_util::poll!(waiting.as_mut()).is_pending());
        drop(first);
        assert!(futures_util::poll!(waiting.as_mut()).is_ready());
        assert!(futures_util::poll!(std::pin::pin!(permits.acquire(address("192.0.2.4")))).is_ready());
    }
}
