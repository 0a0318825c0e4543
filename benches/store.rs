//! How many turns a second the file takes when many matches are played at once.
//!
//! `cargo bench --bench store -- MATCHES TURNS`: every match appends its turns one after
//! the other, waiting for each commit, as a match's task does.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use lusoria::store::{
    Append, MatchState, NewMatch, Store, Summary,
    sqlite::{SqliteOptions, SqliteStore},
};
use lusoria_dice::Secret;
use lusoria_play::{AbortReason, Event, MatchEnd, MatchId, Player, PlayerId, Recorded, Seat};
use lusoria_rules::Game;
use uuid::Uuid;

/// About as long as the two events of a turn: the turn with its position, and a throw.
const NAME_CHARS: usize = 500;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let (matches, turns) = match numbers[..] {
        [matches, turns, ..] => (matches, turns),
        _ => (500, 40),
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bench.db");
    let store = SqliteStore::open(&path, SqliteOptions::default()).await.expect("the file opens");
    let store: Arc<dyn Store> = Arc::new(store);

    let started = Instant::now();
    let tasks: Vec<_> = (0..matches).map(|_| tokio::spawn(play(Arc::clone(&store), turns))).collect();
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
}

/// Plays a match; how long each of its turns waited for its commit.
async fn play(store: Arc<dyn Store>, turns: usize) -> Vec<Duration> {
    let id = MatchId(Uuid::now_v7());
    let new = NewMatch {
        id,
        events: vec![recorded(1, 1, long())],
        secret: Secret::new([1; 32]),
        summary: summary(id),
        deadline: Some(1),
        invitation: None,
        key: None,
    };
    store.create(new).await.expect("created");
    let mut waits = Vec::with_capacity(turns);
    for head in (1..).step_by(2).take(turns) {
        let started = Instant::now();
        let short = Event::MatchEnded { end: MatchEnd::Aborted(AbortReason::Player(Seat::One)) };
        let append = Append {
            id,
            head,
            events: vec![recorded(head + 1, head + 1, long()), recorded(head + 2, head + 1, short)],
            summary: summary(id),
            deadline: Some(1_000_000 + u64::from(head)),
            key: None,
            spends: None,
            create: None,
        };
        store.append(append).await.expect("appended");
        waits.push(started.elapsed());
    }
    waits
}

fn recorded(seq: u32, first: u32, event: Event) -> Recorded {
    Recorded { seq, first, at: 1_700_000_000_000 + u64::from(seq), event }
}

fn long() -> Event {
    let player = Player { id: PlayerId(Uuid::nil()), name: "x".repeat(NAME_CHARS) };
    let seed = lusoria_play::Seed::try_from("seed".to_owned()).expect("a seed");
    Event::Joined { player, seed: lusoria_play::SeatSeed::Brought(seed) }
}

fn summary(id: MatchId) -> Summary {
    Summary {
        game: Game::Zeno,
        state: MatchState::Live,
        listed: true,
        seat1: PlayerId(id.0),
        seat2: Some(PlayerId(Uuid::nil())),
        waits_for: Some(PlayerId(id.0)),
        card: "x".repeat(200),
    }
}
