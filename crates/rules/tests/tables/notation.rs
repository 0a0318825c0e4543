//! Turns as text.

use lusoria_rules::{
    Game,
    tables::{Position, Turn},
};

use crate::support::{rules, set, step, turn};

fn steps(turn: &Turn, text: &str) -> Result<Vec<String>, String> {
    let steps = turn.parse(text).map_err(|error| error.to_string())?;
    Ok(steps.iter().map(|step| format!("{} {}/{}", step.die.unwrap(), step.from, step.to)).collect())
}

#[test]
fn a_turn_is_written_as_in_backgammon() {
    let mut hits = turn(set(rules(Game::Tabula), "bar 9 supply*13", "20 supply*14"), &[5, 2, 3]);
    for (die, from, to) in [(5, "bar", "5"), (2, "9", "11"), (3, "supply", "3")] {
        hits.play(&step(die, from, to)).unwrap();
    }
    assert_eq!(hits.write(), "bar/5* 9/11 supply/3");
    let mut pins = turn(set(rules(Game::Tavla), "24*15", "5 24*14"), &[4, 4]);
    for _ in 0..2 {
        pins.play(&step(4, "24", "20")).unwrap();
    }
    for _ in 0..2 {
        pins.play(&step(4, "20", "16")).unwrap();
    }
    assert_eq!(pins.write(), "24/20^ 24/20 20/16(2)");
    let mut off = turn(set(rules(Game::Tavla), "6*2 3*13", "18*15"), &[6, 3]);
    off.play(&step(6, "6", "off")).unwrap();
    assert_eq!(off.write(), "6/off");
}

#[test]
fn a_pass_is_written_and_read() {
    let lost = turn(set(rules(Game::Scripta), "supply*15", "A4*2 A5*2 supply*11"), &[4, 5]);
    assert_eq!(lost.write(), "pass");
    assert_eq!(steps(&lost, "pass"), Ok(vec![]));
    let start = turn(Position::start(rules(Game::Tavla)), &[1, 2]);
    assert_eq!(start.write(), "");
    assert_eq!(steps(&start, "pass"), Err("the turn does not pass: a die can be played".to_owned()));
}

#[test]
fn notation_as_people_write_it_is_read() {
    let tavla = turn(Position::start(rules(Game::Tavla)), &[6, 5]);
    for text in ["24/18 18/13", "24/18/13", "24/13", " 24/18, 18/13 "] {
        let read = steps(&tavla, text).unwrap();
        assert!(
            read == ["6 24/18", "5 18/13"] || (text == "24/13" && read == ["5 24/19", "6 19/13"]),
            "{text}"
        );
    }
    let doubles = turn(Position::start(rules(Game::Tavla)), &[2, 2]);
    assert_eq!(steps(&doubles, "24/22(2) 22/20(2)").unwrap().len(), 4);
    assert_eq!(steps(&doubles, "24/20(2)").unwrap(), ["2 24/22", "2 22/20", "2 24/22", "2 22/20"]);
    let scripta = turn(set(rules(Game::Scripta), "A1*15", "A2*15"), &[5, 6]);
    assert_eq!(steps(&scripta, "a1/a6/a12").unwrap(), ["5 A1/A6", "6 A6/A12"]);
    let zeno = turn(set(rules(Game::Zeno), "m4 20*14 exposed", "5 supply*14"), &[2, 6, 1]);
    assert!(steps(&zeno, "m4/5").is_err(), "a sheltered blot");
    assert_eq!(steps(&zeno, "M4/9").unwrap(), ["6 m4/9"]);
}

#[test]
fn a_larger_die_is_taken_where_the_exact_one_is_needed_elsewhere() {
    // 5/off by the 6, because the 5 is needed for the other.
    let turn = turn(set(rules(Game::Tavla), "5*2 off*13", "18*15"), &[5, 6]);
    assert_eq!(steps(&turn, "5/off(2)").unwrap(), ["5 5/off", "6 5/off"]);
}

#[test]
fn unreadable_notation_is_refused_with_a_reason() {
    let tavla = turn(set(rules(Game::Tavla), "24*15", "7*2 5 24*12"), &[6, 4]);
    for (text, why) in [
        ("24", "\"24\" is not a step such as 24/18, bar/5*, supply/3, 6/off or 13/8(2)"),
        ("24-20", "\"24-20\" is not a step such as 24/18, bar/5*, supply/3, 6/off or 13/8(2)"),
        ("bar/20", "\"bar/20\" is not a step such as 24/18, bar/5*, supply/3, 6/off or 13/8(2)"),
        ("24/20(x)", "\"24/20(x)\" is not a step such as 24/18, bar/5*, supply/3, 6/off or 13/8(2)"),
        ("24/20(99)", "a turn has at most 12 steps"),
        ("24/18", "\"24/18\": 18 is blocked by 2 black pieces"),
        ("24/23", "\"24/23\": there is no 1 left among your dice"),
        ("20/24", "\"20/24\": none of the dice left lead there"),
        ("24/20^ 20/12", "\"20/12\": none of the dice left lead there"),
        ("24/20*", "\"24/20*\" does not hit or pin a piece as its mark says"),
    ] {
        assert_eq!(steps(&tavla, text), Err(why.to_owned()), "{text}");
    }
    assert_eq!(steps(&tavla, "24/20^/14").unwrap(), ["4 24/20", "6 20/14"]);
}

#[test]
fn no_text_breaks_the_reader() {
    let start = turn(Position::start(rules(Game::Zeno)), &[1, 1, 1]);
    for text in
        ["/", "//", "(", ")", "()", "*", "24/", "/24", "supply/1(12)(12)", "é/1", "supply/1(-1)", "off/1"]
    {
        assert!(start.parse(text).is_err(), "{text}");
    }
    assert_eq!(start.parse("supply/1(12)").unwrap().len(), 12);
    assert_eq!(start.parse("").unwrap().len(), 0);
    assert!(start.parse(&"supply/1 ".repeat(10_000)).is_err());
}
