//! Accounts: guests who sign in with a handle and a password, over HTTP.

use lusoria::server::Server;
use serde_json::{Value, json};

use crate::{
    http::{assert_problem, post, send, server, tablut},
    support::http::{Answer, Request},
};

const PASSWORD: &str = "three rolls of the dice";

async fn guest_named(server: &Server, name: &str) -> (String, String) {
    let answer = send(server, Request::new("POST", "/api/v1/guests").json(&json!({"name": name}))).await;
    let text = |field: &str| answer.json()[field].as_str().expect("a text").to_owned();
    (text("id"), text("token"))
}

async fn open(server: &Server, token: &str, handle: &str) -> Answer {
    post(server, token, "/me/account", &json!({"handle": handle, "password": PASSWORD})).await
}

/// A guest with an account: the id, the token and the recovery codes.
pub(crate) async fn account(server: &Server, handle: &str) -> (String, String, Vec<String>) {
    let (id, token) = guest_named(server, handle).await;
    let opened = open(server, &token, handle).await;
    assert_eq!(opened.status, 201, "{opened:?}");
    (id, token, codes(&opened))
}

fn codes(answer: &Answer) -> Vec<String> {
    let codes = answer.json()["recovery_codes"].clone();
    serde_json::from_value(codes).expect("codes")
}

async fn sign_in(server: &Server, handle: &str, password: &str) -> Answer {
    let body = json!({"handle": handle, "password": password, "device": "Firefox"});
    send(server, Request::new("POST", "/api/v1/sign-in").json(&body)).await
}

async fn recover(server: &Server, handle: &str, code: &str, new_password: &str) -> Answer {
    let body = json!({"handle": handle, "code": code, "new_password": new_password});
    send(server, Request::new("POST", "/api/v1/sign-in/recover").json(&body)).await
}

async fn change_password(server: &Server, token: &str, password: &str, new_password: &str) -> Answer {
    let body = json!({"password": password, "new_password": new_password});
    send(server, Request::new("PUT", "/api/v1/me/account/password").token(token).json(&body)).await
}

pub(crate) async fn get_as(server: &Server, token: &str, path: &str) -> Answer {
    send(server, Request::new("GET", &format!("/api/v1{path}")).token(token)).await
}

fn token_of(answer: &Answer) -> String {
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()["token"].as_str().expect("a token").to_owned()
}

#[tokio::test]
async fn a_guest_becomes_an_account_and_stays_the_same_person() {
    let server = server().await;
    let (id, [token, _]) = tablut(&server).await;
    let before = get_as(&server, &token, &format!("/matches/{id}/record")).await;
    let me = get_as(&server, &token, "/me").await.json();
    assert_eq!(me.get("handle"), None);
    assert_problem(&get_as(&server, &token, "/me/account").await, 404, "no_account");

    let opened = open(&server, &token, "Agathias_1").await;
    assert_eq!((opened.status, &opened.json()["handle"]), (201, &json!("Agathias_1")), "{opened:?}");
    assert_eq!(codes(&opened).len(), 8);
    let account = get_as(&server, &token, "/me/account").await.json();
    assert_eq!((&account["handle"], &account["recovery_codes_left"]), (&json!("Agathias_1"), &json!(8)));
    let with_handle = get_as(&server, &token, "/me").await.json();
    let mut expected = me.clone();
    expected["handle"] = json!("Agathias_1");
    expected["name"] = json!("Agathias_1");
    assert_eq!(with_handle, expected);

    let elsewhere = sign_in(&server, "agathias_1", PASSWORD).await;
    assert_eq!(elsewhere.json()["id"], me["id"], "{elsewhere:?}");
    let other = token_of(&elsewhere);
    let mine = get_as(&server, &other, "/me/matches").await.json();
    assert_eq!(mine["matches"][0]["id"], json!(id));
    let after = get_as(&server, &other, &format!("/matches/{id}/record")).await;
    assert_eq!(before.body, after.body, "the record is the same, byte for byte");
    let sessions = get_as(&server, &other, "/me/sessions").await.json();
    assert_eq!(sessions["sessions"][0]["signed_in_by"], "password");
    assert_eq!(sessions["sessions"][0]["device"], "Firefox");
}

#[tokio::test]
async fn the_handle_is_the_name_of_a_guest_without_one_and_matches_show_it() {
    let server = server().await;
    let guest = send(&server, Request::new("POST", "/api/v1/guests").json(&json!({}))).await;
    let token = token_of(&guest);
    assert_eq!(open(&server, &token, "julia_aug").await.status, 201);
    assert_eq!(get_as(&server, &token, "/me").await.json()["name"], "julia_aug");
    let made = post(&server, &token, "/matches", &json!({"game": "tavla"})).await;
    assert_eq!(made.json()["match"]["players"]["1"]["name"], "julia_aug", "{made:?}");

    let (_, named) = guest_named(&server, "Livia").await;
    assert_eq!(open(&server, &named, "livia_aug").await.status, 201);
    assert_eq!(get_as(&server, &named, "/me").await.json()["name"], "Livia");
}

#[tokio::test]
async fn handles_are_refused_that_are_taken_alike_or_reserved() {
    let server = server().await;
    account(&server, "oliver").await;
    let (_, token) = guest_named(&server, "another").await;
    for (handle, status, code) in [
        ("oliver", 409, "handle_taken"),
        ("OLIVER", 409, "handle_taken"),
        ("0liver", 409, "handle_taken"),
        ("o-liver_", 409, "handle_taken"),
        ("ollver", 409, "handle_taken"),
        ("admin", 409, "handle_reserved"),
        ("Adm1n", 409, "handle_reserved"),
        ("ab", 422, "invalid_body"),
        ("123", 422, "invalid_body"),
        ("\u{43e}liver", 422, "invalid_body"),
        ("two words", 422, "invalid_body"),
        ("abcdefghijklmnopqrstu", 422, "invalid_body"),
    ] {
        assert_problem(&open(&server, &token, handle).await, status, code);
    }
    assert_problem(&get_as(&server, &token, "/me/account").await, 404, "no_account");
    assert_eq!(open(&server, &token, "olivia").await.status, 201);
    assert_problem(&open(&server, &token, "olivia2").await, 409, "has_account");
}

#[tokio::test]
async fn passwords_have_a_length_and_stand_in_no_url() {
    let server = server().await;
    let (_, token) = guest_named(&server, "Agathias").await;
    let open = async |password: &str| {
        post(&server, &token, "/me/account", &json!({"handle": "agathias", "password": password})).await
    };
    assert_problem(&open("7 chars").await, 422, "invalid_body");
    assert_problem(&open(&"x".repeat(257)).await, 422, "invalid_body");
    assert_problem(&open(&"x".repeat(1 << 20)).await, 413, "body_too_large");
    let url = format!("/api/v1/sign-in?handle=agathias&password={}", "x".repeat(8));
    let in_url = send(&server, Request::new("POST", &url)).await;
    assert!(in_url.status >= 400, "{in_url:?}");
    assert_eq!(open(&"λ".repeat(256)).await.status, 201);
    assert_eq!(sign_in(&server, "agathias", &"λ".repeat(256)).await.status, 201);
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_handle_are_told_alike() {
    let server = server().await;
    account(&server, "agathias").await;
    let wrong = sign_in(&server, "agathias", "another password").await;
    assert_problem(&wrong, 403, "wrong_credentials");
    for unknown in ["theodora", "agathla5"] {
        let answer = sign_in(&server, unknown, PASSWORD).await;
        let words = |answer: &Answer| (answer.status, answer.json()["detail"].clone());
        assert_eq!(words(&answer), words(&wrong));
    }
    let lost = recover(&server, "theodora", "7ZK3-01AB-CDEF-GHJK", PASSWORD).await;
    assert_problem(&lost, 403, "wrong_credentials");
}

#[tokio::test]
async fn too_many_wrong_passwords_of_an_address_are_told_when_to_go_on() {
    let server = server().await;
    account(&server, "agathias").await;
    for _ in 0..6 {
        assert_problem(&sign_in(&server, "agathias", "another password").await, 403, "wrong_credentials");
    }
    let refused = sign_in(&server, "agathias", PASSWORD).await;
    assert_problem(&refused, 429, "too_many_attempts");
    assert!((1..=2).contains(&refused.json()["retry_after_s"].as_u64().expect("seconds")), "{refused:?}");
}

#[tokio::test]
async fn a_password_that_is_tried_first_is_refused() {
    let server = server().await;
    let (_, guest) = guest_named(&server, "Zeno").await;
    let body = json!({"handle": "zeno", "password": "Password1!"});
    let refused = post(&server, &guest, "/me/account", &body).await;
    assert_problem(&refused, 422, "common_password");
    assert!(
        refused.json()["detail"].as_str().expect("words").contains("a few unrelated words"),
        "{refused:?}"
    );
    let (_, token, codes) = account(&server, "agathias").await;
    let changed = change_password(&server, &token, PASSWORD, "qwertyuiop").await;
    assert_problem(&changed, 422, "common_password");
    assert_problem(&recover(&server, "agathias", &codes[0], "12345678").await, 422, "common_password");
    assert_eq!(
        recover(&server, "agathias", &codes[0], "found again").await.status,
        201,
        "the code is not spent"
    );
}

#[tokio::test]
async fn a_new_password_ends_the_other_sessions() {
    let server = server().await;
    let (_, token, _) = account(&server, "agathias").await;
    let other = token_of(&sign_in(&server, "agathias", PASSWORD).await);
    assert_problem(
        &change_password(&server, &token, "not my password", "x2 new one").await,
        403,
        "wrong_credentials",
    );
    let changed = change_password(&server, &token, PASSWORD, "a new password").await;
    assert_eq!((changed.status, changed.json()), (200, json!({"passkeys": 0, "api_tokens": 0})));
    assert_eq!(get_as(&server, &token, "/me").await.status, 200);
    assert_problem(&get_as(&server, &other, "/me").await, 401, "unknown_token");
    assert_problem(&sign_in(&server, "agathias", PASSWORD).await, 403, "wrong_credentials");
    assert_eq!(sign_in(&server, "agathias", "a new password").await.status, 201);
    let (_, without) = guest_named(&server, "Zeno").await;
    assert_problem(&change_password(&server, &without, PASSWORD, "a new password").await, 404, "no_account");
}

#[tokio::test]
async fn a_recovery_code_sets_a_new_password_once() {
    let server = server().await;
    let (id, token, codes) = account(&server, "agathias").await;
    let written = codes[0].to_lowercase().replace('-', "");
    let recovered = recover(&server, "Agathias", &written, "found again").await;
    assert_eq!(recovered.json()["id"], json!(id), "{recovered:?}");
    let new = token_of(&recovered);
    assert_problem(&get_as(&server, &token, "/me").await, 401, "unknown_token");
    assert_problem(&recover(&server, "agathias", &codes[0], "once more!").await, 403, "wrong_credentials");
    assert_eq!(sign_in(&server, "agathias", "found again").await.status, 201);
    let account = get_as(&server, &new, "/me/account").await.json();
    assert_eq!(account["recovery_codes_left"], 7);

    let wrong = post(&server, &new, "/me/account/recovery-codes", &json!({"password": PASSWORD})).await;
    assert_problem(&wrong, 403, "wrong_credentials");
    let made = post(&server, &new, "/me/account/recovery-codes", &json!({"password": "found again"})).await;
    let made: Vec<String> = serde_json::from_value(made.json()["recovery_codes"].clone()).expect("codes");
    assert_problem(&recover(&server, "agathias", &codes[1], "once more!").await, 403, "wrong_credentials");
    assert_eq!(recover(&server, "agathias", &made[1], "once more!").await.status, 201);
}

#[tokio::test]
async fn of_two_devices_that_open_an_account_one_does() {
    let server = server().await;
    let (_, token) = guest_named(&server, "Agathias").await;
    let (_, other) = guest_named(&server, "Agathias").await;
    let (one, two, three) = tokio::join!(
        open(&server, &token, "agathias"),
        open(&server, &token, "agathias-2"),
        open(&server, &other, "Agathias"),
    );
    let opened = [&one, &two, &three].into_iter().filter(|answer| answer.status == 201).count();
    let codes: Vec<Value> = [&one, &two, &three].map(|answer| answer.json()["code"].clone()).into();
    assert!((1..=2).contains(&opened), "{codes:?}");
    assert!(one.status != 201 || two.status != 201, "a guest has one account");
    assert!(one.status != 201 || three.status != 201, "a handle has one guest");
}
