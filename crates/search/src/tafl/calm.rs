//! Quiescence search: at full depth, captures, ways out and the replies to them are still searched, so that
//! nothing is evaluated in the middle of a fight.

use lusoria_rules::tafl::Cells;

use super::{
    order::select,
    search::{DRAW, Demand, Search, WIN, demand, lost_in},
    state::State,
};

/// How far the calm search follows single ways out.
const BLOCKS_MAX: usize = 8;
/// How far it searches for moves that save the king.
const SAVES_MAX: usize = 2;

impl Search<'_> {
    /// The value of a position after captures, ways out and the replies to them, without other moves.
    pub(super) fn calm(
        &mut self,
        state: &State,
        alpha: i32,
        beta: i32,
        ply: usize,
        beyond: usize,
    ) -> Option<i32> {
        self.spend()?;
        let demand = demand(state, ply);
        let mut best = match demand {
            Demand::Settled(value) => return Some(value),
            Demand::Block(_) if beyond < BLOCKS_MAX => -WIN,
            Demand::Save if beyond < SAVES_MAX => -WIN,
            Demand::Free | Demand::Block(_) | Demand::Save => self.judge(state),
        };
        if best >= beta || ply >= self.plies_max {
            return Some(if best == -WIN { self.judge(state) } else { best });
        }
        let mut moves = self.lists.pop().unwrap_or_default();
        let all = best == -WIN;
        let ends = if let (Demand::Block(cells), true) = (&demand, all) { *cells } else { Cells::MAX };
        self.order.moves(&state.position, ends, ply, 0, &mut moves);
        if !all {
            moves.retain(|promise| promise.is_urgent());
        }
        let none = moves.is_empty();
        self.past.enter(state);
        let mut low = alpha.max(best);
        let mut out = false;
        for index in 0..moves.len() {
            let promise = select(&mut moves, index);
            let (child, _) = state.after(promise.played);
            let value = if self.past.draws(&child) && child.position.has_move() {
                self.spend().map(|()| DRAW)
            } else {
                self.calm(&child, -beta, -low, ply + 1, beyond + 1).map(|value| -value)
            };
            let Some(value) = value else {
                out = true;
                break;
            };
            best = best.max(value);
            low = low.max(value);
            if best >= beta {
                break;
            }
        }
        self.past.leave();
        moves.clear();
        self.lists.push(moves);
        if out {
            return None;
        }
        Some(match demand {
            Demand::Block(_) if none && all => lost_in(ply + 2),
            Demand::Save if none && all => lost_in(ply),
            _ => best,
        })
    }
}
