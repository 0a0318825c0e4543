//! A session at a server: handles the user's input and the server's messages, in order.

mod dice;
mod fetching;
mod hints;
mod leaving;
mod lobby;
mod match_requests;
mod news;
mod opponents;
mod outbox;
mod play;
mod seen;
mod start;
mod tournament_text;
mod tournaments;
mod typed_ahead;
mod verdict;

use std::{
    future::pending,
    io,
    time::{SystemTime, UNIX_EPOCH},
};

use lusoria_protocol::{
    CatalogueEntry, Game, GuestId, IdempotencyKey, Problem,
    socket::{ApiRequest, Op},
};
use rand::{TryRng, rngs::SysRng};
use serde::de::DeserializeOwned;
use tokio::time::{Instant, sleep_until};

pub(super) use self::start::DEVICE;
pub use self::start::{Ending, Goal, SessionError, SessionOptions, run_session};
use self::{
    fetching::Records,
    leaving::{SessionState, quits},
    lobby::Lobby,
    match_requests::Question,
    opponents::Opponents,
    outbox::{Attempt, Outbox},
    play::TurnState,
    start::GoalState,
    tournaments::Tournaments,
    typed_ahead::TypedAhead,
};
use super::{
    board::Style,
    command::Command,
    current_match::CurrentMatch,
    event_text::clipped,
    input::{Input, Typed},
    output::Output,
    profile::Profile,
    sanitize,
};
use lusoria_client::{ConnectionError, Link, RequestError};

/// The longest text from the server that is printed, in characters.
pub(super) const WORDS_MAX: usize = 400;

const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];

/// The detail of a problem, shortened.
fn words(problem: &Problem) -> String {
    clipped(&problem.detail, WORDS_MAX)
}

/// A running session.
struct Session<O> {
    link: Link,
    profile: Profile,
    me: GuestId,
    style: Style,
    output: O,
    /// How far the server's clock is ahead of this machine's, in milliseconds.
    ahead_ms: i64,
    lobby: Lobby,
    opponents: Opponents,
    tournaments: Tournaments,
    current: Option<CurrentMatch>,
    turn: TurnState,
    outbox: Outbox,
    records: Records,
    ahead: TypedAhead,
    state: SessionState,
    /// The question that waits for a yes.
    to_confirm: Option<Question>,
    /// When to draw the board: shortly after an event, because several come together.
    draw_at: Option<Instant>,
    /// Whether a rematch should follow this match at once.
    next_expected: bool,
}

impl<O: Output> Session<O> {
    async fn run(&mut self, mut input: Input) -> Result<(), SessionError> {
        let mut is_at_its_end = false;
        input.ready(&self.prompt());
        while !self.state.leaving {
            if self.ahead.holds && self.has_something_to_do() {
                self.ahead.holds = false;
            }
            if self.state.goal_state == GoalState::Failed
                || (self.state.leave_by.is_some() && !self.is_busy())
            {
                return Ok(());
            }
            self.fetch_next();
            input.offer(self.offers());
            if !self.waits()
                && let Some(typed) = self.ahead.lines.pop_front()
            {
                self.take(typed).await?;
                continue;
            }
            let draw_at = self.draw_at.unwrap_or_else(Instant::now);
            let reads = !is_at_its_end && (self.ahead.lines.is_empty() || self.state.source.is_person());
            let send_at = self.outbox.retry_at.unwrap_or_else(Instant::now);
            let read_at = self.tournaments.read_at.unwrap_or_else(Instant::now);
            let leave_by = self.state.leave_by.unwrap_or_else(Instant::now);
            let fetching = &mut self.records.fetching;
            tokio::select! {
                biased;
                news = self.link.receive() => match news {
                    Ok(news) => self.heard(news).await?,
                    Err(problem) if problem.status == 401 => {
                        return Err(SessionError::UnknownGuest(self.profile.guest_file().display().to_string()));
                    }
                    Err(problem) => return Err(SessionError::Refused(words(&problem))),
                },
                () = sleep_until(draw_at), if self.draw_at.is_some() => {
                    self.draw_at = None;
                    self.look_again().await?;
                }
                fetched = async {
                    match fetching {
                        Some((_, record)) => record.await,
                        None => pending().await,
                    }
                } => self.fetched(fetched)?,
                () = sleep_until(send_at), if self.outbox.retry_at.is_some() && self.link.is_up() => {
                    self.send_pending().await?;
                }
                () = sleep_until(read_at), if self.tournaments.read_at.is_some() && self.link.is_up() => {
                    self.read_followed().await?;
                }
                () = sleep_until(leave_by), if self.state.leave_by.is_some() => self.state.leaving = true,
                typed = input.next(), if reads => {
                    is_at_its_end = matches!(typed, None | Some(Typed::End));
                    let is_complete = matches!(typed, Some(Typed::Complete { .. }));
                    self.come(typed).await?;
                    if !is_complete && !self.state.leaving {
                        input.ready(&self.prompt());
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether typed lines must wait: a script waits for its turn, its goal or a record, or the board must be
    /// drawn first.
    fn waits(&self) -> bool {
        let fetches = self.records.fetching.is_some() && !self.state.source.is_person();
        self.ahead.holds || self.draw_at.is_some() || fetches || self.state.goal_state == GoalState::Pending
    }

    /// Handles input, or defers it while the session waits for something. A user who leaves waits for
    /// nothing.
    async fn come(&mut self, typed: Option<Typed>) -> Result<(), SessionError> {
        match typed {
            Some(Typed::Complete { line, answer }) => {
                // The user may have typed on.
                let _ = answer.try_send(self.complete(&line).await);
                Ok(())
            }
            Some(typed) if self.state.leave_by.is_some() => self.typed_while_leaving(&typed),
            // A script without further input does not wait for its goal longer than a user who leaves.
            None if self.state.goal_state == GoalState::Pending => self.take(Typed::End).await,
            // The end of a pipe ends its last line.
            None => {
                self.ahead.lines.push_back(Typed::End);
                Ok(())
            }
            Some(typed) if !self.waits() && self.ahead.lines.is_empty() => self.take(typed).await,
            Some(Typed::End) => self.take(Typed::End).await,
            Some(Typed::Interrupted) if self.ahead.holds || !self.ahead.lines.is_empty() => {
                self.ahead.holds = false;
                self.ahead.lines.clear();
                self.say("(nothing is waited for any more)")
            }
            Some(Typed::Interrupted) => self.take(Typed::Interrupted).await,
            Some(Typed::Line(line)) if self.state.source.is_person() && quits(&line) => {
                self.take(Typed::Line(line)).await
            }
            Some(_) if self.ahead.is_full() => self.say("Too much is typed ahead already."),
            Some(typed) => {
                self.ahead.lines.push_back(typed);
                Ok(())
            }
        }
    }

    /// Carries out an input.
    async fn take(&mut self, typed: Typed) -> Result<(), SessionError> {
        match typed {
            Typed::Line(line) => match super::command::read(&line) {
                Ok(command) => self.obey(command).await,
                Err(unknown) => self.say(&unknown.to_string()),
            },
            Typed::TooLong => self.say("That line is too long."),
            Typed::Interrupted => self.say("(quit or Ctrl-D leaves)"),
            Typed::Complete { .. } => Ok(()),
            Typed::End => self.want_to_leave(),
        }
    }

    async fn obey(&mut self, command: Command) -> Result<(), SessionError> {
        let to_confirm = self.to_confirm.take();
        match command {
            Command::Yes => match to_confirm {
                Some(question) => self.do_confirmed(question).await,
                None => self.say("Yes to what?"),
            },
            Command::Quit => self.want_to_leave(),
            Command::Help => self.help(),
            Command::Me => self.who_am_i().await,
            Command::Name(name) => self.rename(&name).await,
            Command::Wait if self.state.leave_by.is_some() => self.wait_no_more(),
            Command::Wait => {
                self.ahead.holds = true;
                Ok(())
            }
            Command::Create(words) => self.create_typed(&words).await,
            Command::Seek(words) => self.seek_typed(&words).await,
            Command::Challenge(words) => self.challenge_typed(&words).await,
            Command::Challenges => self.list_opponents().await,
            Command::AcceptChallenge(what) => self.accept_typed(&what).await,
            Command::DeclineChallenge(what) => self.decline_typed(&what).await,
            Command::Accept if self.current.is_none() => self.accept_typed("").await,
            Command::Decline if self.current.is_none() => self.decline_typed("").await,
            Command::Tournament(command) => self.obey_at_tournament(command).await,
            Command::Withdraw(what) => self.withdraw_typed(&what).await,
            Command::List | Command::Live | Command::Mine => self.list(&command).await,
            Command::Join(what) => self.join_typed(&what).await,
            Command::Watch(what) => self.watch_typed(&what).await,
            Command::Leave => self.leave().await,
            Command::Steps(line) => self.play(&line).await.map(drop),
            Command::Go => self.go_on().await.map(drop),
            Command::Undo => self.take_back(1).await,
            Command::Reset => self.take_back(usize::MAX).await,
            Command::Legal => self.tell_legal(),
            Command::Hint => self.hint().await,
            Command::TakeBack => self.take_turn_back().await,
            Command::Board => self.look_again().await,
            Command::Turn => self.turn_board(),
            Command::Dice => self.tell_dice(),
            Command::Record(file) => self.save_record(&file),
            Command::Resign { .. } | Command::Abort => self.ask_to_confirm(command),
            Command::Draw
            | Command::Accept
            | Command::Decline
            | Command::Claim
            | Command::Rematch
            | Command::Invite => self.offer(command).await,
        }
    }

    /// The prompt.
    fn prompt(&self) -> String {
        match &self.current {
            None => "lusoria> ".to_owned(),
            Some(current) if self.my_turn().is_some() => {
                let side = self.my_turn().map_or("", |to_play| current.side_name(to_play.side));
                format!("{}> ", clipped(side, 12).to_lowercase())
            }
            Some(_) => "> ".to_owned(),
        }
    }

    /// Prints lines.
    fn say(&mut self, lines: &str) -> Result<(), SessionError> {
        Ok(self.output.print(&format!("{lines}\n"))?)
    }

    /// Sends a request. Prints a problem and returns none.
    async fn ask<T: DeserializeOwned>(&mut self, op: impl Into<Op>) -> Result<Option<T>, SessionError> {
        match self.link.ask(op).await {
            Ok(answer) => Ok(Some(answer)),
            Err(error) => {
                self.tell_error(&error)?;
                Ok(None)
            }
        }
    }

    /// Prints why a request is not carried out and not repeated either.
    fn fail<T>(&mut self, error: &RequestError) -> Result<Attempt<T>, SessionError> {
        self.tell_error(error)?;
        Ok(Attempt::Refused)
    }

    fn tell_error(&mut self, error: &RequestError) -> Result<(), SessionError> {
        match error {
            RequestError::Problem(problem) => {
                let words = words(problem);
                self.say(&format!("No: {words}"))
            }
            RequestError::Unreadable(what) => {
                let what = clipped(what, WORDS_MAX);
                self.say(&format!("The server's answer cannot be read: {what}"))
            }
            RequestError::Lost(ConnectionError::Away) => {
                self.say("There is no connection now; it is being brought back.")
            }
            RequestError::Lost(why) => {
                let why = clipped(&why.to_string(), WORDS_MAX);
                self.say(&format!("No answer: {why}"))
            }
        }
    }

    /// The catalogue's entry of a game.
    async fn entry(&mut self, game: Game) -> Result<CatalogueEntry, RequestError> {
        if let Some(entry) = self.lobby.entries.get(&game) {
            return Ok(entry.clone());
        }
        let entry = sanitize::entry(self.link.ask(ApiRequest::get(&format!("/games/{game}"))).await?);
        self.lobby.entries.insert(game, entry.clone());
        Ok(entry)
    }

    /// The server's time, in milliseconds since the epoch.
    fn server_now(&self) -> u64 {
        now_ms().saturating_add_signed(self.ahead_ms)
    }
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// How far the server's clock is ahead of this machine's, in milliseconds.
fn ahead_of(server_time: u64) -> i64 {
    server_time.checked_signed_diff(now_ms()).unwrap_or(0)
}

/// Random text for keys and seeds: 128 bits.
fn random_text() -> Result<String, SessionError> {
    let mut bytes = [0; 16];
    SysRng.try_fill_bytes(&mut bytes).map_err(|why| SessionError::Output(io::Error::other(why)))?;
    Ok(hexadecimal(&bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|half| DIGITS[usize::from(half)]).collect()
}

fn fresh_key() -> Result<IdempotencyKey, SessionError> {
    Ok(random_text()?.parse().expect("hexadecimal digits are a key"))
}
