//! How often somebody may ask: token buckets for each guest and each address.

use std::{net::IpAddr, num::NonZeroU32, time::Duration};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter, clock::Clock};
use lusoria_play::PlayerId;

use super::ClientAddress;
use crate::config::Limits;

/// Whose bucket a request is taken from.
#[derive(Debug, Clone, Copy)]
pub enum Requester {
    /// A guest with a valid token.
    Guest(PlayerId),
    /// Anybody else, by address. An IPv6 network of 64 bits counts as one.
    Address(IpAddr),
}

/// The request came too soon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooOften {
    /// How long to wait.
    pub retry_after: Duration,
}

/// The buckets. They forget whoever has not asked for long.
pub(super) struct Throttle {
    guests: DefaultKeyedRateLimiter<PlayerId>,
    addresses: DefaultKeyedRateLimiter<IpAddr>,
    new_guests: DefaultKeyedRateLimiter<IpAddr>,
}

impl Throttle {
    /// Buckets of the configured sizes.
    pub(super) fn new(limits: &Limits) -> Self {
        let quota = |per_second: u32, burst: u32| {
            let at_least_one = |n| NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
            Quota::per_second(at_least_one(per_second)).allow_burst(at_least_one(burst))
        };
        let per_hour = |per_hour: u32| Quota::per_hour(NonZeroU32::new(per_hour).unwrap_or(NonZeroU32::MIN));
        Self {
            guests: RateLimiter::keyed(quota(limits.guest_requests_per_s, limits.guest_burst)),
            addresses: RateLimiter::keyed(quota(limits.address_requests_per_s, limits.address_burst)),
            new_guests: RateLimiter::keyed(per_hour(limits.new_guests_per_hour)),
        }
    }

    /// Takes one request from the bucket.
    ///
    /// # Errors
    /// If it is empty.
    pub(super) fn admit(&self, who: Requester) -> Result<(), TooOften> {
        match who {
            Requester::Guest(id) => check(&self.guests, &id),
            Requester::Address(address) => check(&self.addresses, &ClientAddress(address).network()),
        }
    }

    /// Takes one new guest from the bucket of an address.
    ///
    /// # Errors
    /// If it is empty.
    pub(super) fn admit_guest(&self, address: IpAddr) -> Result<(), TooOften> {
        check(&self.new_guests, &ClientAddress(address).network())
    }

    /// Forgets the buckets that are full again.
    pub(super) fn sweep(&self) {
        self.guests.retain_recent();
        self.addresses.retain_recent();
        self.new_guests.retain_recent();
    }
}

fn check<K: Clone + std::hash::Hash + Eq>(
    limiter: &DefaultKeyedRateLimiter<K>,
    key: &K,
) -> Result<(), TooOften> {
    limiter
        .check_key(key)
        .map_err(|not_until| TooOften { retry_after: not_until.wait_time_from(limiter.clock().now()) })
}
