//! Both stores are a [`crate::db::Db`] with something around it.

use std::ops::RangeInclusive;

use futures_util::future::BoxFuture;
use lusoria_dice::Secret;
use lusoria_play::{
    BySeat, ChallengeSettings, ConditionalTurns, FlagId, MatchId, Millis, PlayerId, Recorded, RemarkId,
    ReportId, SanctionId, SeekId, TalkRoom,
};
use lusoria_rules::Game;

use crate::{
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
    memory::MemoryStore,
    postgres::{self, PostgresStore},
    sqlite::{SqliteStore, packing},
};

/// Methods of a store that its `db` carries out.
macro_rules! forwarded {
    ($($name:ident($($argument:ident: $of:ty),* $(,)?) -> $answer:ty;)*) => {
        $(fn $name(&self, $($argument: $of),*) -> StoreFuture<'_, $answer> {
            Box::pin(self.db.$name($($argument),*))
        })*
    };
}

/// A store around a `db`, with what it does itself.
macro_rules! store {
    ($store:ty { $($special:tt)* }) => {
        impl Store for $store {
            $($special)*

            fn create(&self, new: NewMatch) -> StoreFuture<'_, (), AppendError> {
                Box::pin(self.db.create(new))
            }

            fn append(&self, append: Append) -> StoreFuture<'_, (), AppendError> {
                Box::pin(self.db.append(append))
            }

            fn join(&self, node: NewNode, now: Millis) -> StoreFuture<'_, Beat, JoinError> {
                Box::pin(self.db.join(node, now))
            }

            fn close(&self) -> BoxFuture<'_, ()> {
                Box::pin(self.close_all())
            }

            forwarded! {
                beat(node: NodeId, now: Millis) -> Beat;
                leave(node: NodeId, now: Millis) -> ();
                settle(id: MatchId) -> Option<Head>;
                events(id: MatchId, since: u32, limit: u32) -> Journal;
                note_seen(seen: Vec<(SessionId, Millis)>) -> ();
                note_used(used: Vec<(ApiTokenId, Millis)>) -> ();
                set_deadline(id: MatchId, head: u32, deadline: Option<Millis>) -> ();
                head(id: MatchId) -> Option<Head>;
                heads(ids: Vec<MatchId>) -> Vec<(MatchId, Head)>;
                secret(id: MatchId) -> Option<Secret>;
                due(now: Millis, limit: u32) -> Vec<Due>;
                next_deadline() -> Option<Millis>;
                list(filter: MatchFilter, after: Option<MatchId>, limit: u32) -> Page;
                unfinished_created_by(guest: PlayerId) -> u32;
                unfinished_with_computer(guest: PlayerId) -> u32;
                unfinished_against_itself() -> u32;
                unfinished() -> Unfinished;
                row(id: MatchId) -> Option<MatchRow>;
                add_guest(guest: Guest, session: NewSession) -> ();
                bearer(token: SecretHash) -> Option<Bearer>;
                guest(id: PlayerId) -> Option<Guest>;
                rename_guest(id: PlayerId, name: String) -> bool;
                add_device_code(code: DeviceCode, by: SessionId) -> bool;
                spend_device_code(code: SecretHash, session: NewSession, now: Millis) -> Option<Guest>;
                sessions(guest: PlayerId) -> Vec<Session>;
                revoke_session(guest: PlayerId, id: SessionId, by: SessionId) -> bool;
                revoke_other_sessions(guest: PlayerId, kept: SessionId) -> u64;
                open_account(new: NewAccount) -> AccountOpening;
                account(guest: PlayerId) -> Option<Account>;
                account_by_skeleton(skeleton: String) -> Option<Account>;
                sign_in(guest: PlayerId, password: PasswordHash, session: NewSession, now: Millis) -> Option<Guest>;
                recover(guest: PlayerId, code: SecretHash, password: PasswordHash, session: NewSession, now: Millis) -> Option<Guest>;
                change_password(proof: Proof, password: PasswordHash, revoking: Revoking) -> bool;
                remove_password(proof: Proof) -> PasswordRemoval;
                replace_recovery_codes(proof: Proof, codes: Vec<SecretHash>) -> bool;
                declare_bot(guest: PlayerId, by: SessionId) -> BotDeclaration;
                add_api_token(proof: Proof, new: NewApiToken) -> ApiTokenAddition;
                api_tokens(guest: PlayerId) -> Vec<ApiToken>;
                api_bearer(token: SecretHash) -> Option<ApiBearer>;
                revoke_api_token(guest: PlayerId, id: ApiTokenId) -> bool;
                accounts(which: AccountFilter, limit: u32) -> Vec<Account>;
                add_recovery_code(guest: PlayerId, code: SecretHash) -> bool;
                remove_account(guest: PlayerId) -> Option<u64>;
                sign_ups(now: Millis) -> SignUps;
                set_sign_ups(policy: SignUpPolicy) -> ();
                add_sign_up_codes(codes: Vec<SecretHash>, expires_at: Millis) -> ();
                invited_to(code: SecretHash, now: Millis) -> Option<MatchId>;
                set_invitation(id: MatchId, invitation: Option<Invitation>) -> bool;
                used_key(guest: PlayerId, key: String) -> Option<UsedKey>;
                keep_analysis(id: MatchId, analysis: KeptAnalysis) -> bool;
                analysis(id: MatchId) -> Option<KeptAnalysis>;
                guests_named(name: String, limit: u32) -> Vec<Guest>;
                set_blocked(id: PlayerId, since: Option<Millis>) -> bool;
                forget_guest(id: PlayerId) -> bool;
                matches_of(guest: PlayerId, after: Option<MatchId>, limit: u32) -> Vec<MatchId>;
                rewrite(id: MatchId, of: Version, events: Vec<Recorded>, card: Card) -> bool;
                stale(before: Millis, after: Option<MatchId>, limit: u32) -> Page;
                forget_match(id: MatchId, head: u32) -> bool;
                statistics(since: Vec<Millis>) -> Statistics;
                server_key(purpose: KeyPurpose, made: SecretKey) -> SecretKey;
                outages(since: Millis) -> Vec<Outage>;
            }
        }

        impl Conditionals for $store {
            forwarded! {
                set_conditional_turns(id: MatchId, guest: PlayerId, turns: ConditionalTurns) -> bool;
                conditional_turns(id: MatchId, guest: PlayerId) -> Option<ConditionalTurns>;
                conditional_turns_of(guest: PlayerId) -> Vec<(MatchId, ConditionalTurns)>;
                conditional_matches(since: Millis, after: Option<MatchId>, limit: u32) -> Vec<MatchId>;
            }
        }

        impl Departures for $store {
            forwarded! {
                begin_adoption(new: NewAdoption) -> AdoptionBeginning;
                begin_erasure(guest: PlayerId, by: ErasureBy, at: Millis) -> ErasureBeginning;
                departures() -> Vec<Departure>;
                hand_over(id: MatchId, of: Version, adoption: Departure, events: Vec<Recorded>, card: Card) -> HandingOver;
                end_departure(departure: Departure) -> bool;
            }
        }

        impl FairPlay for $store {
            forwarded! {
                matches_to_check(since: Millis, limit: u32) -> Vec<MatchId>;
                keep_turn_losses(losses: Vec<TurnLosses>) -> ();
                turn_losses(player: PlayerId, key: RatingKey, ended: RangeInclusive<Millis>, limit: u32) -> Vec<TurnLosses>;
                losses_near(near: NearLosses) -> LossSum;
                flagged_at(player: PlayerId, key: RatingKey) -> Option<Millis>;
                raise_flag(new: NewFlag) -> bool;
                flags(only_open: bool, limit: u32) -> Vec<EngineFlag>;
                flag(id: FlagId) -> Option<EngineFlag>;
            }
        }

        impl GameCounts for $store {
            forwarded! {
                counting_round(definitions: u32) -> Option<CountingRound>;
                count_again(definitions: u32) -> Option<CountingRound>;
                uncounted(round: CountingRound, limit: u32) -> Vec<MatchId>;
                count_match(round: CountingRound, id: MatchId, game: Game, counts: Vec<CountRow>) -> bool;
                game_counts(game: Game) -> GameCountRows;
            }
        }

        impl Moderation for $store {
            forwarded! {
                add_report(new: NewReport) -> ReportAdding;
                reports(only_open: bool, limit: u32) -> Vec<Report>;
                report(id: ReportId) -> Option<Report>;
                reports_by(guest: PlayerId, limit: u32) -> Vec<Report>;
                moderate(moderated: Moderated) -> Moderating;
                moderation_log(guest: Option<PlayerId>, limit: u32) -> Vec<LogRow>;
                sanctions(guest: PlayerId) -> Vec<Sanction>;
                note_warnings_read(guest: PlayerId, upto: SanctionId, at: Millis) -> u64;
                note_leaving(of: MatchId, guest: PlayerId, at: Millis) -> ();
                leavings(guest: PlayerId, since: Millis) -> Vec<(MatchId, Millis)>;
            }
        }

        impl Opponents for $store {
            forwarded! {
                add_seek(seek: Seek) -> SeekAdding;
                seeks_of(guest: PlayerId, now: Millis) -> Vec<Seek>;
                waiting_seeks(now: Millis) -> Vec<WaitingSeek>;
                answered_seeks(since: Millis) -> Vec<Seek>;
                prolong_seeks(guests: Vec<PlayerId>, now: Millis, until: Millis) -> ();
                withdraw_seek(guest: PlayerId, id: SeekId, now: Millis) -> SeekWithdrawal;
                add_block(guest: PlayerId, blocked: PlayerId, at: Millis) -> Blocking;
                remove_block(guest: PlayerId, blocked: PlayerId) -> bool;
                blocked_by(guest: PlayerId) -> Vec<Guest>;
                blocks_around(guest: PlayerId) -> Vec<PlayerId>;
                add_challenge(challenge: Challenge) -> ChallengeAdding;
                challenges_of(guest: PlayerId, now: Millis) -> Vec<NamedChallenge>;
                challenge(id: MatchId, now: Millis) -> Option<NamedChallenge>;
                ended_challenges(since: Millis) -> Vec<NamedChallenge>;
                live_challengers(now: Millis) -> Vec<PlayerId>;
                prolong_challenges(challengers: Vec<PlayerId>, now: Millis, until: Millis) -> ();
                end_challenge(id: MatchId, by: PlayerId, end: ChallengeEnd, now: Millis) -> ChallengeEnding;
                challenge_settings(guest: PlayerId) -> ChallengeSettings;
                set_challenge_settings(guest: PlayerId, settings: ChallengeSettings) -> bool;
                add_follow(guest: PlayerId, followed: PlayerId, at: Millis) -> Following;
                remove_follow(guest: PlayerId, followed: PlayerId) -> bool;
                followed_by(guest: PlayerId) -> Vec<Guest>;
            }
        }

        impl Passkeys for $store {
            forwarded! {
                spend_challenge(hash: SecretHash, expires_at: Millis) -> bool;
                add_passkey(proof: Proof, new: Passkey) -> PasskeyAddition;
                passkeys(guest: PlayerId) -> Vec<Passkey>;
                passkey(credential: Vec<u8>) -> Option<Passkey>;
                rename_passkey(guest: PlayerId, id: PasskeyId, name: String) -> bool;
                remove_passkey(proof: Proof, id: PasskeyId) -> PasskeyRemoval;
                use_passkey(used: PasskeyUse) -> bool;
                sign_in_with_passkey(used: PasskeyUse, session: NewSession) -> Option<Guest>;
            }
        }

        impl Preferences for $store {
            forwarded! {
                preferences(guest: PlayerId) -> PreferenceValues;
                change_preferences(guest: PlayerId, by: SessionId, changes: PreferenceChanges) -> PreferenceChange;
            }
        }

        impl Pushes for $store {
            forwarded! {
                put_push_subscription(new: PushSubscription) -> Option<PushSubscription>;
                push_subscriptions(guest: PlayerId) -> Vec<PushSubscription>;
                push_targets(guest: PlayerId, now: Millis) -> Vec<PushSubscription>;
                remove_push_subscription(guest: PlayerId, id: PushSubscriptionId) -> bool;
            }
        }

        impl Ratings for $store {
            forwarded! {
                ratings_before(players: BySeat<PlayerId>, key: RatingKey, at: Millis) -> RatingsBefore;
                ratings_of(players: Vec<PlayerId>) -> Vec<(PlayerId, RatingKey, StoredRating)>;
                rating_changes(player: PlayerId, key: RatingKey, after: u32, limit: u32) -> Vec<CurvePoint>;
                leaderboard(key: RatingKey, bots: bool, since: Millis, limit: u32) -> Vec<LeaderboardRow>;
                rated_matches(game: Game, after: Option<MatchId>, limit: u32) -> Vec<MatchId>;
                rating_mark(key: RatingKey) -> RatingMark;
                rating_tables(key: RatingKey) -> RatingTables;
                replace_ratings(key: RatingKey, seen: RatingMark, new: RatingTables) -> bool;
                stale_ratings() -> Vec<RatingKey>;
            }
        }

        impl Talks for $store {
            forwarded! {
                add_remark(new: NewRemark) -> RemarkAdding;
                remarks(of: MatchId, room: TalkRoom, limit: u32) -> Vec<Remark>;
                remarks_by(guest: PlayerId, after: Option<RemarkId>, limit: u32) -> Vec<Remark>;
                talkers(guests: Vec<PlayerId>) -> Vec<Talker>;
                set_talk_settings(guest: PlayerId, settings: TalkSettings) -> bool;
            }
        }
    };
}

store! {
    SqliteStore {
        fn is_shared(&self) -> bool {
            false
        }

        fn lost_commits(&self) -> u64 {
            self.lost_commits()
        }

        fn is_loss_unknown(&self) -> bool {
            self.is_loss_unknown
        }

        fn is_full(&self) -> bool {
            self.is_full()
        }

        fn erase_remains(&self) -> StoreFuture<'_, bool> {
            Box::pin(self.truncate_wal())
        }

        /// No other node does it.
        fn lease(&self, _: MatchId, _: u32, _: NodeId, _: Millis) -> StoreFuture<'_, bool> {
            Box::pin(async { Ok(true) })
        }

        fn sweep(&self, now: Millis) -> StoreFuture<'_, ()> {
            Box::pin(async move {
                self.db.sweep(now).await?;
                packing::pack_settled(&self.db, now, self.pack_after).await
            })
        }
    }
}

store! {
    PostgresStore {
        fn is_shared(&self) -> bool {
            true
        }

        /// What the database has acknowledged it keeps, or it begins another history.
        fn lost_commits(&self) -> u64 {
            0
        }

        fn is_full(&self) -> bool {
            self.is_full()
        }

        fn erase_remains(&self) -> StoreFuture<'_, bool> {
            Box::pin(postgres::erase_remains(&self.target))
        }

        forwarded! {
            note_bus(node: NodeId, is_connected: bool) -> ();
            nodes() -> SeenNodes;
            keep_page(hash: String, files: Vec<PageFile>) -> ();
            pages() -> Vec<String>;
            page(hash: String) -> Vec<PageFile>;
            lease(id: MatchId, seq: u32, node: NodeId, for_ms: Millis) -> bool;
            sweep(now: Millis) -> ();
        }
    }
}

store! {
    MemoryStore {
        fn is_shared(&self) -> bool {
            self.is_shared
        }

        fn lost_commits(&self) -> u64 {
            0
        }

        fn is_full(&self) -> bool {
            false
        }

        fn erase_remains(&self) -> StoreFuture<'_, bool> {
            Box::pin(async { Ok(true) })
        }

        fn lease(&self, id: MatchId, seq: u32, node: NodeId, for_ms: Millis) -> StoreFuture<'_, bool> {
            if self.is_shared {
                Box::pin(self.db.lease(id, seq, node, for_ms))
            } else {
                Box::pin(async { Ok(true) })
            }
        }

        forwarded! {
            sweep(now: Millis) -> ();
        }
    }
}
