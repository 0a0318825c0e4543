//! `lusoria replay`: true records are sound, and whatever is forged is found where it is.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod earlier;
pub(crate) mod forged;

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

use lusoria_play::{Clock, Seat, Terms};
use lusoria_protocol::{AnalysedGame, Analysis, AnalysisState, AnalysisTotals, BySeat, EventKind, Record};
use lusoria_records::replay::{DiceChecked, judge};
use lusoria_rules::{Game, Variant};

use lusoria_testkit::{Table, terms};

use crate::support::{assert_sound, file, lusoria, path};

/// The record as a client gets it.
fn downloaded(record: &Record) -> Record {
    serde_json::from_str(&serde_json::to_string(record).unwrap()).unwrap()
}

#[test]
fn a_record_is_sound_whose_names_are_changed_while_it_is_read() {
    let mut table = Table::new(terms(Variant::standard(Game::Tavla)), 0);
    table.play_out();
    let record = table.record_under_another_name("Erased guest");
    assert_sound(&record);
    let players = [Some(&record.players.one), record.players.two.as_ref()];
    assert_eq!(players.map(|player| player.unwrap().name.as_str()), ["Erased guest"; 2]);
}

#[test]
fn a_true_record_of_every_game_is_sound() {
    for game in Game::ALL {
        for number in 0..3 {
            let mut table = Table::new(terms(Variant::standard(game)), number);
            table.play_out();
            let record = downloaded(&table.record());
            assert_sound(&record);
            let report = judge(&record);
            assert_eq!(report.games.len(), 1, "{game}");
            assert_eq!(report.games[0].dice, DiceChecked::Yes);
            assert!(report.games[0].end.is_some() && report.games[0].turns > 10);
            assert_eq!(report.throws_unchecked(), 0);
        }
    }
}

#[test]
fn a_series_with_every_kind_of_end_is_sound() {
    let clock = Clock::Fischer { base_ms: 60_000, increment_ms: 1_000 };
    let mut table = Table::new(
        Terms { length: lusoria_play::Length::Points(7), clock, ..terms(Variant::standard(Game::Tavla)) },
        5,
    );
    table.play_game();
    table.turn();
    table.turn();
    table.agree_on_a_draw();
    table.decline_a_draw();
    table.resign(Seat::Two, false);
    table.turn();
    table.credit();
    table.turn();
    table.run_out_of_time();
    // Nobody comes to the fifth game's first turn.
    table.run_out_of_time();
    table.resign(Seat::One, true);
    let _ = table.rematch();
    let record = downloaded(&table.record());
    assert_sound(&record);
    assert_eq!(judge(&record).games.len(), 6);
}

#[test]
fn a_rematch_is_sound() {
    let mut table = Table::new(terms(Variant::standard(Game::Tablut)), 8);
    table.play_game();
    let mut again = table.rematch();
    again.play_out();
    assert!(matches!(again.record().events[0].kind, EventKind::Created { rematch_of: Some(_), .. }));
    assert_sound(&again.record());
}

#[test]
fn matches_that_never_came_to_an_end_are_sound() {
    let zeno = terms(Variant::standard(Game::Zeno));
    let mut aborted = Table::new(zeno, 1);
    aborted.turn();
    aborted.abort(Seat::Two);
    let mut expired = Table::open(zeno, 2);
    expired.run_out_of_time();
    let mut no_seed = Table::awaiting_seed(zeno, 3);
    no_seed.run_out_of_time();
    let mut claimed = Table::new(zeno, 4);
    claimed.turn();
    claimed.turn();
    claimed.claim();
    let mut abandoned = Table::new(zeno, 5);
    abandoned.run_out_of_time();
    for table in [aborted, expired, no_seed, claimed, abandoned] {
        assert!(table.record().result.is_some());
        assert_sound(&downloaded(&table.record()));
    }
}

/// The secret of the game being played is nobody's yet: its throws are taken as they are,
/// but turns and passes are judged.
#[test]
fn a_match_being_played_is_judged_as_far_as_it_can_be() {
    let mut table = Table::new(terms(Variant::standard(Game::Tabula)), 3);
    assert_sound(&table.record());
    for _ in 0..40 {
        table.turn();
    }
    let mut record = downloaded(&table.record());
    assert_sound(&record);
    let report = judge(&record);
    assert_eq!(report.games[0].dice, DiceChecked::NotYet);
    assert!(report.throws_unchecked() >= 40);
    let last = record.events.iter_mut().rev().find_map(|event| match &mut event.kind {
        EventKind::Turned { notation, .. } => Some((event.seq, notation)),
        _ => None,
    });
    let (seq, notation) = last.unwrap();
    notation.push('*');
    assert_eq!(judge(&record).faults[0].seq, Some(seq));
}

fn replay(files: &[&str]) -> Output {
    lusoria(&[&["replay"], files].concat())
}

/// The record with an analysis, which says nothing of what happened.
fn with_analysis(record: Record) -> Record {
    let one = AnalysisTotals { luck: -0.25, lost: 1.5, turns: 7, mistakes: 2 };
    let totals = BySeat { one, two: AnalysisTotals::default() };
    let game = AnalysedGame { game: 1, turns: Vec::new(), passes: Vec::new(), totals, unknown: Some(-0.25) };
    let (state, games) = (AnalysisState::Ready, vec![game]);
    Record { analysis: Some(Analysis { id: record.id, state, done: 7, turns: 7, games }), ..record }
}

fn lines(output: &Output) -> Vec<&str> {
    std::str::from_utf8(&output.stdout).expect("text").lines().collect()
}

#[test]
fn the_command_says_what_is_wrong_and_ends_with_a_verdict() {
    let mut table = Table::new(terms(Variant::standard(Game::Zeno)), 0);
    table.turn();
    let unfinished = file(&serde_json::to_string(&table.record()).unwrap());
    table.play_out();
    let mut record = table.record();
    let finished = file(&serde_json::to_string(&record).unwrap());
    let analysed = file(&serde_json::to_string(&with_analysis(record.clone())).unwrap());
    let forged_at = forged::change_a_die(&mut record);
    let forged = file(&serde_json::to_string(&record).unwrap());

    let output = replay(&[path(&finished)]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(lines(&output).last(), Some(&"sound: 1 record"));
    assert!(lines(&output)[1].contains("throws checked; seat "), "{:?}", lines(&output));

    let output = replay(&[path(&analysed)]);
    assert_eq!(lines(&output).last(), Some(&"sound: 1 record"));
    let seen =
        "  game 1 as the computer saw it: seat 1 luck -0.25, lost 1.50 in 7 turns with 2 mistakes; seat 2 ";
    assert!(lines(&output).iter().any(|line| line.starts_with(seen)), "{:?}", lines(&output));

    let output = replay(&[path(&finished), path(&unfinished)]);
    assert_eq!(output.status.code(), Some(0));
    let last = lines(&output).last().unwrap().to_string();
    assert_eq!(last, "sound so far: 2 records, 1 of them not over, 2 throws not yet checkable");

    let output = replay(&[path(&forged)]);
    assert_eq!(output.status.code(), Some(1));
    let said = lines(&output);
    assert!(said.iter().any(|line| line.starts_with(&format!("  event {forged_at}: dice: expected ["))));
    assert_eq!(said.last(), Some(&"NOT SOUND: 1 record, 1 fault"));
}

#[test]
fn the_command_reads_its_standard_input() {
    let mut table = Table::new(terms(Variant::standard(Game::Tabula)), 0);
    table.play_out();
    let mut child = Command::new(env!("CARGO_BIN_EXE_lusoria"))
        .args(["replay", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let text = serde_json::to_string(&table.record()).unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(lines(&output).last(), Some(&"sound: 1 record"));
}

#[test]
fn an_invalid_record_cannot_be_judged() {
    let other = file("{\"format\": \"lusoria-record-2\"}");
    assert_eq!(replay(&[path(&other)]).status.code(), Some(2));
    assert_eq!(replay(&["there-is-no-such-record.json"]).status.code(), Some(2));
    assert_eq!(replay(&[]).status.code(), Some(2));
}
