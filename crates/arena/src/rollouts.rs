//! Plays the games of a rollout in parallel.

use std::{
    num::NonZeroUsize,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use lusoria_search::{RolloutGame, Value};

/// Plays games on this many threads. Returns their values in order, whatever the number of threads.
///
/// # Panics
///
/// If a game panics.
pub fn play_at_the_same_time(games: &[RolloutGame], threads: NonZeroUsize) -> Vec<Value> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut values = Vec::new();
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && let Some(game) = games.get(at)
        {
            values.push((at, game.play()));
        }
        values
    };
    let mut values: Vec<(usize, Value)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.get()).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a game does not panic")).collect()
    });
    values.sort_by_key(|(at, _)| *at);
    values.into_iter().map(|(_, value)| value).collect()
}

#[cfg(test)]
mod tests {
    use lusoria_rules::{Die, Game, History, Position, Side, Variant};
    use lusoria_search::{Budget, Decision, RollingOut, RolloutPlan, Stakes};

    use super::*;

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let position = Position::start(Variant::standard(Game::Tavla)).with_to_move(Side::White);
        let dice = [Die::new(2), Die::new(1)].map(Option::unwrap);
        let history = History::start(&position);
        let decision = Decision { position, dice: &dice, history: &history, stakes: Stakes::Game };
        let plan = RolloutPlan {
            turns_max: 3,
            games_max: 36,
            budget: Budget { nodes: 400 },
            horizon: Some(4),
            seed: 1,
        };
        let games = RollingOut::begin(&decision, None, &plan).unwrap().round();
        let [alone, together] =
            [1, 3].map(|threads| play_at_the_same_time(&games, NonZeroUsize::new(threads).unwrap()));
        assert!(games.len() > 36);
        assert_eq!(together, alone);
        assert_eq!(alone, games.iter().map(RolloutGame::play).collect::<Vec<_>>());
    }
}
