//! Numbers that chance moves, with their intervals.

use serde::Serialize;

use crate::Interval;

/// How many standard errors reach to the end of an interval of 95 %.
pub(crate) const Z: f64 = 1.959_963_985;

/// A number with its interval of 95 %.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Where it lies with 95 % certainty.
    #[serde(flatten)]
    pub interval: Interval,
}

impl Estimate {
    /// A number whose interval reaches so far to both sides.
    pub(crate) const fn within(value: f64, error: f64) -> Self {
        Self { value, interval: Interval { low: value - error, high: value + error } }
    }

    /// The mean of independent numbers.
    pub(crate) fn mean(numbers: &[f64]) -> Self {
        let count = f64::from(u32::try_from(numbers.len()).unwrap_or(u32::MAX));
        let value = numbers.iter().sum::<f64>() / count;
        let variance = numbers.iter().map(|one| (one - value).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        Self::within(value, Z * (variance / count).sqrt())
    }
}
