//! How the weights are found: positions of many games are told apart by how the games ended.
//!
//! The chance of the defenders is taken to be a logistic function of the features' weighted sum,
//! and the weights follow the gradient of the cross entropy (logistic regression, as Texel's
//! tuning does it; Adam). The target mixes the game's end with what a search thought of the
//! position. In the same way it is learnt how sure a search's value is, and how likely a draw.

use std::fmt::Write as _;

use super::{
    features::FEATURES,
    selfplay::Lesson,
    weights::{UNIT, Weights, chance},
};
use crate::Random;

/// One number for every feature, one for a search's sureness, three for draws.
const NUMBERS: usize = FEATURES + 4;
const SURENESS: usize = FEATURES;
const DRAWS: usize = FEATURES + 1;

/// Lessons that are kept to be learnt again.
const LESSONS_MAX: usize = 150_000;
/// With fewer no step is made: the first games alone, or those after a pause, would say too much.
const LESSONS_MIN: usize = 4_000;
/// Lessons whose gradients are followed together.
const BATCH: usize = 256;
/// How much the game's end counts in a target, beside the search.
const END: f32 = 0.6;
/// How far a weight may be off the one chosen by hand, more or less: so long as few games are
/// known, the weights stay near that.
const DOUBT: f32 = 0.3;
/// Games that say about a weight what one independent observation would.
const ALIKE: f32 = 0.4;

const HEAD: &str = "lusoria tablut student 1";

/// Weights that learn.
#[derive(Debug, Clone)]
pub struct Student {
    seed: u64,
    games: u64,
    batches: u32,
    numbers: [f32; NUMBERS],
    /// Running means of the gradients and of their squares.
    means: [f32; NUMBERS],
    squares: [f32; NUMBERS],
    /// The last lessons; they are not saved.
    lessons: Vec<Lesson>,
    oldest: usize,
}

/// The text is not what [`Student::save`] writes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it is no student of tablut")]
pub struct NoStudent;

impl Student {
    /// The weights chosen by hand.
    pub fn new(seed: u64) -> Self {
        let first = Weights::first();
        let mut numbers = [0.0; NUMBERS];
        numbers[..FEATURES].copy_from_slice(&first.features());
        numbers[SURENESS] = UNIT / first.scale();
        numbers[DRAWS..].copy_from_slice(&first.draw());
        let still = [0.0; NUMBERS];
        let lessons = Vec::new();
        Self { seed, games: 0, batches: 0, numbers, means: still, squares: still, lessons, oldest: 0 }
    }

    /// How many games it has learnt from.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The weights to play with.
    pub fn weights(&self) -> Weights {
        let features = std::array::from_fn(|feature| self.numbers[feature]);
        let draw = std::array::from_fn(|index| self.numbers[DRAWS + index]);
        Weights::new(&features, UNIT / self.numbers[SURENESS].max(0.05), draw)
    }

    /// Learns from the lessons of so many games, and again from those before them, in steps of
    /// that size. Says how far off it was: the mean cross entropy of the ends of the new games.
    pub fn learn(&mut self, lessons: Vec<Lesson>, games: u64, rate: f32) -> f32 {
        let loss = self.loss(&lessons);
        let batches = 4 * lessons.len() / BATCH + 1;
        for lesson in lessons {
            if self.lessons.len() < LESSONS_MAX {
                self.lessons.push(lesson);
            } else {
                self.lessons[self.oldest] = lesson;
                self.oldest = (self.oldest + 1) % LESSONS_MAX;
            }
        }
        let mut random = Random::new(self.seed ^ self.games.wrapping_mul(0x9e37_79b9));
        self.games += games;
        if self.lessons.len() >= LESSONS_MIN {
            for _ in 0..batches {
                self.follow(&mut random, rate);
            }
        }
        loss
    }

    /// The mean cross entropy of how the games of these lessons ended, as the weights see it.
    pub fn loss(&self, lessons: &[Lesson]) -> f32 {
        let cross = |lesson: &Lesson| {
            let chance = self.expects(lesson).clamp(1e-6, 1.0 - 1e-6);
            -(lesson.result * chance.ln() + (1.0 - lesson.result) * (1.0 - chance).ln())
        };
        lessons.iter().map(cross).sum::<f32>() / lessons.len().max(1) as f32
    }

    /// The defenders' chance, without looking ahead.
    fn expects(&self, lesson: &Lesson) -> f32 {
        let weigh = |&(feature, count): &(u8, i8)| self.numbers[usize::from(feature)] * f32::from(count);
        chance(lesson.features.iter().map(weigh).sum())
    }

    /// One step down the gradient of a batch drawn from the seed.
    fn follow(&mut self, random: &mut Random, rate: f32) {
        let mut slope = [0.0; NUMBERS];
        let trust = BATCH as f32 * ALIKE / (DOUBT * DOUBT * self.games as f32);
        let first = Self::new(self.seed).numbers;
        for (index, slope) in slope.iter_mut().enumerate().take(FEATURES) {
            *slope = trust * (self.numbers[index] - first[index]);
        }
        for _ in 0..BATCH {
            let lesson = &self.lessons[random.below(self.lessons.len())];
            self.add_slope(lesson, &mut slope);
        }
        self.batches += 1;
        let due = |decay: f32| 1.0 - decay.powf(self.batches as f32);
        let (mean_due, square_due) = (due(0.9), due(0.999));
        for (index, slope) in slope.iter().enumerate() {
            let slope = slope / BATCH as f32;
            self.means[index] += 0.1 * (slope - self.means[index]);
            self.squares[index] += 0.001 * (slope * slope - self.squares[index]);
            let step = self.means[index] / mean_due / ((self.squares[index] / square_due).sqrt() + 1e-8);
            self.numbers[index] -= rate * step;
        }
        // A game that one side is winning is no likelier to be drawn, however few games say so.
        self.numbers[DRAWS + 2] = self.numbers[DRAWS + 2].min(0.0);
    }

    /// Adds what one lesson says about every number.
    fn add_slope(&self, lesson: &Lesson, slope: &mut [f32; NUMBERS]) {
        let searched = chance(lesson.searched * self.numbers[SURENESS]);
        let target = END * lesson.result + (1.0 - END) * searched;
        let off = self.expects(lesson) - target;
        for &(feature, count) in &lesson.features {
            slope[usize::from(feature)] += off * f32::from(count);
        }
        slope[SURENESS] += (searched - lesson.result) * lesson.searched;
        let causes = [1.0, lesson.drought, lesson.searched.abs()];
        let odds: f32 = (0..3).map(|index| self.numbers[DRAWS + index] * causes[index]).sum();
        let drawn = if (lesson.result - 0.5).abs() < 0.25 { 1.0 } else { 0.0 };
        for (index, cause) in causes.into_iter().enumerate() {
            slope[DRAWS + index] += (chance(odds) - drawn) * cause;
        }
    }

    /// Everything that learning goes on from but the lessons, which come again.
    pub fn save(&self) -> String {
        let mut text = format!("{HEAD}\n{} {} {}\n", self.seed, self.games, self.batches);
        for row in [&self.numbers, &self.means, &self.squares] {
            let row: Vec<_> = row.iter().map(f32::to_string).collect();
            writeln!(text, "{}", row.join(" ")).expect("writing to a string does not fail");
        }
        text
    }

    /// Goes on from what [`Student::save`] gave.
    ///
    /// # Errors
    ///
    /// The text is not what it gives, or from a version with other features.
    pub fn restore(text: &str) -> Result<Self, NoStudent> {
        let mut lines = text.lines();
        if lines.next() != Some(HEAD) {
            return Err(NoStudent);
        }
        let mut row = || lines.next().map(|line| line.split(' '));
        let mut counts = row().ok_or(NoStudent)?.map(|count| count.parse::<u64>().ok());
        let mut count = || counts.next().flatten().ok_or(NoStudent);
        let (seed, games, batches) = (count()?, count()?, count()?);
        let mut numbers = || -> Option<[f32; NUMBERS]> {
            let numbers: Option<Vec<f32>> = row()?.map(|number| number.parse().ok()).collect();
            numbers?.try_into().ok()
        };
        Ok(Self {
            seed,
            games,
            batches: u32::try_from(batches).map_err(|_| NoStudent)?,
            numbers: numbers().ok_or(NoStudent)?,
            means: numbers().ok_or(NoStudent)?,
            squares: numbers().ok_or(NoStudent)?,
            lessons: Vec::new(),
            oldest: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tafl::selfplay::play;

    fn lessons(seeds: std::ops::Range<u64>) -> Vec<Lesson> {
        seeds.flat_map(|seed| play(Weights::first(), seed)).collect()
    }

    /// What [`Student::add_slope`] should be the slope of.
    fn error(student: &Student, lesson: &Lesson, target: f32) -> f32 {
        let chance = student.expects(lesson);
        -(target * chance.ln() + (1.0 - target) * (1.0 - chance).ln())
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_error() {
        let student = Student::new(1);
        for lesson in lessons(0..3).iter().step_by(20) {
            let mut slope = [0.0; NUMBERS];
            student.add_slope(lesson, &mut slope);
            let target =
                END * lesson.result + (1.0 - END) * chance(lesson.searched * student.numbers[SURENESS]);
            for &(feature, _) in &lesson.features {
                let feature = usize::from(feature);
                let moved = |by: f32| {
                    let mut student = student.clone();
                    student.numbers[feature] += by;
                    error(&student, lesson, target)
                };
                let found = (moved(0.002) - moved(-0.002)) / 0.004;
                assert!(
                    (found - slope[feature]).abs() < 0.02 + 0.05 * found.abs(),
                    "{found} {}",
                    slope[feature]
                );
            }
        }
    }

    #[test]
    fn learning_lessens_the_loss() {
        let mut student = Student::new(1);
        let lessons = lessons(0..300);
        assert!(lessons.len() >= LESSONS_MIN);
        let before = student.loss(&lessons);
        student.learn(lessons.clone(), 300, 0.01);
        assert!(student.loss(&lessons) < before, "{} after {before}", student.loss(&lessons));
    }

    #[test]
    fn a_student_goes_on_from_what_was_saved() {
        let mut student = Student::new(7);
        student.learn(lessons(0..300), 300, 0.01);
        let restored = Student::restore(&student.save()).expect("just saved");
        assert_eq!(restored.save(), student.save());
        assert_eq!(restored.weights(), student.weights());
        for damaged in
            ["", "lusoria tablut student 1\n1 2\n", &student.save().replace("student 1", "student 2")]
        {
            assert_eq!(Student::restore(damaged).map(|_| ()), Err(NoStudent));
        }
    }

    #[test]
    fn the_same_seed_is_the_same_game() {
        let [one, again, other] = [3, 3, 4].map(|seed| {
            let lessons = play(Weights::first(), seed);
            lessons.into_iter().map(|lesson| (lesson.features, lesson.result.to_bits())).collect::<Vec<_>>()
        });
        assert_eq!(one, again);
        assert_ne!(one, other);
    }
}
