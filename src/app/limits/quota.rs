//! Quotas: how much the clients of each address, and all clients together, may use at the same time.

use std::{collections::HashMap, net::IpAddr, sync::Arc};

use parking_lot::Mutex;

use crate::app::ClientAddress;

/// Counts connections, requests or bytes in use. A client behind a trusted proxy is counted by its own
/// address, not the proxy's.
pub(crate) struct AddressQuota {
    total_max: u64,
    per_address_max: u64,
    in_use: Arc<Mutex<InUse>>,
}

#[derive(Default)]
struct InUse {
    total: u64,
    by_network: HashMap<IpAddr, u64>,
}

/// A client's part of a quota. Dropping it returns it.
pub struct QuotaShare {
    in_use: Arc<Mutex<InUse>>,
    network: IpAddr,
    amount: u64,
}

/// The quota is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QuotaExceeded {
    /// The clients of this address use this limit up.
    OfAddress(u64),
    /// All clients together use this limit up.
    InAll(u64),
}

impl AddressQuota {
    /// A quota for each address, without a total limit.
    pub(crate) fn per_address(max: impl Into<u64>) -> Self {
        Self::new(max, u64::MAX)
    }

    /// A quota for each address and in total.
    pub(crate) fn new(per_address_max: impl Into<u64>, total_max: impl Into<u64>) -> Self {
        Self { total_max: total_max.into(), per_address_max: per_address_max.into(), in_use: Arc::default() }
    }

    /// Takes from the quota. As long as something is left, the last share may exceed the limit.
    ///
    /// # Errors
    /// If nothing is left, for this address or in total.
    pub(crate) fn take(&self, address: ClientAddress, amount: u64) -> Result<QuotaShare, QuotaExceeded> {
        self.take_up_to(self.per_address_max, address, amount)
    }

    /// The same for an address without a limit of its own.
    ///
    /// # Errors
    /// If nothing is left in total.
    pub(crate) fn take_unlimited(
        &self,
        address: ClientAddress,
        amount: u64,
    ) -> Result<QuotaShare, QuotaExceeded> {
        self.take_up_to(u64::MAX, address, amount)
    }

    fn take_up_to(
        &self,
        per_address_max: u64,
        address: ClientAddress,
        amount: u64,
    ) -> Result<QuotaShare, QuotaExceeded> {
        let network = address.network();
        let mut in_use = self.in_use.lock();
        let here = in_use.by_network.get(&network).copied().unwrap_or(0);
        if here >= per_address_max {
            return Err(QuotaExceeded::OfAddress(per_address_max));
        }
        if in_use.total >= self.total_max {
            return Err(QuotaExceeded::InAll(self.total_max));
        }
        in_use.total += amount;
        in_use.by_network.insert(network, here + amount);
        Ok(QuotaShare { in_use: Arc::clone(&self.in_use), network, amount })
    }
}

impl Drop for QuotaShare {
    fn drop(&mut self) {
        let mut in_use = self.in_use.lock();
        in_use.total -= self.amount;
        if let Some(here) = in_use.by_network.get_mut(&self.network) {
            *here -= self.amount;
            if *here == 0 {
                in_use.by_network.remove(&self.network);
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

    #[test]
    fn each_address_and_all_together_have_a_limit() {
        let quota = AddressQuota::new(2_u64, 3_u64);
        let take = |text: &str| quota.take(address(text), 1);
        let (first, second) = (take("192.0.2.1"), take("192.0.2.1"));
        assert!(first.is_ok() && second.is_ok());
        assert_eq!(take("192.0.2.1").err(), Some(QuotaExceeded::OfAddress(2)));
        let other = take("192.0.2.2");
        assert!(other.is_ok());
        assert_eq!(take("192.0.2.3").err(), Some(QuotaExceeded::InAll(3)));
        drop(first);
        assert!(take("192.0.2.1").is_ok(), "what is dropped is free again");
        drop((second, other));
        assert!(quota.in_use.lock().by_network.is_empty(), "idle addresses take no memory");
        assert_eq!(quota.in_use.lock().total, 0);
    }

    #[test]
    fn an_ipv6_network_of_64_bits_counts_as_one_address() {
        let quota = AddressQuota::per_address(1_u64);
        let take = |text: &str| quota.take(address(text), 1);
        let first = take("2001:db8::1");
        assert!(first.is_ok());
        assert!(take("2001:db8::2").is_err(), "the same network");
        assert!(take("2001:db8:0:1::1").is_ok(), "another network");
        drop(first);
        assert!(take("2001:db8::2").is_ok());
    }

    #[test]
    fn the_last_share_may_exceed_the_quota() {
        let quota = AddressQuota::new(10_u64, 1_000_u64);
        let client = address("192.0.2.1");
        let large = quota.take(client, 500);
        assert!(large.is_ok());
        assert_eq!(quota.take(client, 1).err(), Some(QuotaExceeded::OfAddress(10)));
        let proxied = quota.take_unlimited(client, 500);
        assert!(proxied.is_ok(), "an address without a limit of its own is counted in all");
        assert_eq!(quota.take_unlimited(client, 1).err(), Some(QuotaExceeded::InAll(1_000)));
        drop(large);
        assert!(quota.take(address("192.0.2.2"), 1).is_ok());
    }
}
