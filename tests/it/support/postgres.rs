//! PostgreSQL under virtual time.
//!
//! A paused clock jumps ahead whenever all tasks wait, and would while they wait for the database. As long as a
//! blocking task runs it stands still. So every call runs on one, in a runtime that knows only real time, and
//! takes no virtual time, as those of the memory store. The database tells the time of the test.

use std::{
    ops::RangeInclusive,
    sync::{Arc, LazyLock},
    thread,
};

use futures_util::future::BoxFuture;
use lusoria_dice::Secret;
use lusoria_play::{
    BySeat, ChallengeSettings, ConditionalTurns, FlagId, MatchId, Millis, PlayerId, Recorded, RemarkId,
    ReportId, SanctionId, SeekId, TalkRoom,
};
use lusoria_rules::Game;
use lusoria_services::postgres::Database;
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
    SignUpPolicy, SignUps, Statistics, Store, StoreFuture, StoredRating, TalkSettings, Talker, Talks,
    TurnLosses, Unfinished, UsedKey, Version, WaitingSeek,
    postgres::{PostgresOptions, PostgresStore},
};
use tokio::{runtime::Runtime, task::spawn_blocking};

/// Where the database is waited for.
static REAL_TIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("threads"));

/// Waits for the database, on a thread that may be one of a runtime.
fn wait_for<T: Send>(answer: impl Future<Output = T> + Send) -> T {
    thread::scope(|scope| scope.spawn(|| REAL_TIME.block_on(answer)).join().expect("it does not panic"))
}

/// The time that a database tells.
pub(crate) enum Clock {
    /// The machine's.
    Machine,
    /// That of the only node.
    Node,
    /// That of the test.
    Test(Box<dyn Fn() -> Millis + Send + Sync>),
}

/// A database with its clock. It is deleted with this.
pub(crate) struct Home {
    database: Database,
    clock: Clock,
}

impl Home {
    pub(crate) fn new(clock: Clock) -> Self {
        let database = match clock {
            Clock::Machine => Database::new(),
            Clock::Node | Clock::Test(_) => Database::with_own_time(),
        };
        Self { database: database.expect("PostgreSQL"), clock }
    }

    pub(crate) fn begin_new_history(&self) {
        wait_for(PostgresStore::begin_new_history(&self.database.url())).expect("it takes writes");
    }

    /// Sets the time of the database, when it is `now` for a node.
    fn set_time(&self, now: Millis) {
        let now = match &self.clock {
            Clock::Machine => return,
            Clock::Node => now,
            Clock::Test(clock) => clock(),
        };
        self.database.set_time(now).expect("room");
    }
}

/// The store in such a database.
pub(crate) struct DatabaseStore {
    store: Arc<PostgresStore>,
    home: Arc<Home>,
}

impl DatabaseStore {
    pub(crate) fn open(home: Arc<Home>) -> Self {
        let options = PostgresOptions { writers: 2, readers: 4, ..PostgresOptions::default() };
        let store = wait_for(PostgresStore::open(&home.database.url(), options)).expect("an empty database");
        Self { store: Arc::new(store), home }
    }

    /// Runs a call of the store, which takes no virtual time.
    fn at_once<T: Send + 'static, Does: Future<Output = T>>(
        &self,
        what: impl FnOnce(Arc<PostgresStore>) -> Does + Send + 'static,
    ) -> BoxFuture<'static, T> {
        let store = Arc::clone(&self.store);
        Box::pin(async {
            spawn_blocking(|| REAL_TIME.block_on(what(store))).await.expect("the store does not panic")
        })
    }
}

/// Methods that take no virtual time.
macro_rules! at_once {
    ($($name:ident($($argument:ident: $of:ty),*) -> $answer:ty;)*) => {
        $(fn $name(&self, $($argument: $of),*) -> $answer {
            self.at_once(async move |store| store.$name($($argument),*).await)
        })*
    };
}

/// Methods that depend on the time: it is `now` for the node.
macro_rules! at_once_at {
    ($($name:ident($node:ident: $of:ty) -> $answer:ty;)*) => {
        $(fn $name(&self, $node: $of, now: Millis) -> $answer {
            let answer = self.at_once(async move |store| store.$name($node, now).await);
            Box::pin(async move {
                self.home.set_time(now);
                answer.await
            })
        })*
    };
}

impl Opponents for DatabaseStore {
    at_once! {
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

impl Passkeys for DatabaseStore {
    at_once! {
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

impl Departures for DatabaseStore {
    at_once! {
        begin_adoption(new: NewAdoption) -> StoreFuture<'_, AdoptionBeginning>;
        begin_erasure(guest: PlayerId, by: ErasureBy, at: Millis) -> StoreFuture<'_, ErasureBeginning>;
        departures() -> StoreFuture<'_, Vec<Departure>>;
        hand_over(id: MatchId, of: Version, adoption: Departure, events: Vec<Recorded>, card: Card) -> StoreFuture<'_, HandingOver>;
        end_departure(departure: Departure) -> StoreFuture<'_, bool>;
    }
}

impl Conditionals for DatabaseStore {
    at_once! {
        set_conditional_turns(id: MatchId, guest: PlayerId, turns: ConditionalTurns) -> StoreFuture<'_, bool>;
        conditional_turns(id: MatchId, guest: PlayerId) -> StoreFuture<'_, Option<ConditionalTurns>>;
        conditional_turns_of(guest: PlayerId) -> StoreFuture<'_, Vec<(MatchId, ConditionalTurns)>>;
        conditional_matches(since: Millis, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Vec<MatchId>>;
    }
}

impl Preferences for DatabaseStore {
    at_once! {
        preferences(guest: PlayerId) -> StoreFuture<'_, PreferenceValues>;
        change_preferences(guest: PlayerId, by: SessionId, changes: PreferenceChanges) -> StoreFuture<'_, PreferenceChange>;
    }
}

impl GameCounts for DatabaseStore {
    at_once! {
        counting_round(definitions: u32) -> StoreFuture<'_, Option<CountingRound>>;
        count_again(definitions: u32) -> StoreFuture<'_, Option<CountingRound>>;
        uncounted(round: CountingRound, limit: u32) -> StoreFuture<'_, Vec<MatchId>>;
        count_match(round: CountingRound, id: MatchId, game: Game, counts: Vec<CountRow>) -> StoreFuture<'_, bool>;
        game_counts(game: Game) -> StoreFuture<'_, GameCountRows>;
    }
}

impl Pushes for DatabaseStore {
    at_once! {
        put_push_subscription(new: PushSubscription) -> StoreFuture<'_, Option<PushSubscription>>;
        push_subscriptions(guest: PlayerId) -> StoreFuture<'_, Vec<PushSubscription>>;
        push_targets(guest: PlayerId, now: Millis) -> StoreFuture<'_, Vec<PushSubscription>>;
        remove_push_subscription(guest: PlayerId, id: PushSubscriptionId) -> StoreFuture<'_, bool>;
    }
}

impl Talks for DatabaseStore {
    at_once! {
        add_remark(new: NewRemark) -> StoreFuture<'_, RemarkAdding>;
        remarks(of: MatchId, room: TalkRoom, limit: u32) -> StoreFuture<'_, Vec<Remark>>;
        remarks_by(guest: PlayerId, after: Option<RemarkId>, limit: u32) -> StoreFuture<'_, Vec<Remark>>;
        talkers(guests: Vec<PlayerId>) -> StoreFuture<'_, Vec<Talker>>;
        set_talk_settings(guest: PlayerId, settings: TalkSettings) -> StoreFuture<'_, bool>;
    }
}

impl FairPlay for DatabaseStore {
    at_once! {
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

impl Moderation for DatabaseStore {
    at_once! {
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

impl Ratings for DatabaseStore {
    at_once! {
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

impl Store for DatabaseStore {
    fn is_shared(&self) -> bool {
        self.store.is_shared()
    }

    fn lost_commits(&self) -> u64 {
        self.store.lost_commits()
    }

    fn is_full(&self) -> bool {
        self.store.is_full()
    }

    at_once_at! {
        join(node: NewNode) -> StoreFuture<'_, Beat, JoinError>;
        beat(node: NodeId) -> StoreFuture<'_, Beat>;
        leave(node: NodeId) -> StoreFuture<'_, ()>;
    }

    at_once! {
        create(new: NewMatch) -> StoreFuture<'_, (), AppendError>;
        append(append: Append) -> StoreFuture<'_, (), AppendError>;
        set_deadline(id: MatchId, head: u32, deadline: Option<Millis>) -> StoreFuture<'_, ()>;
        head(id: MatchId) -> StoreFuture<'_, Option<Head>>;
        heads(ids: Vec<MatchId>) -> StoreFuture<'_, Vec<(MatchId, Head)>>;
        settle(id: MatchId) -> StoreFuture<'_, Option<Head>>;
        events(id: MatchId, since: u32, limit: u32) -> StoreFuture<'_, Journal>;
        secret(id: MatchId) -> StoreFuture<'_, Option<Secret>>;
        due(now: Millis, limit: u32) -> StoreFuture<'_, Vec<Due>>;
        next_deadline() -> StoreFuture<'_, Option<Millis>>;
        list(filter: MatchFilter, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Page>;
        unfinished_created_by(guest: PlayerId) -> StoreFuture<'_, u32>;
        unfinished_with_computer(guest: PlayerId) -> StoreFuture<'_, u32>;
        unfinished_against_itself() -> StoreFuture<'_, u32>;
        unfinished() -> StoreFuture<'_, Unfinished>;
        row(id: MatchId) -> StoreFuture<'_, Option<MatchRow>>;
        add_guest(guest: Guest, session: NewSession) -> StoreFuture<'_, ()>;
        bearer(token: SecretHash) -> StoreFuture<'_, Option<Bearer>>;
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
        analysis(id: MatchId) -> StoreFuture<'_, Option<KeptAnalysis>>;
        guests_named(name: String, limit: u32) -> StoreFuture<'_, Vec<Guest>>;
        set_blocked(id: PlayerId, since: Option<Millis>) -> StoreFuture<'_, bool>;
        forget_guest(id: PlayerId) -> StoreFuture<'_, bool>;
        matches_of(guest: PlayerId, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Vec<MatchId>>;
        rewrite(id: MatchId, of: Version, events: Vec<Recorded>, card: Card) -> StoreFuture<'_, bool>;
        erase_remains() -> StoreFuture<'_, bool>;
        stale(before: Millis, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Page>;
        forget_match(id: MatchId, head: u32) -> StoreFuture<'_, bool>;
        statistics(since: Vec<Millis>) -> StoreFuture<'_, Statistics>;
        server_key(purpose: KeyPurpose, made: SecretKey) -> StoreFuture<'_, SecretKey>;
        note_bus(node: NodeId, is_connected: bool) -> StoreFuture<'_, ()>;
        nodes() -> StoreFuture<'_, SeenNodes>;
        keep_page(hash: String, files: Vec<PageFile>) -> StoreFuture<'_, ()>;
        pages() -> StoreFuture<'_, Vec<String>>;
        page(hash: String) -> StoreFuture<'_, Vec<PageFile>>;
        lease(id: MatchId, seq: u32, node: NodeId, for_ms: Millis) -> StoreFuture<'_, bool>;
        outages(since: Millis) -> StoreFuture<'_, Vec<Outage>>;
        sweep(now: Millis) -> StoreFuture<'_, ()>;
        close() -> BoxFuture<'_, ()>;
    }
}
