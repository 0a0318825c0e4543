//! Converts a search's value to chances between players of the highest level.
//!
//! The weights were trained on games with a smaller budget and some careless turns. So the meaning of a value
//! is read from a curve that was fitted to games of the highest level (docs/training.md, "How sure tablut's
//! chances are").

use std::{fmt::Write as _, sync::LazyLock};

use lusoria_rules::{History, Side};

use super::weights::{JUDGED_MAX, chance};
use crate::{Value, games::TAFL_CHANCES};

/// The values of the curve's points, from the attackers' side; [`super::UNIT`] is one unit of the weights.
/// They are close together where a small difference matters most.
pub const CURVE_VALUES: [i16; 45] = [
    -500, -400, -300, -240, -200, -150, -110, -80, -66, -58, -40, -20, 0, 30, 60, 90, 110, 120, 125, 130,
    135, 140, 145, 150, 155, 160, 165, 170, 180, 190, 200, 215, 230, 245, 260, 280, 300, 320, 360, 400, 450,
    500, 550, 650, 770,
];
/// The point of the value 0, where both sides have the same chances.
pub const CURVE_EVEN: usize = 12;

const HEAD: &str = "lusoria tablut chances 2";

/// The curve of chances.
#[derive(Debug, Clone, PartialEq)]
pub struct ChanceCurve {
    /// The log-odds of the attackers' score right after a capture, a draw counting half, for each of
    /// [`CURVE_VALUES`]; increasing, and 0 at [`CURVE_EVEN`], because a draw has the value 0.
    pub scores: [f32; CURVE_VALUES.len()],
    /// The probability of a draw right after a capture, as a part of [`most_drawn`]: 0 to 1.
    pub draws: f32,
}

/// The text is not a file of chances.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChancesError {
    /// It is another file, or another version.
    #[error("the first line is not \"{HEAD}\"")]
    Head,
    /// The line of scores is missing, or not a curve.
    #[error("\"scores\" should stand there with {count} numbers that rise, 0 for the value 0", count = CURVE_VALUES.len())]
    Scores,
    /// The line of draws is missing, or its number is invalid.
    #[error("\"draws\" should stand there with one number from 0 to 1")]
    Draws,
}

impl ChanceCurve {
    /// The shipped curve.
    pub fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<ChanceCurve> =
            LazyLock::new(|| ChanceCurve::read(TAFL_CHANCES).expect("the file is written by our training"));
        &SHIPPED
    }

    /// Reads the output of [`ChanceCurve::write`]. Lines that begin with `#` are comments.
    ///
    /// # Errors
    ///
    /// [`ChancesError`] says which line is wrong.
    pub fn read(text: &str) -> Result<Self, ChancesError> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        if lines.next() != Some(HEAD) {
            return Err(ChancesError::Head);
        }
        let mut numbers = |name: &str| -> Option<Vec<f32>> {
            let line = lines.next()?.strip_prefix(name)?.strip_prefix(": ")?;
            line.split(' ')
                .map(|number| number.parse().ok().filter(|number: &f32| number.is_finite()))
                .collect()
        };
        let is_curve = |scores: &[f32; _]| {
            scores.is_sorted_by(|one, next| one < next) && scores[CURVE_EVEN].abs() <= f32::EPSILON
        };
        let scores = numbers("scores").and_then(|scores| scores.try_into().ok()).filter(is_curve);
        let draws = numbers("draws").filter(|draws| draws.len() == 1 && (0.0..=1.0).contains(&draws[0]));
        Ok(Self { scores: scores.ok_or(ChancesError::Scores)?, draws: draws.ok_or(ChancesError::Draws)?[0] })
    }

    /// The file, after lines of comments.
    pub fn write(&self, remarks: &str) -> String {
        let mut text = format!("{HEAD}\n");
        for remark in remarks.lines() {
            writeln!(text, "# {remark}").expect("writing to a string does not fail");
        }
        let scores = self.scores.map(|score| format!("{score:.3}")).join(" ");
        writeln!(text, "scores: {scores}\ndraws: {:.3}", self.draws)
            .expect("writing to a string does not fail");
        text
    }

    /// The attackers' average score at that value, seen from their side, this many moves after the last
    /// capture.
    pub fn score(&self, value: i32, since_capture: u16) -> f32 {
        let odds: f32 = curve_shares(value).iter().map(|&(point, share)| self.scores[point] * share).sum();
        chance(odds * outlook(since_capture))
    }

    /// The chances of the side to move for a search's value, this many moves after the last capture.
    pub(super) fn chances(&self, value: i32, to_move: Side, since_capture: u16) -> Value {
        if is_certain(value) {
            return match value.signum() {
                1 => Value::of_points(1),
                0 => Value::DRAWN,
                _ => Value::LOST,
            };
        }
        let score = match to_move {
            Side::Black => self.score(value, since_capture),
            Side::White => 1.0 - self.score(-value, since_capture),
        };
        let draw = most_drawn(score) * (1.0 - (1.0 - self.draws) * moves_left(since_capture));
        Value { win: (score - draw / 2.0).clamp(0.0, 1.0 - draw), draw, ..Value::default() }
    }
}

/// Whether a value means a certain result: a draw, or a forced win.
pub const fn is_certain(value: i32) -> bool {
    value == 0 || value.abs() > JUDGED_MAX
}

/// The greatest possible probability of a draw at this score.
pub fn most_drawn(score: f32) -> f32 {
    2.0 * score.min(1.0 - score)
}

/// The part of the moves without a capture that is left before the game is drawn.
pub fn moves_left(since_capture: u16) -> f32 {
    (1.0 - f32::from(since_capture) / f32::from(History::DROUGHT)).max(0.0)
}

/// The factor for the log-odds this many moves after the last capture: the part of the moves that is left, to
/// the power of 1.5, which fits games of the highest level.
pub fn outlook(since_capture: u16) -> f32 {
    let left = moves_left(since_capture);
    left * left.sqrt()
}

/// The two points of the curve around a value, with their weights, which add up to 1. Beyond the ends, the
/// curve is constant.
pub fn curve_shares(value: i32) -> [(usize, f32); 2] {
    let last = CURVE_VALUES.len() - 1;
    let next = CURVE_VALUES.partition_point(|&point| i32::from(point) <= value).clamp(1, last);
    let [from, to] = [next - 1, next].map(|point| f32::from(CURVE_VALUES[point]));
    #[expect(clippy::cast_precision_loss, reason = "a value has 16 bits")]
    let part = ((value as f32 - from) / (to - from)).clamp(0.0, 1.0);
    [(next - 1, 1.0 - part), (next, part)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each_value() -> impl Iterator<Item = (i32, u16)> {
        let droughts = || (0..=History::DROUGHT).step_by(5);
        (-1_000..=1_000).flat_map(move |value| droughts().map(move |since_capture| (value, since_capture)))
    }

    #[test]
    fn both_sides_see_the_same_game() {
        let curve = ChanceCurve::shipped();
        for (value, since_capture) in each_value() {
            let attackers = curve.chances(value, Side::Black, since_capture);
            let defenders = curve.chances(-value, Side::White, since_capture);
            let sum = attackers.win + defenders.win + attackers.draw;
            assert!((sum - 1.0).abs() < 1e-5, "{value}, {since_capture}: {sum}");
            assert!((attackers.draw - defenders.draw).abs() < 1e-5, "{value}, {since_capture}");
            for Value { win, draw, .. } in [attackers, defenders] {
                assert!(win >= 0.0 && draw >= 0.0 && win + draw <= 1.0, "{value}, {since_capture}");
            }
        }
    }

    #[test]
    fn a_better_value_promises_more_and_a_draw_lies_in_the_middle() {
        for side in Side::BOTH {
            for since_capture in (0..History::DROUGHT).step_by(5) {
                let score = |value| ChanceCurve::shipped().chances(value, side, since_capture).score();
                let scores: Vec<_> = (-400..=400).map(score).collect();
                assert!(scores.is_sorted_by(|one, next| *one <= next + 1e-6), "{side:?} {since_capture}");
                assert!(score(-100) < score(-20) && score(-20) < 0.5, "{side:?} {since_capture}");
                assert!(0.5 < score(20) && score(20) < score(100), "{side:?} {since_capture}");
            }
        }
    }

    #[test]
    fn what_is_decided_is_certain() {
        for side in Side::BOTH {
            let chances = |value| ChanceCurve::shipped().chances(value, side, 3);
            assert_eq!(chances(0), Value::DRAWN);
            assert_eq!(chances(JUDGED_MAX + 1), Value::of_points(1));
            assert_eq!(chances(-JUDGED_MAX - 1), Value::LOST);
        }
    }

    #[test]
    fn nothing_is_left_but_a_draw_when_no_move_is() {
        let drawn = ChanceCurve::shipped().chances(300, Side::Black, History::DROUGHT);
        assert!((drawn.draw - 1.0).abs() < 1e-6, "{drawn:?}");
    }

    #[test]
    fn a_value_lies_between_its_neighbours() {
        for value in [-501, -500, -499, -1, 0, 1, 59, 60, 769, 770, 771, 19_000] {
            let found: f32 = curve_shares(value)
                .iter()
                .map(|&(point, share)| f32::from(CURVE_VALUES[point]) * share)
                .sum();
            let within = f32::from(i16::try_from(value.clamp(-500, 770)).unwrap());
            assert!((found - within).abs() < 0.01, "{value}: {found}");
        }
        assert_eq!(CURVE_VALUES[CURVE_EVEN], 0);
    }

    #[test]
    fn chances_are_read_as_they_were_written() {
        let text = ChanceCurve::shipped().write("a remark\nand another");
        assert_eq!(ChanceCurve::read(&text).as_ref(), Ok(ChanceCurve::shipped()));
        let damaged = |from: &str, to: &str| ChanceCurve::read(&text.replacen(from, to, 1));
        assert_eq!(damaged("chances 2", "chances 9"), Err(ChancesError::Head));
        for to in ["scores: 3 ", "scores: inf ", "score: "] {
            assert_eq!(damaged("scores: ", to), Err(ChancesError::Scores), "{to}");
        }
        // It does not increase, or not through 0.
        let flat = text.replace("scores: ", "scores: 0.000 -1.000\n# ");
        assert_eq!(ChanceCurve::read(&flat), Err(ChancesError::Scores));
        assert_eq!(damaged(" 0.000 ", " 0.001 "), Err(ChancesError::Scores));
        for to in ["draws: 2", "draws: -", "draws: 0.1 ", "draw: "] {
            assert_eq!(damaged("draws: ", to), Err(ChancesError::Draws), "{to}");
        }
    }
}
