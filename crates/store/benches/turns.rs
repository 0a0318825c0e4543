//! How many turns a second the file takes when many matches are played at once.
//!
//! `cargo bench -p lusoria-store -- MATCHES TURNS [postgres]`: every match appends its turns one after
//! the other, waiting for each commit, as a match does. Beside it, as the limit, how
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
use lusoria_services::{postgres::Database, sqlite::File};
use lusoria_store::{
    Append, Card, CardResult, Era, NewMatch, Store, Version, postgres::PostgresOptions, sqlite::SqliteOptions,
};
use uuid::Uuid;

/// As many turns as the store puts into one transaction at most.
const BATCH: usize = 256;

/// The tables that a turn changes, as the first migration has them.
const TABLES: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
     CREATE TABLE journal (arrival integer NOT NULL PRIMARY KEY, match integer NOT NULL, before integer, \
         first bigint NOT NULL, last bigint NOT NULL, at bigint NOT NULL, events text NOT NULL, \
         standing text); \
     CREATE TABLE newest (match integer NOT NULL PRIMARY KEY, arrival integer NOT NULL, \
         last bigint NOT NULL); \
     CREATE TABLE deadlines (match integer NOT NULL PRIMARY KEY, at bigint NOT NULL); \
     CREATE INDEX deadlines_at ON deadlines (at)";
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
        let store = Store::open_server(&database.url(), PostgresOptions::default()).await.expect("it opens");
        measure(&(Arc::new(store) as Arc<Store>), matches, turns).await;
        return;
    }
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let path = folder.path().join("bench.db");
    let store = Store::open_file(&path, SqliteOptions::default()).await.expect("the file opens");
    let elapsed = measure(&(Arc::new(store) as Arc<Store>), matches, turns).await;
    let bare = bare_inserts(&folder.path().join("bare.db"), matches, matches * turns);
    println!(
        "bare inserts, {BATCH} turns at once: {} turns/s; the store does {} % of that",
        (matches * turns) as u128 * 1_000_000 / bare.as_micros(),
        100 * bare.as_micros() / elapsed.as_micros()
    );
}

/// Plays all matches at once, and prints how that went. Returns how long it took.
async fn measure(store: &Arc<Store>, matches: usize, turns: usize) -> Duration {
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
    let file = File::create(path).expect("the file opens");
    file.run(TABLES).expect("a new file");
    let events = serde_json::to_string(&turn()).expect("plain data");

    let started = Instant::now();
    for first in (0..turns).step_by(BATCH) {
        let end = turns.min(first + BATCH);
        // The turns of a match are as many arrivals apart as there are matches.
        let batch = format!(
            "WITH RECURSIVE turns (turn) AS \
                 (SELECT {first} UNION ALL SELECT turn + 1 FROM turns WHERE turn < {end} - 1), \
             batch AS (SELECT turn + 1 AS arrival, turn % {matches} AS match, \
                 2 * (turn / {matches}) + 2 AS seq FROM turns)"
        );
        let inserts = format!(
            "BEGIN; \
             {batch} INSERT INTO journal \
                 SELECT arrival, match, CASE WHEN arrival > {matches} THEN arrival - {matches} END, \
                     seq, seq + 1, 1700000000000 + seq, '{events}', '{STANDING}' FROM batch; \
             {batch} INSERT INTO newest SELECT match, arrival, seq + 1 FROM batch WHERE true \
                 ON CONFLICT (match) DO UPDATE SET arrival = excluded.arrival, last = excluded.last; \
             {batch} INSERT INTO deadlines SELECT match, 1000000 + seq FROM batch WHERE true \
                 ON CONFLICT (match) DO UPDATE SET at = excluded.at; \
             COMMIT"
        );
        file.run(&inserts).expect("committed");
    }
    started.elapsed()
}

/// Plays a match; how long each of its turns waited for its commit.
async fn play(store: Arc<Store>, turns: usize) -> Vec<Duration> {
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
            tournament: None,
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
        tournament: None,
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
        takeback_offer: None,
        rematch_offer: None,
    }
}
