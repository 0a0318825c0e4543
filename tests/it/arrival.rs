//! A command counts from when it was read, and deadlines wait for what was read before them: over
//! a store that is slow at times, under virtual time.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::{Request, ws::Message},
    http::StatusCode,
};
use futures_util::{Sink, Stream, future::join_all};
use lusoria::{
    app::{App, Caller, ClientAddress, CommandResponse, Connections},
    config::Config,
    http,
    live::{Arrived, CommandError, LastRead, Live, MatchRequest, Outcome},
    ws::{ReadError, Sockets, WriteError},
};
use lusoria_play::{Command, Event, Match, MatchId, Phase, Recorded, Refusal, Seat};
use lusoria_protocol::{
    Answer, Code, CreateGuest, CreateMatch, IdempotencyKey, JoinMatch, PlayTurn, Resign, Token,
};
use lusoria_testkit::{first_turn, parsed};
use serde_json::{Value, json};
use tokio::{sync::mpsc, time::sleep};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::support::{
    server::{self, ADDRESS},
    store::{Delayed, FailingStore},
};

const START: u64 = 1_700_000_000_000;
const BASE_MS: u64 = 60_000;

/// A server with two guests.
struct World {
    store: FailingStore,
    app: Arc<App>,
    config: Config,
    stopping: CancellationToken,
    guests: [(Caller, Token); 2],
}

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

impl World {
    async fn new() -> Self {
        let config: Config = parsed(&["--guest-burst", "1000000"]);
        let store = FailingStore::default();
        let app = server::app(store.clone(), START, 0, &config.limits).await.expect("a store");
        let guests = [
            server::guest(&app, CreateGuest::default()).await,
            server::guest(&app, CreateGuest::default()).await,
        ];
        Self { store, app, config, stopping: CancellationToken::new(), guests }
    }

    fn live(&self) -> &Arc<Live> {
        self.app.live()
    }

    /// A match in which both have played their free turns, and the clock of one runs from now on.
    async fn under_way(&self) -> Clocked {
        let clock = json!({"kind": "fischer", "base_ms": BASE_MS, "increment_ms": 0});
        let request: CreateMatch =
            serde_json::from_value(json!({"game": "tablut", "clock": clock})).expect("a match");
        let created = self.app.create(&self.guests[0].0, &request, None).await.expect("a new match");
        let id = created.created.id;
        self.app.command(&self.guests[1].0, id, None, JoinMatch { seed: None }).await.expect("an open match");
        for _ in 0..2 {
            let (command, _) = self.turn(id).await;
            self.ask(id, command).await.expect("a legal turn");
        }
        let state = self.state(id).await;
        let seat = state.to_play().expect("a turn").seat;
        Clocked { id, seat, deadline: state.next_deadline().expect("a clock") }
    }

    async fn state(&self, id: MatchId) -> Arc<Match> {
        self.live().state(id).await.expect("a match that was made")
    }

    /// A legal turn, as a command and as it is asked for.
    async fn turn(&self, id: MatchId) -> (Command, PlayTurn) {
        let state = self.state(id).await;
        let command = first_turn(&state);
        let Command::Turn { answers, steps, .. } = &command else { unreachable!("it is a turn") };
        let request = PlayTurn { seq: *answers, steps: steps.clone() };
        (command, request)
    }

    /// The guest in a seat.
    fn guest(&self, seat: Seat) -> &(Caller, Token) {
        match seat {
            Seat::One => &self.guests[0],
            Seat::Two => &self.guests[1],
        }
    }

    async fn ask(&self, id: MatchId, command: Command) -> Result<Outcome, CommandError> {
        self.live().request(id, MatchRequest::Command { command, key: None, spends: None }).await
    }

    async fn submit(
        &self,
        id: MatchId,
        command: Command,
        arrived: &Arrived,
    ) -> Result<Outcome, CommandError> {
        let request = MatchRequest::Command { command, key: None, spends: None };
        self.live().submit(&self.live().room(id).await?, request, arrived).await
    }

    async fn until(&self, time: u64) {
        sleep(ms(time.saturating_sub(self.live().now()))).await;
    }

    /// Waits until the match has ended. Answers when that was.
    async fn ended_at(&self, id: MatchId) -> u64 {
        loop {
            let state = self.state(id).await;
            if matches!(state.phase(), Phase::Ended(_)) {
                return state.last_at();
            }
            sleep(ms(1)).await;
        }
    }

    async fn last_turn(&self, id: MatchId) -> Recorded {
        let journal = self.live().store().events(id, 0, 1_000).await.expect("a journal");
        let is_turn = |recorded: &Recorded| matches!(recorded.event, Event::Turned { .. });
        journal.events.into_iter().rev().find(is_turn).expect("a turn was played")
    }

    /// A request of a player for a turn, as a connection has just read its head.
    fn request(&self, clocked: &Clocked, body: Body) -> Request {
        let mut request = Request::post(format!("/api/v1/matches/{}/turn", clocked.id.0))
            .header("content-type", "application/json")
            .header("authorization", format!("Bearer {}", self.guest(clocked.seat).1.as_str()))
            .body(body)
            .expect("a request");
        request.extensions_mut().insert(ClientAddress(ADDRESS));
        http::note_arrival(&self.app, &LastRead::of_connection(), &mut request);
        request
    }

    fn router(&self) -> Router {
        let connections = Connections::until(&self.stopping);
        let socket = |api| lusoria::ws::route(&self.app, api, &self.config.limits, &connections);
        http::router(&self.app, &self.config, &connections, socket)
    }
}

/// A match in which a clock runs.
struct Clocked {
    id: MatchId,
    /// Whose.
    seat: Seat,
    deadline: u64,
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_arrived_in_time_is_played_however_late_it_is_judged() {
    let world = World::new().await;
    let Clocked { id, seat, deadline } = world.under_way().await;
    let (command, _) = world.turn(id).await;
    world.until(deadline - 168).await;
    let arrived = world.live().arrived(&LastRead::default(), None);
    world.until(deadline + 900).await;
    let answered = world.submit(id, command, &arrived).await.expect("it came in time");
    let clocks = answered.state.clocks_ms(world.live().now()).expect("clocks");
    assert_eq!(*clocks.get(seat), 168, "it is charged until it arrived");
    assert_eq!(world.last_turn(id).await.at, deadline - 168);
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_arrives_at_the_deadline_is_late() {
    let world = World::new().await;
    let Clocked { id, deadline, .. } = world.under_way().await;
    let (command, _) = world.turn(id).await;
    world.until(deadline).await;
    let refused = world.ask(id, command).await;
    assert!(matches!(refused, Err(CommandError::Refused(Refusal::Over))), "{refused:?}");
    let ended_at = world.ended_at(id).await;
    assert!((deadline..deadline + 5).contains(&ended_at), "at once: {}", ended_at - deadline);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_waits_for_nothing_else() {
    let world = World::new().await;
    let (first, second) = (world.under_way().await, world.under_way().await);
    world.until(first.deadline - 100).await;
    let _to_another = world.live().arrived(&LastRead::default(), Some(second.id));
    let no_command = world.live().arrived(&LastRead::default(), None);
    no_command.holds_nothing_up();
    world.until(first.deadline).await;
    let _too_late = world.live().arrived(&LastRead::default(), Some(first.id));
    let ended_at = world.ended_at(first.id).await;
    assert!(ended_at < first.deadline + 20, "{}", ended_at - first.deadline);
}

#[tokio::test(start_paused = true)]
async fn an_undecided_arrival_delays_a_deadline_by_two_seconds_at_most() {
    let world = World::new().await;
    let Clocked { id, deadline, .. } = world.under_way().await;
    world.until(deadline - 1).await;
    let _arrived = world.live().arrived(&LastRead::default(), Some(id));
    let held_up_ms = world.ended_at(id).await - deadline;
    assert!((1_990..2_050).contains(&held_up_ms), "{held_up_ms}");
}

#[tokio::test(start_paused = true)]
async fn a_command_after_a_deadline_is_decided_after_those_that_arrived_before() {
    let world = World::new().await;
    let Clocked { id, seat, deadline } = world.under_way().await;
    let (command, _) = world.turn(id).await;
    world.until(deadline - 50).await;
    let arrived = world.live().arrived(&LastRead::default(), Some(id));
    let in_time = async {
        world.until(deadline + 700).await;
        let answered = world.submit(id, command, &arrived).await;
        arrived.holds_nothing_up();
        answered
    };
    let after = async {
        world.until(deadline + 20).await;
        let by = world.guest(seat.other()).0.id();
        world.ask(id, Command::Resign { by, whole_match: false }).await
    };
    let (in_time, after) = tokio::join!(in_time, after);
    assert!(in_time.expect("it came in time").state.head() < after.expect("the match goes on").state.head());
}

#[tokio::test(start_paused = true)]
async fn a_stamp_is_never_long_ago() {
    let world = World::new().await;
    let last_read = LastRead::of_connection();
    sleep(Duration::from_mins(1)).await;
    assert_eq!(world.live().arrived(&last_read, None).at(), world.live().now() - 10_000);
}

#[tokio::test(start_paused = true)]
async fn over_http_a_turn_counts_though_its_token_is_long_in_being_looked_up() {
    let world = World::new().await;
    let clocked = world.under_way().await;
    let (_, turn) = world.turn(clocked.id).await;
    world.until(clocked.deadline - 10).await;
    world.store.delay(Delayed::Bearer, ms(800));
    let body = Body::from(serde_json::to_vec(&turn).expect("plain data"));
    let answer = world.router().oneshot(world.request(&clocked, body)).await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
    assert!(world.live().now() > clocked.deadline + 700);
    assert_eq!(world.last_turn(clocked.id).await.at, clocked.deadline - 10);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_come_holds_no_deadline_up() {
    let world = World::new().await;
    let clocked = world.under_way().await;
    world.until(clocked.deadline - 5).await;
    let never = Body::from_stream(futures_util::stream::pending::<Result<bytes::Bytes, std::io::Error>>());
    let request = world.request(&clocked, never);
    let asking = tokio::spawn(world.router().oneshot(request));
    let ended_at = world.ended_at(clocked.id).await;
    assert!(ended_at < clocked.deadline + 40, "{}", ended_at - clocked.deadline);
    asking.abort();
}

/// Frames between a client and the server.
pub(crate) struct Channel {
    pub(crate) incoming: mpsc::UnboundedReceiver<Message>,
    pub(crate) outgoing: mpsc::UnboundedSender<Message>,
}

impl Stream for Channel {
    type Item = Result<Message, ReadError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.incoming.poll_recv(cx).map(|message| message.map(Ok))
    }
}

impl Sink<Message> for Channel {
    type Error = WriteError;

    fn poll_ready(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), WriteError>> {
        Poll::Ready(Ok(()))
    }

    fn start_send(self: Pin<&mut Self>, message: Message) -> Result<(), WriteError> {
        self.outgoing.send(message).map_err(|_| WriteError::Broken)
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), WriteError>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), WriteError>> {
        Poll::Ready(Ok(()))
    }
}

#[tokio::test(start_paused = true)]
async fn on_a_socket_a_turn_counts_though_its_token_is_long_in_being_looked_up() {
    counts_on_a_socket(|id, PlayTurn { seq, steps, .. }| {
        json!({"id": 2, "op": "turn", "match": id.0, "seq": seq, "steps": steps})
    })
    .await;
    counts_on_a_socket(|id, turn| {
        let path = format!("/api/v1/matches/{}/turn", id.0);
        json!({"id": 2, "op": "http", "method": "POST", "path": path, "body": turn})
    })
    .await;
}

/// Plays a turn on a socket whose token takes longer to look up than the player has time.
async fn counts_on_a_socket(request: impl FnOnce(MatchId, PlayTurn) -> Value) {
    let world = World::new().await;
    let clocked = world.under_way().await;
    let (to, incoming) = mpsc::unbounded_channel();
    let (outgoing, mut from) = mpsc::unbounded_channel();
    let connections = Connections::until(&world.stopping);
    let api = http::api(&world.app, &world.config, &connections);
    let sockets = Sockets::new(&world.app, api, &world.config.limits, &connections);
    let frames = Channel { incoming, outgoing };
    tokio::spawn(sockets.converse(frames, ClientAddress(ADDRESS), LastRead::default()));
    let say = |message: Value| to.send(Message::Text(message.to_string().into())).expect("it listens");
    let mut answer = async || loop {
        if let Message::Text(text) = from.recv().await.expect("an open conversation") {
            let message: Value = serde_json::from_str(&text).expect("JSON");
            if message.get("re").is_some() {
                return message;
            }
        }
    };
    say(json!({"id": 1, "op": "hello", "token": world.guest(clocked.seat).1.as_str()}));
    assert_eq!(answer().await["re"], 1);
    let (_, turn) = world.turn(clocked.id).await;
    world.until(clocked.deadline - 10).await;
    // The token was looked up a minute ago: it is looked up again now.
    world.store.delay(Delayed::Bearer, ms(800));
    say(request(clocked.id, turn));
    let told = answer().await;
    assert!(told["ok"].is_object(), "{told}");
    assert!(world.live().now() > clocked.deadline + 700);
    assert_eq!(world.last_turn(clocked.id).await.at, clocked.deadline - 10);
}

/// Forty volleys: one turn, sent by the player whose turn it is and by the other one.
#[tokio::test(start_paused = true)]
async fn a_hundred_commands_at_once_are_all_answered() {
    let world = World::new().await;
    world.store.delay(Delayed::Append, ms(5));
    let mut id = world.under_way().await.id;
    for _ in 0..40 {
        if world.state(id).await.to_play().is_none() {
            id = world.under_way().await.id;
        }
        let (command, _) = world.turn(id).await;
        let Command::Turn { answers, steps, .. } = command else { unreachable!("it is a turn") };
        let asked = (0..100).map(|n| {
            let (by, steps) = (world.guests[n % 2].0.id(), steps.clone());
            world.ask(id, Command::Turn { by, answers, steps, thought: None, lag_ms: 0 })
        });
        let answered = join_all(asked).await;
        let told_to_come_back =
            answered.iter().filter(|answer| !matches!(answer, Ok(_) | Err(CommandError::Refused(_))));
        assert_eq!(told_to_come_back.count(), 0);
        assert_eq!(answered.iter().filter(|answer| answer.is_ok()).count(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn one_guest_cannot_take_the_places_of_the_other() {
    let world = World::new().await;
    let Clocked { id, seat, .. } = world.under_way().await;
    let (command, _) = world.turn(id).await;
    let opponent = world.guest(seat.other()).0.id();
    world.store.delay(Delayed::Append, ms(5));
    let floods = (0..2_000).map(|_| world.ask(id, Command::OfferDraw { by: opponent }));
    let (floods, played) = tokio::join!(join_all(floods), world.ask(id, command));
    assert!(floods.iter().any(|answer| matches!(answer, Err(CommandError::QueueFull))));
    assert!(played.is_ok(), "{played:?}");
}

#[tokio::test(start_paused = true)]
async fn the_same_key_at_once_gets_one_answer() {
    let world = World::new().await;
    let Clocked { id, .. } = world.under_way().await;
    world.store.delay(Delayed::Append, ms(100));
    let key = IdempotencyKey::try_from("k".to_owned()).expect("a key");
    let resign =
        |scope: &str| -> Resign { serde_json::from_value(json!({"scope": scope})).expect("a scope") };
    let (game, whole) = (resign("game"), resign("match"));
    let caller = &world.guests[0].0;
    let asked = join_all((0..100).map(|_| world.app.command(caller, id, Some(&key), game.clone())));
    let while_it_is_done = async {
        tokio::time::sleep(ms(50)).await;
        world.app.command(caller, id, Some(&key), whole).await
    };
    let (answers, other) = tokio::join!(asked, while_it_is_done);
    let first = answers[0].as_ref().expect("it is done");
    assert!(answers.iter().all(|answer| answer.as_ref() == Ok(first)));
    assert_eq!(other.map_err(|problem| problem.code), Err(Code::KeyReused));
    assert_eq!(world.state(id).await.head(), head(first), "it is done once");
}

#[tokio::test(start_paused = true)]
async fn the_same_turn_at_once_gets_one_answer() {
    let world = World::new().await;
    let Clocked { id, seat, .. } = world.under_way().await;
    world.store.delay(Delayed::Append, ms(100));
    let (_, turn) = world.turn(id).await;
    let caller = &world.guest(seat).0;
    let answers = join_all((0..100).map(|_| world.app.command(caller, id, None, turn.clone()))).await;
    let first = answers[0].as_ref().expect("it is played");
    assert!(answers.iter().all(|answer| answer.as_ref() == Ok(first)));
    let now = world.state(id).await.head();
    assert_eq!(now, head(first), "it is played once");
    assert_eq!(world.app.command(caller, id, None, turn.clone()).await.as_ref(), Ok(first), "and later, too");
}

fn head(response: &CommandResponse) -> u32 {
    let answer: Answer = serde_json::from_slice(&response.clone().into_json()).expect("an answer");
    answer.head
}
