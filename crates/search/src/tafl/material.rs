//! A yardstick: the greatest lead in men three plies ahead.

use lusoria_rules::{
    History,
    tafl::{Cells, Position},
};

use super::{
    order::{Order, Promise, select},
    past::Past,
    search::{WIN, lost_in, won_in},
    state::State,
};
use crate::Random;

/// The depth.
const PLIES: usize = 3;

/// A search that counts only men, wins and losses.
pub(super) struct Material {
    past: Past,
    order: Order,
    /// How many positions have been searched.
    pub(super) nodes: u32,
    /// The attackers' lead in men at the root, so that a draw is neither gain nor loss.
    even: i32,
}

impl Material {
    pub(super) fn new(root: &State, history: &History) -> Self {
        Self { past: Past::of(history), order: Order::new(), nodes: 0, even: attackers_more(&root.position) }
    }

    /// One of the best turns, at random.
    pub(super) fn best(&mut self, root: &State, seed: u64) -> Promise {
        let mut random = Random::new(seed);
        let mut promises = Vec::new();
        self.order.moves(&root.position, Cells::MAX, 0, 0, &mut promises);
        random.shuffle(&mut promises);
        promises.sort_by_key(|promise| -promise.promise);
        let mut best = -WIN;
        let mut equals = Vec::new();
        self.past.enter(root);
        for promise in promises {
            // Values below the best are not distinguished.
            let value = -self.value(&root.after(promise.played).0, -WIN, 1 - best, 1);
            if value > best {
                equals.clear();
                best = value;
            }
            if value == best {
                equals.push(promise);
            }
        }
        equals.swap_remove(random.below(equals.len()))
    }

    /// The gain in men for the side to move, compared with the root.
    fn value(&mut self, state: &State, alpha: i32, beta: i32, ply: usize) -> i32 {
        self.nodes += 1;
        let position = &state.position;
        if let Some(outcome) = position.outcome() {
            let has_won = outcome.winner == Some(position.to_move());
            return if has_won { won_in(ply) } else { lost_in(ply) };
        }
        if self.past.draws(state) {
            return 0;
        }
        if ply == PLIES {
            let more = attackers_more(position) - self.even;
            return match position.to_move() {
                lusoria_rules::Side::White => -more,
                lusoria_rules::Side::Black => more,
            };
        }
        let mut moves = Vec::new();
        self.order.moves(position, Cells::MAX, ply, 0, &mut moves);
        self.past.enter(state);
        let mut best = -WIN;
        for index in 0..moves.len() {
            let (child, _) = state.after(select(&mut moves, index).played);
            best = best.max(-self.value(&child, -beta, -alpha.max(best), ply + 1));
            if best >= beta {
                break;
            }
        }
        self.past.leave();
        best
    }
}

fn attackers_more(position: &Position) -> i32 {
    position.attackers().count_ones().cast_signed() - position.defenders().count_ones().cast_signed()
}
