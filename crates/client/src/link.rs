//! A connection that comes back by itself, and goes on where it was.

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

use super::{AskError, Connection, Heard, Lost, Numbered, Origin, pauses::Pauses};

/// The server speaks every 20 seconds: a connection that is silent for longer is dead.
const SILENCE: Duration = Duration::from_secs(45);

/// How often the link looks for silence: on the wall clock too, because the monotonic clock stands
/// still while a laptop sleeps.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// How long to wait after a server has closed the connection because of too many messages.
const AFTER_TOO_MANY: Duration = Duration::from_secs(10);

/// The longest pause that a server can ask for.
const ASKED_MAX: Duration = Duration::from_mins(2);

/// What a link tells.
#[derive(Debug)]
pub enum News {
    /// The next event of the match that is watched: none is missing, none comes twice.
    Event(Numbered),
    /// A notice.
    Notice(Notice),
    /// The connection is lost, for this reason. The link reconnects until it succeeds, and does not
    /// report each failure.
    Lost(Lost),
    /// The connection is back; what happened meanwhile follows.
    Back,
    /// The connection is back, but the server has another history: a backup was restored. This is
    /// the match as it stands there.
    Anew(Box<Snapshot>),
}

type Dialling = Pin<Box<dyn Future<Output = Result<Opened, AskError>> + Send>>;

/// A connection, on which the match is watched again.
struct Opened {
    connection: Connection,
    hello: HelloOk,
    /// The match as it stands, if it could not be gone on with.
    anew: Option<Box<Snapshot>>,
}

enum State {
    Up(Box<Connection>),
    Waiting(Instant),
    Dialling(Dialling),
}

/// A connection that comes back by itself and watches one match at a time.
pub struct Link {
    origin: Origin,
    token: Option<Token>,
    /// Which history the numbers of its events belong to.
    history: Uuid,
    /// The match that is watched, and the number of the last event that was told of it.
    watched: Option<(MatchId, u32)>,
    state: State,
    pauses: Pauses,
    /// The loss of the connection during a request, still to be reported.
    untold: Option<Lost>,
    /// Whether a loss has been reported since the connection was up.
    has_told: bool,
    heard_at: (Instant, SystemTime),
}

impl Link {
    /// Connects; if the first attempt fails, that is an error.
    ///
    /// # Errors
    /// If nobody answers there, or the server refuses.
    pub async fn open(origin: Origin, token: Option<Token>) -> Result<(Self, HelloOk), AskError> {
        let Opened { connection, hello, .. } = dial(origin.clone(), token.clone(), None).await?;
        let mut pauses = Pauses::default();
        pauses.up(Instant::now());
        let link = Self {
            origin,
            token,
            history: hello.history,
            watched: None,
            state: State::Up(Box::new(connection)),
            pauses,
            untold: None,
            has_told: false,
            heard_at: (Instant::now(), SystemTime::now()),
        };
        Ok((link, hello))
    }

    /// Whether it is connected now.
    pub const fn is_up(&self) -> bool {
        matches!(self.state, State::Up(_))
    }

    /// Where the server is.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Asks, if it is connected now.
    ///
    /// # Errors
    /// If the server refuses, it is not connected, or the connection is lost before the answer.
    pub async fn ask<T: DeserializeOwned>(&mut self, op: Op) -> Result<T, AskError> {
        let State::Up(connection) = &mut self.state else { return Err(Lost::Away.into()) };
        match connection.ask(op).await {
            Err(AskError::Lost(why)) => {
                self.lose(why);
                Err(Lost::Away.into())
            }
            answered => {
                self.heard();
                answered
            }
        }
    }

    /// Watches a match from now on, and no other. If that cannot be done, the one that was
    /// watched is watched still.
    ///
    /// # Errors
    /// If there is no such match, the server refuses, or it is not connected.
    pub async fn watch(&mut self, id: MatchId) -> Result<Box<Snapshot>, AskError> {
        let before = self.watched.filter(|(before, _)| *before != id);
        let snapshot = match (self.begin_to_watch(id).await, before) {
            // Where only one can be watched the other one goes first.
            (Err(AskError::Problem(problem)), Some(before)) if problem.code == Code::TooManyWatches => {
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

    async fn begin_to_watch(&mut self, id: MatchId) -> Result<Box<Snapshot>, AskError> {
        let watching =
            self.ask::<WatchOk>(Op::Watch(Watch { id, since: None, on_lag: OnLag::Journal })).await;
        let snapshot = watching.and_then(|watching| match watching.snapshot {
            None => Err(unreadable("the answer to watch has no snapshot")),
            Some(snapshot) if snapshot.id != id => Err(unreadable("the snapshot is of another match")),
            Some(snapshot) => Ok(snapshot),
        });
        if matches!(snapshot, Err(AskError::Unreadable(_))) {
            // The server has begun all the same.
            self.stop_watching(id).await;
        }
        snapshot
    }

    /// Goes on watching a match where it was left.
    async fn watch_again(&mut self, (id, since): (MatchId, u32)) {
        let watch = Watch { id, since: Some(since), on_lag: OnLag::Journal };
        if self.ask::<IgnoredAny>(Op::Watch(watch)).await.is_err() && self.is_up() {
            // The next connection begins with it.
            self.lose(Lost::Away);
        }
    }

    /// Watches no match any more.
    pub async fn unwatch(&mut self) {
        if let Some((id, _)) = self.watched.take() {
            self.stop_watching(id).await;
        }
    }

    async fn stop_watching(&mut self, id: MatchId) {
        // Without a connection nothing is watched.
        let _ = self.ask::<IgnoredAny>(Op::Unwatch(OfMatch { id })).await;
    }

    /// Waits for what happens next; reconnects if the connection is lost. Cancel safe.
    ///
    /// # Errors
    /// If the server refuses for good: it does not know the token or the match.
    pub async fn hear(&mut self) -> Result<News, Box<Problem>> {
        if let Some(why) = self.untold.take() {
            return Ok(News::Lost(why));
        }
        loop {
            let told = match &mut self.state {
                State::Up(_) => self.listen().await,
                State::Waiting(until) => {
                    sleep_until(*until).await;
                    let (origin, token) = (self.origin.clone(), self.token.clone());
                    self.state = State::Dialling(Box::pin(dial(origin, token, self.to_go_on())));
                    None
                }
                State::Dialling(dialling) => match dialling.await {
                    Ok(Opened { connection, hello, anew }) => {
                        self.history = hello.history;
                        self.has_told = false;
                        self.state = State::Up(Box::new(connection));
                        self.pauses.up(Instant::now());
                        self.heard();
                        Some(match anew {
                            Some(snapshot) => {
                                self.watched = Some((snapshot.id, snapshot.head));
                                News::Anew(snapshot)
                            }
                            None => News::Back,
                        })
                    }
                    Err(AskError::Problem(problem)) if !passes(&problem) => {
                        self.state = State::Waiting(Instant::now() + ASKED_MAX);
                        return Err(problem);
                    }
                    Err(AskError::Problem(problem)) => {
                        let why =
                            Lost::Refused { status: problem.status, retry_after_s: problem.retry_after_s };
                        self.lose(why);
                        None
                    }
                    Err(AskError::Lost(why)) => {
                        self.lose(why);
                        None
                    }
                    Err(AskError::Unreadable(what)) => {
                        self.lose(Lost::Unreadable(what));
                        None
                    }
                },
            };
            if let Some(why) = self.untold.take() {
                return Ok(News::Lost(why));
            }
            if let Some(told) = told {
                return Ok(told);
            }
        }
    }

    /// Closes it in good order.
    pub async fn close(self) {
        if let State::Up(connection) = self.state {
            connection.close().await;
        }
    }

    /// The next news of the connection; none if there is nothing to report or it was lost.
    async fn listen(&mut self) -> Option<News> {
        let State::Up(connection) = &mut self.state else { return None };
        let look = Instant::now() + LOOK_EVERY;
        let heard = tokio::select! {
            biased;
            heard = connection.hear() => Some(heard),
            () = sleep_until(look) => None,
        };
        match heard {
            None => {
                let (at, on_the_wall) = self.heard_at;
                let slept = on_the_wall.elapsed().unwrap_or_default();
                if at.elapsed().max(slept) >= SILENCE {
                    self.lose(Lost::Unanswered);
                }
                None
            }
            Some(Err(why)) => {
                self.lose(why);
                None
            }
            Some(Ok(heard)) => {
                self.heard();
                self.sift(heard)
            }
        }
    }

    /// What of it is news.
    fn sift(&mut self, heard: Heard) -> Option<News> {
        match heard {
            // An answer that nobody awaits any more.
            Heard::Answer { .. } => None,
            // One that a newer server may have and this client does not know.
            Heard::Notice(notice) => notice.read().ok().map(News::Notice),
            Heard::Event(event) => {
                let (id, seq) = self.watched.as_mut()?;
                if event.id != *id || event.seq <= *seq {
                    return None;
                }
                if event.seq != *seq + 1 {
                    let missed = format!("event {} came where {} should", event.seq, *seq + 1);
                    self.lose(Lost::Unreadable(missed));
                    return None;
                }
                *seq = event.seq;
                Some(News::Event(event))
            }
        }
    }

    /// What is watched, and in which history.
    fn to_go_on(&self) -> Option<(MatchId, u32, Uuid)> {
        self.watched.map(|(id, since)| (id, since, self.history))
    }

    fn heard(&mut self) {
        self.heard_at = (Instant::now(), SystemTime::now());
    }

    fn lose(&mut self, why: Lost) {
        let at_least = match &why {
            Lost::Refused { retry_after_s: Some(seconds), .. } => {
                Duration::from_secs(*seconds).min(ASKED_MAX)
            }
            Lost::Closed { code: 4429, .. } => AFTER_TOO_MANY,
            Lost::Unreachable(_)
            | Lost::Refused { .. }
            | Lost::Closed { .. }
            | Lost::Unanswered
            | Lost::Broken(_)
            | Lost::Unreadable(_)
            | Lost::Away => Duration::ZERO,
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
    // Without chance all come back at the same moment: a nuisance, no fault.
    SysRng.try_next_u32().map_or(1.0, |number| f64::from(number) / f64::from(u32::MAX))
}

fn unreadable(what: &str) -> AskError {
    AskError::Unreadable(what.to_owned())
}

/// Whether a server that refuses this may take it later.
pub const fn passes(problem: &Problem) -> bool {
    problem.status >= 500 || problem.status == 429 || problem.status == 408
}

/// Opens a connection at the first address that answers, and watches the match from where it
/// was left.
async fn dial(
    origin: Origin,
    token: Option<Token>,
    watched: Option<(MatchId, u32, Uuid)>,
) -> Result<Opened, AskError> {
    let (mut connection, hello) = Connection::open_anywhere(&origin, token.as_ref()).await?;
    let mut anew = None;
    if let Some((id, since, history)) = watched {
        let since = (hello.history == history).then_some(since);
        let ok: WatchOk = connection.ask(Op::Watch(Watch { id, since, on_lag: OnLag::Journal })).await?;
        if since.is_none() {
            anew = Some(ok.snapshot.ok_or_else(|| unreadable("the answer to watch has no snapshot"))?);
        }
    }
    Ok(Opened { connection, hello, anew })
}
