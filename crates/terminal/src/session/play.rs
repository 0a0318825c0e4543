//! Builds the user's turn and sends it.

use std::time::Duration;

use lusoria_protocol::{
    Building, Legal, LegalQuestion, MatchId, MatchState, PlayTurn, Position, Problem, Snapshot, Step, ToPlay,
    socket::{ApiRequest, Op},
};
use serde::de::IgnoredAny;
use tokio::time::Instant;

use super::{
    Session, SessionError,
    outbox::{Attempt, Pending},
};
use crate::{
    event_text::{clipped, shown, who},
    match_lines::match_lines,
    moves::{self, MoveError, PartialTurn, Rules},
    output::Output,
    sanitize,
};
use lusoria_client::{Link, RequestError, passes};

/// Events within this time are drawn together.
const TOGETHER: Duration = Duration::from_millis(30);

/// Printed when the user continues a turn that was sent.
const SENT_ALREADY: &str = "Your turn waits to be sent already.";

/// The most legal continuations that are printed.
const TOLD_MAX: usize = 120;

/// The user's turn, as built so far.
#[derive(Default)]
pub(super) struct TurnState {
    /// The turn that is being built, with the number of the event that gave it.
    pub(super) building: Option<(u32, PartialTurn)>,
    /// The event whose turn has been played and acknowledged.
    pub(super) answered: Option<u32>,
}

/// The rules, answered by the server for a match.
pub(super) struct Server<'a> {
    pub(super) link: &'a mut Link,
    pub(super) id: MatchId,
}

impl Rules for Server<'_> {
    async fn legal(&mut self, steps: Vec<Step>) -> Result<Legal, RequestError> {
        let path = format!("/matches/{}/legal", self.id);
        self.link.ask(ApiRequest::post(&path, &LegalQuestion { steps })).await.map(sanitize::legal)
    }
}

impl<O: Output> Session<O> {
    /// The user's turn, if it is not played yet.
    pub(super) fn my_turn(&self) -> Option<&ToPlay> {
        self.current.as_ref()?.my_turn().filter(|to_play| self.turn.answered != Some(to_play.seq))
    }

    /// The user's turn: its match, and the number of the event that gave it.
    pub(super) fn turn_now(&self) -> Option<(MatchId, u32)> {
        Some((self.current.as_ref()?.now.id, self.my_turn()?.seq))
    }

    /// Whether a waiting script may continue.
    pub(super) fn has_something_to_do(&self) -> bool {
        if self.next_expected
            || self.draw_at.is_some()
            || !self.outbox.waiting.is_empty()
            || !self.link.is_up()
        {
            return false;
        }
        let Some(current) = &self.current else { return true };
        current.now.state == MatchState::Ended || current.has_offer() || self.building_now().is_some()
    }

    /// The turn being built, if it is still the user's.
    pub(super) fn building_now(&self) -> Option<&PartialTurn> {
        let seq = self.my_turn()?.seq;
        self.turn.building.as_ref().filter(|(of, _)| *of == seq).map(|(_, built)| built)
    }

    /// Draws the board soon, together with events that come at the same time.
    pub(super) fn draw_soon(&mut self) {
        self.draw_at = Some(Instant::now() + TOGETHER);
    }

    /// Fetches the state of the match and the legal steps, and draws it.
    pub(super) async fn look_again(&mut self) -> Result<(), SessionError> {
        let Some(current) = &mut self.current else { return self.say("There is no board in the lobby.") };
        let id = current.now.id;
        // Without a response, draws the known state.
        if let Ok(snapshot) = self.link.ask::<Snapshot>(ApiRequest::get(&format!("/matches/{id}"))).await {
            self.ahead_ms = super::ahead_of(snapshot.server_time);
            self.records.seen.entry(id).or_default().shown(&snapshot);
            current.now.refresh(snapshot);
        }
        if self.building_now().is_none() {
            self.begin_turn().await;
        }
        self.draw()
    }

    /// Asks for the legal steps at the beginning of the user's turn. Returns the problem if the server cannot
    /// respond now but may later.
    async fn begin_turn(&mut self) -> Option<Box<Problem>> {
        self.turn.building = None;
        let (id, seq) = self.turn_now()?;
        match (Server { link: &mut self.link, id }).legal(Vec::new()).await {
            Ok(legal) if legal.seq == seq => {
                self.turn.building = Some((seq, PartialTurn { steps: Vec::new(), legal }));
                None
            }
            Err(RequestError::Problem(problem)) if passes(&problem) => Some(problem),
            // A later turn is announced by its own event.
            Ok(_) | Err(_) => None,
        }
    }

    /// Draws the board with the steps of the turn being built, and says whose turn it is.
    pub(super) fn draw(&mut self) -> Result<(), SessionError> {
        let Some(current) = &self.current else { return Ok(()) };
        let built = self.building_now();
        let position: Option<&Position> =
            built.map(|built| &built.legal.position).or(current.now.position.as_ref());
        let mut lines = Vec::new();
        if let Some(position) = position {
            lines.extend(match_lines(current, position, self.server_now(), self.style));
        }
        lines.extend(self.status());
        self.say(&lines.join("\n"))
    }

    /// What the user can do, in a line.
    fn status(&self) -> Option<String> {
        let current = self.current.as_ref()?;
        match current.now.state {
            MatchState::Open => return Some("Nobody has joined yet.".to_owned()),
            MatchState::AwaitingSeeds => return Some("The dice wait for a seed.".to_owned()),
            MatchState::Ended if self.tournaments.is_board(current.now.id) => {
                return Some(
                    "The match is over: tournament goes back to it, record FILE, leave, quit.".to_owned(),
                );
            }
            MatchState::Ended => {
                return Some("The match is over: rematch, record FILE, leave, quit.".to_owned());
            }
            MatchState::Playing => {}
        }
        let Some(to_play) = self.my_turn() else {
            let to_play = current.now.to_play.as_ref()?;
            if self.turn.answered == Some(to_play.seq) {
                return Some("Your turn is played.".to_owned());
            }
            return Some(format!("Waiting for {}.", who(current, to_play.seat, to_play.side)));
        };
        let built = self.building_now();
        let side = clipped(current.side_name(to_play.side), 12);
        let thrown =
            if to_play.dice.is_empty() { String::new() } else { format!(": {}", shown(&to_play.dice)) };
        let mut line = if current.both_mine() {
            format!("{side} to play{thrown}.")
        } else {
            format!("Your turn{thrown}.")
        };
        let Some(built) = built else { return Some(line) };
        if !built.steps.is_empty() {
            line = format!("{}: {} left.", moves::written(&built.steps), shown(&built.legal.dice_left));
        }
        if built.legal.complete {
            line = format!("{}: complete. Enter sends it, undo takes it back.", moves::written(&built.steps));
        } else if let Some(forced) = &built.legal.forced {
            line.extend([" There is no choice: Enter plays ", &moves::written(forced), "."]);
        }
        Some(line)
    }

    /// Plays typed steps, and sends them if they are a whole turn.
    pub(super) async fn play(&mut self, line: &str) -> Result<Attempt<()>, SessionError> {
        let legs = match moves::legs(line) {
            Ok(legs) => legs,
            Err(why) => return self.refuse(&why.to_string()),
        };
        if self.has_pending_turn() {
            return self.refuse(SENT_ALREADY);
        }
        if let Some((id, seq)) = self.turn_now() {
            if !self.must_wait()
                && self.building_now().is_none()
                && let Some(problem) = self.begin_turn().await
            {
                return self.try_later(&problem, Pending::Steps(id, seq, line.to_owned()));
            }
            if self.must_wait() {
                return self.queue_steps(line);
            }
        }
        let Some(built) = self.built().await? else { return Ok(Attempt::Refused) };
        let Some((id, seq)) = self.turn_now() else { return Ok(Attempt::Refused) };
        let whole = built.steps.is_empty();
        match moves::play(&mut Server { link: &mut self.link, id }, &built, &legs).await {
            Ok(built) if built.legal.complete && whole => self.send(built.steps).await,
            Ok(built) => self.build(built).await.map(Attempt::Done),
            Err(MoveError::Ask(RequestError::Lost(_))) if !self.link.is_up() => self.queue_steps(line),
            Err(MoveError::Ask(RequestError::Problem(problem))) if passes(&problem) => {
                self.try_later(&problem, Pending::Steps(id, seq, line.to_owned()))
            }
            Err(MoveError::Ask(error)) => self.fail(&error),
            Err(why) => self.refuse(&format!("No: {}", clipped(&why.to_string(), super::WORDS_MAX))),
        }
    }

    /// Sends a complete turn, or plays a forced one.
    pub(super) async fn go_on(&mut self) -> Result<Attempt<()>, SessionError> {
        let Some((id, seq)) = self.turn_now() else { return Ok(Attempt::Refused) };
        if self.has_pending_turn() {
            return self.refuse(SENT_ALREADY);
        }
        if self.outbox.has_steps() {
            return self.queue_enter();
        }
        if self.building_now().is_none() {
            if !self.must_wait()
                && let Some(problem) = self.begin_turn().await
            {
                return self.try_later(&problem, Pending::Go(id, seq));
            }
            if self.must_wait() {
                return self.queue_enter();
            }
        }
        let Some(built) = self.building_now() else { return Ok(Attempt::Refused) };
        if built.legal.complete {
            return self.send(built.steps.clone()).await;
        }
        if let Some(forced) = &built.legal.forced {
            let steps = built.steps.iter().chain(forced).cloned().collect();
            return self.send(steps).await;
        }
        self.tell_legal()?;
        Ok(Attempt::Refused)
    }

    fn refuse(&mut self, why: &str) -> Result<Attempt<()>, SessionError> {
        self.say(why)?;
        Ok(Attempt::Refused)
    }

    pub(super) async fn take_back(&mut self, count: usize) -> Result<(), SessionError> {
        if self.outbox.take_back(count) {
            return self.say("What you typed last is not played.");
        }
        let Some(built) = self.built().await? else { return Ok(()) };
        if built.steps.is_empty() {
            return self.say("There is nothing to take back: a turn that was sent is played.");
        }
        let Some(current) = &self.current else { return Ok(()) };
        let id = current.now.id;
        let mut steps = built.steps;
        steps.truncate(steps.len().saturating_sub(count));
        match (Server { link: &mut self.link, id }).legal(steps.clone()).await {
            Ok(legal) => self.build(PartialTurn { steps, legal }).await,
            Err(error) => self.tell_error(&error),
        }
    }

    pub(super) fn tell_legal(&mut self) -> Result<(), SessionError> {
        let Some(built) = self.building_now() else { return self.say("It is not your turn.") };
        let words = moves::words(&built.legal);
        let more = words.len().saturating_sub(TOLD_MAX);
        let mut told = words.into_iter().take(TOLD_MAX).map(|word| clipped(&word, 16)).collect::<Vec<_>>();
        if more > 0 {
            told.push(format!("and {more} more"));
        }
        if told.is_empty() {
            return self.say("Nothing is left to play: Enter sends the turn.");
        }
        self.say(&wrapped(&told))
    }

    pub(super) fn turn_board(&mut self) -> Result<(), SessionError> {
        match &mut self.current {
            Some(current) => {
                current.turned = !current.turned;
                self.draw()
            }
            None => self.say("There is no board in the lobby."),
        }
    }

    /// The turn built so far; tells the user if there is none.
    async fn built(&mut self) -> Result<Option<PartialTurn>, SessionError> {
        if self.building_now().is_none() {
            self.begin_turn().await;
        }
        let built = self.building_now().cloned();
        if built.is_none() {
            let why = match &self.current {
                None => "You are in the lobby: create, join or watch a match first.",
                Some(_) if !self.link.is_up() => "There is no connection now; it is being brought back.",
                Some(current) if current.mine().is_empty() => "You only watch this match.",
                Some(current) if current.now.state == MatchState::Ended => "The match is over.",
                Some(_) => "It is not your turn.",
            };
            self.say(why)?;
        }
        Ok(built)
    }

    /// Continues the turn: shows it to the watchers, and here.
    async fn build(&mut self, built: PartialTurn) -> Result<(), SessionError> {
        let Some(current) = &self.current else { return Ok(()) };
        let (id, seq, steps) = (current.now.id, built.legal.seq, built.steps.clone());
        self.turn.building = Some((seq, built));
        // It does not matter if the watchers miss it.
        let shown = ApiRequest::post(&format!("/matches/{id}/building"), &Building { seq, steps });
        let _ = self.link.ask::<IgnoredAny>(shown).await;
        self.draw()
    }

    async fn send(&mut self, steps: Vec<Step>) -> Result<Attempt<()>, SessionError> {
        let Some((id, seq)) = self.turn_now() else { return Ok(Attempt::Refused) };
        self.turn.building = None;
        match self.ask_reliably(Op::command(id, None, PlayTurn { seq, steps })).await? {
            Attempt::Done(_) => Ok(Attempt::Done(())),
            Attempt::Refused => {
                self.begin_turn().await;
                Ok(Attempt::Refused)
            }
            Attempt::Later => Ok(Attempt::Later),
        }
    }
}

/// Words in lines of less than eighty columns.
fn wrapped(words: &[String]) -> String {
    let mut lines = vec![String::new()];
    for word in words {
        if lines.last().is_some_and(|line| line.len() + word.len() > 76) {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str("  ");
            line.push_str(word);
        }
    }
    lines.join("\n")
}
