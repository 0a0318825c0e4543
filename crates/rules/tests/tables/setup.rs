//! Impossible positions are refused, with the reason.

use lusoria_rules::{Game, Mother, SetupError, Side, Variant};

use crate::support::{of, rules, try_set};

fn refusal(game: Game, white: &str, black: &str) -> String {
    try_set(rules(game), white, black, Side::White).expect_err(white).to_string()
}

fn unpinned(side: &str, cell: u8) -> String {
    format!(
        "{side}'s {cell} cannot be pinned: it needs exactly one piece of {side} below at least one of the enemy"
    )
}

#[test]
fn a_refusal_has_a_code_and_names_the_side_that_has_the_fault() {
    for (game, white, black, code, side) in [
        (Game::Tavla, "24*14", "24*15", "piece_count", Some("white")),
        (Game::Scripta, "B1 supply*14", "supply*15", "unreachable", Some("white")),
        (Game::Zeno, "7*15", "supply*15", "exposure", Some("white")),
        (Game::Zeno, "5 supply*14", "5 supply*14", "shared", None),
        (Game::Tavla, "off*15", "24*15", "already_over", None),
    ] {
        let refused = try_set(rules(game), white, black, Side::White).expect_err(white);
        assert_eq!((refused.code(), refused.side()), (code, side), "{game}: {white}");
    }
}

#[test]
fn each_impossible_position_is_refused_for_its_reason() {
    for (game, white, black, why) in [
        (Game::Tavla, "24*14", "24*15", "white has 14 pieces in all, not 15"),
        (Game::Tabula, "supply*15", "supply*15 off", "black has 16 pieces in all, not 15"),
        (Game::Tabula, "25 supply*14", "supply*15", "tabula has no cell \"25\""),
        (Game::Tabula, "m1 supply*14", "supply*15", "tabula has no cell \"m1\""),
        (Game::Scripta, "F1 supply*14", "supply*15", "scripta has no cell \"F1\""),
        (Game::Tavla, "24*14 supply", "24*15", "tavla has no \"supply\""),
        (Game::Tavla, "24*14 bar", "24*15", "tavla has no \"bar\""),
        (Game::Zeno, "supply*14 bar", "supply*15", "zeno has no \"bar\""),
        (Game::Tabula, "supply*15 exposed", "supply*15", "tabula has no \"exposed\""),
        (Game::Scripta, "A1*2 supply*13 ^A1", "supply*15", "scripta has no \"pinned\""),
        (Game::Zeno, "5 supply*14", "5 supply*14", "5 (by White's count) holds pieces of both sides"),
        (Game::Tabula, "5 supply*14", "20 supply*14", "5 (by White's count) holds pieces of both sides"),
        (Game::Tavla, "20 24*14", "5 24*14", "20 (by White's count) holds pieces of both sides"),
        (Game::Tavla, "20*2 24*13 ^20", "5 24*14", &unpinned("white", 20)),
        (Game::Tavla, "20 24*14 ^20", "5 24*14 ^5", &unpinned("white", 20)),
        (Game::Tavla, "24*15", "5 24*14 ^5", &unpinned("black", 5)),
        (
            Game::Tavla,
            "7 1*13 off",
            "20*15",
            "white: pieces are borne off while others stand outside the last six cells",
        ),
        (Game::Zeno, "7*15", "supply*15", "white cannot be unexposed with its pieces there"),
        (Game::Zeno, "m3 1*14", "supply*15", "white cannot be unexposed with its pieces there"),
        (Game::Zeno, "3 supply*14 exposed", "supply*15", "white cannot be exposed with its pieces there"),
        (
            Game::Zeno,
            "7 supply*14",
            "supply*15",
            "white: pieces have left cells 1 to 6 while others wait in the supply",
        ),
        (
            Game::Scripta,
            "B1 supply*14",
            "supply*15",
            "white: pieces have left row A while others wait in the supply",
        ),
        (
            Game::Tabula,
            "24 off*13 supply",
            "supply*15",
            "white: pieces are borne off while others wait in the supply",
        ),
        (
            Game::Tabula,
            "off*15",
            "supply*15",
            "the game is already over: a side has borne off all its pieces",
        ),
        (
            Game::Tavla,
            "24 1 12*13 ^24",
            "1 24 11*13 ^24",
            "the game is already over: each side has a piece pinned on its own 24",
        ),
    ] {
        assert_eq!(refusal(game, white, black), why);
    }
}

#[test]
fn a_pinned_mother_is_over_only_by_the_option() {
    let (white, black) = ("1 12*14", "24 11*14 ^24");
    let set = |mother| try_set(of(Variant::Tavla { mother }), white, black, Side::White);
    assert!(set(Mother::PlayOn).is_ok());
    assert_eq!(set(Mother::DoubleLoss), Err(SetupError::Over { why: "a side's mother is pinned" }));
}

#[test]
fn the_gate_matters_only_if_the_option_is_on() {
    let open = of(Variant::Scripta { row_a_gate: false });
    assert!(try_set(open, "B1 supply*14", "supply*15", Side::White).is_ok());
}

#[test]
fn numbers_that_overflow_are_counted_and_refused() {
    let why = refusal(Game::Tabula, "1*255 2*255 supply*255", "supply*15");
    assert_eq!(why, "white has 765 pieces in all, not 15");
}
