//! The dice games: rounds of self-play, each with the weights that the one before it left.

mod learning;
mod trial;
mod weights;

use std::{
    path::Path,
    time::{Duration, Instant},
};

use lusoria_rules::Game;
use lusoria_search::network::WeightsError;

use crate::{
    Options,
    curve::{Curve, Point},
    files::{self, Failure},
    parallel::ask,
};

use self::{
    learning::{Student, play},
    trial::trial,
};

/// Games that are played before the weights change.
const ROUND: usize = 64;
/// Rounds between two trials against the greedy player.
const ROUNDS_A_TRIAL: u64 = 50;
/// Pairs of games in a trial.
const TRIAL_PAIRS: usize = 150;

/// Trains until the time is up, or the process is stopped.
pub(crate) fn train(options: &Options) -> Result<(), Failure> {
    let (game, seed) = (options.game, options.seed);
    let threads = options.threads();
    let kept = files::student(game, seed);
    let mut student = begin(game, seed, &kept)?;
    let mut curve = Curve::read(game, "greedy", student.games())?;
    let minutes_before = curve.minutes();
    let began = Instant::now();
    let spent = || began.elapsed().as_secs_f64() / 60.0 + minutes_before;
    let until = began + Duration::from_secs(options.minutes * 60);
    let mut saved = Instant::now();
    println!("{game}: seed {seed}, {threads} threads, {} games so far", student.games());
    while Instant::now() < until {
        let round = student.games() / ROUND as u64;
        let teacher = student.teacher();
        if round.is_multiple_of(ROUNDS_A_TRIAL) && curve.last() != Some(student.games()) {
            let scores = ask(threads, TRIAL_PAIRS, |pair| trial(&teacher, pair as u64));
            let share = scores.iter().sum::<f32>() / (2 * TRIAL_PAIRS) as f32;
            let point = Point { games: student.games(), minutes: spent(), share };
            println!("{point}");
            curve.push(point)?;
        }
        let first = student.games();
        let lessons = ask(threads, ROUND, |index| {
            play(&teacher, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (first + index as u64), trust(round))
        });
        student.learn(lessons.into_iter().flatten().collect(), ROUND as u64, rate(round));
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

/// How far the weights follow the gradient: less and less.
fn rate(round: u64) -> f32 {
    let decay = 1.0 + round as f32 / 150.0;
    (2e-3 / decay).max(1e-4)
}

/// λ: at first the ends of the games tell more than a network that knows nothing.
fn trust(round: u64) -> f32 {
    if round < 40 { 0.9 } else { 0.7 }
}
