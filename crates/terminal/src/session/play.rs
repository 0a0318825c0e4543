//! A turn that is built and sent.

use std::time::Duration;

use lusoria_protocol::{
    Building, ForMatch, Legal, LegalQuestion, MatchId, MatchState, PlayTurn, Position, Problem, Snapshot,
    Step, ToPlay,
    socket::{OfMatch, Op},
};
use serde::de::IgnoredAny;
use tokio::time::Instant;

use super::{
    Failure, Session,
    owed::{Asked, Owed},
};
use crate::{
    clean,
    moves::{self, Built, Rules, Unplayed},
    output::Output,
    plate::plate,
    telling::{clipped, shown, who},
};
use lusoria_client::{AskError, Link, passes};

/// What happens within this time is drawn at once.
const TOGETHER: Duration = Duration::from_millis(30);

/// Answers an attempt to go on with a turn that was sent.
const SENT_ALREADY: &str = "Your turn waits to be sent already.";

/// How many ways to go on are told.
const TOLD_MAX: usize = 120;

/// One's own turn, as far as it is built.
#[derive(Default)]
pub(super) struct TurnState {
    /// The turn that is being built, with the number of the event that gave it.
    pub(super) building: Option<(u32, Built)>,
    /// The event whose turn has been played and acknowledged.
    pub(super) answered: Option<u32>,
}

/// The rules, as the server answers for a match.
pub(super) struct Server<'a> {
    pub(super) link: &'a mut Link,
    pub(super) id: MatchId,
}

impl Rules for Server<'_> {
    async fn legal(&mut self, steps: Vec<Step>) -> Result<Legal, AskError> {
        self.link
            .ask(Op::Legal(ForMatch { id: self.id, request: LegalQuestion { steps } }))
            .await
            .map(clean::legal)
    }
}

impl<O: Output> Session<O> {
    /// One's own turn, if it is still to be played.
    pub(super) fn my_turn(&self) -> Option<&ToPlay> {
        self.table.as_ref()?.my_turn().filter(|to_play| self.turn.answered != Some(to_play.seq))
    }

    /// One's own turn, by its match and the number of the event that gave it.
    pub(super) fn turn_now(&self) -> Option<(MatchId, u32)> {
        Some((self.table.as_ref()?.now.id, self.my_turn()?.seq))
    }

    /// Whether a script that waits may go on.
    pub(super) fn has_something_to_do(&self) -> bool {
        if self.next_expected
            || self.draw_at.is_some()
            || !self.outbox.waiting.is_empty()
            || !self.link.is_up()
        {
            return false;
        }
        let Some(table) = &self.table else { return true };
        let theirs =
            |by: Option<_>| by.is_some_and(|by| !table.mine().is_empty() && !table.mine().contains(&by));
        let offered = theirs(table.now.draw_offered_by);
        table.now.state == MatchState::Ended || offered || self.building_now().is_some()
    }

    /// The turn being built, if it is still one's own.
    pub(super) fn building_now(&self) -> Option<&Built> {
        let seq = self.my_turn()?.seq;
        self.turn.building.as_ref().filter(|(of, _)| *of == seq).map(|(_, built)| built)
    }

    /// Draws the board soon, with what else comes at the same time.
    pub(super) fn draw_soon(&mut self) {
        self.draw_at = Some(Instant::now() + TOGETHER);
    }

    /// Asks how the match stands, and what can be played, and draws it.
    pub(super) async fn look_again(&mut self) -> Result<(), Failure> {
        let Some(table) = &mut self.table else { return self.say("There is no board in the hall.") };
        let id = table.now.id;
        // Where there is no answer, what is known is drawn.
        if let Ok(snapshot) = self.link.ask::<Snapshot>(Op::Snapshot(OfMatch { id })).await {
            self.ahead_ms = super::ahead_of(snapshot.server_time);
            self.records.seen.entry(id).or_default().shown(&snapshot);
            table.now.refresh(snapshot);
        }
        if self.building_now().is_none() {
            self.begin_turn().await;
        }
        self.draw()
    }

    /// Asks what can be played at the beginning of one's turn; why the server cannot say it, if it
    /// may later.
    async fn begin_turn(&mut self) -> Option<Box<Problem>> {
        self.turn.building = None;
        let (id, seq) = self.turn_now()?;
        match (Server { link: &mut self.link, id }).legal(Vec::new()).await {
            Ok(legal) if legal.seq == seq => {
                self.turn.building = Some((seq, Built { steps: Vec::new(), legal }));
                None
            }
            Err(AskError::Problem(problem)) if passes(&problem) => Some(problem),
            // Of a later turn, its own event tells.
            Ok(_) | Err(_) => None,
        }
    }

    /// Draws the board with the steps of the turn being built, and says whose turn it is.
    pub(super) fn draw(&mut self) -> Result<(), Failure> {
        let Some(table) = &self.table else { return Ok(()) };
        let built = self.building_now();
        let position: Option<&Position> =
            built.map(|built| &built.legal.position).or(table.now.position.as_ref());
        let mut lines = Vec::new();
        if let Some(position) = position {
            lines.extend(plate(table, position, self.server_now(), self.look));
        }
        lines.extend(self.status());
        self.say(&lines.join("\n"))
    }

    /// What there is to do, in a line.
    fn status(&self) -> Option<String> {
        let table = self.table.as_ref()?;
        match table.now.state {
            MatchState::Open => return Some("Nobody has joined yet.".to_owned()),
            MatchState::AwaitingSeeds => return Some("The dice wait for a seed.".to_owned()),
            MatchState::Ended => {
                return Some("The match is over: rematch, record FILE, leave, quit.".to_owned());
            }
            MatchState::Playing => {}
        }
        let Some(to_play) = self.my_turn() else {
            let to_play = table.now.to_play.as_ref()?;
            if self.turn.answered == Some(to_play.seq) {
                return Some("Your turn is played.".to_owned());
            }
            return Some(format!("Waiting for {}.", who(table, to_play.seat, to_play.side)));
        };
        let built = self.building_now();
        let side = clipped(table.side_name(to_play.side), 12);
        let thrown =
            if to_play.dice.is_empty() { String::new() } else { format!(": {}", shown(&to_play.dice)) };
        let mut line = if table.both_mine() {
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

    /// Plays what was typed: sends it if it is a whole turn.
    pub(super) async fn play(&mut self, line: &str) -> Result<Asked<()>, Failure> {
        let legs = match moves::legs(line) {
            Ok(legs) => legs,
            Err(why) => return self.refuse(&why.to_string()),
        };
        if self.owes_the_turn() {
            return self.refuse(SENT_ALREADY);
        }
        if let Some((id, seq)) = self.turn_now() {
            if !self.must_wait()
                && self.building_now().is_none()
                && let Some(problem) = self.begin_turn().await
            {
                return self.try_later(&problem, Owed::Steps(id, seq, line.to_owned()));
            }
            if self.must_wait() {
                return self.owe_steps(line);
            }
        }
        let Some(built) = self.built().await? else { return Ok(Asked::Refused) };
        let Some((id, seq)) = self.turn_now() else { return Ok(Asked::Refused) };
        let whole = built.steps.is_empty();
        match moves::play(&mut Server { link: &mut self.link, id }, &built, &legs).await {
            Ok(built) if built.legal.complete && whole => self.send(built.steps).await,
            Ok(built) => self.build(built).await.map(Asked::Done),
            Err(Unplayed::Ask(AskError::Lost(_))) if !self.link.is_up() => self.owe_steps(line),
            Err(Unplayed::Ask(AskError::Problem(problem))) if passes(&problem) => {
                self.try_later(&problem, Owed::Steps(id, seq, line.to_owned()))
            }
            Err(Unplayed::Ask(error)) => {
                self.tell_error(&error)?;
                Ok(Asked::Refused)
            }
            Err(why) => self.refuse(&format!("No: {}", clipped(&why.to_string(), super::WORDS_MAX))),
        }
    }

    /// Sends a complete turn; plays one that can go only one way.
    pub(super) async fn go_on(&mut self) -> Result<Asked<()>, Failure> {
        let Some((id, seq)) = self.turn_now() else { return Ok(Asked::Refused) };
        if self.owes_the_turn() {
            return self.refuse(SENT_ALREADY);
        }
        if self.outbox.has_steps() {
            return self.owe_going_on();
        }
        if self.building_now().is_none() {
            if !self.must_wait()
                && let Some(problem) = self.begin_turn().await
            {
                return self.try_later(&problem, Owed::Go(id, seq));
            }
            if self.must_wait() {
                return self.owe_going_on();
            }
        }
        let Some(built) = self.building_now() else { return Ok(Asked::Refused) };
        if built.legal.complete {
            return self.send(built.steps.clone()).await;
        }
        if let Some(forced) = &built.legal.forced {
            let steps = built.steps.iter().chain(forced).cloned().collect();
            return self.send(steps).await;
        }
        self.tell_legal()?;
        Ok(Asked::Refused)
    }

    fn refuse(&mut self, why: &str) -> Result<Asked<()>, Failure> {
        self.say(why)?;
        Ok(Asked::Refused)
    }

    pub(super) async fn take_back(&mut self, count: usize) -> Result<(), Failure> {
        if self.outbox.take_back(count) {
            return self.say("What you typed last is not played.");
        }
        let Some(built) = self.built().await? else { return Ok(()) };
        if built.steps.is_empty() {
            return self.say("There is nothing to take back: a turn that was sent is played.");
        }
        let Some(table) = &self.table else { return Ok(()) };
        let id = table.now.id;
        let mut steps = built.steps;
        steps.truncate(steps.len().saturating_sub(count));
        match (Server { link: &mut self.link, id }).legal(steps.clone()).await {
            Ok(legal) => self.build(Built { steps, legal }).await,
            Err(error) => self.tell_error(&error),
        }
    }

    pub(super) fn tell_legal(&mut self) -> Result<(), Failure> {
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

    pub(super) fn turn_board(&mut self) -> Result<(), Failure> {
        match &mut self.table {
            Some(table) => {
                table.turned = !table.turned;
                self.draw()
            }
            None => self.say("There is no board in the hall."),
        }
    }

    /// The turn as far as it is built; says so if there is none.
    async fn built(&mut self) -> Result<Option<Built>, Failure> {
        if self.building_now().is_none() {
            self.begin_turn().await;
        }
        let built = self.building_now().cloned();
        if built.is_none() {
            let why = match &self.table {
                None => "You are in the hall: create, join or watch a match first.",
                Some(_) if !self.link.is_up() => "There is no connection now; it is being brought back.",
                Some(table) if table.mine().is_empty() => "You only watch this match.",
                Some(table) if table.now.state == MatchState::Ended => "The match is over.",
                Some(_) => "It is not your turn.",
            };
            self.say(why)?;
        }
        Ok(built)
    }

    /// Goes on with the turn: shows it to those who watch, and here.
    async fn build(&mut self, built: Built) -> Result<(), Failure> {
        let Some(table) = &self.table else { return Ok(()) };
        let (id, seq, steps) = (table.now.id, built.legal.seq, built.steps.clone());
        self.turn.building = Some((seq, built));
        // Nothing depends on that others see it.
        let shown = Op::Building(ForMatch { id, request: Building { seq, steps } });
        let _ = self.link.ask::<IgnoredAny>(shown).await;
        self.draw()
    }

    async fn send(&mut self, steps: Vec<Step>) -> Result<Asked<()>, Failure> {
        let Some((id, seq)) = self.turn_now() else { return Ok(Asked::Refused) };
        self.turn.building = None;
        match self.ask_surely(Op::command(id, None, PlayTurn { seq, steps })).await? {
            Asked::Done(_) => Ok(Asked::Done(())),
            Asked::Refused => {
                self.begin_turn().await;
                Ok(Asked::Refused)
            }
            Asked::Later => Ok(Asked::Later),
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
