//! The weights of features, read from a small text file.

use std::{fmt::Write as _, sync::LazyLock};

use lusoria_rules::{Side, tafl::Position};

use super::{
    features::each_feature,
    groups::{FEATURES, GROUPS},
};
use crate::games::TAFL_WEIGHTS;

/// The first line of a file of weights; another arrangement of features is another version.
pub const HEAD: &str = "lusoria tablut weights 3";

/// Values are whole numbers: this many are one unit of log-odds.
pub const UNIT: f32 = 256.0;

/// How many units there are besides the sum.
pub const UNITS: usize = 8;

/// The value of a unit that is fully on; one that is off has 0.
const ON: i32 = 1 << ON_BITS;
const ON_BITS: u32 = 12;

/// A combination of features: a weighted sum, clamped to 0 and 1, multiplied by this worth for the defenders.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    /// The weights of the sum.
    pub features: [f32; FEATURES],
    /// The worth of 1.
    pub worth: f32,
}

/// The weight of every feature for the defenders.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    features: [i16; FEATURES],
    /// The weight of every feature in each unit; [`ON`] is 1.
    units: Box<[[i32; UNITS]; FEATURES]>,
    /// The worth of each unit.
    worth: [i32; UNITS],
    /// A value from a search, divided by this, is the log-odds in games like those of the training.
    scale: f32,
}

/// The text is not a file of weights.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// It is another file, or another version.
    #[error("the first line is not \"{HEAD}\"")]
    Head,
    /// A line with these numbers is missing, or has others.
    #[error("{name} should stand there with {expected} numbers")]
    Line {
        /// The name of the line.
        name: &'static str,
        /// The number of its values.
        expected: usize,
    },
}

impl Weights {
    /// Weights in [`UNIT`], one for each feature, with their [`Weights::scale`]. Without units there is only
    /// the sum.
    ///
    /// # Panics
    ///
    /// If there are more than [`UNITS`].
    #[expect(clippy::cast_possible_truncation, reason = "held within the range")]
    pub fn new(features: &[f32; FEATURES], units: &[Unit], scale: f32) -> Self {
        assert!(units.len() <= UNITS, "there are too many units");
        let whole = |weight: f32, one: f32| (weight * one).round().clamp(-8000.0, 8000.0) as i16;
        let unit =
            |unit: usize| units.get(unit).copied().unwrap_or(Unit { features: [0.0; FEATURES], worth: 0.0 });
        let mut weights = Self {
            features: features.map(|weight| whole(weight, UNIT)),
            units: Box::new([[0; UNITS]; FEATURES]),
            worth: std::array::from_fn(|index| i32::from(whole(unit(index).worth, UNIT))),
            scale,
        };
        for (index, unit) in units.iter().enumerate() {
            for (to, weight) in weights.units.iter_mut().zip(unit.features) {
                to[index] = i32::from(whole(weight, ON as f32));
            }
        }
        weights
    }

    /// The shipped weights.
    pub fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<Weights> =
            LazyLock::new(|| Weights::read(TAFL_WEIGHTS).expect("the file is written by our training"));
        &SHIPPED
    }

    /// The weights, in units.
    pub fn features(&self) -> [f32; FEATURES] {
        self.features.map(|weight| f32::from(weight) / UNIT)
    }

    /// The units.
    #[expect(clippy::cast_precision_loss, reason = "they have 16 bits")]
    pub fn units(&self) -> [Unit; UNITS] {
        std::array::from_fn(|unit| Unit {
            features: std::array::from_fn(|feature| self.units[feature][unit] as f32 / ON as f32),
            worth: self.worth[unit] as f32 / UNIT,
        })
    }

    /// The divisor that converts a value to log-odds in games like those of the training; the levels use it
    /// to limit the loss of a turn.
    pub const fn scale(&self) -> f32 {
        self.scale
    }

    /// Reads a file: [`HEAD`], then a line each for the scale, every group of features, the worth of the
    /// units, and each unit's weights. Lines that begin with `#` are comments.
    ///
    /// # Errors
    ///
    /// [`WeightsError`] says which line is wrong.
    pub fn read(text: &str) -> Result<Self, WeightsError> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        if lines.next() != Some(HEAD) {
            return Err(WeightsError::Head);
        }
        let mut line = |name: &'static str| -> Option<Vec<f32>> {
            let numbers = lines.next()?.strip_prefix(name)?.strip_prefix(':')?.split_whitespace();
            numbers.map(|number| number.parse().ok().filter(|n: &f32| n.is_finite())).collect()
        };
        let mut numbers = |name: &'static str, expected: usize| {
            let found = line(name).filter(|numbers| numbers.len() == expected);
            found.ok_or(WeightsError::Line { name, expected })
        };
        let scale = numbers("scale", 1)?[0];
        let mut features = [0.0; FEATURES];
        for group in GROUPS {
            features[group.first..group.first + group.len].copy_from_slice(&numbers(group.name, group.len)?);
        }
        let worth = line("units").filter(|worth| worth.len() <= UNITS);
        let mut units = Vec::new();
        for worth in worth.ok_or(WeightsError::Line { name: "units", expected: UNITS })? {
            let weights = line("unit").and_then(|weights| weights.try_into().ok());
            let weights: [f32; FEATURES] =
                weights.ok_or(WeightsError::Line { name: "unit", expected: FEATURES })?;
            units.push(Unit { features: weights.map(|weight| weight / ON as f32), worth: worth / UNIT });
        }
        let features = features.map(|weight| weight / UNIT);
        Ok(Self::new(&features, &units, scale))
    }

    /// The file, after lines of comments, as [`Weights::read`] reads it.
    pub fn write(&self, remarks: &str) -> String {
        let mut text = format!("{HEAD}\n");
        for remark in remarks.lines() {
            writeln!(text, "# {remark}").expect("writing to a string does not fail");
        }
        let mut line = |name: &str, numbers: Vec<String>| {
            writeln!(text, "{name}: {}", numbers.join(" ")).expect("writing to a string does not fail");
        };
        line("scale", vec![self.scale.to_string()]);
        for group in GROUPS {
            let weights = &self.features[group.first..group.first + group.len];
            line(group.name, weights.iter().map(i16::to_string).collect());
        }
        line("units", self.worth.iter().map(i32::to_string).collect());
        for unit in 0..UNITS {
            line("unit", self.units.iter().map(|weights| weights[unit].to_string()).collect());
        }
        text
    }

    /// The static evaluation of an undecided position for the side to move; never 0, which is a draw.
    #[inline]
    pub(super) fn judge(&self, position: &Position) -> i32 {
        let mut there = There::new();
        each_feature(position, |feature, count| there.add(feature, count));
        let sum = self.sum(&there);
        let sum = sum.clamp(-JUDGED_MAX, JUDGED_MAX);
        let sum = if sum == 0 { 1 } else { sum };
        match position.to_move() {
            Side::White => sum,
            Side::Black => -sum,
        }
    }

    /// The value of features for the defenders.
    #[inline]
    fn sum(&self, there: &There) -> i32 {
        let mut sum = 0;
        let mut units = [0; UNITS];
        for &feature in &there.once[..there.once_len] {
            let feature = usize::from(feature);
            sum += i32::from(self.features[feature]);
            for (unit, weight) in units.iter_mut().zip(&self.units[feature]) {
                *unit += weight;
            }
        }
        for &(feature, count) in &there.often[..there.often_len] {
            let feature = usize::from(feature);
            sum += i32::from(self.features[feature]) * count;
            for (unit, weight) in units.iter_mut().zip(&self.units[feature]) {
                *unit += weight * count;
            }
        }
        let mut together = 0;
        for (unit, worth) in units.iter().zip(&self.worth) {
            together += (*unit).clamp(0, ON) * worth;
        }
        sum + (together >> ON_BITS)
    }
}

/// The features of a position: those that count once, which are cheaper, separately.
struct There {
    once: [u8; THERE_MAX],
    once_len: usize,
    often: [(u8, i32); OFTEN_MAX],
    often_len: usize,
}

/// The most different features that a position can have, with pieces on their cells counted singly.
const THERE_MAX: usize = 64;
/// The most of those that can count other than once.
const OFTEN_MAX: usize = 16;

impl There {
    #[inline]
    const fn new() -> Self {
        Self { once: [0; THERE_MAX], once_len: 0, often: [(0, 0); OFTEN_MAX], often_len: 0 }
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 256 features")]
    fn add(&mut self, feature: usize, count: i32) {
        if count == 1 {
            self.once[self.once_len] = feature as u8;
            self.once_len += 1;
        } else if count != 0 {
            self.often[self.often_len] = (feature as u8, count);
            self.often_len += 1;
        }
    }
}

/// The greatest value of an undecided position.
pub(super) const JUDGED_MAX: i32 = 20_000;

/// The probability with these log-odds.
pub fn chance(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}
