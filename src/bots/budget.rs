//! Computes how many positions the computer may evaluate in its time.

use lusoria_play::Level;
use lusoria_rules::Game;
use lusoria_search::{Budget, Level as Strength, Player};
use parking_lot::Mutex;

/// How long the largest budget of the highest level takes on a core of 2020, in milliseconds.
const FULL_MS: f64 = 1_000.0;

/// A search of fewer positions says nothing about the machine's speed.
const TELLING_NODES: u32 = 2_000;

/// The weight of the latest search in the estimate of the machine's speed.
const LATEST: f64 = 0.2;

/// The slowest estimate of a machine.
const SLOWNESS_MAX: f64 = 100.0;

/// The largest budget for one search of a level.
pub(super) fn full(level: Level, game: Game) -> Budget {
    player(level).budget_max(game)
}

/// A level as the search calls it.
pub(super) fn player(level: Level) -> Player {
    Player::Level(Strength::try_from(level.number()).expect("both have the same levels"))
}

/// The machine's slowness: 1 for an otherwise idle core of 2020, more if people's turns come first.
#[derive(Debug)]
pub(super) struct Pace(Mutex<f64>);

impl Default for Pace {
    fn default() -> Self {
        Self(Mutex::new(1.0))
    }
}

impl Pace {
    /// The budget of a level's search that has this many milliseconds.
    pub(super) fn budget(&self, level: Level, game: Game, share_ms: f64) -> Budget {
        let nodes = share_ms * nodes_per_ms(game) / *self.0.lock();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
        let nodes = (nodes as u32).max(1);
        full(level, game).min(Budget { nodes })
    }

    /// Adds a measurement: a search of this many positions took this many milliseconds.
    pub(super) fn note(&self, game: Game, nodes: u32, took_ms: f64) {
        if nodes >= TELLING_NODES {
            let slowness = (took_ms * nodes_per_ms(game) / f64::from(nodes)).clamp(1.0, SLOWNESS_MAX);
            let mut so_far = self.0.lock();
            *so_far += LATEST * (slowness - *so_far);
        }
    }
}

/// How many positions a core of 2020 evaluates in a millisecond.
fn nodes_per_ms(game: Game) -> f64 {
    f64::from(Player::Level(Strength::HIGHEST).budget_max(game).nodes) / FULL_MS
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRONGEST: Level = Level::ALL[4];

    #[test]
    fn less_time_is_a_smaller_budget_and_never_none() {
        for game in Game::ALL {
            let pace = Pace::default();
            let budget = |ms| pace.budget(STRONGEST, game, ms).nodes;
            let full = full(STRONGEST, game).nodes;
            assert_eq!(budget(FULL_MS), full, "{game}");
            assert_eq!(budget(FULL_MS / 2.0), full / 2, "{game}");
            assert_eq!(budget(f64::INFINITY), full, "{game}");
            assert_eq!(budget(0.0), 1, "{game}");
        }
    }

    #[test]
    fn a_slow_machine_has_a_smaller_budget_until_it_is_fast_again() {
        let (pace, game) = (Pace::default(), Game::ALL[0]);
        let full = full(STRONGEST, game).nodes;
        pace.note(game, 100, 100_000.0);
        assert_eq!(pace.budget(STRONGEST, game, FULL_MS).nodes, full, "too short to tell");
        for _ in 0..100 {
            pace.note(game, full, 4.0 * FULL_MS);
        }
        let slow = pace.budget(STRONGEST, game, FULL_MS).nodes;
        assert!((full / 4..full / 4 + full / 100).contains(&slow), "{slow} of {full}");
        for _ in 0..100 {
            pace.note(game, full, 0.0);
        }
        let fast = pace.budget(STRONGEST, game, FULL_MS).nodes;
        assert!(fast > full - full / 100, "{fast} of {full}");
    }
}
