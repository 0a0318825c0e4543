//! Ends of games, and their scores.

use lusoria_rules::{
    Game, Mother, Outcome, Reason, Side, Variant,
    tables::{Position, Rules},
};

use crate::support::{GAMES, of, rules, set, step, turn};

fn win(winner: Side, points: u8, reason: Reason) -> Outcome {
    Outcome { winner: Some(winner), points, reason }
}

#[test]
fn fifteen_pieces_off_win_one_point() {
    for (game, last, from) in [
        (Game::Zeno, "24 off*14 exposed", "24"),
        (Game::Scripta, "E1 off*14", "E1"),
        (Game::Tabula, "24 off*14", "24"),
    ] {
        let black = if game == Game::Scripta { "A1*15" } else { "2*15" };
        let mut turn = turn(set(rules(game), last, black), &vec![1; game.dice()]);
        turn.play(&step(1, from, "off")).unwrap();
        assert_eq!(turn.end().unwrap().outcome, Some(win(Side::White, 1, Reason::BorneOff)), "{game}");
    }
}

// tavla 7
#[test]
fn a_win_in_tavla_counts_double_if_the_loser_has_none_off() {
    for (black, outcome) in [
        ("24*15", Some(win(Side::White, 2, Reason::Mars))),
        ("6*14 off", Some(win(Side::White, 1, Reason::BorneOff))),
    ] {
        let mut turn = turn(set(rules(Game::Tavla), "1 off*14", &black.replace("24*15", "23*15")), &[1, 2]);
        turn.play(&step(1, "1", "off")).unwrap();
        assert_eq!(turn.end().unwrap().outcome, outcome);
    }
}

// tavla 7
#[test]
fn a_resignation_scores_by_the_pieces_borne_off() {
    let position = set(rules(Game::Tavla), "2*14 off", "24*14 18");
    assert_eq!((position.loss_points(Side::White), position.loss_points(Side::Black)), (1, 2));
    for game in GAMES.into_iter().filter(|&game| game != Game::Tavla) {
        assert_eq!(Position::start(rules(game)).loss_points(Side::White), 1);
    }
}

fn tavla(mother: Mother) -> &'static Rules {
    of(Variant::Tavla { mother })
}

// tavla 8
#[test]
fn both_mothers_pinned_is_a_draw_under_either_option() {
    for mother in [Mother::PlayOn, Mother::DoubleLoss] {
        // White's 24 is under Black's 1; White steps onto its own 1, Black's 24.
        let mut turn = turn(set(tavla(mother), "24 3 12*13 ^24", "1 24 12*0 11*13"), &[2, 4]);
        assert!(turn.play(&step(2, "3", "1")).unwrap().pin);
        turn.play(&turn.steps()[0].clone()).unwrap();
        let outcome = turn.end().unwrap().outcome;
        assert_eq!(outcome, Some(Outcome { winner: None, points: 0, reason: Reason::DeadDraw }));
    }
}

// tavla 8
#[test]
fn a_pinned_mother_loses_double_only_by_the_option() {
    for (mother, outcome) in
        [(Mother::PlayOn, None), (Mother::DoubleLoss, Some(win(Side::White, 2, Reason::Mother)))]
    {
        let mut turn = turn(set(tavla(mother), "3 12*14", "24 11*14"), &[2, 4]);
        turn.play(&step(2, "3", "1")).unwrap();
        turn.play(&turn.steps()[0].clone()).unwrap();
        assert_eq!(turn.end().unwrap().outcome, outcome);
    }
}

// tavla 8
#[test]
fn a_side_with_pieces_left_on_its_own_24_does_not_win_by_the_mother() {
    let mut turn = turn(set(tavla(Mother::DoubleLoss), "24 3 12*13", "24 11*14"), &[2, 4]);
    turn.play(&step(2, "3", "1")).unwrap();
    turn.play(&step(4, "12", "8")).unwrap();
    assert_eq!(turn.end().unwrap().outcome, None);
}

#[test]
fn pips_count_the_way_that_is_left() {
    for (game, white, pips) in [
        (Game::Tavla, "24*14 1", 14 * 24 + 1),
        (Game::Tabula, "24*10 1*2 bar supply*2", 10 + 2 * 24 + 3 * 25),
        (Game::Scripta, "A1 E1 supply*13", 36 + 1 + 13 * 37),
        (Game::Zeno, "m1 m12 24*13 exposed", 25 + 14 + 13),
    ] {
        let rules =
            if game == Game::Scripta { of(Variant::Scripta { row_a_gate: false }) } else { rules(game) };
        let black = match game {
            Game::Tavla => "23*15",
            _ => "supply*15",
        };
        assert_eq!(set(rules, white, black).pips(Side::White), pips, "{game} {white}");
    }
}
