//! Turns of matches that are over, compared with the best ones by playing them on.

use std::{net::IpAddr, sync::Arc, time::Duration};

use lusoria::app::ClientAddress;
use lusoria_play::MatchId;
use lusoria_protocol::{AnalysisState, Event, EventKind, Problem, TurnRollout};
use serde_json::json;

use super::{
    analysis::{given_up, over, world_with},
    world::{ADDRESS, World},
};
use crate::support::database;

/// As few games as there can be.
const FEW: [&str; 2] = ["--rollout-games", "36"];

/// A match that is over, with its events.
async fn match_of_tavla(world: &World) -> (MatchId, Vec<Event>) {
    let id = over(world, json!({"game": "tavla", "opponent": {"computer": 1}})).await;
    let record = world.app.record(id, ADDRESS).await.expect("a record");
    (id, record.events)
}

/// The events in which a turn was played, the last one first.
fn turns(events: &[Event]) -> impl Iterator<Item = u32> {
    events.iter().rev().filter(|event| matches!(event.kind, EventKind::Turned { .. })).map(|event| event.seq)
}

async fn asked(world: &World, id: MatchId, seq: u32) -> Result<TurnRollout, Problem> {
    world.app.rollout(id, seq, ADDRESS).await.map(Arc::unwrap_or_clone)
}

/// Asks until it is ready.
async fn until_ready(world: &World, id: MatchId, seq: u32) -> TurnRollout {
    for _ in 0..100_000 {
        let rollout = asked(world, id, seq).await.expect("a turn with a choice");
        if rollout.state == AnalysisState::Ready {
            return rollout;
        }
        assert_eq!((rollout.id, rollout.seq, rollout.games_max), (id, seq, 36));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it never is");
}

/// The last turn of a match in which something was chosen.
async fn last_choice(world: &World, id: MatchId, events: &[Event]) -> u32 {
    for seq in turns(events) {
        match asked(world, id, seq).await {
            Ok(_) => return seq,
            Err(problem) => assert_eq!(problem.code.as_str(), "no_choice"),
        }
    }
    panic!("nobody chose anything");
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_was_played_is_compared_with_the_best_ones() {
    let store = database::store();
    let world = world_with(store.clone(), &FEW).await;
    world.analyse();
    let (id, events) = match_of_tavla(&world).await;
    let seq = last_choice(&world, id, &events).await;
    let rollout = until_ready(&world, id, seq).await;
    assert_eq!((rollout.games, rollout.games_max), (36, 36));
    assert!(rollout.turns.len() > 1, "{rollout:?}");
    assert_eq!(rollout.turns.iter().filter(|turn| turn.played).count(), 1, "{rollout:?}");
    assert_eq!((rollout.turns[0].behind, rollout.turns[0].behind_error), (0.0, 0.0));
    assert!(rollout.turns.is_sorted_by(|a, b| a.behind <= b.behind), "{rollout:?}");
    for turn in &rollout.turns {
        assert_eq!(turn.games, 36);
        assert!((0.0..=1.0).contains(&turn.behind) && !turn.notation.is_empty(), "{turn:?}");
    }
    // It is remembered, and another server finds the same.
    assert_eq!(asked(&world, id, seq).await.as_ref(), Ok(&rollout));
    world.stop().await;
    let again = world_with(store, &FEW).await;
    again.analyse();
    assert_eq!(until_ready(&again, id, seq).await, rollout);
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_compared_is_refused() {
    let world = world_with(database::store(), &FEW).await;
    let (id, events) = match_of_tavla(&world).await;
    let head = events.last().expect("events").seq;
    let code = async |id, seq| asked(&world, id, seq).await.expect_err("a refusal").code.as_str();
    assert_eq!(code(id, 0).await, "no_choice");
    assert_eq!(code(id, 1).await, "no_choice", "the match was made");
    assert_eq!(code(id, head + 1).await, "ahead_of_journal");
    let tablut = given_up(&world).await;
    let record = world.app.record(tablut, ADDRESS).await.expect("a record");
    assert_eq!(code(tablut, turns(&record.events).next().expect("a turn")).await, "no_choice");
    let (_, played) = world.made(json!({"game": "tavla", "opponent": {"computer": 1}})).await;
    assert_eq!(code(played, 1).await, "match_not_over");
}

#[tokio::test(start_paused = true)]
async fn few_wait_and_fewer_of_one_address() {
    let flags = [&FEW[..], &["--costly-per-address", "2", "--rollouts-waiting", "3"]].concat();
    let world = world_with(database::store(), &flags).await;
    let (id, events) = match_of_tavla(&world).await;
    // Nothing is worked out here, so all of them wait.
    let mut asked_for = 0;
    let mut refused = None;
    for seq in turns(&events) {
        match asked(&world, id, seq).await {
            Ok(rollout) => {
                assert_eq!((rollout.state, rollout.games), (AnalysisState::Pending, 0));
                asked_for += 1;
            }
            Err(problem) if problem.code.as_str() == "no_choice" => {}
            Err(problem) => {
                refused = Some((seq, problem.code.as_str()));
                break;
            }
        }
    }
    let (seq, code) = refused.expect("it is enough");
    assert_eq!((asked_for, code), (2, "too_many_requests"));
    let elsewhere = |nth| ClientAddress(IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, nth)));
    world.app.rollout(id, seq, elsewhere(1)).await.expect("another address may ask");
    let more = turns(&events).filter(|&other| other < seq);
    let mut codes = Vec::new();
    for other in more {
        if let Err(problem) = world.app.rollout(id, other, elsewhere(2)).await {
            codes.push(problem.code.as_str());
        }
    }
    assert!(codes.contains(&"unavailable"), "{codes:?}");
}
