//! Alpha-beta search.
//!
//! Values are for the side to move, higher is better: [`DRAW`] for a draw, [`WIN`] minus the number of plies
//! for a win, anything between for undecided positions. Every searched position costs one node; when there is
//! none left the search returns `None`.

use lusoria_rules::{History, Side, tafl::Cells};

use super::{
    ground::{king_falls, ways_out},
    order::{Order, Promise, packed, select},
    past::Past,
    state::State,
    table::{Bound, Glances, Known, Table},
    weights::Weights,
};

/// An immediate win.
pub(super) const WIN: i32 = 30_000;
/// A draw; no evaluation of an undecided position equals it.
pub(super) const DRAW: i32 = 0;
/// Values beyond this are wins or losses in sight.
pub const WON: i32 = WIN - 1000;

/// The greatest depth of a search, in plies, without replies to threats.
pub(super) const DEPTH_MAX: i32 = 60;
/// How far beyond its depth a search follows replies to threats at most.
const ANSWERS_MAX: usize = 24;

/// What a position demands of the side to move.
pub(super) enum Demand {
    /// It is decided, with this value.
    Settled(i32),
    /// Nothing.
    Free,
    /// The attackers must occupy one of these cells, or the king escapes.
    Block(Cells),
    /// The king is captured if the defenders do nothing.
    Save,
}

/// The search for one decision.
pub(super) struct Search<'w> {
    pub(super) weights: &'w Weights,
    nodes_max: u32,
    nodes: u32,
    pub(super) past: Past,
    table: Table,
    glances: Glances,
    pub(super) order: Order,
    /// The number of plies after which the present search stops following replies to threats.
    pub(super) plies_max: usize,
    /// Unused lists of moves, for reuse.
    pub(super) lists: Vec<Vec<Promise>>,
}

impl<'w> Search<'w> {
    pub(super) fn new(weights: &'w Weights, history: &History, nodes_max: u32) -> Self {
        let nodes_max = nodes_max.max(1);
        Self {
            weights,
            nodes_max,
            nodes: 0,
            past: Past::of(history),
            table: Table::for_nodes(nodes_max),
            glances: Glances::for_nodes(nodes_max),
            order: Order::new(),
            plies_max: ANSWERS_MAX,
            lists: Vec::new(),
        }
    }

    /// How many positions have been searched.
    pub(super) const fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Sets the depth of the next iteration.
    pub(super) fn deepen(&mut self, depth: i32) {
        self.plies_max = usize::try_from(2 * depth).unwrap_or(0) + ANSWERS_MAX;
    }

    /// Spends one node; `None` if there is none left.
    pub(super) fn spend(&mut self) -> Option<()> {
        (self.nodes < self.nodes_max).then(|| self.nodes += 1)
    }

    /// The static evaluation of a position.
    #[inline]
    pub(super) fn judge(&mut self, state: &State) -> i32 {
        self.glances.get(state.key, || self.weights.judge(&state.position))
    }

    /// The value of the position after the last move, `depth` plies deep. Values at most `alpha` or at least
    /// `beta` are bounds.
    pub(super) fn value(
        &mut self,
        state: &State,
        depth: i32,
        mut alpha: i32,
        mut beta: i32,
        ply: usize,
        may_pass: bool,
    ) -> Option<i32> {
        if depth <= 0 {
            return self.calm(state, alpha, beta, ply, 0);
        }
        self.spend()?;
        let demand = demand(state, ply);
        if let Demand::Settled(value) = demand {
            return Some(value);
        }
        // No result here is better than a win with the second next ply, or worse than losing with the next.
        alpha = alpha.max(lost_in(ply + 2));
        beta = beta.min(won_in(ply + 3));
        if alpha >= beta {
            return Some(alpha);
        }
        let wide = beta - alpha > 1;
        let known = self.table.get(state.key);
        if let Some(value) = known.and_then(|known| cut(known, depth, alpha, beta, ply)).filter(|_| !wide) {
            return Some(value);
        }
        let at_ease = matches!(demand, Demand::Free) && !wide;
        let judged = if at_ease { self.judge(state) } else { 0 };
        if at_ease && beta < WON && alpha > -WON {
            if depth <= 3 && judged - MARGIN * depth >= beta {
                return Some(judged);
            }
            if may_pass && depth >= 3 && judged >= beta {
                let passed = state.passed();
                self.past.enter(state);
                let value = self.value(&passed, depth - 3 - depth / 6, -beta, -beta + 1, ply + 1, false);
                self.past.leave();
                let value = -value?;
                if value >= beta {
                    return Some(value.min(WON));
                }
            }
        }
        let mut moves = self.lists.pop().unwrap_or_default();
        self.past.enter(state);
        let found = known.map_or(0, |known| known.best);
        let value = self.best_move(state, &demand, depth, (alpha, beta), ply, (judged, found), &mut moves);
        self.past.leave();
        moves.clear();
        self.lists.push(moves);
        value
    }

    #[expect(clippy::too_many_arguments, reason = "the state of one node")]
    fn best_move(
        &mut self,
        state: &State,
        demand: &Demand,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: usize,
        (judged, found): (i32, u16),
        moves: &mut Vec<Promise>,
    ) -> Option<i32> {
        let side = state.position.to_move();
        let at_ease = matches!(demand, Demand::Free) && beta - alpha == 1;
        // The limit of a quiet move, if it is not enough.
        let hopeless = judged + MARGIN * depth;
        let hopeless = (at_ease && depth <= 2 && hopeless <= alpha && alpha > -WON).then_some(hopeless);
        let (ends, extension) = match demand {
            Demand::Free if hopeless.is_some() => (self.order.loud_ends(&state.position, ply, found), 0),
            Demand::Block(cells) => (*cells, i32::from(ply < self.plies_max)),
            Demand::Free | Demand::Save | Demand::Settled(_) => (Cells::MAX, 0),
        };
        self.order.moves(&state.position, ends, ply, found, moves);
        let (mut best, mut best_move, mut low) = (hopeless.unwrap_or(-WIN), 0, alpha);
        for index in 0..moves.len() {
            let promise = select(moves, index);
            if hopeless.is_some() && promise.is_quiet() {
                break;
            }
            let (child, _) = state.after(promise.played);
            let ahead = depth - 1 + extension;
            let value = if self.past.draws(&child) && child.position.has_move() {
                self.spend()?;
                DRAW
            } else if index == 0 {
                -self.value(&child, ahead, -beta, -low, ply + 1, true)?
            } else {
                let less = if extension == 0 { reduction(depth, index, promise, demand) } else { 0 };
                let mut value = -self.value(&child, ahead - less, -low - 1, -low, ply + 1, true)?;
                if value > low && less > 0 {
                    value = -self.value(&child, ahead, -low - 1, -low, ply + 1, true)?;
                }
                if value > low && value < beta {
                    value = -self.value(&child, ahead, -beta, -low, ply + 1, true)?;
                }
                value
            };
            if value > best {
                best = value;
                if value > low {
                    low = value;
                    best_move = packed(promise.played);
                }
                if value >= beta {
                    if promise.is_quiet_or_killer() {
                        self.order.good(side, promise.played, &moves[..index], depth, ply);
                    }
                    break;
                }
            }
        }
        if moves.is_empty() && (hopeless.is_none() || !state.position.has_move()) {
            return Some(match demand {
                Demand::Block(_) => lost_in(ply + 2),
                Demand::Free | Demand::Save | Demand::Settled(_) => lost_in(ply),
            });
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.remember(state, best_move, best, depth, bound, ply);
        Some(best)
    }

    #[expect(clippy::cast_possible_truncation, reason = "values have 16 bits, depths 7")]
    fn remember(&mut self, state: &State, best: u16, value: i32, depth: i32, bound: Bound, ply: usize) {
        self.table.put(state.key, best, from_here(value, ply) as i16, depth as i8, bound);
    }
}

/// What the position demands of the side to move. Draws have been handled before.
pub(super) fn demand(state: &State, ply: usize) -> Demand {
    let position = &state.position;
    match position.to_move() {
        Side::White if ways_out(position).count > 0 => Demand::Settled(won_in(ply + 1)),
        Side::White if king_falls(position) => Demand::Save,
        Side::White => Demand::Free,
        Side::Black if king_falls(position) => Demand::Settled(won_in(ply + 1)),
        // Whatever the attackers do, the game is drawn before the king escapes.
        Side::Black if state.quiet + 1 >= History::DROUGHT => Demand::Free,
        Side::Black => {
            let ways = ways_out(position);
            match ways.count {
                0 => Demand::Free,
                1 => Demand::Block(ways.cells),
                _ => Demand::Settled(lost_in(ply + 2)),
            }
        }
    }
}

/// How much a quiet ply usually changes the value at most.
const MARGIN: i32 = 50;
/// The depth reduction of late moves.
fn reduction(depth: i32, index: usize, promise: Promise, demand: &Demand) -> i32 {
    if depth < 2 || index < 3 || !promise.is_quiet() || !matches!(demand, Demand::Free) {
        return 0;
    }
    let late = match index {
        0..6 => 2,
        6..20 => 3,
        _ => 4,
    };
    late.min(depth - 1).min(1 + depth / 2)
}

/// A win this many plies from the root.
pub(super) fn won_in(plies: usize) -> i32 {
    WIN - i32::try_from(plies).unwrap_or(0)
}

/// A loss this many plies from the root.
pub(super) fn lost_in(plies: usize) -> i32 {
    -won_in(plies)
}

/// Converts a value to the position's own distance: wins are this many plies nearer.
fn from_here(value: i32, ply: usize) -> i32 {
    let ply = i32::try_from(ply).unwrap_or(0);
    if value > WON {
        value + ply
    } else if value < -WON {
        value - ply
    } else {
        value
    }
}

/// The stored value, if it causes a cutoff here.
fn cut(known: Known, depth: i32, alpha: i32, beta: i32, ply: usize) -> Option<i32> {
    if i32::from(known.depth) < depth {
        return None;
    }
    let here = i32::try_from(ply).unwrap_or(0);
    let value = match i32::from(known.value) {
        value if value > WON => value - here,
        value if value < -WON => value + here,
        value => value,
    };
    match known.bound {
        Bound::Exact => Some(value),
        Bound::Lower => (value >= beta).then_some(value),
        Bound::Upper => (value <= alpha).then_some(value),
    }
}
