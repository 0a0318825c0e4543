//! Records of matches as text.

use lusoria_protocol::Record;
use lusoria_records::{
    proof::{Claims, PlayerNotes, prove},
    read,
    text::{ParsedText, write},
    to_text,
};
use lusoria_wire as wire;

use crate::{rules::bytes::Bytes, table::Table};

/// The most choices for which a match is played before its record is written.
const CHOICES_MAX: usize = 40;

/// Any text is refused with a line that it has, or is the record of a match, and then the
/// record written again is read as the same. A match that was played comes back from its
/// text whole, its dice are true, and what is changed in that text is refused or makes
/// another record. Either form proves the same. The first byte says whether the rest is a file or a match to play and what to do to its text.
pub fn check(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    if bytes.once_in(2) {
        let text = bytes.text();
        if let Ok(written) = read(text.as_bytes()) {
            prove(&written.claims(), &PlayerNotes::default());
        }
        is_read_or_refused(&text);
        return;
    }
    let Ok(mut table) = Table::new(&mut bytes) else { return };
    for _ in 0..bytes.below(CHOICES_MAX) {
        if bytes.once_in(6) {
            table.play_on(&mut bytes);
        }
        table.go_on(&mut bytes);
    }
    let record = wire::record(&table.state, &table.journal);
    let text = to_text(&record).expect("what was played can be told");
    assert_eq!(text, write(&record));
    assert_eq!(is_read_or_refused(&text).as_ref(), Some(&record));
    let proof = prove(&Claims::of(&record), &PlayerNotes::default());
    assert!(proof.faults.is_empty(), "{:?}", proof.faults);
    let mut changed = text.clone();
    for _ in 0..=bytes.below(3) {
        changed = change(&changed, &mut bytes);
    }
    if is_read_or_refused(&changed).as_ref() == Some(&record) {
        // Empty lines say nothing, nor does the order of the tags.
        assert_eq!(says(&changed), says(&text));
    }
}

/// What a text says: its tags, sorted, and the lines below them.
fn says(text: &str) -> (Vec<&str>, Vec<&str>) {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (mut tags, below): (Vec<_>, Vec<_>) = lines.partition(|line| line.starts_with('['));
    tags.sort_unstable();
    (tags, below)
}

fn is_read_or_refused(text: &str) -> Option<Record> {
    let lines = text.lines().count().max(1);
    let refused = |line: usize, why: &str| {
        assert!((1..=lines).contains(&line) && !why.is_empty(), "line {line} of {lines}: {why}");
    };
    let told = ParsedText::read(text).inspect_err(|misread| refused(misread.line, &misread.why)).ok()?;
    let proof = prove(&told.claims(), &PlayerNotes::default());
    let record = told.record().inspect_err(|why| refused(why.line, &why.why)).ok()?;
    let written = write(&record);
    let again = ParsedText::read(&written).expect("what was written can be read").record();
    assert_eq!(again.as_ref(), Ok(&record), "{written}");
    // Of what can have happened both forms claim the same.
    assert_eq!(prove(&Claims::of(&record), &PlayerNotes::default()), proof, "{written}");
    Some(record)
}

/// Puts words of the text in the place of others, or leaves lines out, doubles or moves them.
fn change(text: &str, bytes: &mut Bytes<'_>) -> String {
    if text.trim().is_empty() {
        return text.to_owned();
    }
    let mut lines: Vec<&str> = text.lines().collect();
    let (at, other) = (bytes.below(lines.len()), bytes.below(lines.len()));
    match bytes.below(5) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[other]),
        2 => lines.swap(at, other),
        3 => {
            let words: Vec<&str> = text.split_whitespace().collect();
            let (word, instead) = (bytes.one_of(&words), bytes.one_of(&words));
            return text.replacen(word, instead, 1);
        }
        _ => return text.chars().take(bytes.below(text.len().max(1))).collect(),
    }
    lines.join("\n")
}
