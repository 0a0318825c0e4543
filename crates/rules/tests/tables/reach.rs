//! Where a piece gets to by several dice, and turns without a choice.

use std::collections::BTreeMap;

use lusoria_rules::{Die, Game, Step, tables::Turn};
use proptest::prelude::*;

use crate::{
    support::{rules, set, step, turn},
    walk::{cases, somewhere},
};

/// `["24/18/12", …]`.
fn ways(turn: &Turn) -> Vec<String> {
    let stops = |steps: &Vec<Step>| {
        let places = [&steps[0].from].into_iter().chain(steps.iter().map(|step| &step.to));
        places.map(String::as_str).collect::<Vec<_>>().join("/")
    };
    turn.reach().iter().map(stops).collect()
}

#[test]
fn a_piece_goes_on_with_the_dice_that_are_left() {
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
fn of_several_orders_it_is_the_one_that_hits_least() {
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

type Choice = (String, String, Vec<Option<Die>>);

/// All ways of one piece, by nothing but what is legal next; of each choice of dice the
/// number of hits and the dice of the best order.
fn naive(turn: &Turn, line: &[Step], hits: u32, found: &mut BTreeMap<Choice, (u32, Vec<Option<Die>>)>) {
    for step in turn.steps() {
        if line.last().is_some_and(|last| last.to != step.from) {
            continue;
        }
        let mut after = turn.clone();
        let hits = hits + u32::from(after.play(&step).unwrap().hit);
        let line = [line, &[step]].concat();
        let dice: Vec<_> = line.iter().map(|step| step.die).collect();
        if dice.len() > 1 {
            let mut sorted = dice.clone();
            sorted.sort_unstable();
            let best = found
                .entry((line[0].from.clone(), line[line.len() - 1].to.clone(), sorted))
                .or_insert_with(|| (hits, dice.clone()));
            *best = best.clone().min((hits, dice));
        }
        if line[line.len() - 1].to != "off" {
            naive(&after, &line, hits, found);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_place_is_reached_and_no_other((variant, turns, mut chance) in cases(), played in 0usize..3) {
        let (mut turn, _) = somewhere(variant, turns, &mut chance);
        for _ in 0..played {
            let steps = turn.steps();
            if !steps.is_empty() {
                turn.play(&steps[chance.below(steps.len())]).unwrap();
            }
        }
        let mut expected = BTreeMap::new();
        naive(&turn, &[], 0, &mut expected);
        let mut found = BTreeMap::new();
        for steps in turn.reach() {
            let mut after = turn.clone();
            let mut hits = 0;
            for (at, step) in steps.iter().enumerate() {
                prop_assert!(at == 0 || steps[at - 1].to == step.from, "another piece: {:?}", steps);
                let played = after.play(step);
                prop_assert!(played.is_ok(), "{:?}: {:?}", steps, played);
                hits += u32::from(played.unwrap().hit);
            }
            let dice: Vec<_> = steps.iter().map(|step| step.die).collect();
            let mut sorted = dice.clone();
            sorted.sort_unstable();
            let choice = (steps[0].from.clone(), steps[steps.len() - 1].to.clone(), sorted);
            prop_assert_eq!(found.insert(choice, (hits, dice)), None, "twice: {:?}", steps);
        }
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn a_turn_is_forced_exactly_if_it_has_one_end((variant, turns, mut chance) in cases()) {
        let (turn, _) = somewhere(variant, turns, &mut chance);
        let ends = turn.ends(2).positions;
        let forced = turn.forced();
        prop_assert_eq!(forced.is_some(), !turn.is_complete() && ends.len() == 1);
        if let Some(steps) = forced {
            let mut after = turn.clone();
            for step in &steps {
                after.play(step).unwrap();
            }
            prop_assert_eq!(after.end().map(|end| end.position), Ok(ends[0]));
        }
    }
}
