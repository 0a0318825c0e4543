//! What a step does to the board, told once more in the simplest words: pieces
//! in maps by name. The engine's turns must tell the same, step after step.

use lusoria_rules::{
    BySide, DiceSide, Game, Side, Step,
    tables::{Position, Turn},
};
use proptest::prelude::*;

use crate::{
    support::{dice, sides},
    walk::{VARIANTS, cases, somewhere},
};

fn take(side: &mut DiceSide, place: &str) {
    match place {
        "supply" => side.supply -= 1,
        "bar" => side.bar -= 1,
        cell => {
            let left = side.points[cell] - 1;
            if left == 0 {
                side.points.remove(cell);
            } else {
                side.points.insert(cell.to_owned(), left);
            }
        }
    }
}

fn put(side: &mut DiceSide, place: &str) {
    match place {
        "off" => side.off += 1,
        cell => *side.points.entry(cell.to_owned()).or_default() += 1,
    }
}

/// The enemy's name for the mover's cell.
fn across(game: Game, cell: &str) -> String {
    match game {
        Game::Tavla | Game::Tabula => (25 - cell.parse::<u8>().unwrap()).to_string(),
        Game::Zeno | Game::Scripta | Game::Tablut => cell.to_owned(),
    }
}

fn apply(game: Game, sides: &mut BySide<DiceSide>, mover: Side, step: &Step) {
    let own = sides.get_mut(mover);
    take(own, &step.from);
    put(own, &step.to);
    let own = own.clone();
    let enemy = sides.get_mut(mover.other());
    let below = if step.to == "off" { String::new() } else { across(game, &step.to) };
    let meets = enemy.points.contains_key(&below);
    match game {
        Game::Tavla => {
            let covered = |cell: &String| {
                let above = across(game, cell);
                own.points.contains_key(&above) && !own.pinned.contains(&above)
            };
            enemy.pinned = enemy.points.keys().filter(|cell| covered(cell)).cloned().collect();
            enemy.pinned.sort_by_key(|cell| std::cmp::Reverse(cell.parse::<u8>().unwrap()));
        }
        Game::Zeno if meets => {
            take(enemy, &below);
            let cell: u8 = below.parse().unwrap();
            put(enemy, &format!("m{}", cell.min(25 - cell)));
        }
        Game::Scripta | Game::Tabula if meets => {
            take(enemy, &below);
            enemy.bar += 1;
        }
        Game::Zeno | Game::Scripta | Game::Tabula | Game::Tablut => {}
    }
    let advanced = step.to == "off" || step.to.parse::<u8>().is_ok_and(|cell| cell > 6);
    if game == Game::Zeno && advanced {
        sides.get_mut(mover).exposed = true;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn each_step_does_to_the_board_what_the_rules_say((variant, turns, mut chance) in cases()) {
        let (mut turn, _) = somewhere(variant, turns, &mut chance);
        let mover = turn.position().to_move();
        let mut naive = sides(turn.position());
        while !turn.is_complete() {
            let steps = turn.steps();
            let step = &steps[chance.below(steps.len())];
            let before = naive.clone();
            let played = turn.play(step).unwrap();
            apply(variant.game(), &mut naive, mover, step);
            prop_assert_eq!(&sides(turn.position()), &naive);
            let enemy = mover.other();
            let sent_away = naive.get(enemy).points != before.get(enemy).points;
            let pinned = naive.get(enemy).pinned.iter().any(|cell| !before.get(enemy).pinned.contains(cell));
            prop_assert_eq!((played.hit, played.pin), (sent_away, pinned));
        }
    }

    /// A journal may hold positions of rules that have since been corrected.
    #[test]
    fn a_recorded_position_can_be_asked_however_odd_it_is(
        variant in prop::sample::select(VARIANTS.to_vec()),
        numbers in prop::collection::vec(any::<u8>(), 30),
        roll in prop::collection::vec(1u8..7, 3),
        marks in any::<(bool, bool)>(),
    ) {
        let game = variant.game();
        let mut written = BySide::<DiceSide>::default();
        for (at, &number) in numbers.iter().enumerate() {
            let side = written.get_mut(if at % 2 == 0 { Side::White } else { Side::Black });
            let cell = number % 24 + 1;
            match (game, number / 24) {
                (Game::Zeno | Game::Scripta | Game::Tabula, 0) => side.supply += 1,
                (Game::Scripta | Game::Tabula, 1) => side.bar += 1,
                (Game::Zeno, 1) => put(side, &format!("m{}", cell.div_ceil(2))),
                (_, 2) => side.off += 1,
                (Game::Scripta, 3..=6) => put(side, &format!("A{}", cell.div_ceil(2))),
                (Game::Scripta, _) => put(side, &format!("{}{}", ['B', 'C', 'D', 'E'][usize::from(cell % 4)], cell.div_ceil(4))),
                _ => put(side, &cell.to_string()),
            }
        }
        for (side, mark) in [(Side::White, marks.0), (Side::Black, marks.1)] {
            let side = written.get_mut(side);
            side.exposed = game == Game::Zeno && mark;
            if game == Game::Tavla && mark {
                side.pinned = side.points.keys().take(2).cloned().collect();
            }
        }
        let rules = crate::support::of(variant);
        let position = Position::recorded(rules, &written, Side::White).unwrap();
        let mut turn = Turn::new(position, &dice(&roll[..game.dice()])).unwrap();
        prop_assert!(!position.drawing().is_empty());
        prop_assert!(!turn.ends(100).positions.is_empty());
        while !turn.is_complete() {
            let steps = turn.steps();
            prop_assert!(!steps.is_empty());
            turn.play(&steps[steps.len() / 2]).unwrap();
        }
        turn.end().unwrap();
    }
}
