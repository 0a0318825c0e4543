//! What a store promises, checked on all of them.

mod accounts;
mod alive;
mod analyses;
mod api_tokens;
mod backup;
mod challenges;
mod codes;
mod conditional;
mod damage;
mod departures;
mod doubt;
mod expiry;
mod fair_play;
mod game_counts;
mod guests;
mod journal;
mod lists;
mod model;
mod moderation;
mod moving;
mod nodes;
mod operating;
mod passkeys;
mod postgres;
mod preferences;
mod pushes;
mod races;
mod ratings;
mod seeks;
mod sessions;
mod sign_ups;
mod sqlite;
mod talk;

use std::{path::Path, sync::Arc};

use lusoria_dice::Secret;
use lusoria_play::{
    AbortReason, Admission, BySeat, Clock, Colours, Event, Length, MatchEnd, MatchId, Millis, Player,
    PlayerId, PlayerKind, Recorded, Seat, Terms,
};
use lusoria_rules::{Game, Variant};
use lusoria_store::{
    Append, Card, CardResult, Era, Guest, Invitation, KeyUse, MatchState, NewMatch, NewNode, NewSession,
    NodeId, SecretHash, SessionId, Store, Version, postgres::PostgresOptions, sqlite::SqliteOptions,
};
use uuid::Uuid;

/// Makes a test of each of these functions on each store.
macro_rules! on_all_stores {
    ($($test:ident),* $(,)?) => {
        crate::on_stores_of_one_node!($($test),*);

        mod shared_memory {
            $(#[tokio::test]
            async fn $test() {
                super::$test(std::sync::Arc::new(lusoria_store::Store::shared_in_memory(|| 1_000))).await;
            })*
        }

        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                let database = lusoria_services::postgres::Database::new().expect("a database");
                let store = crate::open_postgres(&database.url()).await;
                super::$test(store.clone()).await;
                store.close().await;
            })*
        }
    };
}

/// Makes a test of each of these functions on each store that one node has to itself.
macro_rules! on_stores_of_one_node {
    ($($test:ident),* $(,)?) => {
        mod memory {
            $(#[tokio::test]
            async fn $test() {
                super::$test(std::sync::Arc::new(lusoria_store::Store::in_memory())).await;
            })*
        }

        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                let folder = tempfile::tempdir().expect("a folder");
                let store = crate::open(&folder.path().join("test.db")).await;
                super::$test(store.clone()).await;
                store.close().await;
            })*
        }
    };
}
use {on_all_stores, on_stores_of_one_node};

/// Opens the database with the usual settings.
async fn open_postgres(url: &str) -> Arc<Store> {
    Arc::new(Store::open_server(url, PostgresOptions::default()).await.expect("the database opens"))
}

/// Opens the file with the usual settings.
async fn open(path: &Path) -> Arc<Store> {
    Arc::new(Store::open_file(path, SqliteOptions::default()).await.expect("the file opens"))
}

fn match_id(n: u32) -> MatchId {
    MatchId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 | u128::from(n)))
}

fn player(n: u32) -> PlayerId {
    PlayerId(Uuid::from_u128(0x4000_8000_0000_0000_0000 | u128::from(n)))
}

fn hash(n: u8) -> SecretHash {
    SecretHash([n; 32])
}

/// A session whose token has that hash.
fn session(n: u8) -> NewSession {
    NewSession { id: session_id(n), token: hash(n), device: (n % 2 == 1).then(|| format!("device {n}")) }
}

fn session_id(n: u8) -> SessionId {
    SessionId(Uuid::from_u128(0x4000_8000_0000_0000_5000 | u128::from(n)))
}

/// Whose token has that hash.
async fn guest_of(store: &Arc<Store>, token: u8) -> Option<Guest> {
    store.bearer(hash(token)).await.expect("read").map(|bearer| bearer.guest)
}

fn guest(n: u32) -> Guest {
    Guest {
        id: player(n),
        name: format!("guest {n}"),
        kind: PlayerKind::Person,
        created_at: 1_000 + Millis::from(n),
        blocked_at: None,
    }
}

fn key(guest: u32, key: &str) -> KeyUse {
    KeyUse { guest: player(guest), key: key.to_owned(), digest: [7; 32], at: 1_000 }
}

fn invitation(n: u8) -> Invitation {
    Invitation { hash: hash(n), expires_at: 5_000 }
}

/// That head, of a match that was never rewritten.
const fn version(head: u32) -> Version {
    Version { head, edition: 0 }
}

fn node_id(n: u32) -> NodeId {
    NodeId(Uuid::from_u128(0x4000_8000_0000_0000_6000 | u128::from(n)))
}

/// A node with that number in its id and its name.
fn node(n: u32) -> NewNode {
    NewNode { id: node_id(n), name: format!("node {n}"), release: "0.1.0".to_owned() }
}

/// The id of the history that a store's journals tell.
async fn history_of(store: &Store) -> Uuid {
    store.join(node(1), 0).await.expect("joined").history
}

/// Events that follow number `head`, as one append, at that time.
fn events(head: u32, count: u32, at: Millis) -> Vec<Recorded> {
    let event =
        |n| Recorded { seq: head + n, first: head + 1, at, event: Event::DrawOffered { seat: Seat::One } };
    (1..=count).map(event).collect()
}

/// A card of player 1 against player 2, once they have joined.
fn card(state: MatchState) -> Card {
    card_of(state, player(1), (state != MatchState::Open).then(|| player(2)))
}

/// A card of a match between these players.
fn card_of(state: MatchState, one: PlayerId, two: Option<PlayerId>) -> Card {
    let named = |name: &str, id| Player { id, name: name.to_owned(), kind: PlayerKind::Person };
    Card {
        terms: Terms {
            variant: Variant::standard(Game::Tavla),
            length: Length::SINGLE,
            clock: Clock::None {},
            colours: Colours::Lot,
            admission: Admission::Open,
            rated: false,
        },
        players: BySeat(Some(named("Zeno", one)), two.map(|two| named("Agathias", two))),
        score: BySeat(0, 0),
        white: None,
        waits_for: Some(Seat::One),
        turns: 0,
        takebacks: 0,
        created_at: 1_000,
        updated_at: 1_000,
        result: match state {
            MatchState::Open => CardResult::Open,
            MatchState::Live => CardResult::Live,
            MatchState::Finished => CardResult::Ended(MatchEnd::Aborted(AbortReason::Player(Seat::One))),
        },
        draw_offer: None,
        rematch_offer: None,
    }
}

/// A new open match by player 1, with one event.
fn new_match(n: u32) -> NewMatch {
    NewMatch {
        id: match_id(n),
        events: events(0, 1, 1_000),
        secret: Secret::new([9; 32]),
        card: card(MatchState::Open),
        made_by: None,
        deadline: Some(10_000),
        invitation: None,
        key: None,
        answers: None,
    }
}

/// An append of one event to match `n` with that head.
fn append(n: u32, head: u32) -> Append {
    Append {
        id: match_id(n),
        of: version(head),
        era: Era::default(),
        events: events(head, 1, 2_000).into(),
        card: card(MatchState::Live),
        deadline: Some(20_000),
        key: None,
        spends: None,
        create: None,
        rates: None,
        unrates: false,
    }
}
