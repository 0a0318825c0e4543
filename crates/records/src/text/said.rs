//! What a text says happened, line by line, before anything is judged.

use lusoria_protocol::{Die, Hash, Record, Seat};

use super::{
    EVENTS_MAX, LINE_BYTES_MAX, Misread,
    lines::{Line, What, read_line},
    quoted::is_unseen,
    tags::{Head, Tags},
};

/// A text that was read, before the match that it tells of is played again.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    pub(super) head: Head,
    pub(super) tags: Tags,
    /// The events after the first.
    pub(super) said: Vec<Said>,
    pub(super) throws: Vec<ToldThrow>,
    /// Who plays White (tablut: the king), by the number of the game; with the number of the
    /// event that says so.
    pub(super) whites: Vec<(u16, Seat, u32)>,
    /// The lines that say something, below the tags.
    pub(super) lines: Vec<(usize, String)>,
    /// How many events there are, as the last line says.
    pub(super) events: usize,
    /// Whether the match is over, as the last line says.
    pub(super) over: bool,
}

/// An event as a line says it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Said {
    pub(super) line: usize,
    pub(super) what: What,
    /// How long after the event before it, in milliseconds; none if it follows from that.
    pub(super) after_ms: Option<u64>,
}

/// A throw that a text tells of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ToldThrow {
    pub(super) game: u16,
    pub(super) index: u32,
    pub(super) dice: Vec<Die>,
    /// The number of its event.
    pub(super) seq: u32,
}

impl Told {
    /// Reads a text. Only its form is judged, not whether anything in it could happen.
    ///
    /// # Errors
    /// The first line that says nothing that a record can say, or that is missing.
    pub fn read(text: &str) -> Result<Self, Misread> {
        let mut reader = Reader::default();
        let mut last_line = 1;
        for (index, line) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
            last_line = index + 1;
            reader.take(last_line, line).map_err(|misread| {
                let is_cut = last_line > 1 && !text.ends_with('\n') && text.ends_with(line);
                if is_cut {
                    Misread::new(misread.line, format!("truncated, it seems: {}", misread.why))
                } else {
                    misread
                }
            })?;
        }
        let Reader { tags, head, said, throws, whites, lines, closing, .. } = reader;
        if let (Some(head), Some((events, over))) = (head, closing) {
            return Ok(Self { head, tags, said, throws, whites, lines, events, over });
        }
        let why = "truncated: the last line of a record says how many events there are";
        Err(Misread::new(last_line, why))
    }

    /// How many events it tells of.
    pub fn events(&self) -> usize {
        self.said.len() + 1
    }

    /// The secret of a game, as published.
    pub(super) fn secrets(&self) -> impl Iterator<Item = (u16, &Hash)> {
        self.head.secrets.iter().map(|(number, secret)| (*number, secret))
    }

    /// The first line that is not as it must be written to say this record.
    pub(super) fn first_wrong(&self, record: &Record) -> Option<Misread> {
        if let Some(misread) = self.tags.first_wrong(&super::tags::tags(record)) {
            return Some(misread);
        }
        let (counted, written) = (self.said.len() + 1, super::write::lines(record));
        if let Some(&(last, _)) = self.lines.last().filter(|_| counted != self.events) {
            let why =
                format!("there are {counted} events, not {}: something is missing or too much", self.events);
            return Some(Misread::new(last, why));
        }
        let differs = |((line, found), written): (&(usize, String), &String)| {
            (found != written).then(|| Misread::new(*line, format!("this must read \"{written}\"")))
        };
        self.lines.iter().zip(&written).find_map(differs)
    }
}

#[derive(Default)]
struct Reader {
    tags: Tags,
    /// What the tags tell, once something stands below them.
    head: Option<Head>,
    said: Vec<Said>,
    throws: Vec<ToldThrow>,
    whites: Vec<(u16, Seat, u32)>,
    lines: Vec<(usize, String)>,
    /// The throws of the present game.
    thrown: u32,
    closing: Option<(usize, bool)>,
}

impl Reader {
    fn take(&mut self, line: usize, text: &str) -> Result<(), Misread> {
        if text.len() > LINE_BYTES_MAX {
            return Err(Misread::new(line, format!("longer than {LINE_BYTES_MAX} bytes")));
        }
        let text = text.trim_matches([' ', '\t']);
        if let Some(unseen) = text.chars().find(|&letter| is_unseen(letter)) {
            let why = format!("a character that cannot be seen is written {}", unseen.escape_unicode());
            return Err(Misread::new(line, why));
        }
        if text.is_empty() || text.starts_with(';') {
            return Ok(());
        }
        if self.closing.is_some() {
            return Err(Misread::new(line, "nothing comes after the number of events"));
        }
        match (&self.head, text.starts_with('[')) {
            (None, true) => self.tags.take(line, text),
            (Some(_), true) => Err(Misread::new(line, "tags stand above everything else")),
            (_, false) => self.happened(line, text),
        }
    }

    fn happened(&mut self, line: usize, text: &str) -> Result<(), Misread> {
        let head = match &self.head {
            Some(head) => head,
            None => self.head.insert(self.tags.head(line)?),
        };
        self.lines.push((line, text.to_owned()));
        let present = self.whites.last().map(|&(number, white, _)| (number, white));
        let Line { whats, after_ms, closing, white, .. } =
            read_line(text, head, present).map_err(|why| Misread::new(line, why))?;
        // The first event stands in the tags.
        let next = |said: &Vec<Said>| u32::try_from(said.len() + 2).expect("events are limited");
        if let Some((number, white)) = white {
            self.whites.push((number, white, next(&self.said)));
            self.thrown = 0;
        }
        for (what, dice) in whats {
            if self.said.len() + 1 >= EVENTS_MAX {
                return Err(Misread::new(line, format!("more than {EVENTS_MAX} events")));
            }
            let after_ms = match what {
                What::Follows(_) => None,
                What::Turned { .. } | What::Event(_) => after_ms,
            };
            let seq = next(&self.said);
            self.said.push(Said { line, what, after_ms });
            if let Some(dice) = dice {
                let game = self.whites.last().map_or(0, |&(number, _, _)| number);
                self.throws.push(ToldThrow { game, index: self.thrown, dice, seq });
                self.thrown += 1;
            }
        }
        self.closing = closing;
        Ok(())
    }
}
