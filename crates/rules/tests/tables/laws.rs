//! Laws that hold in every position that play can reach, on random walks.

use std::collections::HashSet;

use lusoria_rules::{
    BySide, Die, Side, Step, Variant,
    tables::{Position, Turn},
};
use proptest::prelude::*;

use crate::{
    support::sides,
    walk::{cases, somewhere},
};

fn pieces(position: &Position, side: Side) -> u32 {
    let sides = sides(position);
    let side = sides.get(side);
    side.points.values().map(|&count| u32::from(count)).sum::<u32>()
        + u32::from(side.supply)
        + u32::from(side.bar)
        + u32::from(side.off)
}

fn every_step(variant: Variant) -> Vec<Step> {
    let mut names: Vec<String> = ["supply", "bar", "off", "x"].map(str::to_owned).to_vec();
    names.extend((1..=24).map(|cell| cell.to_string()));
    match variant {
        Variant::Zeno { .. } => names.extend((1..=12).map(|cell| format!("m{cell}"))),
        Variant::Scripta { .. } => {
            names.extend((1..=12).map(|cell| format!("A{cell}")));
            names.extend("BCDE".chars().flat_map(|table| (1..=6).map(move |cell| format!("{table}{cell}"))));
        }
        Variant::Tavla { .. } | Variant::Tabula | Variant::Tablut { .. } => {}
    }
    let dice = Die::ALL.into_iter().map(Some).chain([None]);
    dice.flat_map(|die| {
        names
            .iter()
            .flat_map({
                let names = names.clone();
                move |from| {
                    let step = |to: &String| Step { die, from: from.clone(), to: to.clone() };
                    names.iter().map(step).collect::<Vec<_>>()
                }
            })
            .collect::<Vec<_>>()
    })
    .collect()
}

/// The turn's ends and the most dice it plays, by nothing but the steps that
/// the rules allow one die at a time: the compulsion's definition, word by word.
fn naive_ends(turn: &Turn, ends: &mut HashSet<Position>) {
    if turn.is_complete() {
        ends.insert(turn.clone().end().unwrap().position);
    }
    for step in turn.steps() {
        let mut after = turn.clone();
        after.play(&step).unwrap();
        naive_ends(&after, ends);
    }
}

fn swapped(position: &Position) -> Position {
    let BySide { white, black } = sides(position);
    let to_move = position.to_move().other();
    Position::recorded(position.rules(), &BySide { white: black, black: white }, to_move).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn pieces_are_conserved_and_positions_stay_valid((variant, turns, mut chance) in cases()) {
        let (mut turn, _) = somewhere(variant, turns, &mut chance);
        loop {
            for side in Side::BOTH {
                prop_assert_eq!(pieces(turn.position(), side), 15);
            }
            let steps = turn.steps();
            if steps.is_empty() {
                break;
            }
            turn.play(&steps[chance.below(steps.len())]).unwrap();
        }
        let end = turn.end().unwrap();
        let read = Position::from_setup(end.position.rules(), &sides(&end.position), end.position.to_move());
        match end.outcome {
            Some(outcome) if outcome.reason != lusoria_rules::Reason::DeadPosition => prop_assert!(read.is_err()),
            _ => prop_assert_eq!(read, Ok(end.position)),
        }
    }

    #[test]
    fn a_step_is_listed_exactly_if_it_is_accepted((variant, turns, mut chance) in cases()) {
        let (mut turn, _) = somewhere(variant, turns, &mut chance);
        let candidates = every_step(variant);
        for _ in 0..3 {
            let listed: HashSet<Step> = turn.steps().into_iter().collect();
            prop_assert_eq!(listed.is_empty(), turn.is_complete());
            for step in &candidates {
                let mut after = turn.clone();
                let accepted = after.play(step);
                prop_assert_eq!(accepted.is_ok(), listed.contains(step), "{:?}: {:?}", step, accepted);
                if let Err(reason) = accepted {
                    prop_assert!(!reason.to_string().is_empty());
                    prop_assert_eq!(after.position(), turn.position());
                }
            }
            let steps = turn.steps();
            if steps.is_empty() {
                break;
            }
            turn.play(&steps[chance.below(steps.len())]).unwrap();
        }
    }

    #[test]
    fn the_order_of_the_dice_does_not_matter((variant, turns, mut chance) in cases()) {
        let (turn, roll) = somewhere(variant, turns, &mut chance);
        let mut other = roll;
        other.rotate_left(1);
        let other = Turn::new(*turn.position(), &other).unwrap();
        prop_assert_eq!(turn.steps(), other.steps());
        prop_assert_eq!(turn.dice_playable(), other.dice_playable());
        prop_assert_eq!(turn.ends(50), other.ends(50));
    }

    #[test]
    fn a_side_sees_what_the_other_would_see_in_its_place((variant, turns, mut chance) in cases()) {
        let (turn, roll) = somewhere(variant, turns, &mut chance);
        let mirror = Turn::new(swapped(turn.position()), &roll).unwrap();
        prop_assert_eq!(turn.steps(), mirror.steps());
        prop_assert_eq!(turn.dice_playable(), mirror.dice_playable());
        let mirrored: Vec<Position> = mirror.ends(500).positions.iter().map(swapped).collect();
        prop_assert_eq!(turn.ends(500).positions, mirrored);
    }

    #[test]
    fn ends_are_those_that_the_steps_lead_to((variant, turns, mut chance) in cases()) {
        let (turn, _) = somewhere(variant, turns, &mut chance);
        let all = turn.ends(3000);
        // Walking every sequence takes long where there are many.
        prop_assume!(turn.dice_left().len() <= 4 || all.positions.len() <= 300);
        let mut naive = HashSet::new();
        naive_ends(&turn, &mut naive);
        prop_assert!(!all.truncated);
        prop_assert_eq!(all.positions.len(), naive.len());
        prop_assert_eq!(all.positions.into_iter().collect::<HashSet<_>>(), naive);
    }

    #[test]
    fn a_limit_takes_the_first_ends_and_says_so((variant, turns, mut chance) in cases(), limit in 0usize..40) {
        let (turn, _) = somewhere(variant, turns, &mut chance);
        let (all, some) = (turn.ends(2000), turn.ends(limit));
        prop_assert_eq!(some.truncated, all.positions.len() > limit);
        prop_assert_eq!(&some.positions[..], &all.positions[..limit.min(all.positions.len())]);
    }

    #[test]
    fn every_order_of_legal_steps_plays_the_dice_that_the_turn_promises((variant, turns, mut chance) in cases()) {
        let (mut turn, _) = somewhere(variant, turns, &mut chance);
        let (promised, dice, mover) = (turn.dice_playable(), turn.dice_left().len(), turn.position().to_move());
        let mut played = 0;
        while !turn.is_complete() {
            let steps = turn.steps();
            turn.play(&steps[chance.below(steps.len())]).unwrap();
            played += 1;
            prop_assert_eq!(turn.dice_left().len(), dice - usize::from(played));
            prop_assert_eq!(turn.dice_playable(), promised);
        }
        prop_assert!(played == promised || turn.position().off(mover) == 15);
    }

    #[test]
    fn a_written_turn_reads_as_a_turn_to_the_same_position((variant, turns, mut chance) in cases()) {
        let (start, _) = somewhere(variant, turns, &mut chance);
        let mut turn = start.clone();
        while !turn.is_complete() {
            let steps = turn.steps();
            turn.play(&steps[chance.below(steps.len())]).unwrap();
        }
        let mut read = start.clone();
        for step in start.parse(&turn.write()).map_err(|error| TestCaseError::fail(error.to_string()))? {
            read.play(&step).unwrap();
        }
        prop_assert_eq!(read.position(), turn.position());
        prop_assert_eq!(read.write(), turn.write());
    }

    #[test]
    fn a_written_position_reads_as_itself((variant, turns, mut chance) in cases()) {
        let (turn, _) = somewhere(variant, turns, &mut chance);
        let position = turn.position();
        prop_assert_eq!(Position::recorded(position.rules(), &sides(position), position.to_move()), Ok(*position));
    }

    #[test]
    fn a_step_lowers_the_pips_by_its_die_at_most_and_only_a_hit_raises_the_enemys((variant, turns, mut chance) in cases()) {
        let (mut turn, _) = somewhere(variant, turns, &mut chance);
        let mover = turn.position().to_move();
        while !turn.is_complete() {
            let before = *turn.position();
            let steps = turn.steps();
            let step = &steps[chance.below(steps.len())];
            let played = turn.play(step).unwrap();
            let spent = before.pips(mover) - turn.position().pips(mover);
            let die = u32::from(step.die.unwrap().value());
            prop_assert!(spent == die || (step.to == "off" && spent < die));
            let enemy = mover.other();
            prop_assert_eq!(turn.position().pips(enemy) > before.pips(enemy), played.hit);
        }
    }
}
