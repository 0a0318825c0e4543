//! Tafl games: rounds of self-play, after each of which the weights follow how the games ended.

mod chances;
mod selfplay;
mod student;
mod weights;

use std::{
    path::Path,
    time::{Duration, Instant},
};

use lusoria_rules::Variant;

use super::{
    Train,
    curve::{Curve, Opponent, Point},
    files::{self, Failure},
    parallel::ask,
};

use self::{
    chances::{Game, fit},
    selfplay::{Lesson, play, trial},
    student::Student,
    weights::first,
};

/// Games that are played before the weights change.
const ROUND: usize = 32;
/// Rounds between two trials against the weights chosen by hand.
const ROUNDS_A_TRIAL: u64 = 64;
/// Pairs of games in a trial.
const TRIAL_PAIRS: usize = 100;

/// Trains until the time is up, or the process is stopped.
pub(crate) fn train(options: &Train) -> Result<(), Failure> {
    let (variant, seed) = (options.variant, options.seed);
    let name = files::name(variant);
    if options.against.is_some() {
        return Err(Failure::FixedOpponent { name });
    }
    let threads = options.threads();
    let kept = files::student(variant, seed);
    let mut student = match files::read(&kept)? {
        Some(bytes) => Student::restore(&bytes)
            .map_err(|source| Failure::Kept { path: kept.clone(), source: source.into() })?,
        None => Student::new(seed),
    };
    let mut curve = Curve::read(variant, Opponent::Fixed("the weights chosen by hand"), student.games())?;
    let minutes_before = curve.minutes();
    let began = Instant::now();
    let spent = || began.elapsed().as_secs_f64() / 60.0 + minutes_before;
    let until = began + Duration::from_secs(options.minutes * 60);
    let mut saved = Instant::now();
    println!("{name}: seed {seed}, {threads} threads, {} games so far", student.games());
    let mut losses = Vec::new();
    while Instant::now() < until {
        let round = student.games() / ROUND as u64;
        let weights = student.weights();
        // At first they would play against themselves.
        if round > 0 && round.is_multiple_of(ROUNDS_A_TRIAL) && curve.last() != Some(student.games()) {
            let scores = ask(threads, TRIAL_PAIRS, |pair| trial(&weights, first(), pair as u64));
            let share = scores.iter().sum::<f32>() / (2 * TRIAL_PAIRS) as f32;
            let point = Point { games: student.games(), minutes: spent(), share };
            println!("{point}; cross entropy {:.4}", mean(&losses));
            losses.clear();
            curve.push(point)?;
        }
        let first = student.games();
        let lessons = ask(threads, ROUND, |index| {
            play(&weights, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (first + index as u64))
        });
        let lessons: Vec<Lesson> = lessons.into_iter().flatten().collect();
        losses.push(student.learn(lessons, ROUND as u64, rate(round)));
        if saved.elapsed() > Duration::from_mins(1) {
            save(variant, &student, seed, &kept)?;
            saved = Instant::now();
        }
    }
    save(variant, &student, seed, &kept)?;
    println!("{name}: {} games, {:.0} minutes in all", student.games(), spent());
    Ok(())
}

/// Plays the highest level against itself until the time is up, and fits the meaning of values to these games
/// and the earlier ones.
pub(crate) fn fit_chances(options: &Train) -> Result<(), Failure> {
    let (variant, seed) = (options.variant, options.seed);
    let kept = files::games(variant, seed);
    let mut games = match files::read(&kept)? {
        Some(bytes) => chances::read(&bytes)
            .map_err(|source| Failure::Kept { path: kept.clone(), source: source.into() })?,
        None => Vec::new(),
    };
    let until = Instant::now() + Duration::from_secs(options.minutes * 60);
    while Instant::now() < until {
        let first = games.len();
        games.extend(ask(options.threads(), ROUND, |index| {
            Game::play(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (first + index) as u64)
        }));
        files::write(&kept, chances::write(&games).as_bytes())?;
    }
    if games.is_empty() {
        return Ok(());
    }
    let remarks =
        format!("Fitted by cargo lab train {} --chances to {} games.", files::name(variant), games.len());
    files::write(&files::chances(variant), fit(&games).write(&remarks).as_bytes())?;
    println!("{}: fitted to {} games", files::name(variant), games.len());
    Ok(())
}

fn save(variant: Variant, student: &Student, seed: u64, kept: &Path) -> Result<(), Failure> {
    files::write(kept, &student.save())?;
    let remarks =
        format!("Made by cargo lab train {}: seed {seed}, {} games.", files::name(variant), student.games());
    files::write(&files::weights(variant), student.weights().write(&remarks).as_bytes())
}

fn mean(losses: &[f32]) -> f32 {
    losses.iter().sum::<f32>() / losses.len().max(1) as f32
}

/// The step size: it falls with the rounds.
fn rate(round: u64) -> f32 {
    (0.006 / (1.0 + round as f32 / 20.0)).max(0.0003)
}
