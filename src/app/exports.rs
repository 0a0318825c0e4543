//! Exports: the records of many matches of a player, one after another. They are read one match at a time, for all
//! exports in turn, so that none takes the processor or the memory from what is played.

use std::{
    collections::{HashSet, VecDeque},
    net::IpAddr,
    num::NonZeroU32,
    sync::Arc,
};

use bytes::Bytes;
use lusoria_play::{MatchId, PlayerId};
use lusoria_protocol::{Code, Handle, Problem, ToJson};
use lusoria_records::text;
use lusoria_store::{MatchFilter, Page, Played};
use parking_lot::Mutex;
use tokio::sync::Semaphore;

use super::{
    App, Caller, ClientAddress, Wanted, permits,
    players::READ_AT_ONCE,
    problem,
    quota::{AddressQuota, QuotaShare},
};
use crate::config::Limits;

/// How many exports run at a time. Each has one record in memory.
const EXPORTS_AT_ONCE: u64 = 32;

/// How many requests the beginning of an export counts for. Its matches count for nothing: they wait for each other.
const EXPORT_WEIGHT: NonZeroU32 = NonZeroU32::new(50).expect("not 0");

/// When somebody whose export runs may try again.
const RETRY_S: u64 = 10;

/// The exports that run.
pub(super) struct Exports {
    quota: AddressQuota,
    running: Arc<Mutex<HashSet<Exporter>>>,
    /// The turn to read: those who wait get it in the order in which they came.
    turn: Semaphore,
}

/// Who has only one export at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Exporter {
    Guest(PlayerId),
    Nobody(IpAddr),
}

/// Permission for an export; kept while it runs.
pub(super) struct ExportPermit {
    running: Arc<Mutex<HashSet<Exporter>>>,
    who: Exporter,
    _share: QuotaShare,
}

impl Drop for ExportPermit {
    fn drop(&mut self) {
        self.running.lock().remove(&self.who);
    }
}

impl Exports {
    pub(super) fn new(limits: &Limits) -> Self {
        let quota = AddressQuota::new(limits.costly_per_address, EXPORTS_AT_ONCE);
        Self { quota, running: Arc::default(), turn: Semaphore::new(1) }
    }

    fn begin(&self, caller: Option<&Caller>, address: ClientAddress) -> Result<ExportPermit, Problem> {
        let share = permits::take_one(&self.quota, address)?;
        let who = caller.map_or(Exporter::Nobody(address.network()), |caller| Exporter::Guest(caller.id()));
        if !self.running.lock().insert(who) {
            let detail = "an export of yours is running; one runs at a time";
            return Err(Problem::new(Code::TooManyRequests, detail)
                .with_limit(1)
                .with_retry_after_s(RETRY_S));
        }
        Ok(ExportPermit { running: Arc::clone(&self.running), who, _share: share })
    }
}

/// A form of records that stand one after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordsForm {
    /// JSON, one in a line.
    Ndjson,
    /// Texts, with an empty line between them.
    Text,
}

/// The records of matches of a player, the newest first.
pub struct RecordsReader {
    app: Arc<App>,
    which: Played,
    wanted: Wanted,
    form: RecordsForm,
    found: VecDeque<MatchId>,
    /// Where the next page begins; none if there is no other.
    rest: Option<After>,
    is_first: bool,
    _permit: Arc<ExportPermit>,
}

/// The match after which a page begins; none for the first page.
type After = Option<MatchId>;

impl RecordsReader {
    /// The next record in its form; none at the end.
    ///
    /// # Errors
    /// `unavailable`, `internal`: then what was read is not all.
    pub async fn next(&mut self) -> Result<Option<Bytes>, Problem> {
        loop {
            // Taken anew for each match and page: all exports go on, however long each is.
            let _turn = self.app.exports.turn.acquire().await.expect("nothing closes the semaphore");
            if let Some(id) = self.found.pop_front() {
                if let Some(record) = self.app.written_record(id, self.form, self.is_first).await? {
                    self.is_first = false;
                    return Ok(Some(record));
                }
            } else if let Some(after) = self.rest.take() {
                let filter = MatchFilter::Played(self.which.clone());
                let page = self.app.store().list(filter, after, READ_AT_ONCE).await;
                let Page { rows, next } = page.map_err(problem::store)?;
                self.rest = next.map(Some);
                let wanted = rows.iter().filter(|row| self.wanted.has(&row.card, self.which.player));
                self.found = wanted.map(|row| row.id).collect();
            } else {
                return Ok(None);
            }
        }
    }
}

impl App {
    /// The records of the matches of a player that a viewer may see.
    ///
    /// # Errors
    /// `no_such_guest` also for the opponent; `too_many_requests` if an export of the viewer runs, or the address has
    /// asked for too much; `unavailable`.
    pub async fn records_of(
        self: &Arc<Self>,
        handle: &Handle,
        wanted: Wanted,
        form: RecordsForm,
        viewer: Option<&Caller>,
        address: ClientAddress,
    ) -> Result<RecordsReader, Problem> {
        let player = self.player(handle).await?.id;
        let which = self.played(player, &wanted, viewer).await?;
        let permit = self.begin_export(viewer, address)?;
        Ok(self.read_records(which, wanted, form, permit))
    }

    /// The records of a guest's own matches, but those that wait for an opponent.
    ///
    /// # Errors
    /// As [`Self::records_of`].
    pub async fn my_records(
        self: &Arc<Self>,
        caller: &Caller,
        wanted: Wanted,
        form: RecordsForm,
        address: ClientAddress,
    ) -> Result<RecordsReader, Problem> {
        let which = self.played(caller.id(), &wanted, Some(caller)).await?;
        let permit = self.begin_export(Some(caller), address)?;
        Ok(self.read_records(which, wanted, form, permit))
    }

    pub(super) fn begin_export(
        &self,
        caller: Option<&Caller>,
        address: ClientAddress,
    ) -> Result<Arc<ExportPermit>, Problem> {
        let permit = self.exports.begin(caller, address)?;
        self.rate_limiters.admit_total(address.0, EXPORT_WEIGHT)?;
        Ok(Arc::new(permit))
    }

    pub(super) fn read_records(
        self: &Arc<Self>,
        which: Played,
        wanted: Wanted,
        form: RecordsForm,
        permit: Arc<ExportPermit>,
    ) -> RecordsReader {
        RecordsReader {
            app: Arc::clone(self),
            which,
            wanted,
            form,
            found: VecDeque::new(),
            rest: Some(None),
            is_first: true,
            _permit: permit,
        }
    }

    /// The record of a match in a form; none if it was deleted meanwhile.
    async fn written_record(
        &self,
        id: MatchId,
        form: RecordsForm,
        is_first: bool,
    ) -> Result<Option<Bytes>, Problem> {
        let state = match self.state(id).await {
            Ok(state) => state,
            Err(problem) if problem.code == Code::NoSuchMatch => return Ok(None),
            Err(problem) => return Err(problem),
        };
        let record = self.whole_record(state).await?;
        let written = self.in_background(move || match form {
            RecordsForm::Ndjson => [record.to_json(), b"\n".to_vec()].concat(),
            RecordsForm::Text if is_first => text::write(&record).into_bytes(),
            RecordsForm::Text => format!("\n{}", text::write(&record)).into_bytes(),
        });
        Ok(Some(written.await?.into()))
    }
}
