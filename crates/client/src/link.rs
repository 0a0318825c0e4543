//! A connection that reconnects by itself and continues where it left off.

use std::{
    future::Future,
    pin::Pin,
    time::{Duration, SystemTime},
};

use lusoria_protocol::{
    Code, MatchId, Notice, Problem, Snapshot, Token,
    socket::{HelloOk, OfMatch, OnLag, Op, Watch, WatchOk},
};
use rand::{TryRng, rngs::SysRng};
use serde::de::{DeserializeOwned, IgnoredAny};
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

use super::{Connection, ConnectionError, EventMessage, Incoming, Origin, RequestError, pauses::Pauses};

/// The server sends something every 20 seconds: a connection that is silent for longer is dead.
const SILENCE: Duration = Duration::from_secs(45);

/// How often the link checks for silence. It uses the wall clock too, because the monotonic clock stops
/// while a laptop sleeps.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// How long to wait after a server has closed the connection because of too many messages.
const AFTER_TOO_MANY: Duration = Duration::from_secs(10);

/// The longest pause that a server can request.
const ASKED_MAX: Duration = Duration::from_mins(2);

/// What a link reports.
#[derive(Debug)]
pub enum LinkEvent {
    /// The next event of the watched match: none is missing, none comes twice.
    Event(EventMessage),
    /// A notice.
    Notice(Notice),
    /// The connection is lost, for this reason. The link reconnects until it succeeds, and does not
    /// report each failure.
    Lost(ConnectionError),
    /// The connection is back. The events that happened meanwhile follow.
    Back,
    /// The connection is back, but the server has another history, because a backup was restored. This is the
    /// match as it is now.
    Anew(Box<Snapshot>),
}

type Dialling = Pin<Box<dyn Future<Output = Result<Opened, RequestError>> + Send>>;

/// A new connection that watches the match again.
struct Opened {
    connection: Connection,
    hello: HelloOk,
    /// The present match, if watching could not continue where it left off.
    anew: Option<Box<Snapshot>>,
}

enum State {
    Up(Box<Connection>),
    Waiting(Instant),
    Dialling(Dialling),
}

/// A connection that reconnects by itself and watches one match at a time.
pub struct Link {
    origin: Origin,
    token: Option<Token>,
    /// The history that the event numbers belong to.
    history: Uuid,
    /// The watched match, and the number of its last reported event.
    watched: Option<(MatchId, u32)>,
    /// Whether it requests the position after each turn.
    positions: bool,
    state: State,
    pauses: Pauses,
    /// The loss of the connection during a request, not reported yet.
    untold: Option<ConnectionError>,
    /// Whether a loss has been reported since the connection was up.
    has_told: bool,
    heard_at: (Instant, SystemTime),
}

impl Link {
    /// Connects. A failure of the first attempt is an error.
    ///
    /// # Errors
    /// If nothing responds there, or the server refuses.
    pub async fn open(origin: Origin, token: Option<Token>) -> Result<(Self, HelloOk), RequestError> {
        let Opened { connection, hello, .. } = dial(origin.clone(), token.clone(), None, true).await?;
        let mut pauses = Pauses::default();
        pauses.up(Instant::now());
        let link = Self {
            origin,
            token,
            history: hello.history,
            watched: None,
            positions: true,
            state: State::Up(Box::new(connection)),
            pauses,
            untold: None,
            has_told: false,
            heard_at: (Instant::now(), SystemTime::now()),
        };
        Ok((link, hello))
    }

    /// Requests events without the position after each turn, in all matches that it watches from now on: a
    /// [`MatchView`](super::MatchView) plays the turns itself.
    #[must_use]
    pub const fn without_positions(mut self) -> Self {
        self.positions = false;
        self
    }

    /// Whether it is connected now.
    pub const fn is_up(&self) -> bool {
        matches!(self.state, State::Up(_))
    }

    /// The server's address.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Sends a request, if the link is connected now, and waits for the response.
    ///
    /// # Errors
    /// If the server refuses, the link is not connected, or the connection is lost before the response.
    pub async fn ask<T: DeserializeOwned>(&mut self, op: impl Into<Op>) -> Result<T, RequestError> {
        let State::Up(connection) = &mut self.state else { return Err(ConnectionError::Away.into()) };
        match connection.ask(op).await {
            Err(RequestError::Lost(why)) => {
                self.lose(why);
                Err(ConnectionError::Away.into())
            }
            answered => {
                self.note_activity();
                answered
            }
        }
    }

    /// Watches a match from now on, in place of another. If that fails, the other one is still watched.
    ///
    /// # Errors
    /// If there is no such match, the server refuses, or the link is not connected.
    pub async fn watch(&mut self, id: MatchId) -> Result<Box<Snapshot>, RequestError> {
        let before = self.watched.filter(|(before, _)| *before != id);
        let snapshot = match (self.begin_to_watch(id).await, before) {
            // The server may allow only one watch; then the other one ends first.
            (Err(RequestError::Problem(problem)), Some(before)) if problem.code == Code::TooManyWatches => {
                self.stop_watching(before.0).await;
                match self.begin_to_watch(id).await {
                    Ok(snapshot) => snapshot,
                    Err(why) => {
                        self.watch_again(before).await;
                        return Err(why);
                    }
                }
            }
            (begun, before) => {
                let snapshot = begun?;
                if let Some((before, _)) = before {
                    self.stop_watching(before).await;
                }
                snapshot
            }
        };
        self.watched = Some((id, snapshot.head));
        Ok(snapshot)
    }

    async fn begin_to_watch(&mut self, id: MatchId) -> Result<Box<Snapshot>, RequestError> {
        let watch =
            Watch { id, since: None, on_lag: OnLag::Journal, positions: self.positions, spectating: true };
        let watching = self.ask::<WatchOk>(Op::Watch(watch)).await;
        let snapshot = watching.and_then(|watching| match watching.snapshot {
            Some(snapshot) if snapshot.id != id => {
                Err(RequestError::Unreadable("the snapshot is of another match".to_owned()))
            }
            snapshot => snapshot.ok_or_else(RequestError::no_snapshot),
        });
        if matches!(snapshot, Err(RequestError::Unreadable(_))) {
            // The server may have begun to watch nevertheless.
            self.stop_watching(id).await;
        }
        snapshot
    }

    /// Continues to watch a match where it left off.
    async fn watch_again(&mut self, (id, since): (MatchId, u32)) {
        let watch = Watch {
            id,
            since: Some(since),
            on_lag: OnLag::Journal,
            positions: self.positions,
            spectating: true,
        };
        if self.ask::<IgnoredAny>(Op::Watch(watch)).await.is_err() && self.is_up() {
            // The next connection begins by watching it.
            self.lose(ConnectionError::Away);
        }
    }

    /// Stops watching.
    pub async fn unwatch(&mut self) {
        if let Some((id, _)) = self.watched.take() {
            self.stop_watching(id).await;
        }
    }

    async fn stop_watching(&mut self, id: MatchId) {
        // Without a connection nothing is watched.
        let _ = self.ask::<IgnoredAny>(Op::Unwatch(OfMatch { id })).await;
    }

    /// Waits for the next report; reconnects if the connection is lost. Cancel safe.
    ///
    /// # Errors
    /// If the server refuses permanently, because it does not know the token or the match.
    pub async fn receive(&mut self) -> Result<LinkEvent, Box<Problem>> {
        if let Some(why) = self.untold.take() {
            return Ok(LinkEvent::Lost(why));
        }
        loop {
            let told = match &mut self.state {
                State::Up(_) => self.listen().await,
                State::Waiting(until) => {
                    sleep_until(*until).await;
                    let (origin, token) = (self.origin.clone(), self.token.clone());
                    self.state =
                        State::Dialling(Box::pin(dial(origin, token, self.to_go_on(), self.positions)));
                    None
                }
                State::Dialling(dialling) => match dialling.await {
                    Ok(Opened { connection, hello, anew }) => {
                        self.history = hello.history;
                        self.has_told = false;
                        self.state = State::Up(Box::new(connection));
                        self.pauses.up(Instant::now());
                        self.note_activity();
                        Some(match anew {
                            Some(snapshot) => {
                                self.watched = Some((snapshot.id, snapshot.head));
                                LinkEvent::Anew(snapshot)
                            }
                            None => LinkEvent::Back,
                        })
                    }
                    Err(RequestError::Problem(problem)) if !passes(&problem) => {
                        self.state = State::Waiting(Instant::now() + ASKED_MAX);
                        return Err(problem);
                    }
                    Err(why) => {
                        self.lose(why.of_connection());
                        None
                    }
                },
            };
            if let Some(why) = self.untold.take() {
                return Ok(LinkEvent::Lost(why));
            }
            if let Some(told) = told {
                return Ok(told);
            }
        }
    }

    /// Closes the connection with a close frame.
    pub async fn close(self) {
        if let State::Up(connection) = self.state {
            connection.close().await;
        }
    }

    /// The next report of the connection; none if there is nothing to report or it was lost.
    async fn listen(&mut self) -> Option<LinkEvent> {
        let State::Up(connection) = &mut self.state else { return None };
        let look = Instant::now() + LOOK_EVERY;
        let heard = tokio::select! {
            biased;
            heard = connection.receive() => Some(heard),
            () = sleep_until(look) => None,
        };
        match heard {
            None => {
                let (at, on_the_wall) = self.heard_at;
                let slept = on_the_wall.elapsed().unwrap_or_default();
                if at.elapsed().max(slept) >= SILENCE {
                    self.lose(ConnectionError::Unanswered);
                }
                None
            }
            Some(Err(why)) => {
                self.lose(why);
                None
            }
            Some(Ok(heard)) => {
                self.note_activity();
                self.take_message(heard)
            }
        }
    }

    /// The report of a message; none if it is not reported.
    fn take_message(&mut self, heard: Incoming) -> Option<LinkEvent> {
        match heard {
            // A response that is no longer awaited.
            Incoming::Answer { .. } => None,
            // A notice of a newer server that this client does not know.
            Incoming::Notice(notice) => notice.read().ok().map(LinkEvent::Notice),
            Incoming::Event(event) => {
                let (id, seq) = self.watched.as_mut()?;
                if event.id != *id || event.seq <= *seq {
                    return None;
                }
                if event.seq != *seq + 1 {
                    let missed = format!("event {} came where {} should", event.seq, *seq + 1);
                    self.lose(ConnectionError::Unreadable(missed));
                    return None;
                }
                *seq = event.seq;
                Some(LinkEvent::Event(event))
            }
        }
    }

    /// The watched match and its history.
    fn to_go_on(&self) -> Option<(MatchId, u32, Uuid)> {
        self.watched.map(|(id, since)| (id, since, self.history))
    }

    fn note_activity(&mut self) {
        self.heard_at = (Instant::now(), SystemTime::now());
    }

    fn lose(&mut self, why: ConnectionError) {
        let at_least = match &why {
            ConnectionError::Refused { retry_after_s: Some(seconds), .. } => {
                Duration::from_secs(*seconds).min(ASKED_MAX)
            }
            ConnectionError::Closed { code: 4429, .. } => AFTER_TOO_MANY,
            ConnectionError::Unreachable(_)
            | ConnectionError::Refused { .. }
            | ConnectionError::Closed { .. }
            | ConnectionError::Unanswered
            | ConnectionError::Broken(_)
            | ConnectionError::Unreadable(_)
            | ConnectionError::Away => Duration::ZERO,
        };
        let pause = self.pauses.down(Instant::now(), jitter(), at_least);
        self.state = State::Waiting(Instant::now() + pause);
        if !std::mem::replace(&mut self.has_told, true) {
            self.untold = Some(why);
        }
    }
}

/// A number from 0 to 1.
fn jitter() -> f64 {
    // Without randomness all clients reconnect at the same moment, which is tolerable.
    SysRng.try_next_u32().map_or(1.0, |number| f64::from(number) / f64::from(u32::MAX))
}

/// Whether a server may later accept what it refused with this problem.
pub const fn passes(problem: &Problem) -> bool {
    problem.status >= 500 || problem.status == 429 || problem.status == 408
}

/// Opens a connection at the first address that responds, and watches the match from where it left off.
async fn dial(
    origin: Origin,
    token: Option<Token>,
    watched: Option<(MatchId, u32, Uuid)>,
    positions: bool,
) -> Result<Opened, RequestError> {
    let (mut connection, hello) = Connection::open_anywhere(&origin, token.as_ref()).await?;
    let mut anew = None;
    if let Some((id, since, history)) = watched {
        let since = (hello.history == history).then_some(since);
        let watch = Watch { id, since, on_lag: OnLag::Journal, positions, spectating: true };
        let ok: WatchOk = connection.ask(Op::Watch(watch)).await?;
        if since.is_none() {
            anew = Some(ok.snapshot.ok_or_else(RequestError::no_snapshot)?);
        }
    }
    Ok(Opened { connection, hello, anew })
}
