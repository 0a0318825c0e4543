//! Exports of many records of a player, one after another. All exports share one reader, which reads one
//! match at a time in turn, so that none takes processor time or memory from live matches.

use std::{
    collections::{HashSet, VecDeque},
    net::IpAddr,
    num::NonZeroU32,
    sync::Arc,
};

use lusoria_play::{MatchId, Millis, PlayerId, RemarkId};
use lusoria_protocol::{
    Account, ApiTokenList, BlockList, ChallengeList, ChallengeSettings, Code, ConditionalTurnsList,
    FollowList, Me, OwnConduct, PasskeyList, Preferences, Problem, PushSubscriptionList, Record, Remark,
    SeekList, SessionList, TalkSettings, TournamentCard,
};
use lusoria_store::{MatchFilter, Page, Played, TournamentFilter, TournamentPlace};
use parking_lot::Mutex;
use tokio::sync::Semaphore;

use crate::{
    app::{
        App, Caller, ClientAddress, Wanted,
        company::players::{READ_AT_ONCE, WhichPlayer},
        limits::{
            permits,
            quota::{AddressQuota, QuotaShare},
        },
        problem, wire,
    },
    config::Limits,
};

/// How many exports run at a time. Each holds one record in memory.
const EXPORTS_AT_ONCE: u64 = 32;

/// How many requests the start of an export counts as. Its matches count as none, since exports wait for each
/// other.
const EXPORT_WEIGHT: NonZeroU32 = NonZeroU32::new(50).expect("not 0");

/// When a guest or address whose export is running may try again.
const RETRY_S: u64 = 10;

/// The running exports.
pub(in crate::app) struct Exports {
    quota: AddressQuota,
    running: Arc<Mutex<HashSet<Exporter>>>,
    /// The permit to read, granted in order of arrival.
    turn: Semaphore,
}

/// Who may run only one export at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Exporter {
    Guest(PlayerId),
    Nobody(IpAddr),
}

/// Permission for an export; held while it runs.
pub(in crate::app) struct ExportPermit {
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
    pub(in crate::app) fn new(limits: &Limits) -> Self {
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

/// All stored data of a guest.
pub struct OwnData {
    /// The guest.
    pub me: Me,
    /// Their account, if they have one.
    pub account: Option<Account>,
    /// Their sessions.
    pub sessions: SessionList,
    /// Their API tokens.
    pub api_tokens: ApiTokenList,
    /// Their passkeys.
    pub passkeys: PasskeyList,
    /// Their preferences, if they have an account.
    pub preferences: Option<Preferences>,
    /// Their conditional turns.
    pub conditional_turns: ConditionalTurnsList,
    /// Their push subscriptions.
    pub push_subscriptions: PushSubscriptionList,
    /// The guests whom they have blocked.
    pub blocks: BlockList,
    /// The guests whom they follow.
    pub follows: FollowList,
    /// Which challenges they accept.
    pub challenge_settings: ChallengeSettings,
    /// The challenges that they made or received.
    pub challenges: ChallengeList,
    /// Their seeks.
    pub seeks: SeekList,
    /// Their settings for talk.
    pub talk_settings: TalkSettings,
    /// Their standing, their reports, and the matches that they left.
    pub conduct: OwnConduct,
    /// The time of the export.
    pub at: Millis,
    app: Arc<App>,
    which: Played,
    permit: Arc<ExportPermit>,
}

impl OwnData {
    /// The records of their matches, without those that wait for an opponent.
    pub fn records(&self) -> RecordsReader {
        self.app.read_records(self.which.clone(), Wanted::default(), Arc::clone(&self.permit))
    }

    /// The next of the tournaments that they entered or organise, the latest first, and where those after them begin.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn tournaments(
        &self,
        after: Option<TournamentPlace>,
    ) -> Result<(Vec<TournamentCard>, Option<TournamentPlace>), Problem> {
        let _turn = self.app.exports.turn.acquire().await.expect("nothing closes the semaphore");
        let filter = TournamentFilter::Of { guest: self.which.player, with_unlisted: true };
        self.app.tournament_cards(filter, after, READ_AT_ONCE).await
    }

    /// The next of their remarks after `after`, the earliest first; none at the end.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn remarks(&self, after: Option<RemarkId>) -> Result<Vec<Remark>, Problem> {
        let _turn = self.app.exports.turn.acquire().await.expect("nothing closes the semaphore");
        let page = self.app.store().remarks_by(self.which.player, after, REMARKS_AT_ONCE).await;
        Ok(page.map_err(problem::store)?.into_iter().map(wire::remark).collect())
    }
}

/// How many remarks are read at once.
const REMARKS_AT_ONCE: u32 = 200;

/// The records of matches of a player, the newest first.
pub struct RecordsReader {
    app: Arc<App>,
    found: VecDeque<MatchId>,
    /// Where more are found; none after the last.
    rest: Option<Rest>,
    _permit: Arc<ExportPermit>,
}

/// Matches that are still to be found.
struct Rest {
    which: Played,
    wanted: Wanted,
    /// The match after which the next page begins; none for the first page.
    after: Option<MatchId>,
}

impl RecordsReader {
    /// The records of these matches, in this order.
    pub(in crate::app) fn of_matches(
        app: &Arc<App>,
        matches: Vec<MatchId>,
        permit: Arc<ExportPermit>,
    ) -> Self {
        Self { app: Arc::clone(app), found: matches.into(), rest: None, _permit: permit }
    }

    /// The next record; none at the end.
    ///
    /// # Errors
    /// `unavailable`, `internal`: then the export is incomplete.
    pub async fn next(&mut self) -> Result<Option<Record>, Problem> {
        loop {
            // Acquired anew for each match and page, so that all exports advance, however long each is.
            let _turn = self.app.exports.turn.acquire().await.expect("nothing closes the semaphore");
            if let Some(id) = self.found.pop_front() {
                match self.app.state(id).await {
                    Ok(state) => return self.app.whole_record(state).await.map(Some),
                    // It was deleted meanwhile.
                    Err(problem) if problem.code == Code::NoSuchMatch => {}
                    Err(problem) => return Err(problem),
                }
            } else if let Some(Rest { which, wanted, after }) = self.rest.take() {
                let filter = MatchFilter::Played(which.clone());
                let page = self.app.store().list(filter, after, READ_AT_ONCE).await;
                let Page { rows, next } = page.map_err(problem::store)?;
                let found = rows.iter().filter(|row| wanted.has(&row.card, which.player));
                self.found = found.map(|row| row.id).collect();
                self.rest = next.map(|last| Rest { which, wanted, after: Some(last) });
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
        which: &WhichPlayer,
        wanted: Wanted,
        viewer: Option<&Caller>,
        address: ClientAddress,
    ) -> Result<RecordsReader, Problem> {
        let player = self.player(which).await?.id;
        let which = self.played(player, &wanted, viewer).await?;
        let permit = self.begin_export(viewer, address)?;
        Ok(self.read_records(which, wanted, permit))
    }

    /// The records of a guest's own matches, without those that wait for an opponent.
    ///
    /// # Errors
    /// As [`Self::records_of`].
    pub async fn my_records(
        self: &Arc<Self>,
        caller: &Caller,
        wanted: Wanted,
        address: ClientAddress,
    ) -> Result<RecordsReader, Problem> {
        let which = self.played(caller.id(), &wanted, Some(caller)).await?;
        let permit = self.begin_export(Some(caller), address)?;
        Ok(self.read_records(which, wanted, permit))
    }

    /// All stored data of a guest, for an export.
    ///
    /// # Errors
    /// As [`Self::records_of`].
    pub async fn own_data(
        self: &Arc<Self>,
        caller: &Caller,
        address: ClientAddress,
    ) -> Result<OwnData, Problem> {
        let permit = self.begin_export(Some(caller), address)?;
        let account = match self.account(caller).await {
            Err(problem) if problem.code == Code::NoAccount => None,
            account => Some(account?),
        };
        let preferences = match &account {
            Some(_) => Some(self.preferences(caller).await?),
            None => None,
        };
        let at = self.live.now();
        // Not `App::seeks` or `App::challenges`, which would prolong them.
        let seeks = self.store().seeks_of(caller.id(), at).await.map_err(problem::store)?;
        let challenges = self.store().challenges_of(caller.id(), at).await.map_err(problem::store)?;
        Ok(OwnData {
            me: self.me(caller).await?,
            account,
            sessions: self.sessions(caller).await?,
            api_tokens: self.api_tokens(caller).await?,
            passkeys: self.passkeys(caller).await?,
            preferences,
            conditional_turns: self.conditional_turns_of(caller).await?,
            push_subscriptions: self.push_subscriptions(caller).await?,
            blocks: self.blocks(caller).await?,
            follows: self.follows(caller).await?,
            challenge_settings: self.challenge_settings(caller).await?,
            talk_settings: self.talk_settings(caller).await?,
            conduct: self.own_conduct(caller).await?,
            challenges: ChallengeList { challenges: challenges.iter().map(wire::challenge).collect() },
            seeks: SeekList { seeks: seeks.iter().map(wire::seek).collect() },
            at,
            app: Arc::clone(self),
            which: self.played(caller.id(), &Wanted::default(), Some(caller)).await?,
            permit,
        })
    }

    pub(in crate::app) fn begin_export(
        &self,
        caller: Option<&Caller>,
        address: ClientAddress,
    ) -> Result<Arc<ExportPermit>, Problem> {
        let permit = self.exports.begin(caller, address)?;
        self.rate_limiters.admit_total(address, None, EXPORT_WEIGHT)?;
        Ok(Arc::new(permit))
    }

    fn read_records(
        self: &Arc<Self>,
        which: Played,
        wanted: Wanted,
        permit: Arc<ExportPermit>,
    ) -> RecordsReader {
        let rest = Some(Rest { which, wanted, after: None });
        RecordsReader { app: Arc::clone(self), found: VecDeque::new(), rest, _permit: permit }
    }
}
