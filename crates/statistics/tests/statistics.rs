//! The counts of matches, and the statistics from them.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use lusoria_play::{Admission, Event, Recorded, Seat, TakenStep};
use lusoria_protocol::{ClockPace, GameEnd, PlayersKind, SideName};
use lusoria_rules::{Die, Game, Shift, Side, Variant};
use lusoria_statistics::{
    COLUMNS, Counts, DEFINITIONS, Key, Measure, OPENING_GAMES_MIN, Players, canonical, csv, of_match,
    summary, told,
};
use lusoria_testkit::{Table, terms};
use proptest::prelude::*;

fn finished(game: Game, number: u64) -> Table {
    let mut table = Table::new(terms(Variant::standard(game)), number);
    table.play_out();
    table
}

fn counts(table: &Table) -> Counts {
    of_match(table.journal()).expect("it is counted").counts
}

/// The sum of the counts with these keys.
fn sum(counts: &Counts, is_meant: impl Fn(&Key) -> bool) -> u64 {
    counts.iter().filter(|(key, _)| is_meant(key)).map(|(_, count)| count).sum()
}

fn of(measure: Measure) -> impl Fn(&Key) -> bool {
    move |key| key.measure == measure
}

/// Games of 20 matches of each game, counted from the events alone.
#[test]
fn counts_are_those_of_the_events() {
    for game in Game::ALL {
        let mut all = Counts::default();
        let mut seen = BTreeMap::<&str, u64>::new();
        for number in 0..20 {
            let table = finished(game, number);
            all.extend(counts(&table));
            for Recorded { event, .. } in table.journal() {
                let name = match event {
                    Event::Thrown { .. } => "thrown",
                    Event::OpeningThrown { .. } => "opening",
                    Event::Turned { .. } => "turned",
                    Event::Passed { .. } => "passed",
                    Event::GameEnded { .. } => "game",
                    _ => "other",
                };
                *seen.entry(name).or_default() += 1;
            }
        }
        let seen = |name| seen.get(name).copied().unwrap_or(0);
        assert_eq!(sum(&all, of(Measure::Match)), 20, "{game}");
        assert_eq!(sum(&all, of(Measure::Game)), seen("game"), "{game}");
        assert_eq!(sum(&all, of(Measure::Length)), seen("game"), "{game}");
        assert_eq!(sum(&all, of(Measure::Throw)), seen("thrown"), "{game}");
        assert_eq!(sum(&all, of(Measure::OpeningThrow)), seen("opening"), "{game}");
        assert_eq!(sum(&all, of(Measure::Turn)), seen("turned") + seen("passed"), "{game}");
        assert_eq!(sum(&all, of(Measure::Time)), seen("turned"), "{game}");
        let turns: u64 = all
            .iter()
            .filter(|(key, _)| key.measure == Measure::Length)
            .map(|(key, count)| key.value.parse::<u64>().unwrap() * count)
            .sum();
        assert_eq!(turns, seen("turned") + seen("passed"), "{game}");
        let openings = sum(&all, of(Measure::Opening));
        assert_eq!(openings, if game == Game::Tablut { 4 * seen("game") } else { seen("game") }, "{game}");
        assert_eq!(sum(&all, of(Measure::Taken)), 2 * seen("game"), "{game}");
    }
}

/// The counts of a match of each game.
fn of_each_game() -> String {
    let rows = |game| counts(&finished(game, 3)).rows().into_iter().map(move |row| (game, row));
    let lines =
        Game::ALL.into_iter().flat_map(rows).map(|(game, (key, count))| format!("{game},{key},{count}\n"));
    lines.collect()
}

fn golden_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/definitions-{DEFINITIONS}.csv"))
}

/// The numbers must not change unless [`DEFINITIONS`] does; otherwise a server would add numbers of two
/// kinds.
#[test]
fn the_numbers_are_those_of_their_definitions() {
    assert_eq!(of_each_game(), std::fs::read_to_string(golden_file()).unwrap());
}

#[test]
#[ignore = "writes what the definitions come to, once for each"]
fn write_what_the_definitions_come_to() {
    std::fs::write(golden_file(), of_each_game()).unwrap();
}

#[test]
fn a_match_without_turns_is_not_counted() {
    let standard = terms(Variant::standard(Game::Tavla));
    let mut live = Table::new(standard, 1);
    assert_eq!(of_match(live.journal()), None, "it goes on");
    live.abort(Seat::One);
    assert_eq!(of_match(live.journal()), None, "no turn was played");
    let mut alone = Table::new(standard, 2);
    alone.play_out();
    let mut journal = alone.journal().to_vec();
    let Event::Created { terms, .. } = &mut journal[0].event else { unreachable!("the first event") };
    terms.admission = Admission::BothSeats;
    assert_eq!(of_match(&journal), None, "one person had both seats");
    assert_eq!(of_match(&[]), None);
}

#[test]
fn an_aborted_match_has_turns_but_no_result() {
    let mut table = Table::new(terms(Variant::standard(Game::Zeno)), 1);
    table.turn();
    table.abort(Seat::Two);
    let counts = counts(&table);
    assert_eq!(sum(&counts, |key| key.measure == Measure::Match && key.kind == "aborted"), 1);
    assert_eq!(sum(&counts, |key| key.measure == Measure::Game && key.kind == "aborted"), 1);
    assert_eq!(sum(&counts, of(Measure::Length)) + sum(&counts, of(Measure::Opening)), 0);
    assert!(sum(&counts, of(Measure::Turn)) >= 1 && sum(&counts, of(Measure::Throw)) >= 1);
    let told = &summary(Game::Zeno, &counts, 0).tables[0];
    assert_eq!((told.matches_aborted, told.games, told.games_aborted), (1, 0, 1));
    assert_eq!((told.results.len(), &told.lengths), (0, &None));
}

#[test]
fn games_that_end_early_have_no_length_by_the_rules() {
    let mut table = Table::new(terms(Variant::standard(Game::Scripta)), 1);
    for _ in 0..6 {
        table.turn();
    }
    table.resign(Seat::One, true);
    let counts = counts(&table);
    assert_eq!(sum(&counts, |key| key.measure == Measure::Length && key.kind == "other"), 1);
    assert_eq!(sum(&counts, of(Measure::Taken)), 0);
    let told = &summary(Game::Scripta, &counts, 0).tables[0];
    assert_eq!((told.games, &told.lengths), (1, &None));
    assert_eq!(told.results[0].reason, GameEnd::Resigned);
}

/// Repeated throws are counted once; turns that do not count are not counted.
#[test]
fn a_turn_taken_back_counts_once() {
    let standard = terms(Variant::standard(Game::Tabula));
    let mut table = Table::against_computer(standard, 5);
    for _ in 0..12 {
        table.turn();
    }
    table.take_back();
    table.play_out();
    let counts = counts(&table);
    let throws: std::collections::BTreeSet<u32> = table
        .journal()
        .iter()
        .filter_map(|recorded| match recorded.event {
            Event::Thrown { throw, .. } => Some(throw),
            _ => None,
        })
        .collect();
    assert_eq!(sum(&counts, of(Measure::Throw)), throws.len() as u64);
    let played = sum(&counts, |key| key.measure == Measure::Turn && key.kind == "played");
    assert_eq!(played, u64::from(table.state().turns()));
    assert!(counts.iter().all(|(key, _)| key.players == Players::Computer));
    let people = sum(&counts, of(Measure::Time));
    assert!(people < played, "the computer's time is not counted, nor that of a turn that was given again");
}

#[test]
fn options_and_players_are_told_apart() {
    let mut all = Counts::default();
    for (shift, number) in [(Shift::Throw, 1), (Shift::Die, 2), (Shift::Throw, 3)] {
        let mut table = Table::new(terms(Variant::Zeno { shift }), number);
        table.play_out();
        all.extend(counts(&table));
    }
    let mut table = Table::against_computer(terms(Variant::standard(Game::Zeno)), 4);
    table.play_out();
    all.extend(counts(&table));
    let told = summary(Game::Zeno, &all, 7);
    let tables: Vec<_> = told
        .tables
        .iter()
        .map(|table| (table.options.shift.unwrap(), table.standard, table.players, table.games))
        .collect();
    let expected = [
        (Shift::Throw, true, PlayersKind::People, 2),
        (Shift::Throw, true, PlayersKind::Computer, 1),
        (Shift::Die, false, PlayersKind::People, 1),
    ];
    assert_eq!((tables.as_slice(), told.waiting), (expected.as_slice(), 7));
}

#[test]
fn a_table_adds_up() {
    for game in Game::ALL {
        let mut all = Counts::default();
        (0..40).for_each(|number| all.extend(counts(&finished(game, number))));
        let told = summary(game, &all, 0);
        let [table] = told.tables.as_slice() else { panic!("one table") };
        assert_eq!(table.games, 40);
        assert_eq!(table.results.iter().map(|result| result.games.count).sum::<u64>(), 40);
        assert_eq!(table.sides.iter().map(|side| side.won.count).sum::<u64>() + table.drawn.count, 40);
        let lengths = table.lengths.as_ref().unwrap();
        assert_eq!(lengths.histogram.iter().map(|of| of.count).sum::<u64>(), lengths.games);
        assert!(lengths.p5 <= lengths.p25 && lengths.p25 <= lengths.median && lengths.median <= lengths.p75);
        let names: Vec<SideName> = table.sides.iter().map(|side| side.side).collect();
        if game == Game::Tablut {
            assert_eq!(names, [SideName::Defenders, SideName::Attackers]);
            assert_eq!(table.throws, []);
            assert_eq!(table.openings[0].plies, 1);
            assert!(table.openings.iter().all(|opening| opening.first == SideName::Attackers));
        } else {
            assert_eq!(names, [SideName::White, SideName::Black]);
            for throws in &table.throws {
                let expected: f64 = throws.dice.iter().map(|of| of.expected).sum();
                let thrown: u64 = throws.dice.iter().map(|of| of.count).sum();
                assert_eq!(throws.alike.of, thrown);
                assert!((expected - f64::from(u32::try_from(thrown).unwrap())).abs() < 1e-6);
                // The dice of the tests are as fair as those of the server.
                assert!(throws.p.is_none_or(|p| p > 1e-6), "{game}: {throws:?}");
            }
        }
        assert_eq!(table.times[0].clock, ClockPace::None);
    }
}

#[test]
fn rare_openings_are_not_listed() {
    let opening = |value: &str, side| Key {
        options: "mother=play_on".to_owned(),
        players: Players::People,
        measure: Measure::Opening,
        side,
        first: Some(Side::White),
        kind: "6-5".to_owned(),
        value: value.to_owned(),
    };
    let mut counts = Counts::default();
    counts.add(opening("1/12", Some(Side::White)), OPENING_GAMES_MIN - 1);
    counts.add(opening("1/7 1/6", Some(Side::White)), 1);
    counts.add(opening("1/7 1/6", Some(Side::Black)), 1);
    counts.add(opening("1/7 1/6", None), OPENING_GAMES_MIN - 2);
    let told = &summary(Game::Tavla, &counts, 0).tables[0].openings;
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].moves.as_str(), told[0].won.count, told[0].drawn), ("1/7 1/6", 1, 1));
    assert_eq!((told[0].games.count, told[0].games.of), (OPENING_GAMES_MIN, 2 * OPENING_GAMES_MIN - 1));
    assert_eq!(told[0].dice, [Die::new(6).unwrap(), Die::new(5).unwrap()]);
    let csv = csv(Game::Tavla, &counts);
    let lines: Vec<&str> = csv.split("\r\n").collect();
    assert_eq!(lines[0], COLUMNS);
    assert_eq!(lines[1], "tavla,mother=play_on,people,opening,,white,6-5,1/7 1/6,1");
    assert_eq!(lines.len(), 5, "three rows and an empty line after the last");
    assert!(!csv.contains("1/12"));
}

#[test]
fn a_turn_is_told_by_what_it_does() {
    let turn = |steps: &[(&str, &str)]| {
        let taken = |&(from, to): &(&str, &str)| TakenStep {
            die: None,
            from: from.to_owned(),
            to: to.to_owned(),
            hit: false,
            pin: false,
            captures: Vec::new(),
        };
        told(&steps.iter().map(taken).collect::<Vec<_>>())
    };
    assert_eq!(turn(&[("24", "18"), ("18", "13")]), "24/13");
    assert_eq!(turn(&[("24", "19"), ("19", "13")]), "24/13");
    assert_eq!(turn(&[("supply", "6"), ("supply", "5")]), turn(&[("supply", "5"), ("supply", "6")]));
    assert_eq!(turn(&[("24", "20"), ("24", "20"), ("20", "16")]), "24/16 24/20");
    assert_eq!(turn(&[]), "pass");
}

/// The turns of every game, whatever the names of its cells, and any text in a key.
#[test]
fn keys_are_read_as_they_are_written() {
    for game in Game::ALL {
        let counts = counts(&finished(game, 11));
        assert_eq!(Counts::from_rows(counts.rows()).as_ref(), Ok(&counts), "{game}");
        assert!(counts.iter().all(|(key, _)| key.to_string().matches(',').count() == 6), "{game}");
    }
    for wrong in
        ["", "a,people,game,,,x", "a,people,game,,,x,1,2", "a,nobody,game,,,x,1", "a,people,game,red,,x,1"]
    {
        assert!(wrong.parse::<Key>().is_err(), "{wrong}");
    }
}

proptest! {
    /// Otherwise two servers, or a server and a rebuild, could have different numbers.
    #[test]
    fn counts_can_be_added_in_any_order(order in Just((0..12_u64).collect::<Vec<_>>()).prop_shuffle(), cut in 0..12_usize) {
        let all: Vec<Counts> = (0..12).map(|number| counts(&finished(Game::Tavla, number))).collect();
        let add = |numbers: &[u64]| {
            let mut sum = Counts::default();
            for number in numbers {
                sum.extend(all[usize::try_from(*number).unwrap()].clone());
            }
            sum
        };
        let in_order = add(&(0..12).collect::<Vec<_>>());
        let mut parts = add(&order[cut..]);
        parts.extend(add(&order[..cut]));
        prop_assert_eq!(parts, in_order);
    }

    #[test]
    fn an_opening_looks_the_same_from_all_sides(
        moves in prop::collection::vec((0..9_u8, 0..9_u8, 0..9_u8, 0..9_u8), 1..4),
    ) {
        let name = |file: u8, rank: u8| format!("{}{}", char::from(b'a' + file), rank + 1);
        let written = |turn: fn((u8, u8)) -> (u8, u8)| {
            let cell = |file, rank| { let (file, rank) = turn((file, rank)); name(file, rank) };
            let moves: Vec<_> = moves.iter().map(|&(a, b, c, d)| (cell(a, b), cell(c, d))).collect();
            canonical(&moves, 9).unwrap()
        };
        let as_played = written(|cell| cell);
        prop_assert_eq!(&written(|(file, rank)| (8 - file, rank)), &as_played);
        prop_assert_eq!(&written(|(file, rank)| (file, 8 - rank)), &as_played);
        prop_assert_eq!(&written(|(file, rank)| (rank, file)), &as_played);
        prop_assert_eq!(&written(|(file, rank)| (8 - rank, file)), &as_played);
        let other = canonical(&[("z9".to_owned(), "a1".to_owned())], 9);
        prop_assert_eq!(other, None);
    }
}
