//! Measures how well engine help is distinguished from honest play: simulated people play like the lower
//! levels, some of them like the highest one, and all are checked as a server checks players.
//!
//! Everybody plays the same number of rated matches, each against a random opponent. After each match the
//! rule of [`lusoria_fair_play`] is applied to both. The result depends only on the [`Survey`], except the
//! time it takes.

use std::{
    num::NonZeroUsize,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use lusoria_fair_play::{MatchLosses, NEAR_POINTS, Others, Window};
use lusoria_rating::{Advantage, Kind, Outcome, RatedMatch, Rating, Slope, System, Verdict};
use lusoria_rules::{BySide, End, Side, Step, Variant};
use lusoria_search::{Budget, Decision, Level, Player, Random, edition, review};
use parking_lot::Mutex;
use serde::Serialize;

use crate::{Contest, EntrantId, Estimate, error::TurnError, game::play, seat::Seat};

/// The number of people for each level, by default.
pub const PEOPLE: [u32; 5] = [10, 100, 100, 10, 4];

/// The budget for checking a turn, in positions: the server's default.
pub const NODES: u32 = 20_000;

/// A survey.
#[derive(Debug, Clone, Copy)]
pub struct Survey {
    /// The game and its options.
    pub variant: Variant,
    /// The number of people who play like each level. Those of the highest level have help.
    pub people: [u32; 5],
    /// The number of matches of each person.
    pub matches: u32,
    /// The seed of pairings, dice and players' random choices.
    pub seed: u64,
    /// After how many turns of both sides together, passes included, a game counts as drawn.
    pub turns_max: u32,
    /// How many games are played at the same time.
    pub threads: NonZeroUsize,
}

/// The result of a survey. Its fields are stable: programs read it as JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Surveyed {
    /// The game and its options.
    #[serde(flatten)]
    pub variant: Variant,
    /// The edition of the search that checked the turns, as 16 hexadecimal digits.
    pub edition: String,
    /// The seed.
    pub seed: u64,
    /// The number of matches of each person.
    pub matches: u32,
    /// The budget for checking a turn, in positions.
    pub nodes: u32,
    /// By level.
    pub levels: Vec<LevelSurveyed>,
    /// The elapsed time, in seconds.
    pub elapsed_s: f64,
}

/// The result for people who play like a level.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelSurveyed {
    /// The level.
    pub level: u8,
    /// Their number.
    pub people: u32,
    /// How many were flagged.
    pub flagged: u32,
    /// The mean number of matches before the flag; none if nobody was flagged.
    pub flagged_after: Option<f64>,
    /// How many turns they played with a choice.
    pub turns: u64,
    /// Their loss in such a turn, in chances of winning, with the interval of 95 % over people.
    pub lost: Estimate,
    /// The standard deviation of single turns, as a multiple of the mean.
    pub spread: f64,
    /// Their mean rating at the end.
    pub points: f64,
}

/// The progress of a survey.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SurveyProgress {
    /// How many games have been played.
    pub games: u32,
    /// The total number of games.
    pub games_all: u32,
}

/// A person who takes part.
struct Person {
    level: Level,
    rating: Rating,
    /// Their matches, the first one first.
    matches: Vec<MatchLosses>,
    /// The sum of the squared losses of single turns.
    squares: f64,
    /// How many matches they had played when they were flagged.
    flagged_after: Option<usize>,
}

/// The losses of a side's turns.
#[derive(Debug, Clone, Copy, Default)]
struct SideLosses {
    turns: u32,
    lost: f64,
    squares: f64,
}

/// A game, from White's side.
struct Seen {
    outcome: Outcome,
    losses: BySide<SideLosses>,
}

/// Plays all matches; none if `stop` became true before their end.
pub fn survey(asked: &Survey, stop: &AtomicBool, mut report: impl FnMut(SurveyProgress)) -> Option<Surveyed> {
    let begun = Instant::now();
    let game = asked.variant.game();
    let system = if game.dice() > 0 { System::WITH_DICE } else { System::WITHOUT_DICE };
    let mut people: Vec<Person> = Level::ALL
        .into_iter()
        .zip(asked.people)
        .flat_map(|(level, count)| (0..count).map(move |_| level))
        .map(|level| Person {
            level,
            rating: system.start(),
            matches: Vec::new(),
            squares: 0.0,
            flagged_after: None,
        })
        .collect();
    let mut random = Random::new(asked.seed);
    let games_each = u32::try_from(people.len() / 2).expect("few people take part");
    for round in 0..asked.matches {
        report(SurveyProgress { games: round * games_each, games_all: asked.matches * games_each });
        let mut order: Vec<usize> = (0..people.len()).collect();
        random.shuffle(&mut order);
        let pairs = order.as_chunks::<2>().0;
        let levels: Vec<[Level; 2]> = pairs.iter().map(|pair| pair.map(|one| people[one].level)).collect();
        let seen = play_round(asked, round, &levels, stop)?;
        for (&[white, black], seen) in pairs.iter().zip(seen) {
            enter(&mut people, system, [white, black], &seen);
        }
        for nth in 0..people.len() {
            flag_if_suspected(&mut people, nth, asked.variant);
        }
    }
    Some(Surveyed::of(asked, &people, begun.elapsed()))
}

/// Plays a match of each pair, whose first player is White; none if it was stopped.
fn play_round(asked: &Survey, round: u32, pairs: &[[Level; 2]], stop: &AtomicBool) -> Option<Vec<Seen>> {
    let (next, seen) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(pairs.len())));
    thread::scope(|scope| {
        for _ in 0..asked.threads.get() {
            scope.spawn(|| {
                loop {
                    let nth = next.fetch_add(1, Relaxed);
                    let Some(&pair) = pairs.get(nth) else { return };
                    let Some(one) = play_one(asked, (round, nth), pair, stop) else { return };
                    seen.lock().push((nth, one));
                }
            });
        }
    });
    let mut seen = seen.into_inner();
    seen.sort_by_key(|(nth, _)| *nth);
    (seen.len() == pairs.len()).then(|| seen.into_iter().map(|(_, one)| one).collect())
}

/// Plays a match and checks its turns; none if it was stopped.
fn play_one(
    asked: &Survey,
    (round, nth): (u32, usize),
    levels: [Level; 2],
    stop: &AtomicBool,
) -> Option<Seen> {
    let players = levels.map(Player::Level);
    let seed = asked.seed ^ (u64::from(round) << 32) ^ nth as u64;
    let contest =
        Contest { turns_max: asked.turns_max, ..Contest::of_computers(asked.variant, players, seed) };
    let (mut white, mut black) = (Seat::of(&contest, EntrantId::A), Seat::of(&contest, EntrantId::B));
    let mut seats = BySide { white: &mut white, black: &mut black };
    let mut losses = BySide::<SideLosses>::default();
    let mut look = |decision: &Decision<'_>, steps: &[Step], _: &End| {
        losses.get_mut(decision.position.to_move()).look(decision, steps);
    };
    match play(&contest, 0, &mut seats, stop, &mut look) {
        Ok(played) => {
            let outcome = match played.winner {
                None => Outcome::Drawn,
                Some(Side::White) => Outcome::Won,
                Some(Side::Black) => Outcome::Lost,
            };
            Some(Seen { outcome, losses })
        }
        Err(TurnError::Stopped) => None,
        Err(TurnError::Fault(_) | TurnError::Arena(_)) => unreachable!("no outside engine plays"),
    }
}

impl SideLosses {
    /// Checks a turn, if it has a choice.
    fn look(&mut self, decision: &Decision<'_>, steps: &[Step]) {
        let turn = decision.position.turn(decision.dice).expect("the dice are a throw of the game");
        if turn.ends(2).positions.len() < 2 {
            return;
        }
        let seen = review(decision, steps, Budget { nodes: NODES }).expect("the computer plays by the rules");
        let lost = f64::from(seen.best.value.score() - seen.played.score()).max(0.0);
        self.turns += 1;
        self.lost += lost;
        self.squares += lost * lost;
    }
}

/// Adds a match to both people, White's index first.
fn enter(people: &mut [Person], system: System, [white, black]: [usize; 2], seen: &Seen) {
    let player = |nth: usize| lusoria_rating::Player {
        rating: people[nth].rating,
        idle: Duration::ZERO,
        kind: Kind::Person,
    };
    // White is drawn at random.
    let verdict = Verdict::Match { outcome: seen.outcome, advantage: Advantage::NONE, slope: Slope::ONE };
    let rated = RatedMatch { players: [player(white), player(black)], verdict, earlier_today: 0 };
    let after = system.rate(&rated);
    for ((nth, side), rating) in [white, black].into_iter().zip(Side::BOTH).zip(after) {
        let SideLosses { turns, lost, squares } = *seen.losses.get(side);
        let person = &mut people[nth];
        person.matches.push(MatchLosses { points: person.rating.points(), turns, lost });
        person.squares += squares;
        person.rating = rating;
    }
}

fn flag_if_suspected(people: &mut [Person], nth: usize, variant: Variant) {
    let person = &people[nth];
    if person.flagged_after.is_some() {
        return;
    }
    let Some(window) = Window::of(person.matches.iter().rev().copied()) else { return };
    let near = window.points() - NEAR_POINTS..=window.points() + NEAR_POINTS;
    let others = people.iter().enumerate().filter(|(other, of)| *other != nth && of.flagged_after.is_none());
    let matches = others.flat_map(|(_, other)| &other.matches).filter(|of| near.contains(&of.points));
    let sum = matches.fold(Others::default(), |sum, of| Others {
        turns: sum.turns + u64::from(of.turns),
        lost: sum.lost + of.lost,
    });
    if window.suspicion(variant.game(), sum).is_some() {
        people[nth].flagged_after = Some(person.matches.len());
    }
}

impl Surveyed {
    fn of(asked: &Survey, people: &[Person], took: Duration) -> Self {
        Self {
            variant: asked.variant,
            edition: format!("{:016x}", edition(asked.variant)),
            seed: asked.seed,
            matches: asked.matches,
            nodes: NODES,
            levels: Level::ALL.into_iter().map(|level| LevelSurveyed::of(level, people)).collect(),
            elapsed_s: took.as_secs_f64(),
        }
    }
}

impl LevelSurveyed {
    fn of(level: Level, people: &[Person]) -> Self {
        let people: Vec<&Person> = people.iter().filter(|person| person.level == level).collect();
        let count = |of: usize| u32::try_from(of).expect("few people take part");
        let flagged: Vec<f64> = people
            .iter()
            .filter_map(|person| person.flagged_after)
            .map(|after| count(after).into())
            .collect();
        let matches = || people.iter().flat_map(|person| &person.matches);
        let turns: u64 = matches().map(|of| u64::from(of.turns)).sum();
        #[expect(clippy::cast_precision_loss, reason = "fewer than 2^52 turns are played")]
        let turns_f = turns as f64;
        let lost = matches().map(|of| of.lost).sum::<f64>() / turns_f;
        let squares = people.iter().map(|person| person.squares).sum::<f64>() / turns_f;
        Self {
            level: level.number(),
            people: count(people.len()),
            flagged: count(flagged.len()),
            flagged_after: (!flagged.is_empty()).then(|| Estimate::mean(&flagged).value),
            turns,
            lost: Estimate {
                value: lost,
                ..Estimate::mean(&people.iter().map(|person| person.mean_loss()).collect::<Vec<_>>())
            },
            spread: (squares - lost * lost).max(0.0).sqrt() / lost,
            points: Estimate::mean(&people.iter().map(|person| person.rating.points()).collect::<Vec<_>>())
                .value,
        }
    }
}

impl Person {
    fn mean_loss(&self) -> f64 {
        let turns: u32 = self.matches.iter().map(|of| of.turns).sum();
        self.matches.iter().map(|of| of.lost).sum::<f64>() / f64::from(turns.max(1))
    }
}

#[cfg(test)]
mod tests {
    use lusoria_rules::Game;

    use super::*;

    fn surveyed(threads: usize) -> Surveyed {
        let asked = Survey {
            variant: Variant::standard(Game::Tavla),
            people: [0, 2, 3, 0, 0],
            matches: 2,
            seed: 7,
            turns_max: 1_000,
            threads: NonZeroUsize::new(threads).expect("more than none"),
        };
        let found = survey(&asked, &AtomicBool::new(false), |_| {}).expect("played to the end");
        Surveyed { elapsed_s: 0.0, ..found }
    }

    #[test]
    fn it_is_the_same_with_any_number_of_threads() {
        let one = surveyed(1);
        let told = |level: usize| &one.levels[level - 1];
        assert_eq!((told(2).people, told(3).people, told(5).people), (2, 3, 0));
        assert!(told(2).turns > 20 && told(2).lost.value > told(3).lost.value, "{one:?}");
        assert!(one.levels.iter().all(|level| level.flagged == 0), "nobody has played five matches");
        // A level without people has NaN as its mean, which equals nothing.
        let text = |of: &Surveyed| format!("{of:?}");
        assert_eq!(text(&one), text(&surveyed(3)));
    }

    #[test]
    fn it_stops_on_request() {
        let asked = Survey {
            variant: Variant::standard(Game::Tavla),
            people: [0, 2, 0, 0, 0],
            matches: 1,
            seed: 7,
            turns_max: 1_000,
            threads: NonZeroUsize::MIN,
        };
        assert_eq!(survey(&asked, &AtomicBool::new(true), |_| {}), None);
    }
}
