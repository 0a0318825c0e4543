//! Two guests who play a match over HTTP, and keep what was acknowledged.

use std::{io, net::SocketAddr};

use serde_json::{Value, json};

use crate::support::http::{Answer, Request};

/// A match, its two players, and every event that a server has acknowledged.
pub(super) struct Table {
    id: String,
    tokens: [String; 2],
    pub(super) acknowledged: Vec<Value>,
    /// The last turn that was sent.
    pub(super) last_turn: Option<SentTurn>,
}

/// A turn as it was sent.
#[derive(Clone)]
pub(super) struct SentTurn {
    request: Request,
    /// What was answered, if anything was.
    pub(super) answer: Option<Value>,
}

impl Table {
    /// Two new guests sit down.
    pub(super) async fn new(game: &str, at: SocketAddr) -> io::Result<Self> {
        let mut tokens = [String::new(), String::new()];
        for (token, name) in tokens.iter_mut().zip(["Agathias", "Zeno"]) {
            let guest = ok(&Request::new("POST", "/api/v1/guests").json(&json!({"name": name})), at).await?;
            *token = text(&guest["token"]);
        }
        let create = Request::new("POST", "/api/v1/matches").json(&json!({"game": game}));
        let created = ok(&create.token(&tokens[0]).header("idempotency-key", "create-1"), at).await?;
        let id = text(&created["match"]["id"]);
        let mut table = Self { id, tokens, acknowledged: Vec::new(), last_turn: None };
        let join = table.request("POST", "join", 1).json(&json!({"seed": "Tablen pheugete pantes"}));
        let joined = ok(&join.header("idempotency-key", "join-1"), at).await?;
        table.acknowledge(&joined);
        Ok(table)
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn token(&self, player: usize) -> &str {
        &self.tokens[player]
    }

    fn request(&self, method: &str, what: &str, player: usize) -> Request {
        Request::new(method, &format!("/api/v1/matches/{}/{what}", self.id)).token(&self.tokens[player])
    }

    /// The match as the server shows it.
    pub(super) async fn snapshot(&self, at: SocketAddr) -> io::Result<Value> {
        ok(&Request::new("GET", &format!("/api/v1/matches/{}", self.id)), at).await
    }

    /// The record that the server gives.
    pub(super) async fn record(&self, at: SocketAddr) -> io::Result<Value> {
        ok(&self.request("GET", "record", 0), at).await
    }

    /// Plays the next turn, whosever it is; whether there was one.
    pub(super) async fn turn(&mut self, at: SocketAddr) -> io::Result<bool> {
        let to_play = self.snapshot(at).await?["to_play"].take();
        if to_play.is_null() {
            return Ok(false);
        }
        let (seq, player) = (&to_play["seq"], usize::from(to_play["seat"] != 1));
        let mut steps: Vec<Value> = Vec::new();
        loop {
            let question = self.request("POST", "legal", player).json(&json!({"steps": steps}));
            let mut legal = ok(&question, at).await?;
            if legal["complete"] == true {
                break;
            }
            let next = legal["steps"].as_array_mut().expect("a list of steps");
            // Any step will do, but not always the first.
            let chosen = usize::try_from(seq.as_u64().expect("a number")).expect("small") % next.len();
            steps.push(next.swap_remove(chosen));
        }
        let request = self.request("POST", "turn", player).json(&json!({"seq": seq, "steps": steps}));
        self.last_turn = Some(SentTurn { request, answer: None });
        self.send_last_turn(at).await?;
        Ok(true)
    }

    /// Sends the last turn, perhaps not for the first time, and keeps what is answered.
    pub(super) async fn send_last_turn(&mut self, at: SocketAddr) -> io::Result<()> {
        let sent = self.last_turn.clone().expect("a turn was sent");
        let answer = ok(&sent.request, at).await?;
        if let Some(before) = sent.answer {
            assert_eq!(answer, before, "the same turn has the same answer");
        } else {
            self.acknowledge(&answer);
            self.last_turn = Some(SentTurn { answer: Some(answer), ..sent });
        }
        Ok(())
    }

    /// Forgets what was acknowledged after event `head`, since the server does not know it
    /// any more.
    pub(super) fn go_back_to(&mut self, head: usize) {
        self.acknowledged.retain(|event| event["seq"].as_u64().is_some_and(|seq| seq <= head as u64));
        self.last_turn = None;
    }

    /// What the server says of the events after event `since`.
    pub(super) async fn events_since(&self, since: usize, at: SocketAddr) -> io::Result<Answer> {
        self.request("GET", &format!("events?since={since}"), 0).send(at).await
    }

    fn acknowledge(&mut self, answer: &Value) {
        self.acknowledged.extend(answer["events"].as_array().expect("events").iter().cloned());
    }

    /// Every event that was acknowledged is still there, unchanged, with its number.
    pub(super) async fn assert_nothing_is_lost(&self, at: SocketAddr) {
        let record = self.record(at).await.expect("the server runs");
        let events = record["events"].as_array().expect("events");
        for acknowledged in &self.acknowledged {
            let seq = usize::try_from(acknowledged["seq"].as_u64().expect("a number")).expect("small");
            assert_eq!(events.get(seq - 1), Some(acknowledged), "event {seq} was acknowledged");
        }
    }
}

/// Sends a request that must be answered well, if it is answered at all: while a server
/// stops it may break the connection, or say that it is unavailable.
async fn ok(request: &Request, at: SocketAddr) -> io::Result<Value> {
    let answer = request.send(at).await?;
    match answer.status {
        200..=299 => Ok(answer.json()),
        503 => Err(io::ErrorKind::ConnectionRefused.into()),
        _ => refused(request, &answer),
    }
}

fn refused(request: &Request, answer: &Answer) -> ! {
    panic!("{} {} {}: {} {}", request.method, request.path, request.body, answer.status, answer.body)
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
