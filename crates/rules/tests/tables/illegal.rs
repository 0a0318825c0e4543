//! Reasons why a step is illegal, in words for players.

use std::collections::BTreeSet;

use lusoria_rules::{
    Game, Mother, Shift, Variant,
    tables::{Illegal, Position},
};

use crate::support::{of, rules, set, step, turn};

/// Variant, White, Black, roll, step, the refusal's code and words.
type Case = (
    Variant,
    &'static str,
    &'static str,
    &'static [u8],
    (u8, &'static str, &'static str),
    &'static str,
    &'static str,
);

const ZENO: Variant = Variant::Zeno { shift: Shift::Throw };
const ZENO_DIE: Variant = Variant::Zeno { shift: Shift::Die };
const TAVLA: Variant = Variant::Tavla { mother: Mother::PlayOn };
const SCRIPTA: Variant = Variant::Scripta { row_a_gate: true };
const TABULA: Variant = Variant::Tabula;

#[rustfmt::skip]
const CASES: &[Case] = &[
    (TAVLA, "24*15", "24*15", &[1, 2], (0, "24", "23"), "no_die",
        "a step must say which die it plays"),
    (TAVLA, "24*15", "24*15", &[1, 2], (1, "bar", "24"), "unknown_place",
        "tavla has no place called \"bar\" to move from or to"),
    (TAVLA, "24*15", "24*15", &[1, 2], (4, "24", "20"), "die_not_left",
        "there is no 4 left among your dice"),
    (TAVLA, "24*15", "24*15", &[1, 2], (1, "20", "19"), "no_piece",
        "you have no piece on 20"),
    (TABULA, "10*15", "supply*15", &[1, 2, 3], (1, "supply", "1"), "no_piece",
        "you have no piece in the supply"),
    (ZENO, "1*15", "supply*15", &[1, 2, 3], (1, "m4", "4"), "no_piece",
        "you have no piece on m4 in the middle row"),
    (SCRIPTA, "A7*2 supply*13", "A4*2 A5*2 supply*11", &[4, 5], (4, "A7", "A11"), "turn_lost",
        "no die can bring in a piece, so the whole turn is lost"),
    (TAVLA, "24*14 18 ^18", "7 24*14", &[1, 2], (1, "18", "17"), "pinned",
        "your piece on 18 is pinned until the enemy leaves that cell"),
    (TABULA, "bar 9 supply*13", "supply*15", &[2, 3, 4], (2, "supply", "2"), "bar_first",
        "you must first bring in your pieces from the bar"),
    (ZENO, "m4 20*14 exposed", "supply*15", &[1, 2, 3], (1, "20", "21"), "middle_first",
        "you must first bring your pieces back from the middle row"),
    (ZENO, "1 supply*14", "supply*15", &[1, 2, 3], (1, "1", "2"), "supply_first",
        "while pieces wait in the supply, a 1 can only bring one of them in"),
    (ZENO_DIE, "6 3 supply*13", "1*2 supply*13", &[1, 2, 3], (1, "6", "7"), "zone_closed",
        "no piece may move past 6 while others wait in the supply"),
    (SCRIPTA, "A12*13 supply*2", "supply*15", &[3, 4], (3, "A12", "B3"), "gate_closed",
        "row A stays closed while pieces wait in the supply: none may move past A12"),
    (TAVLA, "24*15", "24*15", &[1, 2], (1, "24", "22"), "wrong_target",
        "a 1 from 24 leads to 23, not to 22"),
    (TABULA, "supply*15", "supply*15", &[1, 2, 3], (1, "supply", "2"), "wrong_target",
        "a 1 from the supply leads to 1, not to 2"),
    (ZENO, "m4*15 exposed", "supply*15", &[1, 2, 3], (1, "m4", "5"), "wrong_target",
        "a 1 from m4 leads to 4, not to 5"),
    (TAVLA, "7 2*14", "24*15", &[2, 3], (2, "2", "off"), "not_home",
        "you can bear off only when all your pieces are in the last six cells: there is one on 7"),
    (TABULA, "24*14 supply", "24*15", &[1, 2, 3], (1, "24", "off"), "not_home",
        "you can bear off only when all your pieces are in the last six cells: there is one in the supply"),
    (TAVLA, "6*7 5*7 2 ^2", "23 24*14", &[6, 3], (6, "6", "off"), "pinned_at_home",
        "you cannot bear off while your piece on 2 is pinned"),
    (TAVLA, "6*2 2*13", "18*15", &[5, 4], (5, "2", "off"), "farther_first",
        "a 5 cannot bear off from 2 while your piece on 6 is farther from the end"),
    (TAVLA, "24*15", "7*2 24*13", &[6, 1], (6, "24", "18"), "blocked",
        "18 is blocked by 2 black pieces"),
    (TAVLA, "24*14 18 ^18", "7 24*14", &[6, 1], (6, "24", "18"), "blocked",
        "18 is blocked by 1 black piece"),
    (ZENO, "supply*15", "3 supply*14", &[1, 2, 3], (3, "supply", "3"), "sheltered",
        "3 is blocked: a single piece on 3 is safe until black has brought in all its pieces and moved one past 6"),
    (SCRIPTA, "A9 supply*14", "A2*2 A3*2 A11*2 supply*9", &[1, 2], (1, "A9", "A10"), "entry_owed",
        "this turn must bring in a piece, and after this step it could not"),
    (TAVLA, "13 2*14", "16*2 21*13", &[4, 3], (4, "13", "9"), "blocked",
        "9 is blocked by 2 black pieces"),
    (TAVLA, "13 11 1*13", "23*2 19*2 22*11", &[6, 5], (6, "13", "7"), "wastes_dice",
        "this would leave a die unplayable: another order plays 2 dice in all"),
];

fn refused(&(variant, white, black, roll, (die, from, to), _, words): &Case) -> Illegal {
    let mut turn = turn(set(of(variant), white, black), roll);
    let before = *turn.position();
    let reason = turn.play(&step(die, from, to)).expect_err(words);
    assert_eq!(*turn.position(), before);
    reason
}

#[test]
fn each_refusal_says_its_reason() {
    for case @ &(.., code, words) in CASES {
        let reason = refused(case);
        assert_eq!(reason.to_string(), words);
        assert_eq!(reason.code(), code);
    }
}

#[test]
fn the_words_can_be_rebuilt_from_the_code_and_its_parameters() {
    for case @ &(.., words) in CASES {
        for (name, value) in refused(case).params() {
            assert!(words.contains(&value), "{name} in {words}");
        }
    }
}

#[test]
fn a_finished_turn_says_what_finished_it() {
    let mut won = turn(set(rules(Game::Tabula), "24 off*14", "2*15"), &[1, 2, 3]);
    won.play(&step(1, "24", "off")).unwrap();
    assert_eq!(won.play(&step(2, "24", "off")).unwrap_err().code(), "game_won");
    let mut played = turn(Position::start(rules(Game::Tavla)), &[1, 2]);
    played.play(&step(1, "24", "23")).unwrap();
    assert_eq!(played.play(&step(1, "24", "23")).unwrap_err().code(), "die_not_left");
    played.play(&step(2, "24", "22")).unwrap();
    assert_eq!(played.play(&step(2, "24", "22")).unwrap_err().code(), "no_dice_left");
}

#[test]
fn every_kind_of_refusal_has_a_case() {
    let codes: BTreeSet<&str> = CASES.iter().map(|case| case.5).collect();
    assert_eq!(codes.len(), 19, "{codes:?}");
}
