//! Shares the total rate of a network fairly among its guests: a school, a club or a mobile network has one
//! address for many.
//!
//! While guests are active in a network, half of its rate is shared equally among them, and nobody can take
//! another's share. The other half serves all clients in order of arrival, with a known token or without; a
//! guest who was refused lately has only their share. So a network never gets more than its rate, however
//! many guests it has.

use std::{
    collections::HashMap,
    net::IpAddr,
    time::{Duration, Instant},
};

use lusoria_play::PlayerId;
use lusoria_store::SecretHash;
use parking_lot::Mutex;

/// How much may come at once after a pause, in seconds of the rate.
const BURST_S: f64 = 2.0;

/// How long a guest counts as active after a request, and their token as known.
const ACTIVE_FOR: Duration = Duration::from_secs(10);

/// How often inactive guests of a network are removed.
const SWEPT_EVERY: Duration = Duration::from_secs(1);

/// How long a guest who was refused has only their share.
const HELD_FOR: Duration = Duration::from_secs(1);

/// How many guests of a network have a share, and how many tokens are known. Further guests are served like
/// clients without a token.
const GUESTS_MAX: usize = 1_000;

/// The rates of all networks.
pub(in crate::app) struct Shares {
    /// Requests a second of a network.
    rate: f64,
    networks: Mutex<HashMap<IpAddr, Network>>,
}

struct Network {
    /// For everybody.
    common: Bucket,
    guests: HashMap<PlayerId, Share>,
    /// The guests of recently looked-up tokens.
    tokens: HashMap<SecretHash, (PlayerId, Instant)>,
    swept_at: Instant,
}

struct Share {
    own: Bucket,
    asked_at: Instant,
    refused_at: Option<Instant>,
}

struct Bucket {
    level: f64,
    at: Instant,
}

impl Bucket {
    /// Takes `weight` from a bucket that fills at `rate` a second up to `holds`.
    ///
    /// # Errors
    /// How long to wait until there is enough.
    fn take(&mut self, rate: f64, holds: f64, weight: f64, now: Instant) -> Result<(), Duration> {
        let filled = self.level + rate * now.saturating_duration_since(self.at).as_secs_f64();
        (self.level, self.at) = (filled.min(holds), now);
        if self.level >= weight {
            self.level -= weight;
            return Ok(());
        }
        Err(Duration::from_secs_f64((weight - self.level) / rate))
    }
}

impl Network {
    fn new(rate: f64, now: Instant) -> Self {
        let common = Bucket { level: rate * BURST_S, at: now };
        Self { common, guests: HashMap::new(), tokens: HashMap::new(), swept_at: now }
    }

    /// Removes inactive guests and their tokens, at most once a second.
    fn sweep(&mut self, now: Instant) {
        if now.saturating_duration_since(self.swept_at) < SWEPT_EVERY {
            return;
        }
        self.swept_at = now;
        self.guests.retain(|_, share| is_active(share.asked_at, now));
        self.tokens.retain(|_, (_, seen_at)| is_active(*seen_at, now));
    }

    fn admit(
        &mut self,
        rate: f64,
        guest: Option<PlayerId>,
        weight: f64,
        now: Instant,
    ) -> Result<(), Duration> {
        let is_known = guest.is_some_and(|guest| self.guests.contains_key(&guest));
        if !is_known {
            self.sweep(now);
        }
        let guest = guest.filter(|_| is_known || self.guests.len() < GUESTS_MAX);
        let active = self.guests.len() + usize::from(guest.is_some() && !is_known);
        let half = if active == 0 { rate } else { rate / 2.0 };
        // A request heavier than the bucket takes all of it, so that none is impossible.
        let all = half * BURST_S;
        let common = weight.min(all);
        let Some(guest) = guest else { return self.common.take(half, all, common, now) };
        let each = half / f64::from(u32::try_from(active).unwrap_or(u32::MAX));
        // At least one request, however many guests there are.
        let holds = (each * BURST_S).max(1.0);
        let share = self.guests.entry(guest).or_insert_with(|| {
            let own = Bucket { level: holds, at: now };
            Share { own, asked_at: now, refused_at: None }
        });
        share.asked_at = now;
        let Err(wait) = share.own.take(each, holds, weight, now) else { return Ok(()) };
        let is_held = share.refused_at.is_some_and(|at| now.saturating_duration_since(at) < HELD_FOR);
        if !is_held && self.common.take(half, all, common, now).is_ok() {
            return Ok(());
        }
        share.refused_at = Some(now);
        Err(wait)
    }
}

impl Shares {
    pub(in crate::app) fn new(per_s: u32) -> Self {
        Self { rate: per_s.max(1).into(), networks: Mutex::default() }
    }

    /// Takes `weight` requests from a network's rate, for a guest or an unknown client.
    ///
    /// # Errors
    /// How long to wait, if that is too much.
    pub(in crate::app) fn admit(
        &self,
        network: IpAddr,
        guest: Option<PlayerId>,
        weight: u32,
        now: Instant,
    ) -> Result<(), Duration> {
        let mut networks = self.networks.lock();
        let of = networks.entry(network).or_insert_with(|| Network::new(self.rate, now));
        of.admit(self.rate, guest, weight.into(), now)
    }

    /// The guest of a token, if it was looked up lately in this network.
    pub(in crate::app) fn whose(
        &self,
        network: IpAddr,
        token: &SecretHash,
        now: Instant,
    ) -> Option<PlayerId> {
        let networks = self.networks.lock();
        let (guest, seen_at) = networks.get(&network)?.tokens.get(token)?;
        is_active(*seen_at, now).then_some(*guest)
    }

    /// Remembers the guest of a token that came from this network.
    pub(in crate::app) fn note(&self, network: IpAddr, token: SecretHash, guest: PlayerId, now: Instant) {
        let mut networks = self.networks.lock();
        let of = networks.entry(network).or_insert_with(|| Network::new(self.rate, now));
        if of.tokens.len() >= GUESTS_MAX {
            of.sweep(now);
        }
        if of.tokens.len() < GUESTS_MAX || of.tokens.contains_key(&token) {
            of.tokens.insert(token, (guest, now));
        }
    }

    /// Removes inactive networks.
    pub(in crate::app) fn sweep(&self, now: Instant) {
        self.networks.lock().retain(|_, network| {
            network.sweep(now);
            let is_idle = network.guests.is_empty() && network.tokens.is_empty();
            !is_idle || is_active(network.common.at, now)
        });
    }
}

fn is_active(at: Instant, now: Instant) -> bool {
    now.saturating_duration_since(at) < ACTIVE_FOR
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const NETWORK: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));

    fn id(n: u128) -> PlayerId {
        PlayerId(Uuid::from_u128(n))
    }

    /// How many of `asked` requests a second are admitted for each client, in ten seconds.
    fn admitted(shares: &Shares, asked: &[(Option<PlayerId>, u32)], from: Instant) -> Vec<u32> {
        let mut admitted = vec![0; asked.len()];
        for ms in 0..10_000_u32 {
            let now = from + Duration::from_millis(ms.into());
            for (of, (who, per_s)) in asked.iter().enumerate() {
                let due = (ms + 1) * per_s / 1_000 - ms * per_s / 1_000;
                for _ in 0..due {
                    admitted[of] += u32::from(shares.admit(NETWORK, *who, 1, now).is_ok());
                }
            }
        }
        admitted
    }

    #[test]
    fn a_flood_takes_nothing_from_guests_below_their_share() {
        let shares = Shares::new(1_000);
        let asked = [(Some(id(1)), 20_000), (Some(id(2)), 20), (Some(id(3)), 20), (None, 5_000)];
        let admitted = admitted(&shares, &asked, Instant::now());
        assert_eq!((admitted[1], admitted[2]), (200, 200), "{admitted:?}");
        assert!(admitted.iter().sum::<u32>() <= 12_000, "ten seconds and a burst: {admitted:?}");
    }

    #[test]
    fn many_guests_at_one_address_have_no_more_than_the_address() {
        let shares = Shares::new(100);
        let asked: Vec<_> = (0..50).map(|n| (Some(id(n)), 100)).collect();
        let admitted = admitted(&shares, &asked, Instant::now());
        assert!(admitted.iter().sum::<u32>() <= 1_200, "{admitted:?}");
        let (least, most) = (admitted.iter().min().expect("some"), admitted.iter().max().expect("some"));
        assert!(*least >= 8 && *most <= 4 * least, "{admitted:?}");
    }

    #[test]
    fn new_guests_and_clients_without_a_token_get_in_beside_a_flood() {
        let shares = Shares::new(100);
        let admitted = admitted(&shares, &[(Some(id(1)), 10_000), (None, 20)], Instant::now());
        assert!(admitted[1] >= 180, "{admitted:?}");
    }

    #[test]
    fn a_single_guest_has_the_whole_rate() {
        for who in [None, Some(id(1))] {
            let shares = Shares::new(100);
            let admitted = admitted(&shares, &[(who, 95)], Instant::now());
            assert_eq!(admitted, [950], "{who:?}");
        }
    }

    #[test]
    fn a_token_is_known_for_a_while_in_its_network() {
        let (shares, now) = (Shares::new(100), Instant::now());
        let (token, of) = (SecretHash([1; 32]), id(1));
        shares.note(NETWORK, token, of, now);
        assert_eq!(shares.whose(NETWORK, &token, now), Some(of));
        assert_eq!(shares.whose("192.0.2.2".parse().expect("an address"), &token, now), None);
        assert_eq!(shares.whose(NETWORK, &token, now + ACTIVE_FOR), None);
        shares.sweep(now + ACTIVE_FOR);
        assert!(shares.networks.lock().is_empty());
    }

    #[test]
    fn a_request_heavier_than_the_bucket_takes_all_of_it() {
        let (shares, now) = (Shares::new(10), Instant::now());
        assert_eq!(shares.admit(NETWORK, None, 50, now), Ok(()));
        assert_eq!(shares.admit(NETWORK, None, 5, now), Err(Duration::from_millis(500)));
        assert_eq!(shares.admit(NETWORK, None, 50, now), Err(Duration::from_secs(2)));
    }
}
