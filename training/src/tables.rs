//! The dice games: rounds of self-play, each with the weights that the one before it left.

mod endings;
mod learning;
mod trial;
mod weights;
mod widening;

use std::{
    io,
    path::Path,
    time::{Duration, Instant},
};

use lusoria_rules::Game;
use lusoria_search::network::WeightsError;

use crate::{
    Options,
    curve::{Curve, Opponent, Point},
    files::{self, Failure},
    parallel::ask,
};

use self::{
    learning::{Student, Teacher, play},
    trial::trial,
};

/// Games that are played before the weights change.
const ROUND: usize = 128;
/// Rounds between two trials.
const ROUNDS_A_TRIAL: u64 = 200;
/// Pairs of games in a trial.
const TRIAL_PAIRS: usize = 500;

/// Trains until the time is up, or the process is stopped.
pub(crate) fn train(options: &Options) -> Result<(), Failure> {
    let (game, seed) = (options.game, options.seed);
    let threads = options.threads();
    let kept = files::student(game, seed);
    let mut student = begin(game, seed, &kept)?;
    let before = options.against.as_deref().map(opponent).transpose()?;
    let against = if before.is_some() { Opponent::Before } else { Opponent::Fixed("greedy") };
    let mut curve = Curve::read(game, against, student.games())?;
    let minutes_before = curve.minutes();
    let began = Instant::now();
    let spent = || began.elapsed().as_secs_f64() / 60.0 + minutes_before;
    let until = began + Duration::from_secs(options.minutes * 60);
    let mut saved = Instant::now();
    println!("{game}: seed {seed}, {threads} threads, {} games so far", student.games());
    while Instant::now() < until {
        let teacher = student.teacher();
        let round_since = student.games_since() / ROUND as u64;
        if round_since.is_multiple_of(ROUNDS_A_TRIAL) && curve.last() != Some(student.games()) {
            let opponent = before.as_ref();
            let scores = ask(threads, TRIAL_PAIRS, |pair| trial(&teacher, opponent, pair as u64));
            let share = scores.iter().sum::<f32>() / (2 * TRIAL_PAIRS) as f32;
            let point = Point { games: student.games(), minutes: spent(), share };
            println!("{point} (±{:.1})", 196.0 * deviation(&scores) / (TRIAL_PAIRS as f32).sqrt() / 2.0);
            curve.push(point)?;
        }
        let first = student.games();
        let lessons = ask(threads, ROUND, |index| {
            play(&teacher, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (first + index as u64), trust(first))
        });
        let rate = rate(student.games_since());
        student.learn(lessons.into_iter().flatten().collect(), ROUND as u64, rate);
        if saved.elapsed() > Duration::from_mins(1) {
            save(&student, &kept)?;
            saved = Instant::now();
        }
    }
    save(&student, &kept)?;
    println!("{game}: {} games, {:.0} minutes in all", student.games(), spent());
    Ok(())
}

/// The saved state; else the shipped weights, if they have the same seed; else a new network.
fn begin(game: Game, seed: u64, kept: &Path) -> Result<Student, Failure> {
    let unfit = |path: &Path| {
        let path = path.to_owned();
        move |source: WeightsError| Failure::Kept { path, source: source.into() }
    };
    if let Some(bytes) = files::read(kept)? {
        return Student::restore(&bytes).map_err(unfit(kept));
    }
    let shipped = files::weights(game);
    if let Some(bytes) = files::read(&shipped)? {
        let student = Student::from_weights(&bytes).map_err(unfit(&shipped))?;
        if student.seed() == seed {
            return Ok(student);
        }
    }
    Ok(Student::new(game, seed))
}

fn save(student: &Student, kept: &Path) -> Result<(), Failure> {
    files::write(kept, &student.save())?;
    files::write(&files::weights(student.game()), &student.weights())
}

/// The network of a file of weights.
fn opponent(path: &Path) -> Result<Teacher, Failure> {
    let unfit = |source: WeightsError| Failure::Kept { path: path.to_owned(), source: source.into() };
    let missing = || Failure::File { path: path.to_owned(), source: io::ErrorKind::NotFound.into() };
    let bytes = files::read(path)?.ok_or_else(missing)?;
    Ok(Student::from_weights(&bytes).map_err(unfit)?.teacher())
}

/// How far single numbers are from their mean: the root of the mean square.
fn deviation(numbers: &[f32]) -> f32 {
    let count = numbers.len() as f32;
    let mean = numbers.iter().sum::<f32>() / count;
    (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f32>() / count).sqrt()
}

/// How far the weights follow the gradient: less and less, from where learning has begun or gone on.
fn rate(games_since: u64) -> f32 {
    let decay = 1.0 + games_since as f32 / 40_000.0;
    (7e-4 / decay).max(5e-5)
}

/// λ: at first the ends of the games tell more than a network that knows nothing.
fn trust(games: u64) -> f32 {
    if games < 2_560 { 0.9 } else { 0.7 }
}
