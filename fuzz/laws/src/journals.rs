//! Journals from any source.

use lusoria_play::{Match, MatchId, Recorded, Seat};
use lusoria_testkit::SeededDice;
use lusoria_wire as wire;
use serde_json::Value;
use uuid::Uuid;

use crate::{rules::bytes::Bytes, table::Table};

/// The most choices for which a match is played before its journal is tampered with.
const CHOICES_MAX: usize = 24;

/// A list of events is refused in words, or folds into a match that can be shown, watched and played. The
/// first byte says whether the rest is lines of JSON, or a match to play and changes to its journal.
pub fn check(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    if bytes.once_in(2) {
        let text = bytes.text();
        let read: Result<Vec<Recorded>, _> = text.lines().map(serde_json::from_str).collect();
        if let Ok(journal) = read {
            folds_or_is_refused(&journal, &mut Bytes::new(text.as_bytes()));
        }
        return;
    }
    let Ok(mut table) = Table::new(&mut bytes) else { return };
    for _ in 0..bytes.below(CHOICES_MAX) {
        table.go_on(&mut bytes);
    }
    let mut journal = table.journal;
    for _ in 0..=bytes.below(4) {
        tamper(&mut journal, &mut bytes);
    }
    // Numbers are seldom right after that, and the checks behind them would not be reached.
    if bytes.once_in(2) {
        for (seq, recorded) in (1..).zip(&mut journal) {
            recorded.seq = seq;
        }
    }
    folds_or_is_refused(&journal, &mut bytes);
}

fn tamper(journal: &mut Vec<Recorded>, bytes: &mut Bytes<'_>) {
    if journal.is_empty() {
        return;
    }
    let (at, other) = (bytes.below(journal.len()), bytes.below(journal.len()));
    match bytes.below(5) {
        0 => drop(journal.remove(at)),
        1 => journal.insert(at, journal[other].clone()),
        2 => journal.swap(at, other),
        3 => journal.truncate(at),
        _ => {
            let mut event = serde_json::to_value(&journal[at]).expect("an event is plain data");
            let count = leaves(&mut event);
            change(&mut event, &mut bytes.below(count.max(1)), bytes);
            if let Ok(changed) = serde_json::from_value(event) {
                journal[at] = changed;
            }
        }
    }
}

/// How many values there are in a value that hold no others.
pub(crate) fn leaves(value: &mut Value) -> usize {
    match value {
        Value::Array(items) => items.iter_mut().map(leaves).sum(),
        Value::Object(fields) => fields.values_mut().map(leaves).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
    }
}

/// Puts something else in the place of the value that `left` others come before.
pub(crate) fn change(value: &mut Value, left: &mut usize, bytes: &mut Bytes<'_>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| change(item, left, bytes)),
        Value::Object(fields) => fields.values_mut().for_each(|field| change(field, left, bytes)),
        leaf => {
            if *left == 0 {
                *leaf = another(leaf, bytes);
            }
            *left = left.wrapping_sub(1);
        }
    }
}

fn another(leaf: &Value, bytes: &mut Bytes<'_>) -> Value {
    match leaf {
        Value::Bool(is) => (!is).into(),
        Value::Number(number) => {
            let number = number.as_u64().unwrap_or_default();
            let near = [number.wrapping_add(1), number.wrapping_sub(1), 1, 2];
            let far = [0, 6, 255, 65_535, u64::from(u32::MAX), u64::MAX];
            if bytes.once_in(2) { (*bytes.one_of(&far)).into() } else { (*bytes.one_of(&near)).into() }
        }
        Value::String(text) => {
            let words = ["white", "black", "supply", "off", "1", "24", "resigned", "time", "drawn", ""];
            let mut other = text.clone();
            match other.pop() {
                Some(last) if bytes.once_in(2) => {
                    other.push(char::from_u32(u32::from(last) ^ 1).unwrap_or('0'));
                }
                _ => (*bytes.one_of(&words)).clone_into(&mut other),
            }
            other.into()
        }
        Value::Null | Value::Array(_) | Value::Object(_) => Value::Null,
    }
}

fn folds_or_is_refused(journal: &[Recorded], bytes: &mut Bytes<'_>) {
    let id = MatchId(Uuid::from_u128(7));
    let state = match Match::from_journal(id, journal.iter().cloned()) {
        Ok(state) => state,
        Err(why) => return assert!(!why.to_string().is_empty()),
    };
    assert_eq!(state.head() as usize, journal.len());
    let again = Match::from_journal(id, journal.iter().cloned());
    assert_eq!(again.as_ref(), Ok(&state));
    is_shown(&state, journal);
    // And it goes on, as far as it can.
    let dice = SeededDice::of(id);
    let now = state.last_at().min(1 << 50);
    let mut table = Table { state, journal: journal.to_vec(), now, dice, against_computer: false };
    for _ in 0..4 {
        table.go_on(bytes);
    }
    is_shown(&table.state, &table.journal);
}

/// Everything that the server says about a match.
fn is_shown(state: &Match, journal: &[Recorded]) {
    for now in [0, state.last_at(), u64::MAX] {
        let viewer = state.player(Seat::One).map(|player| player.id);
        let shown = wire::snapshot(state, now, |_| None, viewer);
        assert!(serde_json::to_string(&shown).is_ok());
    }
    for recorded in journal {
        assert!(serde_json::to_string(&wire::event(state, recorded)).is_ok());
    }
    let _ = (state.phase(), state.waits_for(), state.under_way(), state.turn().map(|turn| turn.steps()));
}
