//! A client: its connection, what it has asked, how far it has read each match.

use std::collections::{BTreeMap, BTreeSet};

use lusoria_play::{MatchId, Millis};
use lusoria_protocol::Token;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    asked::Question,
    invariants::{self, pushed},
    network::Frame,
    world::World,
};

/// A request as it was sent.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) op: &'static str,
    pub(super) of: Option<MatchId>,
    pub(super) fields: Value,
    /// What makes it the same as another one, if anything does.
    pub(super) question: Option<Question>,
    /// Whether it must be repeated until it is answered.
    pub(super) insists: bool,
}

impl Request {
    pub(super) fn new(op: &'static str, fields: Value) -> Self {
        Self { op, of: None, fields, question: None, insists: false }
    }

    pub(super) fn of(op: &'static str, id: MatchId, mut fields: Value) -> Self {
        fields["match"] = id.0.to_string().into();
        Self { op, of: Some(id), fields, question: None, insists: false }
    }
}

impl Request {
    /// The message to the server. What is no operation of the socket's own goes over `http`.
    fn message(&self, id: u32) -> Value {
        let mut fields = self.fields.clone();
        let mut take = |name: &str| fields.as_object_mut().and_then(|fields| fields.remove(name));
        let below = |rest: &str| self.of.map_or_else(String::new, |of| format!("/matches/{}{rest}", of.0));
        let (method, path, has_body) = match self.op {
            "create" => ("POST", "/matches".to_owned(), true),
            "spend_invitation" => ("POST", "/invitations/spend".to_owned(), true),
            "look_invitation" => ("POST", "/invitations/look".to_owned(), true),
            "legal" => ("POST", below("/legal"), true),
            "building" => ("POST", below("/building"), true),
            "invite" => ("POST", below("/invitation"), false),
            "withdraw_invitation" => ("DELETE", below("/invitation"), false),
            "snapshot" => ("GET", below(""), false),
            "record" => ("GET", below("/record"), false),
            "events" => {
                let [since, limit, positions] =
                    ["since", "limit", "positions"].map(|name| &self.fields[name]);
                let page = format!("/events?since={since}&limit={limit}&positions={positions}");
                ("GET", below(&page), false)
            }
            "matches" => ("GET", "/matches?state=live".to_owned(), false),
            "my_matches" => ("GET", "/me/matches".to_owned(), false),
            "me" => ("GET", "/me".to_owned(), false),
            "rename" => ("PATCH", "/me".to_owned(), true),
            "device_code" => ("POST", "/me/device-code".to_owned(), false),
            own => {
                fields["id"] = id.into();
                fields["op"] = own.into();
                return fields;
            }
        };
        let path = format!("/api/v1{path}");
        let mut message = json!({"id": id, "op": "http", "method": method, "path": path});
        if let Some(key) = take("key") {
            message["key"] = key;
        }
        take("match");
        if has_body {
            message["body"] = fields;
        }
        message
    }
}

/// How far a client has read a match.
#[derive(Debug, Clone, Default)]
pub(super) struct View {
    pub(super) cursor: u32,
    /// Whether the present connection watches it.
    pub(super) watching: bool,
    /// Whether it has asked to be sent a snapshot if it falls behind.
    pub(super) skips: bool,
    /// Whether it has asked for turns without the position after them.
    pub(super) folds: bool,
}

/// The open matches as the lobby tells them, and the heads in the personal topic.
#[derive(Debug, Clone, Default)]
pub(super) struct Topics {
    pub(super) lobby: Option<BTreeSet<MatchId>>,
    /// When the lobby was turned on, by the server's time.
    pub(super) lobby_since: Millis,
    /// The matches that no longer wait, as far as the lobby has told.
    pub(super) closed: BTreeSet<MatchId>,
    pub(super) personal: Option<BTreeSet<(MatchId, u64, String)>>,
}

/// A client.
#[derive(Default)]
pub(super) struct Client {
    /// Whose it is; nobody's if it only watches.
    pub(super) guest: Option<usize>,
    /// The token of its own, if it has another one than its guest's first.
    pub(super) token: Option<Token>,
    /// When that was revoked, as long as the client has not noticed.
    pub(super) revoked_at: Option<u64>,
    /// Whether it has been, once.
    pub(super) was_revoked: bool,
    pub(super) link: Option<usize>,
    pub(super) greeted: bool,
    /// Everything that it has ever asked, by id.
    pub(super) requests: BTreeMap<u32, Request>,
    /// What has not been answered, and when it was asked.
    pub(super) waiting: BTreeMap<u32, u64>,
    /// Requests that must be repeated until they are answered.
    pub(super) errands: Vec<Request>,
    pub(super) views: BTreeMap<MatchId, View>,
    pub(super) topics: Topics,
    /// It reads nothing until then.
    pub(super) stalled_until: u64,
    /// How often it does something, against the others: 1 is often.
    pub(super) slowness: u64,
    asked: u32,
}

impl Client {
    pub(super) fn new(guest: Option<usize>, slowness: u64) -> Self {
        Self { guest, slowness, ..Self::default() }
    }

    /// Its connection is over.
    pub(super) fn disconnected(&mut self) {
        self.link = None;
        self.greeted = false;
        self.stalled_until = 0;
        self.topics = Topics::default();
        for view in self.views.values_mut() {
            view.watching = false;
        }
        for id in std::mem::take(&mut self.waiting).into_keys() {
            let request = &self.requests[&id];
            if request.insists {
                self.errands.push(request.clone());
            }
        }
    }
}

impl World {
    /// A client whose token has been revoked continues as a watcher.
    pub(super) fn gives_up_token(&mut self, client: usize) {
        self.note(format_args!("client {client} has no token any more"));
        let asker = &mut self.clients[client];
        (asker.guest, asker.token, asker.revoked_at, asker.was_revoked) = (None, None, None, true);
        asker.errands.clear();
    }

    /// A client asks something.
    pub(super) fn ask(&mut self, client: usize, request: Request) {
        let (now, asker) = (self.now(), &mut self.clients[client]);
        let Some(link) = asker.link else { return };
        asker.asked += 1;
        let id = asker.asked;
        let message = request.message(id);
        if let Some(guest) = asker.guest {
            let player = self.guests[guest].id;
            let action = request.fields.get("action").and_then(Value::as_str);
            let op =
                action.map_or_else(|| request.op.to_owned(), |action| format!("{} {action}", request.op));
            self.asked.ask(player, request.of, &op);
        }
        asker.waiting.insert(id, now);
        asker.requests.insert(id, request);
        self.client_sends(link, &message.to_string());
    }

    /// A client says who it is.
    pub(super) fn say_hello(&mut self, client: usize) {
        let asker = &self.clients[client];
        let token = asker.guest.map(|guest| asker.token.as_ref().unwrap_or(&self.guests[guest].token));
        let token = token.map(|token| token.as_str().to_owned());
        let fields = token.map_or_else(|| json!({}), |token| json!({"token": token}));
        self.ask(client, Request::new("hello", fields));
    }

    /// A client reads a frame.
    pub(super) fn client_reads(&mut self, link: usize, frame: Frame) {
        let client = self.links[link].client;
        match frame {
            Frame::Ping(number) => {
                let in_ms = self.latency_ms();
                let text = axum::extract::ws::Message::Pong(number);
                self.later(in_ms, super::world::Occurrence::ToServer { link, text });
            }
            Frame::Close(code) => self.note(format_args!("{link} is told farewell: {code}")),
            Frame::Text(text, value) => {
                if value.get("re").is_some() || value.get("error").is_some() {
                    self.client_is_answered(client, &value);
                } else {
                    self.client_is_pushed(client, &text, &value);
                }
            }
        }
    }

    fn client_is_answered(&mut self, client: usize, answer: &Value) {
        let now = self.server_time();
        let Some(id) = answer["re"].as_u64().and_then(|id| u32::try_from(id).ok()) else { return };
        let asker = &mut self.clients[client];
        asker.waiting.remove(&id);
        let Some(request) = asker.requests.get(&id).cloned() else { return };
        if let Some(error) = answer.get("error") {
            let code = error["code"].as_str().unwrap_or_default();
            if code == "unknown_token" && asker.token.is_some() {
                return self.gives_up_token(client);
            }
            if request.insists && ["unavailable", "stopping"].contains(&code) {
                asker.errands.push(request);
            }
            return;
        }
        let ok = &answer["ok"];
        match (request.op, request.of) {
            ("hello", _) => self.greeted(client),
            ("watch", Some(of)) => {
                let since = request.fields.get("since").and_then(Value::as_u64);
                let cursor = since.or(ok["head"].as_u64()).and_then(|cursor| u32::try_from(cursor).ok());
                let view = asker.views.entry(of).or_default();
                view.cursor = cursor.unwrap_or(0);
                view.watching = true;
                view.skips = request.fields["on_lag"] == "snapshot";
                view.folds = request.fields["positions"] == false;
            }
            ("unwatch", Some(of)) => {
                asker.views.entry(of).or_default().watching = false;
            }
            ("lobby", _) if request.fields["on"] == true => {
                asker.topics.lobby_since = now;
                let open = ok["open"].as_array().into_iter().flatten();
                asker.topics.lobby = Some(open.filter_map(|card| id_in(&card["id"])).collect());
            }
            ("lobby", _) => asker.topics.lobby = None,
            ("personal", _) if request.fields["on"] == true => {
                asker.topics.personal.get_or_insert_default();
            }
            ("personal", _) => asker.topics.personal = None,
            ("create", _) => {
                let made = id_in(&ok["match"]["id"]);
                if let (Some(made), Some(code)) = (made, ok["invitation"]["code"].as_str()) {
                    self.codes.insert(made, code.to_owned());
                }
            }
            _ => {}
        }
    }

    /// What a client does at once when it has been greeted: it takes up what it had.
    fn greeted(&mut self, client: usize) {
        let asker = &mut self.clients[client];
        if std::mem::replace(&mut asker.greeted, true) {
            return;
        }
        let mut requests = std::mem::take(&mut asker.errands);
        for (&id, view) in &asker.views {
            let on_lag = if view.skips { "snapshot" } else { "journal" };
            let fields = json!({"since": view.cursor, "on_lag": on_lag, "positions": !view.folds});
            requests.push(Request::of("watch", id, fields));
        }
        for request in requests {
            self.ask(client, request);
        }
    }

    fn client_is_pushed(&mut self, client: usize, text: &str, value: &Value) {
        let now = self.server_time();
        let hears_all = self.hears_all();
        let lost = id_in(&value["match"]["id"]).zip(value["match"]["head"].as_u64());
        let lost = lost
            .is_some_and(|(id, head)| u32::try_from(head).is_ok_and(|head| self.lost.contains(&(id, head))));
        let once = self.cluster.as_ref().is_none_or(|plan| !plan.repeats() && !lost);
        let reader = &mut self.clients[client];
        let verdict = match value["notice"].as_str() {
            None => {
                let verdict = pushed::follows_what_was_read(reader, value);
                if let (Some(id), Some(seq)) = (id_in(&value["match"]), value["seq"].as_u64()) {
                    reader.views.entry(id).or_default().cursor = u32::try_from(seq).unwrap_or(0);
                }
                ("events_come_in_order", verdict)
            }
            Some("skipped") => {
                self.reached.entry("skipped".to_owned()).and_modify(|times| *times += 1).or_insert(1);
                let verdict = pushed::skip_is_announced(reader, value);
                if let (Some(id), Some(to)) = (id_in(&value["match"]), value["to"].as_u64()) {
                    reader.views.entry(id).or_default().cursor = u32::try_from(to).unwrap_or(0);
                }
                ("a_skip_is_announced", verdict)
            }
            Some("time") => {
                let told = value["server_time"].as_u64().unwrap_or(u64::MAX);
                (
                    "the_time_is_told",
                    invariants::holds(told <= now + self.skew_ms(), || format!("{told} at {now}")),
                )
            }
            Some("opened") => {
                let Some(id) = id_in(&value["match"]["id"]) else { return };
                if let Some(lobby) = &mut reader.topics.lobby {
                    lobby.insert(id);
                }
                ("what_was_closed_stays_so", pushed::was_not_closed(reader, id))
            }
            Some("closed") => {
                let Some(id) = id_in(&value["match"]) else { return };
                let made_at = self.ledger.books.get(&id).map_or(0, |book| book.now().created_at());
                let reads_well = reader.link.is_some_and(|link| self.links[link].reads_well());
                let verdict = pushed::was_opened(reader, id, made_at);
                reader.topics.closed.insert(id);
                if let Some(lobby) = &mut reader.topics.lobby {
                    lobby.remove(&id);
                }
                ("the_lobby_tells_what_opens", if reads_well && hears_all { verdict } else { Ok(()) })
            }
            Some("your_turn" | "match_changed") => {
                ("a_player_is_told_once", pushed::is_told_once(reader, value, hears_all, once))
            }
            Some(_) => return,
        };
        let (invariant, verdict) = verdict;
        self.must(invariant, verdict.map_err(|why| format!("client {client}: {why}: {text}")));
    }
}

/// The id of a match in a message.
pub(super) fn id_in(value: &Value) -> Option<MatchId> {
    Some(MatchId(Uuid::try_parse(value.as_str()?).ok()?))
}
