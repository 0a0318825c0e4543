//! Findings from invented games, and from a few played ones.

use lusoria_rules::{Die, Game, History, Position, Setup, Step};
use lusoria_search::{Decision, Stakes};
use serde_json::json;

use super::{
    incidents::{Count, incidents},
    luck::ThrowChances,
    *,
};

fn position(game: Game, setup: serde_json::Value) -> Position {
    let setup: Setup = serde_json::from_value(setup).expect("a position as written");
    Position::from_setup(Variant::standard(game), &setup).expect("a sound position")
}

fn dice(values: &[u8]) -> Vec<Die> {
    values.iter().map(|&value| Die::new(value).expect("on a die")).collect()
}

/// The incidents of a turn in notation.
fn happens(position: Position, thrown: &[u8], notation: &str) -> Vec<(Incident, u32)> {
    let (dice, history) = (dice(thrown), History::start(&position));
    let mut turn = position.turn(&dice).expect("a throw of the game");
    let steps: Vec<Step> = turn.parse(notation).expect(notation);
    for step in &steps {
        turn.play(step).expect(notation);
    }
    let end = turn.end(&history).expect(notation);
    incidents(&Decision { position, dice: &dice, history: &history, stakes: Stakes::Game }, &steps, &end)
}

#[test]
fn hits_and_blocks_are_counted_when_they_come_about() {
    let tabula = |white: serde_json::Value, black: serde_json::Value| {
        position(Game::Tabula, json!({"white": white, "black": black, "to_move": "white"}))
    };
    let four = json!({"points": {"1": 2, "2": 2, "3": 2, "4": 2, "5": 1, "6": 2}, "supply": 4});
    let black = json!({"points": {"13": 1, "14": 1, "1": 2}, "supply": 11});
    // The piece that hits leaves another one behind, which holds nothing.
    let found = happens(tabula(four, black.clone()), &[5, 5, 6], "supply/5(4) 6/12*");
    assert_eq!(found, [(Incident::Hit, 1), (Incident::PrimeOfFive, 1)]);
    // The fifth cell joins four and one: six at once.
    let gap =
        json!({"points": {"1": 2, "2": 2, "3": 2, "4": 2, "5": 1, "6": 2}, "supply": 1, "off": 0, "bar": 3});
    let found = happens(tabula(gap, black.clone()), &[5, 1, 2], "bar/5 bar/1 bar/2");
    assert_eq!(found, [(Incident::PrimeOfFive, 1), (Incident::PrimeOfSix, 1)]);
    let held = json!({"points": {"1": 2, "2": 2, "3": 2, "4": 2, "5": 2, "6": 2}, "supply": 3});
    let found = happens(tabula(held, black), &[1, 2, 3], "supply/1 supply/2 supply/3");
    assert_eq!(found, [], "the block was there before");
}

#[test]
fn one_piece_that_pins_holds_its_cell() {
    let position = position(
        Game::Tavla,
        json!({
            "white": {"points": {"12": 2, "11": 2, "10": 2, "9": 2, "13": 7}},
            // Black's 17 is White's 8.
            "black": {"points": {"17": 1, "6": 14}},
            "to_move": "white",
        }),
    );
    let found = happens(position, &[5, 2], "13/8^ 13/11");
    assert_eq!(found, [(Incident::Pin, 1), (Incident::PrimeOfSix, 1)], "five were held already, with 13");
}

#[test]
fn calls_and_captures_are_those_of_the_rules() {
    let tablut =
        |board: &str, to_move: &str| position(Game::Tablut, json!({"board": board, "to_move": to_move}));
    let found = happens(tablut("3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3", "black"), &[], "e8-g8");
    assert_eq!(found, []);
    // The king goes to c6, where there is one way out; to c7, where there are two (rules/tablut.md).
    let open = "3ttt3/4t4/3T5/t2KT3t/ttTT1TTtt/t3T3t/4T4/4t4/3ttt3";
    assert_eq!(happens(tablut(open, "white"), &[], "d6-c6"), [(Incident::Raichi, 1)]);
    let open = "3ttt3/4t4/3KT4/t3T3t/ttTT1TTtt/t3T3t/4T4/4t4/3ttt3";
    assert_eq!(happens(tablut(open, "white"), &[], "d7-c7"), [(Incident::Tuichu, 1)]);
    let taken = "3t1t3/4t4/3tT4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3";
    assert_eq!(happens(tablut(taken, "black"), &[], "f9-f7xe7"), [(Incident::Capture, 1)]);
}

/// White bears off the last piece from 6 in 27 of 36 throws; if not, Black does it next.
#[test]
fn luck_is_the_chance_after_a_throw_less_that_before_it() {
    let position = position(
        Game::Tavla,
        json!({
            "white": {"points": {"6": 1}, "off": 14},
            "black": {"points": {"1": 1}, "off": 14},
            "to_move": "white",
        }),
    );
    let (throws, history) = (play::throws(Game::Tavla), History::start(&position));
    for (thrown, opening, expected) in
        [([6, 5], false, 0.25), ([1, 2], false, -0.75), ([2, 2], false, 0.25), ([6, 5], true, 8.0 / 30.0)]
    {
        let dice = dice(&thrown);
        let decision = Decision { position, dice: &dice, history: &history, stakes: Stakes::Game };
        let chances = ThrowChances::of(&decision, &throws, opening);
        assert!((chances.luck() - expected).abs() < 1e-6, "{thrown:?}: {}", chances.luck());
        let known = chances.worths().flatten().count();
        assert_eq!(known, if opening { 15 } else { 21 }, "an opening throw is no double");
    }
}

/// A game in which White hits twice, then Black once, if there is a winner.
fn course(white: f64, points: u8, turns: u32, luck: f64) -> Course {
    let mut hits = Count::default();
    hits.add(Side::White, 2);
    hits.add(Side::Black, 1);
    let hits = if points > 0 { hits } else { Count::default() };
    Course {
        end: "borne_off",
        white,
        points,
        first: Side::White,
        turns,
        passes: 1,
        luck,
        luck_squares: 0.0,
        expected: Vec::new(),
        worths: vec![throws::Worth::default(); 56],
        incidents: Incident::in_game(Variant::Tabula).iter().map(|&incident| (incident, hits)).collect(),
        decided_by: None,
        fingerprint: u64::from(turns),
    }
}

fn study(game: Game, games: u32, threads: usize) -> Study {
    Study {
        variant: Variant::standard(game),
        games,
        budget: Some(Budget { nodes: 100 }),
        seed: 7,
        turns_max: 200,
        threads: NonZeroUsize::new(threads).expect("at least one"),
    }
}

#[test]
fn made_up_games_are_summed_up() {
    let mut courses: Vec<Course> = (1..=60).map(|turns| course(1.0, 1, turns, 0.25)).collect();
    courses.extend((61..=80).map(|turns| course(0.0, 1, turns, -0.75)));
    courses.extend((81..=100).map(|_| course(0.5, 0, 100, -0.25)));
    let found = Findings::of(&study(Game::Tabula, 100, 1), &courses);
    assert_eq!((found.games, found.distinct), (100, 81));
    assert_eq!(found.white, Score { wins: 60, draws: 20, losses: 20 });
    assert!((found.white_share.share - 0.7).abs() < 1e-9 && (found.drawn.share - 0.2).abs() < 1e-9);
    assert_eq!((found.first_share, found.double), (None, None), "White begins, and no win counts double");
    let Lengths { p5, median, p95, .. } = found.turns;
    assert_eq!((p5.value, median.value, p95.value), (5.0, 50.0, 100.0));
    assert!(median.interval.low < 50.0 && median.interval.high > 50.0, "{median:?}");
    // Without luck every game is worth 0.75: luck explains everything.
    let without = found.white_without_luck.expect("a game with dice");
    assert!((without.value - 0.75).abs() < 1e-9 && without.interval.high - without.interval.low < 1e-9);
    assert!((found.luck.expect("a game with dice").explained.value - 1.0).abs() < 1e-9);
    let lead = found.leads[2];
    // The variance of the score is (60·0.3² + 20·0.2² + 20·0.7²)/99.
    assert!((lead.games.value - 1.644_853_627_f64.powi(2) * 16.0 / 99.0 / 0.0025).abs() < 1e-6, "{lead:?}");
    assert!(lead.without_luck.expect("with dice").value < 1e-9);
    let hits = found.incidents[0];
    assert_eq!(hits.incident, Incident::Hit);
    assert!((hits.per_game.value - 2.4).abs() < 1e-9 && (hits.games.share - 0.8).abs() < 1e-9);
    let first = hits.first.expect("White hits first in eighty games");
    assert_eq!((first.games, first.scored.share.to_bits()), (80, 0.75_f64.to_bits()));
    assert!((first.more_than_usual.value - 0.05).abs() < 1e-9, "White scores 0.7 in all games");
    assert_eq!(hits.more, Some(first), "White hits more often, too");
}

#[test]
fn rare_incidents_have_no_winners() {
    let mut courses: Vec<Course> = (0..50).map(|turns| course(0.5, 0, turns, 0.0)).collect();
    courses.extend((50..59).map(|turns| course(1.0, 1, turns, 0.0)));
    let found = Findings::of(&study(Game::Tabula, 59, 1), &courses);
    assert_eq!((found.incidents[0].first, found.incidents[0].more), (None, None));
}

#[test]
fn a_call_decides_when_the_king_escapes_with_the_next_move() {
    let called = position(
        Game::Tablut,
        json!({"board": "3ttt3/4t4/3KT4/t3T3t/ttTT1TTtt/t3T3t/4T4/4t4/3ttt3", "to_move": "white"}),
    );
    for (moves, expected) in [
        (&["d7-c7", "e8-f8", "c7-c9"], Some(Incident::Tuichu)),
        (&["d7-d8", "i6-i7", "d8-a8"], Some(Incident::Raichi)),
        (&["d7-c7", "e8-f8", "c7-b7"], None),
    ] {
        let mut observer = course::Observer::new(&[], Incident::in_game(called.variant()));
        let (mut position, history) = (called, History::start(&called));
        for notation in moves {
            let mut turn = position.turn(&[]).expect("no dice");
            let steps = turn.parse(notation).expect(notation);
            turn.play(&steps[0]).expect(notation);
            let end = turn.end(&history).expect(notation);
            let decision = Decision { position, dice: &[], history: &history, stakes: Stakes::Game };
            observer.look(&decision, &steps, &end);
            position = end.position;
        }
        assert_eq!(observer.looked().decided_by, expected, "{moves:?}");
        assert_eq!((observer.looked().turns, observer.looked().first), (3, Side::White));
    }
}

#[test]
fn the_same_study_finds_the_same_with_any_number_of_threads() {
    for game in [Game::Tavla, Game::Tablut] {
        let found = |threads| {
            let mut told = Vec::new();
            let found =
                find(&study(game, 3, threads), &AtomicBool::new(false), |progress| told.push(progress.games));
            assert_eq!(told, [1, 2, 3]);
            let found = found.expect("played to the end");
            format!("{:?}", Findings { elapsed_s: 0.0, ..found })
        };
        assert_eq!(found(1), found(3), "{game}");
    }
}

#[test]
fn throws_are_worth_nothing_on_average() {
    let found = find(&study(Game::Tavla, 4, 2), &AtomicBool::new(false), |_| {}).expect("played to the end");
    assert_eq!((found.throws.len(), found.kinds.len()), (21, 2));
    let mean: f64 = found.kinds.iter().map(|kind| kind.chance * kind.worth.value).sum();
    // Except for opening throws, some of which are impossible.
    assert!(mean.abs() < 2e-3, "{mean}");
    let [best, .., worst] = &found.throws[..] else { panic!("there are many") };
    assert!(best.worth.value > 0.0 && worst.worth.value < 0.0, "{best:?}, {worst:?}");
    let double = found.kinds[1];
    assert_eq!(double.kind, ThrowKind::Double);
    assert!((double.chance - 1.0 / 6.0).abs() < 1e-6 && double.worth.value > 0.0, "{double:?}");
}

#[test]
fn every_throw_was_expected_to_come_to_something() {
    let asked = study(Game::Tavla, 4, 2);
    let courses = play_all(&asked, &AtomicBool::new(false), |_| {}).expect("played to the end");
    for course in &courses {
        assert_eq!(course.expected_and_scored().count(), course.turns as usize);
        // The last one is the first throw of the game.
        let (_, scored) = course.expected_and_scored().last().expect("a game has turns");
        assert!((scored - course.first_without_luck()).abs() < 1e-9, "{scored}");
    }
    let told: u64 = Findings::of(&asked, &courses).calibration.iter().map(|bucket| bucket.turns).sum();
    assert_eq!(told, courses.iter().map(|course| u64::from(course.turns)).sum::<u64>());
    let without_dice = find(&study(Game::Tablut, 2, 2), &AtomicBool::new(false), |_| {});
    assert!(without_dice.expect("played to the end").calibration.is_empty());
}

#[test]
fn a_study_that_is_stopped_finds_nothing() {
    assert_eq!(find(&study(Game::Zeno, 100, 2), &AtomicBool::new(true), |_| {}), None);
}

#[test]
fn expectations_are_compared_with_the_score_minus_later_luck() {
    let expected = |side, chance, luck| course::Expected { side, chance, luck };
    let turns = vec![expected(Side::White, 0.6, 0.1), expected(Side::Black, 0.2, -0.15)];
    let white_won = Course { expected: turns, ..course(1.0, 1, 2, 0.25) };
    let found: Vec<(f64, f64)> = white_won.expected_and_scored().collect();
    // Black's throw was 0.15 below the mean and Black lost: without luck they had 0.15. White had the rest,
    // minus the earlier luck.
    let close = |(a, b): &(f64, f64), (c, d): (f64, f64)| (a - c).abs() < 1e-9 && (b - d).abs() < 1e-9;
    assert!(close(&found[0], (0.2, 0.15)) && close(&found[1], (0.6, 0.75)), "{found:?}");
}
