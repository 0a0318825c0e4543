//! The outbox: requests to send as soon as possible, in order. It holds requests without a response, because
//! the connection broke or the server was busy, and the user's input since then.

use std::{collections::VecDeque, time::Duration};

use lusoria_protocol::{
    MatchId, MatchState, OfferAction, Problem, Rematch, Resign, ResignScope, Snapshot,
    socket::{ApiRequest, MatchCommand, Op},
};
use serde_json::Value;
use tokio::time::Instant;

use super::{Session, SessionError, start::GoalState, words};
use crate::{event_text::clipped, output::Output};
use lusoria_client::{RequestError, passes};

/// The most waiting entries.
const PENDING_MAX: usize = 8;

/// How often a request is repeated that the server cannot carry out now: for some minutes.
const REFUSALS_MAX: u32 = 20;

/// The longest pause between these attempts, in seconds; the first is one second.
const PAUSE_MAX_S: u64 = 16;

/// The longest pause that the server can request, in seconds.
const ASKED_MAX_S: u64 = 120;

/// Something to send or do as soon as possible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pending {
    /// A request.
    Request(Box<Request>),
    /// Steps, typed for the turn in that match that this event gave the user.
    Steps(MatchId, u32, String),
    /// An Enter for that turn.
    Go(MatchId, u32),
    /// The user's seed for the dice of the current match.
    Reveal,
    /// Opening a match.
    Sit(MatchId),
}

/// A request that the server recognises as a repeat, by its key or number, and gives the same response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Request {
    op: Op,
    /// The game it is about, if it is about a single one.
    game: Option<(MatchId, u16)>,
    /// The match to open when it is done.
    sit_at: Option<MatchId>,
}

/// The result of a request.
#[derive(Debug)]
pub(super) enum Attempt<T> {
    /// It succeeded, with this response.
    Done(T),
    /// The server refused it, or it was not sent; the user was told.
    Refused,
    /// It will be sent again.
    Later,
}

/// Requests that wait to be sent, in order, and when to try again.
#[derive(Default)]
pub(super) struct Outbox {
    pub(super) waiting: VecDeque<Pending>,
    /// When to repeat a request that the server could not carry out.
    pub(super) retry_at: Option<Instant>,
    /// How often the first waiting request has been refused.
    pub(super) refusals: u32,
    /// How many promised requests were given up.
    pub(super) given_up: u32,
}

impl Outbox {
    /// Whether steps of the user's turn wait to be played.
    pub(super) fn has_steps(&self) -> bool {
        self.waiting.iter().any(|pending| matches!(pending, Pending::Steps(..)))
    }

    /// Lets waiting steps be sent as a turn, because the user leaves and will not press Enter.
    pub(super) fn finish_turns(&mut self) {
        let last = self.waiting.iter().rev().find_map(|pending| match pending {
            Pending::Steps(id, seq, _) => Some(Pending::Go(*id, *seq)),
            Pending::Request(_) | Pending::Go(..) | Pending::Reveal | Pending::Sit(_) => None,
        });
        if let Some(go) = last.filter(|go| !self.waiting.contains(go)) {
            self.waiting.push_back(go);
        }
    }

    /// Opens a match as soon as possible, in place of another one that waits to be opened.
    pub(super) fn sit_later(&mut self, id: MatchId) {
        self.waiting.retain(|pending| !matches!(pending, Pending::Sit(_)));
        self.waiting.push_back(Pending::Sit(id));
    }

    /// Takes back typed steps that were not sent, the last ones first. Returns whether there were any.
    pub(super) fn take_back(&mut self, count: usize) -> bool {
        let before = self.waiting.len();
        // A turn that is taken back is not sent.
        self.waiting.retain(|pending| !matches!(pending, Pending::Go(..)));
        for _ in 0..count {
            let Some(last) = self.waiting.iter().rposition(|pending| matches!(pending, Pending::Steps(..)))
            else {
                break;
            };
            self.waiting.remove(last);
        }
        self.waiting.len() < before
    }

    /// Whether a promised request is not sent yet.
    pub(super) fn has_promises(&self) -> bool {
        self.waiting.iter().any(|pending| !matches!(pending, Pending::Sit(_)))
    }
}

impl<O: Output> Session<O> {
    /// Sends a request that must not be lost: without a connection, or if it breaks, or the server cannot
    /// carry it out now, the request is repeated later. Its effects arrive as events.
    pub(super) async fn ask_reliably(&mut self, op: Op) -> Result<Attempt<Value>, SessionError> {
        let game = self.game_of(&op);
        self.ask_or_queue(Request { op, game, sit_at: None }).await
    }

    /// The same for a request for a seat: opens the match when the seat is given.
    pub(super) async fn ask_for_seat(&mut self, op: Op, id: MatchId) -> Result<Attempt<()>, SessionError> {
        match self.ask_or_queue(Request { op, game: None, sit_at: Some(id) }).await? {
            Attempt::Done(_) => self.sit(id).await,
            Attempt::Refused => Ok(Attempt::Refused),
            Attempt::Later => Ok(Attempt::Later),
        }
    }

    async fn ask_or_queue(&mut self, request: Request) -> Result<Attempt<Value>, SessionError> {
        if self.must_wait() {
            let promise = if self.link.is_up() {
                "It will be sent after what waits to be sent already."
            } else {
                "It will be sent again as soon as there is a connection."
            };
            return self.queue(Pending::Request(Box::new(request)), promise);
        }
        match self.link.ask::<Value>(request.op.clone()).await {
            Ok(answer) => {
                self.is_done(&request.op);
                Ok(Attempt::Done(answer))
            }
            Err(RequestError::Lost(_)) => {
                self.outbox.waiting.push_back(Pending::Request(Box::new(request)));
                self.say("It will be sent again as soon as there is a connection.")?;
                Ok(Attempt::Later)
            }
            Err(RequestError::Problem(problem)) if passes(&problem) => {
                self.try_later(&problem, Pending::Request(Box::new(request)))
            }
            Err(error @ (RequestError::Problem(_) | RequestError::Unreadable(_))) => self.fail(&error),
        }
    }

    /// Whether new requests must wait: there is no connection, or an earlier request waits to be repeated.
    pub(super) const fn must_wait(&self) -> bool {
        !self.link.is_up() || self.outbox.retry_at.is_some()
    }

    /// Handles a request that the server cannot carry out now: repeats it later, unless it was repeated too
    /// often.
    pub(super) fn try_later<T>(
        &mut self,
        refused: &Problem,
        pending: Pending,
    ) -> Result<Attempt<T>, SessionError> {
        let told = words(refused);
        if self.outbox.refusals >= REFUSALS_MAX {
            self.outbox.refusals = 0;
            self.outbox.given_up += u32::from(!matches!(pending, Pending::Sit(_)));
            self.say(&format!("No: {told}"))?;
            return Ok(Attempt::Refused);
        }
        let pause_s = PAUSE_MAX_S.min(1 << self.outbox.refusals);
        let asked_s = refused.retry_after_s.unwrap_or(0).min(ASKED_MAX_S);
        self.outbox.refusals += 1;
        self.outbox.retry_at = Some(Instant::now() + Duration::from_secs(pause_s.max(asked_s)));
        if matches!(pending, Pending::Sit(_)) {
            self.outbox.waiting.retain(|pending| !matches!(pending, Pending::Sit(_)));
        }
        self.outbox.waiting.push_back(pending);
        if self.outbox.refusals == 1 {
            self.say(&format!("Not now: {}. It is tried again.", told.trim_end_matches('.')))?;
        }
        Ok(Attempt::Later)
    }

    /// Whether the user's turn was sent and has no response yet.
    pub(super) fn has_pending_turn(&self) -> bool {
        let Some(turn) = self.turn_now() else { return false };
        self.outbox.waiting.iter().any(|pending| match pending {
            Pending::Request(request) => {
                request.op.as_turn().is_some_and(|(id, sent)| (id, sent.seq) == turn)
            }
            Pending::Steps(..) | Pending::Go(..) | Pending::Reveal | Pending::Sit(_) => false,
        })
    }

    /// Queues steps that cannot be sent now.
    pub(super) fn queue_steps(&mut self, line: &str) -> Result<Attempt<()>, SessionError> {
        let Some((id, seq)) = self.turn_now() else { return Ok(Attempt::Refused) };
        let promise = if self.link.is_up() {
            "It will be played after what waits to be sent already."
        } else {
            "There is no connection now: it will be played when the connection is back."
        };
        self.queue(Pending::Steps(id, seq, line.to_owned()), promise)
    }

    /// Queues an Enter for a turn that cannot be sent now.
    pub(super) fn queue_enter(&mut self) -> Result<Attempt<()>, SessionError> {
        let Some((id, seq)) = self.turn_now() else { return Ok(Attempt::Refused) };
        self.outbox.waiting.retain(|pending| !matches!(pending, Pending::Go(..)));
        self.queue(
            Pending::Go(id, seq),
            "The turn will be sent as soon as that can be done, if it is complete then.",
        )
    }

    /// Sends waiting requests, until the connection is lost again or the server cannot do more now.
    pub(super) async fn send_pending(&mut self) -> Result<(), SessionError> {
        let mut before = std::mem::take(&mut self.outbox.waiting);
        self.outbox.retry_at = None;
        while !self.must_wait()
            && let Some(pending) = before.pop_front()
        {
            let is_promised = !matches!(pending, Pending::Sit(_));
            let asked = match pending {
                Pending::Request(request) => self.send_again(*request).await?,
                Pending::Steps(id, seq, line) => self.play_again(id, seq, &line).await?,
                Pending::Go(id, seq) => self.go_on_again(id, seq).await?,
                Pending::Reveal => self.reveal().await?,
                Pending::Sit(id) => self.sit(id).await?,
            };
            match asked {
                Attempt::Done(()) => self.outbox.refusals = 0,
                Attempt::Refused => {
                    self.outbox.refusals = 0;
                    self.is_refused(is_promised);
                }
                Attempt::Later => {}
            }
        }
        // What could not be sent has been queued again, and stays in front.
        self.outbox.waiting.append(&mut before);
        if self.state.goal_state == GoalState::Pending && self.outbox.waiting.is_empty() {
            self.state.goal_state = GoalState::Done;
        }
        Ok(())
    }

    /// Notes that a waiting request was refused; a user who leaves cannot try it in another way.
    pub(super) fn is_refused(&mut self, was_promised: bool) {
        self.outbox.given_up += u32::from(was_promised && self.state.leave_by.is_some());
        if self.state.goal_state == GoalState::Pending {
            self.state.goal_state = GoalState::Failed;
        }
    }

    async fn send_again(&mut self, request: Request) -> Result<Attempt<()>, SessionError> {
        if let Some((id, number)) = request.game {
            match self.link.ask::<Snapshot>(ApiRequest::get(&format!("/matches/{id}"))).await {
                Ok(now) if now.game_number != number || now.state != MatchState::Playing => {
                    self.say("What was to be sent was about a game that is over: it is not sent again.")?;
                    return Ok(Attempt::Refused);
                }
                Err(RequestError::Lost(_)) => {
                    self.outbox.waiting.push_back(Pending::Request(Box::new(request)));
                    return Ok(Attempt::Later);
                }
                Err(RequestError::Problem(problem)) if passes(&problem) => {
                    return self.try_later(&problem, Pending::Request(Box::new(request)));
                }
                // If the server refuses, the request below gets the reason.
                Ok(_) | Err(RequestError::Problem(_) | RequestError::Unreadable(_)) => {}
            }
        }
        // What makes a match is the only request beside commands that takes no seat.
        let (makes, sit_at) = (matches!(request.op, Op::Http(_)), request.sit_at);
        match (self.ask_or_queue(request).await?, sit_at) {
            (Attempt::Done(_), Some(id)) => self.sit(id).await,
            (Attempt::Done(answer), None) if makes => self.made(answer).await,
            (Attempt::Done(_), None) => Ok(Attempt::Done(())),
            (Attempt::Refused, _) => Ok(Attempt::Refused),
            (Attempt::Later, _) => Ok(Attempt::Later),
        }
    }

    async fn play_again(&mut self, id: MatchId, seq: u32, line: &str) -> Result<Attempt<()>, SessionError> {
        if self.turn_now() == Some((id, seq)) {
            return self.play(line).await;
        }
        let is_here = self.current.as_ref().is_some_and(|current| current.now.id == id);
        let at = if is_here { "for a turn that is over" } else { "at another match" };
        self.say(&format!("{} was typed {at}: it is not played.", clipped(line, 60)))?;
        Ok(Attempt::Refused)
    }

    async fn go_on_again(&mut self, id: MatchId, seq: u32) -> Result<Attempt<()>, SessionError> {
        let is_here = self.current.as_ref().is_some_and(|current| current.now.id == id);
        if is_here && self.turn.answered == Some(seq) {
            return Ok(Attempt::Done(()));
        }
        if self.turn_now() == Some((id, seq)) {
            return self.go_on().await;
        }
        self.say("What was to be sent was a turn that is over: it is not sent.")?;
        Ok(Attempt::Refused)
    }

    /// Queues something, if there is space, and tells the user.
    fn queue<T>(&mut self, pending: Pending, promise: &str) -> Result<Attempt<T>, SessionError> {
        if self.outbox.waiting.len() >= PENDING_MAX {
            self.say("Too much waits to be sent already: this is not done.")?;
            return Ok(Attempt::Refused);
        }
        self.outbox.waiting.push_back(pending);
        self.say(promise)?;
        Ok(Attempt::Later)
    }

    /// Notes that the server has carried out the request.
    fn is_done(&mut self, op: &Op) {
        match op.as_command() {
            Some((_, MatchCommand::Turn(turn))) => self.turn.answered = Some(turn.seq),
            Some((
                _,
                MatchCommand::Rematch(Rematch { action: OfferAction::Offer | OfferAction::Accept, .. }),
            )) => {
                self.next_expected = true;
            }
            _ => {}
        }
    }

    /// The game that a request is about, if it could affect the next game instead.
    fn game_of(&self, op: &Op) -> Option<(MatchId, u16)> {
        let (
            id,
            MatchCommand::Resign(Resign { scope: ResignScope::Game })
            | MatchCommand::Draw(_)
            | MatchCommand::Claim(_),
        ) = op.as_command()?
        else {
            return None;
        };
        let now = &self.current.as_ref()?.now;
        (now.id == id).then_some((id, now.game_number))
    }
}
