//! The bit arithmetic against the rules.

use lusoria_rules::{Die, Game, Variant, tables};

use super::*;
use crate::{Random, tables::throws::throws};

/// Positions of random games.
fn met(game: Game, seed: u64, most: usize) -> Vec<tables::Position> {
    let mut random = Random::new(seed);
    let rules = tables::Rules::of(Variant::standard(game)).unwrap();
    let mut met = Vec::new();
    while met.len() < most {
        let mut position = tables::Position::start(rules);
        while met.len() < most && position.outcome().is_none() {
            let dice: Vec<_> = (0..game.dice()).map(|_| Die::ALL[random.below(6)]).collect();
            let ends = tables::Turn::new(position, &dice).unwrap().ends(400).positions;
            position = ends[random.below(ends.len())];
            met.push(position);
        }
    }
    met.retain(|position| position.outcome().is_none());
    met
}

/// How often the side to move can hit or pin, by every end of every throw.
fn by_the_rules(position: &tables::Position) -> f32 {
    let other = position.to_move().other();
    let touched = |end: &tables::Position| {
        end.pinned(other).count_ones() > position.pinned(other).count_ones()
            || end.bar(other) > position.bar(other)
            || end.pips(other) > position.pips(other)
    };
    throws(position.rules().game().dice())
        .iter()
        .filter(|throw| {
            let turn = tables::Turn::new(*position, &throw.dice).unwrap();
            turn.ends(usize::MAX).positions.iter().any(touched)
        })
        .map(|throw| throw.chance)
        .sum()
}

#[test]
fn the_quick_way_agrees_with_the_slow_one() {
    for game in Game::ALL.into_iter().filter(|game| game.dice() > 0) {
        for position in met(game, 5, 2_000) {
            let ahead = Ahead::of(&position, position.to_move());
            let steps = Steps::of(&ahead);
            each_hand(game.dice(), ahead.triple, |hand, _| {
                assert_eq!(
                    steps.free(&ahead, hand),
                    ahead.free(ahead.from, hand),
                    "{game}: {hand:?} {position:?}"
                );
            });
        }
    }
}

#[test]
fn every_throw_is_counted_in_all_its_ways() {
    for (dice, count, all) in [(2, 21, 36), (3, 56, 216)] {
        let mut found = (0, 0);
        each_hand(dice, 6, |_, ways| found = (found.0 + 1, found.1 + ways));
        assert_eq!(found, (count, all));
    }
}

#[test]
fn chances_to_hit_are_about_those_of_the_rules() {
    for game in Game::ALL.into_iter().filter(|game| game.dice() > 0) {
        let (mut exact, mut wrong, mut asked) = (0, 0.0, 0);
        for position in met(game, 9, 300) {
            let [any, ..] = prospects(&position);
            let truth = by_the_rules(&position);
            asked += 1;
            exact += u32::from((any - truth).abs() < 1e-4);
            wrong += (any - truth).abs();
        }
        assert!(5 * exact >= 4 * asked, "{game}: {exact} of {asked} are exact");
        assert!(wrong / small(asked) < 0.03, "{game}: wrong by {} on average", wrong / small(asked));
    }
}
