//! Whatever is asked, in whatever order: both databases answer the same, and the journal is what a small model says.

use std::collections::BTreeMap;

use lusoria_store::sqlite::check;
use proptest::{prelude::*, test_runner::TestCaseError};
use tokio::runtime::{Builder, Runtime};

use super::*;

/// How many matches, guests and sessions there are: few, so that operations meet.
const FEW: u32 = 4;

/// What can be asked, and how often.
const OPS: &str = "create 3, append 8, set deadline 1, add guest 2, rename 1, set blocked 1, revoke 1, \
     revoke others 1, note seen 1, add code 3, spend code 2, set invitation 2, set sign-ups 1, add sign-up code 1, open \
     account 3, add recovery code 1, remove account 1, sign in 2, recover 1, change password 1, declare \
     bot 1, add API token 3, revoke API token 1, note used 1, add passkey 2, remove passkey 1, remove \
     password 1, use passkey 1, sign in with passkey 1, spend challenge 1, prefer 3, put push \
     subscription 4, remove push subscription 1, add seek 4, withdraw seek 1, answer seeks 3, add \
     challenge 3, end challenge 1, accept challenge 2, block 1, unblock 1, follow 1, set conditional \
     turns 2, note leaving 1, report 1, remark 2, keep analysis 2, sweep 1, sweep much later 2, rewrite \
     1, adopt 4, erase 1, hand over 2, end departure 1, forget match 1, \
     create tournament 2, append to tournament 3";

/// An operation, and the small numbers that it is done with.
type Op = (&'static str, [u32; 4], u64);

fn op(of: &'static str) -> impl Strategy<Value = Op> {
    let weighed = of.split(", ").map(|one| {
        let (name, weight) = one.rsplit_once(' ').expect("a name and a weight");
        (weight.parse().expect("a number"), Just(name))
    });
    let name = prop::strategy::Union::new_weighted(weighed.collect());
    (name, [0..FEW, 0..FEW, 0..FEW, 0..FEW], 0..10_u64)
}

/// An answer in words; the texts of failures differ between databases.
fn words<T: Debug, E: Into<AppendError>>(answer: Result<T, E>) -> String {
    match answer.map_err(Into::into) {
        Ok(answer) => format!("{answer:?}"),
        Err(AppendError::Store(StoreError::Failed(_))) => "failed".to_owned(),
        Err(error) => format!("{error:?}"),
    }
}

fn said<T: Debug>(answer: T) -> String {
    words(Ok::<_, StoreError>(answer))
}

fn state(n: u32) -> MatchState {
    [MatchState::Open, MatchState::Live, MatchState::Finished, MatchState::Finished][n as usize % 4]
}

/// Every second of them.
fn half<T>(n: u32, value: T) -> Option<T> {
    n.is_multiple_of(2).then_some(value)
}

fn proof(n: u32, by: u32, key: u32) -> Proof {
    let shown =
        if key < 2 { Shown::Password(accounts::password(0)) } else { Shown::Passkey(passkeys::id(key)) };
    Proof { guest: player(n), by: session_id(by), shown }
}

/// A passkey that guest `n` could add. An id is never given twice.
async fn new_passkey(s: &Fixture, n: u32, key: u32) -> Passkey {
    let mut new = passkeys::passkey(key, n);
    new.credential.counter = 0;
    if done!(s.passkey(new.credential.id.clone())).is_some() {
        new.id = passkeys::id(key + 100);
    }
    new
}

/// Does it, and tells what came of it.
#[expect(clippy::too_many_lines, clippy::many_single_char_names, reason = "an arm for each operation")]
async fn apply(s: &Fixture, (name, [n, k, l, m], at): Op) -> String {
    let now = done!(s.head(match_id(n))).map_or(version(0), |head| head.version);
    let revoking = Revoking { api_tokens: l % 2 == 0, passkeys: m % 2 == 0 };
    let used =
        PasskeyUse { id: passkeys::id(k), counter_before: l / 2, counter: l, is_backed_up: true, at: 7 };
    match name {
        "create" => {
            let mut new = NewMatch { card: card(state(k)), deadline: half(m, at), ..new_match(n) };
            if l == 0 {
                new.card.terms.admission = Admission::Invitation;
            }
            (new.key, new.invitation) = (half(l, key(m, "key")), half(m, invitation(l)));
            words(s.create(new).await)
        }
        "append" => {
            // The version it has, or now and then another.
            let of = match k {
                0 => Version { head: now.head + 1, ..now },
                1 => Version { edition: now.edition + 1, ..now },
                _ => now,
            };
            let mut turn = Append { of, card: card(state(l)), deadline: Some(at + 1), ..append(n, of.head) };
            turn.events = events(of.head, 1 + 3 * m, at).into();
            turn.card.waits_for = None;
            if let Some(row) = done!(s.row(match_id(n))) {
                // Seat 1 stays what it was.
                turn.card.players.0 = row.card.players.0;
            }
            (turn.key, turn.spends) = (half(l + m, key(m, "key")), (at == 0).then(|| hash(m)));
            turn.create = (at == 1).then(|| Box::new(new_match(m)));
            turn.tournament = half(k, tournaments::note(m));
            words(s.append(turn).await)
        }
        "set deadline" => words(s.set_deadline(match_id(n), k, half(l, at)).await),
        "add guest" => words(s.add_guest(guest(n), session(k)).await),
        "rename" => words(s.rename_guest(player(n), "another".to_owned()).await),
        "set blocked" => words(s.set_blocked(player(n), half(k, at)).await),
        "revoke" => words(s.revoke_session(player(n), session_id(k), session_id(l)).await),
        "revoke others" => words(s.revoke_other_sessions(player(n), session_id(k)).await),
        "note seen" => words(s.note_seen(vec![(session_id(k), 300 * at)]).await),
        "add code" => {
            let code = DeviceCode { hash: hash(k), guest: player(n), expires_at: at };
            words(s.add_device_code(code, session_id(l)).await)
        }
        "spend code" => words(s.spend_device_code(hash(n), session(k), at).await),
        "set invitation" => words(s.set_invitation(match_id(n), half(k, invitation(l))).await),
        "set sign-ups" => {
            let policies = [SignUpPolicy::Open, SignUpPolicy::InviteOnly, SignUpPolicy::Closed];
            words(s.set_sign_ups(policies[n as usize % 3]).await)
        }
        "add sign-up code" => words(s.add_sign_up_codes(vec![hash(n)], at).await),
        "open account" => {
            let skeleton = format!("handle{l}");
            let mut new =
                NewAccount { by: session_id(k), skeleton, created_at: 5, ..accounts::new_account(n) };
            new.sign_up_code = half(k, hash(m));
            if m > 1 {
                new.passkey = Some(new_passkey(s, n, m).await);
            }
            // Without a password, now and then.
            new.password = if m == 3 { None } else { Some(accounts::password(0)) };
            words(s.open_account(new).await)
        }
        "add recovery code" => words(s.add_recovery_code(player(n), hash(k)).await),
        "remove account" => words(s.remove_account(player(n)).await),
        "sign in" => words(s.sign_in(player(n), accounts::password(k % 2), session(l), at).await),
        "recover" => words(s.recover(player(n), hash(100 + k), accounts::password(1), session(l), at).await),
        "change password" => {
            words(s.change_password(proof(n, k, l), accounts::password(m % 2), revoking).await)
        }
        "declare bot" => words(s.declare_bot(player(n), session_id(k)).await),
        "add API token" => {
            let new = NewApiToken { created_at: m.into(), ..api_tokens::new(l, at) };
            words(s.add_api_token(proof(n, k, 0), new).await)
        }
        "revoke API token" => words(s.revoke_api_token(player(n), api_tokens::id(k)).await),
        "note used" => words(s.note_used(vec![(api_tokens::id(n), at)]).await),
        "add passkey" => words(s.add_passkey(proof(n, k, m), new_passkey(s, n, l).await).await),
        "remove passkey" => words(s.remove_passkey(proof(n, k, 2 + m % 2), passkeys::id(l)).await),
        "remove password" => words(s.remove_password(proof(n, k, 2 + m % 2)).await),
        "use passkey" => words(s.use_passkey(used).await),
        "sign in with passkey" => words(s.sign_in_with_passkey(used, session(m)).await),
        "spend challenge" => words(s.spend_challenge(hash(n), at).await),
        "prefer" => {
            let changes = [k, l].map(|k| (format!("n{k}"), half(m, at.to_string())));
            words(s.change_preferences(player(n), session_id(k), changes.into()).await)
        }
        "put push subscription" => {
            let number = 4 * m + l;
            let mut new = pushes::subscription(number, n, k);
            if l == 0 {
                new.bearer = pushes::by_api_token(number, n, k).bearer;
            }
            (new.target, new.created_at) = (pushes::subscription(m, n, k).target, at);
            words(s.put_push_subscription(new).await)
        }
        "remove push subscription" => {
            let id = pushes::subscription(4 * k + l, n, 0).id;
            words(s.remove_push_subscription(player(n), id).await)
        }
        "add seek" => {
            let seek = if l == 0 { seeks::correspondence(n, k) } else { seeks::seek(n, k) };
            // An id is never given twice.
            for of in 0..FEW {
                if done!(s.seeks_of(player(of), 0)).iter().any(|other| other.id == seek.id) {
                    return String::new();
                }
            }
            words(s.add_seek(Seek { created_at: 2, expires_at: 500 + 400 * at, ..seek }).await)
        }
        "withdraw seek" => words(s.withdraw_seek(player(k), seeks::seek_id(n), 5).await),
        "answer seeks" => {
            let mut new =
                NewMatch { answers: Some(Answers::Seeks([k, l].map(seeks::seek_id))), ..new_match(n) };
            if m == 0 {
                new.card.terms.clock = Clock::Days { days: 2 };
            }
            words(s.create(new).await)
        }
        "add challenge" => {
            let new =
                if m == 0 { challenges::correspondence(n, k, l) } else { challenges::challenge(n, k, l) };
            let is_there = done!(s.challenge(new.id, 0)).is_some();
            if is_there { String::new() } else { words(s.add_challenge(new).await) }
        }
        "end challenge" => {
            let end = if l == 0 { ChallengeEnd::Withdrawn } else { ChallengeEnd::Declined(None) };
            words(s.end_challenge(match_id(n), player(k), end, 3_000 + at).await)
        }
        "accept challenge" => {
            let card = card_of(MatchState::Live, player(k), Some(player(l)));
            words(s.create(NewMatch { answers: Some(Answers::Challenge), card, ..new_match(n) }).await)
        }
        "block" => words(s.add_block(player(n), player(k), at).await),
        "unblock" => words(s.remove_block(player(n), player(k)).await),
        "follow" => words(s.add_follow(player(n), player(k), at).await),
        "set conditional turns" => {
            words(s.set_conditional_turns(match_id(n), player(k), conditional::turns(few(l))).await)
        }
        "note leaving" => words(s.note_leaving(match_id(n), player(k), at).await),
        "report" => words(s.add_report(moderation::report(few(4 * n + k), l, m, k)).await),
        "remark" => words(s.add_remark(talk::remark(at, n, k)).await),
        "keep analysis" => words(s.keep_analysis(match_id(n), journal::analysis(k)).await),
        "sweep" => words(s.sweep(at / 2).await),
        // Late enough that all finished matches are packed.
        "sweep much later" => words(s.sweep(10_000_000).await),
        "rewrite" => {
            let Some(row) = done!(s.row(match_id(n))) else { return String::new() };
            let mut events = done!(s.events(match_id(n), (3 * k).min(row.head - 1), 1)).events;
            events[0].event = Event::DrawDeclined { seat: Seat::Two };
            let mut card = row.card;
            if let Some(player) = &mut card.players.0 {
                "Erased".clone_into(&mut player.name);
            }
            words(s.rewrite(match_id(n), now, events, card).await)
        }
        "adopt" => {
            let new = NewAdoption { by: session_id(k), session: session_id(m), ..departures::adoption(l, n) };
            words(s.begin_adoption(new).await)
        }
        "erase" => words(s.begin_erasure(player(n), ErasureBy::Operator, 9).await),
        "hand over" => {
            let Some(row) = done!(s.row(match_id(n))) else { return String::new() };
            let mut card = row.card;
            for seat in [&mut card.players.0, &mut card.players.1].into_iter().flatten() {
                if seat.id == player(k) {
                    seat.id = player(l);
                }
            }
            let adoption = Departure { guest: player(k), adopter: Some(player(l)), since: 0 };
            words(s.hand_over(match_id(n), now, adoption, Vec::new(), card).await)
        }
        "end departure" => {
            let departure = Departure { guest: player(n), adopter: half(k, player(l)), since: 0 };
            words(s.end_departure(departure).await)
        }
        "forget match" => words(s.forget_match(match_id(n), now.head).await),
        "create tournament" => {
            let new = NewTournament { key: half(l, key(m, "key")), ..tournaments::new(n, k) };
            words(s.create_tournament(new).await)
        }
        "append to tournament" => {
            let head = done!(s.tournament(tournaments::id(n))).map_or(2, |row| row.head);
            let mut new = tournaments::appending(n, if k == 0 { head + 1 } else { head });
            (new.entered, new.left) = (vec![player(l)], Vec::from_iter(half(k, player(m))));
            new.listing.wake_at = half(m, at);
            words(s.append_tournament(new).await)
        }
        other => panic!("{other}"),
    }
}

/// Everything that can be read.
async fn contents(s: &Fixture) -> Vec<String> {
    let mut all = Vec::new();
    macro_rules! tell {
        ($($asked:expr),* $(,)?) => {
            $(all.push(words($asked.await));)*
        };
    }
    tell![
        s.next_deadline(),
        s.tournaments(TournamentFilter::All, None, 9),
        s.next_tournament_wake(),
        s.due(5, 100),
        s.stale(8, None, 10),
        s.waiting_seeks(1_500),
        s.ended_challenges(0),
        s.departures(),
        s.unfinished(),
        s.unfinished_against_itself(),
        s.sign_ups(2),
        s.accounts(AccountFilter::Since(0), 10),
        s.accounts(AccountFilter::Starting("ha".to_owned()), 2),
        s.reports(false, 20),
    ];
    let statistics = s.statistics(vec![0, 5]).await.map(|found| Statistics { bytes: 0, ..found });
    let answered = s.answered_seeks(900).await.map(|found| found.len());
    all.extend([words(statistics), words(answered)]);
    for n in 0..FEW {
        let (id, of) = (match_id(n), player(n));
        tell![
            s.row(id),
            s.head(id),
            s.events(id, 0, 1_000),
            s.events(id, 7, 5),
            s.analysis(id),
            s.challenge(id, 0),
            s.remarks(id, TalkRoom::Players, 9),
            s.invited_to(hash(n), 0),
            s.used_key(of, "key".to_owned()),
            s.matches_of(of, None, 10),
            s.list(MatchFilter::Of { player: of, state: None }, None, 3),
            s.unfinished_created_by(of),
            s.unfinished_with_computer(of),
            s.conditional_turns_of(of),
            s.leavings(of, 0),
            s.guest(of),
            s.bearer(hash(n)),
            s.api_bearer(hash(n)),
            s.account(of),
            s.account_by_skeleton(format!("handle{n}")),
            s.sessions(of),
            s.api_tokens(of),
            s.passkeys(of),
            s.preferences(of),
            s.push_subscriptions(of),
            s.tournament_events(tournaments::id(n), 0, 99),
            s.tournaments(TournamentFilter::Of { guest: of, with_unlisted: true }, None, 9),
            s.seeks_of(of, 0),
            s.followed_by(of),
            s.blocked_by(of),
        ];
        let mut targets = done!(s.push_targets(of, 5));
        targets.sort_by_key(|one| one.id);
        let secret = done!(s.secret(id)).map(|secret| *secret.reveal());
        all.push(format!("{targets:?} {secret:?}"));
        for (opponent, viewer) in [(None, None), (Some(player(1)), None), (None, Some(player(2)))] {
            let played = Played { player: of, opponent, game: None, viewer, from: None, until: None };
            tell![s.list(MatchFilter::Played(played), None, 3)];
        }
        for game in [None, Some(Game::Tavla), Some(Game::Zeno)] {
            tell![s.list(MatchFilter::Listed { state: state(n), game }, None, 3)];
        }
    }
    all
}

/// Empties every table that is not a node's, and puts back what migrations have put there.
const EMPTY: &str = "CREATE TABLE IF NOT EXISTS computers AS SELECT * FROM guests; \
     TRUNCATE matches, journal, deadlines, secrets, used_keys, tournaments, guests, sign_ups, sign_up_codes, departures, \
     server_keys, ratings, rating_changes, ratings_stale, remarks, moderation_log, game_counts, spent_challenges CASCADE; \
     UPDATE game_counting SET round = 1, definitions = 0; INSERT INTO guests SELECT * FROM computers";

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

#[test]
fn both_databases_answer_the_same() {
    let (runtime, database) = (runtime(), Database::new().expect("a database"));
    let postgres = Fixture(runtime.block_on(open_postgres(&database.url())));
    proptest!(config(32), |(ops in prop::collection::vec(op(OPS), 1..60))| {
        database.run(EMPTY).expect("emptied");
        runtime.block_on(async {
            let sqlite = Fixture::in_memory();
            for (n, op) in ops.into_iter().enumerate() {
                prop_assert_eq!(apply(&sqlite, op).await, apply(&postgres, op).await, "{}: {:?}", n, op);
            }
            prop_assert_eq!(contents(&sqlite).await, contents(&postgres).await);
            Ok::<_, TestCaseError>(())
        })?;
    });
}

/// What a journal is, and nothing of how it is kept.
#[derive(Default)]
struct Model {
    matches: BTreeMap<MatchId, Kept>,
    keys: BTreeMap<(PlayerId, String), UsedKey>,
}

struct Kept {
    events: Vec<Recorded>,
    edition: u32,
    deadline: Option<Millis>,
    state: MatchState,
}

impl Kept {
    fn version(&self) -> Version {
        Version { head: few(self.events.len()), edition: self.edition }
    }
}

impl Model {
    fn is_used(&self, used: Option<&KeyUse>) -> bool {
        used.is_some_and(|used| self.keys.contains_key(&(used.guest, used.key.clone())))
    }

    fn keep_key(&mut self, used: Option<KeyUse>, id: MatchId, first: u32) {
        if let Some(KeyUse { guest, key, digest, .. }) = used {
            self.keys.insert((guest, key), UsedKey { digest, id, first });
        }
    }

    fn create(&mut self, new: NewMatch) -> Result<(), AppendError> {
        if self.is_used(new.key.as_ref()) {
            return Err(KeyUsed);
        }
        if self.matches.contains_key(&new.id) {
            return Err(Conflict);
        }
        self.keep_key(new.key, new.id, 1);
        let (state, deadline) = (new.card.state(), new.deadline);
        self.matches.insert(new.id, Kept { events: new.events, edition: 0, deadline, state });
        Ok(())
    }

    fn append(&mut self, new: Append) -> Result<(), AppendError> {
        if self.is_used(new.key.as_ref()) {
            return Err(KeyUsed);
        }
        let is_there = new.create.as_ref().is_some_and(|create| self.matches.contains_key(&create.id));
        let kept = self.matches.get_mut(&new.id).filter(|kept| kept.version() == new.of && !is_there);
        let Some(kept) = kept else { return Err(Conflict) };
        kept.events.extend(new.events.iter().cloned());
        (kept.deadline, kept.state) = (new.deadline, new.card.state());
        self.keep_key(new.key, new.id, new.of.head + 1);
        new.create.map_or(Ok(()), |create| self.create(*create))
    }
}

/// Does the same with the model and a store, and tells what came of each.
#[expect(clippy::many_single_char_names, reason = "numbers that mean what the operation makes of them")]
async fn step(model: &mut Model, s: &Fixture, (name, [n, k, l, m], at): Op) -> (String, String) {
    // Two matches, so that what is packed goes on.
    let n = n / 2;
    let id = match_id(n);
    let known = model.matches.get(&id).map_or(version(0), Kept::version);
    let of = match k {
        0 => Version { head: known.head + 1, ..known },
        1 => Version { edition: known.edition + 1, ..known },
        _ => known,
    };
    let used = half(l + m, key(m, "key"));
    match name {
        "create" => {
            let new = || NewMatch {
                events: events(0, 1 + l, at),
                card: card(state(m)),
                deadline: half(k, at),
                key: used.clone(),
                ..new_match(n)
            };
            (words(model.create(new())), words(s.create(new()).await))
        }
        "append" => {
            let turn = || Append {
                of,
                events: events(of.head, 1 + 3 * m, at).into(),
                card: card(state(l)),
                deadline: half(m, at),
                key: used.clone(),
                create: (at < 2).then(|| Box::new(new_match(m / 2))),
                ..append(n, of.head)
            };
            (words(model.append(turn())), words(s.append(turn()).await))
        }
        "set deadline" => {
            if let Some(kept) = model.matches.get_mut(&id).filter(|kept| kept.version().head == of.head) {
                kept.deadline = half(l, at);
            }
            (said(()), words(s.set_deadline(id, of.head, half(l, at)).await))
        }
        "rewrite" => {
            let seq: usize = few((3 * m).min(known.head.saturating_sub(1)));
            let first = recorded(0, 1, 1, Event::DrawOffered { seat: Seat::One });
            let kept = model.matches.get_mut(&id).filter(|kept| kept.version() == of);
            let is_made = kept.is_some();
            let (mut spare, mut none) = (first, 0);
            let (other, edition) =
                kept.map_or((&mut spare, &mut none), |kept| (&mut kept.events[seq], &mut kept.edition));
            other.event = Event::DrawDeclined { seat: Seat::Two };
            *edition += 1;
            let card = done!(s.row(id)).map_or(card(MatchState::Open), |row| row.card);
            (said(is_made), words(s.rewrite(id, of, vec![other.clone()], card).await))
        }
        "forget match" => {
            let kept = model.matches.get(&id).filter(|kept| kept.state == MatchState::Finished);
            let is_made = kept.is_some_and(|kept| kept.version().head == of.head);
            if is_made {
                model.matches.remove(&id);
                model.keys.retain(|_, used| used.id != id);
            }
            (said(is_made), words(s.forget_match(id, of.head).await))
        }
        "sweep much later" => (said(()), words(s.sweep(10_000_000).await)),
        other => panic!("{other}"),
    }
}

/// All that the model knows.
async fn journals(model: &Model, s: &Fixture) {
    let mut due = Vec::new();
    for n in 0..FEW {
        let kept = model.matches.get(&match_id(n));
        is!(s.journal(n), kept.map_or(Vec::new(), |kept| kept.events.clone()), "match {n}");
        is!(s.head(match_id(n)), kept.map(|kept| Head { version: kept.version(), deadline: kept.deadline }));
        if let Some(kept) = kept {
            assert_eq!(done!(s.card(n)).state(), kept.state, "match {n}");
            assert_eq!(done!(s.events(match_id(n), 0, 1)).edition, kept.edition, "match {n}");
            due.extend(kept.deadline.map(|at| Due { id: match_id(n), at }));
        }
        let used = model.keys.get(&(player(n), "key".to_owned())).cloned();
        is!(s.used_key(player(n), "key".to_owned()), used, "key of {n}");
    }
    due.sort_by_key(|due| (due.at, due.id));
    is!(s.next_deadline(), due.first().map(|due| due.at));
    is!(s.due(10_000, 99), due);
}

#[test]
fn a_file_keeps_the_journal_of_the_model() {
    let ops = "create 2, append 8, set deadline 1, rewrite 4, forget match 1, sweep much later 3";
    proptest!(config(48), |(ops in prop::collection::vec(op(ops), 1..60))| {
        runtime().block_on(async {
            let ((_folder, path), mut model) = (folder(), Model::default());
            let mut s = Fixture(open(&path).await);
            let half = ops.len() / 2;
            for (n, op) in ops.into_iter().enumerate() {
                let (expected, said) = step(&mut model, &s, op).await;
                prop_assert_eq!(expected, said, "{}: {:?}", n, op);
                if n == half {
                    s.close().await;
                    s = Fixture(open(&path).await);
                }
            }
            journals(&model, &s).await;
            s.close().await;
            prop_assert_eq!(check(&path).await.err().map(|why| why.to_string()), None);
            Ok::<_, TestCaseError>(())
        })?;
    });
}
