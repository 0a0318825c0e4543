//! Rate limiters: token buckets for each guest and each address.

use std::{
    collections::HashMap,
    net::IpAddr,
    num::NonZeroU32,
    time::{Duration, Instant},
};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter, clock::Clock};
use lusoria_play::PlayerId;
use lusoria_store::SecretHash;
use parking_lot::Mutex;

use crate::{
    app::{ClientAddress, limits::shares::Shares},
    config::Limits,
};

/// In one second an address may create an hour's new guests divided by this: each guest is a commit, for
/// which turns wait.
const GUEST_BURSTS_PER_HOUR: u32 = 20;

/// How many codes of tournaments a guest may try in a minute: organisers choose short ones.
const ENTRY_CODES_PER_MINUTE: NonZeroU32 = NonZeroU32::new(10).expect("not zero");

/// The owner of the bucket that a request takes from.
#[derive(Debug, Clone, Copy)]
pub enum Requester {
    /// A guest with a valid token.
    Guest(PlayerId),
    /// A client without a token, by address. An IPv6 network of 64 bits counts as one.
    Address(IpAddr),
    /// A client with an unknown token: counted like one without a token.
    UnknownToken(IpAddr),
}

/// A rate limit is exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimited {
    /// How long to wait.
    pub retry_after: Duration,
}

/// All rate limiters. [`RateLimiters::sweep`] drops full buckets.
pub(in crate::app) struct RateLimiters {
    guests: DefaultKeyedRateLimiter<PlayerId>,
    addresses: DefaultKeyedRateLimiter<IpAddr>,
    /// All requests of an address, so that many guests cannot evade its limit.
    total: Shares,
    new_guests: DefaultKeyedRateLimiter<IpAddr>,
    guests_at_once: DefaultKeyedRateLimiter<IpAddr>,
    hints: DefaultKeyedRateLimiter<PlayerId>,
    evaluations: DefaultKeyedRateLimiter<IpAddr>,
    entry_codes: DefaultKeyedRateLimiter<PlayerId>,
    /// Addresses that sent too many unknown tokens, and until when their tokens are not looked up: only a
    /// read of the store could tell which bucket counts.
    guessing: Mutex<HashMap<IpAddr, Instant>>,
}

impl RateLimiters {
    /// Buckets of the configured sizes.
    pub(in crate::app) fn new(limits: &Limits) -> Self {
        let quota = |per_second: u32, burst: u32| {
            let at_least_one = |n| NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
            Quota::per_second(at_least_one(per_second)).allow_burst(at_least_one(burst))
        };
        let at_least_one = |n| NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
        let new_guests = Quota::per_hour(at_least_one(limits.new_guests_per_hour));
        let guests_in_a_second = limits.new_guests_per_hour.div_ceil(GUEST_BURSTS_PER_HOUR);
        Self {
            guests: RateLimiter::keyed(quota(limits.guest_requests_per_s, limits.guest_burst)),
            addresses: RateLimiter::keyed(quota(limits.address_requests_per_s, limits.address_burst)),
            total: Shares::new(limits.address_total_per_s()),
            new_guests: RateLimiter::keyed(new_guests),
            guests_at_once: RateLimiter::keyed(Quota::per_second(at_least_one(guests_in_a_second))),
            hints: RateLimiter::keyed(Quota::per_minute(at_least_one(limits.hints_per_minute))),
            evaluations: RateLimiter::keyed(Quota::per_minute(at_least_one(limits.evaluations_per_minute))),
            entry_codes: RateLimiter::keyed(Quota::per_minute(ENTRY_CODES_PER_MINUTE)),
            guessing: Mutex::default(),
        }
    }

    /// Takes `weight` requests from the requester's bucket.
    ///
    /// # Errors
    /// If the bucket does not hold that many.
    pub(in crate::app) fn admit(&self, who: Requester, weight: NonZeroU32) -> Result<(), RateLimited> {
        match who {
            Requester::Guest(id) => check(&self.guests, &id, weight),
            Requester::Address(address) => check(&self.addresses, &ClientAddress(address).network(), weight),
            Requester::UnknownToken(address) => {
                let network = ClientAddress(address).network();
                check(&self.addresses, &network, weight).inspect_err(|RateLimited { retry_after }| {
                    self.guessing.lock().insert(network, Instant::now() + *retry_after);
                })
            }
        }
    }

    /// Takes `weight` requests from the total of an address: one before a request is read, more for costly
    /// ones. A known guest has a share of the total that others cannot use up.
    ///
    /// # Errors
    /// If the bucket does not hold that many.
    pub(in crate::app) fn admit_total(
        &self,
        address: ClientAddress,
        guest: Option<PlayerId>,
        weight: NonZeroU32,
    ) -> Result<(), RateLimited> {
        let admitted = self.total.admit(address.network(), guest, weight.get(), Instant::now());
        admitted.map_err(|retry_after| RateLimited { retry_after })
    }

    /// The guest of a token, if it was looked up lately for this address.
    pub(in crate::app) fn whose(&self, address: ClientAddress, token: &SecretHash) -> Option<PlayerId> {
        self.total.whose(address.network(), token, Instant::now())
    }

    /// Remembers the guest of a token that came from this address.
    pub(in crate::app) fn note_whose(&self, address: ClientAddress, token: SecretHash, guest: PlayerId) {
        self.total.note(address.network(), token, guest, Instant::now());
    }

    /// Checks whether a token from this address may be looked up. Takes nothing from a bucket.
    ///
    /// # Errors
    /// If the address has just sent too many unknown tokens.
    pub(in crate::app) fn admit_token_lookup(&self, address: IpAddr) -> Result<(), RateLimited> {
        let until = self.guessing.lock().get(&ClientAddress(address).network()).copied();
        match until.map(|until| until.saturating_duration_since(Instant::now())) {
            Some(retry_after) if !retry_after.is_zero() => Err(RateLimited { retry_after }),
            Some(_) | None => Ok(()),
        }
    }

    /// Takes one new guest from the buckets of an address.
    ///
    /// # Errors
    /// If one of them is empty.
    pub(in crate::app) fn admit_guest(&self, address: IpAddr) -> Result<(), RateLimited> {
        let network = ClientAddress(address).network();
        check(&self.guests_at_once, &network, NonZeroU32::MIN)?;
        check(&self.new_guests, &network, NonZeroU32::MIN)
    }

    /// Takes one hint from the bucket of a guest.
    ///
    /// # Errors
    /// If it is empty.
    pub(in crate::app) fn admit_hint(&self, guest: PlayerId) -> Result<(), RateLimited> {
        check(&self.hints, &guest, NonZeroU32::MIN)
    }

    /// Takes one evaluation from the bucket of an address.
    ///
    /// # Errors
    /// If it is empty.
    pub(in crate::app) fn admit_evaluation(&self, address: IpAddr) -> Result<(), RateLimited> {
        check(&self.evaluations, &ClientAddress(address).network(), NonZeroU32::MIN)
    }

    /// Takes one try of a tournament's code from the bucket of a guest.
    ///
    /// # Errors
    /// If it is empty.
    pub(in crate::app) fn admit_entry_code(&self, guest: PlayerId) -> Result<(), RateLimited> {
        check(&self.entry_codes, &guest, NonZeroU32::MIN)
    }

    /// Drops the buckets that are full.
    pub(in crate::app) fn sweep(&self) {
        self.guests.retain_recent();
        self.addresses.retain_recent();
        self.new_guests.retain_recent();
        self.guests_at_once.retain_recent();
        self.hints.retain_recent();
        self.evaluations.retain_recent();
        self.entry_codes.retain_recent();
        let now = Instant::now();
        self.total.sweep(now);
        self.guessing.lock().retain(|_, until| *until > now);
    }
}

fn check<K: Clone + std::hash::Hash + Eq>(
    limiter: &DefaultKeyedRateLimiter<K>,
    key: &K,
    weight: NonZeroU32,
) -> Result<(), RateLimited> {
    match limiter.check_key_n(key, weight) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(not_until)) => {
            Err(RateLimited { retry_after: not_until.wait_time_from(limiter.clock().now()) })
        }
        // More than the bucket ever holds: waiting would not help.
        Err(_) => Err(RateLimited { retry_after: Duration::from_secs(1) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One request a second, with hardly any burst.
    fn limits() -> Limits {
        Limits {
            guest_requests_per_s: 1,
            guest_burst: 1,
            address_requests_per_s: 1,
            address_burst: 2,
            address_total_per_s: None,
            new_guests_per_hour: 1,
            hints_per_minute: 1,
            ..Limits::usual()
        }
    }

    #[test]
    fn an_address_makes_a_twentieth_of_an_hours_guests_in_a_second() {
        let rate_limiters = RateLimiters::new(&Limits { new_guests_per_hour: 40, ..limits() });
        let address = "192.0.2.1".parse().unwrap();
        assert_eq!(rate_limiters.admit_guest(address), Ok(()));
        assert_eq!(rate_limiters.admit_guest(address), Ok(()));
        let RateLimited { retry_after } = rate_limiters.admit_guest(address).unwrap_err();
        assert!(retry_after <= Duration::from_secs(1), "{retry_after:?}");
    }

    #[test]
    fn a_guest_has_a_minutes_hints_at_once_and_no_more() {
        let rate_limiters = RateLimiters::new(&Limits { hints_per_minute: 2, ..limits() });
        let [asker, other] = [1, 2].map(|n| PlayerId(uuid::Uuid::from_u128(n)));
        assert_eq!(rate_limiters.admit_hint(asker), Ok(()));
        assert_eq!(rate_limiters.admit_hint(asker), Ok(()));
        let RateLimited { retry_after } = rate_limiters.admit_hint(asker).unwrap_err();
        assert!(retry_after <= Duration::from_secs(30), "{retry_after:?}");
        assert_eq!(rate_limiters.admit_hint(other), Ok(()));
    }

    #[test]
    fn tokens_of_a_guesser_are_not_looked_up_for_a_while() {
        let rate_limiters = RateLimiters::new(&limits());
        let (guesser, other) = ("2001:db8::1".parse().unwrap(), "192.0.2.1".parse().unwrap());
        for _ in 0..2 {
            assert_eq!(rate_limiters.admit_token_lookup(guesser), Ok(()));
            assert_eq!(rate_limiters.admit(Requester::UnknownToken(guesser), NonZeroU32::MIN), Ok(()));
        }
        assert_eq!(
            rate_limiters.admit_token_lookup(guesser),
            Ok(()),
            "the bucket is empty, but was not asked"
        );
        assert!(rate_limiters.admit(Requester::UnknownToken(guesser), NonZeroU32::MIN).is_err());
        assert!(rate_limiters.admit_token_lookup(guesser).is_err());
        rate_limiters.sweep();
        assert!(
            rate_limiters.admit_token_lookup("2001:db8::2".parse().unwrap()).is_err(),
            "the same network"
        );
        assert_eq!(rate_limiters.admit_token_lookup(other), Ok(()));
    }
}
