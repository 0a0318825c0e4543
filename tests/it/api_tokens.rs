//! API tokens: making, listing, using and revoking them, and accounts that become a bot's, over HTTP.

use std::sync::Arc;

use lusoria::{live::ServerTime, server::Server};
use lusoria_store::{Store, sqlite::SqliteOptions};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    http::{assert_problem, guest, post, send, server, tablut},
    support::{
        http::{Answer, Request},
        server::server_over,
    },
};

const PASSWORD: &str = "three rolls of the dice";

/// Opens an account for the guest with this token, who has the recovery codes.
async fn open(server: &Server, token: &str, handle: &str) -> Vec<String> {
    let body = json!({"handle": handle, "password": PASSWORD});
    let opened = post(server, token, "/me/account", &body).await;
    assert_eq!(opened.status, 201, "{opened:?}");
    serde_json::from_value(opened.json()["recovery_codes"].clone()).expect("codes")
}

/// The session's token of a new account.
async fn account(server: &Server, handle: &str) -> String {
    let token = guest(server).await;
    open(server, &token, handle).await;
    token
}

async fn create(server: &Server, session: &str, scopes: &[&str]) -> Answer {
    let body = json!({"name": "My bot", "scopes": scopes, "password": PASSWORD});
    post(server, session, "/me/tokens", &body).await
}

async fn created(server: &Server, session: &str, scopes: &[&str]) -> (String, String) {
    let made = create(server, session, scopes).await;
    assert_eq!(made.status, 201, "{made:?}");
    let text = |field: &str| made.json()[field].as_str().expect("a text").to_owned();
    (text("id"), text("token"))
}

async fn asked(server: &Server, method: &str, token: &str, path: &str) -> Answer {
    send(server, Request::new(method, &format!("/api/v1{path}")).token(token)).await
}

async fn list(server: &Server, session: &str) -> Vec<Value> {
    let listed = asked(server, "GET", session, "/me/tokens").await;
    assert_eq!(listed.status, 200, "{listed:?}");
    listed.json()["tokens"].as_array().expect("tokens").clone()
}

#[tokio::test]
async fn a_token_is_shown_once_and_listed_without_it() {
    let server = server().await;
    let session = account(&server, "agathias").await;
    let body = json!({"name": " My bot ", "scopes": ["match:read", "account:read", "match:read"],
        "expires_in_days": 7, "password": PASSWORD});
    let made = post(&server, &session, "/me/tokens", &body).await;
    assert_eq!(made.status, 201, "{made:?}");
    let mut shown = made.json();
    let token = shown["token"].take();
    let token = token.as_str().expect("a token");
    assert!(token.starts_with("lus_") && token.len() == 47, "{token}");
    assert_eq!(shown["name"], "My bot");
    assert_eq!(shown["scopes"], json!(["account:read", "match:read"]));
    let lives_ms =
        shown["expires_at"].as_u64().expect("a time") - shown["created_at"].as_u64().expect("a time");
    assert_eq!(lives_ms, 7 * 86_400_000);

    created(&server, &session, &[]).await;
    let listed = list(&server, &session).await;
    let (latest, first) = (&listed[0], &listed[1]);
    assert_eq!((&first["id"], first.get("token"), first.get("used_at")), (&shown["id"], None, None));
    assert_eq!(latest["scopes"], json!([]));
    let lives_ms =
        latest["expires_at"].as_u64().expect("a time") - latest["created_at"].as_u64().expect("a time");
    assert_eq!(lives_ms, 90 * 86_400_000, "unless it is said");
}

#[tokio::test]
async fn every_token_is_told_what_it_may_do() {
    let server = server().await;
    let session = account(&server, "Agathias").await;
    let me = asked(&server, "GET", &session, "/me").await.json();
    let told = asked(&server, "GET", &session, "/token").await.json();
    assert_eq!(told, json!({"kind": "session", "you": me}));
    let (id, token) = created(&server, &session, &["match:read"]).await;
    let told = asked(&server, "GET", &token, "/token").await.json();
    let expires_at = &list(&server, &session).await[0]["expires_at"];
    let expected =
        json!({"kind": "api_token", "you": me, "scopes": ["match:read"], "expires_at": expires_at});
    assert_eq!(told, expected);
    assert_eq!(me["handle"], "Agathias");
    assert_eq!(asked(&server, "DELETE", &session, &format!("/me/tokens/{id}")).await.status, 204);
    assert_problem(&asked(&server, "GET", &token, "/token").await, 401, "unknown_token");
    assert_problem(&asked(&server, "GET", &token, "/me").await, 401, "unknown_token");
    let again = asked(&server, "DELETE", &session, &format!("/me/tokens/{id}")).await;
    assert_problem(&again, 404, "no_such_token");
}

#[tokio::test]
async fn a_token_is_made_of_what_fits_or_not_at_all() {
    let server = server().await;
    let session = account(&server, "agathias").await;
    let valid = json!({"name": "My bot", "scopes": ["match:read"], "password": PASSWORD});
    for (field, value) in [
        ("name", json!("")),
        ("name", json!("x".repeat(41))),
        ("name", json!("\u{202e}")),
        ("scopes", json!(["match:destroy"])),
        ("scopes", json!(["Match:read"])),
        ("scopes", json!("match:read")),
        ("expires_in_days", json!(0)),
        ("expires_in_days", json!(367)),
        ("expires_in_days", json!(-1)),
        ("expires_in_days", Value::Null),
        ("password", json!("short")),
        ("surprise", json!(true)),
    ] {
        let mut body = valid.clone();
        body[field] = value;
        assert_problem(&post(&server, &session, "/me/tokens", &body).await, 422, "invalid_body");
    }
    let mut long = valid.clone();
    long["name"] = json!("x".repeat(1 << 20));
    assert_problem(&post(&server, &session, "/me/tokens", &long).await, 413, "body_too_large");
    let mut wrong = valid.clone();
    wrong["password"] = json!("another password");
    assert_problem(&post(&server, &session, "/me/tokens", &wrong).await, 403, "wrong_credentials");
    assert_problem(&create(&server, &session, &["bot:play"]).await, 409, "wrong_scope");
    let without = guest(&server).await;
    assert_problem(&post(&server, &without, "/me/tokens", &valid).await, 404, "no_account");
    assert_eq!(list(&server, &session).await, [json!(null); 0]);
}

#[tokio::test]
async fn an_account_has_twenty_tokens() {
    let server = server().await;
    let session = account(&server, "agathias").await;
    let mut first = None;
    for _ in 0..20 {
        let (id, _) = created(&server, &session, &[]).await;
        first.get_or_insert(id);
    }
    let refused = create(&server, &session, &[]).await;
    assert_problem(&refused, 409, "too_many_tokens");
    assert_eq!(refused.json()["limit"], 20);
    let first = first.expect("a token");
    assert_eq!(asked(&server, "DELETE", &session, &format!("/me/tokens/{first}")).await.status, 204);
    assert_eq!(create(&server, &session, &[]).await.status, 201);
}

#[tokio::test]
async fn a_token_that_has_expired_is_refused_and_told_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let server_after = async |days: u64| {
        let store = Store::open_file(&folder.path().join("test.db"), SqliteOptions::default()).await;
        let time = ServerTime::from_epoch(1_790_000_000_000 + days * 86_400_000);
        server_over(Arc::new(store.expect("a database")), time, &[]).await
    };
    let before = server_after(0).await;
    let session = account(&before, "agathias").await;
    let (id, token) = created(&before, &session, &["match:read"]).await;
    before.stop().await;
    let after = server_after(91).await;
    for path in ["/token", "/me/matches", "/me"] {
        let refused = asked(&after, "GET", &token, path).await;
        assert_problem(&refused, 401, "token_expired");
        assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
    }
    assert_eq!(asked(&after, "GET", &token, "/games").await.status, 200, "nobody asks who it is");
    assert_eq!(list(&after, &session).await[0]["id"], json!(id), "it is still listed");
    created(&after, &session, &[]).await;
    assert_problem(&asked(&after, "GET", &token, "/me").await, 401, "unknown_token");
    assert_eq!(list(&after, &session).await.len(), 1, "another one takes its place");
}

#[tokio::test]
async fn nobody_revokes_the_token_of_another() {
    let server = server().await;
    let (session, other) = (account(&server, "agathias").await, account(&server, "theodora").await);
    let (id, token) = created(&server, &session, &[]).await;
    let path = format!("/me/tokens/{id}");
    assert_problem(&asked(&server, "DELETE", &other, &path).await, 404, "no_such_token");
    assert_problem(&asked(&server, "DELETE", &token, &path).await, 403, "session_required");
    assert_problem(&asked(&server, "DELETE", &session, "/me/tokens/1").await, 404, "no_such_token");
    assert_eq!(list(&server, &other).await, [json!(null); 0]);
    assert_eq!(asked(&server, "GET", &token, "/me").await.status, 200);
    assert_eq!(asked(&server, "DELETE", &token, "/me/token").await.status, 204, "it revokes itself");
    assert_problem(&asked(&server, "GET", &token, "/me").await, 401, "unknown_token");
    assert_eq!(asked(&server, "GET", &session, "/me").await.status, 200);
}

#[tokio::test]
async fn a_token_without_the_scope_is_told_which_it_needs() {
    let server = server().await;
    let session = account(&server, "agathias").await;
    let (_, token) = created(&server, &session, &["match:read"]).await;
    let refused = post(&server, &token, "/matches", &json!({"game": "zeno"})).await;
    assert_problem(&refused, 403, "missing_scope");
    assert_eq!(refused.json()["scopes"], json!(["match:play"]), "bot:play is for bots");
    assert!(refused.json()["detail"].as_str().expect("words").contains("match:play"), "{refused:?}");
    assert_eq!(asked(&server, "GET", &session, "/me/matches").await.json()["matches"], json!([]));
}

#[tokio::test]
async fn who_may_read_sees_a_match_as_its_player_and_who_may_not_as_everybody() {
    let server = server().await;
    let (id, [session, _]) = tablut(&server).await;
    open(&server, &session, "agathias").await;
    let path = format!("/matches/{id}");
    let seats = async |token: &str| asked(&server, "GET", token, &path).await.json()["your_seats"].clone();
    let (mine, nobodys) = (seats(&session).await, Value::Null);
    assert_eq!(mine, json!([1]));
    for (scopes, expected) in [
        (&[][..], &nobodys),
        (&["account:read"], &nobodys),
        (&["match:read"], &mine),
        (&["match:play"], &mine),
    ] {
        let (_, token) = created(&server, &session, scopes).await;
        let seen = seats(&token).await;
        let seen = if seen == json!([]) { Value::Null } else { seen };
        assert_eq!(&seen, expected, "{scopes:?}");
    }
}

#[tokio::test]
async fn a_stream_ends_when_its_token_is_revoked() {
    let server = server().await;
    let session = account(&server, "agathias").await;
    let (id, token) = created(&server, &session, &["match:read"]).await;
    let mut stream = TcpStream::connect(server.address()).await.expect("a connection");
    let request = format!(
        "GET /api/v1/me/events HTTP/1.0\r\naccept: application/x-ndjson\r\nauthorization: Bearer {token}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.expect("a request sent");
    let mut heard = [0; 12];
    stream.read_exact(&mut heard).await.expect("an answer");
    assert!(heard.ends_with(b"200"), "{heard:?}");
    assert_eq!(asked(&server, "DELETE", &session, &format!("/me/tokens/{id}")).await.status, 204);
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).await.expect("the end");
}

#[tokio::test]
async fn a_new_password_leaves_tokens_unless_asked_and_a_recovery_code_leaves_none() {
    let server = server().await;
    let session = guest(&server).await;
    let codes = open(&server, &session, "agathias").await;
    let change = async |from: &str, to: &str, revoke: bool| {
        let body = json!({"password": from, "new_password": to, "revoke_api_tokens": revoke});
        let request = Request::new("PUT", "/api/v1/me/account/password").token(&session).json(&body);
        let changed = send(&server, request).await;
        assert_eq!(
            (changed.status, changed.json()),
            (200, json!({"passkeys": 0, "api_tokens": u32::from(!revoke)}))
        );
    };
    let is_good = async |token: &str| asked(&server, "GET", token, "/token").await.status == 200;
    let (_, token) = created(&server, &session, &[]).await;
    change(PASSWORD, "another password", false).await;
    assert!(is_good(&token).await);
    change("another password", PASSWORD, true).await;
    assert!(!is_good(&token).await);
    let (_, token) = created(&server, &session, &[]).await;
    let body = json!({"handle": "agathias", "code": codes[0], "new_password": "found again"});
    assert_eq!(send(&server, Request::new("POST", "/api/v1/sign-in/recover").json(&body)).await.status, 201);
    assert!(!is_good(&token).await);
}

#[tokio::test]
async fn an_account_is_declared_a_bots_before_its_first_match() {
    let server = server().await;
    let without = guest(&server).await;
    assert_problem(&asked(&server, "POST", &without, "/me/account/bot").await, 404, "no_account");
    let session = account(&server, "engine").await;
    let (_, persons) = created(&server, &session, &["match:play"]).await;
    let me = asked(&server, "POST", &session, "/me/account/bot").await;
    assert_eq!((me.status, &me.json()["kind"]), (200, &json!("bot")), "{me:?}");
    assert_problem(&asked(&server, "GET", &persons, "/me").await, 401, "unknown_token");
    assert_eq!(asked(&server, "POST", &session, "/me/account/bot").await.status, 200, "again");
    assert_problem(&create(&server, &session, &["match:play"]).await, 409, "wrong_scope");
    let (_, token) = created(&server, &session, &["bot:play"]).await;
    let made = post(&server, &token, "/matches", &json!({"game": "zeno"})).await;
    assert_eq!(made.status, 201, "{made:?}");
    let id = made.json()["match"]["id"].as_str().expect("an id").to_owned();
    let seen = asked(&server, "GET", &token, &format!("/matches/{id}")).await.json();
    assert_eq!(seen["players"]["1"]["kind"], "bot", "{seen}");

    let (_, [player, _]) = tablut(&server).await;
    open(&server, &player, "agathias").await;
    assert_problem(&asked(&server, "POST", &player, "/me/account/bot").await, 409, "has_played");
    assert_eq!(asked(&server, "GET", &player, "/me").await.json()["kind"], "person");
}
