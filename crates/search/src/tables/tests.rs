//! Laws of every choice in a dice game, over random games.

use std::collections::HashSet;

use lusoria_rules::{Die, Game, History, Mother, Position, Side, Variant, tables};
use proptest::prelude::*;

use super::{
    features::Phase,
    home,
    judge::{Ends, Judge, pruned_to},
    mind::Mind,
    net,
    one_sided::OneSided,
    pruning::{PruningLayers, PruningNet},
    weights::Weights,
};
use crate::{Budget, Decision, Level, Player, Random, Stakes, Value, appraise, choose, rank, review};

fn rules(variant: Variant) -> &'static tables::Rules {
    tables::Rules::of(variant).unwrap()
}

/// A position that occurs in random play, and a throw.
fn met(variant: Variant, turns: usize, seed: u64) -> (tables::Position, Vec<Die>) {
    let mut random = Random::new(seed);
    let mut position = tables::Position::start(rules(variant));
    let mut throw = || (0..variant.game().dice()).map(|_| Die::ALL[random.below(6)]).collect::<Vec<_>>();
    let mut lot = Random::new(!seed);
    for _ in 0..turns {
        let turn = tables::Turn::new(position, &throw()).unwrap();
        let ends = turn.ends(3_000).positions;
        let next = ends[lot.below(ends.len())];
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    (position, throw())
}

fn dice_game() -> impl Strategy<Value = Variant> {
    let with_dice = Variant::ALL.iter().copied().filter(|variant| variant.game().dice() > 0);
    prop::sample::select(with_dice.collect::<Vec<_>>())
}

fn level() -> impl Strategy<Value = Level> {
    prop::sample::select(&Level::ALL[..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_choice_is_legal_keeps_to_its_budget_and_comes_again(
        variant in dice_game(), level in level(), turns in 0..120_usize, seed: u64, nodes in 1..30_000_u32,
    ) {
        let (position, dice) = met(variant, turns, seed);
        let position = Position::Tables(position);
        let history = History::start(&position);
        let decision = Decision { position, dice: &dice, history: &history, stakes: Stakes::Points };
        let choice = choose(&decision, Player::Level(level), Budget { nodes }, seed);
        prop_assert!(choice.nodes <= nodes, "{} of {nodes}", choice.nodes);
        let mut turn = position.turn(&dice).unwrap();
        for step in &choice.steps {
            turn.play(step).unwrap();
        }
        prop_assert!(turn.is_complete());
        prop_assert_eq!(choose(&decision, Player::Level(level), Budget { nodes }, seed), choice);
    }

    #[test]
    fn ranked_turns_are_distinct_and_the_best_come_first(
        variant in dice_game(), turns in 0..120_usize, seed: u64, nodes in 1..60_000_u32,
    ) {
        let (position, dice) = met(variant, turns, seed);
        let position = Position::Tables(position);
        let history = History::start(&position);
        let decision = Decision { position, dice: &dice, history: &history, stakes: Stakes::Game };
        let ranked = rank(&decision, Budget { nodes }, 5);
        prop_assert!(!ranked.is_empty() && ranked.len() <= 5);
        let worths = ranked.iter().map(|choice| decision.stakes.worth(&choice.value));
        prop_assert!(worths.is_sorted_by(|better, worse| better >= worse), "{ranked:?}");
        let mut ends = HashSet::new();
        for choice in &ranked {
            prop_assert!(choice.nodes <= nodes);
            let mut turn = position.turn(&dice).unwrap();
            choice.steps.iter().for_each(|step| { turn.play(step).unwrap(); });
            ends.insert(turn.end(&history).unwrap().position);
        }
        prop_assert_eq!(ends.len(), ranked.len());
    }

    #[test]
    fn chances_are_chances(variant in dice_game(), turns in 0..120_usize, seed: u64) {
        let (position, _) = met(variant, turns, seed);
        let position = Position::Tables(position);
        let value = appraise(&position, &History::start(&position), Stakes::Game, Budget { nodes: 30_000 });
        for chance in [value.win, value.lose(), value.win_double, value.lose_double, value.draw] {
            prop_assert!((-1e-5..=1.0 + 1e-5).contains(&chance), "{value:?}");
        }
        prop_assert!(value.win_double <= value.win + 1e-5 && value.lose_double <= value.lose() + 1e-5, "{value:?}");
    }

    #[test]
    fn the_quick_way_through_the_network_agrees_with_the_slow_one(variant in dice_game(), turns in 0..120_usize, seed: u64) {
        let (position, dice) = met(variant, turns, seed);
        let mind = Mind::of(rules(variant));
        let turn = tables::Turn::new(position, &dice).unwrap();
        let mut memory = None;
        for end in turn.ends(30).positions {
            let quick = mind.net.value(&end, &mut memory);
            let layers = mind.net.layers(Phase::of(&end));
            let mut units = layers.bias;
            for (input, amount) in net::inputs(&end) {
                net::add(&mut units, &layers.rows[usize::from(input)], amount);
            }
            let slow = net::value(layers.outputs(&units));
            let outputs = |of: &Value| [of.win, of.win_double, of.lose_double, of.draw];
            for (quick, slow) in outputs(&quick).into_iter().zip(outputs(&slow)) {
                prop_assert!((quick - slow).abs() < 1e-3, "{quick} {slow}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3))]

    #[test]
    fn hindsight_compares_alike_and_luck_cancels_out(
        variant in dice_game(), turns in 0..100_usize, seed: u64, nodes in 1_000..40_000_u32,
    ) {
        let (position, dice) = met(variant, turns, seed);
        let position = Position::Tables(position);
        let history = History::start(&position);
        let stakes = Stakes::Game;
        let budget = Budget { nodes };
        let decision = Decision { position, dice: &dice, history: &history, stakes };
        let random = choose(&decision, Player::Random, budget, seed).steps;
        let looked_back = review(&decision, &random, budget).unwrap();
        prop_assert!(stakes.worth(&looked_back.played) <= stakes.worth(&looked_back.best.value) + 1e-6);
        prop_assert_eq!(&review(&decision, &random, budget).unwrap(), &looked_back);
        // The player of the best turn has lost nothing, whatever else is compared with it.
        let again = review(&decision, &looked_back.best.steps, budget).unwrap();
        let is_best = again.best.steps == looked_back.best.steps;
        prop_assert!(stakes.worth(&again.played) <= stakes.worth(&again.best.value) + 1e-6);
        prop_assert!(!is_best || again.lost(stakes) == 0.0, "{again:?}");
        // The luck of all throws, weighted by their probability, adds up to zero.
        let luck: f32 = Mind::of(rules(variant))
            .throws
            .iter()
            .map(|throw| {
                let decision = Decision { dice: &throw.dice, ..decision.clone() };
                let steps = choose(&decision, Player::Random, budget, seed).steps;
                throw.chance * review(&decision, &steps, budget).unwrap().luck(stakes)
            })
            .sum();
        prop_assert!(luck.abs() < 1e-4, "{luck}");
    }

    #[test]
    fn the_budget_never_cuts_a_reply_short_silently(
        variant in dice_game(), turns in 0..100_usize, seed: u64, short_by in 1..400_u32,
    ) {
        let (position, dice) = met(variant, turns, seed);
        let turn = tables::Turn::new(position, &dice).unwrap();
        let judge = |nodes| Judge::new(Mind::of(rules(variant)), Stakes::Game, Budget { nodes });
        let places = |ends: &Ends| ends.judged.iter().map(|judged| judged.end).collect::<Vec<_>>();
        let mut plenty = judge(100_000);
        let all = plenty.ends(&turn, 400, 2);
        prop_assert!(all.whole);
        let cost = plenty.nodes();
        let less = judge(cost.saturating_sub(short_by)).ends(&turn, 400, 2);
        prop_assert!(!less.judged.is_empty());
        // A result that counts as whole with a smaller budget has all ends, or the most promising ones.
        if less.whole && places(&less) != places(&all) {
            let mut free = judge(100_000);
            let promising = turn.ends_guided(2, |end| {
                let value = free.value(end).turned();
                free.worth(&value)
            });
            prop_assert_eq!(places(&less), promising);
        }
        // One evaluation too few is reported, or fewer ends are evaluated.
        let tight = judge(cost - 1).ends(&turn, 400, 2);
        prop_assert!(cost == 1 || !tight.whole || tight.judged.len() < all.judged.len());
    }
}

#[test]
fn a_damaged_file_of_weights_is_refused() {
    let bytes = include_bytes!("../../weights/tavla.bin").to_vec();
    assert!(bytes.len() < 1_000_000, "{}", bytes.len());
    assert!(Weights::read(&bytes).is_ok());
    assert_eq!(Weights::read(&bytes[..bytes.len() - 1]).unwrap_err().to_string(), "the weights are damaged");
    assert_eq!(Weights::read(&[0; 64]).unwrap_err().to_string(), "this is no file of weights");
    let mut other = bytes;
    other[8] = 9;
    assert!(Weights::read(&other).unwrap_err().to_string().contains("version 9"));
}

#[test]
fn pruning_a_reply_loses_little() {
    let tavla = [Mother::PlayOn, Mother::DoubleLoss].map(|mother| Variant::Tavla { mother });
    let scripta = [true, false].map(|row_a_gate| Variant::Scripta { row_a_gate });
    for variant in tavla.into_iter().chain(scripta).chain([Variant::Tabula]) {
        let judge = || Judge::new(Mind::of(rules(variant)), Stakes::Game, Budget { nodes: 100_000 });
        let pruning = Mind::of(rules(variant)).pruning.as_ref().unwrap();
        let (mut lost, mut nodes, mut nodes_of_all) = (0.0, 0, 0);
        for seed in 0..400 {
            let (position, dice) = met(variant, 5 + usize::try_from(seed).unwrap() % 80, seed);
            let turn = tables::Turn::new(position, &dice).unwrap();
            let (mut pruned, mut all) = (judge(), judge());
            let found = pruned.best_end(&turn, 400, 2).unwrap().worth;
            let best = all.ends(&turn, 400, 2).judged.iter().map(|one| one.worth).fold(f32::MIN, f32::max);
            assert!(found <= best + 1e-6, "{variant:?}, seed {seed}: {found} {best}");
            lost += best - found;
            (nodes, nodes_of_all) = (nodes + pruned.nodes(), nodes_of_all + all.nodes());
            // The kept ends do not depend on the order of the ends, except for equal promises.
            let mut ends = turn.ends(400).positions;
            let mut backwards: Vec<_> = ends.iter().rev().copied().collect();
            pruning.prune(&mut ends, pruned_to(variant.game()));
            pruning.prune(&mut backwards, pruned_to(variant.game()));
            let promises = |ends: &[tables::Position]| {
                let mut promises = pruning.promises(ends);
                promises.sort_by(f32::total_cmp);
                promises
            };
            assert_eq!(promises(&ends), promises(&backwards), "{variant:?}, seed {seed}");
        }
        // Worth ranges from -1 to 1: these are at most half a percent of a win, in positions of random games.
        assert!(lost / 400.0 < 0.01, "{variant:?}: {lost}");
        assert!(nodes * 2 < nodes_of_all, "{variant:?}: {nodes} of {nodes_of_all}");
    }
}

#[test]
fn a_small_budget_finds_the_same_reply_or_none() {
    for seed in 0..60 {
        let variant = Variant::standard(if seed % 2 == 0 { Game::Tavla } else { Game::Tabula });
        let (position, dice) = met(variant, 5 + usize::try_from(seed).unwrap() % 80, seed);
        let turn = tables::Turn::new(position, &dice).unwrap();
        // For more ends, some are found without listing all, and the budget for that is checked first.
        if turn.ends(400).truncated {
            continue;
        }
        let judge = |nodes| Judge::new(Mind::of(rules(variant)), Stakes::Game, Budget { nodes });
        let mut plenty = judge(100_000);
        let best = plenty.best_end(&turn, 400, 2).unwrap();
        for nodes in 1..=plenty.nodes() + 1 {
            let mut short = judge(nodes);
            let found = short.best_end(&turn, 400, 2);
            assert!(short.nodes() <= nodes, "seed {seed}: {} of {nodes}", short.nodes());
            assert_eq!(
                found.is_some(),
                nodes >= plenty.nodes(),
                "seed {seed}: {nodes} of {}",
                plenty.nodes()
            );
            assert!(found.is_none_or(|found| found.end == best.end), "seed {seed}, {nodes}");
        }
    }
}

#[test]
fn an_end_that_wins_is_not_pruned() {
    let rules = rules(Variant::standard(Game::Tavla));
    // Untrained weights give all ends the same promise.
    let untaught = PruningNet::new(vec![PruningLayers::zero(); Phase::COUNT]);
    let end = |cell: usize| {
        let mine = std::array::from_fn(|index| u8::from(index == cell));
        home::position(rules, mine, [0, 3, 3, 0, 1, 1]).with_to_move(Side::Black)
    };
    let won = end(6);
    assert!(won.outcome().is_some() && end(5).outcome().is_none());
    for at in 0..6 {
        let mut ends: Vec<_> = (0..6).map(end).collect();
        ends.insert(at, won);
        untaught.prune(&mut ends, 1);
        assert_eq!(ends, [won], "{at}");
    }
}

#[test]
fn every_level_wins_at_once_if_it_can() {
    let setup = serde_json::from_str(
        r#"{"white": {"points": {"2": 1, "5": 1}, "off": 13},
            "black": {"points": {"3": 2}, "off": 13}, "to_move": "white"}"#,
    )
    .unwrap();
    let position = Position::from_setup(Variant::standard(Game::Tavla), &setup).unwrap();
    let history = History::start(&position);
    let dice = [Die::ALL[4], Die::ALL[1]];
    let decision = Decision { position, dice: &dice, history: &history, stakes: Stakes::Game };
    for level in Level::ALL {
        for seed in 0..20 {
            let choice = choose(&decision, Player::Level(level), Budget { nodes: 1_000 }, seed);
            assert!((choice.value.win - 1.0).abs() < 1e-6, "level {level}, seed {seed}");
        }
    }
}

#[test]
fn long_races_are_evaluated_by_one_sided_tables_with_look_ahead() {
    for game in [Game::Tavla, Game::Tabula] {
        let rules = rules(Variant::standard(game));
        let alone = OneSided::of(rules).unwrap();
        let net = &Mind::of(rules).net;
        let judge = |position| {
            let mut judge = Judge::new(Mind::of(rules), Stakes::Game, Budget { nodes: 9 });
            (judge.value(&position), judge.judge(position).is_known)
        };
        for side in Side::BOTH {
            let race = home::position(rules, [1, 2, 3, 0, 2, 2], [0, 3, 3, 0, 1, 1]).with_to_move(side);
            let win = alone.win(&race).unwrap();
            assert_eq!(judge(race), (Value { win, ..Value::LOST }, false), "{game}");
        }
        let all = home::position(rules, [3, 3, 3, 2, 2, 2], [0, 3, 3, 0, 1, 1]);
        assert_eq!(judge(all), (net.value(&all, &mut net::Memory::None), false), "{game}");
    }
}
