//! Searches the turns of one position by iterative deepening.

use lusoria_rules::{
    Outcome,
    tafl::{Cells, Move, Position},
};

use super::{
    order::Promise,
    search::{DEPTH_MAX, DRAW, Demand, Search, WIN, WON, demand, won_in},
    state::State,
    weights::chance,
};
use crate::Random;

/// A turn with its value for the side that plays it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rated {
    pub(super) played: Move,
    pub(super) value: i32,
    /// Whether the value is exact; otherwise it is an upper bound.
    pub(super) exact: bool,
}

/// Which turns need exact values.
#[derive(Debug, Clone, Copy)]
pub(super) enum Keep {
    /// This many of the best.
    Best(usize),
    /// Those that lose at most this much of the chance of winning.
    Within(f32),
}

/// A turn of the root, and the position after it.
struct Turn {
    rated: Rated,
    after: State,
    /// Its value by the rules, if it ends the game.
    ended: Option<i32>,
}

impl Search<'_> {
    /// The turns, those with exact values first and the best of them in front, as deep as the budget allows.
    /// There must be at least one.
    pub(super) fn rate(&mut self, root: &State, keep: Keep, depth_max: i32, seed: u64) -> Vec<Rated> {
        self.past.enter(root);
        let mut turns = self.turns(root, seed);
        if self.glance(&mut turns, true) {
            for depth in 1..=depth_max.min(DEPTH_MAX) {
                self.deepen(depth);
                let whole = self.iterate(&mut turns, keep, depth);
                let best = turns[0].rated.value;
                if !whole || turns.len() == 1 && depth >= 4 || best.abs() >= WIN - depth {
                    break;
                }
            }
        }
        self.past.leave();
        turns.into_iter().map(|turn| turn.rated).collect()
    }

    /// The turns, searched one ply deep: without the opponent's reply.
    pub(super) fn guess(&mut self, root: &State, seed: u64) -> Vec<Rated> {
        let mut turns = self.turns(root, seed);
        self.glance(&mut turns, false);
        turns.into_iter().map(|turn| turn.rated).collect()
    }

    /// The legal turns, in random order among equal priorities.
    fn turns(&mut self, root: &State, seed: u64) -> Vec<Turn> {
        let mut promises: Vec<Promise> = Vec::new();
        self.order.moves(&root.position, Cells::MAX, 0, 0, &mut promises);
        Random::new(seed).shuffle(&mut promises);
        promises.sort_by_key(|promise| -promise.promise);
        promises
            .into_iter()
            .map(|Promise { played, .. }| {
                let (after, _) = root.after(played);
                let ended = match after.position.outcome() {
                    Some(outcome) => Some(won(outcome, &root.position)),
                    None => self.past.draws(&after).then_some(DRAW),
                };
                Turn { rated: Rated { played, value: -WIN, exact: false }, after, ended }
            })
            .collect()
    }

    /// Evaluates the position after each turn without further search, except replies that win immediately.
    /// Returns whether the budget sufficed, and puts turns without a value last.
    fn glance(&mut self, turns: &mut [Turn], sees_answers: bool) -> bool {
        let mut whole = true;
        for turn in &mut *turns {
            whole = whole && self.spend().is_some();
            if whole {
                turn.rated.exact = true;
                turn.rated.value = turn.ended.unwrap_or_else(|| match demand(&turn.after, 1) {
                    Demand::Settled(value) if sees_answers => -value,
                    Demand::Settled(_) | Demand::Free | Demand::Block(_) | Demand::Save => {
                        -self.judge(&turn.after)
                    }
                });
            }
        }
        sort(turns);
        whole
    }

    /// Searches `depth` plies deep. If the budget ends on the way, the new values replace the old ones only
    /// where they are comparable: when a single turn is wanted.
    fn iterate(&mut self, turns: &mut [Turn], keep: Keep, depth: i32) -> bool {
        let mut found: Vec<Rated> = Vec::with_capacity(turns.len());
        for turn in &*turns {
            let floor = self.floor(&found, keep);
            let Some(value) = self.rate_one(turn, depth, floor) else { break };
            found.push(Rated { value, exact: value > floor, ..turn.rated });
        }
        let whole = found.len() == turns.len();
        if whole || matches!(keep, Keep::Best(1)) && !found.is_empty() {
            for (index, turn) in turns.iter_mut().enumerate() {
                match found.get(index) {
                    Some(rated) => turn.rated = *rated,
                    None => turn.rated.exact = false,
                }
            }
            sort(turns);
        }
        whole
    }

    fn rate_one(&mut self, turn: &Turn, depth: i32, floor: i32) -> Option<i32> {
        if let Some(value) = turn.ended {
            return Some(value);
        }
        let after = &turn.after;
        if floor > -WIN {
            let value = -self.value(after, depth - 1, -floor - 1, -floor, 1, true)?;
            if value <= floor {
                return Some(value);
            }
        }
        self.value(after, depth - 1, -WIN, -floor, 1, true).map(|value| -value)
    }

    /// Turns must be worth more than this to need exact values.
    fn floor(&self, found: &[Rated], keep: Keep) -> i32 {
        let mut values: Vec<_> = found.iter().filter(|rated| rated.exact).map(|rated| rated.value).collect();
        values.sort_unstable_by_key(|value| -value);
        match keep {
            Keep::Best(most) => values.get(most.max(1) - 1).copied().unwrap_or(-WIN),
            Keep::Within(loss) => values.first().map_or(-WIN, |&best| self.tolerable(best, loss) - 1),
        }
    }

    /// How many of the sorted turns lose at most this much of the chance of winning.
    pub(super) fn tolerated(&self, rated: &[Rated], loss: f32) -> usize {
        let least = self.tolerable(rated[0].value, loss);
        rated.iter().take_while(|rated| rated.exact && rated.value >= least).count()
    }

    /// The least value that loses at most this much of the chance at `best`.
    pub(super) fn tolerable(&self, best: i32, loss: f32) -> i32 {
        if best <= -WON {
            // All is lost; the longest line is the least loss.
            return best;
        }
        let scale = self.weights.scale();
        #[expect(clippy::cast_precision_loss, reason = "values have 16 bits")]
        let least = chance(best as f32 / scale) - loss;
        #[expect(clippy::cast_possible_truncation, reason = "far below")]
        let least = if least <= 0.0 { -WON } else { ((least / (1.0 - least)).ln() * scale) as i32 };
        // A side with a forced win need not play it, but must not lose it.
        least.clamp(-WON + 1, best)
    }
}

/// The value of a finished game for the side that moved.
fn won(outcome: Outcome, before: &Position) -> i32 {
    match outcome.winner {
        None => DRAW,
        Some(winner) if winner == before.to_move() => won_in(1),
        Some(_) => -won_in(1),
    }
}

/// Exact values first, the best in front; the others keep their order.
fn sort(turns: &mut [Turn]) {
    turns.sort_by_key(|turn| if turn.rated.exact { (0, -turn.rated.value) } else { (1, 0) });
}
