//! An account adopts a guest of the same person, and guests without an account erase themselves, over HTTP.

use std::{net::Ipv4Addr, sync::Arc, time::Duration};

use lusoria::{app::ClientAddress, config::Limits, server::Server};
use lusoria_protocol::CreateGuest;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::{
    accounts::{account, get_as},
    http::{assert_problem, guest, post, send, server, tablut},
    support::{
        self, assert_sound,
        http::{Answer, Request},
        store::{Delayed, FailingStore},
    },
};

pub(crate) async fn adopt(server: &Server, token: &str, adopted: &str) -> Answer {
    post(server, token, "/me/adopt", &json!({"token": adopted})).await
}

async fn id_of(server: &Server, token: &str) -> Value {
    get_as(server, token, "/me").await.json()["id"].clone()
}

async fn matches_of(server: &Server, token: &str) -> Vec<String> {
    let listed = get_as(server, token, "/me/matches").await.json();
    let matches = listed["matches"].as_array().expect("matches");
    matches.iter().map(|of| of["id"].as_str().expect("an id").to_owned()).collect()
}

async fn legal_turn(server: &Server, id: &str, token: &str) -> Value {
    let seq = get_as(server, token, &format!("/matches/{id}")).await.json()["to_play"]["seq"].clone();
    let mut steps: Vec<Value> = Vec::new();
    loop {
        let legal =
            post(server, token, &format!("/matches/{id}/legal"), &json!({"steps": steps})).await.json();
        if legal["complete"] == true {
            return json!({"seq": seq, "steps": steps});
        }
        steps.push(legal["steps"][0].clone());
    }
}

async fn delete(server: &Server, token: &str, path: &str) -> Answer {
    send(server, Request::new("DELETE", &format!("/api/v1{path}")).token(token)).await
}

#[tokio::test]
async fn the_matches_of_an_adopted_guest_are_the_accounts() {
    let server = server().await;
    let (id, token, _) = account(&server, "agathias").await;
    let (live, [attackers, defenders]) = tablut(&server).await;
    let open = post(&server, &attackers, "/matches", &json!({"game": "zeno"})).await;
    let open = open.json()["match"]["id"].as_str().expect("an id").to_owned();
    let name = get_as(&server, &attackers, "/me").await.json()["name"].clone();
    let adopted = id_of(&server, &attackers).await;

    let answer = adopt(&server, &token, &attackers).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.json(), json!({"id": adopted, "matches": 2, "complete": true}));
    assert_eq!(matches_of(&server, &token).await, [open, live.clone()]);
    assert_problem(&get_as(&server, &attackers, "/me").await, 401, "unknown_token");

    let snapshot = get_as(&server, &token, &format!("/matches/{live}")).await.json();
    let of_seat = &snapshot["players"]["1"];
    assert_eq!((&of_seat["id"], &of_seat["name"]), (&json!(id), &name), "{snapshot}");
    let turn = legal_turn(&server, &live, &token).await;
    let played = post(&server, &token, &format!("/matches/{live}/turn"), &turn).await;
    assert_eq!(played.status, 200, "{played:?}");
    let resigned =
        post(&server, &defenders, &format!("/matches/{live}/resign"), &json!({"scope": "match"})).await;
    assert_eq!(resigned.status, 200, "{resigned:?}");
    let results = get_as(&server, &token, "/players/agathias").await.json()["results"]["games"].clone();
    assert_eq!((&results[0]["game"], &results[0]["won"]), (&json!("tablut"), &json!(1)), "{results}");
    let record = get_as(&server, &token, &format!("/matches/{live}/record")).await.json();
    assert!(!record.to_string().contains(adopted.as_str().expect("an id")), "{record}");
    assert_sound(&serde_json::from_value(record).expect("a record"));
}

#[tokio::test]
async fn an_adoption_is_refused_with_its_reason() {
    let server = server().await;
    let (_, token, _) = account(&server, "agathias").await;
    let (_, other, _) = account(&server, "zeno").await;
    let (without, bot) = (guest(&server).await, json!({"bot": true}));
    let bot = send(&server, Request::new("POST", "/api/v1/guests").json(&bot)).await.json()["token"].clone();
    let bot = bot.as_str().expect("a token");
    for (by, of, status, code) in [
        (&without, &*other, 404, "no_account"),
        (&token, &*token, 409, "yourself"),
        (&token, "of-nobody", 409, "unknown_guest_token"),
        (&token, &*other, 409, "guest_has_account"),
        (&token, bot, 409, "other_kind"),
    ] {
        assert_problem(&adopt(&server, by, of).await, status, code);
    }
    let (played, [attackers, _]) = tablut(&server).await;
    let created = post(&server, &token, "/matches", &json!({"game": "zeno"})).await.json();
    let path = format!("/matches/{}/join", created["match"]["id"].as_str().expect("an id"));
    assert_eq!(post(&server, &attackers, &path, &json!({})).await.status, 200);
    assert_problem(&adopt(&server, &token, &attackers).await, 409, "played_each_other");
    assert!(matches_of(&server, &attackers).await.contains(&played), "nothing has changed");

    assert_eq!(adopt(&server, &token, &without).await.status, 200);
    assert_problem(&adopt(&server, &token, &without).await, 409, "unknown_guest_token");
}

#[tokio::test]
async fn whom_a_guest_follows_and_blocks_the_account_does() {
    let server = server().await;
    let (id, token, _) = account(&server, "agathias").await;
    let (adopted, friend, rival) = (guest(&server).await, guest(&server).await, guest(&server).await);
    let put = async |path: String, by: &str| {
        let put = send(&server, Request::new("PUT", &format!("/api/v1{path}")).token(by)).await;
        assert_eq!(put.status, 204, "{put:?}");
    };
    let ids = [id_of(&server, &adopted).await, id_of(&server, &friend).await, id_of(&server, &rival).await];
    let [of_adopted, of_friend, of_rival] = ids.map(|id| id.as_str().expect("an id").to_owned());
    put(format!("/me/follows/{of_friend}"), &adopted).await;
    put(format!("/me/blocks/{of_rival}"), &adopted).await;
    put(format!("/me/follows/{of_adopted}"), &friend).await;
    put(format!("/me/follows/{of_adopted}"), &token).await;
    assert_eq!(adopt(&server, &token, &adopted).await.status, 200);
    let list = async |path: &str, by: &str| get_as(&server, by, path).await.json();
    assert_eq!(list("/me/follows", &token).await["followed"][0]["id"], json!(of_friend));
    assert_eq!(list("/me/follows", &token).await["followed"].as_array().map(Vec::len), Some(1));
    assert_eq!(list("/me/blocks", &token).await["blocked"][0]["id"], json!(of_rival));
    assert_eq!(list("/me/follows", &friend).await["followed"][0]["id"], json!(id));
}

#[tokio::test]
async fn a_guest_without_an_account_erases_themselves() {
    let server = server().await;
    let (id, [attackers, defenders]) = tablut(&server).await;
    let erased = delete(&server, &attackers, "/me").await;
    assert_eq!(erased.status, 204, "{erased:?}");
    assert_problem(&get_as(&server, &attackers, "/me").await, 401, "unknown_token");
    let snapshot = get_as(&server, &defenders, &format!("/matches/{id}")).await.json();
    assert_eq!(snapshot["players"]["1"]["name"], "Erased guest", "{snapshot}");
    assert_eq!(snapshot["state"], "ended");

    let (_, token, _) = account(&server, "agathias").await;
    assert_problem(&delete(&server, &token, "/me").await, 409, "has_account");
    assert_eq!(get_as(&server, &token, "/me").await.status, 200);
}

#[tokio::test]
async fn a_player_is_found_by_their_id() {
    let server = server().await;
    let (id, token, _) = account(&server, "agathias").await;
    let (other, ..) = account(&server, "zeno").await;
    for path in ["", "/matches", "/records"] {
        let by_id = get_as(&server, &token, &format!("/players/{id}{path}")).await;
        let by_handle = get_as(&server, &token, &format!("/players/Agathias{path}")).await;
        assert_eq!((by_id.status, &by_id.body), (200, &by_handle.body), "{path}");
    }
    let against = get_as(&server, &token, &format!("/players/{id}/against/{other}")).await.json();
    assert_eq!(against["opponent"]["handle"], "zeno");
    let without = id_of(&server, &guest(&server).await).await;
    let path = format!("/players/{}", without.as_str().expect("an id"));
    assert_problem(&get_as(&server, &token, &path).await, 404, "no_such_guest");
}

/// Each goes over the whole database, so that who waits shares one.
#[tokio::test(start_paused = true)]
async fn many_who_erase_themselves_at_once_take_two_passes() {
    let store = FailingStore::default();
    store.delay(Delayed::ErasingRemains, Duration::from_secs(2));
    let app = support::server::app(store.clone(), 1_700_000_000_000, 0, &Limits::usual()).await;
    let app = app.expect("the store starts");
    let (mut erasing, mut tokens) = (JoinSet::new(), Vec::new());
    for n in 0..20 {
        let (guest, token) = support::server::guest(&app, CreateGuest::default()).await;
        tokens.push(token);
        let (app, address) = (Arc::clone(&app), ClientAddress(Ipv4Addr::new(192, 0, 2, n).into()));
        erasing.spawn(async move { app.erase_guest(&guest, address).await });
    }
    for erased in erasing.join_all().await {
        erased.expect("erased");
    }
    for token in tokens {
        app.authenticate(token).await.expect_err("nobody's");
    }
    assert!(store.remains_erased() <= 2, "{} passes", store.remains_erased());
    assert_eq!(store.departures().await.expect("read"), [], "nothing is left to do");
}
