//! Hints.

use std::sync::Arc;

use lusoria_protocol::{Chances, Hint, JoinMatch};
use serde_json::json;

use super::world::{ADDRESS, Anything, World, is_turn_of};

#[tokio::test(start_paused = true)]
async fn a_player_against_the_computer_gets_the_best_turns_as_hints() {
    let world = World::new(Arc::new(Anything::default())).await;
    for game in ["zeno", "tavla", "scripta", "tabula", "tablut"] {
        let (guest, id) = world.against(game, 1).await;
        let state = world.until_turn(id, &guest).await;
        let hint = world.app.hint(&guest, id, ADDRESS).await.expect("their turn");
        assert_eq!(Some(hint.seq), state.to_play().map(|to_play| to_play.given_by), "{game}");
        assert!((1..=5).contains(&hint.turns.len()), "{game}: {hint:?}");
        assert!(hint.turns[0].lost.abs() < f32::EPSILON, "{game}: {hint:?}");
        assert!(hint.turns.is_sorted_by(|one, next| one.lost <= next.lost), "{game}: {hint:?}");
        told_in(&hint, super::analysis::score);
        for turn in hint.turns {
            let question = lusoria_protocol::LegalQuestion { steps: turn.steps };
            let legal = world.app.legal(None, id, &question).await.expect("legal steps");
            assert!(legal.complete, "{game}");
            assert_eq!(legal.notation, turn.notation, "{game}");
            let value = turn.value;
            for chance in [value.win, value.win_double, value.lose_double, value.draw] {
                assert!((0.0..=1.0).contains(&chance), "{game}: {value:?}");
            }
        }
        let stranger = world.guest(false).await;
        let refused = world.app.hint(&stranger, id, ADDRESS).await.expect_err("not theirs");
        assert_eq!(refused.code.as_str(), "no_hints", "{game}");
    }
}

/// What is lost is told as an analysis tells it.
fn told_in(hint: &Hint, worth: fn(&Chances) -> f32) {
    for turn in &hint.turns {
        let lost = worth(&hint.turns[0].value) - worth(&turn.value);
        assert!((turn.lost - lost).abs() < 0.001, "{hint:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn in_a_series_points_are_lost_else_chances() {
    let world = World::new(Arc::new(Anything::default())).await;
    let (guest, id) = world.made(json!({"game": "tavla", "points": 5, "opponent": {"computer": 1}})).await;
    let mut mistakes = 0;
    for _ in 0..5 {
        world.until_turn(id, &guest).await;
        let hint = world.app.hint(&guest, id, ADDRESS).await.expect("their turn");
        told_in(&hint, super::analysis::points);
        mistakes += hint.turns.iter().filter(|turn| turn.lost > 0.01).count();
        world.play(&guest, id).await;
    }
    assert!(mistakes > 0, "points and chances differ");
}

#[tokio::test(start_paused = true)]
async fn no_hints_against_a_person_or_out_of_turn() {
    let world = World::new(Arc::new(Anything::default())).await;
    let (one, two) = (world.guest(false).await, world.guest(true).await);
    let id = world.create(&one, json!({"game": "tablut"})).await;
    let refused = world.app.hint(&one, id, ADDRESS).await.expect_err("nobody has come");
    assert_eq!(refused.code.as_str(), "not_playing");
    world.app.command(&two, id, None, JoinMatch::default()).await.expect("an open match");
    for player in [&one, &two] {
        let refused = world.app.hint(player, id, ADDRESS).await.expect_err("people play");
        assert_eq!((refused.status, refused.code.as_str()), (409, "no_hints"));
    }
    let both = world.create(&one, json!({"game": "tablut", "admission": "both_seats"})).await;
    assert!(!world.app.hint(&one, both, ADDRESS).await.expect("their own game").turns.is_empty());

    let idle = World::with(&[]).await;
    let (guest, id) =
        idle.made(json!({"game": "tablut", "side": "defenders", "opponent": {"computer": 1}})).await;
    assert!(!is_turn_of(&*idle.state(id).await, &guest));
    let refused = idle.app.hint(&guest, id, ADDRESS).await.expect_err("it is the computer's turn");
    assert_eq!(refused.code.as_str(), "no_hints");
}

#[tokio::test(start_paused = true)]
async fn hints_are_limited_by_the_minute() {
    let world = World::with(&["--hints-per-minute", "2"]).await;
    let (guest, id) =
        world.made(json!({"game": "tablut", "side": "attackers", "opponent": {"computer": 1}})).await;
    for _ in 0..2 {
        world.app.hint(&guest, id, ADDRESS).await.expect("a hint");
    }
    let refused = world.app.hint(&guest, id, ADDRESS).await.expect_err("too many");
    assert_eq!(refused.code.as_str(), "too_many_requests");
    assert!(refused.retry_after_s.is_some());
}
