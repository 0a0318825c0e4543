//! Writes a record as text.

use lusoria_protocol::{Die, Event, EventKind, Record, word};

use super::{
    event::{event, follows},
    moment::seconds,
    tags::{line, tags},
};

/// Writes the record as text, without the computer's analysis. Judges nothing: the text of an invalid record
/// cannot be read back.
pub fn write(record: &Record) -> String {
    let mut text = String::new();
    for (name, value) in tags(record) {
        text.push_str(&line(&name, &value));
        text.push('\n');
    }
    text.push('\n');
    for line in lines(record) {
        // An empty line before each game.
        if is_heading(&line) {
            text.push('\n');
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn is_heading(line: &str) -> bool {
    line.starts_with("game ") && line.contains(" plays ")
}

/// The last line, with the number of events, so that a missing line is noticed.
pub(super) fn closing(events: usize, over: bool) -> String {
    format!("{events} events, {}", if over { "over" } else { "being played" })
}

/// The lines below the tags, without empty ones.
pub(super) fn lines(record: &Record) -> Vec<String> {
    let mut writer = Writer::default();
    for event in &record.events {
        writer.write(event);
    }
    writer.lines.push(closing(record.events.len(), record.result.is_some()));
    writer.lines
}

#[derive(Default)]
struct Writer<'a> {
    lines: Vec<String>,
    before: Option<&'a Event>,
    /// The dice of the turn.
    thrown: Vec<Die>,
    /// The turns of the game so far, passes included.
    turns: usize,
}

impl<'a> Writer<'a> {
    fn write(&mut self, next: &'a Event) {
        let before = self.before.map(|event| &event.kind);
        let (mut number, mut joins) = (None, false);
        match &next.kind {
            EventKind::Created { .. } => {
                self.before = Some(next);
                return;
            }
            EventKind::GameStarted { .. } => (self.turns, self.thrown) = (0, Vec::new()),
            EventKind::OpeningThrown { white, black, .. } => self.thrown = vec![*white, *black],
            EventKind::Thrown { dice, .. } => {
                self.thrown.clone_from(dice);
                number = Some(self.turns + 1);
            }
            EventKind::TakenBack { turn, dice, .. } => {
                (self.turns, self.thrown) = (turn.saturating_sub(1) as usize, dice.clone());
            }
            EventKind::Turned { side, .. } | EventKind::Passed { side, .. } => {
                self.turns += 1;
                number = Some(self.turns);
                joins = matches!(before, Some(EventKind::Thrown { side: thrower, .. }) if thrower == side);
            }
            _ => {}
        }
        let mut said = event(&next.kind, &self.thrown);
        if !follows(&next.kind, before) {
            let at = self.before.map_or(next.at, |before| before.at);
            said.push_str(" +");
            said.push_str(&seconds(next.at.saturating_sub(at)));
        }
        match (number, self.lines.last_mut()) {
            // A throw and the turn played with it are one line.
            (Some(_), Some(line)) if joins => {
                let side = match &next.kind {
                    EventKind::Turned { side, .. } | EventKind::Passed { side, .. } => word(side),
                    _ => String::new(),
                };
                line.push_str(said.strip_prefix(&side).unwrap_or(&said));
            }
            (Some(number), _) => self.lines.push(format!("{number}. {said}")),
            (None, _) => self.lines.push(said),
        }
        self.before = Some(next);
    }
}
