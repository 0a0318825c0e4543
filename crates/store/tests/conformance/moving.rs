//! A file that is moved to PostgreSQL: all of it arrives, or nothing.

use std::{fs, path::Path, sync::Arc, time::Duration};

use lusoria_play::{ChallengeSettings, ChallengesFrom, DeclineReason, Recorded, Seat};
use lusoria_rules::Game;
use lusoria_services::{postgres::Database, sqlite::File};
use lusoria_store::{
    AccountOpening, AdoptionBeginning, Answers, ApiTokenAddition, ApiTokenId, Append, ChallengeEnd,
    DestinationError, DeviceCode, ErasureBeginning, ErasureBy, Guest, KeptAnalysis, KeyPurpose, MatchFilter,
    MatchState, Moderating, MoveError, Moved, NewAccount, NewAdoption, NewApiToken, PasskeyAddition,
    PasswordHash, PreferenceChange, Proof, PushTarget, RatingKey, RemarkAdding, ReportAdding, SanctionKind,
    SecretKey, Shown, SignUpPolicy, Statistics, Store, TalkSettings, Totals, TournamentAppend,
    TournamentAppending, TournamentCreation, TournamentFilter, move_to_postgres,
    postgres::PostgresOptions,
    sqlite::{OpenError, SqliteOptions},
    use_again,
};
use tempfile::TempDir;
use uuid::Uuid;

use super::{
    accounts::new_account, append, card, challenges, conditional, events, fair_play, guest, hash, history_of,
    invitation, key, match_id, moderation, new_match, node, node_id, open, open_postgres, passkeys, player,
    pushes, ratings, seeks, session, session_id, talk, tournaments, version,
};

/// So many matches are in the file.
const MATCHES: u32 = 9;

/// A file with something of everything, closed at time 9000.
async fn filled(path: &Path) {
    let options = SqliteOptions { pack_after: Duration::ZERO, ..SqliteOptions::default() };
    let store = Store::open_file(path, options).await.expect("the file opens");
    // An outage before.
    for at in [1_000, 5_000] {
        store.join(node(1), at).await.expect("joined");
        store.leave(node_id(1), at + 100).await.expect("left");
    }
    store.join(node(1), 8_000).await.expect("joined");
    for n in 1..=3 {
        store.add_guest(guest(n), session(u8::try_from(n).expect("few"))).await.expect("added");
    }
    let named = Guest { name: "Ζήνων \"\\\\\u{1f3b2}' x".to_owned(), ..guest(4) };
    store.add_guest(named, session(4)).await.expect("added");
    store.set_blocked(player(3), Some(7_000)).await.expect("blocked");
    let code = DeviceCode { guest: player(2), hash: hash(9), expires_at: u64::MAX >> 1 };
    assert!(store.add_device_code(code, session_id(2)).await.expect("added"));
    let account = NewAccount {
        handle: "Agathias".to_owned(),
        skeleton: "agathlas".to_owned(),
        password: Some(PasswordHash("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA".to_owned())),
        recovery_codes: vec![hash(21), hash(22)],
        created_at: 6_000,
        ..new_account(2)
    };
    assert_eq!(store.open_account(account).await.expect("opened"), AccountOpening::Opened);
    let password = PasswordHash("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA".to_owned());
    assert!(store.sign_in(player(2), password, session(6), 6_500).await.expect("asked").is_some());
    add_opponents(&store).await;
    store.set_sign_ups(SignUpPolicy::InviteOnly).await.expect("set");
    store.add_sign_up_codes(vec![hash(31), hash(32)], u64::MAX >> 1).await.expect("added");
    let proof = Proof {
        guest: player(2),
        by: session_id(2),
        shown: Shown::Password(PasswordHash("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA".to_owned())),
    };
    for (n, expires_at) in [(1, 8_000), (2, 90_000_000)] {
        let token = NewApiToken {
            id: ApiTokenId(session_id(n).0),
            hash: hash(n),
            name: "A \"bot\"".to_owned(),
            scopes: if n == 1 { String::new() } else { "match:play match:read".to_owned() },
            created_at: 6_600,
            expires_at,
        };
        let added = store.add_api_token(proof.clone(), token).await.expect("asked");
        assert_eq!(added, ApiTokenAddition::Added);
    }
    for n in [2, 3] {
        let added = store.add_passkey(proof.clone(), passkeys::passkey(n, 2)).await.expect("asked");
        assert_eq!(added, PasskeyAddition::Added);
    }
    assert!(store.use_passkey(passkeys::use_of(3, 0)).await.expect("used"));
    add_departures(&store).await;
    store.note_used(vec![(ApiTokenId(session_id(2).0), 6_700)]).await.expect("noted");
    for n in 1..=MATCHES {
        let mut new = new_match(n);
        new.made_by = (n % 2 == 0).then(|| player(1));
        new.key = (n == 2).then(|| key(1, "make \"it\""));
        new.invitation = (n == 3).then(|| invitation(3));
        new.answers = (n == 8).then(|| Answers::Seeks([1, 4].map(seeks::seek_id)));
        store.create(new).await.expect("created");
    }
    for head in 1..40 {
        for n in [4, 5, 6, 7] {
            let mut append = append(n, head);
            if head == 39 && n != 4 {
                (append.card, append.deadline) = (card(MatchState::Finished), None);
            }
            store.append(append).await.expect("appended");
        }
    }
    add_what_is_theirs(&store).await;
    let analysis = KeptAnalysis { engine: "1/x".to_owned(), body: "[{\"a\": 1.50}]".to_owned() };
    assert!(store.keep_analysis(match_id(5), analysis).await.expect("kept"));
    let renamed: Vec<Recorded> = events(1, 1, 2_000);
    let rewritten = store.rewrite(match_id(7), version(40), renamed, card(MatchState::Finished)).await;
    assert!(rewritten.expect("rewritten"));
    store.sweep(9_000).await.expect("swept");
    // A rematch is offered after the match was packed.
    let offered = Append { card: card(MatchState::Finished), deadline: None, ..append(6, 40) };
    store.append(offered).await.expect("appended");
    // Of those who are gone, their matches stay; of a match that is gone, nothing does.
    store.add_guest(guest(5), session(5)).await.expect("added");
    let mut theirs = new_match(11);
    theirs.made_by = Some(player(5));
    store.create(theirs).await.expect("created");
    assert!(store.forget_guest(player(5)).await.expect("forgotten"));
    let ended = Append { card: card(MatchState::Finished), deadline: None, ..append(9, 1) };
    store.append(ended).await.expect("appended");
    assert!(store.forget_match(match_id(9), 2).await.expect("forgotten"));
    store.beat(node_id(1), 9_000).await.expect("noted");
    store.close().await;
    let packed = "SELECT COUNT(*) FROM matches WHERE packed > 0";
    let packed: u32 = File::open(path).and_then(|file| file.value(packed)).expect("counted");
    assert_eq!(packed, 3 + ratings::AWKWARD, "finished matches are packed");
}

/// Where somebody is told, what they prefer, and what is laid down for matches.
async fn add_what_is_theirs(store: &Store) {
    add_pushes(store).await;
    add_conduct(store).await;
    let changes = [("board", "\"stone\""), ("volume", "50")]
        .map(|(name, value)| (name.to_owned(), Some(value.to_owned())));
    let change = store.change_preferences(player(2), session_id(2), changes.into()).await;
    assert!(matches!(change.expect("asked"), PreferenceChange::Changed(_)));
    for (n, of) in [(4, 1), (4, 2), (6, 2)] {
        let turns = conditional::turns(n);
        assert!(store.set_conditional_turns(match_id(n), player(of), turns).await.expect("stored"));
    }
    ratings::add_awkward_ones(store).await;
    add_tournaments(store).await;
}

/// A tournament with an entrant, to which a match has added something, and one that nothing wakes.
async fn add_tournaments(store: &Store) {
    for n in [1, 2] {
        let created = store.create_tournament(tournaments::new(n, 2)).await.expect("asked");
        assert_eq!(created, TournamentCreation::Created);
    }
    let enter = TournamentAppend { entered: vec![player(2)], ..tournaments::appending(1, 2) };
    assert_eq!(store.append_tournament(enter).await.expect("asked"), TournamentAppending::Appended);
    let turn = Append { tournament: Some(tournaments::note(1)), ..append(4, 40) };
    store.append(turn).await.expect("appended");
}

/// What was said, who was reported, and what followed from it.
async fn add_conduct(store: &Store) {
    for n in [1, 3, 7] {
        let added = store.add_remark(talk::remark(n, 6, 2)).await.expect("asked");
        assert_eq!(added, RemarkAdding::Added);
    }
    let settings = TalkSettings { takes_text: true, has_childrens_mode: false };
    assert!(store.set_talk_settings(player(2), settings).await.expect("set"));
    for n in [1, 2] {
        let added = store.add_report(moderation::report(n, 5, 4, u32::try_from(n).expect("small"))).await;
        assert!(matches!(added.expect("asked"), ReportAdding::Made { .. }));
    }
    for (n, kind) in [(3, SanctionKind::Warning), (4, SanctionKind::Ban)] {
        let sanction = moderation::sanction(n, kind, (n == 4).then_some(90_000_000));
        let done = store.moderate(moderation::imposing(4, sanction)).await.expect("asked");
        assert_eq!(done, Moderating::Done);
    }
    let close = moderation::closing(9, 7_000, moderation::report_id(1));
    assert_eq!(store.moderate(close).await.expect("asked"), Moderating::Done);
    store.note_leaving(match_id(5), player(1), 7_000).await.expect("noted");
    let losses = [fair_play::losses(5, Seat::One, 1), fair_play::losses(5, Seat::Two, 2)];
    store.keep_turn_losses(losses.into()).await.expect("kept");
    assert!(store.raise_flag(fair_play::flag(1, 2)).await.expect("asked"));
}

/// Push subscriptions, and the key that signs for the server.
async fn add_pushes(store: &Store) {
    for subscription in [pushes::subscription(1, 2, 2), pushes::by_api_token(2, 2, 2)] {
        store.put_push_subscription(subscription).await.expect("asked").expect("stored");
    }
    store.server_key(KeyPurpose::Push, SecretKey(vec![0, 7, 255])).await.expect("stored");
}

/// A guest who is being adopted, and one who is being erased.
async fn add_departures(store: &Store) {
    store.add_guest(guest(40), session(40)).await.expect("added");
    let adoption = NewAdoption {
        adopter: player(2),
        by: session_id(2),
        guest: player(40),
        session: session_id(40),
        at: 6_800,
    };
    assert_eq!(store.begin_adoption(adoption).await.expect("asked"), AdoptionBeginning::Begun);
    let erased = store.begin_erasure(player(77), ErasureBy::Operator, 6_900).await.expect("asked");
    assert_eq!(erased, ErasureBeginning::Begun);
}

/// Adds seeks, challenges, and whom guests follow or have blocked.
async fn add_opponents(store: &Store) {
    for seek in [seeks::seek(1, 1), seeks::correspondence(2, 2), seeks::seek(4, 4)] {
        store.add_seek(seek).await.expect("added");
    }
    for (by, blocked) in [(1, 2), (4, 2)] {
        store.add_block(player(by), player(blocked), 7_000).await.expect("blocked");
    }
    for challenge in [challenges::challenge(21, 1, 4), challenges::correspondence(22, 4, 1)] {
        store.add_challenge(challenge).await.expect("added");
    }
    let declined = ChallengeEnd::Declined(Some(DeclineReason::Later));
    store.end_challenge(match_id(22), player(1), declined, 7_000).await.expect("declined");
    let settings =
        ChallengeSettings { from: ChallengesFrom::Followed, games: vec![Game::Tablut, Game::Zeno] };
    store.set_challenge_settings(player(2), settings).await.expect("set");
    store.add_follow(player(2), player(4), 7_000).await.expect("followed");
}

/// All that a store tells of what [`filled`] put there, as text.
async fn told(store: &Store) -> Vec<String> {
    let mut told = Vec::new();
    for n in 1..=MATCHES + 2 {
        let id = match_id(n);
        told.push(format!("{n} {:?}", store.head(id).await.expect("read")));
        told.push(format!("{n} {:?}", store.row(id).await.expect("read")));
        told.push(format!("{n} {:?}", store.events(id, 0, u32::MAX).await.expect("read")));
        told.push(format!("{n} {:?}", store.events(id, 7, 3).await.expect("read")));
        let secret = store.secret(id).await.expect("read");
        told.push(format!("{n} {:?}", secret.as_ref().map(|secret| *secret.reveal())));
        told.push(format!("{n} {:?}", store.analysis(id).await.expect("read")));
    }
    for key in RatingKey::all() {
        told.push(format!("{key:?} {:?}", store.rating_tables(key).await.expect("read")));
    }
    told.push(format!("{:?}", store.stale_ratings().await.expect("read")));
    told.push(format!("{:?}", store.sign_ups(9_000).await.expect("read")));
    told.push(format!("{:?}", store.departures().await.expect("read")));
    told.push(format!("{:?}", store.reports(false, 99).await.expect("read")));
    told.push(format!("{:?}", store.moderation_log(None, 99).await.expect("read")));
    told.push(format!("{:?}", store.flags(false, 99).await.expect("read")));
    for n in [1, 2] {
        let events = store.tournament_events(tournaments::id(n), 0, 99).await;
        told.push(format!("{n} {:?}", events.expect("read")));
    }
    let all = store.tournaments(TournamentFilter::All, None, 99).await;
    told.push(format!("{:?}", all.expect("read")));
    for n in 1..=6 {
        let of = TournamentFilter::Of { guest: player(n), with_unlisted: true };
        told.push(format!("{n} {:?}", store.tournaments(of, None, 99).await.expect("read")));
        told.push(format!("{n} {:?}", store.bearer(hash(n)).await.expect("read")));
        told.push(format!("{n} {:?}", store.api_bearer(hash(n)).await.expect("read")));
        told.push(format!("{n} {:?}", store.account(player(n)).await.expect("read")));
        told.push(format!("{n} {:?}", store.passkeys(player(n)).await.expect("read")));
        told.push(format!("{n} {:?}", store.conditional_turns_of(player(n)).await.expect("read")));
        told.push(format!("{n} {:?}", store.preferences(player(n)).await.expect("read")));
        told.push(format!("{n} {:?}", store.remarks_by(player(n), None, 99).await.expect("read")));
        told.push(format!("{n} {:?}", store.talkers(vec![player(n)]).await.expect("read")));
        told.push(format!("{n} {:?}", store.sanctions(player(n)).await.expect("read")));
        for key in RatingKey::all() {
            let losses = store.turn_losses(player(n), key, 0..=u64::MAX >> 1, 99).await;
            told.push(format!("{n} {:?}", losses.expect("read")));
        }
        told.push(format!("{n} {:?}", store.leavings(player(n), 0).await.expect("read")));
        let pushes = store.push_subscriptions(player(n)).await.expect("read");
        told.extend(pushes.iter().map(|one| {
            let PushTarget { endpoint, key, auth } = &one.target;
            format!("{n} {one:?} {endpoint} {key:?} {auth:?}")
        }));
        told.push(format!("{n} {:?}", store.sessions(player(n)).await.expect("read")));
        told.push(format!("{n} {:?}", store.seeks_of(player(n), 0).await.expect("read")));
        told.push(format!("{n} {:?}", store.blocked_by(player(n)).await.expect("read")));
        told.push(format!("{n} {:?}", store.challenges_of(player(n), 0).await.expect("read")));
        told.push(format!("{n} {:?}", store.challenge_settings(player(n)).await.expect("read")));
        told.push(format!("{n} {:?}", store.followed_by(player(n)).await.expect("read")));
        told.push(format!("{n} {:?}", store.matches_of(player(n), None, 99).await.expect("read")));
    }
    for state in [MatchState::Open, MatchState::Live, MatchState::Finished] {
        let listed = store.list(MatchFilter::Listed { state, game: None }, None, 99).await;
        told.push(format!("{:?}", listed.expect("read")));
    }
    told.push(format!("{:?}", store.due(u64::MAX >> 1, 99).await.expect("read")));
    told.push(format!("{:?}", store.invited_to(hash(3), 0).await.expect("read")));
    told.push(format!("{:?}", store.used_key(player(1), "make \"it\"".to_owned()).await.expect("read")));
    let statistics = store.statistics(vec![0, 1_500]).await.expect("read");
    told.push(format!("{:?}", Statistics { bytes: 0, ..statistics }));
    told.push(format!("{:?}", store.outages(0).await.expect("read")));
    told
}

/// A folder with a file, and what its store answers.
async fn file() -> (TempDir, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.db");
    filled(&path).await;
    let store = Store::open_file_to_read(&path).await.expect("it opens");
    let before = told(&store).await;
    store.close().await;
    (folder, before)
}

async fn moved(path: &Path, database: &Database) -> Result<Moved, MoveError> {
    move_to_postgres(path, &database.url(), &mut |_| {}).await
}

async fn told_by(database: &Database) -> Vec<String> {
    let store = open_postgres(&database.url()).await;
    let told = told(&store).await;
    store.close().await;
    told
}

#[track_caller]
fn assert_same(now: &[String], before: &[String]) {
    for (now, before) in now.iter().zip(before) {
        assert_eq!(now, before);
    }
    assert_eq!(now.len(), before.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_of_a_file_arrives_and_no_server_uses_the_file_any_more() {
    let ((folder, before), database) = (file().await, Database::new().expect("a database"));
    let path = folder.path().join("test.db");
    let history: Uuid =
        File::open(&path).and_then(|file| file.value("SELECT history FROM cluster")).expect("read");
    let done = moved(&path, &database).await.expect("moved");
    assert_eq!(
        done.totals,
        Some(Totals {
            guests: 5,
            matches: 9 + u64::from(ratings::AWKWARD),
            // Each is made and ends, and one is taken back.
            events: 5 + 4 * 40 + 2 + 2 * u64::from(ratings::AWKWARD) + 1,
        })
    );
    assert_same(&told_by(&database).await, &before);

    // A node goes on with the same history, after an outage since a server last ran.
    let store: Arc<Store> = open_postgres(&database.url()).await;
    assert_eq!(history_of(&store).await, history);
    let outages = store.outages(0).await.expect("read");
    assert_eq!(outages.last().map(|outage| outage.from), Some(9_000), "{outages:?}");
    assert_eq!(
        store.server_key(KeyPurpose::Push, SecretKey(Vec::new())).await.expect("read").0,
        [0, 7, 255],
        "browsers know it"
    );
    store.leave(node_id(1), 0).await.expect("left");
    store.close().await;

    let refused = Store::open_file(&path, SqliteOptions::default()).await.err();
    assert!(matches!(refused, Some(OpenError::Moved { .. })), "{refused:?}");
    let refused = Store::open_file_to_read(&path).await.err();
    assert!(matches!(refused, Some(OpenError::Moved { .. })), "{refused:?}");
    // A release that does not know the mark takes it for the work of a newer one.
    let last = "SELECT MAX(version) FROM _sqlx_migrations";
    let unknown: i64 = File::open(&path).and_then(|file| file.value(last)).expect("read");
    assert_eq!(unknown, 1_000_000_000);
    // To move it again does nothing, even while servers run.
    assert_eq!(moved(&path, &database).await.expect("done before").totals, None);
    let other = Database::new().expect("a database");
    let refused = moved(&path, &other).await;
    assert!(matches!(refused, Err(MoveError::File(OpenError::Moved { .. }))), "{refused:?}");

    use_again(&path).await.expect("allowed");
    let store = open(&path).await;
    assert_ne!(history_of(&store).await, history, "clients may know later events");
    store.close().await;
    assert!(matches!(use_again(&path).await, Err(OpenError::NotMoved(_))));
    let refused = moved(&path, &database).await;
    assert!(matches!(refused, Err(MoveError::Database(DestinationError::NotEmpty { .. }))), "{refused:?}");
}

/// What is done to the database so that something goes wrong.
const TRIGGERS: [(&str, &str, &str); 4] = [
    ("journal", "BEFORE INSERT", "NEW.at := NEW.at + 1; RETURN NEW;"),
    ("device_codes", "BEFORE INSERT", "RETURN NULL;"),
    ("secrets", "AFTER INSERT", "INSERT INTO deadlines VALUES (gen_random_uuid(), 7); RETURN NEW;"),
    ("guests", "DEFERRED", "RAISE 'no commit'; RETURN NEW;"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_does_not_arrive_as_it_was_is_not_moved() {
    let (folder, before) = file().await;
    let path = folder.path().join("test.db");
    for (table, when, body) in TRIGGERS {
        let database = Database::new().expect("a database");
        open_postgres(&database.url()).await.close().await;
        let trigger = if when == "DEFERRED" {
            format!("CREATE CONSTRAINT TRIGGER spoil AFTER INSERT ON {table} DEFERRABLE INITIALLY DEFERRED")
        } else {
            format!("CREATE TRIGGER spoil {when} ON {table}")
        };
        let spoil = format!(
            "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN {body} END$$; \
             {trigger} FOR EACH ROW EXECUTE FUNCTION spoil()"
        );
        database.run(&spoil).expect("spoilt");
        let failed = moved(&path, &database).await.expect_err("it is found");
        let says = match (when, table) {
            ("DEFERRED", _) => "no commit".to_owned(),
            (_, "secrets") => "differs, so nothing was moved: deadlines: there are ".to_owned(),
            (_, table) => format!("differs, so nothing was moved: {table}: "),
        };
        assert!(failed.to_string().contains(&says), "{table}: {failed}");
        assert_eq!(database.run("SELECT count(*) FROM matches").expect("read"), "0", "{table}");
        let store = Store::open_file_to_read(&path).await.expect("the file can be used");
        assert_same(&told(&store).await, &before);
        store.close().await;
        // Once it is mended, it can be moved there.
        database.run("DROP FUNCTION spoil CASCADE").expect("mended");
        let copy = folder.path().join(format!("{table}.db"));
        fs::copy(&path, &copy).expect("copied");
        moved(&copy, &database).await.expect("moved");
        assert_same(&told_by(&database).await, &before);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_that_was_interrupted_is_taken_up_again() {
    let ((folder, before), database) = (file().await, Database::new().expect("a database"));
    let path = folder.path().join("test.db");
    let other = Database::new().expect("a database");
    // As it is when the program is killed before the commit: the mark is there, the rows are not.
    let copy = folder.path().join("copy.db");
    fs::copy(&path, &copy).expect("copied");
    let place = moved(&copy, &database).await.expect("moved").place;
    database
        .run("TRUNCATE matches, guests, journal CASCADE; UPDATE cluster SET history = gen_random_uuid()")
        .expect("run");
    // That it was committed is noted: then what is gone there does not come back by itself.
    let refused = moved(&copy, &database).await;
    assert!(matches!(refused, Err(MoveError::File(OpenError::Moved { .. }))), "{refused:?}");
    File::open(&copy).and_then(|file| file.run("UPDATE moved SET is_moved = 0")).expect("changed");
    let refused = Store::open_file(&copy, SqliteOptions::default()).await.err();
    assert!(matches!(refused, Some(OpenError::Moving { .. })), "{refused:?}");
    let refused = moved(&copy, &other).await.expect_err("it may be in the other one");
    assert!(refused.to_string().contains(&place), "{refused}");
    assert!(moved(&copy, &database).await.expect("taken up").totals.is_some());
    assert_same(&told_by(&database).await, &before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_moved_while_a_server_runs() {
    let ((folder, before), database) = (file().await, Database::new().expect("a database"));
    let path = folder.path().join("test.db");
    let server = open(&path).await;
    let refused = moved(&path, &database).await;
    assert!(matches!(refused, Err(MoveError::File(OpenError::InUse(_)))), "{refused:?}");
    server.close().await;

    let store = Store::open_server(&database.url(), PostgresOptions::default()).await.expect("it opens");
    store.join(node(1), 0).await.expect("joined");
    let refused = moved(&path, &database).await.expect_err("a server runs there");
    assert!(
        matches!(&refused, MoveError::Database(DestinationError::NodesRun { nodes, .. }) if nodes == "node 1"),
        "{refused}"
    );
    store.leave(node_id(1), 0).await.expect("left");
    store.close().await;
    moved(&path, &database).await.expect("moved");
    assert_same(&told_by(&database).await, &before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_match_is_named() {
    let ((folder, _), database) = (file().await, Database::new().expect("a database"));
    let path = folder.path().join("test.db");
    let damage = "UPDATE journal SET events = '[7]' WHERE first = 3 AND match = 4";
    File::open(&path).and_then(|file| file.run(damage)).expect("damaged");
    let refused = moved(&path, &database).await.expect_err("it cannot be read").to_string();
    assert!(refused.contains(&match_id(4).0.to_string()), "{refused}");
    assert_eq!(database.run("SELECT count(*) FROM matches").expect("read"), "0");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_of_unknown_outcome_is_found_out() {
    let (folder, before) = file().await;
    for is_committed in [false, true] {
        let database = Database::new().expect("a database");
        open_postgres(&database.url()).await.close().await;
        let path = folder.path().join(format!("{is_committed}.db"));
        fs::copy(folder.path().join("test.db"), &path).expect("copied");
        // The commit takes long; before it, or once it is made, the connection breaks.
        let slow = "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN \
             PERFORM pg_sleep(60); RETURN NEW; END$$; \
             CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON analyses DEFERRABLE INITIALLY DEFERRED \
             FOR EACH ROW EXECUTE FUNCTION slow()";
        database.run(slow).expect("made slow");
        let cut = async {
            let waiting = format!(
                "SELECT pid FROM pg_stat_activity WHERE datname = '{}' AND wait_event = 'PgSleep'",
                database.name()
            );
            let pid = loop {
                let pid = database.run(&waiting).expect("asked");
                if !pid.is_empty() {
                    break pid;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            };
            database.run(&format!("SELECT pg_terminate_backend({pid})")).expect("cut");
        };
        let (refused, ()) = tokio::join!(moved(&path, &database), cut);
        let refused = refused.expect_err("nobody knows");
        assert!(matches!(&refused, MoveError::Unknown { .. }) && refused.leaves_mark(), "{refused}");
        let opened = Store::open_file(&path, SqliteOptions::default()).await.err();
        assert!(matches!(opened, Some(OpenError::Moving { .. })), "{opened:?}");
        database.run("DROP FUNCTION slow CASCADE").expect("mended");
        if is_committed {
            // As if the answer alone had been lost.
            let copy = folder.path().join("copy.db");
            fs::copy(folder.path().join("test.db"), &copy).expect("copied");
            moved(&copy, &database).await.expect("moved");
        }
        let done = moved(&path, &database).await.expect("found out");
        assert_eq!(done.totals.is_none(), is_committed);
        assert_same(&told_by(&database).await, &before);
        let opened = Store::open_file(&path, SqliteOptions::default()).await.err();
        assert!(matches!(opened, Some(OpenError::Moved { .. })), "{opened:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_is_the_file_that_it_leads_to() {
    let ((folder, before), database) = (file().await, Database::new().expect("a database"));
    let path = folder.path().join("test.db");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let link = elsewhere.path().join("link.db");
    std::os::unix::fs::symlink(&path, &link).expect("linked");
    let server = open(&path).await;
    let refused = moved(&link, &database).await;
    assert!(matches!(refused, Err(MoveError::File(OpenError::InUse(_)))), "{refused:?}");
    server.close().await;
    moved(&link, &database).await.expect("moved");
    assert_same(&told_by(&database).await, &before);
    use_again(&link).await.expect("allowed");
    open(&path).await.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_has_lost_commits_is_not_moved() {
    let ((folder, _), database) = (file().await, Database::new().expect("a database"));
    let path = folder.path().join("test.db");
    let older = fs::read(&path).expect("a file");
    let store = open(&path).await;
    store.create(new_match(20)).await.expect("created");
    store.close().await;
    fs::write(&path, older).expect("put back");
    let refused = moved(&path, &database).await;
    assert!(matches!(refused, Err(MoveError::File(OpenError::LostCommits { .. }))), "{refused:?}");
    assert!(database.run("SELECT count(*) FROM matches").is_err(), "nothing was made there");
}
