//! Help from an engine: who plays by one is flagged, who does not is not.

use std::time::Duration;

use futures_util::FutureExt;
use lusoria::{
    app::{
        Caller, TurnToPlay,
        admin::{AdminAction, AdminOutcome, AdminQuery, FlagDetails},
    },
    config::Limits,
};
use lusoria_play::{MatchId, PlayerId};
use lusoria_protocol::{JoinMatch, PlayTurn};
use lusoria_search::{Budget, Level, Player, choose};
use serde_json::{from_value, json};

use crate::{support::database, talk::World};

const START: u64 = 1_700_000_000_000;

/// Positions that the server values for each turn: few, so that this is quick.
const NODES: u32 = 2_500;

async fn world() -> World {
    let limits = Limits { analysis_nodes: NODES, ..Limits::usual() };
    World::at(database::store(), START, 3, &limits).await
}

/// A person with an account who plays like that level of the computer.
struct Person {
    caller: Caller,
    level: Level,
}

async fn person(world: &World, name: &str, level: &str) -> Person {
    let caller = world.guest(name).await;
    world.open_account(&caller, name, START).await;
    Person { caller, level: level.parse().expect("a level") }
}

/// A rated game of tabula, played to its end.
async fn play(world: &World, one: &Person, two: &Person) -> MatchId {
    let terms = json!({
        "game": "tabula", "rated": true, "clock": {"kind": "fischer", "base_ms": 900_000, "increment_ms": 9_000},
    });
    let made = world.app.create(&one.caller, &from_value(terms).expect("terms"), None).await.expect("made");
    let id = made.created.id;
    world.app.command(&two.caller, id, None, JoinMatch::default()).await.expect("joined");
    for seed in 0.. {
        let state = world.app.live().state(id).await.expect("a match");
        let Some(turn) = TurnToPlay::of(&state) else { break };
        let seat = state.waits_for().expect("a turn is to be played");
        let mover = state.player(seat).expect("both have sat down").id;
        let by = if mover == one.caller.id() { one } else { two };
        let choice = choose(&turn.decision(), Player::Level(by.level), Budget { nodes: 1_500 }, seed);
        let answers = state.to_play().expect("a turn is to be played").given_by;
        let turn = PlayTurn { seq: answers, steps: choice.steps };
        world.app.command(&by.caller, id, None, turn).await.expect("a legal turn");
    }
    let rated = world.app.live().state(id).await.expect("a match").rated().is_some();
    assert!(rated, "the match is rated");
    // So that the next one ends later.
    tokio::time::sleep(Duration::from_secs(1)).await;
    id
}

/// Lets the server look at what has ended for so long.
async fn check_for(world: &World, time: Duration) {
    let _ = tokio::time::timeout(time, world.app.keep_checking()).await;
}

async fn flags(world: &World, all: bool) -> Vec<FlagDetails> {
    let asked = AdminAction::Query(AdminQuery::Flags { all });
    match world.app.administer(asked).await.expect("asked") {
        AdminOutcome::Flags { flags } => flags,
        other => panic!("{other:?}"),
    }
}

fn flagged(flags: &[FlagDetails]) -> Vec<PlayerId> {
    flags.iter().map(|flag| PlayerId(flag.player.id)).collect()
}

#[tokio::test(start_paused = true)]
async fn who_plays_by_the_engine_is_flagged_and_who_does_not_is_not() {
    let world = world().await;
    let helped = person(&world, "Helped", "5").await;
    let honest = person(&world, "Honest", "2").await;
    let mut played = Vec::new();
    for _ in 0..4 {
        played.push(play(&world, &helped, &honest).await);
    }
    check_for(&world, Duration::from_mins(1)).await;
    assert_eq!(flags(&world, true).await, [], "four matches say nothing");
    for _ in 0..3 {
        played.push(play(&world, &helped, &honest).await);
    }
    check_for(&world, Duration::from_mins(1)).await;
    let found = flags(&world, false).await;
    assert_eq!(flagged(&found), [helped.caller.id()], "{found:?}");
    assert!(found[0].turns >= 150 && found[0].matches >= 5, "{found:?}");

    let shown = AdminAction::Query(AdminQuery::Flag { id: found[0].id });
    let AdminOutcome::Flag { flag, matches } = world.app.administer(shown).await.expect("asked") else {
        panic!("a flag")
    };
    assert_eq!(flag, found[0]);
    let told: Vec<MatchId> = matches.iter().map(|of| MatchId(of.of)).collect();
    played.reverse();
    assert_eq!(told, played, "the matches, those that ended last first");

    // The operator has looked: only later matches count for another flag.
    let close =
        AdminAction::CloseFlag { id: flag.id, note: Some("plays like this at the board, too".to_owned()) };
    world.app.administer(close.clone()).await.expect("closed");
    assert!(world.app.administer(close).await.is_err(), "once");
    play(&world, &helped, &honest).await;
    check_for(&world, Duration::from_mins(1)).await;
    assert_eq!(flags(&world, false).await, []);
    assert_eq!(flags(&world, true).await.len(), 1);
    let log = AdminAction::Query(AdminQuery::Log { guest: Some("Helped".to_owned()) });
    let AdminOutcome::Log { rows } = world.app.administer(log).await.expect("asked") else { panic!("rows") };
    assert_eq!(rows.iter().map(|row| row.act.column()).collect::<Vec<_>>(), ["close_flag"]);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_checks_nothing_keeps_nothing() {
    let limits = Limits { fair_play_checks_per_hour: 0, ..Limits::usual() };
    let world = World::at(database::store(), START, 3, &limits).await;
    world.app.keep_checking().now_or_never().expect("there is nothing to do");
    assert_eq!(world.store.matches_to_check(0, 9).await.expect("asked"), []);
}
