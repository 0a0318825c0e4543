//! Changes of settings, alone and at the same time as something else.

use std::sync::Arc;

use lusoria_protocol::Code;

use super::*;

/// As from two tabs: on two threads, so often that they meet.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_changes_at_once_are_both_made() {
    let world = World::of(1).await;
    let id = world.announce(&json!({})).await;
    for n in 0..200 {
        let edit = |change: Value| {
            let (app, organiser) = (Arc::clone(&world.inner.app), world.people[0].caller.clone());
            let change = from_value(change).expect("a change");
            tokio::spawn(async move { app.edit_tournament(&organiser, id, change).await })
        };
        let (name, description) = (format!("Cup {n}"), format!("The {n}th"));
        let edits = [edit(json!({"name": name})), edit(json!({"description": description}))];
        for edited in edits {
            edited.await.expect("no panic").expect("nobody has entered");
        }
        let seen = world.seen_by(0, id).await;
        assert_eq!((&seen["name"], &seen["description"]), (&json!(name), &json!(description)));
    }
}

#[tokio::test(start_paused = true)]
async fn a_format_for_fewer_lowers_the_most_entrants_to_what_it_admits() {
    let world = World::of(1).await;
    let knockout = json!({"format": {"kind": "knockout"}});
    for (conditions, entrants_max) in [(json!({}), 64), (json!({"entrants_max": 8}), 8)] {
        let id = world.announce(&json!({"conditions": conditions})).await;
        let edited = world.edit(id, knockout.clone()).await.expect("nobody has entered");
        assert_eq!(edited["entrants_max"], entrants_max, "{edited:#}");
    }
    let id = world.announce(&knockout).await;
    let change = json!({"format": {"kind": "round_robin", "ends_at": world.now() + 7_200_000},
        "conditions": {"entrants_max": 17}});
    assert_eq!(world.edit(id, change).await.expect_err("too many").code, Code::EntrantsMaxOutOfRange);
}

/// They have played a rated match of tablut only.
#[tokio::test(start_paused = true)]
async fn an_entry_while_the_game_is_changed_is_on_the_terms_of_the_game_that_is_played() {
    let world = World::of(4).await;
    let first = world.about_to_begin(&json!({"rated": true})).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let playing = world.seen_by(3, first).await["you"]["pairing"]["match"].clone();
    let playing: MatchId = from_value(playing).expect("a match");
    // So that it is no abort.
    for person in [0, 1, 2, 3].repeat(6) {
        world.play_turn(&world.people[person].caller, playing).await;
    }
    world.entry(3, first, json!({"command": "withdraw"})).await.expect("they may leave");
    tokio::time::sleep(Duration::from_secs(2)).await;
    let asks_for_one = json!({"rated": true, "conditions": {"rated_matches_min": 1}});
    let unchanged = world.announce(&asks_for_one).await;
    world.enter(3, unchanged).await;
    for _ in 0..4 {
        let id = world.announce(&asks_for_one).await;
        // The change is asked for first, and decided when the entry has been looked at.
        let edit = world.edit(id, json!({"game": "tavla"}));
        let (edited, entered) = tokio::join!(edit, world.entry(3, id, json!({"command": "enter"})));
        match (edited, entered) {
            (Ok(_), Err(problem)) => assert_eq!(problem.code, Code::TooFewRatedMatches),
            (Err(problem), Ok(_)) => assert_eq!(problem.code, Code::HasEntrants),
            both => panic!("{both:?}"),
        }
    }
}
