//! The turns of one position, looked at ever deeper.

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

/// A turn with what it is worth to the side that plays it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rated {
    pub(super) played: Move,
    pub(super) value: i32,
    /// Whether the value is the turn's own; else it is at most this, and not of interest.
    pub(super) exact: bool,
}

/// Which turns are of interest.
#[derive(Debug, Clone, Copy)]
pub(super) enum Keep {
    /// So many of the best.
    Best(usize),
    /// Those that lose at most so much of the chance to win.
    Within(f32),
}

/// A root's turn and where it leads.
struct Turn {
    rated: Rated,
    after: State,
    /// What it is worth by the rules, if it ends the game.
    ended: Option<i32>,
}

impl Search<'_> {
    /// The turns, those of interest first and the best of them foremost, as deep as the
    /// budget allows. There must be one.
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

    /// The turns, valued one ply deep: without the opponent's reply.
    pub(super) fn guess(&mut self, root: &State, seed: u64) -> Vec<Rated> {
        let mut turns = self.turns(root, seed);
        self.glance(&mut turns, false);
        turns.into_iter().map(|turn| turn.rated).collect()
    }

    /// The legal turns, by lot between those that promise the same.
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

    /// Judges where each turn leads without looking further, but for answers that win on the
    /// spot; says whether the budget was enough, and leaves those that it was not enough for last.
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

    /// Looks `depth` plies ahead. If the budget ends on the way, what has been found takes the
    /// place of what was known only where it is comparable: where one turn is looked for.
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

    /// Turns must be worth more than this to be of interest.
    fn floor(&self, found: &[Rated], keep: Keep) -> i32 {
        let mut values: Vec<_> = found.iter().filter(|rated| rated.exact).map(|rated| rated.value).collect();
        values.sort_unstable_by_key(|value| -value);
        match keep {
            Keep::Best(most) => values.get(most.max(1) - 1).copied().unwrap_or(-WIN),
            Keep::Within(loss) => values.first().map_or(-WIN, |&best| self.tolerable(best, loss) - 1),
        }
    }

    /// How many of the turns, which are sorted, lose at most so much of the chance to win.
    pub(super) fn tolerated(&self, rated: &[Rated], loss: f32) -> usize {
        let least = self.tolerable(rated[0].value, loss);
        rated.iter().take_while(|rated| rated.exact && rated.value >= least).count()
    }

    /// The least value that loses at most so much of the chance that `best` gives.
    pub(super) fn tolerable(&self, best: i32, loss: f32) -> i32 {
        if best <= -WON {
            // All is lost; the longest way is the least loss.
            return best;
        }
        let scale = self.weights.scale();
        #[expect(clippy::cast_precision_loss, reason = "values have 16 bits")]
        let least = chance(best as f32 / scale) - loss;
        #[expect(clippy::cast_possible_truncation, reason = "far below")]
        let least = if least <= 0.0 { -WON } else { ((least / (1.0 - least)).ln() * scale) as i32 };
        // Who can force a win does not have to, but does not throw it away either.
        least.clamp(-WON + 1, best)
    }
}

/// What a game that has ended is worth to the side that moved.
fn won(outcome: Outcome, before: &Position) -> i32 {
    match outcome.winner {
        None => DRAW,
        Some(winner) if winner == before.to_move() => won_in(1),
        Some(_) => -won_in(1),
    }
}

/// Those of interest first, the best foremost; the others stay in their order.
fn sort(turns: &mut [Turn]) {
    turns.sort_by_key(|turn| if turn.rated.exact { (0, -turn.rated.value) } else { (1, 0) });
}
