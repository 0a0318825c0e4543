//! What one was told would be sent: what was asked and not answered because the line broke, and
//! what was typed while there was none. When the line is back it is sent, in order.

use lusoria_protocol::{
    MatchId, MatchState, OfferAction, ResignScope, Snapshot,
    socket::{ClaimMatch, DrawMatch, OfMatch, Op, RematchMatch, ResignMatch},
};
use serde_json::Value;

use super::{Failure, Session};
use crate::{
    client::AskError,
    terminal::{output::Output, telling::clipped},
};

/// How much can wait to be sent.
const OWED_MAX: usize = 8;

/// Something that is to be sent, or done, when the line is back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Owed {
    /// A request by whose key or number the server knows it again: it gets the answer that it
    /// would have got. If it is about one game alone, that is its number.
    Request(Box<Op>, Option<(MatchId, u16)>),
    /// Steps, typed for the turn that one has at that match.
    Steps(MatchId, String),
    /// To sit down at a match.
    Sit(MatchId),
}

/// What came of asking.
#[derive(Debug)]
pub(super) enum Asked {
    /// It is done; what the server answered.
    Done(Value),
    /// The server has refused it, or it was not taken; that has been said.
    Refused,
    /// It is asked again when the line is back.
    Later,
}

impl<O: Output> Session<O> {
    /// Asks for what must not be lost: if there is no line, or it breaks, it is asked again when
    /// that is back. Whatever it changes is told by events.
    pub(super) async fn ask_surely(&mut self, op: Op) -> Result<Asked, Failure> {
        let game = self.game_of(&op);
        if !self.link.is_up() {
            let request = Owed::Request(Box::new(op), game);
            let taken = self.owe(request, "It will be sent again as soon as there is a connection.")?;
            return Ok(if taken { Asked::Later } else { Asked::Refused });
        }
        match self.link.ask::<Value>(op.clone()).await {
            Ok(answer) => {
                self.is_done(&op);
                Ok(Asked::Done(answer))
            }
            Err(AskError::Lost(_)) => {
                self.owed.push_back(Owed::Request(Box::new(op), game));
                self.say("It will be sent again as soon as there is a connection.")?;
                Ok(Asked::Later)
            }
            Err(error @ AskError::Problem(_)) => {
                self.tell_error(&error)?;
                Ok(Asked::Refused)
            }
        }
    }

    /// Steps that cannot be sent now.
    pub(super) fn owe_steps(&mut self, line: &str) -> Result<(), Failure> {
        let Some(table) = &self.table else { return Ok(()) };
        let steps = Owed::Steps(table.now.id, line.to_owned());
        let is_turn = |owed: &Owed| matches!(owed, Owed::Request(op, _) if matches!(**op, Op::Turn(_)));
        if self.owed.iter().any(is_turn) {
            return self.say("There is no connection now, and your turn waits to be sent already.");
        }
        let promise = "There is no connection now: it will be played when the line is back.";
        self.owe(steps, promise).map(drop)
    }

    /// A match to sit down at when that can be done: the last one that was named.
    pub(super) fn owe_sitting(&mut self, id: MatchId) {
        self.owed.retain(|owed| !matches!(owed, Owed::Sit(_)));
        self.owed.push_back(Owed::Sit(id));
    }

    /// Takes back what was typed and not sent, from the last one on; whether there was anything.
    pub(super) fn take_back_owed(&mut self, count: usize) -> bool {
        let before = self.owed.len();
        while before - self.owed.len() < count && matches!(self.owed.back(), Some(Owed::Steps(..))) {
            self.owed.pop_back();
        }
        self.owed.len() < before
    }

    /// Whether something was promised to be sent that is not.
    pub(super) fn owes(&self) -> bool {
        self.owed.iter().any(|owed| !matches!(owed, Owed::Sit(_)))
    }

    /// Sends what is owed, until the line is lost again.
    pub(super) async fn send_owed(&mut self) -> Result<(), Failure> {
        let mut before = std::mem::take(&mut self.owed);
        while self.link.is_up()
            && let Some(owed) = before.pop_front()
        {
            match owed {
                Owed::Request(op, game) => self.send_again(*op, game).await?,
                Owed::Steps(id, line) => self.play_again(id, &line).await?,
                Owed::Sit(id) => self.sit(id).await?,
            }
        }
        // What could not be sent now is owed anew, and goes first.
        self.owed.append(&mut before);
        Ok(())
    }

    async fn send_again(&mut self, op: Op, game: Option<(MatchId, u16)>) -> Result<(), Failure> {
        if let Some((id, number)) = game {
            match self.link.ask::<Snapshot>(Op::Snapshot(OfMatch { id })).await {
                Ok(now) if now.game_number != number || now.state != MatchState::Playing => {
                    return self
                        .say("What was to be sent was about a game that is over: it is not sent again.");
                }
                Err(AskError::Lost(_)) => {
                    self.owed.push_back(Owed::Request(Box::new(op), game));
                    return Ok(());
                }
                // What the server refuses, it tells below.
                Ok(_) | Err(AskError::Problem(_)) => {}
            }
        }
        let makes = matches!(op, Op::Create(_));
        match self.ask_surely(op).await? {
            Asked::Done(answer) if makes => self.made(answer).await,
            Asked::Done(_) | Asked::Refused | Asked::Later => Ok(()),
        }
    }

    async fn play_again(&mut self, id: MatchId, line: &str) -> Result<(), Failure> {
        if self.table.as_ref().is_some_and(|table| table.now.id == id) {
            return self.play(line).await;
        }
        self.say(&format!("{} was typed at another match: it is not played.", clipped(line, 60)))
    }

    /// Keeps something for later, if there is room, and says so; whether there was.
    fn owe(&mut self, owed: Owed, promise: &str) -> Result<bool, Failure> {
        if self.owed.len() >= OWED_MAX {
            self.say("Too much waits to be sent already: this is not done.")?;
            return Ok(false);
        }
        self.owed.push_back(owed);
        self.say(promise)?;
        Ok(true)
    }

    /// The server has done that.
    fn is_done(&mut self, op: &Op) {
        match op {
            Op::Turn(turn) => self.answered = Some(turn.seq),
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
