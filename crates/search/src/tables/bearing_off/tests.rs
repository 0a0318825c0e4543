//! Chances that can be computed by hand.

use lusoria_rules::{BySide, DiceSide, Game, Setup, Variant};

use super::*;

fn position(game: Game, mine: &[(u8, u8)], theirs: &[(u8, u8)]) -> tables::Position {
    let rules = tables::Rules::of(Variant::standard(game)).unwrap();
    let name = |way: u8| rules.cells()[24 - usize::from(way)].to_owned();
    let side = |men: &[(u8, u8)]| DiceSide {
        points: men.iter().map(|&(way, count)| (name(way).into(), count)).collect(),
        off: 15 - men.iter().map(|(_, count)| count).sum::<u8>(),
        ..DiceSide::default()
    };
    let sides = BySide { white: side(mine), black: side(theirs) };
    let setup = Setup::Tables { sides, to_move: Side::White };
    match lusoria_rules::Position::from_setup(rules.variant(), &setup).unwrap() {
        lusoria_rules::Position::Tables(position) => position,
        lusoria_rules::Position::Tafl(_) => unreachable!("{game} has dice"),
    }
}

fn table(game: Game) -> BearingOff {
    BearingOff::of(tables::Rules::of(Variant::standard(game)).unwrap()).unwrap()
}

#[test]
fn chances_of_two_dice_agree_with_counts_by_hand() {
    let table = table(Game::Tavla);
    for (mine, theirs, wins_of_36) in [
        // One piece on 1 goes off with any die.
        (&[(1, 1)][..], &[(1, 1)][..], 36.0),
        // One piece on 6 needs a 6, a sum of six, or a double of 2 and more: backgammon's 27.
        (&[(6, 1)], &[(1, 1)], 27.0),
        // Two pieces on 2: all but the throws with a 1, of which 1-1 does it.
        (&[(2, 2)], &[(1, 1)], 26.0),
    ] {
        let win = table.win(&position(Game::Tavla, mine, theirs)).unwrap();
        assert!((win - wins_of_36 / 36.0).abs() < 1e-6, "{mine:?} {theirs:?}: {win}");
    }
}

#[test]
fn three_dice_bear_off_three_pieces_and_a_triple_six() {
    let table = table(Game::Tabula);
    let win = |mine, theirs| table.win(&position(Game::Tabula, mine, theirs)).unwrap();
    assert!((win(&[(1, 3)], &[(1, 1)]) - 1.0).abs() < 1e-6);
    // Four pieces on 1 need two dice alike: 96 of 216.
    assert!((win(&[(1, 4)], &[(1, 1)]) - 96.0 / 216.0).abs() < 1e-6);
    // Six need a triple.
    assert!((win(&[(1, 6)], &[(1, 1)]) - 6.0 / 216.0).abs() < 1e-6);
}

#[test]
fn positions_with_pieces_elsewhere_are_not_in_the_table() {
    let table = table(Game::Tabula);
    // Hit, and entered again.
    assert_eq!(table.win(&position(Game::Tabula, &[(22, 1)], &[(1, 1)])), None);
    assert_eq!(table.win(&position(Game::Tabula, &[(1, 7)], &[(1, 1)])), None);
    assert!(table.win(&position(Game::Tabula, &[(1, 6)], &[(1, 1)])).is_some());
}

#[test]
fn where_both_travel_the_same_way_there_is_none() {
    for game in [Game::Zeno, Game::Scripta] {
        assert!(BearingOff::of(tables::Rules::of(Variant::standard(game)).unwrap()).is_none());
    }
}
