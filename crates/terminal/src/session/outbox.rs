//! The outbox: what was promised to be sent. It holds what was asked and not answered because the
//! connection broke or the server could not do it, and what was typed meanwhile. As soon as that is
//! possible it is sent, in order.

use std::{collections::VecDeque, time::Duration};

use lusoria_protocol::{
    MatchId, MatchState, OfferAction, Problem, ResignScope, Snapshot,
    socket::{ClaimMatch, DrawMatch, OfMatch, Op, RematchMatch, ResignMatch},
};
use serde_json::Value;
use tokio::time::Instant;

use super::{Failure, Session, visit::Purpose, words};
use crate::{output::Output, telling::clipped};
use lusoria_client::{AskError, passes};

/// How much can wait to be sent.
const OWED_MAX: usize = 8;

/// How often a server is asked for something that it cannot do when it is asked: for minutes.
const REFUSALS_MAX: u32 = 20;

/// The pauses between these attempts grow from one second to this, in seconds.
const PAUSE_MAX_S: u64 = 16;

/// The longest pause that such a server can ask for, in seconds.
const ASKED_MAX_S: u64 = 120;

/// Something that is to be sent, or done, when that can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Owed {
    /// A request.
    Request(Box<Request>),
    /// Steps, typed for the turn that one has at that match by the event of that number.
    Steps(MatchId, u32, String),
    /// An Enter for that turn.
    Go(MatchId, u32),
    /// The seed for the dice of the match that one sits at.
    Reveal,
    /// To sit down at a match.
    Sit(MatchId),
}

/// A request by whose key or number the server knows it again: it gets the answer that it would
/// have got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Request {
    op: Op,
    /// The game that it is about, if it is about one alone.
    game: Option<(MatchId, u16)>,
    /// The match that one sits down at if it is done.
    sit_at: Option<MatchId>,
}

/// What came of asking.
#[derive(Debug)]
pub(super) enum Asked<T> {
    /// It is done; what the server answered.
    Done(T),
    /// The server has refused it, or it was not taken; that has been said.
    Refused,
    /// It is asked again when that can be done.
    Later,
}

/// What waits to be sent, in order, and when it is tried again.
#[derive(Default)]
pub(super) struct Outbox {
    pub(super) waiting: VecDeque<Owed>,
    /// When the server is asked again for what it could not do when it was asked.
    pub(super) retry_at: Option<Instant>,
    /// How often it could not do the first of what waits.
    pub(super) refusals: u32,
    /// How much of what was promised to be done was given up.
    pub(super) given_up: u32,
}

impl Outbox {
    /// Whether steps of a turn that one has wait to be played.
    pub(super) fn has_steps(&self) -> bool {
        self.waiting.iter().any(|owed| matches!(owed, Owed::Steps(..)))
    }

    /// Steps that wait to be played are sent too: nobody stays to press Enter.
    pub(super) fn finish_turns(&mut self) {
        let last = self.waiting.iter().rev().find_map(|owed| match owed {
            Owed::Steps(id, seq, _) => Some(Owed::Go(*id, *seq)),
            Owed::Request(_) | Owed::Go(..) | Owed::Reveal | Owed::Sit(_) => None,
        });
        if let Some(go) = last.filter(|go| !self.waiting.contains(go)) {
            self.waiting.push_back(go);
        }
    }

    /// A match to sit down at when that can be done: the last one that was named.
    pub(super) fn sit_later(&mut self, id: MatchId) {
        self.waiting.retain(|owed| !matches!(owed, Owed::Sit(_)));
        self.waiting.push_back(Owed::Sit(id));
    }

    /// Takes back what was typed and not sent, from the last one on; whether there was anything.
    pub(super) fn take_back(&mut self, count: usize) -> bool {
        let before = self.waiting.len();
        // What a player takes back is not sent.
        self.waiting.retain(|owed| !matches!(owed, Owed::Go(..)));
        for _ in 0..count {
            let Some(last) = self.waiting.iter().rposition(|owed| matches!(owed, Owed::Steps(..))) else {
                break;
            };
            self.waiting.remove(last);
        }
        self.waiting.len() < before
    }

    /// Whether something was promised to be sent that is not.
    pub(super) fn has_promises(&self) -> bool {
        self.waiting.iter().any(|owed| !matches!(owed, Owed::Sit(_)))
    }
}

impl<O: Output> Session<O> {
    /// Asks for what must not be lost: if there is no connection, it breaks, or the server cannot do it
    /// now, it is asked again later. Whatever it changes is told by events.
    pub(super) async fn ask_surely(&mut self, op: Op) -> Result<Asked<Value>, Failure> {
        let game = self.game_of(&op);
        self.ask_or_owe(Request { op, game, sit_at: None }).await
    }

    /// The same for a seat: who gets it sits down there.
    pub(super) async fn ask_for_seat(&mut self, op: Op, id: MatchId) -> Result<Asked<()>, Failure> {
        match self.ask_or_owe(Request { op, game: None, sit_at: Some(id) }).await? {
            Asked::Done(_) => self.sit(id).await,
            Asked::Refused => Ok(Asked::Refused),
            Asked::Later => Ok(Asked::Later),
        }
    }

    async fn ask_or_owe(&mut self, request: Request) -> Result<Asked<Value>, Failure> {
        if self.must_wait() {
            let promise = if self.link.is_up() {
                "It will be sent after what waits to be sent already."
            } else {
                "It will be sent again as soon as there is a connection."
            };
            return self.owe(Owed::Request(Box::new(request)), promise);
        }
        match self.link.ask::<Value>(request.op.clone()).await {
            Ok(answer) => {
                self.is_done(&request.op);
                Ok(Asked::Done(answer))
            }
            Err(AskError::Lost(_)) => {
                self.outbox.waiting.push_back(Owed::Request(Box::new(request)));
                self.say("It will be sent again as soon as there is a connection.")?;
                Ok(Asked::Later)
            }
            Err(AskError::Problem(problem)) if passes(&problem) => {
                self.try_later(&problem, Owed::Request(Box::new(request)))
            }
            Err(error @ (AskError::Problem(_) | AskError::Unreadable(_))) => {
                self.tell_error(&error)?;
                Ok(Asked::Refused)
            }
        }
    }

    /// Whether what is to be sent must wait: there is no connection, or the server cannot do now what it
    /// was asked for before.
    pub(super) const fn must_wait(&self) -> bool {
        !self.link.is_up() || self.outbox.retry_at.is_some()
    }

    /// The server cannot do that now: it is asked again, unless it was asked too often.
    pub(super) fn try_later<T>(&mut self, refused: &Problem, owed: Owed) -> Result<Asked<T>, Failure> {
        let told = words(refused);
        if self.outbox.refusals >= REFUSALS_MAX {
            self.outbox.refusals = 0;
            self.outbox.given_up += u32::from(!matches!(owed, Owed::Sit(_)));
            self.say(&format!("No: {told}"))?;
            return Ok(Asked::Refused);
        }
        let pause_s = PAUSE_MAX_S.min(1 << self.outbox.refusals);
        let asked_s = refused.retry_after_s.unwrap_or(0).min(ASKED_MAX_S);
        self.outbox.refusals += 1;
        self.outbox.retry_at = Some(Instant::now() + Duration::from_secs(pause_s.max(asked_s)));
        if matches!(owed, Owed::Sit(_)) {
            self.outbox.waiting.retain(|owed| !matches!(owed, Owed::Sit(_)));
        }
        self.outbox.waiting.push_back(owed);
        if self.outbox.refusals == 1 {
            self.say(&format!("Not now: {}. It is tried again.", told.trim_end_matches('.')))?;
        }
        Ok(Asked::Later)
    }

    /// Whether the turn that one has was sent, and is not answered yet.
    pub(super) fn owes_the_turn(&self) -> bool {
        let Some(turn) = self.turn_now() else { return false };
        self.outbox.waiting.iter().any(|owed| match owed {
            Owed::Request(request) => match &request.op {
                Op::Turn(sent) => (sent.id, sent.seq) == turn,
                _ => false,
            },
            Owed::Steps(..) | Owed::Go(..) | Owed::Reveal | Owed::Sit(_) => false,
        })
    }

    /// Steps that cannot be sent now.
    pub(super) fn owe_steps(&mut self, line: &str) -> Result<Asked<()>, Failure> {
        let Some((id, seq)) = self.turn_now() else { return Ok(Asked::Refused) };
        let promise = if self.link.is_up() {
            "It will be played after what waits to be sent already."
        } else {
            "There is no connection now: it will be played when the connection is back."
        };
        self.owe(Owed::Steps(id, seq, line.to_owned()), promise)
    }

    /// An Enter for a turn that cannot be sent now.
    pub(super) fn owe_going_on(&mut self) -> Result<Asked<()>, Failure> {
        let Some((id, seq)) = self.turn_now() else { return Ok(Asked::Refused) };
        self.outbox.waiting.retain(|owed| !matches!(owed, Owed::Go(..)));
        self.owe(
            Owed::Go(id, seq),
            "The turn will be sent as soon as that can be done, if it is complete then.",
        )
    }

    /// Sends what is owed, until the connection is lost again or the server can do no more now.
    pub(super) async fn send_owed(&mut self) -> Result<(), Failure> {
        let mut before = std::mem::take(&mut self.outbox.waiting);
        self.outbox.retry_at = None;
        while !self.must_wait()
            && let Some(owed) = before.pop_front()
        {
            let is_promised = !matches!(owed, Owed::Sit(_));
            let asked = match owed {
                Owed::Request(request) => self.send_again(*request).await?,
                Owed::Steps(id, seq, line) => self.play_again(id, seq, &line).await?,
                Owed::Go(id, seq) => self.go_on_again(id, seq).await?,
                Owed::Reveal => self.reveal().await?,
                Owed::Sit(id) => self.sit(id).await?,
            };
            match asked {
                Asked::Done(()) => self.outbox.refusals = 0,
                Asked::Refused => {
                    self.outbox.refusals = 0;
                    self.is_refused(is_promised);
                }
                Asked::Later => {}
            }
        }
        // What could not be sent now is owed anew, and goes first.
        self.outbox.waiting.append(&mut before);
        if self.stay.purpose == Purpose::Waits && self.outbox.waiting.is_empty() {
            self.stay.purpose = Purpose::Free;
        }
        Ok(())
    }

    /// Something that waited was refused; a player who leaves cannot do it in another way.
    pub(super) fn is_refused(&mut self, was_promised: bool) {
        self.outbox.given_up += u32::from(was_promised && self.stay.leave_by.is_some());
        if self.stay.purpose == Purpose::Waits {
            self.stay.purpose = Purpose::Failed;
        }
    }

    async fn send_again(&mut self, request: Request) -> Result<Asked<()>, Failure> {
        if let Some((id, number)) = request.game {
            match self.link.ask::<Snapshot>(Op::Snapshot(OfMatch { id })).await {
                Ok(now) if now.game_number != number || now.state != MatchState::Playing => {
                    self.say("What was to be sent was about a game that is over: it is not sent again.")?;
                    return Ok(Asked::Refused);
                }
                Err(AskError::Lost(_)) => {
                    self.outbox.waiting.push_back(Owed::Request(Box::new(request)));
                    return Ok(Asked::Later);
                }
                Err(AskError::Problem(problem)) if passes(&problem) => {
                    return self.try_later(&problem, Owed::Request(Box::new(request)));
                }
                // What the server refuses, it tells below.
                Ok(_) | Err(AskError::Problem(_) | AskError::Unreadable(_)) => {}
            }
        }
        let (makes, sit_at) = (matches!(request.op, Op::Create(_)), request.sit_at);
        match (self.ask_or_owe(request).await?, sit_at) {
            (Asked::Done(_), Some(id)) => self.sit(id).await,
            (Asked::Done(answer), None) if makes => self.made(answer).await,
            (Asked::Done(_), None) => Ok(Asked::Done(())),
            (Asked::Refused, _) => Ok(Asked::Refused),
            (Asked::Later, _) => Ok(Asked::Later),
        }
    }

    async fn play_again(&mut self, id: MatchId, seq: u32, line: &str) -> Result<Asked<()>, Failure> {
        if self.turn_now() == Some((id, seq)) {
            return self.play(line).await;
        }
        let is_here = self.table.as_ref().is_some_and(|table| table.now.id == id);
        let at = if is_here { "for a turn that is over" } else { "at another match" };
        self.say(&format!("{} was typed {at}: it is not played.", clipped(line, 60)))?;
        Ok(Asked::Refused)
    }

    async fn go_on_again(&mut self, id: MatchId, seq: u32) -> Result<Asked<()>, Failure> {
        let is_here = self.table.as_ref().is_some_and(|table| table.now.id == id);
        if is_here && self.turn.answered == Some(seq) {
            return Ok(Asked::Done(()));
        }
        if self.turn_now() == Some((id, seq)) {
            return self.go_on().await;
        }
        self.say("What was to be sent was a turn that is over: it is not sent.")?;
        Ok(Asked::Refused)
    }

    /// Keeps something for later, if there is room, and says so.
    fn owe<T>(&mut self, owed: Owed, promise: &str) -> Result<Asked<T>, Failure> {
        if self.outbox.waiting.len() >= OWED_MAX {
            self.say("Too much waits to be sent already: this is not done.")?;
            return Ok(Asked::Refused);
        }
        self.outbox.waiting.push_back(owed);
        self.say(promise)?;
        Ok(Asked::Later)
    }

    /// The server has done that.
    fn is_done(&mut self, op: &Op) {
        match op {
            Op::Turn(turn) => self.turn.answered = Some(turn.seq),
            Op::Rematch(RematchMatch { action: OfferAction::Offer | OfferAction::Accept, .. }) => {
                self.next_expected = true;
            }
            _ => {}
        }
    }

    /// The game that a request is about, if it could hit the next one.
    fn game_of(&self, op: &Op) -> Option<(MatchId, u16)> {
        let (Op::Resign(ResignMatch { id, scope: ResignScope::Game, .. })
        | Op::Draw(DrawMatch { id, .. })
        | Op::Claim(ClaimMatch { id, .. })) = op
        else {
            return None;
        };
        let now = &self.table.as_ref()?.now;
        (now.id == *id).then_some((*id, now.game_number))
    }
}
