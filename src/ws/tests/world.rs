//! A server without a network, its clients, and their matches.

use std::{
    collections::VecDeque,
    hash::RandomState,
    net::{IpAddr, Ipv4Addr},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::extract::ws::{CloseCode, Message};
use bytes::Bytes;
use futures_util::{Sink, Stream};
use lusoria_protocol::{
    CreateGuest, CreateMatch, JoinMatch, LegalQuestion, MatchId, PlayTurn, Seat, Snapshot, Token,
};
use serde_json::{Value, json};
use tokio::{
    sync::mpsc,
    task::JoinHandle,
    time::{Instant, sleep, sleep_until, timeout_at},
};
use tokio_util::sync::CancellationToken;

use super::super::{
    Limits, Sockets,
    ending::{Ending, ReadError, WriteError},
    reply::SocketId,
    session,
};
use crate::{
    app::{App, BackgroundPool, Caller, ClientAddress, Connections, wire},
    config::{Config, Site},
    http,
    live::{Cluster, LastRead, Live, ServerTime},
};
use lusoria_store::Store;
use lusoria_testkit::{parsed, seeded_bytes};

pub(super) const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A server.
pub(super) struct World {
    pub(super) app: Arc<App>,
    pub(super) sockets: Arc<Sockets>,
    pub(super) stopping: CancellationToken,
}

impl World {
    pub(super) async fn new() -> Self {
        Self::with(&[]).await
    }

    /// A server with a match of tavla that has just begun.
    pub(super) async fn with_a_game() -> (Self, Game) {
        let world = Self::new().await;
        let game = world.game().await;
        (world, game)
    }

    /// A server with these flags.
    pub(super) async fn with(flags: &[&str]) -> Self {
        let config = parsed::<Config>(flags);
        let limits = config.limits.clone();
        let store = Arc::new(Store::in_memory());
        let entropy = Arc::new(seeded_bytes(0));
        let time = ServerTime::from_epoch(1_700_000_000_000);
        let live = Live::prepare(store, Cluster::none(), time, entropy, Arc::new(wire::JsonRender));
        live.begin().await.expect("a store in memory always starts");
        let app = App::new(
            live,
            limits.clone(),
            Site::default(),
            BackgroundPool::Inline,
            Arc::new(BackgroundPool::Inline),
        );
        let stopping = CancellationToken::new();
        let connections = Connections::until(&stopping);
        let sockets = Sockets {
            app: Arc::clone(&app),
            api: http::api(&app, &config, &connections),
            limits: Limits::new(&limits),
            connections,
            opened: AtomicU64::new(0),
            secrets: AtomicU64::new(0),
            secrets_key: RandomState::new(),
            since: 0,
        };
        Self { app, sockets: Arc::new(sockets), stopping }
    }

    /// A new guest.
    pub(super) async fn guest(&self) -> (Caller, Token) {
        let guest = self.app.create_guest(CreateGuest::default(), ADDRESS).await.expect("a new guest");
        (self.app.authenticate(guest.token.clone()).await.expect("a valid token"), guest.token)
    }

    /// A client before `hello`.
    pub(super) fn connect(&self) -> Peer {
        let (to, incoming) = mpsc::unbounded_channel();
        let (outgoing, from) = mpsc::unbounded_channel();
        self.connect_by((to, from), (incoming, outgoing))
    }

    /// The same over a line that delays messages to the client and from it.
    pub(super) fn connect_over(&self, down: Delay, up: Delay) -> Peer {
        let (to, sent) = mpsc::unbounded_channel();
        let (arriving, incoming) = mpsc::unbounded_channel();
        let (outgoing, written) = mpsc::unbounded_channel();
        let (reading, from) = mpsc::unbounded_channel();
        delayed(sent, arriving, up);
        delayed(written, reading, down);
        self.connect_by((to, from), (incoming, outgoing))
    }

    fn connect_by(&self, (to, from): ClientEnd, (incoming, outgoing): ServerEnd) -> Peer {
        let stuck = Arc::new(AtomicBool::new(false));
        let frames = Channel { incoming, outgoing, stuck: Arc::clone(&stuck) };
        let conversation = tokio::spawn(self.converse(frames));
        Peer {
            to,
            from,
            stuck,
            answers_pings: true,
            answers_after: Duration::ZERO,
            pings: Vec::new(),
            conversation,
            asked: 0,
            pushed: VecDeque::new(),
        }
    }

    /// The memory of an idle conversation, in bytes.
    pub(super) fn conversation_bytes(&self) -> usize {
        let (_, incoming) = mpsc::unbounded_channel();
        let (outgoing, _) = mpsc::unbounded_channel();
        size_of_val(&self.converse(Channel { incoming, outgoing, stuck: Arc::default() }))
    }

    fn converse(&self, frames: Channel) -> impl Future<Output = Ending> + use<> {
        session::converse(
            frames,
            Arc::clone(&self.sockets),
            ClientAddress(ADDRESS),
            LastRead::default(),
            SocketId { since: 0, number: 1 },
        )
    }

    /// A client that watches without a token.
    pub(super) async fn watcher(&self) -> Peer {
        let mut peer = self.connect();
        peer.ok("hello", json!({})).await;
        peer
    }

    /// A client with a token.
    pub(super) async fn client(&self, token: &Token) -> Peer {
        let mut peer = self.connect();
        peer.ok("hello", json!({"token": token.as_str()})).await;
        peer
    }

    /// A match of tavla that has just begun.
    pub(super) async fn game(&self) -> Game {
        let ((one, first), (two, second)) = (self.guest().await, self.guest().await);
        self.game_of([one, two], [first, second]).await
    }

    /// Another match between the same players.
    pub(super) async fn another(&self, game: &Game) -> Game {
        self.game_of(game.players.clone(), game.tokens.clone()).await
    }

    /// A match of tavla that has just begun, with a clock.
    pub(super) async fn game_by(&self, clock: Value) -> Game {
        let ((one, first), (two, second)) = (self.guest().await, self.guest().await);
        let request = json!({"game": "tavla", "points": 99, "clock": clock});
        self.begun(request, [one, two], [first, second]).await
    }

    async fn game_of(&self, players: [Caller; 2], tokens: [Token; 2]) -> Game {
        self.begun(json!({"game": "tavla", "points": 99}), players, tokens).await
    }

    async fn begun(&self, request: Value, players: [Caller; 2], tokens: [Token; 2]) -> Game {
        let request: CreateMatch = serde_json::from_value(request).expect("a match");
        let id = self.app.create(&players[0], &request, None).await.expect("a new match").created.id;
        let joined = self.app.command(&players[1], id, None, JoinMatch { seed: None });
        joined.await.expect("an open match");
        Game { app: Arc::clone(&self.app), id, players, tokens }
    }
}

/// The body of a response over `http`; null if there is none.
fn granted(mut answer: Value) -> Value {
    let status = answer["status"].as_u64().unwrap_or_else(|| panic!("{answer}"));
    assert!((200..300).contains(&status), "{answer}");
    answer["ok"].take()
}

/// A match and its players.
pub(super) struct Game {
    app: Arc<App>,
    pub(super) id: MatchId,
    pub(super) players: [Caller; 2],
    pub(super) tokens: [Token; 2],
}

impl Game {
    pub(super) async fn snapshot(&self) -> Snapshot {
        self.app.snapshot(self.id, None).await.expect("a match")
    }

    pub(super) async fn head(&self) -> u32 {
        self.snapshot().await.head
    }

    /// The player whose turn it is (0 or 1), and a turn that they can play.
    pub(super) async fn turn(&self) -> (usize, PlayTurn) {
        let id = self.id;
        let to_play = self.snapshot().await.to_play.expect("a turn");
        let mut steps = Vec::new();
        loop {
            let question = LegalQuestion { steps: steps.clone() };
            let legal = self.app.legal(None, id, &question).await.expect("legal steps");
            if legal.complete {
                let player = usize::from(to_play.seat != Seat::One);
                return (player, PlayTurn { seq: to_play.seq, steps });
            }
            steps.push(legal.steps[0].clone());
        }
    }

    /// Plays a turn.
    pub(super) async fn play(&self) {
        let (player, turn) = self.turn().await;
        let id = self.id;
        self.app.command(&self.players[player], id, None, turn.clone()).await.expect("a legal turn");
    }

    /// Plays until there are this many events.
    pub(super) async fn play_to(&self, events: u32) {
        while self.head().await < events {
            self.play().await;
        }
    }
}

/// A client.
pub(super) struct Peer {
    to: mpsc::UnboundedSender<Result<Message, ReadError>>,
    from: mpsc::UnboundedReceiver<Message>,
    /// While it is set, the client reads nothing.
    pub(super) stuck: Arc<AtomicBool>,
    /// Whether it answers pings as it reads them …
    pub(super) answers_pings: bool,
    /// … and after how long.
    pub(super) answers_after: Duration,
    /// The pings that it has read.
    pub(super) pings: Vec<Bytes>,
    conversation: JoinHandle<Ending>,
    asked: u32,
    /// Pushed messages that the test has not looked at.
    pushed: VecDeque<Value>,
}

impl Peer {
    /// Sends a frame.
    pub(super) fn send(&self, frame: Message) {
        self.receive(Ok(frame));
    }

    /// Gives the server a frame, or an error instead of one.
    pub(super) fn receive(&self, frame: Result<Message, ReadError>) {
        // A stopped server receives nothing.
        let _ = self.to.send(frame);
    }

    /// Sends a request. Returns its id.
    pub(super) fn say(&mut self, op: &str, mut fields: Value) -> u32 {
        self.asked += 1;
        fields["id"] = self.asked.into();
        fields["op"] = op.into();
        self.send(Message::Text(fields.to_string().into()));
        self.asked
    }

    /// Sends a request and waits for its response.
    pub(super) async fn ask(&mut self, op: &str, fields: Value) -> Value {
        let id = self.say(op, fields);
        let answer = self.answer().await;
        assert_eq!(answer["re"], id, "{answer}");
        answer
    }

    /// Sends a request that is granted. Returns `ok`.
    pub(super) async fn ok(&mut self, op: &str, fields: Value) -> Value {
        let mut answer = self.ask(op, fields).await;
        assert!(answer["ok"].is_object(), "{answer}");
        answer["ok"].take()
    }

    /// Sends a request that is refused. Returns the code.
    pub(super) async fn refused(&mut self, op: &str, fields: Value) -> String {
        let answer = self.ask(op, fields).await;
        answer["error"]["code"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    /// Sends a request over `http`. Returns the whole reply.
    pub(super) async fn http(&mut self, method: &str, path: &str, body: Value) -> Value {
        let path = format!("/api/v1{path}");
        self.ask("http", json!({"method": method, "path": path, "body": body})).await
    }

    /// Sends `GET` over `http`. Returns the body.
    pub(super) async fn get(&mut self, path: &str) -> Value {
        granted(self.http("GET", path, Value::Null).await)
    }

    /// Sends `POST` over `http`. Returns the body.
    pub(super) async fn post(&mut self, path: &str, body: Value) -> Value {
        granted(self.http("POST", path, body).await)
    }

    /// The code with which a request over `http` is refused.
    pub(super) async fn http_refused(&mut self, method: &str, path: &str, body: Value) -> String {
        let answer = self.http(method, path, body).await;
        assert_eq!(answer["status"], answer["error"]["status"], "{answer}");
        answer["error"]["code"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    /// The next response.
    pub(super) async fn answer(&mut self) -> Value {
        loop {
            let message = self.message().await;
            if message.get("re").or(message.get("error")).is_some() {
                return message;
            }
            self.pushed.push_back(message);
        }
    }

    /// The next pushed message.
    pub(super) async fn pushed(&mut self) -> Value {
        match self.pushed.pop_front() {
            Some(pushed) => pushed,
            None => self.message().await,
        }
    }

    /// A pushed message that has been read already.
    pub(super) fn now_pushed(&mut self) -> Option<Value> {
        self.pushed.pop_front()
    }

    /// The next pushed event: its match and its number.
    pub(super) async fn event(&mut self) -> (Value, u64) {
        loop {
            let mut pushed = self.pushed().await;
            if let Some(seq) = pushed["seq"].as_u64() {
                return (pushed["match"].take(), seq);
            }
        }
    }

    /// The next notice of this kind.
    pub(super) async fn notice(&mut self, kind: &str) -> Value {
        loop {
            let pushed = self.pushed().await;
            if pushed["notice"] == kind {
                return pushed;
            }
        }
    }

    /// Reads for this time.
    pub(super) async fn listen(&mut self, span: Duration) {
        let until = Instant::now() + span;
        while let Ok(message) = timeout_at(until, self.message()).await {
            self.pushed.push_back(message);
        }
    }

    /// The next text.
    async fn message(&mut self) -> Value {
        loop {
            let frame = self.from.recv().await.expect("an open conversation");
            if let Some(message) = self.read(frame) {
                return message;
            }
        }
    }

    /// The next text, if it has arrived by now.
    pub(super) fn now(&mut self) -> Option<Value> {
        loop {
            let frame = self.from.try_recv().ok()?;
            if let Some(message) = self.read(frame) {
                return Some(message);
            }
        }
    }

    fn read(&mut self, frame: Message) -> Option<Value> {
        match frame {
            Message::Text(text) => return Some(serde_json::from_str(&text).expect("JSON")),
            Message::Ping(payload) => {
                self.pings.push(payload.clone());
                if self.answers_pings {
                    self.pong_later(payload);
                }
            }
            Message::Pong(_) => {}
            other => panic!("{other:?}"),
        }
        None
    }

    fn pong_later(&self, payload: Bytes) {
        let (to, after) = (self.to.clone(), self.answers_after);
        if after.is_zero() {
            return self.send(Message::Pong(payload));
        }
        tokio::spawn(async move {
            sleep(after).await;
            let _ = to.send(Ok(Message::Pong(payload)));
        });
    }

    /// The unread part of what the server sent, in bytes. It is dropped.
    pub(super) fn under_way_bytes(&mut self) -> u64 {
        let mut bytes = 0;
        while let Ok(frame) = self.from.try_recv() {
            bytes += frame.into_data().len() as u64;
        }
        bytes
    }

    /// Waits for the end. Returns the ending and the close code.
    pub(super) async fn end(&mut self) -> (Ending, Option<CloseCode>) {
        let mut code = None;
        while let Some(message) = self.from.recv().await {
            if let Message::Close(Some(frame)) = message {
                code = Some(frame.code);
                self.send(Message::Close(None));
            }
        }
        ((&mut self.conversation).await.expect("no panic"), code)
    }

    /// Disconnects without a close frame.
    pub(super) async fn leave(self) {
        let Self { to, conversation, .. } = self;
        drop(to);
        conversation.await.expect("no panic");
    }
}

type Sent = Result<Message, ReadError>;
type ClientEnd = (mpsc::UnboundedSender<Sent>, mpsc::UnboundedReceiver<Message>);
type ServerEnd = (mpsc::UnboundedReceiver<Sent>, mpsc::UnboundedSender<Message>);

/// The delay of the next segment.
pub(super) type Delay = Box<dyn FnMut() -> Duration + Send>;

/// Carries frames in order. Frames sent at the same instant are one segment.
fn delayed<T: Send + 'static>(
    mut from: mpsc::UnboundedReceiver<T>,
    to: mpsc::UnboundedSender<T>,
    mut delay: Delay,
) {
    let (on_its_way, mut arriving) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let (mut sent_at, mut arrives_at) = (None, Instant::now());
        while let Some(frame) = from.recv().await {
            let now = Instant::now();
            if sent_at.replace(now) != Some(now) {
                arrives_at = arrives_at.max(now + delay());
            }
            let _ = on_its_way.send((arrives_at, frame));
        }
    });
    tokio::spawn(async move {
        while let Some((at, frame)) = arriving.recv().await {
            sleep_until(at).await;
            let _ = to.send(frame);
        }
    });
}

/// Frames between a client and the server.
struct Channel {
    incoming: mpsc::UnboundedReceiver<Result<Message, ReadError>>,
    outgoing: mpsc::UnboundedSender<Message>,
    stuck: Arc<AtomicBool>,
}

impl Stream for Channel {
    type Item = Result<Message, ReadError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.incoming.poll_recv(cx)
    }
}

impl Sink<Message> for Channel {
    type Error = WriteError;

    fn poll_ready(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), WriteError>> {
        if !self.stuck.load(Ordering::Relaxed) {
            return Poll::Ready(Ok(()));
        }
        let waker = cx.waker().clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            waker.wake();
        });
        Poll::Pending
    }

    fn start_send(self: Pin<&mut Self>, message: Message) -> Result<(), WriteError> {
        self.outgoing.send(message).map_err(|_| WriteError::Broken)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), WriteError>> {
        self.poll_ready(cx)
    }

    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), WriteError>> {
        self.poll_ready(cx)
    }
}
