//! The search with weights in training.

use lusoria_rules::{History, Side, tafl::Position};

use super::{
    root::Keep,
    search::{DEPTH_MAX, Demand, Search, demand},
    state::State,
    weights::Weights,
};
use crate::{Budget, Random};

/// A played turn.
#[derive(Debug, Clone, Copy)]
pub struct Played {
    /// The position after it.
    pub after: Position,
    /// Whether it captured anything.
    pub captures: bool,
    /// The value of the best turn for the defenders.
    pub value: i32,
}

/// Plays a turn that loses at most `loss` of the chance of winning, according to these weights.
pub fn play_turn(
    weights: &Weights,
    position: &Position,
    history: &History,
    budget: Budget,
    loss: f32,
    random: &mut Random,
) -> Played {
    let root = State::new(*position, history.since_capture());
    let keep = if loss > 0.0 { Keep::Within(loss) } else { Keep::Best(1) };
    let mut search = Search::new(weights, history, budget.nodes);
    let rated = search.rate(&root, keep, DEPTH_MAX, random.bits());
    let chosen = rated[random.below(search.tolerated(&rated, loss))];
    let (after, captured) = position.after(chosen.played);
    let value = match position.to_move() {
        Side::White => rated[0].value,
        Side::Black => -rated[0].value,
    };
    Played { after, captures: captured != 0, value }
}

/// Whether the next turns win by force: the king escapes or is captured.
pub fn is_decided(position: &Position) -> bool {
    matches!(demand(&State::new(*position, 0), 0), Demand::Settled(_))
}

/// Whether nothing threatens the side to move, this many moves after the last capture.
pub fn is_calm(position: &Position, since_capture: u16) -> bool {
    matches!(demand(&State::new(*position, since_capture), 0), Demand::Free)
}
