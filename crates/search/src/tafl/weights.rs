//! What features are worth, read from a small file of text.

use std::sync::LazyLock;

use lusoria_rules::{Side, tafl::Position};

use super::{
    features::each_feature,
    groups::{FEATURES, GROUPS},
};
use crate::{Value, games::TAFL_WEIGHTS};

/// The first line of a file of weights; another arrangement of features is another version.
pub const HEAD: &str = "lusoria tablut weights 1";

/// Values are whole numbers: this many are one unit of the logarithm of the odds.
pub const UNIT: f32 = 256.0;

/// What every feature is worth to the defenders, and how values become chances.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    features: [i16; FEATURES],
    /// A value from a search, divided by this, is a logarithm of odds.
    scale: f32,
    /// The logarithm of the odds of a draw: by itself, with the moves since the last capture
    /// as a part of what the rules allow, and with the value, in units, either way.
    draw: [f32; 3],
}

/// The text is no file of weights.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// It is another file, or another version.
    #[error("the first line is not \"{HEAD}\"")]
    Head,
    /// A line with these numbers is missing, or has others.
    #[error("{name} should stand there with {expected} numbers")]
    Line {
        /// What the line is about.
        name: &'static str,
        /// How many numbers it has.
        expected: usize,
    },
}

impl Weights {
    /// Weights from numbers in units, one for each feature; [`Weights::scale`] and
    /// [`Weights::draw`] say what the rest is.
    #[expect(clippy::cast_possible_truncation, reason = "held within the range")]
    pub fn new(features: &[f32; FEATURES], scale: f32, draw: [f32; 3]) -> Self {
        let whole = |weight: &f32| (weight * UNIT).round().clamp(-8000.0, 8000.0) as i16;
        Self { features: std::array::from_fn(|index| whole(&features[index])), scale, draw }
    }

    /// The weights that the computer plays with.
    pub fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<Weights> =
            LazyLock::new(|| Weights::read(TAFL_WEIGHTS).expect("the file is written by our training"));
        &SHIPPED
    }

    /// The weights, in units.
    pub fn features(&self) -> [f32; FEATURES] {
        self.features.map(|weight| f32::from(weight) / UNIT)
    }

    /// What a value is divided by to be a logarithm of odds.
    pub const fn scale(&self) -> f32 {
        self.scale
    }

    /// The logarithm of the odds of a draw: by itself, with the moves since the last capture, and
    /// with the value.
    pub const fn draw(&self) -> [f32; 3] {
        self.draw
    }

    /// Reads a file: [`HEAD`], then a line each for the scale, draws and every group of features.
    /// Lines that begin with `#` are remarks.
    ///
    /// # Errors
    ///
    /// [`WeightsError`] says which line is wrong.
    pub fn read(text: &str) -> Result<Self, WeightsError> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        if lines.next() != Some(HEAD) {
            return Err(WeightsError::Head);
        }
        let mut numbers = |name: &'static str, expected: usize| {
            let error = WeightsError::Line { name, expected };
            let line = lines.next().and_then(|line| line.strip_prefix(name)?.strip_prefix(':'));
            let numbers: Option<Vec<f32>> = line.and_then(|line| {
                line.split_whitespace()
                    .map(|number| number.parse().ok().filter(|n: &f32| n.is_finite()))
                    .collect()
            });
            numbers.filter(|numbers| numbers.len() == expected).ok_or(error)
        };
        let scale = numbers("scale", 1)?[0];
        let draw = numbers("draw", 3)?;
        let mut features = [0.0; FEATURES];
        for group in GROUPS {
            features[group.first..group.first + group.len].copy_from_slice(&numbers(group.name, group.len)?);
        }
        Ok(Self::new(&features.map(|weight| weight / UNIT), scale, [draw[0], draw[1], draw[2]]))
    }

    /// What a position that is not decided is worth to the side to move, without looking ahead;
    /// never 0, which is a draw.
    #[inline]
    pub(super) fn judge(&self, position: &Position) -> i32 {
        let mut sum = 0;
        each_feature(position, |feature, count| sum += i32::from(self.features[feature]) * count);
        let sum = sum.clamp(-JUDGED_MAX, JUDGED_MAX);
        let sum = if sum == 0 { 1 } else { sum };
        match position.to_move() {
            Side::White => sum,
            Side::Black => -sum,
        }
    }

    /// The chances that a search's value means, `quiet` moves after the last capture.
    pub(super) fn chances(&self, value: i32, quiet: u16) -> Value {
        if value == 0 {
            return Value::DRAWN;
        }
        if value.abs() > JUDGED_MAX {
            return if value > 0 { Value::of_points(1) } else { Value::LOST };
        }
        #[expect(clippy::cast_precision_loss, reason = "a value has 16 bits")]
        let value = value as f32;
        let drought = f32::from(quiet) / f32::from(lusoria_rules::History::DROUGHT);
        let [alone, dry, sure] = self.draw;
        let draw = chance(alone + dry * drought + sure * (value / UNIT).abs());
        Value { win: (1.0 - draw) * chance(value / self.scale), draw, ..Value::default() }
    }
}

/// The most that a position which is not decided can be worth.
pub(super) const JUDGED_MAX: i32 = 20_000;

/// The chance whose odds have that logarithm.
pub fn chance(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}
