//! The strength of a network: games against the greedy player, or against another network.

use lusoria_rules::{Die, History, Position, Side, tables};
use lusoria_search::{Budget, Decision, Player, Random, Stakes, choose};

use super::learning::Teacher;

/// Longer games are drawn.
const TURNS_MAX: usize = 3_000;

/// The network's score in two games against the other one, or [`Player::Greedy`], with sides exchanged and
/// all dice drawn from the seed: 0 to 2, a draw counting half.
pub(super) fn trial(teacher: &Teacher, opponent: Option<&Teacher>, seed: u64) -> f32 {
    Side::BOTH.into_iter().map(|side| game(teacher, opponent, side, seed)).sum()
}

fn game(teacher: &Teacher, opponent: Option<&Teacher>, side: Side, seed: u64) -> f32 {
    let mut random = Random::new(seed);
    let rules = teacher.rules();
    let mut position = tables::Position::start(rules);
    if rules.game().has_opening_throw() {
        position = position.with_to_move(if random.below(2) == 0 { Side::White } else { Side::Black });
    }
    for _ in 0..TURNS_MAX {
        let dice = teacher.throw(&mut random);
        let turn = tables::Turn::new(position, &dice).expect("as many dice as the game has");
        position = if position.to_move() == side {
            teacher.best_end(&turn)
        } else if let Some(opponent) = opponent {
            opponent.best_end(&turn)
        } else {
            greedy_end(position, turn.clone(), &dice, random.bits())
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

/// The end of the greedy player's turn.
fn greedy_end(
    position: tables::Position,
    mut turn: tables::Turn,
    dice: &[Die],
    seed: u64,
) -> tables::Position {
    let position = Position::Tables(position);
    let history = History::start(&position);
    let decision = Decision { position, dice, history: &history, stakes: Stakes::Game };
    for step in choose(&decision, Player::Greedy, Budget { nodes: u32::MAX }, seed).steps {
        turn.play(&step).expect("the greedy player plays by the rules");
    }
    turn.end().expect("its turn is complete").position
}
