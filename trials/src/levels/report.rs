//! The ratings of the levels, as tables that docs/ratings.md can take.

use std::{fmt::Write, time::Duration};

use lusoria_protocol::{Game, Rating};
use lusoria_search::Level;

use super::play::MatchScore;

/// The number of standard deviations of an interval of 95 %.
const DEVIATIONS: f64 = 1.96;

/// How often each level has won, drawn and lost.
#[derive(Debug, Default)]
pub(super) struct Scores([Score; Level::ALL.len()]);

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Score {
    won: u32,
    drawn: u32,
    lost: u32,
}

/// The results of a level.
#[derive(Debug)]
pub(super) struct LevelReport {
    pub(super) level: Level,
    pub(super) score: Score,
    /// The rating of each of its accounts, with its place on the leaderboard.
    pub(super) ratings: Vec<(Rating, Option<u32>)>,
}

/// A number with its standard deviation.
#[derive(Debug, Clone, Copy)]
struct Estimate {
    value: f64,
    deviation: f64,
}

impl Scores {
    pub(super) const fn count(&mut self, level: Level, score: MatchScore) {
        let of = &mut self.0[level.number() as usize - 1];
        match score {
            MatchScore::Won => of.won += 1,
            MatchScore::Drawn => of.drawn += 1,
            MatchScore::Lost => of.lost += 1,
        }
    }

    pub(super) const fn of(&self, level: Level) -> Score {
        self.0[level.number() as usize - 1]
    }
}

impl LevelReport {
    /// The mean of its accounts, whose errors are taken as independent.
    #[expect(clippy::cast_precision_loss, reason = "a level has accounts")]
    fn mean(&self) -> Estimate {
        let sum = |of: fn(&Rating) -> f64| self.ratings.iter().map(|(rating, _)| of(rating)).sum::<f64>();
        let accounts = self.ratings.len() as f64;
        Estimate {
            value: sum(|rating| rating.points.into()) / accounts,
            deviation: sum(|rating| f64::from(rating.deviation).powi(2)).sqrt() / accounts,
        }
    }

    /// The ratings of its accounts, the lowest first.
    fn accounts(&self) -> String {
        let mut points: Vec<u16> = self.ratings.iter().map(|(rating, _)| rating.points).collect();
        points.sort_unstable();
        points.iter().map(u16::to_string).collect::<Vec<_>>().join(", ")
    }

    /// The places of its accounts on the leaderboard, the best first.
    fn places(&self) -> String {
        let mut places: Vec<u32> = self.ratings.iter().filter_map(|(_, place)| *place).collect();
        places.sort_unstable();
        let places: Vec<String> = places.iter().map(u32::to_string).collect();
        if places.is_empty() { "–".to_owned() } else { places.join(", ") }
    }
}

impl Estimate {
    fn above(self, other: Self) -> Self {
        Self { value: self.value - other.value, deviation: self.deviation.hypot(other.deviation) }
    }

    fn interval(self) -> String {
        let Self { value, deviation } = self;
        format!("{:.0} to {:.0}", value - DEVIATIONS * deviation, value + DEVIATIONS * deviation)
    }
}

/// Whether each level is rated above the one below it.
pub(super) fn is_in_order(levels: &[LevelReport]) -> bool {
    levels.is_sorted_by(|below, above| below.mean().value < above.mean().value)
}

/// A table of a game.
pub(super) fn table(game: Game, matches: usize, took: Duration, levels: &[LevelReport]) -> String {
    let accounts = levels.first().map_or(0, |level| level.ratings.len());
    let mut table = format!(
        "{game}: {matches} rated matches, {accounts} accounts of each level, {} s\n\n\
         | level | matches | won–drawn–lost | rating | deviation | interval of 95 % | above the level below by | accounts | places |\n\
         | --- | ---: | --- | ---: | ---: | --- | --- | --- | --- |\n",
        took.as_secs()
    );
    let mut below: Option<Estimate> = None;
    for of in levels {
        let Score { won, drawn, lost } = of.score;
        let mean = of.mean();
        let above = below.map_or_else(String::new, |below| {
            let above = mean.above(below);
            format!("{:.0} ({})", above.value, above.interval())
        });
        let _ = writeln!(
            table,
            "| {} | {} | {won}–{drawn}–{lost} | {:.0} | {:.0} | {} | {above} | {} | {} |",
            of.level,
            won + drawn + lost,
            mean.value,
            mean.deviation,
            mean.interval(),
            of.accounts(),
            of.places()
        );
        below = Some(mean);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(number: usize, points: [u16; 2]) -> LevelReport {
        let rating = |points| Rating { points, deviation: 60, provisional: false };
        let ratings = points.map(|points| (rating(points), None)).to_vec();
        LevelReport { level: Level::ALL[number - 1], score: Score::default(), ratings }
    }

    #[test]
    fn a_level_is_the_mean_of_its_accounts() {
        let (low, high) = (level(1, [1300, 1400]).mean(), level(2, [1500, 1600]).mean());
        assert_eq!(format!("{:.1} {:.1}", low.value, low.deviation), "1350.0 42.4");
        assert_eq!(low.interval(), "1267 to 1433");
        let above = high.above(low);
        assert_eq!(format!("{:.1} {:.1}", above.value, above.deviation), "200.0 60.0");
    }

    #[test]
    fn levels_are_in_order_if_each_is_above_the_one_below() {
        assert!(is_in_order(&[level(1, [1300, 1400]), level(2, [1340, 1370]), level(3, [1900, 1200])]));
        assert!(!is_in_order(&[level(1, [1300, 1400]), level(2, [1350, 1350])]), "equal is not above");
    }
}
