//! A sample of played games, with statistics.

use lusoria_search::Random;

use super::course::Course;
use crate::{Estimate, Interval, estimate::RESAMPLES, share::Part};

/// Games, each with its own dice.
pub(super) struct Sample<'a> {
    courses: &'a [Course],
    seed: u64,
}

impl<'a> Sample<'a> {
    pub(super) const fn new(courses: &'a [Course], seed: u64) -> Self {
        Self { courses, seed }
    }

    /// The contribution of each game to a share of all games.
    pub(super) fn parts(&self, of: impl Fn(&Course) -> f64) -> Vec<Part> {
        self.courses.iter().map(|course| (of(course), 1.0)).collect()
    }

    /// The mean of a number over games.
    pub(super) fn mean(&self, of: impl Fn(&Course) -> f64) -> Estimate {
        Estimate::mean(&self.courses.iter().map(of).collect::<Vec<_>>())
    }

    /// The standard deviation of a number over games.
    pub(super) fn deviation(&self, of: impl Fn(&Course) -> f64) -> Estimate {
        self.estimate(|courses| variance(courses, &of).sqrt())
    }

    /// The smallest number that this share of the games does not exceed.
    pub(super) fn quantile(&self, of: impl Fn(&Course) -> u32, share: f64) -> Estimate {
        self.estimate(|courses| {
            let mut numbers: Vec<u32> = courses.iter().map(|course| of(course)).collect();
            numbers.sort_unstable();
            quantile(&numbers, share).into()
        })
    }

    /// A number computed from all games, with its bootstrap interval.
    pub(super) fn estimate(&self, number: impl Fn(&[&Course]) -> f64) -> Estimate {
        let all: Vec<&Course> = self.courses.iter().collect();
        let mut random = Random::new(self.seed);
        let mut again = || all.iter().map(|_| all[random.below(all.len())]).collect::<Vec<_>>();
        let drawn = (0..RESAMPLES).map(|_| number(&again())).collect();
        Estimate { value: number(&all), interval: Interval::middle(drawn) }
    }
}

/// The variance of a number over games; 0 for a single game.
#[expect(clippy::cast_precision_loss, reason = "there are fewer games than 2 to the 52")]
pub(super) fn variance(courses: &[&Course], of: impl Fn(&Course) -> f64) -> f64 {
    let count = courses.len() as f64;
    let mean = courses.iter().map(|course| of(course)).sum::<f64>() / count;
    courses.iter().map(|course| (of(course) - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0)
}

/// The smallest of sorted numbers that this share of them does not exceed.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of a count is a smaller count"
)]
fn quantile(sorted: &[u32], share: f64) -> u32 {
    let nth = (share * sorted.len() as f64).ceil() as usize;
    sorted[nth.clamp(1, sorted.len()) - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_is_the_smallest_number_that_so_many_do_not_exceed() {
        let numbers: Vec<u32> = (1..=20).collect();
        for (share, expected) in [(0.0, 1), (0.05, 1), (0.051, 2), (0.5, 10), (0.95, 19), (1.0, 20)] {
            assert_eq!(quantile(&numbers, share), expected, "{share}");
        }
        assert_eq!(quantile(&[7], 0.05), 7);
        assert_eq!(quantile(&[1, 1, 1, 9], 0.75), 1);
    }
}
