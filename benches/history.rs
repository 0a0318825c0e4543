//! The cost of stored matches: starting, lists, and a turn, with many finished matches in the file.
//!
//! `cargo bench --bench history -- MATCHES...`: for each number a file with as many
//! finished matches, in which the binary starts and the store is asked.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream};
use lusoria_dice::Secret;
use lusoria_play::{
    AbortReason, Admission, BySeat, Clock, Colours, Event, Length, MatchEnd, MatchId, Millis, Player,
    PlayerId, PlayerKind, Recorded, Seat, Terms,
};
use lusoria_rules::{Game, Variant};
use lusoria_store::{
    Append, Card, CardResult, Era, Guest, MatchFilter, MatchState, NewMatch, NewSession, SecretHash,
    SessionId, Store, Version, sqlite::SqliteOptions,
};
use uuid::Uuid;

/// Events of a stored match, and the size of each in characters.
const EVENTS: u32 = 4;
const EVENT_CHARS: usize = 300;
/// So many guests have played all the matches.
const GUESTS: u128 = 1_000;
/// Matches being made at once.
const AT_ONCE: usize = 512;
/// Rows of a page.
const PAGE: u32 = 100;
/// How often a single question is asked.
const ASKED: usize = 200;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let mut sizes: Vec<u32> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![1_000, 100_000];
    }
    println!("matches  size_mib  start_ms  page_us  last_page_us  rows_per_s  own_page_us  turn_us");
    for matches in sizes {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let path = folder.path().join("history.db");
        measure(&path, matches).await;
    }
}

async fn measure(path: &Path, matches: u32) {
    let store = open(path).await;
    let session = NewSession { id: SessionId(guest(0).0), token: SecretHash([0; 32]), device: None };
    let kind = PlayerKind::Person;
    let player = Guest { id: guest(0), name: "x".to_owned(), kind, created_at: 0, blocked_at: None };
    store.add_guest(player, session).await.expect("a new guest");
    let filled = stream::iter(0..matches).map(|n| fill(&store, n)).buffer_unordered(AT_ONCE);
    filled.for_each(|()| std::future::ready(())).await;
    store.close().await;
    let size_mib = std::fs::metadata(path).expect("the file").len() >> 20;

    let starts = (0..5).map(|_| start(path)).collect();
    let store = open(path).await;
    let (pages, rows, walked) = walk(&store).await;
    let last_pages = pages[pages.len().saturating_sub(ASKED)..].to_vec();
    let own = own_pages(&store).await;
    let turns = turns(&store).await;
    store.close().await;
    println!(
        "{matches:7}  {size_mib:8}  {:8}  {:7}  {:12}  {:10.0}  {:11}  {:7}",
        median(starts).as_millis(),
        median(pages).as_micros(),
        median(last_pages).as_micros(),
        f64::from(rows) / walked.as_secs_f64(),
        median(own).as_micros(),
        median(turns).as_micros(),
    );
}

async fn open(path: &Path) -> Store {
    Store::open_file(path, SqliteOptions::default()).await.expect("the file opens")
}

/// Stores a finished match.
async fn fill(store: &Store, n: u32) {
    let new = NewMatch {
        id: id(n),
        events: (1..=EVENTS).map(|seq| recorded(seq, 1)).collect(),
        secret: Secret::new([1; 32]),
        card: card(n, CardResult::Ended(aborted())),
        made_by: None,
        deadline: None,
        invitation: None,
        key: None,
        answers: None,
    };
    store.create(new).await.expect("created");
}

/// How long the binary takes until it prints its address.
fn start(path: &Path) -> Duration {
    let started = Instant::now();
    let mut server = Command::new(env!("CARGO_BIN_EXE_lusoria"))
        .args(["serve", "--listen", "127.0.0.1:0", "--log", "error", "--database"])
        .arg(path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut line = String::new();
    let stdout = server.stdout.take().expect("it is piped");
    BufReader::new(stdout).read_line(&mut line).expect("text");
    let took = started.elapsed();
    assert!(line.contains("listens"), "{line}");
    server.kill().expect("it was started here");
    server.wait().expect("it was started here");
    took
}

/// Walks through all public matches; how long each page took, the rows, and the whole.
async fn walk(store: &Store) -> (Vec<Duration>, u32, Duration) {
    let started = Instant::now();
    let (mut pages, mut rows, mut after) = (Vec::new(), 0, None);
    loop {
        let asked = Instant::now();
        let filter = MatchFilter::Listed { state: MatchState::Finished, game: None };
        let page = store.list(filter, after, PAGE).await.expect("a page");
        pages.push(asked.elapsed());
        rows += u32::try_from(page.rows.len()).expect("few rows");
        after = page.next;
        if after.is_none() {
            return (pages, rows, started.elapsed());
        }
    }
}

/// How long the first page of a player's own matches takes.
async fn own_pages(store: &Store) -> Vec<Duration> {
    let mut took = Vec::with_capacity(ASKED);
    for n in 0..ASKED as u128 {
        let asked = Instant::now();
        let filter = MatchFilter::Of { player: guest(n % GUESTS), state: None };
        store.list(filter, None, PAGE).await.expect("a page");
        took.push(asked.elapsed());
    }
    took
}

/// How long a turn takes, alone in its transaction.
async fn turns(store: &Store) -> Vec<Duration> {
    let live = id(u32::MAX);
    let new = NewMatch {
        id: live,
        events: vec![recorded(1, 1)],
        secret: Secret::new([1; 32]),
        card: card(0, CardResult::Live),
        made_by: None,
        deadline: Some(1),
        invitation: None,
        key: None,
        answers: None,
    };
    store.create(new).await.expect("created");
    let mut took = Vec::with_capacity(ASKED);
    for head in (1..).step_by(2).take(ASKED) {
        let append = Append {
            id: live,
            of: Version { head, edition: 0 },
            era: Era::default(),
            events: vec![recorded(head + 1, head + 1), recorded(head + 2, head + 1)].into(),
            card: card(0, CardResult::Live),
            deadline: Some(Millis::from(head)),
            key: None,
            spends: None,
            create: None,
            rates: None,
            unrates: false,
            tournament: None,
        };
        let asked = Instant::now();
        store.append(append).await.expect("appended");
        took.push(asked.elapsed());
    }
    took
}

fn median(mut took: Vec<Duration>) -> Duration {
    took.sort_unstable();
    took[took.len() / 2]
}

/// Ids of version 7: they sort by time, and end in what looks random.
fn id(n: u32) -> MatchId {
    let random = u128::from(n).wrapping_mul(0x9e37_79b9_7f4a_7c15) & 0x3fff_ffff_ffff_ffff;
    MatchId(Uuid::from_u128(
        (0x0190_0000_0000 + u128::from(n)) << 80 | 0x7000 << 64 | 0x8000_0000_0000_0000 | random,
    ))
}

fn guest(n: u128) -> PlayerId {
    PlayerId(Uuid::from_u128(0x4000_8000_0000_0000_0000 | n))
}

fn recorded(seq: u32, first: u32) -> Recorded {
    let event = if seq == EVENTS {
        Event::MatchEnded { end: aborted() }
    } else {
        let player = Player { id: guest(0), name: "x".repeat(EVENT_CHARS), kind: PlayerKind::Person };
        let seed = lusoria_play::Seed::try_from("seed".to_owned()).expect("a seed");
        Event::Joined { player, seed: lusoria_play::SeatSeed::Brought(seed) }
    };
    // The events of an append happened at one time.
    Recorded { seq, first, at: 1_700_000_000_000 + Millis::from(first), event }
}

fn aborted() -> MatchEnd {
    MatchEnd::Aborted(AbortReason::Player(Seat::One))
}

fn card(n: u32, result: CardResult) -> Card {
    let named = |id| Player { id, name: "x".repeat(20), kind: PlayerKind::Person };
    Card {
        tournament: None,
        terms: Terms {
            variant: Variant::standard(Game::ALL[n as usize % Game::ALL.len()]),
            length: Length::SINGLE,
            clock: Clock::None {},
            colours: Colours::Lot,
            admission: Admission::Open,
            rated: false,
        },
        players: BySeat(
            Some(named(guest(u128::from(n) % GUESTS))),
            Some(named(guest(u128::from(n / 7) % GUESTS))),
        ),
        score: BySeat(0, 0),
        white: Some(Seat::One),
        waits_for: None,
        turns: 7,
        takebacks: 0,
        created_at: 1_700_000_000_000,
        updated_at: 1_700_000_000_000,
        result,
        draw_offer: None,
        takeback_offer: None,
        rematch_offer: None,
    }
}
