//! A text parsed line by line, before the match is replayed and judged.

use lusoria_protocol::{Die, Hash, Record, Seat};

use super::{
    EVENTS_MAX, LINE_BYTES_MAX, LineError,
    lines::{Content, Line, read_line},
    quoted::is_unseen,
    tags::{TagContents, Tags},
};

/// A parsed text, before its match is replayed.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedText {
    pub(super) head: TagContents,
    pub(super) tags: Tags,
    /// The events after the first.
    pub(super) said: Vec<ParsedEvent>,
    pub(super) throws: Vec<ParsedThrow>,
    /// For each game: its number, the seat that plays White (in a tafl game the king), and the number of the
    /// event that starts it.
    pub(super) whites: Vec<(u16, Seat, u32)>,
    /// The lines below the tags, without empty ones and comments.
    pub(super) lines: Vec<(usize, String)>,
    /// The number of events, according to the last line.
    pub(super) events: usize,
    /// Whether the match is over, according to the last line.
    pub(super) over: bool,
}

/// An event, as parsed from a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ParsedEvent {
    pub(super) line: usize,
    pub(super) what: Content,
    /// The time since the previous event, in milliseconds; none if it follows from that.
    pub(super) after_ms: Option<u64>,
}

/// A throw, as parsed from a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ParsedThrow {
    pub(super) game: u16,
    pub(super) index: u32,
    pub(super) dice: Vec<Die>,
    /// The number of its event.
    pub(super) seq: u32,
}

impl ParsedText {
    /// Parses a text. Checks only its form, not whether the match is possible.
    ///
    /// # Errors
    /// The first line that cannot be parsed or is missing.
    pub fn read(text: &str) -> Result<Self, LineError> {
        let mut reader = Reader::default();
        let mut last_line = 1;
        for (index, line) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
            last_line = index + 1;
            reader.take(last_line, line).map_err(|error| {
                let is_cut = last_line > 1 && !text.ends_with('\n') && text.ends_with(line);
                if is_cut {
                    LineError::new(error.line, format!("truncated, it seems: {}", error.why))
                } else {
                    error
                }
            })?;
        }
        let Reader { tags, head, said, throws, whites, lines, closing, .. } = reader;
        if let (Some(head), Some((events, over))) = (head, closing) {
            return Ok(Self { head, tags, said, throws, whites, lines, events, over });
        }
        let why = "truncated: the last line of a record says how many events there are";
        Err(LineError::new(last_line, why))
    }

    /// The number of its events.
    pub fn events(&self) -> usize {
        self.said.len() + 1
    }

    /// The secret of a game, as published.
    pub(super) fn secrets(&self) -> impl Iterator<Item = (u16, &Hash)> {
        self.head.secrets.iter().map(|(number, secret)| (*number, secret))
    }

    /// The first line that differs from the canonical text of this record.
    pub(super) fn first_wrong(&self, record: &Record) -> Option<LineError> {
        if let Some(error) = self.tags.first_wrong(&super::tags::tags(record)) {
            return Some(error);
        }
        let (counted, written) = (self.said.len() + 1, super::write::lines(record));
        if let Some(&(last, _)) = self.lines.last().filter(|_| counted != self.events) {
            let why =
                format!("there are {counted} events, not {}: something is missing or too much", self.events);
            return Some(LineError::new(last, why));
        }
        let differs = |((line, found), written): (&(usize, String), &String)| {
            (found != written).then(|| LineError::new(*line, format!("this must read \"{written}\"")))
        };
        self.lines.iter().zip(&written).find_map(differs)
    }
}

#[derive(Default)]
struct Reader {
    tags: Tags,
    /// The contents of the tags; none before the first line below them.
    head: Option<TagContents>,
    said: Vec<ParsedEvent>,
    throws: Vec<ParsedThrow>,
    whites: Vec<(u16, Seat, u32)>,
    lines: Vec<(usize, String)>,
    /// The throws of the present game that count.
    thrown: u32,
    /// For each turn of the present game: the event that gave it, and the number of throws including it.
    given: Vec<(u32, u32)>,
    closing: Option<(usize, bool)>,
}

impl Reader {
    fn take(&mut self, line: usize, text: &str) -> Result<(), LineError> {
        if text.len() > LINE_BYTES_MAX {
            return Err(LineError::new(line, format!("longer than {LINE_BYTES_MAX} bytes")));
        }
        let text = text.trim_matches([' ', '\t']);
        if let Some(unseen) = text.chars().find(|&letter| is_unseen(letter)) {
            let why = format!("a character that cannot be seen is written {}", unseen.escape_unicode());
            return Err(LineError::new(line, why));
        }
        if text.is_empty() || text.starts_with(';') {
            return Ok(());
        }
        if self.closing.is_some() {
            return Err(LineError::new(line, "nothing comes after the number of events"));
        }
        match (&self.head, text.starts_with('[')) {
            (None, true) => self.tags.take(line, text),
            (Some(_), true) => Err(LineError::new(line, "tags stand above everything else")),
            (_, false) => self.happened(line, text),
        }
    }

    fn happened(&mut self, line: usize, text: &str) -> Result<(), LineError> {
        let head = match &self.head {
            Some(head) => head,
            None => self.head.insert(self.tags.head(line)?),
        };
        self.lines.push((line, text.to_owned()));
        let present = self.whites.last().map(|&(number, white, _)| (number, white));
        let Line { whats, after_ms, closing, white, turn, .. } =
            read_line(text, head, present).map_err(|why| LineError::new(line, why))?;
        // The first event is in the tags.
        let next = |said: &Vec<ParsedEvent>| u32::try_from(said.len() + 2).expect("events are limited");
        if let Some((number, white)) = white {
            self.whites.push((number, white, next(&self.said)));
            self.thrown = 0;
            self.given.clear();
        }
        for (mut what, dice) in whats {
            if self.said.len() + 1 >= EVENTS_MAX {
                return Err(LineError::new(line, format!("more than {EVENTS_MAX} events")));
            }
            let after_ms = match what {
                Content::Follows(_) => None,
                Content::Turned { .. } | Content::TakenBack { .. } | Content::Event(_) => after_ms,
            };
            let seq = next(&self.said);
            if let Content::TakenBack { turn, to, .. } = &mut what {
                let given = turn.checked_sub(1).and_then(|before| self.given.get(before as usize));
                if let Some(&(first, thrown)) = given {
                    (*to, self.thrown) = (first, thrown);
                    give(&mut self.given, *turn, (seq, thrown));
                }
            }
            self.said.push(ParsedEvent { line, what, after_ms });
            if let Some(dice) = dice {
                let game = self.whites.last().map_or(0, |&(number, _, _)| number);
                self.throws.push(ParsedThrow { game, index: self.thrown, dice, seq });
                self.thrown += 1;
                // An opening throw gives the first turn.
                give(&mut self.given, turn.unwrap_or(1), (seq, self.thrown));
            }
        }
        self.closing = closing;
        Ok(())
    }
}

/// Notes the event that gave a turn, replacing that turn and all later ones. An impossible number is found
/// when the match is replayed.
fn give(given: &mut Vec<(u32, u32)>, turn: u32, by: (u32, u32)) {
    if let Some(before) = turn.checked_sub(1).filter(|&before| before as usize <= given.len()) {
        given.truncate(before as usize);
        given.push(by);
    }
}
