//! What a client can do, whatever it speaks: each method takes and gives wire types,
//! and says no with a [`Problem`].
//!
//! `http` and `ws` only carry; who may do what, the limits and the translation between
//! wire and domain are here.

pub mod admin;
pub mod wire;

mod analysis;
mod answers;
mod background;
mod costly;
mod create;
mod hints;
mod identity;
mod keys;
mod lists;
mod offers;
mod problem;
mod question;
mod read;
mod ready;
mod request_id;
mod rules;
mod secrets;
mod sessions;
mod single_flight;
mod stream;
mod streams;
mod throttle;
mod topics;
mod turn;
mod unread;

pub use analysis::{FORM as ANALYSIS_FORM, ToldAnalysis};
pub use background::BackgroundPool;
pub use costly::Passed;
pub use identity::Caller;
pub(crate) use problem::{internal, stopping, too_slow, unauthorized, unknown_token, within_head};
pub use question::Question;
pub(crate) use request_id::{request_id, within_request};
pub use stream::{BATCH, Lag, Reader};
pub use streams::{ClientAddress, OpenStream};
pub use throttle::Requester;
pub use topics::Topic;
pub use unread::Unread;

use std::{
    num::NonZeroU32,
    sync::{Arc, atomic::AtomicU64},
};

use lusoria_play::{MatchId, Millis, PlayerId};
use lusoria_protocol::{Answer, Created, Problem};
use lusoria_rules::Step;

use crate::{
    config::Limits,
    live::{Answered, Live},
};
use analysis::Analyses;
use costly::Turnstile;
use keys::KeyedRequest;
use lusoria_store::{Store, Unfinished};
use sessions::Seen;
use single_flight::SingleFlight;
use streams::Streams;
use throttle::Throttle;
use unread::UnreadAnswers;

/// How many bytes of a request count as one request: no turn is so long.
const COUNTED_BYTES: usize = 2 * 1024;

/// How many events or matches an answer may have for nothing, and how many more count as
/// one request.
const FREE_ITEMS: usize = 20;
const COUNTED_ITEMS: usize = 10;

/// How many requests a record counts for that somebody sends.
const SENT_RECORD_WEIGHT: NonZeroU32 = NonZeroU32::new(50).expect("not 0");

/// The most that one answer counts for, so that the longest can be had at all.
const WEIGHT_MAX: usize = 100;

/// Everything a client can do.
pub struct App {
    live: Arc<Live>,
    limits: Limits,
    throttle: Throttle,
    streams: Streams,
    unread: UnreadAnswers,
    /// Rules questions may cost milliseconds each: only a few at a time.
    rules: Turnstile,
    background: BackgroundPool,
    /// Where the computer thinks.
    thinking: Arc<BackgroundPool>,
    /// Hints take as long as some turns of the computer: only a few at a time.
    hints: Turnstile,
    analyses: Analyses,
    records: Turnstile,
    sent_records: Turnstile,
    judged_records: Turnstile,
    /// Where records that are sent are judged: nobody else's question waits for them.
    judging: BackgroundPool,
    revocations: AtomicU64,
    seen: Seen,
    /// What is under way, for those who ask the same again: turns, commands and creations under
    /// a key.
    turns: SingleFlight<(PlayerId, MatchId, u32, Vec<Step>), Answer>,
    commands: SingleFlight<KeyedRequest, Answered>,
    creations: SingleFlight<KeyedRequest, Created>,
}

impl App {
    /// The application on top of the live matches; what costs much is done in the `background`, and what
    /// the computer has to think of where it is `thinking`.
    pub fn new(
        live: Arc<Live>,
        limits: Limits,
        background: BackgroundPool,
        thinking: Arc<BackgroundPool>,
    ) -> Arc<Self> {
        let throttle = Throttle::new(&limits);
        let streams = Streams::new(&limits);
        let unread = UnreadAnswers::new(&limits);
        let rules = Turnstile::new(limits.rules_at_once.into(), limits.costly_per_address);
        let hints = Turnstile::new(limits.computer_threads.into(), limits.costly_per_address);
        let analyses = Analyses::new(&limits);
        let records = Turnstile::new(costly::RECORDS_AT_ONCE, limits.costly_per_address);
        let sent_records = Turnstile::new(costly::SENT_RECORDS_AT_ONCE, costly::SENT_RECORDS_PER_ADDRESS);
        let judged_records = Turnstile::new(1, costly::SENT_RECORDS_PER_ADDRESS);
        let judging = background.another(1);
        let revocations = AtomicU64::default();
        Arc::new(Self {
            live,
            limits,
            throttle,
            streams,
            unread,
            rules,
            background,
            thinking,
            hints,
            analyses,
            records,
            sent_records,
            judged_records,
            judging,
            revocations,
            seen: Seen::default(),
            turns: SingleFlight::default(),
            commands: SingleFlight::default(),
            creations: SingleFlight::default(),
        })
    }

    /// The live matches: for those who watch.
    pub fn live(&self) -> &Arc<Live> {
        &self.live
    }

    fn store(&self) -> &dyn Store {
        self.live.store()
    }

    /// Takes a request of so many bytes from the bucket of whoever asks: it counts once for
    /// each 2 KiB that it has begun.
    ///
    /// # Errors
    /// `too_many_requests`, with the time to wait.
    pub fn admit(&self, who: Requester, bytes: usize) -> Result<(), Problem> {
        let weight = u32::try_from(bytes / COUNTED_BYTES).unwrap_or(u32::MAX).saturating_add(1);
        let weight = NonZeroU32::new(weight).unwrap_or(NonZeroU32::MIN);
        self.throttle.admit(who, weight).map_err(Problem::from)
    }

    /// Takes one from what an address may send in all, whoever it is: to be asked before
    /// anything is read of it.
    ///
    /// # Errors
    /// `too_many_requests`, with the time to wait.
    pub fn admit_at_all(&self, ClientAddress(address): ClientAddress) -> Result<(), Problem> {
        self.throttle.admit_at_all(address, NonZeroU32::MIN).map_err(Problem::from)
    }

    /// Takes more of the same for an answer of so many events or matches: the first twenty
    /// cost nothing, each ten beyond them as much as a request.
    ///
    /// # Errors
    /// `too_many_requests`, with the time to wait.
    fn admit_items(&self, ClientAddress(address): ClientAddress, items: usize) -> Result<(), Problem> {
        let weight = items.saturating_sub(FREE_ITEMS).div_ceil(COUNTED_ITEMS).min(WEIGHT_MAX);
        match u32::try_from(weight).ok().and_then(NonZeroU32::new) {
            None => Ok(()),
            Some(weight) => self.throttle.admit_at_all(address, weight).map_err(Problem::from),
        }
    }

    /// Waits until the address may send a record to be judged: before anything is read of it.
    ///
    /// # Errors
    /// `too_many_requests` if the address has too many waiting, or asks too often;
    /// `unavailable` if too many are being judged.
    pub async fn admit_record(&self, address: ClientAddress) -> Result<Passed, Problem> {
        let passed = self.sent_records.pass(address).await?;
        self.throttle.admit_at_all(address.0, SENT_RECORD_WEIGHT)?;
        Ok(passed)
    }

    /// Judges a record that was sent, one at a time, by a thread of its own. The leave to send
    /// it is given back when the answer is made.
    ///
    /// # Errors
    /// `unavailable` if too many wait; `internal` if it panicked.
    pub async fn judging<T: Send + 'static>(
        &self,
        address: ClientAddress,
        sent: Passed,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let turn = self.judged_records.pass(address).await?;
        let done = self.judging.run(move || {
            let done = work();
            drop((turn, sent));
            done
        });
        done.await.ok_or_else(problem::internal)
    }

    /// Does what takes long by threads of low priority.
    ///
    /// # Errors
    /// `internal` if it panicked.
    pub async fn in_background<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        self.background.run(work).await.ok_or_else(problem::internal)
    }

    /// Whether a token from this address may be looked up. It costs nothing.
    ///
    /// # Errors
    /// `too_many_requests` if too many from there were not known just now.
    pub fn may_show_token(&self, ClientAddress(address): ClientAddress) -> Result<(), Problem> {
        self.throttle.may_show_token(address).map_err(Problem::from)
    }

    /// The server's time, in milliseconds since the epoch.
    pub fn now(&self) -> Millis {
        self.live.now()
    }

    /// Forgets what the limits no longer need. To be called now and then.
    pub fn sweep(&self) {
        self.throttle.sweep();
    }

    /// Tells the metrics how many matches have not ended. To be called now and then.
    pub async fn count_matches(&self) {
        match self.store().unfinished().await {
            Ok(Unfinished { open, live }) => {
                metrics::gauge!("lusoria_matches", "state" => "open").set(f64::from(open));
                metrics::gauge!("lusoria_matches", "state" => "live").set(f64::from(live));
            }
            Err(error) => tracing::warn!(%error, "it could not be counted how many matches there are"),
        }
    }
}
