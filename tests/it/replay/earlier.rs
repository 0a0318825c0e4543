//! Records of what an earlier server did otherwise.
//!
//! `tests/it/golden/journals/tablut-calls-across-the-throne.jsonl` is a journal of a server that
//! counted lines across the closed throne (tablut 7): it loads, and is sound as it stands.

use std::{collections::HashSet, fmt::Write, fs, path::PathBuf};

use lusoria::app::wire;
use lusoria_play::{Clock, Command, Event as PlayEvent, Match, Recorded, Seat, Terms};
use lusoria_protocol::{Call, EventKind, Record};
use lusoria_records::{
    RecordFile, read,
    replay::{FaultKind, judge},
    to_text,
};
use lusoria_rules::{Call as RulesCall, Game, Position, Throne, Variant};

use super::{downloaded, lines, replay};
use crate::support::{assert_sound, file, path};
use lusoria_testkit::{Table, match_id, player, seed, terms};

const CLOSED: Variant = Variant::Tablut { throne: Throne::Closed };
const CALLS: [Option<Call>; 3] = [None, Some(Call::Raichi), Some(Call::Tuichu)];

fn golden() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/golden/journals");
    folder.join("tablut-calls-across-the-throne.jsonl")
}

fn journal() -> Vec<Recorded> {
    let text = fs::read_to_string(golden()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn loaded() -> Match {
    Match::from_journal(match_id(NUMBER), journal()).unwrap()
}

/// The call of today and that of the earlier reading after a turn; none unless they differ.
fn readings(event: &PlayEvent) -> Option<[Option<RulesCall>; 2]> {
    let PlayEvent::Turned { position, .. } = event else { return None };
    let Ok(Position::Tafl(position)) = Position::recorded(CLOSED, position) else { return None };
    let after_defenders = position.to_move() == lusoria_rules::Side::Black && position.outcome().is_none();
    let calls = [position.exits(), position.open_lines()].map(RulesCall::of);
    (after_defenders && calls[0] != calls[1]).then_some(calls)
}

/// The calls of a record, by the number of the event.
fn calls(record: &mut Record) -> Vec<(u32, &mut Option<Call>)> {
    let turned = record.events.iter_mut().filter_map(|event| match &mut event.kind {
        EventKind::Turned { call, .. } => Some((event.seq, call)),
        _ => None,
    });
    turned.collect()
}

fn earlier_record() -> Record {
    downloaded(&wire::record(&loaded(), &journal()))
}

#[test]
fn a_journal_with_calls_across_the_closed_throne_loads_and_is_sound() {
    let journal = journal();
    let (raichi, tuichu) = (Some(RulesCall::Raichi), Some(RulesCall::Tuichu));
    assert_eq!(kinds(&journal), HashSet::from([[None, raichi], [raichi, tuichu]]));
    for recorded in &journal {
        if let (Some([_, earlier]), PlayEvent::Turned { call, .. }) =
            (readings(&recorded.event), &recorded.event)
        {
            assert_eq!(*call, earlier, "event {}", recorded.seq);
        }
    }
    assert_eq!(loaded().head() as usize, journal.len());
    assert_sound(&earlier_record());
}

#[test]
fn the_command_and_the_text_take_such_a_record() {
    let record = earlier_record();
    let json = file(&serde_json::to_string(&record).unwrap());
    let output = replay(&[path(&json)]);
    assert_eq!((output.status.code(), lines(&output).last()), (Some(0), Some(&"sound: 1 record")));

    let text = to_text(&record).expect("a text tells no calls");
    let mut again = read(text.as_bytes()).and_then(|written| Ok(RecordFile::record(written)?)).unwrap();
    assert_ne!(again, record, "read from the text it has the calls of today");
    assert_sound(&again);
    let (mut as_it_was, today) = (record, calls(&mut again));
    for ((_, call), (_, today)) in calls(&mut as_it_was).into_iter().zip(today) {
        *call = *today;
    }
    assert_eq!(again, as_it_was);
}

/// Of the three calls that can be written, today's and the earlier one are sound.
#[test]
fn a_call_that_is_neither_is_found() {
    let (mut record, journal) = (earlier_record(), journal());
    let numbers: Vec<u32> = calls(&mut record).into_iter().map(|(seq, _)| seq).collect();
    for (index, seq) in numbers.into_iter().enumerate() {
        let recorded = &journal[seq as usize - 1].event;
        let PlayEvent::Turned { call, .. } = recorded else { unreachable!() };
        let right = readings(recorded).map_or(vec![*call], Vec::from);
        for call in CALLS {
            let mut changed = record.clone();
            *calls(&mut changed)[index].1 = call;
            let faults = judge(&changed).faults;
            if right.contains(&call) {
                assert_eq!(faults, [], "event {seq}: {call:?}");
                continue;
            }
            assert_eq!(faults.len(), 1, "event {seq}: {call:?}: {faults:?}");
            assert_eq!(faults[0].seq, Some(seq));
            assert!(matches!(&faults[0].kind, FaultKind::Differs(difference) if difference.field == "call"));
        }
    }
}

/// With the open throne both readings are one, and a wrong call is found.
#[test]
fn with_the_open_throne_there_is_one_call() {
    let mut record = earlier_record();
    record.options.throne = Some(lusoria_protocol::Throne::King);
    assert!(!judge(&record).is_sound());
}

/// Without a clock the term for a seed is ten minutes; it was thirty days once.
#[test]
fn a_seed_that_came_in_the_longer_term_is_sound() {
    let zeno = terms(Variant::standard(Game::Zeno));
    for clock in [Clock::None {}, Clock::Days { days: 14 }] {
        let mut table = Table::awaiting_seed(Terms { clock, ..zeno }, 3);
        table.wait(13 * Clock::DAY_MS);
        table.ask(Command::RevealSeed { by: player(Seat::One).id, seed: seed("alea iacta est") });
        table.turn();
        let record = downloaded(&table.record());
        assert_sound(&record);
        assert_sound(&read(to_text(&record).unwrap().as_bytes()).unwrap().record().unwrap());
    }
    let mut abandoned = Table::awaiting_seed(zeno, 4);
    abandoned.wait(30 * Clock::DAY_MS);
    abandoned.look_at_the_time();
    assert_sound(&downloaded(&abandoned.record()));
}

/// The match whose journal is kept: the first one with both kinds of difference.
const NUMBER: u64 = 2;

/// A match that is given up once both kinds of difference have come up; none if they do not.
fn played(number: u64) -> Option<Table> {
    let mut table = Table::new(terms(CLOSED), number);
    for _ in 0..150 {
        if table.state().end().is_some() {
            return None;
        }
        table.turn();
        if kinds(table.journal()).len() == 2 {
            table.turn();
            table.resign(Seat::Two, false);
            return Some(table);
        }
    }
    None
}

/// The kinds of difference between the two readings in a journal.
fn kinds(journal: &[Recorded]) -> HashSet<[Option<RulesCall>; 2]> {
    journal.iter().filter_map(|recorded| readings(&recorded.event)).collect()
}

#[test]
#[ignore = "writes the golden journal if it is missing"]
fn write_the_journal_that_is_missing() {
    if golden().exists() {
        return;
    }
    let (number, table) = (0..).find_map(|number| Some((number, played(number)?))).unwrap();
    assert_eq!(number, NUMBER, "the number of the first match");
    let mut text = String::new();
    for recorded in table.journal() {
        let mut recorded = recorded.clone();
        if let (Some([_, earlier]), PlayEvent::Turned { call, .. }) =
            (readings(&recorded.event), &mut recorded.event)
        {
            *call = earlier;
        }
        writeln!(text, "{}", serde_json::to_string(&recorded).unwrap()).unwrap();
    }
    fs::create_dir_all(golden().parent().unwrap()).unwrap();
    fs::write(golden(), text).unwrap();
}
