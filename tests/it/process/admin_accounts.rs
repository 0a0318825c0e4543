//! `lusoria admin` on accounts, and on who may open one.

use serde_json::{Value, json};

use super::{
    admin::{done, refused},
    child::Process,
    running,
};
use crate::support::http::{Answer, Request};

const PASSWORD: &str = "three rolls of the dice";

async fn post(server: &Process, path: &str, token: Option<&str>, body: &Value) -> Answer {
    let request = Request::new("POST", &format!("/api/v1{path}")).json(body);
    let request = if let Some(token) = token { request.token(token) } else { request };
    request.send(server.address()).await.expect("the server runs")
}

/// A guest: the id and the token.
async fn guest(server: &Process, name: &str) -> (String, String) {
    let made = post(server, "/guests", None, &json!({"name": name})).await;
    let text = |field: &str| made.json()[field].as_str().expect("a text").to_owned();
    (text("id"), text("token"))
}

/// Opens an account. Returns the status, and the code of a problem.
async fn open(server: &Process, token: &str, handle: &str, code: Option<&str>) -> (u16, String) {
    let mut body = json!({"handle": handle, "password": PASSWORD});
    if let Some(code) = code {
        body["sign_up_code"] = json!(code);
    }
    let answer = post(server, "/me/account", Some(token), &body).await;
    (answer.status, answer.json()["code"].as_str().unwrap_or_default().to_owned())
}

async fn signs_in(server: &Process, handle: &str) -> Option<String> {
    let answer = post(server, "/sign-in", None, &json!({"handle": handle, "password": PASSWORD})).await;
    (answer.status == 201).then(|| answer.json()["token"].as_str().expect("a token").to_owned())
}

async fn status_of(server: &Process, token: &str) -> u16 {
    let me = Request::new("GET", "/api/v1/me").token(token);
    me.send(server.address()).await.expect("the server runs").status
}

fn handles(listed: &Value) -> Vec<&str> {
    let accounts = listed["accounts"].as_array().expect("a list").iter();
    accounts.map(|account| account["handle"].as_str().expect("a text")).collect()
}

#[tokio::test]
async fn accounts_are_listed_recovered_and_removed() {
    let (_place, database, server) = running();
    let (id, token) = guest(&server, "Agathias of Myrina").await;
    assert_eq!(open(&server, &token, "Agathias", None).await.0, 201);
    let (_, other) = guest(&server, "Zeno").await;
    assert_eq!(open(&server, &other, "Zeno_1", None).await.0, 201);
    let listed = done(&["accounts"], &database);
    assert_eq!((handles(&listed), &listed["more"]), (vec!["Zeno_1", "Agathias"], &json!(false)));
    assert_eq!(handles(&done(&["accounts", "--since", "1h"], &database)).len(), 2);
    let one = done(&["accounts", "--handle", "agathias"], &database);
    let account = &one["accounts"][0];
    assert_eq!((&account["guest"]["id"], &account["recovery_codes"]), (&json!(id), &json!(8)));
    assert!(refused(&["accounts", "--handle", "Agathlas"], &database).contains("there is no account"));

    let made = done(&["recover", "Agathias"], &database);
    let code = made["code"].as_str().expect("a code");
    assert_eq!(made["account"]["recovery_codes"], 9);
    assert_eq!(status_of(&server, &token).await, 200, "nothing ends before it is spent");
    let recover = json!({"handle": "agathias", "code": code, "new_password": PASSWORD});
    let recovered = post(&server, "/sign-in/recover", None, &recover).await;
    assert_eq!((recovered.status, &recovered.json()["id"]), (201, &json!(id)), "{recovered:?}");
    assert_eq!(status_of(&server, &token).await, 401);
    assert!(refused(&["recover", "Nobody"], &database).contains("there is no account \"Nobody\""));

    let signed_in = signs_in(&server, "Zeno_1").await.expect("an account");
    let removed = done(&["remove-account", "zeno_1"], &database);
    assert_eq!((&removed["account"]["handle"], &removed["sessions"]), (&json!("Zeno_1"), &json!(1)));
    assert_eq!((status_of(&server, &signed_in).await, status_of(&server, &other).await), (401, 200));
    assert_eq!(signs_in(&server, "Zeno_1").await, None);
    assert_eq!(open(&server, &other, "Zeno_1", None).await.0, 201, "the handle is free");
    // By the guest, while no server runs.
    server.kill();
    let removed = done(&["remove-account", &id], &database);
    assert_eq!(removed["account"]["handle"], "Agathias");
    assert!(refused(&["remove-account", &id], &database).contains("there is no account"));
    assert_eq!(handles(&done(&["accounts"], &database)), ["Zeno_1"]);
}

#[tokio::test]
async fn as_many_recovery_codes_can_be_made_as_an_account_may_have() {
    let (_place, database, server) = running();
    let (_, token) = guest(&server, "Agathias").await;
    assert_eq!(open(&server, &token, "Agathias", None).await.0, 201);
    server.kill();
    for _ in 8..16 {
        done(&["recover", "Agathias"], &database);
    }
    assert!(refused(&["recover", "Agathias"], &database).contains("has 16 recovery codes"));
    let listed = done(&["accounts"], &database);
    assert_eq!(listed["accounts"][0]["recovery_codes"], 16);
}

#[tokio::test]
async fn who_may_open_an_account_is_up_to_the_operator() {
    let (_place, database, server) = running();
    assert_eq!(done(&["sign-ups"], &database)["policy"], "open");
    let (_, first) = guest(&server, "Agathias").await;
    assert_eq!(open(&server, &first, "Agathias", None).await.0, 201);
    assert_eq!(done(&["sign-ups", "closed"], &database)["policy"], "closed");
    // Guests may still come, and those who have an account sign in.
    let (_, second) = guest(&server, "Zeno").await;
    let closed = (403, "sign_ups_closed".to_owned());
    assert_eq!(open(&server, &second, "Zeno_1", None).await, closed);
    assert_eq!(open(&server, &first, "Zeno_1", None).await, (409, "has_account".to_owned()));
    assert!(signs_in(&server, "Agathias").await.is_some());

    // It is kept, and set while no server runs, too.
    server.kill();
    assert_eq!(done(&["sign-ups"], &database)["policy"], "closed");
    done(&["sign-ups", "invite-only"], &database);
    let made = done(&["sign-up-codes", "--count", "2", "--valid", "12h"], &database);
    let codes: Vec<String> = serde_json::from_value(made["codes"].clone()).expect("codes");
    let server = Process::start(&database);
    assert_eq!(
        done(&["sign-ups"], &database),
        json!({"done": "sign_ups", "policy": "invite-only", "codes": 2})
    );
    let second = async |handle: &str, code| open(&server, &second, handle, code).await;
    assert_eq!(second("Zeno_1", None).await, (403, "sign_up_code_required".to_owned()));
    let unknown = (404, "unknown_code".to_owned());
    assert_eq!(second("Zeno_1", Some("0000-0000-0000-0000")).await, unknown);
    assert_eq!(second("Agathlas", Some(&codes[0])).await, (409, "handle_taken".to_owned()));
    let written = codes[0].to_lowercase().replace('-', "");
    assert_eq!(second("Zeno_1", Some(&written)).await.0, 201);
    let (_, third) = guest(&server, "Quintus").await;
    assert_eq!(open(&server, &third, "Quintus", Some(&codes[0])).await, unknown);
    assert_eq!(done(&["sign-ups"], &database)["codes"], 1);
    done(&["sign-ups", "open"], &database);
    assert_eq!(open(&server, &third, "Quintus", None).await.0, 201);
    assert_eq!(done(&["sign-ups"], &database)["codes"], 1, "what is not needed is not spent");
}

#[tokio::test]
async fn no_more_codes_are_made_than_can_be_shown() {
    let (_place, database, server) = running();
    server.kill();
    for count in ["0", "1001"] {
        let why = refused(&["sign-up-codes", "--count", count], &database);
        assert!(why.contains("1..=1000"), "{why}");
    }
}
