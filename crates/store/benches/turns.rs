//! How many turns a second the file takes when many matches are played at once.
//!
//! `cargo bench -p lusoria-store -- MATCHES TURNS [postgres]`: every match appends its turns one after
//! the other, waiting for each commit, as a match's task does. Beside it, as the limit, how
//! many could be had if rows of the same size were only inserted, as many at once as the
//! store ever does.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use lusoria_dice::Secret;
use lusoria_play::{
    Admission, BySeat, Clock, Colours, Event, Length, MatchId, Player, PlayerId, PlayerKind, Recorded, Seat,
    Terms,
};
use lusoria_rules::{Game, Variant};
use lusoria_services::postgres::Database;
use lusoria_store::{
    Append, Card, CardResult, Era, NewMatch, Store, Version,
    postgres::{PostgresOptions, PostgresStore},
    sqlite::{SqliteOptions, SqliteStore},
};
use rusqlite::Connection;
use uuid::Uuid;

/// As many turns as the store puts into one transaction at most.
const BATCH: usize = 256;

/// The tables that a turn changes, as migration 7 has them.
const TABLES: &str = "CREATE TABLE journal (arrival INTEGER NOT NULL PRIMARY KEY, match INTEGER NOT NULL, \
         before INTEGER, first INTEGER NOT NULL, last INTEGER NOT NULL, at INTEGER NOT NULL, \
         events TEXT NOT NULL, standing TEXT); \
     CREATE TABLE newest (match INTEGER NOT NULL PRIMARY KEY, arrival INTEGER NOT NULL, \
         last INTEGER NOT NULL); \
     CREATE TABLE deadlines (match INTEGER NOT NULL PRIMARY KEY, at INTEGER NOT NULL); \
     CREATE INDEX deadlines_at ON deadlines (at)";

/// What a turn writes there.
const JOURNAL: &str = "INSERT INTO journal (match, before, first, last, at, events, standing) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
const NEWEST: &str = "INSERT INTO newest (match, arrival, last) VALUES (?1, ?2, ?3) \
     ON CONFLICT (match) DO UPDATE SET arrival = excluded.arrival, last = excluded.last";
const DEADLINE: &str = "INSERT INTO deadlines (match, at) VALUES (?1, ?2) \
     ON CONFLICT (match) DO UPDATE SET at = excluded.at";
const STANDING: &str = r#"{"score":[0,0],"white":1,"waits_for":1,"turns":7,"result":"live"}"#;

/// What the journal has of a turn of tavla: the turn with its position, and the next throw.
const TURNED: &str = r#"{"type":"turned","seat":1,"side":"white","answers":40,"steps":[{"die":4,"from":"7","to":"3","pin":true},
    {"die":5,"from":"16","to":"11"}],"position":{"white":{"points":{"11":2,"12":1,"14":1,"16":1,"20":2,"24":7,"3":1},
    "supply":0,"bar":0,"off":0,"pinned":["14"],"exposed":false},"black":{"points":{"11":1,"13":1,"2":2,"21":2,"22":1,
    "23":1,"24":7},"supply":0,"bar":0,"off":0,"pinned":["22","13"],"exposed":false},"to_move":"black"},"clocks_ms":null}"#;
const THROWN: &str = r#"{"type":"thrown","seat":2,"side":"black","throw":19,"dice":[5,5]}"#;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let (matches, turns) = match numbers[..] {
        [matches, turns, ..] => (matches, turns),
        _ => (500, 40),
    };
    if std::env::args().any(|argument| argument == "postgres") {
        let database = Database::new().expect("a database");
        let store = PostgresStore::open(&database.url(), PostgresOptions::default()).await.expect("it opens");
        measure(&(Arc::new(store) as Arc<dyn Store>), matches, turns).await;
        return;
    }
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let path = folder.path().join("bench.db");
    let store = SqliteStore::open(&path, SqliteOptions::default()).await.expect("the file opens");
    let elapsed = measure(&(Arc::new(store) as Arc<dyn Store>), matches, turns).await;
    let bare = bare_inserts(&folder.path().join("bare.db"), matches, matches * turns);
    println!(
        "bare inserts, {BATCH} turns at once: {} turns/s; the store does {} % of that",
        (matches * turns) as u128 * 1_000_000 / bare.as_micros(),
        100 * bare.as_micros() / elapsed.as_micros()
    );
}

/// Plays all matches at once, and prints how that went. Returns how long it took.
async fn measure(store: &Arc<dyn Store>, matches: usize, turns: usize) -> Duration {
    let started = Instant::now();
    let tasks: Vec<_> = (0..matches).map(|_| tokio::spawn(play(Arc::clone(store), turns))).collect();
    let mut waits = Vec::with_capacity(matches * turns);
    for task in tasks {
        waits.extend(task.await.expect("a match"));
    }
    let elapsed = started.elapsed();
    waits.sort_unstable();
    let at = |part: usize| waits[(waits.len() - 1) * part / 1000];
    println!(
        "{matches} matches, {} turns: {} turns/s; wait 50 % {:?}, 99 % {:?}, longest {:?}",
        waits.len(),
        waits.len() as u128 * 1_000_000 / elapsed.as_micros(),
        at(500),
        at(990),
        at(1000)
    );
    store.close().await;
    elapsed
}

/// How long it takes to write the rows of so many turns with nothing else around it.
fn bare_inserts(path: &Path, matches: usize, turns: usize) -> Duration {
    let mut connection = Connection::open(path).expect("the file opens");
    connection.pragma_update(None, "journal_mode", "WAL").expect("set");
    connection.pragma_update(None, "synchronous", "FULL").expect("set");
    connection.execute_batch(TABLES).expect("a new file");
    let events = serde_json::to_string(&turn()).expect("plain data");
    let mut newest: Vec<Option<i64>> = vec![None; matches];

    let started = Instant::now();
    for first in (0..turns).step_by(BATCH) {
        let transaction = connection.transaction().expect("begun");
        for turn in first..turns.min(first + BATCH) {
            let (number, seq) = (turn % matches, 2 * (turn / matches) + 2);
            let at = 1_700_000_000_000 + seq;
            let mut insert = transaction.prepare_cached(JOURNAL).expect("a statement");
            let row = (number, newest[number], seq, seq + 1, at, &events, STANDING);
            let arrival = insert.insert(row).expect("inserted");
            newest[number] = Some(arrival);
            let mut upsert = transaction.prepare_cached(NEWEST).expect("a statement");
            upsert.execute((number, arrival, seq + 1)).expect("written");
            let mut upsert = transaction.prepare_cached(DEADLINE).expect("a statement");
            upsert.execute((number, 1_000_000 + seq)).expect("written");
        }
        transaction.commit().expect("committed");
    }
    started.elapsed()
}

/// Plays a match; how long each of its turns waited for its commit.
async fn play(store: Arc<dyn Store>, turns: usize) -> Vec<Duration> {
    let id = MatchId(Uuid::now_v7());
    let [turned, thrown] = turn();
    let new = NewMatch {
        id,
        events: vec![recorded(1, 1, thrown.clone())],
        secret: Secret::new([1; 32]),
        card: card(id),
        made_by: None,
        deadline: Some(1),
        invitation: None,
        key: None,
        answers: None,
    };
    store.create(new).await.expect("created");
    let mut waits = Vec::with_capacity(turns);
    for head in (1..).step_by(2).take(turns) {
        let started = Instant::now();
        let append = Append {
            id,
            of: Version { head, edition: 0 },
            era: Era::default(),
            events: vec![
                recorded(head + 1, head + 1, turned.clone()),
                recorded(head + 2, head + 1, thrown.clone()),
            ]
            .into(),
            card: card(id),
            deadline: Some(1_000_000 + u64::from(head)),
            key: None,
            spends: None,
            create: None,
            rates: None,
            unrates: false,
        };
        store.append(append).await.expect("appended");
        waits.push(started.elapsed());
    }
    waits
}

fn recorded(seq: u32, first: u32, event: Event) -> Recorded {
    Recorded { seq, first, at: 1_700_000_000_000 + u64::from(first), event }
}

/// The events of a turn.
fn turn() -> [Event; 2] {
    [TURNED, THROWN].map(|event| serde_json::from_str(event).expect("an event"))
}

fn card(id: MatchId) -> Card {
    let named = |id| Player { id, name: "Agathias".to_owned(), kind: PlayerKind::Person };
    Card {
        terms: Terms {
            variant: Variant::standard(Game::ALL[0]),
            length: Length::SINGLE,
            clock: Clock::None {},
            colours: Colours::Lot,
            admission: Admission::Open,
            rated: false,
        },
        players: BySeat(Some(named(PlayerId(id.0))), Some(named(PlayerId(Uuid::nil())))),
        score: BySeat(0, 0),
        white: Some(Seat::One),
        waits_for: Some(Seat::One),
        turns: 7,
        takebacks: 0,
        created_at: 1_700_000_000_000,
        updated_at: 1_700_000_000_000,
        result: CardResult::Live,
        draw_offer: None,
        rematch_offer: None,
    }
}
