//! Leaving: not before what was promised is sent, if that is possible.

use std::time::Duration;

use tokio::time::Instant;

use super::{
    Failure, Session,
    visit::{Ending, Purpose},
};
use crate::{
    command::{Command, read},
    input::Typed,
    output::Output,
    telling::clipped,
};

/// How long somebody who wants to leave stays for what is not sent yet: longer than the longest
/// pause between two attempts at a line.
const SENT_WITHIN: Duration = Duration::from_secs(30);

/// Whether that line leaves.
pub(super) fn quits(line: &str) -> bool {
    matches!(read(line), Ok(Command::Quit))
}

impl<O: Output> Session<O> {
    /// Leaves, at once if nothing is left to be sent or done.
    pub(super) fn want_to_leave(&mut self) -> Result<(), Failure> {
        if self.leave_by.is_some() {
            return Ok(());
        }
        if self.holds {
            self.wait_no_more()?;
        }
        self.owe_the_rest();
        if !self.is_busy() {
            self.leaving = true;
            return Ok(());
        }
        self.leave_by = Some(Instant::now() + SENT_WITHIN);
        let (done, seconds) = (if self.owes() { "sent" } else { "done" }, SENT_WITHIN.as_secs());
        self.say(&format!(
            "Something is not {done} yet: it is tried for {seconds} seconds more. quit leaves at once."
        ))
    }

    /// Something was typed by somebody who leaves.
    pub(super) fn typed_while_leaving(&mut self, typed: &Typed) -> Result<(), Failure> {
        match typed {
            Typed::Line(line) if quits(line) => self.leaving = true,
            Typed::Interrupted => self.leaving = true,
            Typed::Line(_) | Typed::TooLong => {
                return self.say("You are leaving as soon as everything is sent; quit leaves at once.");
            }
            Typed::Complete { .. } | Typed::End => {}
        }
        Ok(())
    }

    /// What was to wait for its time is not done: that time may never come.
    pub(super) fn wait_no_more(&mut self) -> Result<(), Failure> {
        self.holds = false;
        let lines = self.lines_set_aside();
        self.set_aside.clear();
        lines.map_or(Ok(()), |lines| self.say(&format!("Not done, because it was to wait: {lines}.")))
    }

    /// Whether something is still to be done before one can leave.
    pub(super) fn is_busy(&self) -> bool {
        let waits = self.purpose == Purpose::Waits || !self.set_aside.is_empty();
        waits || self.owes() || self.saves().next().is_some()
    }

    /// Says what was not done, after all.
    pub(super) fn tell_undone(&mut self) -> Result<(), Failure> {
        let mut told = Vec::new();
        if self.owes() {
            told.push("NOT SENT: what you did last did not reach the server.".to_owned());
        } else if self.given_up > 0 {
            told.push("NOT SENT: the server did not take all that was promised to be sent.".to_owned());
        }
        if let Some(lines) = self.lines_set_aside() {
            told.push(format!("NOT DONE: what you typed last, {lines}."));
        }
        told.extend(self.saves().map(|file| format!("NOT SAVED: {}", clipped(file, 200))));
        self.given_up += u32::from(!told.is_empty());
        told.extend(
            self.checks()
                .map(|id| format!("NOT CHECKED: you leave before the record of match {id} is here.")),
        );
        if told.is_empty() { Ok(()) } else { self.say(&told.join("\n")) }
    }

    /// How many lines are set aside, in words.
    fn lines_set_aside(&self) -> Option<String> {
        let is_line = |typed: &&Typed| matches!(typed, Typed::Line(_) | Typed::TooLong);
        match self.set_aside.iter().filter(is_line).count() {
            0 => None,
            1 => Some("1 line".to_owned()),
            lines => Some(format!("{lines} lines")),
        }
    }

    /// How the visit ends, if it ends now.
    pub(super) fn ending(&self) -> Ending {
        match (self.not_sound.is_empty(), self.unchecked.is_empty()) {
            (false, _) => Ending::NotSound,
            (true, _) if self.purpose != Purpose::Free => Ending::Refused,
            (true, _) if self.owes() || self.given_up > 0 => Ending::NotSent,
            (true, false) => Ending::NotChecked,
            (true, true) => Ending::Good,
        }
    }
}
