//! Leaving: not before what was promised is sent, if that is possible.

use std::time::Duration;

use tokio::time::Instant;

use super::{
    Failure, Session,
    visit::{Ending, Purpose, Typist},
};
use crate::{
    command::{Command, read},
    input::Typed,
    output::Output,
    telling::clipped,
};

/// How long somebody who wants to leave stays for what is not sent yet: longer than the longest
/// pause between two attempts to connect.
const SENT_WITHIN: Duration = Duration::from_secs(30);

/// Who types, what for, and whether they leave.
pub(super) struct Stay {
    pub(super) typist: Typist,
    /// Whether a script's errand is done.
    pub(super) purpose: Purpose,
    /// Set by the wish to leave: what waits is sent until then.
    pub(super) leave_by: Option<Instant>,
    /// Whether the visit is over.
    pub(super) leaving: bool,
}

impl Stay {
    /// A visit that begins.
    pub(super) const fn new(typist: Typist) -> Self {
        Self { typist, purpose: Purpose::Free, leave_by: None, leaving: false }
    }
}

/// Whether that line leaves.
pub(super) fn quits(line: &str) -> bool {
    matches!(read(line), Ok(Command::Quit))
}

impl<O: Output> Session<O> {
    /// Leaves, at once if nothing is left to be sent or done.
    pub(super) fn want_to_leave(&mut self) -> Result<(), Failure> {
        if self.stay.leave_by.is_some() {
            return Ok(());
        }
        if self.ahead.holds {
            self.wait_no_more()?;
        }
        self.outbox.finish_turns();
        if !self.is_busy() {
            self.stay.leaving = true;
            return Ok(());
        }
        self.stay.leave_by = Some(Instant::now() + SENT_WITHIN);
        let (done, seconds) =
            (if self.outbox.has_promises() { "sent" } else { "done" }, SENT_WITHIN.as_secs());
        self.say(&format!(
            "Something is not {done} yet: it is tried for {seconds} seconds more. quit leaves at once."
        ))
    }

    /// A player who leaves typed something.
    pub(super) fn typed_while_leaving(&mut self, typed: &Typed) -> Result<(), Failure> {
        match typed {
            Typed::Line(line) if quits(line) => self.stay.leaving = true,
            Typed::Interrupted => self.stay.leaving = true,
            Typed::Line(_) | Typed::TooLong => {
                return self.say("You are leaving as soon as everything is sent; quit leaves at once.");
            }
            Typed::Complete { .. } | Typed::End => {}
        }
        Ok(())
    }

    /// What was to wait for its time is not done: that time may never come.
    pub(super) fn wait_no_more(&mut self) -> Result<(), Failure> {
        self.ahead.holds = false;
        let lines = self.ahead.count();
        self.ahead.lines.clear();
        lines.map_or(Ok(()), |lines| self.say(&format!("Not done, because it was to wait: {lines}.")))
    }

    /// Whether something is still to be done before one can leave.
    pub(super) fn is_busy(&self) -> bool {
        let waits = self.stay.purpose == Purpose::Waits || !self.ahead.lines.is_empty();
        waits || self.outbox.has_promises() || self.records.saves().next().is_some()
    }

    /// Says what was not done, after all.
    pub(super) fn tell_undone(&mut self) -> Result<(), Failure> {
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

    /// How the visit ends, if it ends now.
    pub(super) fn ending(&self) -> Ending {
        match (self.records.not_sound.is_empty(), self.records.unchecked.is_empty()) {
            (false, _) => Ending::NotSound,
            (true, _) if self.stay.purpose != Purpose::Free => Ending::Refused,
            (true, _) if self.outbox.has_promises() || self.outbox.given_up > 0 => Ending::NotSent,
            (true, false) => Ending::NotChecked,
            (true, true) => Ending::Good,
        }
    }
}
