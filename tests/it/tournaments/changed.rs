//! Changes of settings, alone and at the same time as something else.

use lusoria_protocol::Code;

use super::*;

#[tokio::test(start_paused = true)]
async fn two_changes_at_once_are_both_made() {
    let world = World::of(1).await;
    let id = world.announce(&json!({})).await;
    let (name, description) = tokio::join!(
        world.edit(id, json!({"name": "Our Cup"})),
        world.edit(id, json!({"description": "Come"})),
    );
    name.and(description).expect("nobody has entered");
    let seen = world.seen_by(0, id).await;
    assert_eq!((&seen["name"], &seen["description"]), (&json!("Our Cup"), &json!("Come")), "{seen:#}");
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

/// They have played rated matches of tablut only.
#[tokio::test(start_paused = true)]
async fn whoever_enters_while_the_game_is_changed_enters_on_the_terms_of_the_game_that_is_played() {
    let world = World::of(4).await;
    let first = world.about_to_begin(&json!({"rated": true})).await;
    world.play_on(first, Duration::from_secs(5), Duration::from_hours(2)).await;
    for _ in 0..8 {
        let id = world.announce(&json!({"rated": true, "conditions": {"rated_matches_min": 1}})).await;
        let enter = world.entry(1, id, json!({"command": "enter"}));
        let (entered, edited) = tokio::join!(enter, world.edit(id, json!({"game": "tavla"})));
        match (entered, edited) {
            (Ok(_), Err(problem)) => assert_eq!(problem.code, Code::HasEntrants),
            (Err(problem), Ok(_)) => assert_eq!(problem.code, Code::TooFewRatedMatches),
            both => panic!("{both:?}"),
        }
    }
}
