//! How often somebody may ask: token buckets for each guest and each address.

use std::{
    collections::HashMap,
    net::IpAddr,
    num::NonZeroU32,
    time::{Duration, Instant},
};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter, clock::Clock};
use lusoria_play::PlayerId;
use parking_lot::Mutex;

use super::ClientAddress;
use crate::config::Limits;

/// Whose bucket a request is taken from.
#[derive(Debug, Clone, Copy)]
pub enum Requester {
    /// A guest with a valid token.
    Guest(PlayerId),
    /// Anybody else, by address. An IPv6 network of 64 bits counts as one.
    Address(IpAddr),
    /// Somebody with a token that is not known: he pays like anybody without one.
    UnknownToken(IpAddr),
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
    /// From where too many unknown tokens came, and until when none is looked up: a bucket
    /// can only be asked once it is known whose it is, and that costs a look into the store.
    guessing: Mutex<HashMap<IpAddr, Instant>>,
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
            guessing: Mutex::default(),
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
            Requester::UnknownToken(address) => {
                let network = ClientAddress(address).network();
                check(&self.addresses, &network).inspect_err(|TooOften { retry_after }| {
                    self.guessing.lock().insert(network, Instant::now() + *retry_after);
                })
            }
        }
    }

    /// Whether a token from this address may be looked up. Nothing is taken from a bucket.
    ///
    /// # Errors
    /// If too many from there were not known just now.
    pub(super) fn may_show_token(&self, address: IpAddr) -> Result<(), TooOften> {
        let until = self.guessing.lock().get(&ClientAddress(address).network()).copied();
        match until.map(|until| until.saturating_duration_since(Instant::now())) {
            Some(retry_after) if !retry_after.is_zero() => Err(TooOften { retry_after }),
            Some(_) | None => Ok(()),
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
        let now = Instant::now();
        self.guessing.lock().retain(|_, until| *until > now);
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

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        guest_requests_per_s: 1,
        guest_burst: 1,
        address_requests_per_s: 1,
        address_burst: 2,
        new_guests_per_hour: 1,
        unfinished_matches: 1,
        rules_at_once: 1,
        connections: 1,
        sockets_per_address: 1,
        connections_per_address: 1,
        watches_per_socket: 1,
        body_bytes: 4_096,
    };

    #[test]
    fn whoever_guesses_tokens_has_none_looked_up_for_a_while() {
        let throttle = Throttle::new(&LIMITS);
        let (guesser, other) = ("2001:db8::1".parse().unwrap(), "192.0.2.1".parse().unwrap());
        for _ in 0..2 {
            assert_eq!(throttle.may_show_token(guesser), Ok(()));
            assert_eq!(throttle.admit(Requester::UnknownToken(guesser)), Ok(()));
        }
        assert_eq!(throttle.may_show_token(guesser), Ok(()), "the bucket is empty, but was not asked");
        assert!(throttle.admit(Requester::UnknownToken(guesser)).is_err());
        assert!(throttle.may_show_token(guesser).is_err());
        throttle.sweep();
        assert!(throttle.may_show_token("2001:db8::2".parse().unwrap()).is_err(), "the same network");
        assert_eq!(throttle.may_show_token(other), Ok(()));
    }
}
