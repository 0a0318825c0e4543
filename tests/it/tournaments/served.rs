//! Tournaments over HTTP: forms, links, and what must not be seen; and what outages and leaving do.

use std::sync::Arc;

use lusoria::config::Limits;
use lusoria_play::MatchEnd;
use lusoria_tournament::{Conditions, Settings};

use super::*;
use crate::{
    accounts::{account, get_as},
    http::{assert_problem, get, post, send},
    support::{http::Request, server::server_with},
};

/// A request for a Swiss that begins in an hour, with these settings over the usual ones.
pub(crate) fn announcement(name: &str, more: &Value) -> Value {
    let begins_at = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970");
    let mut request = json!({
        "name": name, "game": "tablut", "format": {"kind": "swiss"}, "listed": true,
        "clock": {"kind": "fischer", "base_ms": 60_000, "increment_ms": 0},
        "begins_at": u64::try_from(begins_at.as_millis()).expect("small") + 3_600_000,
    });
    request.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    request
}

#[tokio::test]
async fn creating_again_is_creating_once_and_an_unlisted_one_is_seen_by_its_link_only() {
    let server = server_with(&[]).await;
    let (id_of_zeno, token, _) = account(&server, "zeno").await;
    let (_, other, _) = account(&server, "agathias").await;
    let create = |body: &Value, key: &str| {
        Request::new("POST", "/api/v1/tournaments").token(&token).header("idempotency-key", key).json(body)
    };
    let body = announcement("Friday, \"the\" Swiss", &json!({"listed": false}));
    let created = send(&server, create(&body, "one")).await;
    assert_eq!(created.status, 201, "{created:?}");
    let again = send(&server, create(&body, "one")).await;
    assert_eq!(created.json()["id"], again.json()["id"]);
    let reused = send(&server, create(&announcement("Another", &json!({})), "one")).await;
    assert_problem(&reused, 409, "key_reused");
    let large = post(&server, &token, "/tournaments", &json!({"name": "x".repeat(1 << 20)})).await;
    assert_problem(&large, 413, "body_too_large");
    let id = created.json()["id"].as_str().expect("an id").to_owned();
    let entered =
        post(&server, &other, &format!("/tournaments/{id}/entry"), &json!({"command": "enter"})).await;
    assert_eq!(entered.json()["you"]["entrant"], 1, "{entered:?}");

    let path = format!("/api/v1/tournaments/{id}");
    assert_eq!(get(&server, &path).await.json()["name"], "Friday, \"the\" Swiss");
    for seen in [
        get(&server, "/api/v1/tournaments").await,
        get(&server, "/api/v1/players/zeno/tournaments").await,
        get_as(&server, &other, "/players/zeno/tournaments").await,
        get(&server, "/api/v1/players/agathias/calendar").await,
        get(&server, "/sitemap.xml").await,
    ] {
        assert!(!seen.body.contains(&id), "{seen:?}");
    }
    let own = get_as(&server, &token, &format!("/players/{id_of_zeno}/tournaments")).await;
    assert!(own.body.contains(&id), "{own:?}");

    let csv = get(&server, &format!("{path}/standings?format=csv")).await;
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8; header=present"), "{csv:?}");
    assert!(csv.body.starts_with("place,entrant,id,name,handle,rating,half_points,"), "{csv:?}");
    let calendar = get(&server, &format!("{path}/calendar")).await;
    assert!(calendar.body.contains("SUMMARY:Friday\\, \"the\" Swiss\r\n"), "{calendar:?}");
    assert_problem(&get(&server, &format!("{path}/standings?format=pdf")).await, 400, "invalid_query");
    for since in [9, u32::MAX] {
        let beyond = get(&server, &format!("{path}/events?since={since}")).await;
        assert_problem(&beyond, 409, "ahead_of_journal");
    }
    assert_problem(&get(&server, "/api/v1/tournaments/1").await, 404, "no_such_tournament");
    let events = get(&server, &format!("{path}/events")).await.json();
    let kinds: Vec<_> =
        events["events"].as_array().expect("events").iter().map(|event| &event["type"]).collect();
    assert_eq!(kinds, ["created", "entered"]);

    let end = json!({"command": "end", "reason": "Nobody comes"});
    let ended = post(&server, &token, &format!("/tournaments/{id}/direction"), &end).await;
    assert_eq!((&ended.json()["phase"], &ended.json()["reason"]), (&json!("ended"), &json!("Nobody comes")));
    let cancelled = get(&server, &format!("{path}/calendar")).await.body;
    assert!(cancelled.contains("STATUS:CANCELLED\r\n") && !cancelled.contains("DTEND"), "{cancelled}");
    // A stream of what has ended ends.
    let lines = Request::new("GET", &format!("{path}/events")).header("accept", "application/x-ndjson");
    assert_eq!(send(&server, lines).await.body.lines().count(), 3);
    server.stop().await;
}

#[tokio::test]
async fn what_is_refused_has_a_code_of_its_own_and_changes_nothing() {
    let server = server_with(&[]).await;
    let (id_of_zeno, zeno, _) = account(&server, "zeno").await;
    let days = json!({"kind": "days", "days": 1});
    for (more, code) in [
        (json!({"begins_at": 1}), "begins_in_the_past"),
        (json!({"format": {"kind": "swiss", "rounds": 0}}), "rounds_out_of_range"),
        (
            json!({"format": {"kind": "arena", "lasts_ms": 3_600_000}, "clock": days}),
            "arena_by_correspondence",
        ),
        (json!({"rounds": 3}), "invalid_body"),
    ] {
        let refused = post(&server, &zeno, "/tournaments", &announcement("Bad", &more)).await;
        assert_problem(&refused, 422, code);
    }
    let large = announcement("Large", &json!({"description": "x".repeat(1 << 20)}));
    assert_problem(&post(&server, &zeno, "/tournaments", &large).await, 413, "body_too_large");
    let none = get_as(&server, &zeno, &format!("/players/{id_of_zeno}/tournaments")).await;
    assert_eq!(none.json(), json!({"tournaments": []}));

    let mut others = Vec::new();
    for handle in ["agathias", "hypatia", "theodora", "palladas"] {
        others.push(account(&server, handle).await.1);
    }
    let (late, entrants) = others.split_last().expect("four");
    for format in [json!({"kind": "swiss"}), json!({"kind": "knockout"})] {
        let cup = announcement("Ours", &json!({"format": format}));
        let cup = post(&server, &zeno, "/tournaments", &cup).await.json();
        let path = format!("/tournaments/{}", cup["id"].as_str().expect("an id"));
        let (entry, direction) = (format!("{path}/entry"), format!("{path}/direction"));
        for token in entrants.iter().chain([&zeno]) {
            for command in ["enter", "here"] {
                let done = post(&server, token, &entry, &json!({"command": command})).await;
                assert_eq!(done.status, 200, "{done:?}");
            }
        }
        let head = async || get(&server, &format!("/api/v1{path}")).await.json()["head"].clone();
        let enter = json!({"command": "enter"});
        let before = head().await;
        assert_problem(&post(&server, &entrants[0], &entry, &enter).await, 409, "already_entered");
        let large = json!({"command": "enter", "code": "x".repeat(1 << 20)});
        assert_problem(&post(&server, late, &entry, &large).await, 413, "body_too_large");
        assert_eq!(head().await, before, "{format}");
        let started = post(&server, &zeno, &direction, &json!({"command": "start"})).await;
        assert_eq!(started.status, 200, "{started:?}");
        if format["kind"] == "swiss" {
            let pairings = json!([{"first": 1, "second": 1}, {"first": 2, "second": 3}]);
            let before = get(&server, &format!("/api/v1{path}/pairings")).await.json()["pairings"].clone();
            let refused =
                post(&server, &zeno, &direction, &json!({"command": "pair", "pairings": pairings})).await;
            assert_problem(&refused, 409, "paired_with_self");
            let after = get(&server, &format!("/api/v1{path}/pairings")).await.json()["pairings"].clone();
            assert_eq!(before, after);
        } else {
            assert_problem(&post(&server, late, &entry, &enter).await, 409, "entry_closed");
            let names = get(&server, &format!("/api/v1{path}/entrants")).await.body;
            assert!(!names.contains("palladas"), "{names}");
        }
    }
    server.stop().await;
}

/// All texts are as long as they may be, of letters of four bytes.
#[tokio::test]
async fn the_largest_settings_fit_into_a_request() {
    let server = server_with(&[]).await;
    let (_, token, _) = account(&server, "zeno").await;
    let wide = |letters: usize| "𐌰".repeat(letters);
    let announced = |players: usize, letters: usize| {
        let players: Vec<_> =
            (0..players).map(|n| uuid::Uuid::from_u128(u128::MAX - n as u128).to_string()).collect();
        let conditions = json!({
            "who": "people", "entrants_max": 64, "rated_matches_min": u32::MAX, "rating_min": 1_000,
            "rating_max": 4_000, "account_age_ms_min": u64::MAX, "players": players, "code": wide(64),
        });
        let format =
            json!({"kind": "knockout", "seeding": "rating", "consolation": true, "points_more_by_round": 10});
        let more = json!({
            "description": wide(letters), "format": format, "game": "tavla", "points": 49, "rated": false,
            "wait_ms": Settings::WAIT_MAX_MS, "listed": false, "conditions": conditions,
        });
        announcement(&wide(Settings::NAME_MAX), &more)
    };
    let largest = announced(Conditions::PLAYERS_MAX, Settings::DESCRIPTION_MAX);
    let created = post(&server, &token, "/tournaments", &largest).await;
    assert_eq!(created.status, 201, "{created:?}");
    assert_eq!(created.json()["conditions"]["players"], Conditions::PLAYERS_MAX);
    let more = post(&server, &token, "/tournaments", &announced(Conditions::PLAYERS_MAX + 1, 0)).await;
    assert_problem(&more, 422, "too_many_players_listed");
    server.stop().await;
}

/// The organiser's hash of the code could be guessed, and the list is theirs.
#[tokio::test]
async fn nobody_sees_the_code_or_the_list() {
    let server = server_with(&[]).await;
    let (id, token, _) = account(&server, "zeno").await;
    let conditions = json!({"code": "1234", "players": [id]});
    let created =
        post(&server, &token, "/tournaments", &announcement("Ours", &json!({"conditions": conditions})))
            .await;
    let path = format!("/api/v1/tournaments/{}", created.json()["id"].as_str().expect("an id"));
    assert_eq!(created.json()["you"]["players"][0]["id"], id);
    for seen in [get(&server, &path).await, get(&server, &format!("{path}/events")).await] {
        let shown = seen.body.replace(&format!("\"organiser\":\"{id}\""), "");
        let shown = shown.replace(&format!("\"organiser\":{{\"id\":\"{id}\""), "");
        assert!(!shown.contains(&id) && !shown.contains("\"code\""), "{shown}");
        assert!(shown.contains("\"has_code\":true"), "{shown}");
    }
    server.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_outage_at_check_in_moves_the_start() {
    let world = World::of(4).await;
    let id = world.announce(&json!({})).await;
    for person in 0..4 {
        world.enter(person, id).await;
    }
    let begins_at = world.seen_by(0, id).await["begins_at"].as_u64().expect("a time");
    tokio::time::sleep(Duration::from_millis(20 * MINUTE_MS)).await;
    let died_at = world.now();
    world.inner.app.live().stop().await;
    // It is down over the start.
    let inner =
        talk::World::at(Arc::clone(&world.inner.store), died_at + 15 * MINUTE_MS, 1, &Limits::usual()).await;
    let world = World { inner, people: world.people.clone() };
    tokio::time::sleep(Duration::from_secs(3)).await;
    for person in 0..4 {
        world.entry(person, id, json!({"command": "here"})).await.expect("it has not begun");
    }
    let seen = world.seen_by(0, id).await;
    let moved = seen["begins_at"].as_u64().expect("a time") - begins_at;
    assert!(moved.abs_diff(15 * MINUTE_MS) < 5_000, "{moved}");
    let ended = world.play_on(id, Duration::from_secs(5), Duration::from_hours(2)).await;
    assert_eq!(ended["ended"], "finished", "{ended:#}");
}

#[tokio::test(start_paused = true)]
async fn who_withdraws_while_they_play_resigns_and_their_rating_counts() {
    let world = World::of(4).await;
    let id = world.announce(&json!({"rated": true})).await;
    for person in 0..4 {
        world.enter(person, id).await;
    }
    tokio::time::sleep(Duration::from_millis(29 * MINUTE_MS)).await;
    for person in 0..4 {
        world.entry(person, id, json!({"command": "here"})).await.expect("check-in is open");
    }
    tokio::time::sleep(Duration::from_millis(MINUTE_MS + 1_000)).await;
    let seen = world.seen_by(3, id).await;
    let playing: MatchId = from_value(seen["you"]["pairing"]["match"].clone()).expect("a match");
    let snapshot = world.inner.app.snapshot(playing, None).await.expect("a match");
    assert_eq!(snapshot.tournament.map(|of| of.name).as_deref(), Some("A Cup"));
    let theirs =
        world.inner.app.my_matches(&world.people[3].caller, None, None, 9, ClientAddress(ADDRESS)).await;
    let [card] = &theirs.expect("listed").matches[..] else { panic!("one match") };
    assert_eq!(card.tournament.as_ref().map(|of| (of.id, of.name.as_str())), Some((id, "A Cup")));
    // So that it is no abort.
    for _ in 0..6 {
        for person in 0..4 {
            world.play_turn(&world.people[person].caller, playing).await;
        }
    }
    world.entry(3, id, json!({"command": "withdraw"})).await.expect("they may leave");
    tokio::time::sleep(Duration::from_secs(2)).await;
    let state = world.inner.app.live().state(playing).await.expect("a match");
    let Some(MatchEnd::Won(winner)) = state.end() else { panic!("{:?}", state.end()) };
    assert_ne!(state.player(winner).expect("a player").id, world.people[3].caller.id());
    assert!(state.rated().is_some(), "it counts");
}
