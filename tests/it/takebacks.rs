//! Two people take a turn back: one asks over HTTP, the other answers over a socket.

use futures_util::{SinkExt, StreamExt};
use lusoria::server::Server;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite::Message};

use crate::{
    http::{Stream, get, guest, post, send, server, tablut},
    support::http::{Answer, Request},
};

/// A client of the socket.
struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    async fn open(server: &Server, token: &str) -> Self {
        let address = format!("ws://{}/api/v1/socket", server.address());
        let mut socket = Self(connect_async(address).await.expect("a socket").0);
        socket.ask(json!({"op": "hello", "token": token})).await;
        socket
    }

    /// The response to a request.
    async fn ask(&mut self, mut request: Value) -> Value {
        request["id"] = json!(1);
        self.0.send(Message::text(request.to_string())).await.expect("an open socket");
        loop {
            let message = self.next().await;
            if message["re"] == 1 {
                assert!(message["error"].is_null(), "{request}: {message}");
                return message["ok"].clone();
            }
        }
    }

    async fn next(&mut self) -> Value {
        loop {
            let message = self.0.next().await.expect("an open socket").expect("a message");
            if let Message::Text(text) = message {
                return serde_json::from_str(&text).expect("JSON");
            }
        }
    }

    /// The next event of this kind.
    async fn event(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().await;
            if message["type"] == kind {
                return message;
            }
        }
    }
}

async fn asked(server: &Server, token: &str, id: &str, body: Value) -> Answer {
    post(server, token, &format!("/matches/{id}/takeback"), &body).await
}

async fn snapshot(server: &Server, token: &str, id: &str) -> Value {
    send(server, Request::new("GET", &format!("/api/v1/matches/{id}")).token(token)).await.json()
}

#[tokio::test]
async fn a_person_asks_and_the_other_one_declines_and_then_accepts() {
    let server = server().await;
    let (id, [attackers, defenders]) = tablut(&server).await;
    let mut watching = Socket::open(&server, &defenders).await;
    watching.ask(json!({"op": "watch", "match": id})).await;
    let play = async |seq: u64, step: (&str, &str), token: &str| {
        let turn = json!({"seq": seq, "steps": [{"from": step.0, "to": step.1}]});
        let played = post(&server, token, &format!("/matches/{id}/turn"), &turn).await;
        assert_eq!(played.status, 200, "{played:?}");
        played.json()["head"].as_u64().expect("a number")
    };
    let first = play(3, ("d1", "c1"), &attackers).await;
    assert_eq!(snapshot(&server, &attackers, &id).await["may_take_back"], first);

    let offered = asked(&server, &attackers, &id, json!({"seq": first})).await;
    assert_eq!(offered.status, 200, "{offered:?}");
    let offer = watching.event("takeback_offered").await;
    assert_eq!((&offer["seat"], &offer["turned"]), (&json!(1), &json!(first)));
    let seen = snapshot(&server, &defenders, &id).await;
    assert_eq!(seen["takeback_offer"], json!({"seat": 1, "turned": first}));
    assert_eq!(snapshot(&server, &attackers, &id).await.get("may_take_back"), None);
    // It waits for the player who reads what is offered to them, though it is their turn anyway.
    let waiting = send(&server, Request::new("GET", "/api/v1/me/events").token(&defenders)).await.json();
    assert_eq!(waiting["waiting"][0]["id"], id);

    let answer = |action: &str| json!({"op": "takeback", "match": id, "seq": first, "action": action});
    watching.ask(answer("decline")).await;
    let again = asked(&server, &attackers, &id, json!({"seq": first, "action": "offer"})).await;
    assert_eq!((again.status, again.json()["code"].as_str()), (409, Some("already_offered")));

    // The next turn may be asked for, while the opponent has played since, too.
    let second = play(first, ("e4", "f4"), &defenders).await;
    let third = play(second, ("c1", "d1"), &attackers).await;
    let fourth = play(third, ("f4", "e4"), &defenders).await;
    let told = Stream::open(server.address(), "/api/v1/me/events", Some(&defenders));
    let mut told = told.await;
    assert_eq!(asked(&server, &attackers, &id, json!({"seq": third})).await.status, 200);
    let notice = told.next().await.expect("a notice");
    assert_eq!((&notice["notice"], &notice["match"]["id"]), (&json!("match_changed"), &json!(id)));
    let accepted =
        watching.ask(json!({"op": "takeback", "match": id, "seq": third, "action": "accept"})).await;
    let event = &accepted["events"][0];
    assert_eq!(
        (&event["type"], &event["seat"], &event["to"]),
        (&json!("taken_back"), &json!(1), &json!(second))
    );
    let seen = snapshot(&server, &attackers, &id).await;
    assert_eq!((&seen["takebacks"], &seen["turns"]), (&json!(1), &json!(2)));
    assert_eq!(seen.get("takeback_offer"), None);
    assert_eq!(seen["to_play"]["seq"], fourth + 2);
    play(fourth + 2, ("c1", "b1"), &attackers).await;

    let resigned = post(&server, &attackers, &format!("/matches/{id}/resign"), &json!({})).await;
    assert_eq!(resigned.status, 200);
    let record = get(&server, &format!("/api/v1/matches/{id}/record?format=text")).await;
    for line in ["seat 1 offers a takeback", "seat 2 declines the takeback", "seat 1 takes back turn 3"] {
        assert!(record.body.contains(line), "{line}: {}", record.body);
    }
    let stranger = guest(&server).await;
    let refused = asked(&server, &stranger, &id, json!({"seq": third, "action": "accept"})).await;
    assert_eq!((refused.status, refused.json()["code"].as_str()), (403, Some("not_a_player")));
}
