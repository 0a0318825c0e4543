//! Wins that can be forced are found.

use lusoria_rules::{
    Game, Side,
    tafl::{Kind, Position},
};
use lusoria_search::{Level, Player, Value};
use proptest::prelude::*;

use crate::common::{ATTACKERS, CLOSED, DEFENDERS, Play, STRONGEST, TABLUT, position, step, written};

type Pieces = &'static [(char, &'static str)];

/// Whether the side to move wins within this many moves of its own, by trying everything.
fn wins_in(position: &Position, moves: u32) -> bool {
    any_move(position, |after| {
        after.outcome().is_some_and(|outcome| outcome.winner == Some(position.to_move()))
            || moves > 1
                && after.outcome().is_none()
                && !any_move(after, |answer| answer.outcome().is_some() || !wins_in(answer, moves - 1))
    })
}

fn any_move(position: &Position, mut is: impl FnMut(&Position) -> bool) -> bool {
    let mut found = false;
    position.for_each_move(|played| found = found || is(&position.after(played).0));
    found
}

/// Kind, side, pieces, moves to the win, and the first of them where it is the only one.
type Case = (Kind, Side, Pieces, u32, &'static str);

const CASES: [Case; 11] = [
    // Between two attackers (tablut 4).
    (TABLUT, ATTACKERS, &[('K', "c7"), ('t', "d7 b9 g2")], 1, "b9-b7"),
    // On the throne by four.
    (TABLUT, ATTACKERS, &[('K', "e5"), ('T', "h8"), ('t', "d5 f5 e4 a6 b2")], 1, "a6-e6"),
    // Next to it by three.
    (TABLUT, ATTACKERS, &[('K', "e6"), ('T', "h8"), ('t', "d6 f6 e9 b2")], 1, "e9-e7"),
    // The guard falls first, and the king cannot leave (tablut 5).
    (TABLUT, ATTACKERS, &[('K', "e5"), ('T', "e6 h1"), ('t', "d5 f5 e4 e9 d6 g6")], 2, ""),
    // A side that cannot move loses (tablut 8).
    (TABLUT, ATTACKERS, &[('K', "e5"), ('T', "e6"), ('t', "d5 f5 d6 f6 e7 a4")], 1, "a4-e4"),
    (TABLUT, DEFENDERS, &[('K', "e5"), ('T', "b7 d3"), ('t', "c7")], 1, ""),
    // To an edge (tablut 6).
    (TABLUT, DEFENDERS, &[('K', "c6"), ('T', "e4"), ('t', "a6 d6 c4 g8")], 1, "c6-c9"),
    // Over the throne, if it is open.
    (TABLUT, DEFENDERS, &[('K', "e4"), ('T', "h7"), ('t', "d4 f4 e2 g8 b3")], 1, "e4-e9"),
    // Two ways out at once.
    (TABLUT, DEFENDERS, &[('K', "e5"), ('T', "h8"), ('t', "a5 i5 e9 e1 b7 g3 h2")], 2, ""),
    (CLOSED, DEFENDERS, &[('K', "e5"), ('T', "h8"), ('t', "a5 i5 e9 e1 b7 g3 h2")], 2, ""),
    // One way after the other.
    (TABLUT, DEFENDERS, &[('K', "d4"), ('T', "h8"), ('t', "d1 a4 d9 i4 c3 e8 g2 h6 b6 f7")], 2, ""),
];

#[test]
fn forced_wins_of_every_kind_are_found() {
    for (kind, side, pieces, moves, first) in CASES {
        let start = position(kind, side, pieces);
        assert!(wins_in(&start, moves), "the case is wrong: {}", start.drawing());
        assert!(moves == 1 || !wins_in(&start, moves - 1), "the case is shorter: {}", start.drawing());
        let mut play = Play::from(start);
        let choice = play.choose(STRONGEST, 20_000, 1);
        assert_eq!(choice.value, Value::of_points(1), "{}{}", start.drawing(), written(&choice));
        if !first.is_empty() {
            assert_eq!(written(&choice), first, "{}", start.drawing());
        }
        // The win is kept on the way.
        let outcome = play.play(&choice.steps[0]);
        assert_eq!(outcome.is_some(), moves == 1, "{}", start.drawing());
    }
}

#[test]
fn the_closed_throne_is_no_way_out() {
    let pieces: Pieces = &[('K', "e4"), ('T', "h7"), ('t', "d4 f4 e2 g8 b3")];
    let play = Play::from(position(CLOSED, DEFENDERS, pieces));
    assert_ne!(play.choose(STRONGEST, 5000, 1).steps, [step("e4-e9")]);
}

#[test]
fn from_level_two_on_a_win_on_the_spot_is_played() {
    for (kind, side, pieces, _, _) in CASES.into_iter().filter(|case| case.3 == 1) {
        for level in &Level::ALL[1..] {
            for seed in 0..30 {
                let player = Player::Level(*level);
                let mut play = Play::from(position(kind, side, pieces));
                let nodes = player.budget(Game::Tablut).nodes;
                let choice = play.choose(player, nodes, seed);
                assert_eq!(
                    play.play(&choice.steps[0]).and_then(|outcome| outcome.winner),
                    Some(side),
                    "{level}"
                );
            }
        }
    }
}

/// The king has an open line to the north; an attacker can block it.
const RAICHI: Pieces = &[('K', "c6"), ('T', "e4 g6 f5"), ('t', "a6 d6 c4 g8 b8 h2 i5 e9 f2 b3")];

#[test]
fn only_beginners_overlook_the_way_out() {
    let start = position(TABLUT, ATTACKERS, RAICHI);
    let lets_go = |level: Level| {
        let overlooks = |seed: &u64| {
            let mut play = Play::from(start);
            let nodes = Player::Level(level).budget(Game::Tablut).nodes;
            let choice = play.choose(Player::Level(level), nodes, *seed);
            play.play(&choice.steps[0]).is_none() && wins_in(&play.position, 1)
        };
        (0..100).filter(overlooks).count()
    };
    let [beginner, others @ ..] = Level::ALL.map(lets_go);
    assert!((2..40).contains(&beginner), "{beginner} of 100 times");
    assert_eq!(others, [0; 4]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_win_in_two_that_exists_is_found(
        kind in prop_oneof![Just(TABLUT), Just(CLOSED)], seed in any::<u64>(), moves in 4..80_usize,
    ) {
        let play = Play::random(kind, seed, moves);
        if wins_in(&play.position, 2) {
            let choice = play.choose(STRONGEST, 200_000, seed);
            // Unless a position has occurred before.
            if play.history.since_capture() < 4 {
                prop_assert_eq!(choice.value, Value::of_points(1), "{}", play.position.drawing());
            }
        }
    }

    #[test]
    fn a_win_on_the_spot_is_played_and_none_is_given_away(
        kind in prop_oneof![Just(TABLUT), Just(CLOSED)], seed in any::<u64>(), moves in 4..80_usize,
    ) {
        let mut play = Play::random(kind, seed, moves);
        let (before, mover) = (play.position, play.position.to_move());
        let choice = play.choose(STRONGEST, 10_000, seed);
        let outcome = play.play(&choice.steps[0]);
        prop_assert_eq!(
            wins_in(&before, 1),
            outcome.is_some_and(|outcome| outcome.winner == Some(mover)),
            "{}", before.drawing()
        );
        if outcome.is_none() && wins_in(&play.position, 1) {
            prop_assert!(!any_move(&before, |after| !wins_in(after, 1)), "{}", before.drawing());
        }
    }
}
