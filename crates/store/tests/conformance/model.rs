//! Whatever is asked of them, in whatever order, all stores answer the same.

use std::sync::Arc;

use lusoria_play::{Admission, Clock, Event, Seat};
use lusoria_rules::Game;
use lusoria_services::postgres::Database;
use lusoria_store::sqlite::check;
use lusoria_store::{
    AccountFilter, Answers, ApiTokenId, Append, AppendError, Beat, DeviceCode, JoinError, MatchFilter,
    MatchState, NewAccount, NewApiToken, NewMatch, PasswordHash, Played, Proof, Revoking, SecretHash, Seek,
    Shown, SignUpPolicy, Statistics, Store, StoreError, Version,
};
use proptest::prelude::*;
use uuid::Uuid;

use super::{
    analyses::analysis,
    append, card,
    departures::{self, DepartureOp},
    events, guest, hash, invitation, key, match_id, new_match, node, node_id,
    passkeys::{self, PasskeyOp},
    player,
    preferences::{self, PreferenceOp},
    pushes::{self, PushOp},
    seeks, session, session_id, version,
};

/// Few matches, guests and codes, so that operations meet.
const FEW: u32 = 4;
const FEW_CODES: u8 = 4;

#[derive(Debug, Clone)]
enum Op {
    Create {
        n: u32,
        state: MatchState,
        listed: bool,
        key: Option<u32>,
        invitation: Option<u8>,
        deadline: Option<u64>,
    },
    Append {
        n: u32,
        head: u32,
        count: u32,
        at: u64,
        state: MatchState,
        key: Option<u32>,
        spends: Option<u8>,
        rematch: Option<u32>,
    },
    SetDeadline {
        n: u32,
        head: u32,
        deadline: Option<u64>,
    },
    AddGuest {
        n: u32,
        token: u8,
    },
    Rename {
        n: u32,
    },
    SetBlocked {
        n: u32,
        since: Option<u64>,
    },
    Revoke {
        n: u32,
        session: u8,
        by: u8,
    },
    RevokeOthers {
        n: u32,
        kept: u8,
    },
    NoteSeen {
        session: u8,
        at: u64,
    },
    AddCode {
        n: u32,
        code: u8,
        by: u8,
        expires_at: u64,
    },
    SpendCode {
        code: u8,
        token: u8,
        now: u64,
    },
    SetInvitation {
        n: u32,
        invitation: Option<u8>,
    },
    OpenAccount {
        n: u32,
        by: u8,
        skeleton: u32,
        code: Option<u8>,
        passkey: Option<u8>,
    },
    SetSignUps {
        policy: u8,
    },
    AddSignUpCode {
        code: u8,
        expires_at: u64,
    },
    AddRecoveryCode {
        n: u32,
        code: u8,
    },
    RemoveAccount {
        n: u32,
    },
    SignIn {
        n: u32,
        password: u8,
        token: u8,
        now: u64,
    },
    Recover {
        n: u32,
        of: u32,
        token: u8,
    },
    ChangePassword {
        n: u32,
        by: u8,
        from: u8,
        to: u8,
        revoking: Revoking,
    },
    DeclareBot {
        n: u32,
        by: u8,
    },
    AddApiToken {
        n: u32,
        by: u8,
        token: u8,
        at: u64,
        expires_at: u64,
    },
    RevokeApiToken {
        n: u32,
        token: u8,
    },
    Passkey(PasskeyOp),
    Prefer(PreferenceOp),
    Push(PushOp),
    NoteUsed {
        token: u8,
        at: u64,
    },
    AddSeek {
        n: u32,
        of: u32,
        is_by_days: bool,
        expires_at: u64,
    },
    WithdrawSeek {
        n: u32,
        of: u32,
    },
    Answer {
        n: u32,
        seeks: [u32; 2],
        is_by_days: bool,
    },
    Block {
        n: u32,
        blocked: u32,
        is_taken_back: bool,
    },
    KeepAnalysis {
        n: u32,
        engine: u32,
    },
    Join {
        now: u64,
    },
    Beat {
        now: u64,
    },
    Leave {
        now: u64,
    },
    Sweep {
        now: u64,
    },
    /// Late enough that all finished matches are packed.
    SweepMuchLater,
    Rewrite {
        n: u32,
        seq: u32,
    },
    Departure(DepartureOp),
    ForgetMatch {
        n: u32,
    },
}

fn state() -> impl Strategy<Value = MatchState> {
    prop::sample::select(vec![MatchState::Open, MatchState::Live, MatchState::Finished])
}

fn op() -> impl Strategy<Value = Op> {
    let n = || 0..FEW;
    let code = || 0..FEW_CODES;
    let time = || 0..10_u64;
    let key = || prop::option::weighted(0.3, 0..FEW);
    prop_oneof![
        3 => (n(), state(), any::<bool>(), key(), prop::option::of(code()), prop::option::of(time())).prop_map(
            |(n, state, listed, key, invitation, deadline)| Op::Create { n, state, listed, key, invitation, deadline }
        ),
        8 => (n(), 0..4_u32, 1..11_u32, time(), state(), key(), prop::option::weighted(0.2, code()), prop::option::weighted(0.2, n()))
            .prop_map(|(n, head, count, at, state, key, spends, rematch)| Op::Append {
                n, head, count, at, state, key, spends, rematch,
            }),
        1 => (n(), 0..4_u32, prop::option::of(time())).prop_map(|(n, head, deadline)| Op::SetDeadline { n, head, deadline }),
        2 => (n(), code()).prop_map(|(n, token)| Op::AddGuest { n, token }),
        1 => n().prop_map(|n| Op::Rename { n }),
        1 => (n(), prop::option::of(time())).prop_map(|(n, since)| Op::SetBlocked { n, since }),
        1 => (n(), code(), code()).prop_map(|(n, session, by)| Op::Revoke { n, session, by }),
        1 => (n(), code()).prop_map(|(n, kept)| Op::RevokeOthers { n, kept }),
        1 => (code(), 0..3_000_u64).prop_map(|(session, at)| Op::NoteSeen { session, at }),
        3 => (n(), code(), code(), time())
            .prop_map(|(n, code, by, expires_at)| Op::AddCode { n, code, by, expires_at }),
        2 => (code(), code(), time()).prop_map(|(code, token, now)| Op::SpendCode { code, token, now }),
        2 => (n(), prop::option::of(code())).prop_map(|(n, invitation)| Op::SetInvitation { n, invitation }),
        3 => (n(), code(), n(), prop::option::of(code()), prop::option::of(code()))
            .prop_map(|(n, by, skeleton, code, passkey)| Op::OpenAccount { n, by, skeleton, code, passkey }),
        1 => (0..3_u8).prop_map(|policy| Op::SetSignUps { policy }),
        1 => (code(), time()).prop_map(|(code, expires_at)| Op::AddSignUpCode { code, expires_at }),
        1 => (n(), code()).prop_map(|(n, code)| Op::AddRecoveryCode { n, code }),
        1 => n().prop_map(|n| Op::RemoveAccount { n }),
        2 => (n(), 0..2_u8, code(), time()).prop_map(|(n, password, token, now)| Op::SignIn { n, password, token, now }),
        1 => (n(), n(), code()).prop_map(|(n, of, token)| Op::Recover { n, of, token }),
        1 => (n(), code(), 0..2_u8, 0..2_u8, any::<(bool, bool)>())
            .prop_map(|(n, by, from, to, (api_tokens, passkeys))| Op::ChangePassword { n, by, from, to, revoking: Revoking { api_tokens, passkeys } }),
        1 => (n(), code()).prop_map(|(n, by)| Op::DeclareBot { n, by }),
        3 => (n(), code(), code(), time(), time())
            .prop_map(|(n, by, token, at, expires_at)| Op::AddApiToken { n, by, token, at, expires_at }),
        1 => (n(), code()).prop_map(|(n, token)| Op::RevokeApiToken { n, token }),
        6 => passkeys::op(FEW, FEW_CODES).prop_map(Op::Passkey),
        3 => preferences::op(FEW, FEW_CODES).prop_map(Op::Prefer),
        5 => pushes::op(FEW, FEW_CODES).prop_map(Op::Push),
        1 => (code(), time()).prop_map(|(token, at)| Op::NoteUsed { token, at }),
        4 => (n(), n(), any::<bool>(), time())
            .prop_map(|(n, of, is_by_days, expires_at)| Op::AddSeek { n, of, is_by_days, expires_at }),
        1 => (n(), n()).prop_map(|(n, of)| Op::WithdrawSeek { n, of }),
        3 => (n(), n(), n(), any::<bool>())
            .prop_map(|(n, one, other, is_by_days)| Op::Answer { n, seeks: [one, other], is_by_days }),
        1 => (n(), n(), any::<bool>())
            .prop_map(|(n, blocked, is_taken_back)| Op::Block { n, blocked, is_taken_back }),
        2 => (n(), n()).prop_map(|(n, engine)| Op::KeepAnalysis { n, engine }),
        1 => time().prop_map(|now| Op::Join { now }),
        1 => time().prop_map(|now| Op::Beat { now }),
        1 => time().prop_map(|now| Op::Leave { now }),
        1 => (0..5_u64).prop_map(|now| Op::Sweep { now }),
        2 => Just(Op::SweepMuchLater),
        1 => (n(), 1..12_u32).prop_map(|(n, seq)| Op::Rewrite { n, seq }),
        4 => departures::op(FEW, FEW_CODES).prop_map(Op::Departure),
        1 => n().prop_map(|n| Op::ForgetMatch { n }),
    ]
}

pub(super) fn password(n: u8) -> PasswordHash {
    PasswordHash(format!("password {n}"))
}

/// Of guest `n`.
fn recovery_code(n: u32) -> SecretHash {
    hash(100 + u8::try_from(n).expect("few"))
}

fn new_account(n: u32, by: u8, skeleton: u32, code: Option<u8>) -> NewAccount {
    NewAccount {
        guest: player(n),
        by: session_id(by),
        handle: format!("Handle{skeleton}"),
        skeleton: format!("handle{skeleton}"),
        default_name: format!("guest {n}"),
        password: Some(password(0)),
        passkey: None,
        recovery_codes: vec![recovery_code(n)],
        sign_up_code: code.map(hash),
        created_at: 5,
    }
}

/// An answer in words; the texts of failures differ between stores.
pub(super) fn words<T: std::fmt::Debug, E: Into<AppendError>>(answer: Result<T, E>) -> String {
    match answer.map_err(Into::into) {
        Ok(answer) => format!("{answer:?}"),
        Err(AppendError::Store(StoreError::Failed(_))) => "failed".to_owned(),
        Err(error) => format!("{error:?}"),
    }
}

/// Each store has its own.
fn of_any_history(beat: Beat) -> Beat {
    Beat { history: Uuid::nil(), ..beat }
}

fn of_join(error: JoinError) -> StoreError {
    match error {
        JoinError::Store(error) => error,
        JoinError::NameTaken(name) => panic!("{name} runs alone"),
    }
}

#[expect(clippy::too_many_lines, reason = "an arm for each operation")]
async fn apply(store: &Arc<Store>, op: Op) -> String {
    match op {
        Op::Create { n, state, listed, key: of, invitation: code, deadline } => {
            let mut new = new_match(n);
            (new.card, new.deadline) = (card(state), deadline);
            if !listed {
                new.card.terms.admission = Admission::Invitation;
            }
            (new.key, new.invitation) = (of.map(|of| key(of, "key")), code.map(invitation));
            words(store.create(new).await)
        }
        Op::Append { n, head, count, at, state, key: used, spends, rematch } => {
            // The version it has, or now and then another.
            let known = store.head(match_id(n)).await.expect("read").map_or(version(0), |head| head.version);
            let of = match head {
                0 => Version { head: known.head + 1, ..known },
                1 => Version { edition: known.edition + 1, ..known },
                _ => known,
            };
            let mut turn = Append { of, ..append(n, of.head) };
            (turn.events, turn.card, turn.deadline) =
                (events(of.head, count, at).into(), card(state), Some(at + 1));
            turn.card.waits_for = None;
            if let Some(row) = store.row(match_id(n)).await.expect("read") {
                // Seat 1 stays what it was.
                turn.card.players.0 = row.card.players.0;
            }
            (turn.key, turn.spends) = (used.map(|of| key(of, "key")), spends.map(hash));
            turn.create = rematch.map(|rematch| Box::new(new_match(rematch)));
            words(store.append(turn).await)
        }
        Op::SetDeadline { n, head, deadline } => words(store.set_deadline(match_id(n), head, deadline).await),
        Op::AddGuest { n, token } => words(store.add_guest(guest(n), session(token)).await),
        Op::Rename { n } => words(store.rename_guest(player(n), "another".to_owned()).await),
        Op::SetBlocked { n, since } => words(store.set_blocked(player(n), since).await),
        Op::Revoke { n, session, by } => {
            words(store.revoke_session(player(n), session_id(session), session_id(by)).await)
        }
        Op::RevokeOthers { n, kept } => words(store.revoke_other_sessions(player(n), session_id(kept)).await),
        Op::NoteSeen { session, at } => words(store.note_seen(vec![(session_id(session), at)]).await),
        Op::AddCode { n, code, by, expires_at } => {
            let code = DeviceCode { hash: hash(code), guest: player(n), expires_at };
            words(store.add_device_code(code, session_id(by)).await)
        }
        Op::SpendCode { code, token, now } => {
            words(store.spend_device_code(hash(code), session(token), now).await)
        }
        Op::SetInvitation { n, invitation: code } => {
            words(store.set_invitation(match_id(n), code.map(invitation)).await)
        }
        Op::SetSignUps { policy } => {
            let policies = [SignUpPolicy::Open, SignUpPolicy::InviteOnly, SignUpPolicy::Closed];
            words(store.set_sign_ups(policies[usize::from(policy)]).await)
        }
        Op::AddSignUpCode { code, expires_at } => {
            words(store.add_sign_up_codes(vec![hash(code)], expires_at).await)
        }
        Op::AddRecoveryCode { n, code } => words(store.add_recovery_code(player(n), hash(code)).await),
        Op::RemoveAccount { n } => words(store.remove_account(player(n)).await),
        Op::OpenAccount { n, by, skeleton, code, passkey } => {
            let mut new = new_account(n, by, skeleton, code);
            if let Some(key) = passkey {
                new.passkey = Some(passkeys::new(store, n, key).await);
                // Without a password, now and then.
                new.password = new.password.filter(|_| key % 2 == 0);
            }
            words(store.open_account(new).await)
        }
        Op::SignIn { n, password: of, token, now } => {
            words(store.sign_in(player(n), password(of), session(token), now).await)
        }
        Op::Recover { n, of, token } => {
            words(store.recover(player(n), recovery_code(of), password(1), session(token), 7).await)
        }
        Op::ChangePassword { n, by, from, to, revoking } => {
            let proof =
                Proof { guest: player(n), by: session_id(by), shown: Shown::Password(password(from)) };
            words(store.change_password(proof, password(to), revoking).await)
        }
        Op::DeclareBot { n, by } => words(store.declare_bot(player(n), session_id(by)).await),
        Op::AddApiToken { n, by, token, at, expires_at } => {
            let proof = Proof { guest: player(n), by: session_id(by), shown: Shown::Password(password(0)) };
            let new = NewApiToken {
                id: ApiTokenId(session_id(token).0),
                hash: hash(token),
                name: format!("token of {n}"),
                scopes: "match:read".to_owned(),
                created_at: at,
                expires_at,
            };
            words(store.add_api_token(proof, new).await)
        }
        Op::RevokeApiToken { n, token } => {
            words(store.revoke_api_token(player(n), ApiTokenId(session_id(token).0)).await)
        }
        Op::Passkey(op) => passkeys::apply(store, op).await,
        Op::Prefer(op) => preferences::apply(store, op).await,
        Op::Push(op) => pushes::apply(store, op).await,
        Op::NoteUsed { token, at } => {
            words(store.note_used(vec![(ApiTokenId(session_id(token).0), at)]).await)
        }
        Op::AddSeek { n, of, is_by_days, expires_at } => {
            let seek = if is_by_days { seeks::by_days(n, of) } else { seeks::seek(n, of) };
            let seek = Seek { created_at: 2, expires_at: 500 + 400 * expires_at, ..seek };
            // An id is never given twice.
            let is_there = |store: &Arc<Store>| {
                let store = Arc::clone(store);
                async move {
                    for of in 0..FEW {
                        let theirs = store.seeks_of(player(of), 0).await.expect("read");
                        if theirs.iter().any(|other| other.id == seeks::seek_id(n)) {
                            return true;
                        }
                    }
                    false
                }
            };
            if is_there(store).await { String::new() } else { words(store.add_seek(seek).await) }
        }
        Op::WithdrawSeek { n, of } => words(store.withdraw_seek(player(of), seeks::seek_id(n), 5).await),
        Op::Answer { n, seeks, is_by_days } => {
            let mut new =
                NewMatch { answers: Some(Answers::Seeks(seeks.map(seeks::seek_id))), ..new_match(n) };
            if is_by_days {
                new.card.terms.clock = Clock::Days { days: 2 };
            }
            words(store.create(new).await)
        }
        Op::Block { n, blocked, is_taken_back: false } => {
            words(store.add_block(player(n), player(blocked), 3).await)
        }
        Op::Block { n, blocked, is_taken_back: true } => {
            words(store.remove_block(player(n), player(blocked)).await)
        }
        Op::KeepAnalysis { n, engine } => words(store.keep_analysis(match_id(n), analysis(engine)).await),
        Op::Join { now } => words(store.join(node(1), now).await.map(of_any_history).map_err(of_join)),
        Op::Beat { now } => words(store.beat(node_id(1), now).await.map(of_any_history)),
        Op::Leave { now } => words(store.leave(node_id(1), now).await),
        Op::Sweep { now } => words(store.sweep(now).await),
        Op::SweepMuchLater => words(store.sweep(10_000_000).await),
        Op::Rewrite { n, seq } => {
            let Some(row) = store.row(match_id(n)).await.expect("read") else { return String::new() };
            let journal = store.events(match_id(n), seq.min(row.head) - 1, 1).await.expect("read");
            let (of, mut events) = (Version { head: row.head, edition: journal.edition }, journal.events);
            events[0].event = Event::DrawDeclined { seat: Seat::Two };
            let mut card = row.card;
            if let Some(player) = &mut card.players.0 {
                "Erased".clone_into(&mut player.name);
            }
            words(store.rewrite(match_id(n), of, events, card).await)
        }
        Op::Departure(op) => departures::apply(store, op).await,
        Op::ForgetMatch { n } => {
            let head = store.head(match_id(n)).await.expect("read").map_or(0, |head| head.version.head);
            words(store.forget_match(match_id(n), head).await)
        }
    }
}

/// Everything that can be read.
async fn contents(store: &Arc<Store>) -> Vec<String> {
    let mut all = vec![
        words(store.next_deadline().await),
        words(store.due(5, 100).await),
        words(store.outages(0).await),
        words(store.stale(8, None, 10).await),
        words(store.waiting_seeks(1_500).await),
        words(store.answered_seeks(900).await.map(|found| found.len())),
        words(store.statistics(vec![0, 5]).await.map(|found| Statistics { bytes: 0, ..found })),
    ];
    all.push(words(store.departures().await));
    for n in 0..FEW {
        all.push(words(store.row(match_id(n)).await));
        all.push(words(store.head(match_id(n)).await));
        all.push(words(store.events(match_id(n), 0, 1_000).await));
        all.push(words(store.events(match_id(n), 7, 5).await));
        all.push(words(store.matches_of(player(n), None, 10).await));
        all.push(words(store.secret(match_id(n)).await.map(|secret| secret.map(|secret| *secret.reveal()))));
        all.push(words(store.guest(player(n)).await));
        all.push(words(store.account(player(n)).await));
        all.push(words(store.account_by_skeleton(format!("handle{n}")).await));
        all.push(words(store.unfinished_created_by(player(n)).await));
        all.push(words(store.unfinished_with_computer(player(n)).await));
        all.push(words(store.unfinished_against_itself().await));
        all.push(words(store.unfinished().await));
        all.push(words(store.analysis(match_id(n)).await));
        all.push(words(store.sessions(player(n)).await));
        all.push(words(store.seeks_of(player(n), 0).await));
        all.push(words(store.followed_by(player(n)).await));
        all.push(words(store.blocked_by(player(n)).await));
        all.push(words(store.api_tokens(player(n)).await));
        all.push(words(store.passkeys(player(n)).await));
        all.push(preferences::contents(store, n).await);
        all.extend(pushes::contents(store, n).await);
        all.push(words(store.used_key(player(n), "key".to_owned()).await));
        all.push(words(store.list(MatchFilter::Of { player: player(n), state: None }, None, 3).await));
        for (opponent, viewer) in [(None, None), (Some(player(1)), None), (None, Some(player(2)))] {
            let played = Played { player: player(n), opponent, game: None, viewer, from: None, until: None };
            all.push(words(store.list(MatchFilter::Played(played), None, 3).await));
        }
    }
    all.push(words(store.sign_ups(2).await));
    all.push(words(store.accounts(AccountFilter::Since(0), 10).await));
    all.push(words(store.accounts(AccountFilter::Starting("ha".to_owned()), 2).await));
    for code in 0..FEW_CODES {
        all.push(words(store.bearer(hash(code)).await));
        all.push(words(store.api_bearer(hash(code)).await));
        all.push(words(store.invited_to(hash(code), 0).await));
    }
    for state in [MatchState::Open, MatchState::Live, MatchState::Finished] {
        for game in [None, Some(Game::Tavla), Some(Game::Zeno)] {
            all.push(words(store.list(MatchFilter::Listed { state, game }, None, 3).await));
        }
        all.push(words(store.list(MatchFilter::Of { player: player(1), state: Some(state) }, None, 3).await));
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_stores_answer_the_same(ops in prop::collection::vec(op(), 1..60)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("test.db");
            let memory: Arc<Store> = Arc::new(Store::in_memory());
            let mut sqlite = super::open(&path).await;
            let half = ops.len() / 2;
            for (n, op) in ops.into_iter().enumerate() {
                let said = apply(&memory, op.clone()).await;
                prop_assert_eq!(said, apply(&sqlite, op.clone()).await, "{}: {:?}", n, op);
                if n == half {
                    sqlite.close().await;
                    sqlite = super::open(&path).await;
                    // Which node runs is not in the file.
                    let join = Op::Join { now: 20 };
                    prop_assert_eq!(apply(&memory, join.clone()).await, apply(&sqlite, join).await);
                }
            }
            prop_assert_eq!(contents(&memory).await, contents(&sqlite).await);
            sqlite.close().await;
            let unsound = check(&path).await.err().map(|why| why.to_string());
            prop_assert_eq!(unsound, None);
            Ok(())
        })?;
    }
}

/// Empties every table that is not a node's, and puts back what migrations have put there.
const EMPTY: &str = "CREATE TABLE IF NOT EXISTS computers AS SELECT * FROM guests; \
     TRUNCATE matches, journal, deadlines, secrets, used_keys, guests, sign_ups, sign_up_codes, departures, server_keys, ratings, \
     rating_changes, ratings_stale, remarks, moderation_log, game_counts, spent_challenges CASCADE; \
     UPDATE game_counting SET round = 1, definitions = 0; INSERT INTO guests SELECT * FROM computers";

/// Nodes follow the clock of the database: what is asked of them is compared elsewhere.
const fn is_of_nodes(op: &Op) -> bool {
    matches!(op, Op::Join { .. } | Op::Beat { .. } | Op::Leave { .. })
}

#[test]
fn postgres_answers_the_same() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let database = Database::new().expect("a database");
    let postgres = runtime.block_on(super::open_postgres(&database.url()));
    let config = ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(ops in prop::collection::vec(op(), 1..60))| {
        database.run(EMPTY).expect("emptied");
        runtime.block_on(async {
            let memory: Arc<Store> = Arc::new(Store::in_memory());
            for (n, op) in ops.into_iter().filter(|op| !is_of_nodes(op)).enumerate() {
                let said = apply(&memory, op.clone()).await;
                prop_assert_eq!(said, apply(&postgres, op.clone()).await, "{}: {:?}", n, op);
            }
            prop_assert_eq!(contents(&memory).await, contents(&postgres).await);
            Ok(())
        })?;
    });
}
