//! Records of matches.

use lusoria_protocol::{EventKind, Record};
use lusoria_records::replay::judge;
use lusoria_wire as wire;

use crate::{
    journals::{change, leaves},
    rules::bytes::Bytes,
    table::Table,
};

/// The most choices for which a match is played before its record is written.
const CHOICES_MAX: usize = 40;

/// Any record is judged; that of a match which was played is sound, written and read it is
/// the same, and a die that was changed in it is found. The first byte says whether the rest
/// is a record as JSON or a match to play.
pub fn check(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    if bytes.once_in(2) {
        if let Ok(record) = serde_json::from_str::<Record>(&bytes.text()) {
            is_judged(&record);
        }
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
    let report = judge(&record);
    assert!(report.is_sound(), "{:?}", report.faults);
    assert_eq!(report.judged, report.events);
    let mut value = serde_json::to_value(&record).expect("a record is plain data");
    assert_eq!(serde_json::from_value::<Record>(value.clone()).ok().as_ref(), Some(&record));
    finds_a_changed_die(record, &mut bytes);
    for _ in 0..=bytes.below(3) {
        let count = leaves(&mut value);
        change(&mut value, &mut bytes.below(count.max(1)), &mut bytes);
    }
    if let Ok(changed) = serde_json::from_value::<Record>(value) {
        is_judged(&changed);
    }
}

fn is_judged(record: &Record) {
    let report = judge(record);
    assert!(report.judged <= report.events);
    for game in &report.games {
        assert!(!game.to_string().is_empty());
    }
    for fault in &report.faults {
        assert!(!fault.to_string().is_empty());
    }
}

fn finds_a_changed_die(mut record: Record, bytes: &mut Bytes<'_>) {
    // The dice of the last game may not be revealed yet; those of a game that ended are.
    let ended = record.events.iter().rposition(|event| matches!(event.kind, EventKind::GameEnded { .. }));
    let events = &mut record.events[..ended.unwrap_or_default()];
    let throws = events.iter_mut().filter_map(|event| match &mut event.kind {
        EventKind::Thrown { dice, .. } => Some(dice),
        _ => None,
    });
    let mut throws: Vec<_> = throws.collect();
    if throws.is_empty() {
        return;
    }
    let at = bytes.below(throws.len());
    let dice = &mut *throws[at];
    let other = lusoria_protocol::Die::try_from(u8::from(dice[0]) % 6 + 1).expect("1 to 6");
    dice[0] = other;
    assert!(!judge(&record).is_sound(), "a die was changed, and nobody saw it");
}
