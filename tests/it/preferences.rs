//! What the holders of accounts prefer, over HTTP.

use lusoria::server::Server;
use serde_json::{Map, Value, json};

use crate::{
    accounts::{account, get_as},
    http::{assert_problem, guest, post, send, server},
    support::http::{Answer, Request},
};

const PATH: &str = "/me/preferences";

async fn change(server: &Server, token: &str, preferences: &Value) -> Answer {
    ask(server, token, &json!({"preferences": preferences})).await
}

async fn ask(server: &Server, token: &str, body: &Value) -> Answer {
    send(server, Request::new("PATCH", &format!("/api/v1{PATH}")).token(token).json(body)).await
}

async fn preferred(server: &Server, token: &str) -> Value {
    let answer = get_as(server, token, PATH).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["preferences"].clone()
}

#[tokio::test]
async fn preferences_follow_the_account_to_every_device() {
    let server = server().await;
    let (_, token, _) = account(&server, "agathias").await;
    let (_, other, _) = account(&server, "theodora").await;
    assert_eq!(preferred(&server, &token).await, json!({}));

    let changed = change(&server, &token, &json!({"board": "stone", "sounds": "false"})).await;
    let expected = json!({"preferences": {"board": "stone", "sounds": "false"}});
    assert_eq!((changed.status, changed.json()), (200, expected));

    let elsewhere = json!({"handle": "agathias", "password": "three rolls of the dice"});
    let elsewhere = post(&server, "", "/sign-in", &elsewhere).await.json();
    let elsewhere = elsewhere["token"].as_str().expect("a token");
    assert_eq!(preferred(&server, elsewhere).await, json!({"board": "stone", "sounds": "false"}));
    let body =
        json!({"preferences": {"board": "wood", "theme": "dark"}, "removed": ["sounds", "theme", "never"]});
    assert_eq!(ask(&server, elsewhere, &body).await.status, 200);
    assert_eq!(preferred(&server, &token).await, json!({"board": "wood", "theme": "dark"}));
    assert_eq!(preferred(&server, &other).await, json!({}), "each has their own");
    server.stop().await;
}

#[tokio::test]
async fn a_guest_without_an_account_keeps_them_in_the_browser() {
    let server = server().await;
    let token = guest(&server).await;
    assert_problem(&get_as(&server, &token, PATH).await, 404, "no_account");
    assert_problem(&change(&server, &token, &json!({"board": "stone"})).await, 404, "no_account");
    server.stop().await;
}

#[tokio::test]
async fn what_is_no_preference_is_refused() {
    let server = server().await;
    let (_, token, _) = account(&server, "agathias").await;
    change(&server, &token, &json!({"board": "stone"})).await;
    let long = |length| "b".repeat(length);
    for changes in [
        json!({"": "stone"}),
        json!({"Board": "stone"}),
        json!({"the board": "stone"}),
        json!({long(41): "stone"}),
        json!({"board": long(65)}),
        json!({"board": "pierre à graver"}),
        json!({"board": true}),
        json!({"board": null}),
        json!({"board": {"zeno": "wood"}}),
        json!(["board"]),
    ] {
        let answer = change(&server, &token, &changes).await;
        assert_problem(&answer, 422, "invalid_body");
        let detail = answer.json()["detail"].as_str().expect("a text").to_owned();
        assert!(detail.contains("preferences"), "{changes}: {detail}");
    }
    let longest = json!({long(40): long(64), "board": ""});
    assert_eq!(change(&server, &token, &longest).await.status, 200);
    assert_eq!(preferred(&server, &token).await, longest);

    let numbered = |range: std::ops::Range<u32>| -> Value {
        range.map(|n| (format!("n{n}"), json!("1"))).collect::<Map<_, _>>().into()
    };
    assert_eq!(change(&server, &token, &numbered(2..64)).await.status, 200);
    let refused = change(&server, &token, &numbered(63..65)).await;
    assert_problem(&refused, 409, "too_many_preferences");
    assert_eq!(refused.json()["limit"], 64);
    assert_eq!(preferred(&server, &token).await.as_object().map(Map::len), Some(64));
    let removed: Vec<_> = (0..65).map(|n| format!("n{n}")).collect();
    let refused = ask(&server, &token, &json!({"removed": removed})).await;
    assert_problem(&refused, 422, "invalid_body");
    assert_eq!(refused.json()["limit"], 64);
    assert_eq!(ask(&server, &token, &json!({"removed": removed[1..]})).await.status, 200);
    assert_eq!(preferred(&server, &token).await, longest, "all others are removed");
    server.stop().await;
}
