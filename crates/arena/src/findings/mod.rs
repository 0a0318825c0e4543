//! What a game is like between strong players: how long it lasts, which side has the advantage, how much the
//! throws decide, what they are worth, and what hits, pins, primes and calls come to.
//!
//! [`find`] lets the highest level play itself. Every game has dice of its own: both players are the same, so a
//! second game with the same dice would be the same game. All of it follows from the [`Study`]; only the time
//! that it takes differs.
//!
//! What the throws gave is taken from how the games ended ([`Luck`]), as rollouts do it: it is nothing on average,
//! whatever the computer's judgement is worth, but without it results vary less. Intervals, of 95 %, are Wilson's
//! for shares of games. Others are reckoned over games, or are those of the bootstrap: 400 times as many games
//! are drawn with replacement, and the number is reckoned again.

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

/// Who plays.
const PLAYER: Player = Player::Level(Level::HIGHEST);

/// What is played.
#[derive(Debug, Clone, Copy)]
pub struct Study {
    /// The game and its options.
    pub variant: Variant,
    /// How many games.
    pub games: u32,
    /// What the player may look at in a turn; none for what it is usually given.
    pub budget: Option<Budget>,
    /// What dice and the bootstrap begin with.
    pub seed: u64,
    /// After how many turns of both sides together, passes included, a game counts as drawn.
    pub turns_max: u32,
    /// How many games are played at the same time.
    pub threads: NonZeroUsize,
}

/// What was found. Its fields are stable: programs read it as JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Findings {
    /// The game and its options.
    #[serde(flatten)]
    pub variant: Variant,
    /// Which judge of the game played, as 16 hexadecimal digits.
    pub edition: String,
    /// How many positions it could look at in a turn.
    pub nodes: u32,
    /// What chance began with.
    pub seed: u64,
    /// How many games were played.
    pub games: u32,
    /// How many of them differ from each other: without dice games can be the same, and say less then.
    pub distinct: u32,
    /// Turns of a game, of both sides together, passes too.
    pub turns: Lengths,
    /// How many of these passed.
    pub passes: Estimate,
    /// How many games ended how: codes of the rules, `turn_limit`.
    pub ends: BTreeMap<&'static str, u32>,
    /// What White, in a tafl game the defenders, won, drew and lost.
    pub white: Score,
    /// The share of all games that White won, draws as halves.
    pub white_share: Share,
    /// The same with what the throws gave taken out; none in a game without dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white_without_luck: Option<Estimate>,
    /// The share of the games that the side with the first turn won, where lot decides which that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_share: Option<Share>,
    /// The same with what the throws gave taken out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_without_luck: Option<Estimate>,
    /// The share of the games that were drawn.
    pub drawn: Share,
    /// The share of the games that counted double, where they can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub double: Option<Share>,
    /// How far a game's result is from what the side makes likely: the standard deviation of White's score.
    pub deviation: Estimate,
    /// What the throws do to a game; none in a game without dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub luck: Option<Luck>,
    /// Whether what the computer expects before it throws comes true, with what the throws gave from then on taken
    /// out; none in a game without dice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calibration: Vec<Bucket>,
    /// After how many games the better of two players leads.
    pub leads: Vec<Lead>,
    /// What each throw is worth; none in a game without dice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub throws: Vec<ThrowWorth>,
    /// What each kind of throw is worth.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<KindWorth>,
    /// How often something happens, and how often the side wins that brings it about.
    pub incidents: Vec<IncidentFound>,
    /// How long it took, in seconds.
    pub elapsed_s: f64,
}

/// How long games are: so many turns, or fewer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Lengths {
    /// On average.
    pub mean: Estimate,
    /// One in twenty has no more.
    pub p5: Estimate,
    /// Half of them have no more.
    pub median: Estimate,
    /// All but one in twenty have no more.
    pub p95: Estimate,
}

/// Plays all games and says what they show; none if `stop` became true before their end.
pub fn find(asked: &Study, stop: &AtomicBool, report: impl FnMut(StudyProgress)) -> Option<Findings> {
    let begun = Instant::now();
    let courses = play_all(asked, stop, report)?;
    Some(Findings { elapsed_s: begun.elapsed().as_secs_f64(), ..Findings::of(asked, &courses) })
}

impl Study {
    /// What the player may look at in a turn.
    fn allowed(&self) -> Budget {
        self.budget.unwrap_or_else(|| PLAYER.budget(self.variant.game()))
    }
}

impl Findings {
    /// What games show, but for the time that they took.
    fn of(asked: &Study, courses: &[Course]) -> Self {
        let game = asked.variant.game();
        let sample = Sample::new(courses, asked.seed);
        let throws = play::throws(game);
        let share_of = |of: fn(&Course) -> f64| share(&sample.parts(of)).expect("a game was played");
        let (has_dice, by_lot) = (game.dice() > 0, game.has_opening_throw());
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
            first_share: by_lot.then(|| share_of(|course| course.score_of(course.first))),
            first_without_luck: by_lot.then(|| sample.mean(Course::first_without_luck)),
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
