//! The laws of `laws/` with bytes that proptest makes up.

#[path = "laws/mod.rs"]
pub mod laws;

use std::collections::HashSet;

use laws::{board, bytes::Bytes};
use lusoria_rules::{BySide, DiceSide, Die, Game, History, Position, Setup, Side, Step, Turn, Variant};
use proptest::{collection::vec, prelude::*, sample::select};

/// How many states of a turn are walked through at most.
const STATES_MAX: usize = 20_000;

/// The turns of a dice game that are played before a law is tried.
const TURNS_MAX: usize = 160;

macro_rules! hold {
    ($($law:ident)*) => {
        proptest! {$(
            #[test]
            fn $law(bytes in vec(any::<u8>(), 0..600)) {
                laws::$law::check(&bytes);
            }
        )*}
    };
}

hold! { ends notation positions tables tafl vectors }

/// A turn somewhere in a dice game that is played from its start.
fn somewhere(variant: Variant, bytes: &mut Bytes<'_>) -> (Turn, Vec<Die>) {
    let mut position = Position::start(variant);
    for _ in 0..bytes.below(TURNS_MAX) {
        let turn = position.turn(&board::dice(bytes, variant.game())).expect("the game's number of dice");
        let end = played(turn, bytes).end(&History::start(&position)).expect("a complete turn ends");
        if end.outcome.is_some() {
            break;
        }
        position = end.position;
    }
    let dice = board::dice(bytes, variant.game());
    (position.turn(&dice).expect("the game's number of dice"), dice)
}

/// A turn played to its end.
fn played(mut turn: Turn, bytes: &mut Bytes<'_>) -> Turn {
    while board::play_any(&mut turn, bytes).is_some() {}
    turn
}

/// Steps with any die from any place to any place, and from and to places that the game does not have.
fn refuses_what_it_does_not_list(turn: &Turn, dice: &[Option<Die>]) {
    let listed: HashSet<Step> = turn.steps().into_iter().collect();
    let mut places = board::places(turn.position().variant().game()).to_vec();
    places.push("x".to_owned());
    for &die in dice {
        for from in &places {
            for to in &places {
                let step = Step { die, from: from.clone(), to: to.clone() };
                let mut after = turn.clone();
                let accepted = after.play(&step);
                assert_eq!(accepted.is_ok(), listed.contains(&step), "{step:?}: {accepted:?}");
                assert!(accepted.is_ok() || after.position() == turn.position());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_laws_of_dice_games_hold_wherever_play_leads(
        variant in select(board::variants(true)),
        bytes in vec(any::<u8>(), 3_000),
    ) {
        let mut bytes = Bytes::new(&bytes);
        let (turn, dice) = somewhere(variant, &mut bytes);
        laws::tables::play(turn.start(), &dice, &mut bytes);
        laws::ends::holds(turn, &dice, &mut bytes, STATES_MAX);
    }

    #[test]
    fn the_dice_played_and_the_ends_are_those_of_the_words_of_the_rules(
        variant in select(board::variants(true)),
        bytes in vec(any::<u8>(), 100),
    ) {
        let mut bytes = Bytes::new(&bytes);
        if let Some(position) = board::position(&mut bytes, variant) {
            let dice = board::dice(&mut bytes, variant.game());
            let turn = position.turn(&dice).expect("the game's number of dice");
            laws::ends::holds(turn, &dice, &mut bytes, STATES_MAX);
        }
    }

    #[test]
    fn a_step_is_listed_exactly_if_it_is_accepted(
        variant in select(board::variants(true)),
        bytes in vec(any::<u8>(), 3_000),
    ) {
        let mut bytes = Bytes::new(&bytes);
        let mut turn = somewhere(variant, &mut bytes).0;
        let dice: Vec<_> = Die::ALL.into_iter().map(Some).chain([None]).collect();
        refuses_what_it_does_not_list(&turn, &dice);
        board::play_any(&mut turn, &mut bytes);
        refuses_what_it_does_not_list(&turn, &dice);
    }

    #[test]
    fn a_move_is_listed_exactly_if_it_is_accepted(
        variant in select(board::variants(false)),
        bytes in vec(any::<u8>(), 0..100),
    ) {
        if let Some(position) = laws::tafl::position(&mut Bytes::new(&bytes), variant) {
            let turn = position.turn(&[]).expect("no dice");
            refuses_what_it_does_not_list(&turn, &[None]);
            let ends = turn.ends(usize::MAX).positions.into_iter();
            let below: u64 = ends.map(|end| if end.outcome().is_some() { 1 } else { end.perft(1) }).sum();
            prop_assert!(turn.is_complete() || position.perft(2) == below);
        }
    }
    /// A journal may hold positions of rules that have since been corrected.
    #[test]
    fn a_recorded_position_can_be_asked_however_odd_it_is(
        variant in select(board::variants(true)),
        numbers in vec(any::<u8>(), 30),
        roll in vec(select(&Die::ALL[..]), 3),
        marks in any::<[bool; 2]>(),
    ) {
        let game = variant.game();
        let mut sides = BySide::<DiceSide>::default();
        for (at, &number) in numbers.iter().enumerate() {
            let side = sides.get_mut(Side::BOTH[at % 2]);
            let cell = number % 24 + 1;
            let cell = match (game, number / 24) {
                (Game::Zeno | Game::Scripta | Game::Tabula, 0) => { side.supply += 1; continue }
                (Game::Scripta | Game::Tabula, 1) => { side.bar += 1; continue }
                (_, 2) => { side.off += 1; continue }
                (Game::Zeno, 1) => format!("m{}", cell.div_ceil(2)),
                (Game::Scripta, 3..=6) => format!("A{}", cell.div_ceil(2)),
                (Game::Scripta, _) => format!("{}{}", ['B', 'C', 'D', 'E'][usize::from(cell % 4)], cell.div_ceil(4)),
                _ => cell.to_string(),
            };
            *side.points.entry(cell).or_default() += 1;
        }
        for (side, mark) in Side::BOTH.into_iter().zip(marks) {
            let side = sides.get_mut(side);
            side.exposed = game == Game::Zeno && mark;
            if game == Game::Tavla && mark {
                side.pinned = side.points.keys().take(2).cloned().collect();
            }
        }
        let setup = Setup::Tables { sides, to_move: Side::White };
        let position = Position::recorded(variant, &setup).expect("any position can be recorded");
        let mut turn = position.turn(&roll[..game.dice()]).expect("the game's number of dice");
        prop_assert!(!position.drawing().is_empty());
        prop_assert!(!turn.ends(100).positions.is_empty());
        while !turn.is_complete() {
            let steps = turn.steps();
            prop_assert!(!steps.is_empty());
            turn.play(&steps[steps.len() / 2]).expect("a listed step is legal");
        }
        turn.end(&History::start(&position)).expect("a complete turn ends");
    }
}
