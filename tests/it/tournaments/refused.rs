//! What tournaments refuse, each with a code of its own; nothing changes.

use lusoria::app::admin::{AdminAction, Grounds};
use lusoria_protocol::Code;

use super::*;

async fn heads(world: &World) -> usize {
    let page = world.inner.store.tournaments(lusoria_store::TournamentFilter::All, None, 100).await;
    page.expect("read").rows.len()
}

#[tokio::test(start_paused = true)]
async fn settings_out_of_range_have_codes_of_their_own() {
    let world = World::of(1).await;
    let now = world.now();
    let live = json!({"kind": "fischer", "base_ms": 60_000, "increment_ms": 0});
    for (more, code) in [
        (json!({"begins_at": now - 1}), "begins_in_the_past"),
        (json!({"begins_at": now + 366 * 86_400_000}), "begins_too_late"),
        (json!({"format": {"kind": "swiss", "rounds": 0}}), "rounds_out_of_range"),
        (json!({"format": {"kind": "swiss", "rounds": 16}}), "rounds_out_of_range"),
        (json!({"format": {"kind": "swiss", "every_ms": 1}}), "every_out_of_range"),
        (json!({"format": {"kind": "arena", "lasts_ms": 1}}), "lasts_out_of_range"),
        (
            json!({"format": {"kind": "arena", "lasts_ms": 3_600_000}, "clock": {"kind": "days", "days": 1}}),
            "arena_by_correspondence",
        ),
        (json!({"format": {"kind": "round_robin", "ends_at": now}}), "ends_at_out_of_range"),
        (
            json!({"format": {"kind": "knockout", "points_more_by_round": 2}, "games": 2}),
            "points_more_out_of_range",
        ),
        (json!({"clock": {"kind": "none"}}), "tournament_needs_clock"),
        (json!({"name": " "}), "tournament_name"),
        (json!({"name": "a\u{200b}b"}), "tournament_name"),
        (json!({"name": "x".repeat(61)}), "tournament_name"),
        (json!({"description": "x".repeat(2_001)}), "tournament_description"),
        (json!({"wait_ms": 1}), "wait_out_of_range"),
        (json!({"conditions": {"entrants_max": 501}}), "entrants_max_out_of_range"),
        (json!({"conditions": {"rating_min": 2, "rating_max": 1}}), "rating_range_empty"),
        (json!({"game": "zeno", "clock": live, "rated": true}), "not_rated"),
        (json!({"options": {"mother": "double_loss"}}), "unknown_option"),
    ] {
        let Err(problem) = world.try_announce(&more).await else { panic!("{more} was admitted") };
        assert_eq!(problem.code.as_str(), code, "{more}: {}", problem.detail);
    }
    assert_eq!(heads(&world).await, 0);
    for _ in 0..10 {
        world.announce(&json!({})).await;
    }
    let problem = world.try_announce(&json!({})).await.expect_err("too many");
    assert_eq!((problem.code, problem.limit), (Code::TooManyTournaments, Some(10)));
}

#[tokio::test(start_paused = true)]
async fn entries_and_directions_are_refused_with_codes_of_their_own() {
    let mut world = World::of(5).await;
    let guest = world.inner.guest("Nobody").await;
    world.people.push(Person { caller: guest, vanishes_at: None });
    let conditions = json!({"code": "ides of march", "entrants_max": 4});
    let format = json!({"kind": "swiss", "rounds": 3, "every_ms": 1_800_000});
    let id = world.announce(&json!({"format": format, "conditions": conditions})).await;
    let refused = async |person: usize, command: Value| {
        let before = world.seen_by(0, id).await["head"].clone();
        let Err(problem) = world.entry(person, id, command.clone()).await else { panic!("{command}") };
        assert_eq!(world.seen_by(0, id).await["head"], before, "{command}");
        problem.code.as_str()
    };
    let enter = |code: &str| json!({"command": "enter", "code": code});
    assert_eq!(refused(1, json!({"command": "enter"})).await, "wrong_code");
    assert_eq!(refused(1, enter("ides")).await, "wrong_code");
    assert_eq!(refused(5, enter("ides of march")).await, "account_needed");
    assert_eq!(refused(1, json!({"command": "here"})).await, "not_entered");
    for person in 0..4 {
        world.entry(person, id, enter(" ides of march ")).await.expect("they may enter");
    }
    assert_eq!(refused(1, enter("ides of march")).await, "already_entered");
    assert_eq!(refused(4, enter("ides of march")).await, "tournament_full");
    assert_eq!(refused(1, json!({"command": "ask_bye", "round": 9})).await, "no_such_round");

    let directed = async |person: usize, command: Value| {
        let request = from_value(command.clone()).expect("a command");
        let caller = &world.people[person].caller;
        let before = world.seen_by(0, id).await["head"].clone();
        let answer = world.inner.app.direct_tournament(caller, id, &request).await;
        match answer {
            Err(problem) => {
                assert_eq!(world.seen_by(0, id).await["head"], before, "{command}");
                problem.code.as_str()
            }
            Ok(_) => "done",
        }
    };
    let pair = |pairs: &[(u16, u16)]| {
        let pairs: Vec<_> =
            pairs.iter().map(|(first, second)| json!({"first": first, "second": second})).collect();
        json!({"command": "pair", "pairings": pairs})
    };
    assert_eq!(directed(1, json!({"command": "start"})).await, "not_the_organiser");
    assert_eq!(directed(0, json!({"command": "stop", "reason": "\u{200b}"})).await, "tournament_reason");
    assert_eq!(directed(0, json!({"command": "next_round", "round": 1})).await, "no_such_round");
    // The first round is played; the second opens half an hour later.
    tokio::time::sleep(Duration::from_millis(20 * MINUTE_MS)).await;
    for _ in 0..300 {
        for person in 0..4 {
            world.act(person, id).await;
        }
        tokio::time::sleep(Duration::from_secs(3)).await;
    }
    assert_eq!(world.seen_by(0, id).await["round"], 1);
    assert_eq!(directed(0, pair(&[(1, 1), (2, 3)])).await, "paired_with_self");
    assert_eq!(directed(0, pair(&[(1, 2), (2, 3)])).await, "paired_twice");
    assert_eq!(directed(0, pair(&[(1, 2)])).await, "entrants_left_out");
    assert_eq!(directed(0, pair(&[])).await, "no_pairings");
    let result =
        json!({"command": "set_result", "pairing": 99, "half_points": [2, 0], "reason": "A mistake"});
    assert_eq!(directed(0, result).await, "no_such_pairing");
    let result = json!({"command": "set_result", "pairing": 1, "half_points": [2, 2], "reason": "A mistake"});
    assert_eq!(directed(0, result).await, "half_points_out_of_range");
    let edited = world.edit(id, json!({"game": "tavla"})).await;
    assert_eq!(edited.expect_err("too late").code, Code::TournamentHasBegun);
    assert_eq!(directed(0, pair(&[(1, 2), (3, 4)])).await, "done");
    assert_eq!(
        directed(0, json!({"command": "next_round", "round": 1})).await,
        "done",
        "it was closed before"
    );
    assert_eq!(world.seen_by(0, id).await["round"], 2, "and nothing has changed");
}

#[tokio::test(start_paused = true)]
async fn a_code_is_tried_ten_times_and_no_more() {
    let world = World::of(3).await;
    let id = world.announce(&json!({"conditions": {"code": "1234"}})).await;
    let open = world.announce(&json!({})).await;
    for code in 0..10 {
        let tried = world.entry(1, id, json!({"command": "enter", "code": code.to_string()})).await;
        assert_eq!(tried.expect_err("it is another one").code, Code::WrongCode);
    }
    let right = json!({"command": "enter", "code": "1234"});
    let tried = world.entry(1, id, right.clone()).await;
    assert_eq!(tried.expect_err("they have guessed too often").code, Code::TooManyRequests);
    world.entry(2, id, right).await.expect("others may");
    world.enter(1, open).await;
}

#[tokio::test(start_paused = true)]
async fn an_entry_in_the_last_moment_is_in_with_a_pairing_or_refused() {
    for (early_ms, is_in) in [(1, true), (0, false)] {
        let world = World::of(5).await;
        let id = world.announce(&json!({"format": {"kind": "knockout"}})).await;
        for person in 0..4 {
            world.enter(person, id).await;
        }
        tokio::time::sleep(Duration::from_millis(29 * MINUTE_MS)).await;
        for person in 0..4 {
            world.entry(person, id, json!({"command": "here"})).await.expect("check-in is open");
        }
        tokio::time::sleep(Duration::from_millis(MINUTE_MS - early_ms)).await;
        let entered = world.entry(4, id, json!({"command": "enter"})).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        let pairings = world.pairings(id).await;
        let is_there = pairings.to_string().contains(&world.people[4].id());
        assert_eq!((entered.is_ok(), is_there), (is_in, is_in), "{pairings:#}");
        if let Err(problem) = entered {
            assert_eq!(problem.code, Code::EntryClosed);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_banned_entrant_may_only_withdraw_and_a_blocked_one_holds_nobody_up() {
    let mut world = World::of(6).await;
    let id = world.announce(&json!({"format": {"kind": "swiss", "rounds": 2}})).await;
    for person in 0..6 {
        world.enter(person, id).await;
    }
    let administer = |act: AdminAction| {
        let app = std::sync::Arc::clone(&world.inner.app);
        async move { app.administer(act).await.expect("done") }
    };
    let grounds = Grounds { say: None, note: None, report: None };
    administer(AdminAction::Ban { guest: world.people[1].id(), for_ms: None, grounds }).await;
    let banned = world.inner.app.authenticate_again(&world.people[1].caller).await.expect("a token");
    world.people[1].caller = banned;
    for command in [json!({"command": "here"}), json!({"command": "enter"})] {
        let problem = world.entry(1, id, command).await.expect_err("banned");
        assert_eq!(problem.code, Code::Banned);
    }
    world.entry(1, id, json!({"command": "withdraw"})).await.expect("they may leave");
    // All check in; then one is blocked and one erased before their matches are made.
    tokio::time::sleep(Duration::from_millis(29 * MINUTE_MS)).await;
    for person in [0, 2, 3, 4, 5] {
        world.entry(person, id, json!({"command": "here"})).await.expect("check-in is open");
    }
    for (person, act) in [
        (4, AdminAction::Block { guest: world.people[4].id() }),
        (5, AdminAction::Erase { guest: world.people[5].id() }),
    ] {
        world.inner.app.administer(act).await.expect("done");
        world.people[person].vanishes_at = Some(0);
    }
    let ended = world.play_on(id, Duration::from_secs(5), Duration::from_hours(2)).await;
    assert!(ended["ended"] == "finished" || ended["ended"] == "too_few", "{ended:#}");
    let shown = read(&world.inner.app.tournament(id, None).await.expect("shown"));
    assert!(!shown.to_string().contains("Player5"), "{shown:#}");
}
