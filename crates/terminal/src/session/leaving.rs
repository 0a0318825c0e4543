//! Leaving: sends waiting requests first, if possible.

use std::time::Duration;

use tokio::time::Instant;

use super::{
    Session, SessionError,
    start::{Ending, GoalState, InputSource},
};
use crate::{
    command::{Command, read},
    event_text::clipped,
    input::Typed,
    output::Output,
};

/// How long a leaving session tries to send its requests: longer than the longest pause between two attempts
/// to connect.
const SENT_WITHIN: Duration = Duration::from_secs(30);

/// The source of input, the progress towards the goal, and whether the session ends.
pub(super) struct SessionState {
    pub(super) source: InputSource,
    /// The progress towards a script's goal.
    pub(super) goal_state: GoalState,
    /// Set when the user wants to leave; until then the session tries to send waiting requests.
    pub(super) leave_by: Option<Instant>,
    /// Whether the session ends now.
    pub(super) leaving: bool,
}

impl SessionState {
    /// The state of a new session.
    pub(super) const fn new(source: InputSource) -> Self {
        Self { source, goal_state: GoalState::Done, leave_by: None, leaving: false }
    }
}

/// Whether that line is the command to leave.
pub(super) fn quits(line: &str) -> bool {
    matches!(read(line), Ok(Command::Quit))
}

impl<O: Output> Session<O> {
    /// Leaves, at once if nothing waits to be sent or done.
    pub(super) fn want_to_leave(&mut self) -> Result<(), SessionError> {
        if self.state.leave_by.is_some() {
            return Ok(());
        }
        if self.ahead.holds {
            self.wait_no_more()?;
        }
        self.outbox.finish_turns();
        if !self.is_busy() {
            self.state.leaving = true;
            return Ok(());
        }
        self.state.leave_by = Some(Instant::now() + SENT_WITHIN);
        let (done, seconds) =
            (if self.outbox.has_promises() { "sent" } else { "done" }, SENT_WITHIN.as_secs());
        self.say(&format!(
            "Something is not {done} yet: it is tried for {seconds} seconds more. quit leaves at once."
        ))
    }

    /// Handles input while the session leaves.
    pub(super) fn typed_while_leaving(&mut self, typed: &Typed) -> Result<(), SessionError> {
        match typed {
            Typed::Line(line) if quits(line) => self.state.leaving = true,
            Typed::Interrupted => self.state.leaving = true,
            Typed::Line(_) | Typed::TooLong => {
                return self.say("You are leaving as soon as everything is sent; quit leaves at once.");
            }
            Typed::Complete { .. } | Typed::End => {}
        }
        Ok(())
    }

    /// Drops waiting lines, because the condition that they wait for may never occur.
    pub(super) fn wait_no_more(&mut self) -> Result<(), SessionError> {
        self.ahead.holds = false;
        let lines = self.ahead.count();
        self.ahead.lines.clear();
        lines.map_or(Ok(()), |lines| self.say(&format!("Not done, because it was to wait: {lines}.")))
    }

    /// Whether something must still be done before the session can end.
    pub(super) fn is_busy(&self) -> bool {
        let waits = self.state.goal_state == GoalState::Pending || !self.ahead.lines.is_empty();
        waits || self.outbox.has_promises() || self.records.saves().next().is_some()
    }

    /// Prints what was not done.
    pub(super) fn tell_undone(&mut self) -> Result<(), SessionError> {
        let mut told = Vec::new();
        if self.outbox.has_promises() {
            told.push("NOT SENT: what you did last did not reach the server.".to_owned());
        } else if self.outbox.given_up > 0 {
            told.push("NOT SENT: the server did not take all that was promised to be sent.".to_owned());
        }
        if let Some(lines) = self.ahead.count() {
            told.push(format!("NOT DONE: what you typed last, {lines}."));
        }
        told.extend(self.records.saves().map(|file| format!("NOT SAVED: {}", clipped(file, 200))));
        self.outbox.given_up += u32::from(!told.is_empty());
        told.extend(
            self.records
                .checks()
                .map(|id| format!("NOT CHECKED: you leave before the record of match {id} is here.")),
        );
        if told.is_empty() { Ok(()) } else { self.say(&told.join("\n")) }
    }

    /// How the session ends, if it ends now.
    pub(super) fn ending(&self) -> Ending {
        match (self.records.not_sound.is_empty(), self.records.unchecked.is_empty()) {
            (false, _) => Ending::NotSound,
            (true, _) if self.state.goal_state != GoalState::Done => Ending::Refused,
            (true, _) if self.outbox.has_promises() || self.outbox.given_up > 0 => Ending::NotSent,
            (true, false) => Ending::NotChecked,
            (true, true) => Ending::Good,
        }
    }
}
