//! Wrong passwords cost time, and lock nobody out.
//!
//! An address that has given several wrong ones is refused for a while, longer each time: others can still sign
//! in. A handle on which many were wrong, from wherever, is answered slowly: its owner waits a few seconds.
//! A node counts for itself, and forgets when it stops.

use std::{collections::HashMap, hash::Hash, net::IpAddr, time::Duration};

use lusoria_play::Millis;
use parking_lot::Mutex;

use super::ClientAddress;

/// How many wrong passwords of an address cost nothing.
const FREE_OF_ADDRESS: u32 = 5;
/// How long an address is refused after the next one; twice as long after each further one.
const ADDRESS_PAUSE_MS: Millis = 2_000;
const ADDRESS_PAUSE_MS_MAX: Millis = 15 * 60_000;

/// How many wrong passwords on a handle cost nothing.
const FREE_OF_HANDLE: u32 = 10;
/// How long the next attempt on a handle waits; twice as long after each further one.
const HANDLE_PAUSE_MS: Millis = 250;
const HANDLE_PAUSE_MS_MAX: Millis = 8_000;

/// After how long without a wrong password those of before are forgotten.
const FORGOTTEN_AFTER_MS: Millis = 60 * 60_000;

/// At most how many addresses and handles are remembered; of too many, those whose last wrong password is the
/// longest ago are forgotten.
const REMEMBERED_MAX: usize = 50_000;

/// The wrong passwords of late.
#[derive(Default)]
pub(super) struct SignInAttempts {
    addresses: Counts<IpAddr>,
    handles: Counts<String>,
}

/// An attempt. It counts as a wrong one until it [`was_right`](Attempt::was_right), so that many at once gain nothing.
pub(super) struct Attempt<'a> {
    attempts: &'a SignInAttempts,
    network: IpAddr,
    skeleton: String,
    /// How long to wait before the password is looked at.
    pub(super) pause: Duration,
}

impl SignInAttempts {
    /// Begins an attempt on the handle with this skeleton.
    ///
    /// # Errors
    /// For how many milliseconds the address is refused.
    pub(super) fn begin(
        &self,
        address: ClientAddress,
        skeleton: String,
        now: Millis,
    ) -> Result<Attempt<'_>, Millis> {
        let network = address.network();
        let refused_until = self.addresses.get(&network, now).map_or(0, |wrong| {
            let pause = grown(wrong.count, FREE_OF_ADDRESS, ADDRESS_PAUSE_MS, ADDRESS_PAUSE_MS_MAX);
            wrong.last_at + pause
        });
        if refused_until > now {
            return Err(refused_until - now);
        }
        let wrong = self.handles.get(&skeleton, now).map_or(0, |wrong| wrong.count);
        let pause =
            Duration::from_millis(grown(wrong + 1, FREE_OF_HANDLE, HANDLE_PAUSE_MS, HANDLE_PAUSE_MS_MAX));
        self.addresses.add(network, now);
        self.handles.add(skeleton.clone(), now);
        Ok(Attempt { attempts: self, network, skeleton, pause })
    }

    /// Forgets what is long ago.
    pub(super) fn sweep(&self, now: Millis) {
        self.addresses.sweep(now);
        self.handles.sweep(now);
    }
}

impl Attempt<'_> {
    /// It was the right password: the handle is its owner's again. What else was wrong from this address stays.
    pub(super) fn was_right(self) {
        self.attempts.addresses.take_back(&self.network);
        self.attempts.handles.forget(&self.skeleton);
    }

    /// Whether it was right is not known.
    pub(super) fn was_not_judged(self) {
        self.attempts.addresses.take_back(&self.network);
        self.attempts.handles.take_back(&self.skeleton);
    }
}

/// The pause after so many.
fn grown(count: u32, free: u32, first: Millis, max: Millis) -> Millis {
    match count.checked_sub(free + 1) {
        None => 0,
        Some(more) => {
            1_u64.checked_shl(more).and_then(|times| first.checked_mul(times)).unwrap_or(max).min(max)
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Wrong {
    count: u32,
    last_at: Millis,
}

/// How many were wrong, by what they have in common.
struct Counts<K> {
    counts: Mutex<HashMap<K, Wrong>>,
}

impl<K> Default for Counts<K> {
    fn default() -> Self {
        Self { counts: Mutex::default() }
    }
}

impl<K: Hash + Eq + Clone> Counts<K> {
    fn get(&self, of: &K, now: Millis) -> Option<Wrong> {
        self.counts.lock().get(of).copied().filter(|wrong| wrong.last_at + FORGOTTEN_AFTER_MS > now)
    }

    fn add(&self, of: K, now: Millis) {
        let mut counts = self.counts.lock();
        if counts.len() >= REMEMBERED_MAX && !counts.contains_key(&of) {
            forget_older_half(&mut counts);
        }
        let wrong = counts.entry(of).or_insert(Wrong { count: 0, last_at: now });
        if wrong.last_at + FORGOTTEN_AFTER_MS <= now {
            wrong.count = 0;
        }
        *wrong = Wrong { count: wrong.count.saturating_add(1), last_at: now.max(wrong.last_at) };
    }

    fn take_back(&self, of: &K) {
        if let Some(wrong) = self.counts.lock().get_mut(of) {
            wrong.count = wrong.count.saturating_sub(1);
        }
    }

    fn forget(&self, of: &K) {
        self.counts.lock().remove(of);
    }

    fn sweep(&self, now: Millis) {
        let mut counts = self.counts.lock();
        counts.retain(|_, wrong| wrong.count > 0 && wrong.last_at + FORGOTTEN_AFTER_MS > now);
    }
}

fn forget_older_half<K>(counts: &mut HashMap<K, Wrong>) {
    let mut times: Vec<Millis> = counts.values().map(|wrong| wrong.last_at).collect();
    let middle = times.len() / 2;
    let (_, middle, _) = times.select_nth_unstable(middle);
    let middle = *middle;
    counts.retain(|_, wrong| wrong.last_at > middle);
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn address(n: u8) -> ClientAddress {
        ClientAddress(IpAddr::V4(Ipv4Addr::new(192, 0, 2, n)))
    }

    fn begun<'a>(attempts: &'a SignInAttempts, from: u8, on: &str) -> Attempt<'a> {
        let Ok(attempt) = attempts.begin(address(from), on.to_owned(), 0) else { panic!("it is refused") };
        attempt
    }

    /// A wrong password; how long it waited, or for how long it was refused.
    fn wrong(attempts: &SignInAttempts, from: u8, on: &str, now: Millis) -> Result<Millis, Millis> {
        let begun = attempts.begin(address(from), on.to_owned(), now);
        begun.map(|attempt| u64::try_from(attempt.pause.as_millis()).expect("short"))
    }

    #[test]
    fn an_address_is_refused_ever_longer() {
        let attempts = SignInAttempts::default();
        for n in 0..=FREE_OF_ADDRESS {
            assert_eq!(wrong(&attempts, 1, &format!("handle{n}"), 1_000), Ok(0));
        }
        assert_eq!(wrong(&attempts, 1, "another", 1_000), Err(2_000));
        assert_eq!(wrong(&attempts, 1, "another", 2_999), Err(1));
        assert_eq!(wrong(&attempts, 1, "another", 3_000), Ok(0));
        assert_eq!(wrong(&attempts, 1, "another", 3_001), Err(3_999));
        assert_eq!(wrong(&attempts, 2, "another", 3_001), Ok(0), "others are not");
        let mut now = 10_000;
        for _ in 0..40 {
            now += ADDRESS_PAUSE_MS_MAX;
            assert_eq!(wrong(&attempts, 1, &format!("at {now}"), now), Ok(0), "nobody is locked out");
        }
        assert_eq!(wrong(&attempts, 1, "another", now + 1), Err(ADDRESS_PAUSE_MS_MAX - 1));
        assert_eq!(wrong(&attempts, 1, "another", now + FORGOTTEN_AFTER_MS), Ok(0));
        assert_eq!(wrong(&attempts, 1, "another", now + FORGOTTEN_AFTER_MS), Ok(0), "all is forgotten");
    }

    #[test]
    fn a_handle_is_answered_ever_more_slowly_and_never_refused() {
        let attempts = SignInAttempts::default();
        let pauses: Vec<_> = (0..20).map(|from| wrong(&attempts, from, "agathias", 1_000)).collect();
        assert_eq!(pauses[..10], [Ok(0); 10]);
        assert_eq!(pauses[10..16], [Ok(250), Ok(500), Ok(1_000), Ok(2_000), Ok(4_000), Ok(8_000)]);
        assert_eq!(pauses[19], Ok(8_000));
        assert_eq!(wrong(&attempts, 99, "zeno", 1_000), Ok(0), "others are not");
    }

    #[test]
    fn the_right_password_frees_the_handle_and_not_the_address() {
        let attempts = SignInAttempts::default();
        for _ in 0..FREE_OF_ADDRESS {
            assert_eq!(wrong(&attempts, 1, "agathias", 0), Ok(0));
        }
        begun(&attempts, 1, "zeno").was_right();
        assert_eq!(wrong(&attempts, 1, "zeno", 0), Ok(0));
        assert_eq!(wrong(&attempts, 1, "zeno", 0), Err(2_000), "one's own account buys no more attempts");
        begun(&attempts, 2, "agathias").was_right();
        assert!(attempts.handles.get(&"agathias".to_owned(), 0).is_none());
    }

    #[test]
    fn what_was_not_judged_counts_for_nothing() {
        let attempts = SignInAttempts::default();
        for _ in 0..100 {
            begun(&attempts, 1, "agathias").was_not_judged();
        }
        assert_eq!(wrong(&attempts, 1, "agathias", 0), Ok(0));
    }

    #[test]
    fn only_so_many_are_remembered() {
        let counts = Counts::<u64>::default();
        for n in 0..3 * REMEMBERED_MAX as u64 {
            counts.add(n, n);
        }
        let remembered = counts.counts.lock().len();
        assert!((REMEMBERED_MAX / 2..=REMEMBERED_MAX).contains(&remembered), "{remembered}");
        assert!(counts.get(&(3 * REMEMBERED_MAX as u64 - 1), 0).is_some(), "the last ones are");
    }
}
