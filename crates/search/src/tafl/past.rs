//! What has stood before, in the game and on the way that is looked at (tafl 8).

use lusoria_rules::History;

use super::state::{State, key};

/// Every position that can come back.
#[derive(Debug)]
pub(super) struct Past {
    /// Of the game, by key, each with how often it stood.
    game: Vec<(u64, u8)>,
    /// On the way from the root, the root first.
    way: Vec<u64>,
}

impl Past {
    pub(super) fn of(history: &History) -> Self {
        let mut game: Vec<_> = history.stood().map(|(position, times)| (key(position), times)).collect();
        game.sort_unstable();
        Self { game, way: Vec::new() }
    }

    /// Goes on to a position. A passed turn leads to positions that have not stood.
    pub(super) fn enter(&mut self, state: &State) {
        self.way.push(state.key);
    }

    pub(super) fn leave(&mut self) {
        self.way.pop();
    }

    /// Whether the game is drawn when this position, not yet entered, is reached: by drought,
    /// by the third time, or since it has stood on the way already and what was done
    /// once can be done again.
    #[inline]
    pub(super) fn draws(&self, state: &State) -> bool {
        let quiet = usize::from(state.quiet);
        if state.quiet >= History::DROUGHT {
            return true;
        }
        // Four moves at least lead back to a position, none of them a capture.
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

    /// How often the position has stood in the game.
    pub(super) fn stood(&self, key: u64) -> u8 {
        self.game.binary_search_by_key(&key, |&(key, _)| key).map_or(0, |index| self.game[index].1)
    }
}
