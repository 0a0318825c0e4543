//! Records with a fact that is stated twice, or at the wrong time, so that a careless reader would take the
//! wrong one.

use lusoria_play::{Colours, Seat as PlayingSeat, Terms};
use lusoria_protocol::{EventKind, MatchId, PlayAs, Record, Seat, SeatSeed, SideName};
use lusoria_records::text::write;
use lusoria_rules::{Game, Side, Variant};
use lusoria_testkit::{Table, finished, terms};
use uuid::Uuid;

use super::proof::{Said, of_json, of_text};
use crate::{
    replay::forged::{change, number_afresh, other},
    support::random_match::random_match,
};

/// A series of three games and more.
fn series() -> Record {
    let mut table = Table::new(
        Terms { length: lusoria_play::Length::Points(9), ..terms(Variant::standard(Game::Tabula)) },
        4,
    );
    table.play_out();
    let record = table.record();
    assert!(record.dice.secrets.len() >= 3, "{} games", record.dice.secrets.len());
    record
}

fn at(record: &Record, is: impl Fn(&EventKind) -> bool) -> usize {
    record.events.iter().position(|event| is(&event.kind)).expect("the record has such an event")
}

fn starts(number: u16) -> impl Fn(&EventKind) -> bool {
    move |kind| matches!(kind, EventKind::GameStarted { game_number, .. } if *game_number == number)
}

fn ends(number: u16) -> impl Fn(&EventKind) -> bool {
    move |kind| matches!(kind, EventKind::GameEnded { game_number, .. } if *game_number == number)
}

/// Loads a die of a game.
fn load(record: &mut Record, game: u16) {
    let from = at(record, starts(game));
    let thrown = record.events[from..].iter_mut().find_map(|event| match &mut event.kind {
        EventKind::Thrown { dice, .. } => Some(dice),
        _ => None,
    });
    let die = &mut thrown.expect("a throw")[0];
    *die = other(*die);
}

/// Puts an event a second time before another place.
fn again(record: &mut Record, from: usize, before: usize) {
    let event = record.events[from].clone();
    record.events.insert(before, event);
}

fn begins_again(record: &mut Record) {
    load(record, 1);
    let (from, before) = (at(record, starts(1)), at(record, ends(1)));
    again(record, from, before);
}

fn never_ends(record: &mut Record) {
    load(record, 2);
    record.events.remove(at(record, ends(2)));
    record.dice.secrets.remove("2");
}

fn is_taken_out(record: &mut Record) {
    let (from, to) = (at(record, starts(2)), at(record, starts(3)));
    record.events.drain(from..to);
    record.dice.secrets.remove("2");
}

fn ends_twice(record: &mut Record) {
    let end = at(record, ends(1));
    again(record, end, end);
    if let EventKind::GameEnded { secret, .. } = &mut record.events[end].kind {
        *secret = "5".repeat(64).parse().unwrap();
    }
}

fn reveals_what_was_not_promised(record: &mut Record) {
    let joined = at(record, |kind| matches!(kind, EventKind::Joined { .. }));
    let EventKind::Joined { seed, .. } = &mut record.events[joined].kind else { unreachable!() };
    let SeatSeed::Brought { seed: true_one } =
        std::mem::replace(seed, SeatSeed::Brought { seed: "something false".parse().unwrap() })
    else {
        panic!("seat 2 brought its seed")
    };
    let mut reveal = record.events[joined].clone();
    reveal.kind = EventKind::SeedRevealed { seat: Seat::Two, seed: true_one };
    record.events.insert(joined + 1, reveal);
}

fn reveals_twice(record: &mut Record) {
    let revealed = at(record, |kind| matches!(kind, EventKind::SeedRevealed { .. }));
    again(record, revealed, revealed);
}

fn joins_twice(record: &mut Record) {
    let joined = at(record, |kind| matches!(kind, EventKind::Joined { .. }));
    again(record, joined, joined);
}

fn reveals_too_late(record: &mut Record) {
    let revealed = at(record, |kind| matches!(kind, EventKind::SeedRevealed { .. }));
    let event = record.events.remove(revealed);
    record.events.insert(at(record, ends(1)), event);
}

fn throws_between_games(record: &mut Record) {
    let thrown = at(record, |kind| matches!(kind, EventKind::Thrown { .. }));
    again(record, thrown, at(record, starts(2)));
}

fn goes_on_after_its_end(record: &mut Record) {
    let (from, to) = (at(record, starts(1)), at(record, ends(1)));
    let game = record.events[from..=to].to_vec();
    record.events.extend(game);
}

fn ends_too_early(record: &mut Record) {
    let last = u16::try_from(record.dice.secrets.len()).unwrap();
    load(record, last);
    record.events.remove(at(record, ends(last)));
    record.dice.secrets.remove(&last.to_string());
}

type Forge = fn(&mut Record);

/// The series as a forger makes it, with its events numbered anew if they are to be.
fn forged(forge: Forge, renumbered: bool) -> Record {
    let mut record = series();
    forge(&mut record);
    if renumbered {
        number_afresh(&mut record.events);
    }
    record
}

/// It is false for that reason, and the line that says so has that in it.
#[track_caller]
fn assert_false(said: &Said, reason: &str, expected: &str) {
    assert_eq!(said.code, Some(1), "{expected}: {said:?}");
    let found = said.falsehoods.iter().any(|line| line.starts_with(reason) && line.contains(expected));
    assert!(found, "{expected}: {said:?}");
}

#[test]
fn facts_told_twice_or_at_the_wrong_time_are_found() {
    let forgeries: [(Forge, &str, &str, bool); 11] = [
        (begins_again, "order", "game 1 begins before game 1 has ended", true),
        (never_ends, "order", "game 3 begins before game 2 has ended", true),
        (is_taken_out, "order", "game 3 begins where game 2 must", true),
        (ends_twice, "order", "game 1 ends, but it is not the one being played", false),
        (reveals_what_was_not_promised, "seed", "seat 2 reveals a seed that was not awaited", true),
        (reveals_twice, "seed", "seat 1 reveals a seed that was not awaited", true),
        (joins_twice, "seed", "seat 2 joins a second time", true),
        (reveals_too_late, "seed", "game 1 begins before both seeds are revealed", true),
        (throws_between_games, "order", "a throw outside any game", true),
        (goes_on_after_its_end, "order", "the match has ended before", false),
        (ends_too_early, "order", "the match ends before game", true),
    ];
    for (forge, reason, expected, tellable) in forgeries {
        let record = forged(forge, true);
        let mut said = vec![of_json(&record, &[])];
        // A text has one tag for the secret of each game.
        if tellable {
            said.push(of_text(&write(&record), &[]));
        }
        for said in said {
            assert_false(&said, reason, expected);
        }
    }
}

fn both_are_white(record: &mut Record) {
    let white = (SideName::White, SideName::White);
    change!(record, EventKind::GameStarted { sides, .. } => (sides.one, sides.two) = white);
}

fn of_two_games(record: &mut Record) {
    change!(record, EventKind::Created { game, .. } => *game = lusoria_protocol::Game::Zeno);
}

fn promises_two_seeds(record: &mut Record) {
    record.dice.seeds.one = SeatSeed::Committed { seed_hash: "5".repeat(64).parse().unwrap() };
}

#[test]
fn facts_in_two_places_of_the_json_must_agree() {
    let forgeries: [(Forge, &str, &str, bool); 9] = [
        (|record| again(record, 0, 1), "order", "event 2: the match is made a second time", true),
        (|record| record.events.swap(0, 1), "order", "event 1: a match begins with its making", true),
        (
            |record| record.events[5].id = MatchId(Uuid::from_u128(7)),
            "order",
            "event 6 is of another match",
            false,
        ),
        (of_two_games, "order", "the record names two games", false),
        (
            |record| record.side = PlayAs::Black,
            "lot",
            "the record names two sides that were asked for",
            false,
        ),
        (both_are_white, "lot", "both seats play the same side", false),
        (
            |record| record.result = None,
            "order",
            "the events and the rest of the record disagree on the end",
            false,
        ),
        (promises_two_seeds, "seed", "the record names two seeds of seat 1", false),
        (
            |record| record.events[7].seq = 7,
            "order",
            "event 8 is missing: event 7 stands in its place",
            false,
        ),
    ];
    for (forge, reason, expected, renumbered) in forgeries {
        assert_false(&of_json(&forged(forge, renumbered), &[]), reason, expected);
    }
}

#[test]
fn whether_a_text_is_over_is_told_once() {
    let text = write(&series()).replace(" events, over", " events, being played");
    let said = of_text(&text, &[]);
    assert_eq!((said.code, said.reasons()), (Some(1), vec!["order"]), "{said:?}");
}

/// Who plays White in the first game is computed if it was drawn, and else what seat 1
/// asked for.
#[test]
fn the_first_game_has_the_sides_that_were_asked_for() {
    for (game, side) in [(Game::Zeno, Side::White), (Game::Tablut, Side::Black)] {
        let colours = Colours::SeatOne(side);
        let mut table = Table::new(Terms { colours, ..terms(Variant::standard(game)) }, 2);
        table.turn();
        table.resign(PlayingSeat::One, false);
        let mut record = table.record();
        assert_eq!(of_json(&record, &[]).code, Some(0));
        let start = at(&record, starts(1));
        if let EventKind::GameStarted { sides, .. } = &mut record.events[start].kind {
            std::mem::swap(&mut sides.one, &mut sides.two);
        }
        for said in [of_json(&record, &[]), of_text(&write(&record), &[])] {
            assert_eq!((said.code, said.reasons()), (Some(1), vec!["lot"]), "{said:?}");
        }
    }
}

/// A number that stands twice names the throw that is false, not the first of that number.
#[test]
fn a_false_throw_is_named_by_its_place() {
    let mut record = finished(Game::Zeno, 2);
    let mut thrown = record.events.iter_mut().filter_map(|event| match &mut event.kind {
        EventKind::Thrown { throw, dice, .. } => Some((event.seq, throw, dice)),
        _ => None,
    });
    let (_, first, _) = thrown.next().unwrap();
    let number = *first;
    let (seq, throw, dice) = thrown.nth(4).unwrap();
    *throw = number;
    for die in dice {
        *die = other(*die);
    }
    let said = of_json(&record, &[]);
    assert!(
        said.falsehoods.iter().any(|line| line.starts_with(&format!("die: game 1 (event {seq}): "))),
        "{said:?}"
    );
}

#[test]
fn a_hundred_faults_are_told_and_the_rest_counted() {
    let text = write(&finished(Game::Tablut, 2));
    let end = text.lines().find(|line| line.starts_with("game 1 ends")).unwrap();
    let said = of_text(&text.replace(end, &format!("{end}\n").repeat(152)), &[]);
    assert_eq!(said.falsehoods.len(), 101);
    // The last line counts fewer.
    assert_eq!(said.falsehoods[100], "and 52 more");
}

#[test]
fn true_records_of_all_that_can_happen_contradict_themselves_nowhere() {
    for game in Game::ALL {
        for number in 0..4 {
            let record = random_match(game, number).record();
            for said in [of_json(&record, &[]), of_text(&write(&record), &[])] {
                assert_eq!(said.falsehoods, Vec::<String>::new(), "{game} {number}");
            }
        }
    }
}
