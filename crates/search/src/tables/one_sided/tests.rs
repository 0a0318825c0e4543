//! The table of one side, against the rules and against the exact table.

use std::collections::BTreeSet;

use lusoria_rules::{Game, Variant};

use super::{super::bearing_off::BearingOff, *};
use crate::Random;

fn rules(game: Game) -> &'static tables::Rules {
    tables::Rules::of(Variant::standard(game)).unwrap()
}

/// A random home with that many pieces.
fn random_home(random: &mut Random, pieces: usize) -> Counts {
    let mut counts = [0; HOME];
    for _ in 0..pieces {
        counts[random.below(HOME)] += 1;
    }
    counts
}

/// The homes that a throw leads to by single dice in any order.
fn ends(counts: Counts, values: &[usize], ends: &mut BTreeSet<usize>, homes: &[Counts]) {
    if values.is_empty() || counts == [0; HOME] {
        ends.insert(number(counts));
    }
    for index in 0..values.len() {
        let mut left = values.to_vec();
        let die = left.remove(index);
        for next in steps(counts, die) {
            self::ends(homes[usize::from(next)], &left, ends, homes);
        }
    }
}

#[test]
fn homes_are_numbered_without_a_gap_and_every_step_leads_to_a_lower_one() {
    let homes = homes();
    assert_eq!(homes.len(), 38_760);
    for (at, &counts) in homes.iter().enumerate() {
        assert_eq!(number(counts), at);
        for die in 1..=HOME {
            assert_eq!(steps(counts, die).is_empty(), at == 0);
            assert!(steps(counts, die).iter().all(|&next| usize::from(next) < at), "{counts:?} by {die}");
        }
    }
}

#[test]
fn turns_end_where_the_rules_say() {
    let homes = homes();
    for game in [Game::Tavla, Game::Tabula] {
        let rules = rules(game);
        let throws = throws(game.dice());
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let pieces = 1 + random.below(usize::from(PIECES_MAX));
            let counts = random_home(&mut random, pieces);
            let throw = &throws[random.below(throws.len())];
            let turn = tables::Turn::new(home::position(rules, counts, [0; HOME]), &throw.dice).unwrap();
            let dice: Vec<usize> = turn.dice_left().iter().map(|die| usize::from(die.value())).collect();
            let mut found = BTreeSet::new();
            ends(counts, &dice, &mut found, &homes);
            let by_rules: BTreeSet<usize> = turn
                .ends(usize::MAX)
                .positions
                .iter()
                .map(|end| number(home::counts(end, Side::White)))
                .collect();
            assert_eq!(found, by_rules, "{game} seed {seed}: {counts:?} with {dice:?}");
        }
    }
}

#[test]
fn turns_agree_with_counts_by_hand() {
    let alone = OneSided::of(rules(Game::Tavla)).unwrap();
    let after = |counts: Counts, turns: usize| alone.lengths[number(counts)][turns];
    let close = |found: f32, of_36: f32| assert!((found - of_36 / 36.0).abs() < 1e-6, "{found}");
    // One piece on the last cell goes off with any die; one six cells away with 27 of 36 throws.
    close(after([0, 0, 0, 0, 0, 1], 1), 36.0);
    close(after([1, 0, 0, 0, 0, 0], 1), 27.0);
    // Two pieces two cells away: all but the throws with a 1, of which 1-1 does it.
    close(after([0, 0, 0, 0, 2, 0], 1), 26.0);
    // Four on the last cell: doubles, else two turns.
    close(after([0, 0, 0, 0, 0, 4], 1), 6.0);
    close(after([0, 0, 0, 0, 0, 4], 2), 30.0);
}

#[test]
fn every_home_ends_some_time() {
    for game in [Game::Tavla, Game::Tabula] {
        for lengths in &OneSided::of(rules(game)).unwrap().lengths {
            assert!((lengths.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            assert!(lengths[TURNS - 1] < 1e-6, "longer than is told apart");
        }
    }
}

#[test]
fn chances_are_close_to_the_exact_ones_where_both_are_known() {
    for game in [Game::Tavla, Game::Tabula] {
        let (rules, exact) = (rules(game), BearingOff::of(rules(game)).unwrap());
        let alone = OneSided::of(rules).unwrap();
        let (mut sum, mut most) = (0.0_f32, 0.0_f32);
        for seed in 0..2_000 {
            let mut random = Random::new(seed);
            let mut side = || {
                let pieces = 1 + random.below(6);
                random_home(&mut random, pieces)
            };
            let position = home::position(rules, side(), side());
            let difference = (alone.win(&position).unwrap() - exact.win(&position).unwrap()).abs();
            (sum, most) = (sum + difference, most.max(difference));
        }
        assert!(sum / 2_000.0 < 0.0007, "{game}: {} on average", sum / 2_000.0);
        assert!(most < 0.02, "{game}: {most} at most");
    }
}

#[test]
fn positions_with_pieces_elsewhere_are_not_known() {
    let alone = OneSided::of(rules(Game::Tavla)).unwrap();
    assert_eq!(alone.win(&tables::Position::start(rules(Game::Tavla))), None);
    assert_eq!(alone.win(&home::position(rules(Game::Tavla), [15, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 3])), None);
    assert!(
        alone.win(&home::position(rules(Game::Tavla), [14, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 3])).is_some()
    );
}
