//! Rollouts of positions whose value is known.

use lusoria_rules::{Die, Game, History, Position, Side, Variant};

use super::*;
use crate::tables::known;

fn position(game: Game, setup: &str) -> Position {
    Position::from_setup(Variant::standard(game), &serde_json::from_str(setup).unwrap()).unwrap()
}

fn one_by_one(games: &[RolloutGame]) -> Vec<Value> {
    games.iter().map(RolloutGame::play).collect()
}

fn rolled_out(position: Position, dice: &[u8], games_max: u32) -> Rollout {
    let dice: Vec<Die> = dice.iter().map(|&die| Die::new(die).unwrap()).collect();
    let history = History::start(&position);
    let decision = Decision { position, dice: &dice, history: &history, stakes: Stakes::Game };
    let plan =
        RolloutPlan { turns_max: 5, games_max, budget: Budget { nodes: 4_000 }, horizon: None, seed: 1 };
    roll_out(&decision, None, &plan, one_by_one, |_, _| {}).unwrap()
}

/// Tavla's pieces on the last cell, where every die bears one off.
fn on_ones(white: u8, black: u8, to_move: &str) -> Position {
    let side = |left: u8| format!(r#"{{"points": {{"1": {left}}}, "off": {}}}"#, 15 - left);
    let (white, black) = (side(white), side(black));
    position(Game::Tavla, &format!(r#"{{"white": {white}, "black": {black}, "to_move": "{to_move}"}}"#))
}

#[test]
fn values_are_right_on_average() {
    let rollout = rolled_out(on_ones(9, 6, "white"), &[5, 4], 720);
    let [turn] = &rollout.turns[..] else { panic!("there is one turn") };
    // One throw in six bears off four: first Black's, then White's. The rest is exact.
    let mut expected = 0.0;
    for (black, black_chance) in [(4, 5.0 / 6.0), (2, 1.0 / 6.0)] {
        for (white, white_chance) in [(5, 5.0 / 6.0), (3, 1.0 / 6.0)] {
            let Position::Tables(end) = on_ones(white, black, "black") else { unreachable!() };
            expected += black_chance * white_chance * known(&end).unwrap().turned().win;
        }
    }
    assert!(
        (f64::from(turn.value.win - expected)).abs() < 4.0 * turn.error / 2.0 + 1e-3,
        "{turn:?} {expected}"
    );
    assert!(turn.error < 0.02, "{turn:?}");
    assert_eq!((turn.games, rollout.is_sure), (720, true));
}

#[test]
fn the_better_turn_is_found() {
    // Hitting the last piece of the side that would bear it off, or not.
    let position = position(
        Game::Scripta,
        r#"{"white": {"points": {"E5": 1, "D1": 1, "C1": 1}, "off": 12},
            "black": {"points": {"E2": 1}, "off": 14}, "to_move": "white"}"#,
    );
    let rollout = rolled_out(position, &[3, 1], 360);
    let hits = |turn: &&RolledOut| turn.steps.iter().any(|step| step.to == "E2");
    let (hitting, others): (Vec<_>, Vec<_>) = rollout.turns.iter().partition(hits);
    assert!(hits(&&rollout.turns[0]) && !others.is_empty(), "{rollout:?}");
    // Which piece plays the 1 matters little, so more games are needed; that one must hit is certain at once.
    assert!(others.iter().all(|turn| turn.games == GAMES_A_ROUND && turn.behind.is_sure()), "{rollout:?}");
    assert!(hitting.iter().skip(1).all(|turn| turn.behind.mean > 0.0), "{rollout:?}");
    assert_eq!(rollout.is_sure, hitting.iter().skip(1).all(|turn| turn.behind.is_sure()), "{rollout:?}");
}

#[test]
fn two_turns_are_told_apart_by_games_of_their_own() {
    let position = Position::start(Variant::standard(Game::Tavla)).with_to_move(Side::White);
    let rollout = rolled_out(position, &[6, 4], 36);
    let [best, .., worst] = &rollout.turns[..] else { panic!("there is a choice") };
    let dice = [Die::new(6), Die::new(4)].map(Option::unwrap);
    let history = History::start(&position);
    let decision = Decision { position, dice: &dice, history: &history, stakes: Stakes::Game };
    let plan =
        RolloutPlan { turns_max: 1, games_max: 37, budget: Budget { nodes: 1 }, horizon: Some(6), seed: 2 };
    let between = |first: &[Step], second: &[Step]| difference(&decision, [first, second], &plan, one_by_one);
    let ahead = between(&best.steps, &worst.steps).unwrap();
    let error = ahead.error.hypot(worst.behind.error);
    assert!(
        error > 0.0 && (ahead.mean - worst.behind.mean).abs() < 4.0 * error + 0.02,
        "{ahead:?} {worst:?}"
    );
    assert!((between(&worst.steps, &best.steps).unwrap().mean + ahead.mean).abs() < 1e-12);
    assert_eq!(between(&best.steps, &best.steps).unwrap(), Difference::default());
    assert_eq!(between(&best.steps, &[]), Err(NoRollout::NotATurn(NotATurn)));
}

#[test]
fn exact_values_have_no_error() {
    let rollout = rolled_out(on_ones(3, 2, "white"), &[5, 4], 36);
    let Position::Tables(end) = on_ones(1, 2, "black") else { unreachable!() };
    assert!((rollout.turns[0].value.win - known(&end).unwrap().turned().win).abs() < 1e-6);
    assert!(rollout.turns[0].error < 1e-6, "{rollout:?}");
}

#[test]
fn among_equals_the_turn_that_was_asked_for_is_the_best() {
    let position = Position::start(Variant::standard(Game::Tavla)).with_to_move(Side::White);
    let dice = [Die::new(2), Die::new(1)].map(Option::unwrap);
    let history = History::start(&position);
    let decision = Decision { position, dice: &dice, history: &history, stakes: Stakes::Game };
    let Ok(Turn::Tables(turn)) = position.turn(&dice) else { panic!("it can be played") };
    let plan =
        RolloutPlan { turns_max: 3, games_max: 36, budget: Budget { nodes: 400 }, horizon: Some(0), seed: 1 };
    for end in turn.ends(1_000).positions {
        let steps = turn.way_to(&end).unwrap();
        let mut rolling = RollingOut::begin(&decision, Some(&steps), &plan).unwrap();
        let games = rolling.round().len();
        rolling.take(&vec![Value::EVEN; games]);
        assert_eq!(rolling.found().asked, Some(0), "{steps:?}");
    }
    let mut rolling = RollingOut::begin(&decision, None, &plan).unwrap();
    let (looked_best, games) = (rolling.rolled[0].steps.clone(), rolling.round().len());
    rolling.take(&vec![Value::EVEN; games]);
    assert_eq!(rolling.found().turns[0].steps, looked_best);
}

#[test]
fn tablut_has_no_dice() {
    let position = Position::start(Variant::standard(Game::Tablut));
    let history = History::start(&position);
    let decision = Decision { position, dice: &[], history: &history, stakes: Stakes::Game };
    let plan =
        RolloutPlan { turns_max: 1, games_max: 36, budget: Budget { nodes: 100 }, horizon: None, seed: 1 };
    let rollout = roll_out(&decision, None, &plan, one_by_one, |_, _| {});
    assert_eq!(rollout, Err(NoRollout::NoDice));
}

#[test]
fn any_turn_can_be_asked_for() {
    let position = Position::start(Variant::standard(Game::Tavla)).with_to_move(Side::White);
    let dice = [Die::new(2), Die::new(1)].map(Option::unwrap);
    let history = History::start(&position);
    let decision = Decision { position, dice: &dice, history: &history, stakes: Stakes::Game };
    let turn = position.turn(&dice).unwrap();
    let plan =
        RolloutPlan { turns_max: 1, games_max: 36, budget: Budget { nodes: 400 }, horizon: Some(4), seed: 1 };
    let rolled_out = |steps: &[Step]| roll_out(&decision, Some(steps), &plan, one_by_one, |_, _| {});
    let best = rolled_out(&[]).unwrap_err();
    assert_eq!(best, NoRollout::NotATurn(NotATurn), "dice are left");
    let alone = roll_out(&decision, None, &plan, one_by_one, |_, _| {}).unwrap();
    assert_eq!((alone.turns.len(), alone.asked), (1, None));
    assert_eq!(rolled_out(&alone.turns[0].steps).unwrap().turns.len(), 1, "it is the best one already");
    let Turn::Tables(turn) = turn else { unreachable!() };
    for end in turn.ends(1_000).positions {
        let steps = turn.way_to(&end).unwrap();
        let rollout = rolled_out(&steps).unwrap();
        let asked = &rollout.turns[rollout.asked.expect("it was asked about")];
        let mut played = turn.clone();
        asked.steps.iter().for_each(|step| drop(played.play(step).unwrap()));
        assert_eq!(played.end().unwrap().position, end);
        assert_eq!(asked.games, 36);
        assert!(rollout.turns.len() <= 2);
    }
}

#[test]
fn behind_the_horizon_the_network_evaluates() {
    let Position::Tables(start) = Position::start(Variant::standard(Game::Tavla)) else { unreachable!() };
    let at = |horizon| crate::tables::game(&start, Stakes::Game, 1, 0, Some(horizon));
    assert_eq!(at(0), crate::tables::glance(&start).turned());
    // One turn further the luck of its throw is removed, so the value is about the same.
    assert!((at(1).win - at(0).win).abs() < 0.1, "{:?} {:?}", at(1), at(0));
}

#[test]
fn a_mean_has_its_error() {
    let Difference { mean, error } = mean_and_error([1.0, 2.0, 3.0, 6.0].into_iter());
    assert!((mean - 3.0).abs() < 1e-12 && (error - (14.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
    assert!(!mean_and_error(std::iter::once(1.0)).is_sure());
}
