//! A store that fails as it is told.

use std::{
    collections::BTreeSet,
    ops::RangeInclusive,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use futures_util::future::BoxFuture;
use lusoria_dice::Secret;
use lusoria_play::{
    BySeat, ChallengeSettings, ConditionalTurns, FlagId, MatchId, Millis, PlayerId, Recorded, RemarkId,
    ReportId, SanctionId, SeekId, TalkRoom,
};
use lusoria_rules::Game;
use lusoria_store::{
    Account, AccountFilter, AccountOpening, AdoptionBeginning, ApiBearer, ApiToken, ApiTokenAddition,
    ApiTokenId, Append, AppendError, Bearer, Beat, Blocking, BotDeclaration, Card, Challenge,
    ChallengeAdding, ChallengeEnd, ChallengeEnding, Conditionals, CountRow, CountingRound, CurvePoint,
    Departure, Departures, DeviceCode, Due, EngineFlag, ErasureBeginning, ErasureBy, FairPlay, Following,
    GameCountRows, GameCounts, Guest, HandingOver, Head, Invitation, JoinError, Journal, KeptAnalysis,
    KeyPurpose, LeaderboardRow, LogRow, LossSum, MatchFilter, MatchRow, Moderated, Moderating, Moderation,
    NamedChallenge, NearLosses, NewAccount, NewAdoption, NewApiToken, NewFlag, NewMatch, NewNode, NewRemark,
    NewReport, NewSession, NodeId, Opponents, Outage, Page, PageFile, Passkey, PasskeyAddition, PasskeyId,
    PasskeyRemoval, PasskeyUse, Passkeys, PasswordHash, PasswordRemoval, PreferenceChange, PreferenceChanges,
    PreferenceValues, Preferences, Proof, PushSubscription, PushSubscriptionId, Pushes, RatingKey,
    RatingMark, RatingTables, Ratings, RatingsBefore, Remark, RemarkAdding, Report, ReportAdding, Revoking,
    Sanction, SecretHash, SecretKey, Seek, SeekAdding, SeekWithdrawal, SeenNodes, Session, SessionId,
    SignUpPolicy, SignUps, Statistics, Store, StoreError, StoreFuture, StoredRating, TalkSettings, Talker,
    Talks, TurnLosses, Unfinished, UsedKey, Version, WaitingSeek,
};
use parking_lot::Mutex;

use super::database;

/// After so many looks for conditional turns there are no more, so that a test ends.
const LOOKS_MAX: usize = 2_000;

/// What is wrong with a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It takes no events now.
    Busy,
    /// It will take none.
    Failed,
    /// Reading it panics.
    Panics,
    /// Its events cannot be read.
    Unreadable,
    /// The disk is full when it takes events.
    Full,
    /// Nobody knows whether a name in it was replaced, although it was.
    Unknown,
    /// It takes events, and nobody learns whether it did.
    Unanswered,
}

/// A store with something wrong in it.
pub(crate) struct FailingStore {
    inner: Arc<dyn Store>,
    faults: Mutex<Vec<(MatchId, Fault)>>,
    keeps_traces: AtomicBool,
    remains_erased: AtomicU32,
    tried: Mutex<u32>,
    analyses_read: Mutex<u32>,
    secrets_read: Mutex<u32>,
    events_read: Mutex<Vec<u32>>,
    conditional: Mutex<Laid>,
    delays: Mutex<Vec<(Delayed, Duration)>>,
    interruption: Mutex<Option<(Read, BoxFuture<'static, ()>)>>,
}

/// Matches for which turns are laid down, it says, although they are not there.
#[derive(Default)]
struct Laid {
    ids: BTreeSet<MatchId>,
    /// How often it was asked for matches.
    looks: usize,
}

/// A read after which something else may happen before it is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Read {
    /// Whose a token is.
    Bearer,
    /// Which matches there are.
    List,
    /// Which matches are old.
    Stale,
    /// What happened in a match, to write it anew.
    ToRewrite,
}

/// What can be made to take long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delayed {
    /// Noting that a server runs again.
    Join,
    /// Taking events.
    Append,
    /// Telling whose a token is.
    Bearer,
    /// Reading an analysis.
    Analysis,
    /// Doing away with what was replaced or forgotten.
    ErasingRemains,
}

impl Default for FailingStore {
    /// An empty one.
    fn default() -> Self {
        Self::over(database::store())
    }
}

impl FailingStore {
    /// Nothing is wrong with this store yet.
    pub(crate) fn over(inner: Arc<dyn Store>) -> Self {
        Self {
            inner,
            faults: Mutex::default(),
            keeps_traces: AtomicBool::default(),
            remains_erased: AtomicU32::default(),
            tried: Mutex::default(),
            analyses_read: Mutex::default(),
            secrets_read: Mutex::default(),
            events_read: Mutex::default(),
            conditional: Mutex::default(),
            delays: Mutex::default(),
            interruption: Mutex::default(),
        }
    }

    /// From now on this takes so long.
    pub(crate) fn delay(&self, what: Delayed, by: Duration) {
        let mut delays = self.delays.lock();
        delays.retain(|(delayed, _)| *delayed != what);
        delays.push((what, by));
    }

    async fn delayed(&self, what: Delayed) {
        let delay = self.delays.lock().iter().find(|(delayed, _)| *delayed == what).map(|(_, by)| *by);
        if let Some(by) = delay {
            tokio::time::sleep(by).await;
        }
    }

    pub(crate) fn fail(&self, id: MatchId, fault: Fault) {
        *self.faults.lock() = vec![(id, fault)];
    }

    /// Something wrong with one more match.
    pub(crate) fn also_fail(&self, id: MatchId, fault: Fault) {
        self.faults.lock().push((id, fault));
    }

    /// Whether it cannot do away with what was replaced or forgotten.
    pub(crate) fn keep_traces(&self, keeps: bool) {
        self.keeps_traces.store(keeps, Ordering::Relaxed);
    }

    /// How often it did away with what was replaced or forgotten.
    pub(crate) fn remains_erased(&self) -> u32 {
        self.remains_erased.load(Ordering::Relaxed)
    }

    pub(crate) fn heal(&self) {
        self.faults.lock().clear();
    }

    /// Something that happens between the next such read and its answer.
    pub(crate) fn interrupt(&self, read: Read, by: impl Future<Output = ()> + Send + 'static) {
        *self.interruption.lock() = Some((read, Box::pin(by)));
    }

    async fn interruption(&self, after: Read) {
        let it = self.interruption.lock().take_if(|(read, _)| *read == after);
        if let Some((_, happens)) = it {
            happens.await;
        }
    }

    /// How often something failed.
    pub(crate) fn tried(&self) -> u32 {
        *self.tried.lock()
    }

    /// How often an analysis was read.
    pub(crate) fn analyses_read(&self) -> u32 {
        *self.analyses_read.lock()
    }

    /// From where on events were read since the last time.
    pub(crate) fn events_read(&self) -> Vec<u32> {
        std::mem::take(&mut *self.events_read.lock())
    }

    /// Turns are laid down for these matches, too, which are not there.
    pub(crate) fn lay_down(&self, ids: impl IntoIterator<Item = MatchId>) {
        self.conditional.lock().ids.extend(ids);
    }

    /// How often it was looked for which matches turns are laid down.
    pub(crate) fn conditional_looks(&self) -> usize {
        self.conditional.lock().looks
    }

    /// How often the secret of a match was read.
    pub(crate) fn secrets_read(&self) -> u32 {
        *self.secrets_read.lock()
    }

    fn found(&self, id: MatchId) -> Option<Fault> {
        self.faults.lock().iter().find(|(of, _)| *of == id).map(|(_, fault)| *fault)
    }

    fn fault(&self, id: MatchId) -> Option<Fault> {
        let fault = self.found(id);
        *self.tried.lock() += u32::from(fault.is_some());
        fault
    }
}

/// Methods of a store that another store, its `inner` one, carries out.
macro_rules! handed_on {
    ($($name:ident($($argument:ident: $of:ty),*) -> $answer:ty;)*) => {
        $(fn $name(&self, $($argument: $of),*) -> $answer { self.inner.$name($($argument),*) })*
    };
}

pub(crate) use handed_on;

impl Opponents for FailingStore {
    handed_on! {
        add_seek(seek: Seek) -> StoreFuture<'_, SeekAdding>;
        seeks_of(guest: PlayerId, now: Millis) -> StoreFuture<'_, Vec<Seek>>;
        waiting_seeks(now: Millis) -> StoreFuture<'_, Vec<WaitingSeek>>;
        answered_seeks(since: Millis) -> StoreFuture<'_, Vec<Seek>>;
        prolong_seeks(guests: Vec<PlayerId>, now: Millis, until: Millis) -> StoreFuture<'_, ()>;
        withdraw_seek(guest: PlayerId, id: SeekId, now: Millis) -> StoreFuture<'_, SeekWithdrawal>;
        add_block(guest: PlayerId, blocked: PlayerId, at: Millis) -> StoreFuture<'_, Blocking>;
        remove_block(guest: PlayerId, blocked: PlayerId) -> StoreFuture<'_, bool>;
        add_challenge(challenge: Challenge) -> StoreFuture<'_, ChallengeAdding>;
        challenges_of(guest: PlayerId, now: Millis) -> StoreFuture<'_, Vec<NamedChallenge>>;
        challenge(id: MatchId, now: Millis) -> StoreFuture<'_, Option<NamedChallenge>>;
        ended_challenges(since: Millis) -> StoreFuture<'_, Vec<NamedChallenge>>;
        live_challengers(now: Millis) -> StoreFuture<'_, Vec<PlayerId>>;
        prolong_challenges(challengers: Vec<PlayerId>, now: Millis, until: Millis) -> StoreFuture<'_, ()>;
        end_challenge(id: MatchId, by: PlayerId, end: ChallengeEnd, now: Millis) -> StoreFuture<'_, ChallengeEnding>;
        challenge_settings(guest: PlayerId) -> StoreFuture<'_, ChallengeSettings>;
        set_challenge_settings(guest: PlayerId, settings: ChallengeSettings) -> StoreFuture<'_, bool>;
        add_follow(guest: PlayerId, followed: PlayerId, at: Millis) -> StoreFuture<'_, Following>;
        remove_follow(guest: PlayerId, followed: PlayerId) -> StoreFuture<'_, bool>;
        followed_by(guest: PlayerId) -> StoreFuture<'_, Vec<Guest>>;
        blocked_by(guest: PlayerId) -> StoreFuture<'_, Vec<Guest>>;
        blocks_around(guest: PlayerId) -> StoreFuture<'_, Vec<PlayerId>>;
    }
}

impl Passkeys for FailingStore {
    handed_on! {
        spend_challenge(hash: SecretHash, expires_at: Millis) -> StoreFuture<'_, bool>;
        add_passkey(proof: Proof, new: Passkey) -> StoreFuture<'_, PasskeyAddition>;
        passkeys(guest: PlayerId) -> StoreFuture<'_, Vec<Passkey>>;
        passkey(credential: Vec<u8>) -> StoreFuture<'_, Option<Passkey>>;
        rename_passkey(guest: PlayerId, id: PasskeyId, name: String) -> StoreFuture<'_, bool>;
        remove_passkey(proof: Proof, id: PasskeyId) -> StoreFuture<'_, PasskeyRemoval>;
        use_passkey(used: PasskeyUse) -> StoreFuture<'_, bool>;
        sign_in_with_passkey(used: PasskeyUse, session: NewSession) -> StoreFuture<'_, Option<Guest>>;
    }
}

impl Departures for FailingStore {
    handed_on! {
        begin_adoption(new: NewAdoption) -> StoreFuture<'_, AdoptionBeginning>;
        begin_erasure(guest: PlayerId, by: ErasureBy, at: Millis) -> StoreFuture<'_, ErasureBeginning>;
        departures() -> StoreFuture<'_, Vec<Departure>>;
        hand_over(id: MatchId, of: Version, adoption: Departure, events: Vec<Recorded>, card: Card) -> StoreFuture<'_, HandingOver>;
        end_departure(departure: Departure) -> StoreFuture<'_, bool>;
    }
}

impl Conditionals for FailingStore {
    fn conditional_matches(
        &self,
        since: Millis,
        after: Option<MatchId>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<MatchId>> {
        let mut all: BTreeSet<MatchId> = {
            let mut laid = self.conditional.lock();
            laid.looks += 1;
            if laid.looks > LOOKS_MAX {
                return Box::pin(async { Err(StoreError::Busy("on purpose".to_owned())) });
            }
            laid.ids.iter().copied().filter(|id| after.is_none_or(|after| *id > after)).collect()
        };
        Box::pin(async move {
            all.extend(self.inner.conditional_matches(since, after, limit).await?);
            Ok(all.into_iter().take(limit as usize).collect())
        })
    }

    handed_on! {
        set_conditional_turns(id: MatchId, guest: PlayerId, turns: ConditionalTurns) -> StoreFuture<'_, bool>;
        conditional_turns(id: MatchId, guest: PlayerId) -> StoreFuture<'_, Option<ConditionalTurns>>;
        conditional_turns_of(guest: PlayerId) -> StoreFuture<'_, Vec<(MatchId, ConditionalTurns)>>;
    }
}

impl Preferences for FailingStore {
    handed_on! {
        preferences(guest: PlayerId) -> StoreFuture<'_, PreferenceValues>;
        change_preferences(guest: PlayerId, by: SessionId, changes: PreferenceChanges) -> StoreFuture<'_, PreferenceChange>;
    }
}

impl GameCounts for FailingStore {
    handed_on! {
        counting_round(definitions: u32) -> StoreFuture<'_, Option<CountingRound>>;
        count_again(definitions: u32) -> StoreFuture<'_, Option<CountingRound>>;
        uncounted(round: CountingRound, limit: u32) -> StoreFuture<'_, Vec<MatchId>>;
        count_match(round: CountingRound, id: MatchId, game: Game, counts: Vec<CountRow>) -> StoreFuture<'_, bool>;
        game_counts(game: Game) -> StoreFuture<'_, GameCountRows>;
    }
}

impl Pushes for FailingStore {
    handed_on! {
        put_push_subscription(new: PushSubscription) -> StoreFuture<'_, Option<PushSubscription>>;
        push_subscriptions(guest: PlayerId) -> StoreFuture<'_, Vec<PushSubscription>>;
        push_targets(guest: PlayerId, now: Millis) -> StoreFuture<'_, Vec<PushSubscription>>;
        remove_push_subscription(guest: PlayerId, id: PushSubscriptionId) -> StoreFuture<'_, bool>;
    }
}

impl Talks for FailingStore {
    handed_on! {
        add_remark(new: NewRemark) -> StoreFuture<'_, RemarkAdding>;
        remarks(of: MatchId, room: TalkRoom, limit: u32) -> StoreFuture<'_, Vec<Remark>>;
        remarks_by(guest: PlayerId, after: Option<RemarkId>, limit: u32) -> StoreFuture<'_, Vec<Remark>>;
        talkers(guests: Vec<PlayerId>) -> StoreFuture<'_, Vec<Talker>>;
        set_talk_settings(guest: PlayerId, settings: TalkSettings) -> StoreFuture<'_, bool>;
    }
}

impl FairPlay for FailingStore {
    handed_on! {
        matches_to_check(since: Millis, limit: u32) -> StoreFuture<'_, Vec<MatchId>>;
        keep_turn_losses(losses: Vec<TurnLosses>) -> StoreFuture<'_, ()>;
        turn_losses(player: PlayerId, key: RatingKey, ended: RangeInclusive<Millis>, limit: u32) -> StoreFuture<'_, Vec<TurnLosses>>;
        losses_near(near: NearLosses) -> StoreFuture<'_, LossSum>;
        flagged_at(player: PlayerId, key: RatingKey) -> StoreFuture<'_, Option<Millis>>;
        raise_flag(new: NewFlag) -> StoreFuture<'_, bool>;
        flags(only_open: bool, limit: u32) -> StoreFuture<'_, Vec<EngineFlag>>;
        flag(id: FlagId) -> StoreFuture<'_, Option<EngineFlag>>;
    }
}

impl Moderation for FailingStore {
    handed_on! {
        add_report(new: NewReport) -> StoreFuture<'_, ReportAdding>;
        reports(only_open: bool, limit: u32) -> StoreFuture<'_, Vec<Report>>;
        report(id: ReportId) -> StoreFuture<'_, Option<Report>>;
        reports_by(guest: PlayerId, limit: u32) -> StoreFuture<'_, Vec<Report>>;
        moderate(moderated: Moderated) -> StoreFuture<'_, Moderating>;
        moderation_log(guest: Option<PlayerId>, limit: u32) -> StoreFuture<'_, Vec<LogRow>>;
        sanctions(guest: PlayerId) -> StoreFuture<'_, Vec<Sanction>>;
        note_warnings_read(guest: PlayerId, upto: SanctionId, at: Millis) -> StoreFuture<'_, u64>;
        note_leaving(of: MatchId, guest: PlayerId, at: Millis) -> StoreFuture<'_, ()>;
        leavings(guest: PlayerId, since: Millis) -> StoreFuture<'_, Vec<(MatchId, Millis)>>;
    }
}

impl Ratings for FailingStore {
    handed_on! {
        ratings_before(players: BySeat<PlayerId>, key: RatingKey, at: Millis) -> StoreFuture<'_, RatingsBefore>;
        ratings_of(players: Vec<PlayerId>) -> StoreFuture<'_, Vec<(PlayerId, RatingKey, StoredRating)>>;
        rating_changes(player: PlayerId, key: RatingKey, after: u32, limit: u32) -> StoreFuture<'_, Vec<CurvePoint>>;
        leaderboard(key: RatingKey, bots: bool, since: Millis, limit: u32) -> StoreFuture<'_, Vec<LeaderboardRow>>;
        rated_matches(game: Game, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Vec<MatchId>>;
        rating_mark(key: RatingKey) -> StoreFuture<'_, RatingMark>;
        rating_tables(key: RatingKey) -> StoreFuture<'_, RatingTables>;
        stale_ratings() -> StoreFuture<'_, Vec<RatingKey>>;
        replace_ratings(key: RatingKey, seen: RatingMark, new: RatingTables) -> StoreFuture<'_, bool>;
    }
}

impl Store for FailingStore {
    fn list(&self, filter: MatchFilter, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Page> {
        Box::pin(async move {
            let page = self.inner.list(filter, after, limit).await;
            self.interruption(Read::List).await;
            page
        })
    }

    fn append(&self, append: Append) -> StoreFuture<'_, (), AppendError> {
        let failed = match self.fault(append.id) {
            Some(Fault::Unanswered) => {
                return Box::pin(async move {
                    self.inner.append(append).await?;
                    Err(AppendError::Unknown("on purpose".to_owned()))
                });
            }
            None | Some(Fault::Panics | Fault::Unreadable | Fault::Unknown) => {
                return Box::pin(async move {
                    self.delayed(Delayed::Append).await;
                    self.inner.append(append).await
                });
            }
            Some(Fault::Busy) => StoreError::Busy("on purpose".to_owned()),
            Some(Fault::Failed) => StoreError::Failed("on purpose".to_owned()),
            Some(Fault::Full) => StoreError::Full("on purpose".to_owned()),
        };
        Box::pin(async { Err(failed.into()) })
    }

    fn events(&self, id: MatchId, since: u32, limit: u32) -> StoreFuture<'_, Journal> {
        self.events_read.lock().push(since);
        match self.found(id) {
            Some(Fault::Panics) => {
                *self.tried.lock() += 1;
                panic!("on purpose");
            }
            Some(Fault::Unreadable) => Box::pin(async { Err(StoreError::Corrupt("on purpose".to_owned())) }),
            None | Some(Fault::Busy | Fault::Failed | Fault::Full | Fault::Unknown | Fault::Unanswered) => {
                self.inner.events(id, since, limit)
            }
        }
    }

    fn settle(&self, id: MatchId) -> StoreFuture<'_, Option<Head>> {
        if self.found(id) == Some(Fault::Unanswered) {
            return Box::pin(async { Err(StoreError::Busy("on purpose".to_owned())) });
        }
        self.inner.settle(id)
    }

    fn analysis(&self, id: MatchId) -> StoreFuture<'_, Option<KeptAnalysis>> {
        *self.analyses_read.lock() += 1;
        Box::pin(async move {
            self.delayed(Delayed::Analysis).await;
            self.inner.analysis(id).await
        })
    }

    fn bearer(&self, token: SecretHash) -> StoreFuture<'_, Option<Bearer>> {
        Box::pin(async move {
            self.delayed(Delayed::Bearer).await;
            let bearer = self.inner.bearer(token).await;
            self.interruption(Read::Bearer).await;
            bearer
        })
    }

    fn join(&self, node: NewNode, now: Millis) -> StoreFuture<'_, Beat, JoinError> {
        Box::pin(async move {
            self.delayed(Delayed::Join).await;
            self.inner.join(node, now).await
        })
    }

    fn secret(&self, id: MatchId) -> StoreFuture<'_, Option<Secret>> {
        *self.secrets_read.lock() += 1;
        self.inner.secret(id)
    }

    fn rewrite(&self, id: MatchId, of: Version, events: Vec<Recorded>, card: Card) -> StoreFuture<'_, bool> {
        let is_unknown = self.found(id) == Some(Fault::Unknown);
        Box::pin(async move {
            self.interruption(Read::ToRewrite).await;
            let rewritten = self.inner.rewrite(id, of, events, card).await?;
            if is_unknown { Err(StoreError::Unknown("on purpose".to_owned())) } else { Ok(rewritten) }
        })
    }

    fn erase_remains(&self) -> StoreFuture<'_, bool> {
        if self.keeps_traces.load(Ordering::Relaxed) {
            return Box::pin(async { Err(StoreError::Busy("on purpose".to_owned())) });
        }
        self.remains_erased.fetch_add(1, Ordering::Relaxed);
        Box::pin(async move {
            self.delayed(Delayed::ErasingRemains).await;
            self.inner.erase_remains().await
        })
    }

    fn stale(&self, before: Millis, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Page> {
        Box::pin(async move {
            let stale = self.inner.stale(before, after, limit).await;
            self.interruption(Read::Stale).await;
            stale
        })
    }

    handed_on! {
        create(new: NewMatch) -> StoreFuture<'_, (), AppendError>;
        set_deadline(id: MatchId, head: u32, deadline: Option<Millis>) -> StoreFuture<'_, ()>;
        head(id: MatchId) -> StoreFuture<'_, Option<Head>>;
        heads(ids: Vec<MatchId>) -> StoreFuture<'_, Vec<(MatchId, Head)>>;
        due(now: Millis, limit: u32) -> StoreFuture<'_, Vec<Due>>;
        next_deadline() -> StoreFuture<'_, Option<Millis>>;
        unfinished_created_by(guest: PlayerId) -> StoreFuture<'_, u32>;
        unfinished_with_computer(guest: PlayerId) -> StoreFuture<'_, u32>;
        unfinished_against_itself() -> StoreFuture<'_, u32>;
        unfinished() -> StoreFuture<'_, Unfinished>;
        row(id: MatchId) -> StoreFuture<'_, Option<MatchRow>>;
        add_guest(guest: Guest, session: NewSession) -> StoreFuture<'_, ()>;
        guest(id: PlayerId) -> StoreFuture<'_, Option<Guest>>;
        rename_guest(id: PlayerId, name: String) -> StoreFuture<'_, bool>;
        add_device_code(code: DeviceCode, by: SessionId) -> StoreFuture<'_, bool>;
        spend_device_code(code: SecretHash, session: NewSession, now: Millis) -> StoreFuture<'_, Option<Guest>>;
        sessions(guest: PlayerId) -> StoreFuture<'_, Vec<Session>>;
        revoke_session(guest: PlayerId, id: SessionId, by: SessionId) -> StoreFuture<'_, bool>;
        revoke_other_sessions(guest: PlayerId, kept: SessionId) -> StoreFuture<'_, u64>;
        note_seen(seen: Vec<(SessionId, Millis)>) -> StoreFuture<'_, ()>;
        open_account(new: NewAccount) -> StoreFuture<'_, AccountOpening>;
        account(guest: PlayerId) -> StoreFuture<'_, Option<Account>>;
        account_by_skeleton(skeleton: String) -> StoreFuture<'_, Option<Account>>;
        sign_in(guest: PlayerId, password: PasswordHash, session: NewSession, now: Millis) -> StoreFuture<'_, Option<Guest>>;
        recover(guest: PlayerId, code: SecretHash, password: PasswordHash, session: NewSession, now: Millis) -> StoreFuture<'_, Option<Guest>>;
        change_password(proof: Proof, password: PasswordHash, revoking: Revoking) -> StoreFuture<'_, bool>;
        remove_password(proof: Proof) -> StoreFuture<'_, PasswordRemoval>;
        declare_bot(guest: PlayerId, by: SessionId) -> StoreFuture<'_, BotDeclaration>;
        add_api_token(proof: Proof, new: NewApiToken) -> StoreFuture<'_, ApiTokenAddition>;
        revoke_api_token(guest: PlayerId, id: ApiTokenId) -> StoreFuture<'_, bool>;
        note_used(used: Vec<(ApiTokenId, Millis)>) -> StoreFuture<'_, ()>;
        api_tokens(guest: PlayerId) -> StoreFuture<'_, Vec<ApiToken>>;
        api_bearer(token: SecretHash) -> StoreFuture<'_, Option<ApiBearer>>;
        replace_recovery_codes(proof: Proof, codes: Vec<SecretHash>) -> StoreFuture<'_, bool>;
        accounts(which: AccountFilter, limit: u32) -> StoreFuture<'_, Vec<Account>>;
        add_recovery_code(guest: PlayerId, code: SecretHash) -> StoreFuture<'_, bool>;
        remove_account(guest: PlayerId) -> StoreFuture<'_, Option<u64>>;
        sign_ups(now: Millis) -> StoreFuture<'_, SignUps>;
        set_sign_ups(policy: SignUpPolicy) -> StoreFuture<'_, ()>;
        add_sign_up_codes(codes: Vec<SecretHash>, expires_at: Millis) -> StoreFuture<'_, ()>;
        invited_to(code: SecretHash, now: Millis) -> StoreFuture<'_, Option<MatchId>>;
        set_invitation(id: MatchId, invitation: Option<Invitation>) -> StoreFuture<'_, bool>;
        used_key(guest: PlayerId, key: String) -> StoreFuture<'_, Option<UsedKey>>;
        keep_analysis(id: MatchId, analysis: KeptAnalysis) -> StoreFuture<'_, bool>;
        beat(node: NodeId, now: Millis) -> StoreFuture<'_, Beat>;
        leave(node: NodeId, now: Millis) -> StoreFuture<'_, ()>;
        server_key(purpose: KeyPurpose, made: SecretKey) -> StoreFuture<'_, SecretKey>;
        note_bus(node: NodeId, is_connected: bool) -> StoreFuture<'_, ()>;
        nodes() -> StoreFuture<'_, SeenNodes>;
        keep_page(hash: String, files: Vec<PageFile>) -> StoreFuture<'_, ()>;
        pages() -> StoreFuture<'_, Vec<String>>;
        page(hash: String) -> StoreFuture<'_, Vec<PageFile>>;
        lease(id: MatchId, seq: u32, node: NodeId, for_ms: Millis) -> StoreFuture<'_, bool>;
        outages(since: Millis) -> StoreFuture<'_, Vec<Outage>>;
        sweep(now: Millis) -> StoreFuture<'_, ()>;
        is_shared() -> bool;
        lost_commits() -> u64;
        is_full() -> bool;
        guests_named(name: String, limit: u32) -> StoreFuture<'_, Vec<Guest>>;
        set_blocked(id: PlayerId, since: Option<Millis>) -> StoreFuture<'_, bool>;
        forget_guest(id: PlayerId) -> StoreFuture<'_, bool>;
        matches_of(guest: PlayerId, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Vec<MatchId>>;
        forget_match(id: MatchId, head: u32) -> StoreFuture<'_, bool>;
        statistics(since: Vec<Millis>) -> StoreFuture<'_, Statistics>;
        close() -> BoxFuture<'_, ()>;
    }
}
