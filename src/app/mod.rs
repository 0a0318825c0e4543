//! What a client can do, whatever it speaks: each method takes and gives wire types,
//! and says no with a [`Problem`].
//!
//! `http` and `ws` only carry; who may do what, the limits and the translation between
//! wire and domain are here.

pub mod catalogue;
pub mod wire;

mod answers;
mod costly;
mod create;
mod identity;
mod keys;
mod lists;
mod offers;
mod problem;
mod read;
mod ready;
mod rules;
mod secrets;
mod stream;
mod streams;
mod throttle;
mod turn;

pub use identity::Caller;
pub(crate) use problem::{internal, stopping, too_slow, unauthorized, unknown_token};
pub use stream::{BATCH, Reader};
pub use streams::{ClientAddress, OpenStream};
pub use throttle::Requester;

use std::sync::{Arc, atomic::AtomicU64};

use lusoria_protocol::Problem;
use tokio::sync::Semaphore;

use crate::{config::Limits, live::Live, store::Store};
use streams::Streams;
use throttle::Throttle;

/// Everything a client can do.
pub struct App {
    live: Arc<Live>,
    limits: Limits,
    throttle: Throttle,
    streams: Streams,
    /// Rules questions may cost milliseconds each: only a few at a time.
    rules_permits: Arc<Semaphore>,
    record_permits: Arc<Semaphore>,
    revocations: AtomicU64,
}

impl App {
    /// The application on top of the live matches.
    pub fn new(live: Arc<Live>, limits: Limits) -> Arc<Self> {
        let throttle = Throttle::new(&limits);
        let streams = Streams::new(&limits);
        let rules_permits = Arc::new(Semaphore::new(limits.rules_at_once.into()));
        let record_permits = Arc::new(Semaphore::new(costly::RECORDS_AT_ONCE));
        let revocations = AtomicU64::default();
        Arc::new(Self { live, limits, throttle, streams, rules_permits, record_permits, revocations })
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

    /// Whether a token from this address may be looked up. It costs nothing.
    ///
    /// # Errors
    /// `too_many_requests` if too many from there were not known just now.
    pub fn may_show_token(&self, ClientAddress(address): ClientAddress) -> Result<(), Problem> {
        self.throttle.may_show_token(address).map_err(Problem::from)
    }

    /// Forgets what the limits no longer need. To be called now and then.
    pub fn sweep(&self) {
        self.throttle.sweep();
    }
}
