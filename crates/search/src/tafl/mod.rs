//! Tafl games: alpha-beta with iterative deepening, and an evaluation tuned by self-play.

mod calm;
mod chances;
mod features;
mod ground;
mod groups;
mod manner;
mod material;
mod order;
mod past;
mod root;
mod search;
mod state;
mod table;
#[cfg(test)]
mod tests;
mod trained;
mod weights;

pub(crate) use self::manner::{NODES, NODES_MAX};
pub use self::{
    chances::{
        CURVE_EVEN, CURVE_VALUES, ChanceCurve, ChancesError, curve_shares, is_certain, most_drawn,
        moves_left, outlook,
    },
    features::each_feature,
    groups::{FEATURES, GROUPS, Group},
    trained::{Played, is_calm, is_decided, play_turn},
    weights::{HEAD, UNIT, UNITS, Unit, Weights, WeightsError, chance},
};

use lusoria_rules::{
    History,
    tafl::{Position, Turn},
};

pub use self::search::WON;
use self::{
    manner::{CARELESS_SHARE, Manner},
    material::Material,
    root::{Keep, Rated},
    search::{DEPTH_MAX, Search},
    state::State,
};
use crate::{Budget, Choice, Level, Random, Review, Value};

/// The turn that the level plays.
pub(crate) fn choose(turn: &Turn, history: &History, level: Level, budget: Budget, seed: u64) -> Choice {
    let root = root(turn.position(), history);
    let mut random = Random::new(seed);
    let manner = Manner::of(level);
    let loss = manner.loss(&mut random);
    let careless = random.unit() < manner.careless;
    let mut search = Search::new(Weights::shipped(), history, budget.nodes);
    let keep = if loss > 0.0 { Keep::Within(loss) } else { Keep::Best(1) };
    let mut rated = if careless {
        search.guess(&root, random.bits())
    } else {
        search.rate(&root, keep, manner.depth_max, random.bits())
    };
    rated.retain(|rated| rated.exact);
    let tolerated = if careless {
        rated.len().div_ceil(CARELESS_SHARE)
    } else if rated[0].value >= WON {
        // A win in sight is kept.
        1
    } else {
        search.tolerated(&rated, loss)
    };
    choice(&root, &rated[random.below(tolerated)], &search)
}

/// The turn with the greatest lead in men three plies ahead; random among equals.
pub(crate) fn material(turn: &Turn, history: &History, seed: u64) -> Choice {
    let root = root(turn.position(), history);
    let mut search = Material::new(&root, history);
    let best = search.best(&root, seed);
    Choice { steps: vec![root.position.step(best.played)], value: Value::EVEN, nodes: search.nodes }
}

/// The best turns, at most this many.
pub(crate) fn rank(turn: &Turn, history: &History, budget: Budget, most: usize) -> Vec<Choice> {
    let root = root(turn.position(), history);
    let mut search = Search::new(Weights::shipped(), history, budget.nodes);
    let mut rated = search.rate(&root, Keep::Best(most), DEPTH_MAX, 0);
    rated.retain(|rated| rated.exact);
    rated.truncate(most);
    rated.iter().map(|rated| choice(&root, rated, &search)).collect()
}

/// The value for the side to move if it plays its best turn.
pub(crate) fn appraise(position: &Position, history: &History, budget: Budget) -> Value {
    let root = root(position, history);
    let mut search = Search::new(Weights::shipped(), history, budget.nodes);
    let rated = search.rate(&root, Keep::Best(1), DEPTH_MAX, 0);
    chances(&root, rated[0].value)
}

/// Reviews a played turn, which ended in this position, or ended the game like this. `after` is the history
/// then. The best turn loses nothing.
pub(crate) fn review(
    turn: &Turn,
    history: &History,
    (played, over): (&Position, Option<Value>),
    after: &History,
    budget: Budget,
) -> Review {
    let half = budget.shared_by(2);
    let position = turn.position();
    let mut moves = Vec::new();
    position.for_each_move(|played| moves.push(played));
    let mine = moves.into_iter().find(|mine| position.after(*mine).0 == *played);
    let mine = vec![position.step(mine.expect("a legal turn leads there"))];
    let mut best = rank(turn, history, half, 1).swap_remove(0);
    let known = if best.steps == mine { Some(best.value) } else { None };
    let value = over.or(known).unwrap_or_else(|| appraise(played, after, half).turned());
    // If the search after the played turn found it better, it is the best known turn.
    if best.steps == mine || value.score() > best.value.score() {
        best = Choice { steps: mine, value, nodes: best.nodes };
    }
    Review { before: best.value, thrown: best.value, best, played: value }
}

/// A value as chances of the side to move.
fn chances(root: &State, value: i32) -> Value {
    ChanceCurve::shipped().chances(value, root.position.to_move(), root.quiet)
}

fn root(position: &Position, history: &History) -> State {
    State::new(*position, history.since_capture())
}

fn choice(root: &State, rated: &Rated, search: &Search) -> Choice {
    Choice {
        steps: vec![root.position.step(rated.played)],
        value: chances(root, rated.value),
        nodes: search.nodes(),
    }
}
