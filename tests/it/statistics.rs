//! Statistics of the games: every finished match is counted once, and told.

use std::sync::Arc;

use lusoria::{
    app::{
        App,
        admin::{AdminAction, AdminOutcome},
    },
    config::Limits,
    live::{Cluster, ServerTime},
};
use lusoria_bus::Alone;
use lusoria_dice::Secret;
use lusoria_play::{Match, Millis, Seat};
use lusoria_rules::{Game, Variant};
use lusoria_statistics::{Counts, of_match};
use lusoria_store::{
    Append, Card, CountRow, Guest, NewMatch, NewSession, NodeId, SecretHash, SessionId, Store, Version,
};
use lusoria_testkit::{Table, player, terms};
use uuid::Uuid;

use crate::{
    http::{assert_problem, get},
    support::{
        database::{self, SharedStore},
        server::{app, node, server_over},
        store::{FailingStore, Fault},
    },
};

/// When the servers start.
const NOW: Millis = 2_000_000_000_000;

/// The people who sit in the seats of [`Table`].
async fn with_players(store: &Store) {
    for seat in Seat::BOTH {
        let of = player(seat);
        let session = NewSession {
            id: SessionId(Uuid::from_u128(u128::from(seat.number()))),
            token: SecretHash([seat.number(); 32]),
            device: None,
        };
        let guest = Guest { id: of.id, name: of.name, kind: of.kind, created_at: 0, blocked_at: None };
        store.add_guest(guest, session).await.expect("added");
    }
}

/// Stores a match as it was played, append by append.
async fn put(store: &Store, table: &Table) {
    let id = table.state().id();
    let mut appends = table.journal().chunk_by(|one, next| one.first == next.first);
    let first = appends.next().expect("a match has events").to_vec();
    let mut state = Match::from_journal(id, first.clone()).expect("a journal");
    let new = NewMatch {
        id,
        events: first,
        secret: Secret::new([1; 32]),
        card: Card::of(&state),
        made_by: None,
        deadline: None,
        invitation: None,
        key: None,
        answers: None,
    };
    store.create(new).await.expect("created");
    for events in appends {
        let of = Version { head: state.head(), edition: 0 };
        for recorded in events {
            state.fold(recorded).expect("they follow");
        }
        let append = Append {
            id,
            of,
            era: lusoria_store::Era::default(),
            events: events.to_vec().into(),
            card: Card::of(&state),
            deadline: None,
            key: None,
            spends: None,
            create: None,
            rates: None,
            unrates: false,
            tournament: None,
        };
        store.append(append).await.expect("appended");
    }
}

fn finished(game: Game, number: u64) -> Table {
    let mut table = Table::new(terms(Variant::standard(game)), number);
    table.play_out();
    table
}

/// Matches of that game in the store, and what they come to.
async fn play(store: &Store, game: Game, numbers: impl IntoIterator<Item = u64>) -> Vec<CountRow> {
    let mut all = Counts::default();
    for number in numbers {
        let table = finished(game, number);
        put(store, &table).await;
        all.extend(of_match(table.journal()).expect("it is counted").counts);
    }
    // As a store sorts them.
    let mut rows = all.rows();
    rows.sort();
    rows
}

/// Has nodes count until nothing waits.
async fn count(nodes: &[&Arc<App>], store: &Store) {
    let counting = futures_util::future::join_all(nodes.iter().map(|app| app.keep_counting()));
    let done = async {
        while store.game_counts(Game::Tavla).await.expect("read").waiting > 0 {
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
    };
    tokio::select! {
        _ = counting => unreachable!("they count for ever"),
        () = done => {}
    }
}

async fn rows(store: &Store, game: Game) -> Vec<CountRow> {
    store.game_counts(game).await.expect("read").rows
}

#[tokio::test(start_paused = true)]
async fn every_finished_match_is_counted_once_by_several_nodes() {
    let shared = SharedStore::new(|| NOW);
    let store = shared.connect();
    with_players(&store).await;
    let expected = play(&store, Game::Tavla, 0..40).await;
    let others = play(&store, Game::Tablut, 40..45).await;
    put(&store, &Table::new(terms(Variant::standard(Game::Tavla)), 99)).await;
    let start = async |number: u64| {
        let id = NodeId(Uuid::from_u128(number.into()));
        let cluster = Cluster { id, name: format!("node {number}"), bus: Arc::new(Alone::default()) };
        node(shared.connect(), cluster, NOW, number, &Limits::usual()).await.expect("started")
    };
    count(&[&start(1).await, &start(2).await], &store).await;
    assert_eq!(rows(&store, Game::Tavla).await, expected);
    assert_eq!(rows(&store, Game::Tablut).await, others);
}

/// Some matches are counted, some are not, when the counting ends; the next start goes on.
#[tokio::test(start_paused = true)]
async fn counting_goes_on_where_it_was_broken_off() {
    let store = database::store();
    with_players(&store).await;
    let expected = play(&store, Game::Tavla, 0..40).await;
    let app = app(Arc::clone(&store), NOW, 1, &Limits::usual()).await.expect("started");
    let waiting = async || store.game_counts(Game::Tavla).await.expect("read").waiting;
    assert_eq!(waiting().await, 40);
    tokio::select! {
        () = app.keep_counting() => unreachable!("it counts for ever"),
        () = async {
            while waiting().await == 40 {
                tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            }
        } => {}
    }
    assert!((1..40).contains(&waiting().await));
    count(&[&app], &store).await;
    assert_eq!(rows(&store, Game::Tavla).await, expected);
}

#[tokio::test(start_paused = true)]
async fn a_rebuild_gives_the_same_numbers() {
    let store = database::store();
    with_players(&store).await;
    let expected = play(&store, Game::Tavla, 0..20).await;
    let app = app(Arc::clone(&store), NOW, 1, &Limits::usual()).await.expect("started");
    count(&[&app], &store).await;
    assert_eq!(rows(&store, Game::Tavla).await, expected);
    let AdminOutcome::CountedAgain { matches, failed } =
        app.administer(AdminAction::CountAgain).await.expect("counted")
    else {
        panic!("another outcome")
    };
    assert_eq!((matches, failed.is_empty()), (20, true));
    assert_eq!(rows(&store, Game::Tavla).await, expected);
}

#[tokio::test(start_paused = true)]
async fn a_match_that_cannot_be_read_holds_up_no_other() {
    let store = FailingStore::default();
    let inner = store.store();
    with_players(&inner).await;
    let broken = finished(Game::Tavla, 100);
    put(&inner, &broken).await;
    let expected = play(&inner, Game::Tavla, 0..20).await;
    store.fail(broken.state().id(), Fault::Unreadable);
    let app = app(Arc::clone(&inner), NOW, 1, &Limits::usual()).await.expect("started");
    let AdminOutcome::CountedAgain { matches, failed } =
        app.administer(AdminAction::CountAgain).await.expect("counted")
    else {
        panic!("another outcome")
    };
    let failed: Vec<_> = failed.told().map(|(id, _)| id).collect();
    assert_eq!((matches, failed), (20, vec![broken.state().id().0]));
    assert_eq!(rows(&inner, Game::Tavla).await, expected);
    assert_eq!(inner.game_counts(Game::Tavla).await.expect("read").waiting, 1);
}

#[tokio::test]
async fn statistics_are_told_as_json_and_csv() {
    let store = database::store_in_real_time();
    with_players(&store).await;
    play(&store, Game::Zeno, 0..5).await;
    let server = server_over(store, ServerTime::from_system(), &[]).await;
    // It begins to count at its start.
    let list = loop {
        let list = get(&server, "/api/v1/statistics").await;
        assert_eq!(list.status, 200);
        if list.json()["waiting"] == 0 {
            break list;
        }
    };
    assert_eq!(list.header("cache-control"), Some("public, max-age=60"));
    assert_eq!(list.json()["games"][0], serde_json::json!({"game": "zeno", "matches": 5, "games": 5}));
    let zeno = get(&server, "/api/v1/statistics/zeno").await;
    assert_eq!((zeno.status, zeno.header("content-type")), (200, Some("application/json")));
    let table = &zeno.json()["tables"][0];
    assert_eq!(
        (&table["players"], &table["standard"], &table["games"]),
        (&"people".into(), &true.into(), &5.into())
    );
    assert_eq!(table["throws"][0]["dice"].as_array().expect("throws").len(), 56);
    assert_eq!(get(&server, "/api/v1/statistics/tablut").await.json()["tables"], serde_json::json!([]));
    let csv = get(&server, "/api/v1/statistics/zeno/counts.csv").await;
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(csv.header("content-disposition"), Some("attachment; filename=\"lusoria-zeno.csv\""));
    assert!(csv.body.starts_with("game,options,players,measure,side,first,kind,value,count\r\nzeno,"));
    for path in ["/api/v1/statistics/chess", "/api/v1/statistics/chess/counts.csv"] {
        assert_problem(&get(&server, path).await, 404, "no_such_game");
    }
    assert_problem(&get(&server, "/api/v1/statistics/zeno?from=1").await, 400, "invalid_query");
    server.stop().await;
}
