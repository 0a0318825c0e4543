//! Passkeys over HTTP, with an authenticator made of software: adding one, signing in and proving with it, and what
//! is refused.

use std::sync::Arc;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use lusoria::{live::ServerTime, server::Server};
use lusoria_store::Store;
use ring::{
    digest::{SHA256, digest},
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair},
};
use serde_json::{Value, json};

use crate::{
    accounts::{account, get_as},
    http::{assert_problem, guest, post, send},
    support::{
        http::{Answer, Request},
        server::{server_over, server_with},
    },
};

const PASSWORD: &str = "three rolls of the dice";
const ORIGIN: &str = "http://localhost:8080";
const DOMAIN: &str = "localhost";

pub(crate) async fn server() -> Server {
    server_with(&["--public-url", ORIGIN]).await
}

fn base64url(bytes: impl AsRef<[u8]>) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

fn sha256(bytes: &[u8]) -> Vec<u8> {
    digest(&SHA256, bytes).as_ref().to_vec()
}

pub(crate) enum Key {
    Es256(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
}

impl Key {
    pub(crate) fn es256() -> Self {
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).expect("a key");
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, key.as_ref(), &random);
        Self::Es256(key.expect("a key"))
    }

    fn ed25519() -> Self {
        let key = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("a key");
        Self::Ed25519(Ed25519KeyPair::from_pkcs8(key.as_ref()).expect("a key"))
    }

    fn public(&self) -> &[u8] {
        match self {
            Self::Es256(key) => key.public_key().as_ref(),
            Self::Ed25519(key) => key.public_key().as_ref(),
        }
    }

    fn cose(&self) -> Vec<u8> {
        match self {
            Self::Es256(_) => {
                let (x, y) = self.public()[1..].split_at(32);
                [&[0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32][..], x, &[0x22, 0x58, 32], y].concat()
            }
            Self::Ed25519(_) => [&[0xa4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 0x58, 32][..], self.public()].concat(),
        }
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        match self {
            Self::Es256(key) => key.sign(&SystemRandom::new(), message).expect("signed").as_ref().to_vec(),
            Self::Ed25519(key) => key.sign(message).as_ref().to_vec(),
        }
    }
}

/// An authenticator with one passkey, in a browser on a page of `origin`.
pub(crate) struct Authenticator {
    key: Key,
    user: String,
    origin: &'static str,
    domain: &'static str,
    /// What it says next; it does not count if 0.
    counter: u32,
}

/// The user is present and verified.
const VERIFIED: u8 = 0b101;

impl Authenticator {
    /// Makes a passkey for whose challenge this is.
    pub(crate) fn new(key: Key, challenge: &Value) -> Self {
        let user = text(&challenge["account"]["user"]);
        Self { key, user, origin: ORIGIN, domain: DOMAIN, counter: 0 }
    }

    fn credential(&self) -> Vec<u8> {
        sha256(self.key.public())
    }

    fn client_data(&self, kind: &str, challenge: &Value) -> String {
        let challenge = &challenge["challenge"];
        json!({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false}).to_string()
    }

    fn data(&self, flags: u8) -> Vec<u8> {
        [&sha256(self.domain.as_bytes())[..], &[flags], &self.counter.to_be_bytes()].concat()
    }

    /// The body that adds its passkey, without a proof.
    pub(crate) fn register(&self, challenge: &Value) -> Value {
        let (id, cose) = (self.credential(), self.key.cose());
        let id_bytes = u8::try_from(id.len()).expect("short");
        let data = [&self.data(VERIFIED | 0x40)[..], &[0; 16], &[0, id_bytes], &id, &cose].concat();
        let data_bytes = u8::try_from(data.len()).expect("short");
        let object =
            [&b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58"[..], &[data_bytes], &data].concat();
        json!({"name": " My telephone ", "challenge": challenge["challenge"],
            "client_data_json": base64url(self.client_data("webauthn.create", challenge)),
            "attestation_object": base64url(object)})
    }

    /// Its answer to a challenge.
    pub(crate) fn answer(&self, challenge: &Value) -> Value {
        let (client_data, data) = (self.client_data("webauthn.get", challenge), self.data(VERIFIED));
        let signature = self.key.sign(&[&data[..], &sha256(client_data.as_bytes())].concat());
        json!({"challenge": challenge["challenge"], "credential": base64url(self.credential()),
            "client_data_json": base64url(client_data), "authenticator_data": base64url(data),
            "signature": base64url(signature), "user_handle": self.user})
    }
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

pub(crate) fn with(mut body: Value, field: &str, value: impl Into<Value>) -> Value {
    body[field] = value.into();
    body
}

pub(crate) fn token_of(answer: &Answer) -> String {
    assert_eq!(answer.status, 201, "{answer:?}");
    text(&answer.json()["token"])
}

/// A challenge for an account.
pub(crate) async fn challenge(server: &Server, token: &str) -> Value {
    let made = post(server, token, "/me/passkeys/challenge", &json!({})).await;
    assert_eq!(made.status, 201, "{made:?}");
    made.json()
}

/// A challenge to sign in.
async fn challenge_to_sign_in(server: &Server) -> Value {
    let made = send(server, Request::new("POST", "/api/v1/sign-in/passkey/challenge")).await;
    assert_eq!(made.status, 201, "{made:?}");
    made.json()
}

async fn add(server: &Server, token: &str, body: &Value) -> Answer {
    post(server, token, "/me/passkeys", body).await
}

/// Adds a passkey with the password.
pub(crate) async fn added(server: &Server, token: &str, key: Key) -> Authenticator {
    let made = challenge(server, token).await;
    let authenticator = Authenticator::new(key, &made);
    let answer = add(server, token, &with(authenticator.register(&made), "password", PASSWORD)).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    authenticator
}

/// A new account's token, and its passkey.
pub(crate) async fn with_passkey(server: &Server, handle: &str) -> (String, Authenticator) {
    let (_, token, _) = account(server, handle).await;
    let authenticator = added(server, &token, Key::es256()).await;
    (token, authenticator)
}

async fn sign_in_by(server: &Server, answer: Value) -> Answer {
    let body = json!({"passkey": answer, "device": "Firefox"});
    send(server, Request::new("POST", "/api/v1/sign-in/passkey").json(&body)).await
}

pub(crate) async fn sign_in(server: &Server, authenticator: &Authenticator) -> Answer {
    sign_in_by(server, authenticator.answer(&challenge_to_sign_in(server).await)).await
}

pub(crate) async fn passkeys(server: &Server, token: &str) -> Vec<Value> {
    let listed = get_as(server, token, "/me/passkeys").await;
    assert_eq!(listed.status, 200, "{listed:?}");
    listed.json()["passkeys"].as_array().expect("passkeys").clone()
}

pub(crate) async fn asked(server: &Server, method: &str, token: &str, path: &str, body: &Value) -> Answer {
    send(server, Request::new(method, &format!("/api/v1{path}")).token(token).json(body)).await
}

#[tokio::test]
async fn an_added_passkey_is_enough_to_sign_in() {
    let server = server().await;
    for (handle, key) in [("agathias", Key::es256()), ("zeno", Key::ed25519())] {
        let (id, token, _) = account(&server, handle).await;
        let made = challenge(&server, &token).await;
        assert_eq!(made["relying_party"], DOMAIN);
        assert_eq!(made["account"]["name"], handle);
        assert_eq!(made["account"]["algorithms"], json!([-8, -7, -257]));
        assert_eq!(made["account"]["credentials"], json!([]));
        let authenticator = Authenticator::new(key, &made);
        let body = with(authenticator.register(&made), "password", PASSWORD);
        let answer = add(&server, &token, &body).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        let shown = answer.json();
        assert_eq!((&shown["name"], &shown["can_be_synced"]), (&json!("My telephone"), &json!(false)));
        assert_eq!(shown.get("used_at"), None);
        assert_eq!(passkeys(&server, &token).await, [shown]);
        let known = &challenge(&server, &token).await["account"]["credentials"];
        assert_eq!(known, &json!([base64url(authenticator.credential())]));

        assert_eq!(challenge_to_sign_in(&server).await.get("account"), None);
        let signed_in = sign_in(&server, &authenticator).await;
        assert_eq!(signed_in.json()["id"], json!(id), "{signed_in:?}");
        let elsewhere = token_of(&signed_in);
        let sessions = get_as(&server, &elsewhere, "/me/sessions").await.json();
        assert_eq!(sessions["sessions"][0]["signed_in_by"], "passkey");
        assert_eq!(sessions["sessions"][0]["device"], "Firefox");
        assert!(passkeys(&server, &elsewhere).await[0]["used_at"].is_u64());
    }
}

#[tokio::test]
async fn a_passkey_is_renamed_and_removed() {
    let server = server().await;
    let (token, authenticator) = with_passkey(&server, "agathias").await;
    let (other, _) = with_passkey(&server, "zeno").await;
    let path = format!("/me/passkeys/{}", text(&passkeys(&server, &token).await[0]["id"]));
    let rename = |name: &str| json!({"name": name});
    assert_eq!(asked(&server, "PATCH", &token, &path, &rename("Ring")).await.status, 204);
    assert_eq!(passkeys(&server, &token).await[0]["name"], "Ring");
    assert_problem(&asked(&server, "PATCH", &other, &path, &rename("Mine")).await, 404, "no_such_passkey");
    let too_long = rename(&"x".repeat(41));
    assert_problem(&asked(&server, "PATCH", &token, &path, &too_long).await, 422, "invalid_body");

    let by_password = json!({"password": PASSWORD});
    assert_problem(&asked(&server, "DELETE", &other, &path, &by_password).await, 404, "no_such_passkey");
    let wrong = json!({"password": "not my password"});
    assert_problem(&asked(&server, "DELETE", &token, &path, &wrong).await, 403, "wrong_credentials");
    let by_itself = json!({"passkey": authenticator.answer(&challenge(&server, &token).await)});
    let removed = asked(&server, "DELETE", &token, &path, &by_itself).await;
    assert_eq!(removed.status, 204, "{removed:?}");
    assert_eq!(passkeys(&server, &token).await, [] as [Value; 0]);
    assert_problem(&sign_in(&server, &authenticator).await, 403, "unknown_passkey");
    assert_problem(&asked(&server, "DELETE", &token, &path, &by_password).await, 404, "no_such_passkey");
}

#[tokio::test]
async fn a_passkey_proves_what_the_password_does() {
    let server = server().await;
    let (token, authenticator) = with_passkey(&server, "agathias").await;
    let prove = async || json!({"passkey": authenticator.answer(&challenge(&server, &token).await)});

    let another = challenge(&server, &token).await;
    let second = Authenticator::new(Key::ed25519(), &another);
    let body = with(second.register(&another), "passkey", prove().await["passkey"].clone());
    assert_eq!(add(&server, &token, &body).await.status, 201);

    let body = with(prove().await, "new_password", "a new password");
    let changed = asked(&server, "PUT", &token, "/me/account/password", &body).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    let by_password = json!({"handle": "agathias", "password": "a new password"});
    let signed_in = send(&server, Request::new("POST", "/api/v1/sign-in").json(&by_password)).await;
    assert_eq!(signed_in.status, 201, "{signed_in:?}");
    let codes = post(&server, &token, "/me/account/recovery-codes", &prove().await).await;
    assert_eq!(codes.status, 201, "{codes:?}");
    let api_token = with(prove().await, "name", "My bot");
    assert_eq!(post(&server, &token, "/me/tokens", &api_token).await.status, 201);

    let both = with(prove().await, "password", "a new password");
    for odd in [json!({}), both] {
        assert_problem(&asked(&server, "DELETE", &token, "/me/account", &odd).await, 422, "invalid_body");
    }
    let erased = asked(&server, "DELETE", &token, "/me/account", &prove().await).await;
    assert_eq!(erased.status, 204, "{erased:?}");
    assert_problem(&sign_in(&server, &authenticator).await, 403, "unknown_passkey");
    assert_problem(&sign_in(&server, &second).await, 403, "unknown_passkey");
}

#[tokio::test]
async fn no_answer_counts_twice() {
    let server = server().await;
    let (token, authenticator) = with_passkey(&server, "agathias").await;
    let answer = authenticator.answer(&challenge_to_sign_in(&server).await);
    assert_eq!(sign_in_by(&server, answer.clone()).await.status, 201);
    assert_problem(&sign_in_by(&server, answer).await, 409, "unknown_passkey_challenge");

    let made = challenge(&server, &token).await;
    let another = Authenticator::new(Key::es256(), &made);
    let body = with(another.register(&made), "password", PASSWORD);
    assert_eq!(add(&server, &token, &body).await.status, 201);
    assert_problem(&add(&server, &token, &body).await, 409, "unknown_passkey_challenge");

    let proof = json!({"passkey": authenticator.answer(&challenge(&server, &token).await)});
    assert_eq!(post(&server, &token, "/me/account/recovery-codes", &proof).await.status, 201);
    let again = post(&server, &token, "/me/account/recovery-codes", &proof).await;
    assert_problem(&again, 409, "unknown_passkey_challenge");

    // A wrong answer proves nothing, so it spends nothing.
    let made = challenge_to_sign_in(&server).await;
    let forged = with(authenticator.answer(&made), "signature", "AAAA");
    assert_problem(&sign_in_by(&server, forged).await, 403, "wrong_passkey");
    assert_eq!(sign_in_by(&server, authenticator.answer(&made)).await.status, 201);
}

#[tokio::test]
async fn of_the_same_answer_twice_at_once_one_counts() {
    let server = server().await;
    let (_, authenticator) = with_passkey(&server, "agathias").await;
    let answer = authenticator.answer(&challenge_to_sign_in(&server).await);
    let (one, two) = tokio::join!(sign_in_by(&server, answer.clone()), sign_in_by(&server, answer));
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
}

#[tokio::test]
async fn challenges_are_for_whom_and_what_they_were_made() {
    let server = server().await;
    let (token, authenticator) = with_passkey(&server, "agathias").await;
    let (other, theirs) = with_passkey(&server, "zeno").await;
    let mine = challenge(&server, &token).await;
    assert_problem(&sign_in_by(&server, authenticator.answer(&mine)).await, 409, "unknown_passkey_challenge");
    let codes = async |token: &str, answer: Value| {
        post(&server, token, "/me/account/recovery-codes", &json!({"passkey": answer})).await
    };
    let to_sign_in = challenge_to_sign_in(&server).await;
    assert_problem(&codes(&token, authenticator.answer(&to_sign_in)).await, 409, "unknown_passkey_challenge");
    let of_other = challenge(&server, &other).await;
    assert_problem(&codes(&token, authenticator.answer(&of_other)).await, 409, "unknown_passkey_challenge");
    assert_problem(&codes(&token, theirs.answer(&mine)).await, 403, "unknown_passkey");
    let made_up = json!({"challenge": base64url([7; 32])});
    assert_problem(
        &sign_in_by(&server, authenticator.answer(&made_up)).await,
        409,
        "unknown_passkey_challenge",
    );
}

#[tokio::test]
async fn forged_answers_are_refused() {
    let server = server().await;
    let (token, authenticator) = with_passkey(&server, "agathias").await;
    let (_, theirs) = with_passkey(&server, "zeno").await;
    let made = challenge_to_sign_in(&server).await;
    let signed_by_another =
        with(authenticator.answer(&made), "signature", theirs.answer(&made)["signature"].clone());
    assert_problem(&sign_in_by(&server, signed_by_another).await, 403, "wrong_passkey");
    let made = challenge_to_sign_in(&server).await;
    let other_challenge = with(
        authenticator.answer(&challenge_to_sign_in(&server).await),
        "challenge",
        made["challenge"].clone(),
    );
    assert_problem(&sign_in_by(&server, other_challenge).await, 403, "wrong_passkey");
    let as_another =
        with(authenticator.answer(&challenge_to_sign_in(&server).await), "user_handle", theirs.user.clone());
    assert_problem(&sign_in_by(&server, as_another).await, 403, "wrong_passkey");
    let mut nobodys = authenticator.answer(&challenge_to_sign_in(&server).await);
    nobodys.as_object_mut().expect("an object").remove("user_handle");
    assert_problem(&sign_in_by(&server, nobodys).await, 403, "wrong_passkey");

    let made = challenge(&server, &token).await;
    let new = Authenticator::new(Key::es256(), &made);
    let odd = with(new.register(&made), "attestation_object", base64url("odd"));
    assert_problem(&add(&server, &token, &with(odd, "password", PASSWORD)).await, 403, "wrong_passkey");
    let made = challenge(&server, &token).await;
    let wrong_type =
        with(new.register(&made), "client_data_json", new.answer(&made)["client_data_json"].clone());
    assert_problem(
        &add(&server, &token, &with(wrong_type, "password", PASSWORD)).await,
        403,
        "wrong_passkey",
    );
    assert_eq!(passkeys(&server, &token).await.len(), 1);
}

#[tokio::test]
async fn passkeys_used_on_other_sites_are_refused() {
    let server = server().await;
    let (token, mut authenticator) = with_passkey(&server, "agathias").await;
    authenticator.origin = "http://localhost.example.org:8080";
    assert_problem(&sign_in(&server, &authenticator).await, 403, "wrong_origin");
    let made = challenge(&server, &token).await;
    let new = Authenticator { origin: "https://example.org", ..Authenticator::new(Key::es256(), &made) };
    let body = with(new.register(&made), "password", PASSWORD);
    assert_problem(&add(&server, &token, &body).await, 403, "wrong_origin");
    authenticator.origin = ORIGIN;
    authenticator.domain = "example.org";
    assert_problem(&sign_in(&server, &authenticator).await, 403, "wrong_passkey");
}

#[tokio::test]
async fn a_counter_that_runs_back_is_refused() {
    let server = server().await;
    let (_, mut authenticator) = with_passkey(&server, "agathias").await;
    for (counter, status) in [(5, 201), (5, 403), (4, 403), (0, 403), (6, 201)] {
        authenticator.counter = counter;
        let signed_in = sign_in(&server, &authenticator).await;
        assert_eq!(signed_in.status, status, "{counter}: {signed_in:?}");
    }
    // Two at once by the same counter, as an authenticator and its copy are.
    authenticator.counter = 7;
    let answers = [challenge_to_sign_in(&server).await, challenge_to_sign_in(&server).await];
    let [one, two] = answers.map(|made| sign_in_by(&server, authenticator.answer(&made)));
    let (one, two) = tokio::join!(one, two);
    let mut codes = [one, two].map(|answer| (answer.status, answer.json()["code"].clone()));
    codes.sort_unstable_by_key(|(status, _)| *status);
    assert_eq!(codes, [(201, Value::Null), (403, json!("wrong_passkey"))]);
}

#[tokio::test]
async fn an_account_has_each_passkey_once_and_not_too_many() {
    let server = server().await;
    let (token, authenticator) = with_passkey(&server, "agathias").await;
    let again = authenticator.register(&challenge(&server, &token).await);
    assert_problem(&add(&server, &token, &with(again, "password", PASSWORD)).await, 409, "passkey_added");
    let (_, other, _) = account(&server, "zeno").await;
    let stolen = authenticator.register(&challenge(&server, &other).await);
    assert_problem(&add(&server, &other, &with(stolen, "password", PASSWORD)).await, 409, "passkey_added");
    let made = challenge(&server, &token).await;
    let long = with(Authenticator::new(Key::es256(), &made).register(&made), "name", "x".repeat(41));
    assert_problem(&add(&server, &token, &with(long, "password", PASSWORD)).await, 422, "invalid_body");
    let huge =
        with(Authenticator::new(Key::es256(), &made).register(&made), "attestation_object", "A".repeat(5463));
    assert_problem(&add(&server, &token, &with(huge, "password", PASSWORD)).await, 422, "invalid_body");
    for _ in 1..10 {
        added(&server, &token, Key::ed25519()).await;
    }
    let made = challenge(&server, &token).await;
    let more = Authenticator::new(Key::es256(), &made).register(&made);
    let refused = add(&server, &token, &with(more, "password", PASSWORD)).await;
    assert_problem(&refused, 409, "too_many_passkeys");
    assert_eq!(refused.json()["limit"], 10);
}

#[tokio::test]
async fn wrong_answers_cost_as_wrong_passwords_do() {
    let server = server().await;
    let (_, authenticator) = with_passkey(&server, "agathias").await;
    for _ in 0..6 {
        let forged = with(authenticator.answer(&challenge_to_sign_in(&server).await), "signature", "AAAA");
        assert_problem(&sign_in_by(&server, forged).await, 403, "wrong_passkey");
    }
    let refused = sign_in(&server, &authenticator).await;
    assert_problem(&refused, 429, "too_many_attempts");
}

#[tokio::test]
async fn another_server_judges_the_answer_within_five_minutes() {
    let store = Arc::new(Store::in_memory());
    let server = async |at: u64| {
        server_over(store.clone(), ServerTime::from_epoch(at), &["--public-url", ORIGIN]).await
    };
    let first = server(1_790_000_000_000).await;
    let (_, authenticator) = with_passkey(&first, "agathias").await;
    let made = [challenge_to_sign_in(&first).await, challenge_to_sign_in(&first).await];
    let expires_at = made[1]["expires_at"].as_u64().expect("a time");
    // With a minute for this test, whose time goes on.
    let second = server(expires_at - 60_000).await;
    let signed_in = sign_in_by(&second, authenticator.answer(&made[0])).await;
    assert_eq!(signed_in.status, 201, "{signed_in:?}");
    let third = server(expires_at).await;
    assert_problem(
        &sign_in_by(&third, authenticator.answer(&made[1])).await,
        409,
        "unknown_passkey_challenge",
    );
}

#[tokio::test]
async fn a_recovery_code_removes_all_passkeys() {
    let server = server().await;
    let (_, token, codes) = account(&server, "agathias").await;
    let authenticator = added(&server, &token, Key::es256()).await;
    let body = json!({"handle": "agathias", "code": codes[0], "new_password": "found again"});
    let recovered = send(&server, Request::new("POST", "/api/v1/sign-in/recover").json(&body)).await;
    let token = token_of(&recovered);
    assert_eq!(passkeys(&server, &token).await, [] as [Value; 0]);
    assert_problem(&sign_in(&server, &authenticator).await, 403, "unknown_passkey");
}

#[tokio::test]
async fn a_server_without_a_fitting_address_has_no_passkeys() {
    for flags in
        [&[][..], &["--public-url", "http://play.example.org"], &["--public-url", "https://192.0.2.7"]]
    {
        let server = server_with(flags).await;
        let (_, token, _) = account(&server, "agathias").await;
        let refused = post(&server, &token, "/me/passkeys/challenge", &json!({})).await;
        assert_problem(&refused, 409, "no_passkeys");
        let refused = send(&server, Request::new("POST", "/api/v1/sign-in/passkey/challenge")).await;
        assert_problem(&refused, 409, "no_passkeys");
    }
}

#[tokio::test]
async fn only_accounts_have_passkeys() {
    let server = server().await;
    let token = guest(&server).await;
    let made = challenge(&server, &token).await;
    let authenticator = Authenticator::new(Key::es256(), &made);
    let body = with(authenticator.register(&made), "password", PASSWORD);
    assert_problem(&add(&server, &token, &body).await, 404, "no_account");
}
