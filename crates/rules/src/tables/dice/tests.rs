//! Rolls, and the dice that they give.

use super::*;
use crate::{Game, Variant};

fn played(game: Game, roll: &[u8]) -> String {
    let roll: Vec<Die> = roll.iter().filter_map(|&value| Die::new(value)).collect();
    let rules = Rules::of(Variant::standard(game)).expect("a dice game");
    let hand = Hand::of_roll(rules, &roll).expect("a roll of the game");
    assert_eq!(usize::from(hand.len()), hand.dice().len());
    hand.dice().iter().map(ToString::to_string).collect()
}

#[test]
fn rolls_give_the_dice_that_each_game_says() {
    for (game, roll, dice) in [
        (Game::Zeno, &[6, 2, 5][..], "256"),
        (Game::Zeno, &[3, 5, 3], "33335"),
        (Game::Zeno, &[1, 1, 1], "111111111111"),
        (Game::Tabula, &[5, 5, 3], "35555"),
        (Game::Tabula, &[4, 4, 4], "444444"),
        (Game::Tavla, &[2, 1], "12"),
        (Game::Tavla, &[2, 2], "2222"),
        (Game::Scripta, &[6, 5], "56"),
        (Game::Scripta, &[6, 6], "6666"),
    ] {
        assert_eq!(played(game, roll), dice, "{game} {roll:?}");
    }
}

#[test]
fn there_are_21_rolls_of_two_dice_and_56_of_three() {
    assert_eq!((rolls(2).len(), rolls(3).len()), (21, 56));
}
