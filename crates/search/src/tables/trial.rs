//! How far a network has come: games against the greedy player.

use lusoria_rules::{Die, Side, tables};

use super::learning::Teacher;
use crate::{Random, simple};

/// Longer games are drawn.
const TURNS_MAX: usize = 3_000;

/// What the network scores in two games against [`crate::Player::Greedy`], sides exchanged, the
/// dice of both drawn from the seed: 0 to 2, a draw counting half.
pub fn trial(teacher: &Teacher, seed: u64) -> f32 {
    Side::BOTH.into_iter().map(|side| game(teacher, side, seed)).sum()
}

fn game(teacher: &Teacher, side: Side, seed: u64) -> f32 {
    let mut random = Random::new(seed);
    let rules = teacher.rules();
    let mut position = tables::Position::start(rules);
    if rules.game().has_opening_throw() {
        position = position.with_to_move(if random.below(2) == 0 { Side::White } else { Side::Black });
    }
    for _ in 0..TURNS_MAX {
        let dice: Vec<Die> =
            (0..rules.game().dice()).map(|_| Die::ALL[random.below(Die::ALL.len())]).collect();
        let turn = tables::Turn::new(position, &dice).expect("as many dice as the game has");
        position = if position.to_move() == side {
            teacher.best_end(&turn)
        } else {
            simple::greedy_end(&turn, random.bits()).0
        };
        if let Some(outcome) = position.outcome() {
            return match outcome.winner {
                Some(winner) if winner == side => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            };
        }
        if turn.dice_playable() == 0 && position.is_dead() {
            return 0.5;
        }
    }
    0.5
}
