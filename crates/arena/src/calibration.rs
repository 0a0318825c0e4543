//! Calibration: compares the score that players expected with their actual score.

use serde::Serialize;

use crate::{Estimate, estimate::Z};

/// The number of buckets for chances from 0 to 1.
const BUCKETS: usize = 10;

/// Turns with about the same expectation, and their results.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bucket {
    /// The least expectation in the bucket, 0 to 1.
    pub from: f64,
    /// The upper limit of the expectation, exclusive except in the last bucket.
    pub to: f64,
    /// The number of turns.
    pub turns: u64,
    /// Their mean expectation.
    pub expected: f64,
    /// Their mean score: a win counts 1, a draw a half. With luck removed, it can be a little below 0 or
    /// above 1.
    pub scored: f64,
    /// How much more they scored than expected. The interval of 95 % is over games, because the turns of one
    /// game share its result.
    pub more: Estimate,
}

/// Sums for each bucket, over whole games.
#[derive(Debug, Default)]
pub(super) struct Buckets([Sums; BUCKETS]);

#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    turns: u32,
    expected: f64,
    scored: f64,
    /// The sum over games of the squared excess of the score over the expectation.
    squares: f64,
}

impl Buckets {
    /// Adds the expectations at the turns of a game, with its score.
    pub(super) fn add_game(&mut self, turns: impl Iterator<Item = (f64, f64)>) {
        let mut game = [Sums::default(); BUCKETS];
        for (expected, scored) in turns {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_precision_loss,
                clippy::cast_sign_loss,
                reason = "a chance is between 0 and 1, and there are ten buckets"
            )]
            let nth = ((expected * BUCKETS as f64) as usize).min(BUCKETS - 1);
            game[nth].turns += 1;
            game[nth].expected += expected;
            game[nth].scored += scored;
        }
        for (all, game) in self.0.iter_mut().zip(game) {
            all.turns += game.turns;
            all.expected += game.expected;
            all.scored += game.scored;
            all.squares += (game.scored - game.expected).powi(2);
        }
    }

    /// The buckets that are not empty.
    pub(super) fn told(&self) -> Vec<Bucket> {
        let of = |(nth, sums): (u8, &Sums)| {
            let turns = f64::from(sums.turns);
            let (expected, scored) = (sums.expected / turns, sums.scored / turns);
            let error = Z * sums.squares.sqrt() / turns;
            let [from, to] = [nth, nth + 1].map(|edge| f64::from(edge) / 10.0);
            let more = Estimate::within(scored - expected, error);
            Bucket { from, to, turns: sums.turns.into(), expected, scored, more }
        };
        (0..).zip(&self.0).filter(|(_, sums)| sums.turns > 0).map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_compared_with_what_became_of_them() {
        let mut buckets = Buckets::default();
        for nth in 0..100 {
            let scored = if nth < 74 { 1.0 } else { 0.0 };
            buckets.add_game([0.72, 0.76, 1.0].into_iter().map(|expected| (expected, scored)));
        }
        let [middle, sure] = buckets.told()[..] else { panic!("two buckets") };
        assert_eq!((middle.from, middle.to, middle.turns), (0.7, 0.8, 200));
        assert!((middle.expected - 0.74).abs() < 1e-6 && (middle.scored - 0.74).abs() < 1e-9);
        assert!(middle.more.interval.low < 0.0 && middle.more.interval.high > 0.0);
        // A hundred games, however many turns: a standard error of about 0.044.
        assert!((middle.more.interval.high - middle.more.value - 0.086).abs() < 0.002, "{middle:?}");
        assert_eq!((sure.from, sure.to, sure.turns), (0.9, 1.0, 100));
        assert!(sure.more.interval.high < 0.0, "what was sure was not: {sure:?}");
    }
}
