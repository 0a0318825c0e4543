//! Records as text: nothing is lost on the way there and back, and what is wrong is named.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod alike;
mod command;
mod forged;
mod http;
mod odd;
mod proof;
mod refused;

use lusoria_protocol::{EventKind, Record};
use lusoria_records::{
    Format, read,
    replay::judge,
    text::{ParsedText, write},
    to_text,
};
use lusoria_rules::Game;

use crate::support::random_match::random_match;

/// The record as a client gets it.
fn exported(record: &Record) -> String {
    serde_json::to_string(record).unwrap()
}

/// JSON to a record, to text, to a record, to JSON: and nothing has changed.
fn survives(record: &Record) {
    let json = exported(record);
    let from_json = read(json.as_bytes()).unwrap();
    assert_eq!(from_json.format(), Format::Json);
    let from_json = from_json.record().unwrap();
    let text = to_text(&from_json).unwrap_or_else(|why| panic!("{why}\n{}", write(&from_json)));
    assert_eq!(text, write(&from_json));
    let from_text = read(text.as_bytes()).unwrap();
    assert_eq!(from_text.format(), Format::Text);
    let from_text = from_text.record().unwrap_or_else(|why| panic!("{why}\n{text}"));
    assert_eq!(exported(&from_text), json);
    assert_eq!(write(&from_text), text);
}

fn survive(game: Game, numbers: std::ops::Range<u64>) {
    for number in numbers {
        survives(&random_match(game, number).record());
    }
}

/// Twenty of each game, beside each other.
macro_rules! survive {
    ($($name:ident: $game:ident,)*) => {
        $(#[test]
        fn $name() {
            survive(Game::$game, 0..20);
        })*
    };
}

survive! {
    records_of_zeno_survive: Zeno,
    records_of_tavla_survive: Tavla,
    records_of_scripta_survive: Scripta,
    records_of_tabula_survive: Tabula,
    records_of_tablut_survive: Tablut,
}

/// Five hundred of every game: minutes.
#[test]
#[ignore = "takes minutes: cargo nextest run --run-ignored only -E 'test(five_hundred)'"]
fn five_hundred_records_of_every_game_survive() {
    std::thread::scope(|scope| {
        for game in Game::ALL {
            scope.spawn(move || survive(game, 1_000..1_500));
        }
    });
}

/// What the random matches must have among them, or they prove less than they seem to.
#[test]
fn the_random_records_have_every_kind_of_event_and_end() {
    let mut found = std::collections::BTreeSet::new();
    for game in Game::ALL {
        for number in 0..20 {
            for event in random_match(game, number).record().events {
                let value = serde_json::to_value(&event).unwrap();
                let word = |field: &str| value[field].as_str().unwrap_or_default().to_owned();
                found.insert(format!("{} {}", word("type"), word("reason")));
                if value["lag_ms"].is_u64() {
                    found.insert("turned over a line".to_owned());
                }
            }
        }
    }
    for kind in [
        "created ",
        "joined ",
        "seed_revealed ",
        "game_started ",
        "opening_thrown ",
        "thrown ",
        "turned ",
        "turned over a line",
        "passed ",
        "taken_back ",
        "takeback_offered ",
        "takeback_declined ",
        "draw_offered ",
        "draw_declined ",
        "credited ",
        "game_ended borne_off",
        "game_ended resigned",
        "game_ended agreed",
        "game_ended time",
        "game_ended aborted",
        "game_ended claimed",
        "game_ended king_escaped",
        "match_ended ",
        "match_ended expired",
        "match_ended player",
        "match_ended seed_not_revealed",
        "match_ended abandoned",
        "rematch_offered ",
        "rematch_declined ",
        "rematch_agreed ",
    ] {
        assert!(found.contains(kind), "no {kind} among {found:#?}");
    }
}

/// A text that somebody has edited: comments, empty lines, the other line ends, the tags in
/// another order.
#[test]
fn a_text_may_be_laid_out_otherwise() {
    let record = random_match(Game::Tavla, 3).record();
    let text = write(&record);
    let (first, rest) = text.split_once('\n').unwrap();
    let (tags, games) = rest.split_once("\n\n").unwrap();
    let mut tags: Vec<&str> = tags.lines().collect();
    tags.reverse();
    let edited = format!(
        "\u{feff}; found in a drawer\r\n{first}\r\n{}\r\n\r\n; here it begins\r\n{}",
        tags.join("\r\n\r\n"),
        games.replace('\n', " \r\n\r\n")
    );
    assert_eq!(ParsedText::read(&edited).unwrap().record().unwrap(), record);
}

/// The dice are told, not computed: false ones can be read, for `lusoria verify` to find.
#[test]
fn false_dice_can_be_told() {
    let mut record = random_match(Game::Tabula, 1_004).record();
    let white = record.events.iter_mut().find_map(|event| match &mut event.kind {
        EventKind::GameEnded { secret, .. } => Some(secret),
        _ => None,
    });
    *white.unwrap() = "0".repeat(64).parse().unwrap();
    record.dice.secrets.insert("1".to_owned(), "0".repeat(64).parse().unwrap());
    survives(&record);
}

/// The game in docs/record.md, as anybody would take it from there.
pub(crate) fn example() -> String {
    let page = include_str!("../../../docs/record.md");
    let (_, rest) = page.split_once("```text\n").expect("the page has an example");
    rest.split_once("```").expect("the example ends").0.to_owned()
}

#[test]
fn the_example_of_the_page_is_a_true_record() {
    let text = example();
    let record = read(text.as_bytes()).unwrap().record().unwrap();
    assert_eq!(write(&record), text);
    let report = judge(&record);
    assert!(report.is_sound() && report.judged == report.events, "{:?}", report.faults);
    assert!(record.result.is_some());
}
