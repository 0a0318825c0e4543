//! Players who have accounts, as others see them, over HTTP.

use lusoria::server::Server;
use serde_json::{Value, json};

use crate::{
    accounts::{account, get_as},
    http::{assert_problem, get, guest, post, server},
    support::http::Answer,
};

async fn shown(server: &Server, path: &str) -> Answer {
    get(server, &format!("/api/v1{path}")).await
}

/// A match of two, made with these terms; the one who made it resigns if `is_resigned`. Its id.
pub(crate) async fn play(server: &Server, one: &str, two: &str, terms: &Value, is_resigned: bool) -> String {
    let made = post(server, one, "/matches", terms).await;
    assert_eq!(made.status, 201, "{made:?}");
    let id = made.json()["match"]["id"].as_str().expect("an id").to_owned();
    let joined = match made.json()["invitation"]["code"].as_str() {
        Some(code) => post(server, two, "/invitations/spend", &json!({"code": code})).await,
        None => post(server, two, &format!("/matches/{id}/join"), &json!({})).await,
    };
    assert!(joined.status < 300, "{joined:?}");
    if is_resigned {
        let path = format!("/matches/{id}/resign");
        let resigned = post(server, one, &path, &json!({})).await;
        assert_eq!(resigned.status, 200, "{resigned:?}");
    }
    id
}

fn ids(answer: &Answer) -> Vec<String> {
    assert_eq!(answer.status, 200, "{answer:?}");
    let matches = answer.json()["matches"].as_array().expect("a list").clone();
    matches.iter().map(|card| card["id"].as_str().expect("an id").to_owned()).collect()
}

#[tokio::test]
async fn a_profile_tells_what_its_player_won_and_lost_by_game_and_side() {
    let server = server().await;
    let (_, agathias, _) = account(&server, "Agathias").await;
    let (_, theodora, _) = account(&server, "theodora").await;
    let stranger = guest(&server).await;
    let tablut = json!({"game": "tablut", "side": "attackers"});
    play(&server, &agathias, &theodora, &tablut, true).await;
    play(&server, &stranger, &agathias, &tablut, true).await;
    play(&server, &theodora, &agathias, &json!({"game": "tavla", "points": 3}), false).await;
    let hidden = json!({"game": "tablut", "admission": "invitation"});
    play(&server, &agathias, &theodora, &hidden, true).await;

    let profile = shown(&server, "/players/agathias").await.json();
    assert_eq!(
        (&profile["player"]["handle"], &profile["player"]["kind"]),
        (&json!("Agathias"), &json!("person"))
    );
    assert_eq!(
        profile["results"],
        json!({"games": [{"game": "tablut", "won": 1, "lost": 1, "drawn": 0, "points": 1, "points_against": 1,
            "sides": [{"side": "defenders", "won": 1, "lost": 0, "drawn": 0},
                {"side": "attackers", "won": 0, "lost": 1, "drawn": 0}]}], "older_left_out": false}),
        "what is live or not listed does not count"
    );
    let between = shown(&server, "/players/theodora/against/agathias").await.json();
    assert_eq!(between["opponent"]["handle"], "Agathias");
    let tablut = &between["results"]["games"][0];
    assert_eq!((&tablut["won"], &tablut["lost"]), (&json!(1), &json!(0)), "{between}");
    for path in [
        "/players/nobody",
        "/players/x",
        "/players/a%20b",
        "/players/agath1as",
        "/players/agathias/matches?opponent=nobody",
        "/players/nobody/matches",
        "/players/agathias/against/nobody",
        "/players/nobody/against/agathias",
    ] {
        assert_problem(&shown(&server, path).await, 404, "no_such_guest");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_matches_of_a_player_are_filtered_paged_and_shown_to_permitted_readers() {
    let server = server().await;
    let (_, agathias, _) = account(&server, "agathias").await;
    let (_, theodora, _) = account(&server, "theodora").await;
    let stranger = guest(&server).await;
    let days = json!({"game": "tavla", "points": 5, "clock": {"kind": "days", "days": 2}});
    let lost = play(&server, &agathias, &theodora, &json!({"game": "tablut"}), true).await;
    let won = play(&server, &stranger, &agathias, &json!({"game": "tablut"}), true).await;
    let live = play(&server, &theodora, &agathias, &days, false).await;
    let hidden = json!({"game": "tablut", "admission": "invitation"});
    let hidden = play(&server, &agathias, &theodora, &hidden, true).await;
    assert_eq!(post(&server, &agathias, "/matches", &json!({"game": "zeno"})).await.status, 201);

    let [lost, won, live, hidden] = [&lost, &won, &live, &hidden].map(String::as_str);
    let public = [live, won, lost];
    let all = [hidden, live, won, lost];
    let path = "/players/Agathias/matches";
    assert_eq!(ids(&shown(&server, path).await), public);
    assert_eq!(ids(&get_as(&server, &stranger, path).await), public);
    for player in [&agathias, &theodora] {
        assert_eq!(ids(&get_as(&server, player, path).await), all, "they sit in it");
    }
    for (query, expected) in [
        ("game=tablut", &[won, lost][..]),
        ("opponent=THEODORA", &[live, lost]),
        ("result=won", &[won]),
        ("result=lost", &[lost]),
        ("result=drawn", &[]),
        ("result=aborted", &[]),
        ("points=5", &[live]),
        ("clock=days", &[live]),
        ("clock=none&result=lost&game=tablut&opponent=theodora", &[lost]),
        ("from=1", &public),
        ("until=1", &[]),
    ] {
        assert_eq!(ids(&shown(&server, &format!("{path}?{query}")).await), expected, "{query}");
        let mut paged = Vec::new();
        let mut cursor = String::new();
        loop {
            let page = shown(&server, &format!("{path}?{query}&limit=1{cursor}")).await;
            paged.extend(ids(&page));
            let Some(next) = page.json()["next"].as_str().map(str::to_owned) else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(paged, expected, "{query}");
    }
    for wrong in [
        "result=open",
        "points=0",
        "points=100",
        "clock=fast",
        "game=senet",
        "opponent=%20",
        "limit=101",
        "rated=1",
    ] {
        assert_problem(&shown(&server, &format!("{path}?{wrong}")).await, 400, "invalid_query");
    }
    server.stop().await;
}

#[tokio::test]
async fn players_are_found_by_the_beginning_of_their_handles() {
    let server = server().await;
    for handle in ["oliver", "Olivia", "agathias"] {
        account(&server, handle).await;
    }
    let found = async |query: &str| {
        let answer = shown(&server, &format!("/players?search={query}")).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let players = answer.json()["players"].as_array().expect("a list").clone();
        players.iter().map(|player| player["handle"].as_str().expect("a text").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("OLI").await, ["oliver", "Olivia"]);
    assert_eq!(found("oli&limit=1").await, ["oliver"]);
    assert_eq!(found("0livia").await, ["Olivia"], "it looks like it");
    assert_eq!(found("oliver&limit=1").await, ["oliver"]);
    assert!(found("nobody").await.is_empty());
    for wrong in ["search=o", "search=", "limit=3", "search=o%25", "search=ol&limit=21"] {
        assert_problem(&shown(&server, &format!("/players?{wrong}")).await, 400, "invalid_query");
    }
    server.stop().await;
}
