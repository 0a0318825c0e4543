//! Findings about games between strong players: their length, the advantage of a side, the effect of the
//! throws and their worth, and of hits, pins, primes and calls.
//!
//! [`find`] lets the highest level play itself. Every game has its own dice: both players are the same, so a
//! second game with the same dice would be the same game. The result depends only on the [`Study`], except
//! the time it takes.
//!
//! Luck is subtracted from the results ([`Luck`]), as in rollouts: it is zero on average, whatever the
//! quality of the evaluation, but without it results vary less. Intervals, of 95 %, are Wilson's for shares
//! of games. Others are over games, or from the bootstrap: 400 samples of as many games are drawn with
//! replacement.

mod course;
mod incidents;
mod lead;
mod luck;
mod play;
mod sample;
mod throws;

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZeroUsize,
    sync::atomic::AtomicBool,
    time::Instant,
};

use lusoria_rules::{Game, Side, Variant};
use lusoria_search::{Budget, Level, Player, edition};
use serde::Serialize;

use self::{course::Course, play::play_all, sample::Sample};
use crate::{Bucket, Estimate, Score, Share, calibration::Buckets, share::share};

pub use incidents::{Incident, IncidentFound, Maker};
pub use lead::Lead;
pub use luck::Luck;
pub use play::StudyProgress;
pub use throws::{KindWorth, ThrowKind, ThrowWorth};

/// The player.
const PLAYER: Player = Player::Level(Level::HIGHEST);

/// A study.
#[derive(Debug, Clone, Copy)]
pub struct Study {
    /// The game and its options.
    pub variant: Variant,
    /// The number of games.
    pub games: u32,
    /// The player's budget for a turn; none for the usual one.
    pub budget: Option<Budget>,
    /// The seed of the dice and the bootstrap.
    pub seed: u64,
    /// After how many turns of both sides together, passes included, a game counts as drawn.
    pub turns_max: u32,
    /// How many games are played at the same time.
    pub threads: NonZeroUsize,
}

/// The findings. Its fields are stable: programs read it as JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Findings {
    /// The game and its options.
    #[serde(flatten)]
    pub variant: Variant,
    /// The edition of the search that played, as 16 hexadecimal digits.
    pub edition: String,
    /// Its budget for a turn, in positions.
    pub nodes: u32,
    /// The seed.
    pub seed: u64,
    /// The number of games.
    pub games: u32,
    /// How many of them are different: without dice, games can be the same, and then say less.
    pub distinct: u32,
    /// Turns of a game, of both sides together, including passes.
    pub turns: Lengths,
    /// How many of these were passes.
    pub passes: Estimate,
    /// The number of games by the reason of their end: codes of the rules, `turn_limit`.
    pub ends: BTreeMap<&'static str, u32>,
    /// The results of White, in a tafl game the defenders.
    pub white: Score,
    /// White's share of all games, a draw counting half.
    pub white_share: Share,
    /// The same with luck removed; none in a game without dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white_without_luck: Option<Estimate>,
    /// The share of the side with the first turn, where that is drawn at random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_share: Option<Share>,
    /// The same with luck removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_without_luck: Option<Estimate>,
    /// The share of drawn games.
    pub drawn: Share,
    /// The share of games that counted double, where they can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub double: Option<Share>,
    /// How far a game's result is from the expectation for its side: the standard deviation of White's score.
    pub deviation: Estimate,
    /// The effect of the throws on a game; none in a game without dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub luck: Option<Luck>,
    /// The calibration of the computer's expectation before each throw, with later luck removed; none in a
    /// game without dice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calibration: Vec<Bucket>,
    /// After how many games the better of two players leads.
    pub leads: Vec<Lead>,
    /// The worth of each throw; none in a game without dice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub throws: Vec<ThrowWorth>,
    /// The worth of each kind of throw.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<KindWorth>,
    /// How often each incident happens, and how often the side that causes it wins.
    pub incidents: Vec<IncidentFound>,
    /// The elapsed time, in seconds.
    pub elapsed_s: f64,
}

/// The lengths of games, in turns.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Lengths {
    /// The mean.
    pub mean: Estimate,
    /// One in twenty is no longer.
    pub p5: Estimate,
    /// Half of them are no longer.
    pub median: Estimate,
    /// All but one in twenty are no longer.
    pub p95: Estimate,
}

/// Plays all games and evaluates them; none if `stop` became true before their end.
pub fn find(asked: &Study, stop: &AtomicBool, report: impl FnMut(StudyProgress)) -> Option<Findings> {
    let begun = Instant::now();
    let courses = play_all(asked, stop, report)?;
    Some(Findings { elapsed_s: begun.elapsed().as_secs_f64(), ..Findings::of(asked, &courses) })
}

impl Study {
    /// The player's budget for a turn.
    fn allowed(&self) -> Budget {
        self.budget.unwrap_or_else(|| PLAYER.budget(self.variant.game()))
    }
}

impl Findings {
    /// The findings from games, without the elapsed time.
    fn of(asked: &Study, courses: &[Course]) -> Self {
        let game = asked.variant.game();
        let sample = Sample::new(courses, asked.seed);
        let throws = play::throws(game);
        let share_of = |of: fn(&Course) -> f64| share(&sample.parts(of)).expect("a game was played");
        let (has_dice, is_drawn) = (game.dice() > 0, game.has_opening_throw());
        let mut ends = BTreeMap::new();
        for course in courses {
            *ends.entry(course.end).or_default() += 1;
        }
        Self {
            variant: asked.variant,
            edition: format!("{:016x}", edition(asked.variant)),
            nodes: asked.allowed().nodes,
            seed: asked.seed,
            games: count(courses.len()),
            distinct: count(courses.iter().map(|course| course.fingerprint).collect::<BTreeSet<_>>().len()),
            turns: Lengths::of(&sample),
            passes: sample.mean(|course| course.passes.into()),
            ends,
            white: white_score(courses),
            white_share: share_of(|course| course.white),
            white_without_luck: has_dice.then(|| sample.mean(Course::white_without_luck)),
            first_share: is_drawn.then(|| share_of(|course| course.score_of(course.first))),
            first_without_luck: is_drawn.then(|| sample.mean(Course::first_without_luck)),
            drawn: share_of(|course| course.ended_with(0)),
            double: can_double(game).then(|| share_of(|course| course.ended_with(2))),
            deviation: sample.deviation(|course| course.white),
            luck: has_dice.then(|| Luck::of(&sample)),
            calibration: calibration(courses),
            leads: Lead::all(&sample, has_dice),
            throws: throws::worths(&throws, courses),
            kinds: throws::kinds(&throws, courses),
            incidents: incidents::found(asked.variant, courses),
            elapsed_s: 0.0,
        }
    }
}

impl Lengths {
    fn of(sample: &Sample) -> Self {
        let quantile = |share| sample.quantile(|course| course.turns, share);
        Self {
            mean: sample.mean(|course| course.turns.into()),
            p5: quantile(0.05),
            median: quantile(0.5),
            p95: quantile(0.95),
        }
    }
}

fn calibration(courses: &[Course]) -> Vec<Bucket> {
    let mut buckets = Buckets::default();
    for course in courses {
        buckets.add_game(course.expected_and_scored());
    }
    buckets.told()
}

fn white_score(courses: &[Course]) -> Score {
    let mut score = Score::default();
    for course in courses {
        let points = i8::try_from(course.points).expect("a game scores at most 2");
        score.add(if course.score_of(Side::White) < 0.5 { -points } else { points });
    }
    score
}

/// Whether a win can count double.
fn can_double(game: Game) -> bool {
    game.scores().contains(&2)
}

fn count(of: usize) -> u32 {
    u32::try_from(of).expect("there are fewer games than that")
}

#[cfg(test)]
mod tests;
