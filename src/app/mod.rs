//! What a client can do, whatever it speaks: each method takes and gives wire types,
//! and says no with a [`Problem`].
//!
//! `http` and `ws` only carry; who may do what, the limits and the translation between
//! wire and domain are here.

pub mod catalogue;
pub mod wire;

mod answers;
mod create;
mod identity;
mod keys;
mod lists;
mod offers;
mod problem;
mod read;
mod rules;
mod secrets;
mod stream;
mod throttle;
mod turn;

pub use identity::Caller;
pub use stream::Reader;
pub use throttle::Requester;

use std::sync::Arc;

use lusoria_protocol::Problem;
use tokio::sync::Semaphore;

use crate::{live::Live, store::Store};
use throttle::Throttle;

/// The limits that the person who runs the server can set.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Requests a second for each guest.
    pub guest_requests_per_s: u32,
    /// How many a guest may make at once.
    pub guest_burst: u32,
    /// Requests a second without a token, for each address.
    pub address_requests_per_s: u32,
    /// How many an address may make at once.
    pub address_burst: u32,
    /// New guests an hour for each address.
    pub new_guests_per_hour: u32,
    /// Unfinished matches that a guest may have made.
    pub unfinished_matches: u32,
    /// Answers of the rules endpoint computed at the same time.
    pub rules_at_once: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            guest_requests_per_s: 50,
            guest_burst: 200,
            address_requests_per_s: 50,
            address_burst: 200,
            new_guests_per_hour: 120,
            unfinished_matches: 100,
            rules_at_once: 2,
        }
    }
}

/// Everything a client can do.
pub struct App {
    live: Arc<Live>,
    limits: Limits,
    throttle: Throttle,
    /// Rules questions may cost milliseconds each: only a few at a time.
    rules_permits: Arc<Semaphore>,
}

impl App {
    /// The application on top of the live matches.
    pub fn new(live: Arc<Live>, limits: Limits) -> Arc<Self> {
        let throttle = Throttle::new(&limits);
        let rules_permits = Arc::new(Semaphore::new(limits.rules_at_once));
        Arc::new(Self { live, limits, throttle, rules_permits })
    }

    /// The live matches: for those who watch.
    pub fn live(&self) -> &Arc<Live> {
        &self.live
    }

    fn store(&self) -> &dyn Store {
        self.live.store()
    }

    /// Takes one request from the bucket of whoever asks.
    ///
    /// # Errors
    /// `too_many_requests`, with the time to wait.
    pub fn admit(&self, who: Requester) -> Result<(), Problem> {
        self.throttle.admit(who).map_err(Problem::from)
    }

    /// Forgets what the limits no longer need. To be called now and then.
    pub fn sweep(&self) {
        self.throttle.sweep();
    }
}
