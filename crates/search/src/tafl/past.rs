//! Earlier positions, in the game and on the searched line (tafl 8).

use lusoria_rules::History;

use super::state::{State, key};

/// Every position that can occur again.
#[derive(Debug)]
pub(super) struct Past {
    /// Those of the game, by key, with their numbers of occurrences.
    game: Vec<(u64, u8)>,
    /// Those on the line from the root, the root first.
    way: Vec<u64>,
}

impl Past {
    pub(super) fn of(history: &History) -> Self {
        let mut game: Vec<_> = history.stood().map(|(position, times)| (key(position), times)).collect();
        game.sort_unstable();
        Self { game, way: Vec::new() }
    }

    /// Enters a position. A passed turn leads to positions that have not occurred.
    pub(super) fn enter(&mut self, state: &State) {
        self.way.push(state.key);
    }

    pub(super) fn leave(&mut self) {
        self.way.pop();
    }

    /// Whether reaching this position, not entered yet, draws the game: by drought, by its third occurrence,
    /// or because it has occurred on the line already and can be repeated.
    #[inline]
    pub(super) fn draws(&self, state: &State) -> bool {
        let quiet = usize::from(state.quiet);
        if state.quiet >= History::DROUGHT {
            return true;
        }
        // It takes at least four moves to return to a position, none of them a capture.
        if quiet < 4 {
            return false;
        }
        let back = self.way.iter().rev().take(quiet).skip(3).step_by(2);
        if back.clone().any(|&key| key == state.key) {
            return true;
        }
        // Without a capture since the root.
        quiet > self.way.len() && self.stood(state.key) >= History::REPETITIONS - 1
    }

    /// How often the position has occurred in the game.
    pub(super) fn stood(&self, key: u64) -> u8 {
        self.game.binary_search_by_key(&key, |&(key, _)| key).map_or(0, |index| self.game[index].1)
    }
}
