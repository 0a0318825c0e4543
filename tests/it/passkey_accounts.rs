//! Accounts with a passkey and without a password: opening one, setting a password later, removing it, and that the
//! last way to sign in stays.

use lusoria::server::Server;
use serde_json::{Value, json};

use crate::{
    accounts::get_as,
    http::{assert_problem, guest, post, send},
    passkeys::{
        Authenticator, Key, added, asked, challenge, passkeys, server, sign_in, text, token_of, with,
    },
    support::http::{Answer, Request},
};

const PASSWORD: &str = "three rolls of the dice";

/// A guest with a new authenticator, and the body that opens an account with its passkey alone.
async fn opening(server: &Server, handle: &str) -> (String, Authenticator, Value) {
    let token = guest(server).await;
    let (authenticator, body) = opening_of(server, &token, handle).await;
    (token, authenticator, body)
}

async fn opening_of(server: &Server, token: &str, handle: &str) -> (Authenticator, Value) {
    let made = post(server, token, "/me/passkeys/challenge", &json!({"handle": handle})).await.json();
    let authenticator = Authenticator::new(Key::es256(), &made);
    let body = json!({"handle": handle, "passkey": authenticator.register(&made)});
    (authenticator, body)
}

async fn open(server: &Server, token: &str, body: &Value) -> Answer {
    post(server, token, "/me/account", body).await
}

/// An account with a passkey alone.
async fn account(server: &Server, handle: &str) -> (String, Authenticator) {
    let (token, authenticator, body) = opening(server, handle).await;
    let opened = open(server, &token, &body).await;
    assert_eq!(opened.status, 201, "{opened:?}");
    (token, authenticator)
}

async fn sign_in_by_password(server: &Server, handle: &str, password: &str) -> Answer {
    let body = json!({"handle": handle, "password": password});
    send(server, Request::new("POST", "/api/v1/sign-in").json(&body)).await
}

/// Whether the account has a password, and how many passkeys.
async fn ways_in(server: &Server, token: &str) -> (bool, u64) {
    let told = get_as(server, token, "/me/account").await.json();
    (told["has_password"].as_bool().expect("a flag"), told["passkeys"].as_u64().expect("a number"))
}

async fn proof(server: &Server, token: &str, authenticator: &Authenticator) -> Value {
    json!({"passkey": authenticator.answer(&challenge(server, token).await)})
}

#[tokio::test]
async fn an_account_opens_with_a_passkey_alone() {
    let server = server().await;
    let token = guest(&server).await;
    let me = get_as(&server, &token, "/me").await.json();
    let unnamed = challenge(&server, &token).await;
    assert_eq!(unnamed["account"]["name"], me["name"], "without a handle authenticators show the name");
    let named = post(&server, &token, "/me/passkeys/challenge", &json!({"handle": "Agathias"})).await.json();
    assert_eq!(named["account"]["name"], "Agathias");
    assert_eq!(named["account"]["user"], unnamed["account"]["user"]);

    let (authenticator, body) = opening_of(&server, &token, "Agathias").await;
    let opened = open(&server, &token, &body).await;
    assert_eq!(opened.status, 201, "{opened:?}");
    let codes = opened.json()["recovery_codes"].as_array().expect("codes").clone();
    assert_eq!(codes.len(), 8);
    assert_eq!(ways_in(&server, &token).await, (false, 1));
    assert_eq!(passkeys(&server, &token).await[0]["name"], "My telephone");
    let signed_in = sign_in(&server, &authenticator).await;
    assert_eq!(signed_in.json()["id"], me["id"], "{signed_in:?}");
    let wrong = sign_in_by_password(&server, "Agathias", PASSWORD).await;
    assert_problem(&wrong, 403, "wrong_credentials");
    let proven = asked(&server, "DELETE", &token, "/me/account", &json!({"password": PASSWORD})).await;
    assert_problem(&proven, 403, "wrong_credentials");

    let recover = json!({"handle": "agathias", "code": codes[0], "new_password": PASSWORD});
    let recovered = send(&server, Request::new("POST", "/api/v1/sign-in/recover").json(&recover)).await;
    let token = token_of(&recovered);
    assert_eq!(ways_in(&server, &token).await, (true, 0));
    assert_eq!(sign_in_by_password(&server, "Agathias", PASSWORD).await.status, 201);
}

#[tokio::test]
async fn an_account_opens_with_both() {
    let server = server().await;
    let (token, authenticator, body) = opening(&server, "zeno").await;
    assert_eq!(open(&server, &token, &with(body, "password", PASSWORD)).await.status, 201);
    assert_eq!(ways_in(&server, &token).await, (true, 1));
    assert_eq!(sign_in(&server, &authenticator).await.status, 201);
    assert_eq!(sign_in_by_password(&server, "zeno", PASSWORD).await.status, 201);
}

#[tokio::test]
async fn what_does_not_open_an_account_leaves_nothing() {
    let server = server().await;
    let (other, authenticator) = account(&server, "zeno").await;
    let (token, second, body) = opening(&server, "agathias").await;
    assert_problem(&open(&server, &token, &json!({"handle": "agathias"})).await, 422, "invalid_body");
    let zenos = with(body.clone(), "handle", "zeno");
    assert_problem(&open(&server, &token, &zenos).await, 409, "handle_taken");
    let forged = with(body["passkey"].clone(), "attestation_object", "AAAA");
    let forged = open(&server, &token, &with(body.clone(), "passkey", forged)).await;
    assert_problem(&forged, 403, "wrong_passkey");
    let of_another = challenge(&server, &other).await;
    let of_another = json!({"handle": "agathias", "passkey": second.register(&of_another)});
    assert_problem(&open(&server, &token, &of_another).await, 409, "unknown_passkey_challenge");
    let known = challenge(&server, &token).await;
    let known = json!({"handle": "agathias", "passkey": authenticator.register(&known)});
    assert_problem(&open(&server, &token, &known).await, 409, "passkey_added");
    assert_problem(&get_as(&server, &token, "/me/account").await, 404, "no_account");
    assert_eq!(passkeys(&server, &token).await, [] as [Value; 0]);
    assert_problem(&sign_in(&server, &second).await, 403, "unknown_passkey");
}

#[tokio::test]
async fn the_last_way_in_is_never_removed() {
    let server = server().await;
    let (token, authenticator) = account(&server, "agathias").await;
    let path = format!("/me/passkeys/{}", text(&passkeys(&server, &token).await[0]["id"]));
    let removed =
        asked(&server, "DELETE", &token, &path, &proof(&server, &token, &authenticator).await).await;
    assert_problem(&removed, 409, "last_way_in");

    let set = with(proof(&server, &token, &authenticator).await, "new_password", PASSWORD);
    assert_eq!(asked(&server, "PUT", &token, "/me/account/password", &set).await.status, 200);
    let elsewhere = token_of(&sign_in_by_password(&server, "agathias", PASSWORD).await);
    let remove_password =
        async |body: &Value| asked(&server, "DELETE", &token, "/me/account/password", body).await;
    let wrong = remove_password(&json!({"password": "another password"})).await;
    assert_problem(&wrong, 403, "wrong_credentials");
    assert_problem(&remove_password(&json!({})).await, 422, "invalid_body");
    assert_eq!(remove_password(&json!({"password": PASSWORD})).await.status, 204);
    assert_problem(&get_as(&server, &elsewhere, "/me").await, 401, "unknown_token");
    let wrong = sign_in_by_password(&server, "agathias", PASSWORD).await;
    assert_problem(&wrong, 403, "wrong_credentials");

    let set = with(proof(&server, &token, &authenticator).await, "new_password", PASSWORD);
    assert_eq!(asked(&server, "PUT", &token, "/me/account/password", &set).await.status, 200);
    let by_password = json!({"password": PASSWORD});
    assert_eq!(asked(&server, "DELETE", &token, &path, &by_password).await.status, 204);
    assert_problem(&remove_password(&by_password).await, 409, "last_way_in");
    assert_eq!(ways_in(&server, &token).await, (true, 0));
    added(&server, &token, Key::es256()).await;
    assert_eq!(ways_in(&server, &token).await, (true, 1));
}

#[tokio::test]
async fn a_new_password_tells_what_stays_and_removes_passkeys_when_asked() {
    let server = server().await;
    let (token, authenticator) = account(&server, "agathias").await;
    let set = with(proof(&server, &token, &authenticator).await, "new_password", PASSWORD);
    let changed = asked(&server, "PUT", &token, "/me/account/password", &set).await;
    assert_eq!((changed.status, changed.json()), (200, json!({"passkeys": 1, "api_tokens": 0})));
    let body = json!({"name": "A board", "scopes": ["match:read"], "password": PASSWORD});
    assert_eq!(post(&server, &token, "/me/tokens", &body).await.status, 201);
    let set =
        json!({"password": PASSWORD, "new_password": "four rolls of the dice", "remove_passkeys": true});
    let changed = asked(&server, "PUT", &token, "/me/account/password", &set).await;
    assert_eq!((changed.status, changed.json()), (200, json!({"passkeys": 0, "api_tokens": 1})));
    assert_eq!(ways_in(&server, &token).await, (true, 0));
    assert_problem(&sign_in(&server, &authenticator).await, 403, "unknown_passkey");
}
