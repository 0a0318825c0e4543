//! Evaluates positions within a budget.

use lusoria_rules::{Game, tables};

use super::{
    exact::{known, nearly_known},
    mind::Mind,
    net::Memory,
};
use crate::{Budget, Stakes, Value};

/// If a reply has more than twice this many ends, only this many are evaluated: the most promising. With
/// three dice there are so many ends that listing them costs more than evaluating eight.
pub const fn pruned_to(game: Game) -> usize {
    if game.dice() > 2 { 8 } else { 4 }
}

/// How many positions seen by the pruning network cost as much as one evaluation, listing them included.
const PRUNED_A_NODE: u32 = 4;

/// The expected cost of finding the best end of a reply.
const REPLY_NODES: u32 = 60;
/// The same with a pruning network.
const PRUNED_REPLY_NODES: u32 = 15;

/// Evaluates positions until the budget is spent.
#[derive(Debug)]
pub(super) struct Judge {
    pub(super) mind: &'static Mind,
    stakes: Stakes,
    budget: u32,
    nodes: u32,
    memory: Memory,
}

/// An end of a turn with its value for the side that played it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Judged {
    pub(super) end: tables::Position,
    pub(super) value: Value,
    /// Its worth, by which turns are compared.
    pub(super) worth: f32,
    /// Whether the value is exact, so that look-ahead would not improve it.
    pub(super) is_known: bool,
}

/// The ends of a turn.
#[derive(Debug)]
pub(super) struct Ends {
    pub(super) judged: Vec<Judged>,
    /// Whether the budget sufficed for every end, or for all the most promising ones.
    pub(super) whole: bool,
}

impl Judge {
    pub(super) fn new(mind: &'static Mind, stakes: Stakes, budget: Budget) -> Self {
        Self { mind, stakes, budget: budget.nodes, nodes: 0, memory: None }
    }

    /// How many positions have been evaluated.
    pub(super) fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Resets the count.
    pub(super) fn begin_anew(&mut self) {
        self.nodes = 0;
    }

    /// How many positions may still be evaluated.
    pub(super) fn left(&self) -> u32 {
        self.budget.saturating_sub(self.nodes)
    }

    /// The worth of a value.
    pub(super) fn worth(&self, value: &Value) -> f32 {
        self.stakes.worth(value)
    }

    /// The value for the side to move: exact if known, otherwise by the network.
    pub(super) fn value(&mut self, position: &tables::Position) -> Value {
        self.known(position).unwrap_or_else(|| self.judgement(position))
    }

    /// The exact value for the side to move, if it is known. Counts as one evaluation.
    pub(super) fn known(&mut self, position: &tables::Position) -> Option<Value> {
        self.nodes += 1;
        known(position)
    }

    /// The value for the side to move where it is not known exactly: in most positions by the network.
    fn judgement(&mut self, position: &tables::Position) -> Value {
        nearly_known(position).unwrap_or_else(|| self.mind.net.value(position, &mut self.memory))
    }

    /// An end with its value for the side that has moved.
    pub(super) fn judge(&mut self, end: tables::Position) -> Judged {
        let known = self.known(&end);
        let value = known.unwrap_or_else(|| self.judgement(&end)).turned();
        Judged { end, value, worth: self.worth(&value), is_known: known.is_some() }
    }

    /// The best end of a turn, without look-ahead. With a pruning network and many ends, the least promising
    /// ones are not evaluated. None if the budget ends first.
    pub(super) fn best_end(&mut self, turn: &tables::Turn, most: u32, width: usize) -> Option<Judged> {
        let Ends { judged, whole: true } = self.promising(turn, most, width) else { return None };
        judged.into_iter().reduce(|best, one| if one.worth > best.worth { one } else { best })
    }

    /// The most promising ends of a turn, each evaluated.
    fn promising(&mut self, turn: &tables::Turn, most: u32, width: usize) -> Ends {
        let Some(pruning) = &self.mind.pruning else { return self.ends(turn, most, width) };
        let all = turn.ends(most as usize);
        if all.truncated {
            return self.listed(turn, all, width);
        }
        let mut ends = all.positions;
        let keep = pruned_to(turn.position().rules().game());
        if ends.len() > 2 * keep {
            let looked_at = u32::try_from(ends.len()).expect("at most as many as asked for");
            self.nodes += looked_at.div_ceil(PRUNED_A_NODE).min(self.left());
            pruning.prune(&mut ends, keep);
        }
        let room = self.left() as usize;
        let whole = ends.len() <= room;
        Ends { judged: ends.into_iter().take(room).map(|end| self.judge(end)).collect(), whole }
    }

    /// The expected cost of finding the best end of a turn, in evaluations.
    pub(super) const fn best_end_nodes(&self) -> u32 {
        if self.mind.pruning.is_some() { PRUNED_REPLY_NODES } else { REPLY_NODES }
    }

    /// The ends of a turn, each evaluated: all of them if there are at most `most` and the budget allows it,
    /// otherwise the most promising. At least one, whatever the budget.
    pub(super) fn ends(&mut self, turn: &tables::Turn, most: u32, width: usize) -> Ends {
        let all = turn.ends(most.min(self.left()).max(1) as usize);
        self.listed(turn, all, width)
    }

    /// The same, for ends that are listed already.
    fn listed(&mut self, turn: &tables::Turn, all: tables::Ends, width: usize) -> Ends {
        let narrow = all.truncated && self.left() >= guided_nodes_max(turn, width);
        let ends = if narrow {
            turn.ends_guided(width, |end| {
                let value = self.value(end).turned();
                self.worth(&value)
            })
        } else {
            all.positions
        };
        let room = self.left().max(1) as usize;
        let whole = ends.len() <= room && (narrow || !all.truncated);
        Ends { judged: ends.into_iter().take(room).map(|end| self.judge(end)).collect(), whole }
    }
}

/// The most evaluations that finding the promising ends can take: after each die but the last, all successors
/// of each kept position.
fn guided_nodes_max(turn: &tables::Turn, width: usize) -> u32 {
    let dice = turn.dice_left();
    let mut values = dice.clone();
    values.dedup();
    let steps = 15 * values.len() * width;
    u32::try_from(steps * dice.len()).unwrap_or(u32::MAX)
}
