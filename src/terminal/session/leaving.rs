//! Leaving: not before what was promised is sent, if that is possible.

use std::time::Duration;

use tokio::time::Instant;

use super::{Failure, Session};
use crate::terminal::{
    command::{Command, read},
    input::Typed,
    output::Output,
};

/// How long somebody who wants to leave stays for what is not sent yet: longer than the longest
/// pause between two attempts at a line.
const SENT_WITHIN: Duration = Duration::from_secs(30);

/// Whether that line leaves.
pub(super) fn quits(line: &str) -> bool {
    matches!(read(line), Ok(Command::Quit))
}

impl<O: Output> Session<O> {
    /// Leaves, at once if nothing is left to be sent.
    pub(super) fn want_to_leave(&mut self) -> Result<(), Failure> {
        if !self.owes() {
            self.leaving = true;
            return Ok(());
        }
        self.leave_by = Some(Instant::now() + SENT_WITHIN);
        let seconds = SENT_WITHIN.as_secs();
        self.say(&format!(
            "Something is not sent yet: it is tried for {seconds} seconds more. quit leaves at once."
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

    /// Says what was not sent, after all.
    pub(super) fn tell_unsent(&mut self) -> Result<(), Failure> {
        if self.owes() { self.say("NOT SENT: what you did last did not reach the server.") } else { Ok(()) }
    }
}
