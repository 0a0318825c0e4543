//! What rollouts find, where it is known otherwise.

use lusoria_rules::{Die, Game, History, Position, Variant};

use super::*;
use crate::tables::known;

fn position(game: Game, setup: &str) -> Position {
    Position::from_setup(Variant::standard(game), &serde_json::from_str(setup).unwrap()).unwrap()
}

fn rolled_out(position: Position, dice: &[u8], games_max: u32, threads: usize) -> Rollout {
    let dice: Vec<Die> = dice.iter().map(|&die| Die::new(die).unwrap()).collect();
    let history = History::start(&position);
    let decision = Decision { position, dice: &dice, history: &history, stakes: Stakes::Game };
    let plan = RolloutPlan {
        turns_max: 5,
        games_max,
        budget: Budget { nodes: 4_000 },
        seed: 1,
        threads: NonZeroUsize::new(threads).unwrap(),
    };
    roll_out(&decision, &plan, |_, _| {}).unwrap()
}

/// Tavla's pieces on the last cell: every die bears one off.
fn on_ones(white: u8, black: u8, to_move: &str) -> Position {
    let side = |left: u8| format!(r#"{{"points": {{"1": {left}}}, "off": {}}}"#, 15 - left);
    let (white, black) = (side(white), side(black));
    position(Game::Tavla, &format!(r#"{{"white": {white}, "black": {black}, "to_move": "{to_move}"}}"#))
}

#[test]
fn what_is_left_to_chance_is_right_on_average() {
    let rollout = rolled_out(on_ones(9, 6, "white"), &[5, 4], 720, 2);
    let [turn] = &rollout.turns[..] else { panic!("there is one turn") };
    // One throw in six bears off four: Black's, then White's. The rest is known.
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
fn the_better_turn_is_found_and_the_number_of_threads_changes_nothing() {
    // Hitting the last piece of who would bear it off, or not.
    let position = position(
        Game::Scripta,
        r#"{"white": {"points": {"E5": 1, "D1": 1, "C1": 1}, "off": 12},
            "black": {"points": {"E2": 1}, "off": 14}, "to_move": "white"}"#,
    );
    let rollout = rolled_out(position, &[3, 1], 360, 1);
    assert!(rollout.is_sure, "{rollout:?}");
    assert!(rollout.turns.len() > 1);
    assert!(rollout.turns.iter().skip(1).all(|turn| turn.behind.mean > 0.0), "{rollout:?}");
    assert!(rollout.turns[0].steps.iter().any(|step| step.to == "E2"), "{rollout:?}");
    assert_eq!(rolled_out(position, &[3, 1], 360, 2), rollout);
}

#[test]
fn what_is_known_needs_no_chance() {
    let rollout = rolled_out(on_ones(3, 2, "white"), &[5, 4], 36, 1);
    let Position::Tables(end) = on_ones(1, 2, "black") else { unreachable!() };
    assert!((rollout.turns[0].value.win - known(&end).unwrap().turned().win).abs() < 1e-6);
    assert!(rollout.turns[0].error < 1e-6, "{rollout:?}");
}

#[test]
fn tablut_has_no_dice() {
    let position = Position::start(Variant::standard(Game::Tablut));
    let history = History::start(&position);
    let decision = Decision { position, dice: &[], history: &history, stakes: Stakes::Game };
    let plan = RolloutPlan {
        turns_max: 1,
        games_max: 36,
        budget: Budget { nodes: 100 },
        seed: 1,
        threads: NonZeroUsize::MIN,
    };
    assert_eq!(roll_out(&decision, &plan, |_, _| {}), Err(NoDice));
}

#[test]
fn a_mean_has_its_error() {
    let Difference { mean, error } = mean_and_error([1.0, 2.0, 3.0, 6.0].into_iter());
    assert!((mean - 3.0).abs() < 1e-12 && (error - (14.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
    assert!(!mean_and_error(std::iter::once(1.0)).is_sure());
}
