//! Targets of a piece by several dice, and turns without a choice.

use lusoria_rules::{Game, Step, tables::Turn};

use crate::support::{rules, set, step, turn};

/// `["24/18/12", …]`.
fn ways(turn: &Turn) -> Vec<String> {
    let stops = |steps: &Vec<Step>| {
        let places = [&steps[0].from].into_iter().chain(steps.iter().map(|step| &step.to));
        places.map(String::as_str).collect::<Vec<_>>().join("/")
    };
    turn.reach().iter().map(stops).collect()
}

#[test]
fn a_piece_moves_on_with_the_dice_left() {
    let zeno = set(rules(Game::Zeno), "12 19*14 exposed", "1*15 exposed");
    assert_eq!(
        ways(&turn(zeno, &[1, 2, 5])),
        ["12/13/15", "12/13/18", "12/14/19", "12/13/15/20", "19/20/22"]
    );
    let tavla = set(rules(Game::Tavla), "24*15", "24*15");
    assert_eq!(ways(&turn(tavla, &[6, 6])), ["24/18/12", "24/18/12/6"]);
    let start = lusoria_rules::tables::Position::start(rules(Game::Tabula));
    assert_eq!(ways(&turn(start, &[3, 3, 1])).last().unwrap(), "supply/1/4/7/10/13");
}

#[test]
fn the_order_that_hits_least_is_shown() {
    for (black, way) in
        [("17 1*14", "7/9/10"), ("16 1*14", "7/8/10"), ("17 16 1*13", "7/8/10"), ("1*15", "7/8/10")]
    {
        let position = set(rules(Game::Tabula), "7 2*14", black);
        let ways = ways(&turn(position, &[1, 2, 6]));
        let there: Vec<_> = ways.iter().filter(|way| way.starts_with("7/") && way.ends_with("/10")).collect();
        assert_eq!(there, [way], "Black on {black}");
    }
}

#[test]
fn a_way_that_would_waste_a_die_is_not_shown() {
    // Only the first piece can play the 6, and not from 8.
    let position = set(rules(Game::Tabula), "5 20 off*13", "11*2 1*13");
    assert_eq!(ways(&turn(position, &[1, 2, 6])), ["5/6/12", "5/7/13", "20/21/23"]);
}

#[test]
fn entering_leaves_no_choice() {
    let start = turn(lusoria_rules::tables::Position::start(rules(Game::Zeno)), &[6, 2, 5]);
    let forced = [step(2, "supply", "2"), step(5, "supply", "5"), step(6, "supply", "6")];
    assert_eq!(start.forced().as_deref(), Some(&forced[..]));
    let mut begun = start;
    begun.play(&forced[1]).unwrap();
    assert_eq!(begun.forced().as_deref(), Some(&[forced[0].clone(), forced[2].clone()][..]));
    begun.play(&forced[0]).unwrap();
    begun.play(&forced[2]).unwrap();
    assert_eq!(begun.forced(), None, "nothing is left to play");
    let tabula = turn(lusoria_rules::tables::Position::start(rules(Game::Tabula)), &[6, 2, 5]);
    assert_eq!(tabula.forced(), None, "what has entered may go on");
}
