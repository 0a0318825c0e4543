//! The bitboard shortcuts of the search agree with the rules.

use lusoria_rules::{
    History, Side, Throne,
    tafl::{Cells, Kind, Position},
};
use proptest::prelude::*;

use super::{
    Weights,
    ground::{capturing_cells, king_falls, ways_out},
    groups::{FEATURES, GROUPS},
    search::{Search, WIN},
    state::{State, key},
    weights::chance,
};

/// Positions of random games, the king often among attackers.
fn positions() -> impl Strategy<Value = Position> {
    let kinds = prop_oneof![
        Just(Kind::Tablut { throne: Throne::King }),
        Just(Kind::Tablut { throne: Throne::Closed })
    ];
    let choices = prop::collection::vec(any::<prop::sample::Index>(), 0..80);
    (kinds, choices, any::<bool>()).prop_map(|(kind, choices, white)| {
        let mut position = Position::start(kind);
        for choice in choices {
            let mut moves = Vec::new();
            position.for_each_move(|played| moves.push(played));
            let (after, _) = position.after(*choice.get(&moves));
            if after.outcome().is_some() {
                break;
            }
            position = after;
        }
        let other = position.with_to_move(if white { Side::White } else { Side::Black });
        if other.outcome().is_none() { other } else { position }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_position_is_looked_at_as_the_rules_have_it(position in positions()) {
        let capturing = capturing_cells(&position);
        let state = State::new(position, 7);
        let (mut falls, mut escapes): (bool, Cells) = (false, 0);
        let mut wrong = None;
        position.for_each_move(|played| {
            let (after, captured) = state.after(played);
            falls |= after.position.king() == 0;
            if after.position.king() & super::ground::BOARD.edge() != 0 {
                escapes |= played.to();
            }
            let captures_men = captured & !position.king() != 0;
            if captures_men != (played.to() & capturing != 0)
                || after.key != key(&after.position)
                || after.quiet != if captured == 0 { 8 } else { 0 }
            {
                wrong = Some(position.step(played));
            }
        });
        prop_assert_eq!(wrong, None, "{}", position.drawing());
        match position.to_move() {
            Side::White => {
                let ways = ways_out(&position);
                prop_assert_eq!(ways.count, escapes.count_ones());
                prop_assert_eq!(ways.cells & super::ground::BOARD.edge(), escapes);
            }
            Side::Black => prop_assert_eq!(king_falls(&position), falls, "{}", position.drawing()),
        }
    }

    #[test]
    fn the_evaluation_has_no_preferred_side_of_the_board(position in positions()) {
        let judged = Weights::shipped().judge(&position);
        let lusoria_rules::Setup::Tafl { board, to_move } = position.setup() else { panic!("it is tafl") };
        let upside_down = board.split('/').rev().collect::<Vec<_>>().join("/");
        let mirrored: String = board.chars().rev().collect();
        for board in [upside_down, mirrored] {
            let other = Position::from_setup(position.kind(), &board, to_move).expect("as possible");
            prop_assert_eq!(Weights::shipped().judge(&other), judged);
        }
    }
}

#[test]
fn a_tolerated_turn_loses_no_more_than_allowed() {
    let search = Search::new(Weights::shipped(), &History::default(), 1);
    #[expect(clippy::cast_precision_loss, reason = "values have 16 bits")]
    let chance = |value: i32| chance(value as f32 / Weights::shipped().scale());
    for best in (-1500..=1500).step_by(100) {
        for loss in [0.01, 0.1, 0.3] {
            let least = search.tolerable(best, loss);
            assert!(least <= best);
            assert!(chance(best) - chance(least) <= loss + 1e-3, "{best} {loss}: {least}");
        }
    }
    assert_eq!(search.tolerable(-WIN + 6, 0.3), -WIN + 6, "the losing side holds out as long as possible");
    assert!(search.tolerable(WIN - 3, 0.3) > 0, "who wins stays better");
}

#[test]
fn every_feature_has_a_place() {
    assert_eq!(GROUPS.last().map(|group| group.first + group.len), Some(FEATURES));
    assert!(GROUPS.windows(2).all(|pair| pair[0].first + pair[0].len == pair[1].first));
}
