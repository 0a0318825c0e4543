//! How the weights are found: from positions of many games, with the results of those games.
//!
//! The chance of the defenders is taken to be a logistic function of the features' weighted sum, and the
//! weights follow the gradient of the cross entropy (logistic regression, as Texel's tuning does it; Adam). A
//! few units beside the sum learn what features mean together. The target mixes the game's result with the
//! search values of the positions that followed. The certainty of a search's value is learnt in the same way.

use std::fmt::Write as _;

use lusoria_search::{
    Random,
    evaluation::{FEATURES, UNIT, UNITS, Unit, Weights, chance},
};

use super::{selfplay::Lesson, weights::first};

/// One number for every feature, one for it in every unit, one for the weight of every unit, one for the
/// certainty of a search.
const NUMBERS: usize = SURENESS + 1;
const TOGETHER: usize = FEATURES;
const WORTH: usize = TOGETHER + FEATURES * UNITS;
const SURENESS: usize = WORTH + UNITS;

/// The lessons that are kept to be learnt again.
const LESSONS_MAX: usize = 400_000;
/// With fewer lessons no step is made: a few games would count too much.
const LESSONS_MIN: usize = 4_000;
/// The number of lessons whose gradients are followed together.
const BATCH: usize = 256;
/// The weight of the game's result in a target, beside the searches after it.
const END: f32 = 0.2;
/// The standard deviation of a weight around the one chosen by hand: while few games are known, the weights
/// stay near that.
const DOUBT: f32 = 0.3;
/// The number of games that count as one independent observation of a weight.
const ALIKE: f32 = 0.4;

const HEAD: &str = "lusoria tablut student 3";

/// Weights that learn.
#[derive(Debug, Clone)]
pub(crate) struct Student {
    seed: u64,
    games: u64,
    batches: u32,
    numbers: [f32; NUMBERS],
    /// Running means of the gradients and of their squares.
    means: [f32; NUMBERS],
    squares: [f32; NUMBERS],
    /// The last lessons. When there are as many as are kept, `oldest` is replaced next.
    lessons: Vec<Lesson>,
    oldest: usize,
}

/// The bytes have another form than [`Student::save`] writes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it is no student of tablut, or one of another version")]
pub(crate) struct NoStudent;

impl Student {
    /// The weights chosen by hand, with units that weigh almost nothing, each of them random, or they would
    /// all learn the same.
    pub(super) fn new(seed: u64) -> Self {
        let first = first();
        let mut random = Random::new(seed);
        let mut numbers = [0.0; NUMBERS];
        numbers[..FEATURES].copy_from_slice(&first.features());
        numbers[TOGETHER..WORTH].fill_with(|| (random.unit() - 0.5) * 0.02);
        numbers[WORTH..SURENESS].fill_with(|| (random.unit() - 0.5) * 0.2);
        // The first feature is always present: every unit is half on.
        numbers[TOGETHER..TOGETHER + UNITS].fill(0.5);
        numbers[SURENESS] = UNIT / first.scale();
        let still = [0.0; NUMBERS];
        let lessons = Vec::new();
        Self { seed, games: 0, batches: 0, numbers, means: still, squares: still, lessons, oldest: 0 }
    }

    /// The number of games that it has learnt from.
    pub(super) const fn games(&self) -> u64 {
        self.games
    }

    /// The weights to play with.
    pub(super) fn weights(&self) -> Weights {
        let features = std::array::from_fn(|feature| self.numbers[feature]);
        let units: [Unit; UNITS] = std::array::from_fn(|unit| Unit {
            features: std::array::from_fn(|feature| self.numbers[TOGETHER + feature * UNITS + unit]),
            worth: self.numbers[WORTH + unit],
        });
        Weights::new(&features, &units, UNIT / self.numbers[SURENESS].max(0.05))
    }

    /// Learns from the lessons of that many games, and again from earlier ones, in steps of that size.
    /// Returns the mean cross entropy of the results of the new games.
    pub(super) fn learn(&mut self, lessons: Vec<Lesson>, games: u64, rate: f32) -> f32 {
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

    /// The mean cross entropy of the results of these lessons' games, by the weights.
    pub(super) fn loss(&self, lessons: &[Lesson]) -> f32 {
        let cross = |lesson: &Lesson| {
            let chance = self.expects(lesson).clamp(1e-6, 1.0 - 1e-6);
            -(lesson.result * chance.ln() + (1.0 - lesson.result) * (1.0 - chance).ln())
        };
        lessons.iter().map(cross).sum::<f32>() / lessons.len().max(1) as f32
    }

    /// The defenders' chance, without look-ahead.
    fn expects(&self, lesson: &Lesson) -> f32 {
        self.think(lesson).1
    }

    /// The units' sums, and the defenders' chance.
    fn think(&self, lesson: &Lesson) -> ([f32; UNITS], f32) {
        let mut odds = 0.0;
        let mut sums = [0.0; UNITS];
        for &(feature, count) in &lesson.features {
            let (feature, count) = (usize::from(feature), f32::from(count));
            odds += self.numbers[feature] * count;
            for (sum, weight) in sums.iter_mut().zip(&self.numbers[TOGETHER + feature * UNITS..]) {
                *sum += weight * count;
            }
        }
        for (sum, worth) in sums.iter().zip(&self.numbers[WORTH..]) {
            odds += sum.clamp(0.0, 1.0) * worth;
        }
        (sums, chance(odds))
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
    }

    /// Adds the gradient of one lesson to the sum.
    fn add_slope(&self, lesson: &Lesson, slope: &mut [f32; NUMBERS]) {
        let searched = chance(lesson.searched * self.numbers[SURENESS]);
        let target = END * lesson.result + (1.0 - END) * lesson.later;
        let (sums, expected) = self.think(lesson);
        let off = expected - target;
        let mut pulls = [0.0; UNITS];
        for (unit, sum) in sums.iter().enumerate() {
            slope[WORTH + unit] += off * sum.clamp(0.0, 1.0);
            // A unit outside its range has no gradient.
            if (0.0..=1.0).contains(sum) {
                pulls[unit] = off * self.numbers[WORTH + unit];
            }
        }
        for &(feature, count) in &lesson.features {
            let (feature, count) = (usize::from(feature), f32::from(count));
            slope[feature] += off * count;
            for (slope, pull) in slope[TOGETHER + feature * UNITS..].iter_mut().zip(pulls) {
                *slope += pull * count;
            }
        }
        slope[SURENESS] += (searched - lesson.result) * lesson.searched;
    }

    /// Everything needed to continue learning: lines of text, then the lessons.
    pub(super) fn save(&self) -> Vec<u8> {
        let mut text = format!(
            "{HEAD}\n{} {} {} {} {}\n",
            self.seed,
            self.games,
            self.batches,
            self.oldest,
            self.lessons.len()
        );
        for row in [&self.numbers, &self.means, &self.squares] {
            let row: Vec<_> = row.iter().map(f32::to_string).collect();
            writeln!(text, "{}", row.join(" ")).expect("writing to a string does not fail");
        }
        let mut bytes = text.into_bytes();
        self.lessons.iter().for_each(|lesson| lesson.write(&mut bytes));
        bytes
    }

    /// Continues from what [`Student::save`] returned.
    ///
    /// # Errors
    ///
    /// The bytes have another form, or come from a version with other features.
    pub(super) fn restore(bytes: &[u8]) -> Result<Self, NoStudent> {
        let mut parts = bytes.splitn(6, |&byte| byte == b'\n');
        let mut line = || std::str::from_utf8(parts.next()?).ok();
        if line() != Some(HEAD) {
            return Err(NoStudent);
        }
        let mut counts = line().ok_or(NoStudent)?.split(' ').map(|count| count.parse::<u64>().ok());
        let mut count = || counts.next().flatten().ok_or(NoStudent);
        let (seed, games, batches, oldest, lessons) = (count()?, count()?, count()?, count()?, count()?);
        let mut numbers = || -> Option<[f32; NUMBERS]> {
            let numbers: Option<Vec<f32>> = line()?.split(' ').map(|number| number.parse().ok()).collect();
            numbers?.try_into().ok()
        };
        let mut row = || numbers().ok_or(NoStudent);
        let (numbers, means, squares) = (row()?, row()?, row()?);
        let mut rest = parts.next().ok_or(NoStudent)?;
        if oldest >= LESSONS_MAX as u64 || lessons > LESSONS_MAX as u64 {
            return Err(NoStudent);
        }
        let lessons: Option<Vec<_>> = (0..lessons).map(|_| Lesson::read(&mut rest)).collect();
        Ok(Self {
            seed,
            games,
            batches: u32::try_from(batches).map_err(|_| NoStudent)?,
            numbers,
            means,
            squares,
            lessons: lessons.filter(|_| rest.is_empty()).ok_or(NoStudent)?,
            oldest: usize::try_from(oldest).map_err(|_| NoStudent)?,
        })
    }
}

impl Lesson {
    /// Writes three numbers, the number of features, and each of them with its count.
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 256 features")]
    fn write(&self, bytes: &mut Vec<u8>) {
        for number in [self.searched, self.later, self.result] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.push(self.features.len() as u8);
        bytes.extend(self.features.iter().flat_map(|&(feature, count)| [feature, count.cast_unsigned()]));
    }

    /// Reads what [`Lesson::write`] has written, and advances the bytes past it.
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let mut number = || Some(f32::from_le_bytes(*bytes.split_off(..4)?.first_chunk()?));
        let (searched, later, result) = (number()?, number()?, number()?);
        let features = usize::from(*bytes.split_off_first()?);
        let pairs = bytes.split_off(..2 * features)?.chunks_exact(2);
        let features: Vec<_> = pairs.map(|pair| (pair[0], pair[1].cast_signed())).collect();
        let known = features.iter().all(|&(feature, _)| usize::from(feature) < FEATURES);
        known.then_some(Self { features, searched, later, result })
    }
}

#[cfg(test)]
mod tests;
