//! Limits attempts to sign in: wrong passwords cost time, and nobody is locked out.
//!
//! An address with several wrong passwords is refused for a while, longer each time; others can still sign
//! in. A handle with many wrong attempts, from any address, is answered slowly: its owner waits a few
//! seconds. Each node counts by itself, and forgets when it stops.

use std::{collections::HashMap, hash::Hash, net::IpAddr, time::Duration};

use lusoria_play::Millis;
use lusoria_protocol::Code;
use parking_lot::Mutex;

use crate::app::ClientAddress;

/// How many wrong passwords of an address have no consequence.
const FREE_OF_ADDRESS: u32 = 5;
/// How long an address is refused after the next one, in milliseconds; twice as long after each further one.
const ADDRESS_PAUSE_MS: Millis = 2_000;
const ADDRESS_PAUSE_MS_MAX: Millis = 15 * 60_000;

/// How many wrong passwords for a handle have no consequence.
const FREE_OF_HANDLE: u32 = 10;
/// How long the next attempt on a handle waits, in milliseconds; twice as long after each further one.
const HANDLE_PAUSE_MS: Millis = 250;
const HANDLE_PAUSE_MS_MAX: Millis = 8_000;

/// How long wrong passwords are remembered after the last one, in milliseconds.
const FORGOTTEN_AFTER_MS: Millis = 60 * 60_000;

/// At most how many addresses and how many handles are remembered.
const REMEMBERED_MAX: usize = 50_000;

/// The wrong passwords of the last hour.
#[derive(Default)]
pub(in crate::app) struct SignInAttempts {
    addresses: Counts<IpAddr>,
    handles: Counts<String>,
}

/// An attempt. While it lasts it counts as a wrong one, so that parallel attempts gain nothing. Dropped
/// before the costly work began it counts as none; after that it counts as a wrong one, even if the client
/// has gone.
pub(in crate::app) struct Attempt<'a> {
    attempts: &'a SignInAttempts,
    network: IpAddr,
    skeleton: String,
    begun_at: Millis,
    has_cost: bool,
    is_right: Option<bool>,
    /// How long to wait before the password is checked.
    pub(in crate::app) pause: Duration,
}

impl SignInAttempts {
    /// Begins an attempt on the handle with this skeleton.
    ///
    /// # Errors
    /// How many milliseconds the address is still refused.
    pub(in crate::app) fn begin(
        &self,
        address: ClientAddress,
        skeleton: String,
        now: Millis,
    ) -> Result<Attempt<'_>, Millis> {
        let network = address.network();
        self.addresses.begin(network, now, |wrong| match wrong.refused_for(now) {
            0 => Ok(()),
            refused_ms => Err(refused_ms),
        })?;
        let mut pause_ms = 0;
        self.handles.begin(skeleton.clone(), now, |wrong| {
            let count = wrong.count + wrong.open + 1;
            pause_ms = grown(count, FREE_OF_HANDLE, HANDLE_PAUSE_MS, HANDLE_PAUSE_MS_MAX);
            Ok(())
        })?;
        let pause = Duration::from_millis(pause_ms);
        Ok(Attempt {
            attempts: self,
            network,
            skeleton,
            begun_at: now,
            has_cost: false,
            is_right: None,
            pause,
        })
    }

    /// Removes old entries.
    pub(in crate::app) fn sweep(&self, now: Millis) {
        self.addresses.sweep(now);
        self.handles.sweep(now);
    }
}

impl Attempt<'_> {
    /// Marks that the costly work begins.
    pub(in crate::app) fn cost(&mut self) {
        self.has_cost = true;
    }

    /// Drops an attempt that could not be checked: it counts as none.
    pub(in crate::app) fn forget(mut self) {
        self.has_cost = false;
    }

    /// Ends the attempt: right if something was found. Then the handle's wrong attempts are forgiven; those
    /// of the address stay.
    ///
    /// # Errors
    /// `wrong_credentials` if nothing was found.
    pub(in crate::app) fn judge<T>(mut self, found: Option<T>) -> Result<T, Code> {
        self.is_right = Some(found.is_some());
        found.ok_or(Code::WrongCredentials)
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        let Self { attempts, network, skeleton, begun_at, has_cost, is_right, .. } = self;
        let wrong_at = (!is_right.unwrap_or(!*has_cost)).then_some(*begun_at);
        attempts.addresses.end(network, wrong_at);
        attempts.handles.end(skeleton, wrong_at);
        if *is_right == Some(true) {
            attempts.handles.forgive(skeleton);
        }
    }
}

/// The pause after this many wrong attempts.
fn grown(count: u32, free: u32, first: Millis, max: Millis) -> Millis {
    match count.checked_sub(free + 1) {
        None => 0,
        Some(more) => {
            1_u64.checked_shl(more).and_then(|times| first.checked_mul(times)).unwrap_or(max).min(max)
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Wrong {
    count: u32,
    last_at: Millis,
    /// How many attempts are in progress.
    open: u32,
}

impl Wrong {
    /// How many milliseconds an address with these attempts must wait.
    fn refused_for(self, now: Millis) -> Millis {
        let pause = grown(self.count, FREE_OF_ADDRESS, ADDRESS_PAUSE_MS, ADDRESS_PAUSE_MS_MAX);
        let refused_ms = (self.last_at + pause).saturating_sub(now);
        // Beyond the free attempts only one runs at a time.
        if refused_ms > 0 {
            refused_ms
        } else if self.open > 0 && self.count + self.open > FREE_OF_ADDRESS {
            ADDRESS_PAUSE_MS
        } else {
            0
        }
    }
}

/// Wrong attempts, by address or handle.
struct Counts<K>(Mutex<HashMap<K, Wrong>>);

impl<K> Default for Counts<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Hash + Eq> Counts<K> {
    /// Begins an attempt, unless earlier ones forbid it.
    fn begin(
        &self,
        of: K,
        now: Millis,
        check: impl FnOnce(Wrong) -> Result<(), Millis>,
    ) -> Result<(), Millis> {
        let mut counts = self.0.lock();
        if counts.len() >= REMEMBERED_MAX && !counts.contains_key(&of) {
            make_room(&mut counts);
        }
        let wrong = counts.entry(of).or_default();
        if wrong.last_at + FORGOTTEN_AFTER_MS <= now {
            wrong.count = 0;
        }
        check(*wrong)?;
        wrong.open += 1;
        Ok(())
    }

    /// Ends an attempt; it was wrong if there is a time.
    fn end(&self, of: &K, wrong_at: Option<Millis>) {
        let mut counts = self.0.lock();
        let Some(wrong) = counts.get_mut(of) else { return };
        wrong.open = wrong.open.saturating_sub(1);
        if let Some(at) = wrong_at {
            wrong.count = wrong.count.saturating_add(1);
            wrong.last_at = wrong.last_at.max(at);
        }
        if wrong.count == 0 && wrong.open == 0 {
            counts.remove(of);
        }
    }

    /// Forgives earlier wrong attempts.
    fn forgive(&self, of: &K) {
        if let Some(wrong) = self.0.lock().get_mut(of) {
            wrong.count = 0;
        }
    }

    fn sweep(&self, now: Millis) {
        let is_kept = |wrong: &Wrong| wrong.count > 0 && wrong.last_at + FORGOTTEN_AFTER_MS > now;
        self.0.lock().retain(|_, wrong| wrong.open > 0 || is_kept(wrong));
    }
}

/// Removes entries with the fewest wrong attempts, which have no consequence yet; if that is not enough, the
/// older half.
fn make_room<K: Hash + Eq>(counts: &mut HashMap<K, Wrong>) {
    counts.retain(|_, wrong| wrong.open > 0 || wrong.count > 1);
    if counts.len() < REMEMBERED_MAX {
        return;
    }
    let mut times: Vec<Millis> = counts.values().map(|wrong| wrong.last_at).collect();
    let middle = times.len() / 2;
    let middle = *times.select_nth_unstable(middle).1;
    counts.retain(|_, wrong| wrong.open > 0 || wrong.last_at > middle);
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

    /// Makes a wrong attempt. Returns how long it waited, or how long it was refused.
    fn wrong(attempts: &SignInAttempts, from: u8, on: &str, now: Millis) -> Result<Millis, Millis> {
        let begun = attempts.begin(address(from), on.to_owned(), now);
        begun.map(|attempt| {
            let pause_ms = u64::try_from(attempt.pause.as_millis()).expect("short");
            assert_eq!(attempt.judge(None::<()>), Err(Code::WrongCredentials));
            pause_ms
        })
    }

    #[test]
    fn an_address_is_refused_for_longer_each_time() {
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
    fn a_handle_is_answered_more_and_more_slowly_and_never_refused() {
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
        begun(&attempts, 1, "zeno").judge(Some(())).expect("right");
        assert_eq!(wrong(&attempts, 1, "zeno", 0), Ok(0));
        assert_eq!(wrong(&attempts, 1, "zeno", 0), Err(2_000), "one's own account buys no more attempts");
        begun(&attempts, 2, "agathias").judge(Some(())).expect("right");
        assert!(attempts.handles.0.lock().get("agathias").is_none_or(|wrong| wrong.count == 0));
    }

    #[test]
    fn an_unchecked_attempt_counts_as_none() {
        let attempts = SignInAttempts::default();
        for _ in 0..100 {
            drop(begun(&attempts, 1, "agathias"));
        }
        for _ in 0..=FREE_OF_ADDRESS {
            assert_eq!(wrong(&attempts, 1, "agathias", 1_000), Ok(0));
        }
        // It does not make the pause longer either, nor restart it.
        let Ok(attempt) = attempts.begin(address(1), "agathias".to_owned(), 3_000) else { panic!("refused") };
        drop(attempt);
        let Ok(attempt) = attempts.begin(address(1), "zeno".to_owned(), 3_001) else { panic!("refused") };
        attempt.judge(Some(())).expect("right");
        assert_eq!(wrong(&attempts, 1, "agathias", 3_002), Ok(0));
    }

    #[test]
    fn an_attempt_counts_once_its_work_began_even_if_the_client_left() {
        let attempts = SignInAttempts::default();
        for _ in 0..=FREE_OF_ADDRESS {
            begun(&attempts, 1, "agathias").cost();
        }
        assert_eq!(wrong(&attempts, 1, "agathias", 0), Err(2_000));
    }

    #[test]
    fn many_attempts_at_once_gain_nothing() {
        let attempts = SignInAttempts::default();
        let begin = || attempts.begin(address(1), "agathias".to_owned(), 0);
        let open: Vec<_> = (0..50).map(|_| begin()).collect();
        let allowed = open.iter().filter(|begun| begun.is_ok()).count();
        assert_eq!(allowed, FREE_OF_ADDRESS as usize + 1);
        for attempt in open.into_iter().flatten() {
            attempt.judge(None::<()>).expect_err("wrong");
        }
        assert_eq!(wrong(&attempts, 1, "agathias", 0), Err(2_000));
        let Ok(only) = attempts.begin(address(1), "agathias".to_owned(), 2_000) else { panic!("refused") };
        assert!(attempts.begin(address(1), "agathias".to_owned(), 2_000).is_err(), "one at a time");
        only.judge(None::<()>).expect_err("wrong");
        assert_eq!(wrong(&attempts, 1, "agathias", 2_000), Err(4_000));
    }

    #[test]
    fn only_so_many_are_remembered() {
        let counts = Counts::<u64>::default();
        let try_wrong = |of: u64, at: u64| {
            counts.begin(of, at, |_| Ok(())).expect("it may");
            counts.end(&of, Some(at));
        };
        for n in 0..9 {
            try_wrong(1, n);
        }
        for n in 0..3 * REMEMBERED_MAX as u64 {
            try_wrong(10 + n, 10 + n);
        }
        let remembered = counts.0.lock();
        assert!(remembered.len() <= REMEMBERED_MAX, "{}", remembered.len());
        assert_eq!(remembered[&1].count, 9, "what costs something stays");
    }
}
