//! The operations of the API, for HTTP and WebSocket: each method takes and returns wire types, and refuses
//! with a [`Problem`].
//!
//! `http` and `ws` only transport. Permissions, limits and the conversion between wire and domain types are
//! here.

pub mod admin;
pub mod wire;

mod access;
mod asked;
mod company;
mod engine;
mod limits;
mod matches;
mod pages;
mod people;
mod problem;
pub mod ratings;
mod ready;
mod request_id;
mod statistics;
mod tournaments;

pub use access::{Access, Operation};
pub use asked::Asked;
pub use company::players::{ClockKind, Ended, Wanted, WhichPlayer};
pub use engine::analysis::{FORM as ANALYSIS_FORM, ToldAnalysis};
pub use limits::background::BackgroundPool;
pub use limits::permits::Permit;
pub(crate) use limits::quota::AddressQuota;
pub use limits::quota::QuotaShare;
pub use limits::rate_limiters::Requester;
pub use limits::streams::{ClientAddress, Connections, OpenStream};
pub use matches::commands::CommandResponse;
pub use matches::stream::{BATCH, Lag, Reader};
pub use matches::topics::Topic;
pub use matches::turn_to_play::TurnToPlay;
pub use people::exports::{OwnData, RecordsReader};
pub use people::identity::Caller;
pub(crate) use problem::{
    internal, refused, stopping, too_slow, unauthorized, unavailable, unknown_token, within_head,
};
pub(crate) use request_id::{request_id, within_request};
pub use statistics::Counted;
pub use tournaments::{Table, TournamentReader, TournamentRecords, TournamentState};

use std::{num::NonZeroU32, sync::Arc};

use lusoria_play::{Millis, PlayerId};
use lusoria_protocol::{Created, Problem, Token};

use crate::{
    config::{Limits, Site},
    live::{Live, Outcome},
};
use company::pushes::Pushes;
use engine::analysis::{Analyses, Rollouts};
use limits::permits::{self, Permits, Slots};
use limits::rate_limiters::RateLimiters;
use limits::single_flight::SingleFlight;
use limits::streams::Streams;
use lusoria_store::{ApiTokenId, SecretKey, SessionId, Store, Unfinished};
use matches::keys::KeyedRequest;
use matches::pictures::Pictures;
use matches::turn::SameTurn;
use matches::tv;
use people::exports::Exports;
use people::remains::Remains;
use people::secrets;
use people::sessions::Seen;
use people::sign_in_attempts::SignInAttempts;
use statistics::Counting;
use tokio::sync::OnceCell;

/// How many bytes of a request count as one request. No turn is longer.
const COUNTED_BYTES: usize = 2 * 1024;

/// How many events or matches a response may hold for free, and how many more count as one request.
const FREE_ITEMS: usize = 20;
const COUNTED_ITEMS: usize = 10;

/// How many requests an uploaded record counts as.
const SENT_RECORD_WEIGHT: NonZeroU32 = NonZeroU32::new(50).expect("not 0");

/// The most requests that one response counts as. Otherwise the longest could never be sent.
const WEIGHT_MAX: usize = 100;

/// All operations of the API.
pub struct App {
    live: Arc<Live>,
    limits: Limits,
    /// The domain for which passkeys are valid.
    site: Site,
    pushes: Pushes,
    rate_limiters: RateLimiters,
    streams: Streams,
    unread_quota: AddressQuota,
    /// Rules requests may cost milliseconds each, so only a few run at a time.
    rules: Permits,
    background: BackgroundPool,
    /// Where the computer's search runs.
    thinking: Arc<BackgroundPool>,
    /// Hints take as long as some turns of the computer, so only a few run at a time.
    hints: Permits,
    /// Evaluations of variations take as long. A few run at a time, apart from hints so that they do not
    /// delay those.
    evaluations: Permits,
    analyses: Analyses,
    rollouts: Rollouts,
    /// Pages of many events are read from the store one at a time, and only a few are in memory.
    long_pages: Slots,
    long_pages_in_memory: Slots,
    /// Turns that a match no longer has in memory are looked up in the journal one at a time.
    old_turns: Slots,
    records: Permits,
    /// Requests that read many matches of a player.
    results: Permits,
    exports: Exports,
    pictures: Pictures,
    sent_records: Permits,
    judged_records: Permits,
    /// Where uploaded records are judged, so that no other request waits for them.
    judging: BackgroundPool,
    /// The key of passkey challenges, read from the store when it is first needed.
    challenge_key: OnceCell<SecretKey>,
    sessions_seen: Seen<SessionId>,
    api_tokens_used: Seen<ApiTokenId>,
    /// A password takes tens of milliseconds and 19 MiB to check, so only a few are checked at a time.
    passwords: Permits,
    /// Where passwords are checked, so that no other request waits for them.
    password_pool: BackgroundPool,
    sign_in_attempts: SignInAttempts,
    /// Held while the rest of a guest's departure is done, one guest at a time.
    departing: tokio::sync::Mutex<()>,
    remains: Remains,
    counting: Counting,
    tv: tv::Choice,
    tournament_tables: tournaments::TableCache,
    /// Held while ratings are computed again.
    rebuilding_ratings: tokio::sync::Mutex<()>,
    /// Requests in flight, shared with repeats of the same request: turns, commands and creations under a
    /// key.
    turns: SingleFlight<SameTurn, CommandResponse>,
    commands: SingleFlight<KeyedRequest, Outcome>,
    creations: SingleFlight<KeyedRequest, Created>,
}

impl App {
    /// The application on top of the live matches; browsers reach it at `site`. Costly work runs in the
    /// `background` pool, the computer's search in the `thinking` pool.
    pub fn new(
        live: Arc<Live>,
        limits: Limits,
        site: Site,
        background: BackgroundPool,
        thinking: Arc<BackgroundPool>,
    ) -> Arc<Self> {
        let rate_limiters = RateLimiters::new(&limits);
        let streams = Streams::new(&limits);
        let unread_quota = AddressQuota::new(limits.unread_bytes_per_address, limits.unread_bytes);
        let rules = Permits::new(limits.rules_at_once.into(), limits.costly_per_address);
        let hints = Permits::new(limits.computer_threads.into(), limits.costly_per_address);
        let evaluations = Permits::new(limits.computer_threads.into(), limits.costly_per_address);
        let analyses = Analyses::new(&limits);
        let rollouts = Rollouts::new(&limits);
        let long_pages = Slots::new(permits::LONG_PAGES_AT_ONCE);
        let long_pages_in_memory = Slots::new(permits::LONG_PAGES_IN_MEMORY);
        let old_turns = Slots::new(permits::OLD_TURNS_AT_ONCE);
        let records = Permits::new(permits::RECORDS_AT_ONCE, limits.costly_per_address);
        let results = Permits::new(permits::RESULTS_AT_ONCE, limits.costly_per_address);
        let exports = Exports::new(&limits);
        let pictures = Pictures::new(limits.costly_per_address);
        let sent_records = Permits::new(permits::SENT_RECORDS_AT_ONCE, permits::SENT_RECORDS_PER_ADDRESS);
        let judged_records = Permits::new(1, permits::SENT_RECORDS_PER_ADDRESS);
        let judging = background.another(1);
        let password_pool = background.another(permits::PASSWORDS_AT_ONCE);
        let passwords = Permits::new(permits::PASSWORDS_AT_ONCE, limits.costly_per_address);
        Arc::new(Self {
            live,
            limits,
            pushes: Pushes::new(&site),
            site,
            rate_limiters,
            streams,
            unread_quota,
            rules,
            background,
            thinking,
            hints,
            evaluations,
            analyses,
            rollouts,
            long_pages,
            long_pages_in_memory,
            old_turns,
            records,
            results,
            exports,
            pictures,
            sent_records,
            judged_records,
            judging,
            challenge_key: OnceCell::new(),
            sessions_seen: Seen::default(),
            api_tokens_used: Seen::default(),
            passwords,
            password_pool,
            sign_in_attempts: SignInAttempts::default(),
            departing: tokio::sync::Mutex::default(),
            remains: Remains::default(),
            counting: Counting::default(),
            tv: tv::Choice::default(),
            tournament_tables: tournaments::TableCache::default(),
            rebuilding_ratings: tokio::sync::Mutex::default(),
            turns: SingleFlight::default(),
            commands: SingleFlight::default(),
            creations: SingleFlight::default(),
        })
    }

    /// The live matches.
    pub fn live(&self) -> &Arc<Live> {
        &self.live
    }

    fn store(&self) -> &Store {
        self.live.store()
    }

    /// Takes a request of `bytes` bytes from the requester's bucket: it counts once for each started 2 KiB.
    ///
    /// # Errors
    /// `too_many_requests`, with the time to wait.
    pub fn admit(&self, who: Requester, bytes: usize) -> Result<(), Problem> {
        let weight = u32::try_from(bytes / COUNTED_BYTES).unwrap_or(u32::MAX).saturating_add(1);
        let weight = NonZeroU32::new(weight).unwrap_or(NonZeroU32::MIN);
        self.rate_limiters.admit(who, weight).map_err(Problem::from)
    }

    /// Takes one request from the total limit of an address. Call this before the request is read. A guest
    /// has a share of the limit that others cannot use up.
    ///
    /// # Errors
    /// `too_many_requests`, with the time to wait.
    pub fn admit_total(&self, address: ClientAddress, guest: Option<PlayerId>) -> Result<(), Problem> {
        self.rate_limiters.admit_total(address, guest, NonZeroU32::MIN).map_err(Problem::from)
    }

    /// The same for a token that has not been looked up yet. If it was looked up lately, its guest's share
    /// counts.
    ///
    /// # Errors
    /// `too_many_requests`, with the time to wait.
    pub fn admit_total_by_token(&self, address: ClientAddress, token: Option<&Token>) -> Result<(), Problem> {
        let whose = |token: &Token| self.rate_limiters.whose(address, &secrets::hash(token.as_str()));
        self.admit_total(address, token.and_then(whose))
    }

    /// Remembers that a guest came from an address.
    pub fn note_address(&self, address: ClientAddress, caller: &Caller) {
        let token = secrets::hash(caller.token().as_str());
        self.rate_limiters.note_whose(address, token, caller.id());
    }

    /// Takes more from the total limit of an address for a response of `items` events or matches: the first
    /// twenty are free, each ten more cost one request.
    ///
    /// # Errors
    /// `too_many_requests`, with the time to wait.
    fn admit_items(&self, address: ClientAddress, items: usize) -> Result<(), Problem> {
        let weight = items.saturating_sub(FREE_ITEMS).div_ceil(COUNTED_ITEMS).min(WEIGHT_MAX);
        match u32::try_from(weight).ok().and_then(NonZeroU32::new) {
            None => Ok(()),
            Some(weight) => self.rate_limiters.admit_total(address, None, weight).map_err(Problem::from),
        }
    }

    /// Waits for a permit to upload a record. Call this before the body is read.
    ///
    /// # Errors
    /// `too_many_requests` if the address has too many waiting, or asks too often; `unavailable` if too many
    /// are being judged.
    pub async fn admit_record(&self, address: ClientAddress) -> Result<Permit, Problem> {
        let permit = self.sent_records.acquire(address).await?;
        self.rate_limiters.admit_total(address, None, SENT_RECORD_WEIGHT)?;
        Ok(permit)
    }

    /// Judges an uploaded record, one at a time, on a thread of its own. The permit for the upload is
    /// released when the response is made.
    ///
    /// # Errors
    /// `unavailable` if too many wait; `internal` if it panicked.
    pub async fn judging<T: Send + 'static>(
        &self,
        address: ClientAddress,
        upload: Permit,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let turn = self.judged_records.acquire(address).await?;
        let result = self.judging.run(move || {
            let result = work();
            drop((turn, upload));
            result
        });
        result.await.ok_or_else(problem::internal)
    }

    /// Runs slow work on threads of low priority.
    ///
    /// # Errors
    /// `internal` if it panicked.
    pub async fn in_background<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        self.background.run(work).await.ok_or_else(problem::internal)
    }

    /// Checks whether a token from this address may be looked up. It costs nothing.
    ///
    /// # Errors
    /// `too_many_requests` if the address has just sent too many unknown tokens.
    pub fn admit_token_lookup(&self, ClientAddress(address): ClientAddress) -> Result<(), Problem> {
        self.rate_limiters.admit_token_lookup(address).map_err(Problem::from)
    }

    /// The server's time, in milliseconds since the epoch.
    pub fn now(&self) -> Millis {
        self.live.now()
    }

    /// Drops the limiters' state that is no longer needed. To be called regularly.
    pub fn sweep(&self) {
        self.rate_limiters.sweep();
        self.sign_in_attempts.sweep(self.live.now());
    }

    /// Reports the number of unfinished matches to the metrics. To be called regularly.
    pub async fn count_matches(&self) {
        match self.store().unfinished().await {
            Ok(Unfinished { open, live }) => {
                metrics::gauge!("lusoria_matches", "state" => "open").set(f64::from(open));
                metrics::gauge!("lusoria_matches", "state" => "live").set(f64::from(live));
            }
            Err(error) => tracing::warn!(%error, "could not count matches"),
        }
    }
}
