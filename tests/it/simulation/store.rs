//! A store that does what the weather makes it do, and tells the world what it has
//! committed at the moment when it does.

use std::{ops::RangeInclusive, sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use lusoria_dice::Secret;
use lusoria_play::{
    BySeat, ChallengeSettings, ConditionalTurns, FlagId, MatchId, Millis, PlayerId, Recorded, RemarkId,
    ReportId, SanctionId, SeekId, TalkRoom,
};
use lusoria_rules::Game;
use lusoria_store::{
    Account, AccountFilter, AccountOpening, AdoptionBeginning, Answers, ApiBearer, ApiToken,
    ApiTokenAddition, ApiTokenId, Append, AppendError, Bearer, Beat, Blocking, BotDeclaration, Card,
    Challenge, ChallengeAdding, ChallengeEnd, ChallengeEnding, Conditionals, CountRow, CountingRound,
    CurvePoint, Departure, Departures, DeviceCode, Due, EngineFlag, ErasureBeginning, ErasureBy, FairPlay,
    Following, GameCountRows, GameCounts, Guest, HandingOver, Head, Invitation, JoinError, Journal,
    KeptAnalysis, KeyPurpose, KeyUse, LeaderboardRow, LogRow, LossSum, MatchFilter, MatchRow, Moderated,
    Moderating, Moderation, NamedChallenge, NearLosses, NewAccount, NewAdoption, NewApiToken, NewFlag,
    NewMatch, NewNode, NewRemark, NewReport, NewSession, NodeId, Opponents, Outage, Page, Passkey,
    PasskeyAddition, PasskeyId, PasskeyRemoval, PasskeyUse, Passkeys, PasswordHash, PasswordRemoval,
    PreferenceChange, PreferenceChanges, PreferenceValues, Preferences, Proof, PushSubscription,
    PushSubscriptionId, Pushes, RatingKey, RatingMark, RatingTables, Ratings, RatingsBefore, Remark,
    RemarkAdding, Report, ReportAdding, Revoking, Sanction, SecretHash, SecretKey, Seek, SeekAdding,
    SeekWithdrawal, Session, SessionId, SignUpPolicy, SignUps, Statistics, Store, StoreError, StoreFuture,
    StoredRating, TalkSettings, Talker, Talks, TurnLosses, Unfinished, UsedKey, Version, WaitingSeek,
    memory::MemoryStore,
};

use super::{asked::Question, node::Gate, seekers, weather::Write, world::Shared};
use crate::support::store::handed_on;

/// How often what waits looks whether the weather has cleared up, in milliseconds.
const LOOKS_EVERY_MS: u64 = 100;

/// The store of a simulated server; what it holds outlives the server.
pub(super) struct FaultyStore {
    inner: Arc<MemoryStore>,
    world: Shared,
    node: usize,
    gate: Arc<Gate>,
}

impl FaultyStore {
    pub(super) fn new(inner: &Arc<MemoryStore>, world: &Shared, node: usize, gate: &Arc<Gate>) -> Arc<Self> {
        Arc::new(Self { inner: Arc::clone(inner), world: Shared::clone(world), node, gate: Arc::clone(gate) })
    }

    /// Waits as long as the process stands still and the weather demands, or until it clears up. For ever if the
    /// process has been killed.
    async fn weather(&self) {
        self.gate.pass().await;
        self.blow().await;
        self.gate.pass().await;
    }

    /// The same before a write. False if the process has been killed while it was on its way and it has
    /// arrived all the same.
    async fn weather_before_write(&self) -> bool {
        self.gate.pass().await;
        self.blow().await;
        let goes_on = self.gate.goes_on().await;
        if !goes_on && self.world.lock().random.permille(500) {
            std::future::pending::<()>().await;
        }
        goes_on
    }

    async fn blow(&self) {
        let mut left_ms = {
            let mut world = self.world.lock();
            let (now, weather) = (world.now(), world.nodes[self.node].weather);
            let still_ms = weather.still_until(now).map_or(0, |until| until - now);
            still_ms + weather.delay_ms(now, &mut world.random)
        };
        while left_ms > 0 {
            let step_ms = left_ms.min(LOOKS_EVERY_MS);
            tokio::time::sleep(Duration::from_millis(step_ms)).await;
            let world = self.world.lock();
            let fair = world.nodes[self.node].weather.fair_since(world.now()).is_some();
            left_ms = if fair { 0 } else { left_ms - step_ms };
        }
    }

    async fn read<T>(&self, what: &'static str, reading: StoreFuture<'_, T>) -> Result<T, StoreError> {
        self.weather().await;
        let fails = {
            let mut world = self.world.lock();
            let (now, weather) = (world.now(), world.nodes[self.node].weather);
            let fails = weather.read_fails(now, &mut world.random);
            if fails {
                world.note(format_args!("store: {what} fails"));
            }
            fails
        };
        if fails {
            return Err(StoreError::Busy("foul weather".to_owned()));
        }
        let read = reading.await;
        self.weather().await;
        read
    }

    fn fate(&self, what: &str) -> Write {
        let mut world = self.world.lock();
        let (now, weather) = (world.now(), world.nodes[self.node].weather);
        let fate = weather.write(now, &mut world.random);
        if fate != Write::Made {
            world.note(format_args!("store: {what}: {fate:?}"));
        }
        fate
    }

    async fn write<T>(&self, what: &'static str, writing: StoreFuture<'_, T>) -> Result<T, StoreError> {
        let lives = self.weather_before_write().await;
        let unknown = Err(StoreError::Unknown("foul weather".to_owned()));
        let written = match if lives { self.fate(what) } else { Write::Made } {
            Write::Made => writing.await,
            Write::Busy => Err(StoreError::Busy("foul weather".to_owned())),
            Write::Full => Err(StoreError::Full("foul weather".to_owned())),
            Write::MadeUnknown => match writing.await {
                Ok(_) => unknown,
                Err(error) => Err(error),
            },
            Write::LostUnknown => unknown,
        };
        self.weather().await;
        written
    }

    async fn commit<'a>(
        &'a self,
        what: &'static str,
        writing: StoreFuture<'a, (), AppendError>,
        committed: Vec<(MatchId, Vec<Recorded>)>,
        key: Option<KeyUse>,
        card: Option<(MatchId, Card)>,
    ) -> Result<(), AppendError> {
        let lives = self.weather_before_write().await;
        let fate = if lives { self.fate(what) } else { Write::Made };
        let unknown = || AppendError::Unknown("foul weather".to_owned());
        let refused = match fate {
            Write::Made | Write::MadeUnknown => None,
            Write::Busy => Some(StoreError::Busy("foul weather".to_owned()).into()),
            Write::Full => Some(StoreError::Full("foul weather".to_owned()).into()),
            Write::LostUnknown => {
                let last = |(id, events): &(MatchId, Vec<Recorded>)| Some((*id, events.last()?.seq));
                self.world.lock().lost.extend(committed.iter().filter_map(last));
                Some(unknown())
            }
        };
        let written = match refused {
            Some(refusal) => Err(refusal),
            None => writing.await,
        };
        if written.is_ok() {
            let mut world = self.world.lock();
            for (id, events) in committed {
                world.committed(id, events);
            }
            if let Some((id, card)) = card {
                world.carded(id, &card);
            }
            if let Some(KeyUse { guest, key, .. }) = key {
                world.carried_out(&Question::Key(guest, key));
            }
        }
        self.weather().await;
        if written.is_ok() && fate == Write::MadeUnknown { Err(unknown()) } else { written }
    }
}

/// Methods of the store that read or write, as far as the weather lets them.
macro_rules! weathered {
    ($way:ident: $($name:ident($($argument:ident: $of:ty),*) -> $answer:ty;)*) => {
        $(fn $name(&self, $($argument: $of),*) -> StoreFuture<'_, $answer> {
            Box::pin(self.$way(stringify!($name), self.inner.$name($($argument),*)))
        })*
    };
}

impl Opponents for FaultyStore {
    weathered! {
        read:
        seeks_of(guest: PlayerId, now: Millis) -> Vec<Seek>;
        waiting_seeks(now: Millis) -> Vec<WaitingSeek>;
        answered_seeks(since: Millis) -> Vec<Seek>;
        blocked_by(guest: PlayerId) -> Vec<Guest>;
        blocks_around(guest: PlayerId) -> Vec<PlayerId>;
        challenges_of(guest: PlayerId, now: Millis) -> Vec<NamedChallenge>;
        challenge(id: MatchId, now: Millis) -> Option<NamedChallenge>;
        ended_challenges(since: Millis) -> Vec<NamedChallenge>;
        live_challengers(now: Millis) -> Vec<PlayerId>;
        challenge_settings(guest: PlayerId) -> ChallengeSettings;
        followed_by(guest: PlayerId) -> Vec<Guest>;
    }

    weathered! {
        write:
        add_seek(seek: Seek) -> SeekAdding;
        prolong_seeks(guests: Vec<PlayerId>, now: Millis, until: Millis) -> ();
        withdraw_seek(guest: PlayerId, id: SeekId, now: Millis) -> SeekWithdrawal;
        add_block(guest: PlayerId, blocked: PlayerId, at: Millis) -> Blocking;
        remove_block(guest: PlayerId, blocked: PlayerId) -> bool;
        add_challenge(challenge: Challenge) -> ChallengeAdding;
        prolong_challenges(challengers: Vec<PlayerId>, now: Millis, until: Millis) -> ();
        end_challenge(id: MatchId, by: PlayerId, end: ChallengeEnd, now: Millis) -> ChallengeEnding;
        set_challenge_settings(guest: PlayerId, settings: ChallengeSettings) -> bool;
        add_follow(guest: PlayerId, followed: PlayerId, at: Millis) -> Following;
        remove_follow(guest: PlayerId, followed: PlayerId) -> bool;
    }
}

impl Passkeys for FaultyStore {
    weathered! {
        read:
        passkeys(guest: PlayerId) -> Vec<Passkey>;
        passkey(credential: Vec<u8>) -> Option<Passkey>;
    }

    weathered! {
        write:
        spend_challenge(hash: SecretHash, expires_at: Millis) -> bool;
        add_passkey(proof: Proof, new: Passkey) -> PasskeyAddition;
        rename_passkey(guest: PlayerId, id: PasskeyId, name: String) -> bool;
        remove_passkey(proof: Proof, id: PasskeyId) -> PasskeyRemoval;
        use_passkey(used: PasskeyUse) -> bool;
        sign_in_with_passkey(used: PasskeyUse, session: NewSession) -> Option<Guest>;
    }
}

impl Departures for FaultyStore {
    weathered! {
        read:
        departures() -> Vec<Departure>;
    }

    weathered! {
        write:
        begin_adoption(new: NewAdoption) -> AdoptionBeginning;
        begin_erasure(guest: PlayerId, by: ErasureBy, at: Millis) -> ErasureBeginning;
        end_departure(departure: Departure) -> bool;
    }

    fn hand_over(
        &self,
        id: MatchId,
        of: Version,
        adoption: Departure,
        events: Vec<Recorded>,
        card: Card,
    ) -> StoreFuture<'_, HandingOver> {
        let handed_over = async move {
            let handed_over = self.inner.hand_over(id, of, adoption, events.clone(), card).await?;
            if handed_over == HandingOver::HandedOver {
                self.world.lock().rewritten(id, events);
            }
            Ok(handed_over)
        };
        Box::pin(self.write("hand_over", Box::pin(handed_over)))
    }
}

/// Read without weather: nobody lays down turns in these runs, and what every node looks for each minute would only take
/// the chance of all else.
impl Conditionals for FaultyStore {
    weathered! {
        write:
        set_conditional_turns(id: MatchId, guest: PlayerId, turns: ConditionalTurns) -> bool;
    }

    fn conditional_turns(&self, id: MatchId, guest: PlayerId) -> StoreFuture<'_, Option<ConditionalTurns>> {
        self.inner.conditional_turns(id, guest)
    }

    fn conditional_turns_of(&self, guest: PlayerId) -> StoreFuture<'_, Vec<(MatchId, ConditionalTurns)>> {
        self.inner.conditional_turns_of(guest)
    }

    fn conditional_matches(
        &self,
        since: Millis,
        after: Option<MatchId>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<MatchId>> {
        self.inner.conditional_matches(since, after, limit)
    }
}

impl Preferences for FaultyStore {
    weathered! {
        read:
        preferences(guest: PlayerId) -> PreferenceValues;
    }

    weathered! {
        write:
        change_preferences(guest: PlayerId, by: SessionId, changes: PreferenceChanges) -> PreferenceChange;
    }
}

/// Without weather: nothing counts in these runs.
impl GameCounts for FaultyStore {
    handed_on! {
        counting_round(definitions: u32) -> StoreFuture<'_, Option<CountingRound>>;
        count_again(definitions: u32) -> StoreFuture<'_, Option<CountingRound>>;
        uncounted(round: CountingRound, limit: u32) -> StoreFuture<'_, Vec<MatchId>>;
        count_match(round: CountingRound, id: MatchId, game: Game, counts: Vec<CountRow>) -> StoreFuture<'_, bool>;
        game_counts(game: Game) -> StoreFuture<'_, GameCountRows>;
    }
}

impl Pushes for FaultyStore {
    weathered! {
        read:
        push_subscriptions(guest: PlayerId) -> Vec<PushSubscription>;
        push_targets(guest: PlayerId, now: Millis) -> Vec<PushSubscription>;
    }

    weathered! {
        write:
        put_push_subscription(new: PushSubscription) -> Option<PushSubscription>;
        remove_push_subscription(guest: PlayerId, id: PushSubscriptionId) -> bool;
    }
}

impl Talks for FaultyStore {
    weathered! {
        read:
        remarks(of: MatchId, room: TalkRoom, limit: u32) -> Vec<Remark>;
        remarks_by(guest: PlayerId, after: Option<RemarkId>, limit: u32) -> Vec<Remark>;
        talkers(guests: Vec<PlayerId>) -> Vec<Talker>;
    }

    weathered! {
        write:
        add_remark(new: NewRemark) -> RemarkAdding;
        set_talk_settings(guest: PlayerId, settings: TalkSettings) -> bool;
    }
}

/// Without weather: nothing is checked in these runs.
impl FairPlay for FaultyStore {
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

impl Moderation for FaultyStore {
    weathered! {
        read:
        reports(only_open: bool, limit: u32) -> Vec<Report>;
        report(id: ReportId) -> Option<Report>;
        reports_by(guest: PlayerId, limit: u32) -> Vec<Report>;
        moderation_log(guest: Option<PlayerId>, limit: u32) -> Vec<LogRow>;
        sanctions(guest: PlayerId) -> Vec<Sanction>;
        leavings(guest: PlayerId, since: Millis) -> Vec<(MatchId, Millis)>;
    }

    weathered! {
        write:
        add_report(new: NewReport) -> ReportAdding;
        moderate(moderated: Moderated) -> Moderating;
        note_warnings_read(guest: PlayerId, upto: SanctionId, at: Millis) -> u64;
        note_leaving(of: MatchId, guest: PlayerId, at: Millis) -> ();
    }
}

impl Ratings for FaultyStore {
    weathered! {
        read:
        ratings_before(players: BySeat<PlayerId>, key: RatingKey, at: Millis) -> RatingsBefore;
        ratings_of(players: Vec<PlayerId>) -> Vec<(PlayerId, RatingKey, StoredRating)>;
        rating_changes(player: PlayerId, key: RatingKey, after: u32, limit: u32) -> Vec<CurvePoint>;
        leaderboard(key: RatingKey, bots: bool, since: Millis, limit: u32) -> Vec<LeaderboardRow>;
        rated_matches(game: Game, after: Option<MatchId>, limit: u32) -> Vec<MatchId>;
        rating_mark(key: RatingKey) -> RatingMark;
        rating_tables(key: RatingKey) -> RatingTables;
        stale_ratings() -> Vec<RatingKey>;
    }

    weathered! {
        write:
        replace_ratings(key: RatingKey, seen: RatingMark, new: RatingTables) -> bool;
    }
}

impl Store for FaultyStore {
    fn create(&self, new: NewMatch) -> StoreFuture<'_, (), AppendError> {
        let (committed, key) = (vec![(new.id, new.events.clone())], new.key.clone());
        if let Some(Answers::Seeks(seeks)) = new.answers {
            let creating = Box::pin(seekers::pair(&self.world, &self.inner, seeks, new));
            return Box::pin(
                async move { self.write("pair", Box::pin(async { Ok(creating.await) })).await? },
            );
        }
        Box::pin(self.commit("create", self.inner.create(new), committed, key, None))
    }

    fn append(&self, append: Append) -> StoreFuture<'_, (), AppendError> {
        let mut committed = vec![(append.id, append.events.to_vec())];
        committed.extend(append.create.as_ref().map(|next| (next.id, next.events.clone())));
        let (key, card) = (append.key.clone(), Some((append.id, append.card.clone())));
        Box::pin(self.commit("append", self.inner.append(append), committed, key, card))
    }

    fn join(&self, node: NewNode, now: Millis) -> StoreFuture<'_, Beat, JoinError> {
        let id = node.id;
        let joined = async move {
            let beat = match self.inner.join(node, now).await {
                Ok(beat) => beat,
                Err(JoinError::Store(error)) => return Err(error),
                Err(taken) => return Ok(Err(taken)),
            };
            let mut world = self.world.lock();
            if self.inner.is_shared() {
                world.ledger.noted(id, beat.time, true);
            } else {
                world.ledger.begun(beat.time);
            }
            Ok(Ok(beat))
        };
        Box::pin(async move { self.write("join", Box::pin(joined)).await? })
    }

    fn rewrite(&self, id: MatchId, of: Version, events: Vec<Recorded>, card: Card) -> StoreFuture<'_, bool> {
        let rewritten = async move {
            let rewritten = self.inner.rewrite(id, of, events.clone(), card).await?;
            if rewritten {
                self.world.lock().rewritten(id, events);
            }
            Ok(rewritten)
        };
        Box::pin(self.write("rewrite", Box::pin(rewritten)))
    }

    fn beat(&self, node: NodeId, now: Millis) -> StoreFuture<'_, Beat> {
        let beaten = async move {
            let beat = self.inner.beat(node, now).await?;
            let mut world = self.world.lock();
            if self.inner.is_shared() {
                if beat.nodes.iter().any(|other| other.id == node) {
                    world.ledger.noted(node, beat.time, false);
                }
            } else {
                world.ledger.alive = beat.time;
            }
            Ok(beat)
        };
        Box::pin(self.write("beat", Box::pin(beaten)))
    }

    fn leave(&self, node: NodeId, now: Millis) -> StoreFuture<'_, ()> {
        let left = async move {
            self.inner.leave(node, now).await?;
            let mut world = self.world.lock();
            if self.inner.is_shared() {
                let now = world.server_time();
                world.ledger.left(node, now);
            } else {
                world.ledger.alive = now;
            }
            Ok(())
        };
        Box::pin(self.write("leave", Box::pin(left)))
    }

    /// The file stays: another server will open it.
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }

    handed_on! {
        is_shared() -> bool;
        lost_commits() -> u64;
        is_full() -> bool;
    }

    weathered! {
        read:
        head(id: MatchId) -> Option<Head>;
        heads(ids: Vec<MatchId>) -> Vec<(MatchId, Head)>;
        events(id: MatchId, since: u32, limit: u32) -> Journal;
        secret(id: MatchId) -> Option<Secret>;
        due(now: Millis, limit: u32) -> Vec<Due>;
        next_deadline() -> Option<Millis>;
        list(filter: MatchFilter, after: Option<MatchId>, limit: u32) -> Page;
        unfinished_created_by(guest: PlayerId) -> u32;
        unfinished_with_computer(guest: PlayerId) -> u32;
        unfinished_against_itself() -> u32;
        unfinished() -> Unfinished;
        row(id: MatchId) -> Option<MatchRow>;
        bearer(token: SecretHash) -> Option<Bearer>;
        guest(id: PlayerId) -> Option<Guest>;
        account(guest: PlayerId) -> Option<Account>;
        account_by_skeleton(skeleton: String) -> Option<Account>;
        accounts(which: AccountFilter, limit: u32) -> Vec<Account>;
        sign_ups(now: Millis) -> SignUps;
        api_tokens(guest: PlayerId) -> Vec<ApiToken>;
        api_bearer(token: SecretHash) -> Option<ApiBearer>;
        sessions(guest: PlayerId) -> Vec<Session>;
        invited_to(code: SecretHash, now: Millis) -> Option<MatchId>;
        used_key(guest: PlayerId, key: String) -> Option<UsedKey>;
        analysis(id: MatchId) -> Option<KeptAnalysis>;
        guests_named(name: String, limit: u32) -> Vec<Guest>;
        matches_of(guest: PlayerId, after: Option<MatchId>, limit: u32) -> Vec<MatchId>;
        stale(before: Millis, after: Option<MatchId>, limit: u32) -> Page;
        statistics(since: Vec<Millis>) -> Statistics;
        settle(id: MatchId) -> Option<Head>;
        outages(since: Millis) -> Vec<Outage>;
    }

    weathered! {
        write:
        set_deadline(id: MatchId, head: u32, deadline: Option<Millis>) -> ();
        add_guest(guest: Guest, session: NewSession) -> ();
        open_account(new: NewAccount) -> AccountOpening;
        sign_in(guest: PlayerId, password: PasswordHash, session: NewSession, now: Millis) -> Option<Guest>;
        recover(guest: PlayerId, code: SecretHash, password: PasswordHash, session: NewSession, now: Millis) -> Option<Guest>;
        change_password(proof: Proof, password: PasswordHash, revoking: Revoking) -> bool;
        remove_password(proof: Proof) -> PasswordRemoval;
        declare_bot(guest: PlayerId, by: SessionId) -> BotDeclaration;
        add_api_token(proof: Proof, new: NewApiToken) -> ApiTokenAddition;
        revoke_api_token(guest: PlayerId, id: ApiTokenId) -> bool;
        note_used(used: Vec<(ApiTokenId, Millis)>) -> ();
        replace_recovery_codes(proof: Proof, codes: Vec<SecretHash>) -> bool;
        add_recovery_code(guest: PlayerId, code: SecretHash) -> bool;
        remove_account(guest: PlayerId) -> Option<u64>;
        set_sign_ups(policy: SignUpPolicy) -> ();
        add_sign_up_codes(codes: Vec<SecretHash>, expires_at: Millis) -> ();
        rename_guest(id: PlayerId, name: String) -> bool;
        add_device_code(code: DeviceCode, by: SessionId) -> bool;
        spend_device_code(code: SecretHash, session: NewSession, now: Millis) -> Option<Guest>;
        revoke_session(guest: PlayerId, id: SessionId, by: SessionId) -> bool;
        revoke_other_sessions(guest: PlayerId, kept: SessionId) -> u64;
        note_seen(seen: Vec<(SessionId, Millis)>) -> ();
        set_invitation(id: MatchId, invitation: Option<Invitation>) -> bool;
        keep_analysis(id: MatchId, analysis: KeptAnalysis) -> bool;
        set_blocked(id: PlayerId, since: Option<Millis>) -> bool;
        forget_guest(id: PlayerId) -> bool;
        lease(id: MatchId, seq: u32, node: NodeId, for_ms: Millis) -> bool;
        erase_remains() -> bool;
        forget_match(id: MatchId, head: u32) -> bool;
        server_key(purpose: KeyPurpose, made: SecretKey) -> SecretKey;
        sweep(now: Millis) -> ();
    }
}
