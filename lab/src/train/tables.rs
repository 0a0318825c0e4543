//! The dice games: rounds of self-play, each with the weights that the previous one produced.

mod endings;
mod learning;
mod pruning;
mod second_stage;
mod trial;
mod weights;
mod widening;

use std::{
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use lusoria_rules::{Game, Variant};
use lusoria_search::network::{PruningNet, WeightsError, pruned_to};

use super::{
    Train,
    curve::{Curve, Opponent, Point},
    files::{self, Failure},
    parallel::ask,
};

use self::{
    learning::{Lesson, Manner, Student, Teacher, play},
    second_stage::Lookahead,
    trial::trial,
};

/// Games that are played before the weights change.
const ROUND: usize = 64;
/// The longest time between two trials.
const TRIED_AFTER: Duration = Duration::from_mins(20);
/// The lessons after which luck is removed.
const LUCK_COUNTS_AFTER: u64 = 9_000_000;
/// Pairs of games in a trial.
const TRIAL_PAIRS: usize = 1_000;
/// The pairs of games in a trial of the second stage, which gains less.
const SECOND_STAGE_TRIAL_PAIRS: usize = 10_000;

/// Games in which a pruning network is tried.
const PRUNING_GAMES: u64 = 100;

/// Trains until the time is up, or the process is stopped.
pub(crate) fn train(options: &Train) -> Result<(), Failure> {
    let variant = options.variant;
    let kept = files::student(variant, options.seed);
    let student = begin(variant, options.seed, &kept)?;
    let before = options.against.as_deref().map(|path| opponent(path, variant)).transpose()?;
    let against = if before.is_some() { Opponent::Before } else { Opponent::Fixed("greedy") };
    let training = Training { student, kept, before, against, trial_pairs: TRIAL_PAIRS };
    training.run(options, |student| {
        let teacher = student.teacher();
        let manner = manner(variant, student.games(), student.lessons());
        let lessons = ask(options.threads(), ROUND, |index| {
            play(&teacher, game_seed(options.seed, student.games() + index as u64), manner)
        });
        (lessons.into_iter().flatten().collect(), rate(student.lessons()))
    })
}

/// The second stage: looks ahead, until the time is up, or the process is stopped.
pub(crate) fn train_second_stage(options: &Train) -> Result<(), Failure> {
    let variant = options.variant;
    let first_stage = files::first_stage(variant, options.seed);
    let kept = files::second_stage(variant, options.seed);
    let student = begin_second_stage(variant, options.seed, &kept, &first_stage)?;
    let before = Some(opponent(&first_stage, variant)?);
    let pruning_file = files::pruning(Variant::standard(variant.game()));
    let pruning = files::read(&pruning_file)?.map(|bytes| PruningNet::read(&bytes)).transpose();
    let pruning = pruning.map_err(unfit(&pruning_file))?;
    let (against, trial_pairs) = (Opponent::FirstStage, SECOND_STAGE_TRIAL_PAIRS);
    let training = Training { student, kept, before, against, trial_pairs };
    training.run(options, |student| {
        let lookahead = Lookahead { teacher: student.teacher(), pruning: pruning.as_ref() };
        let lessons = ask(options.threads(), ROUND, |index| {
            lookahead.play(game_seed(options.seed, student.games() + index as u64))
        });
        (lessons.into_iter().flatten().collect(), second_stage_rate(student.lessons()))
    })
}

/// The seed of a game's random choices.
const fn game_seed(seed: u64, number: u64) -> u64 {
    seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number
}

/// A course of training: the student, where it is saved, and its opponent in trials.
struct Training {
    student: Student,
    kept: PathBuf,
    /// The weights that training started from; the greedy player if there are none.
    before: Option<Teacher>,
    against: Opponent,
    trial_pairs: usize,
}

impl Training {
    /// Learns, round by round, the lessons of [`ROUND`] games, at the learning rate for them, until the time
    /// is up.
    fn run(self, options: &Train, teach: impl Fn(&Student) -> (Vec<Lesson>, f32)) -> Result<(), Failure> {
        let Self { mut student, kept, before, against, trial_pairs } = self;
        let (variant, seed, threads) = (options.variant, options.seed, options.threads());
        let name = files::name(variant);
        let mut curve = if against == Opponent::FirstStage && student.lessons() == 0 {
            // Nothing has been learnt yet: it would play itself.
            let mut curve = Curve::new(variant, against);
            curve.push(Point { games: student.games(), minutes: 0.0, share: 0.5 })?;
            curve
        } else {
            Curve::read(variant, against, student.games())?
        };
        let (minutes_before, is_new) = (curve.minutes(), curve.last() != Some(student.games()));
        let began = Instant::now();
        let spent = || began.elapsed().as_secs_f64() / 60.0 + minutes_before;
        let until = began + Duration::from_secs(options.minutes * 60);
        let mut saved = Instant::now();
        println!("{name}: seed {seed}, {threads} threads, {} games so far", student.games());
        let mut tried = |student: &Student, minutes: f64| -> Result<(), Failure> {
            let (teacher, opponent) = (student.teacher(), before.as_ref());
            let scores = ask(threads, trial_pairs, |pair| trial(&teacher, opponent, pair as u64));
            let share = scores.iter().sum::<f32>() / (2 * trial_pairs) as f32;
            let point = Point { games: student.games(), minutes, share };
            println!("{point} (±{:.1})", 196.0 * deviation(&scores) / (trial_pairs as f32).sqrt() / 2.0);
            curve.push(point)
        };
        if is_new {
            tried(&student, spent())?;
        }
        let mut tried_at = Instant::now();
        while Instant::now() < until {
            let (lessons, rate) = teach(&student);
            student.learn(lessons, ROUND as u64, rate);
            if saved.elapsed() > Duration::from_mins(1) {
                save(&student, &kept)?;
                saved = Instant::now();
            }
            if tried_at.elapsed() > TRIED_AFTER {
                tried(&student, spent())?;
                tried_at = Instant::now();
            }
        }
        save(&student, &kept)?;
        tried(&student, spent())?;
        let (games, lessons) = (student.games(), student.lessons());
        println!(
            "{name}: {games} games, {:.0} minutes in all; {lessons} lessons since it began or continued",
            spent()
        );
        Ok(())
    }
}

/// Teaches the game's pruning network, from nothing, until the time is up.
pub(crate) fn train_pruning(options: &Train) -> Result<(), Failure> {
    let (variant, threads) = (options.variant, options.threads());
    let teacher = opponent(&files::weights(variant), variant)?;
    let mut student = pruning::Student::new(options.seed);
    let until = Instant::now() + Duration::from_secs(options.minutes * 60);
    let mut round = 0;
    while Instant::now() < until {
        let lessons = ask(threads, ROUND, |index| {
            pruning::play(&teacher, game_seed(options.seed, (round * ROUND + index) as u64))
        });
        student.learn(lessons.into_iter().flatten().collect(), round as u64);
        round += 1;
    }
    if student.turns() == 0 {
        return Ok(());
    }
    files::write(&files::pruning(variant), &student.weights())?;
    let kept = pruned_to(variant.game());
    let (found, lost) = pruning::trial(&teacher, &student.net(), kept, PRUNING_GAMES);
    println!(
        "{}: {} turns; the best of more than {} ends is among {kept} in {:.1} %; {:.3} % of a win is lost on average",
        files::name(variant),
        student.turns(),
        2 * kept,
        100.0 * found,
        100.0 * lost
    );
    Ok(())
}

/// The saved state; else the shipped weights, or else those of the game without its option, if they have the
/// same seed; else a new network.
fn begin(variant: Variant, seed: u64, kept: &Path) -> Result<Student, Failure> {
    if let Some(bytes) = files::read(kept)? {
        return Student::restore(&bytes).map(|student| student.playing(variant)).map_err(unfit(kept));
    }
    for shipped in [variant, Variant::standard(variant.game())].map(files::weights) {
        if let Some(bytes) = files::read(&shipped)? {
            let student = Student::from_weights(&bytes).map_err(unfit(&shipped))?;
            if student.seed() == seed {
                return Ok(student.playing(variant));
            }
        }
    }
    Ok(Student::new(variant, seed))
}

/// The saved state; else the shipped weights, or else those of the game without its option, which are kept as
/// the opponent in trials.
fn begin_second_stage(
    variant: Variant,
    seed: u64,
    kept: &Path,
    first_stage: &Path,
) -> Result<Student, Failure> {
    if let Some(bytes) = files::read(kept)? {
        return Student::restore(&bytes).map_err(unfit(kept));
    }
    let own = files::weights(variant);
    let shipped = if own.exists() { own } else { files::weights(Variant::standard(variant.game())) };
    let bytes = files::read(&shipped)?.ok_or_else(|| missing(&shipped))?;
    files::write(first_stage, &bytes)?;
    let student = Student::from_weights(&bytes).map_err(unfit(&shipped))?;
    Ok(student.playing(variant).with_seed(seed))
}

fn save(student: &Student, kept: &Path) -> Result<(), Failure> {
    files::write(kept, &student.save())?;
    files::write(&files::weights(student.variant()), &student.weights())
}

/// The network of a file of weights, to play the game with the options that are learnt.
fn opponent(path: &Path, variant: Variant) -> Result<Teacher, Failure> {
    let bytes = files::read(path)?.ok_or_else(|| missing(path))?;
    Ok(Student::from_weights(&bytes).map_err(unfit(path))?.playing(variant).teacher())
}

fn unfit(path: &Path) -> impl FnOnce(WeightsError) -> Failure + use<> {
    let path = path.to_owned();
    move |source| Failure::Kept { path, source: source.into() }
}

fn missing(path: &Path) -> Failure {
    Failure::File { path: path.to_owned(), source: io::ErrorKind::NotFound.into() }
}

/// The standard deviation.
fn deviation(numbers: &[f32]) -> f32 {
    let count = numbers.len() as f32;
    let mean = numbers.iter().sum::<f32>() / count;
    (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f32>() / count).sqrt()
}

/// The learning rate: it falls with the lessons since learning began or continued.
fn rate(lessons: u64) -> f32 {
    (5e-4 / (1.0 + lessons as f32 / 1.5e6)).max(5e-5)
}

/// The learning rate of the second stage, whose lessons have little luck in them.
fn second_stage_rate(lessons: u64) -> f32 {
    (2e-4 / (1.0 + lessons as f32 / 2.5e5)).max(2e-5)
}

/// At first the ends of many games tell more than a network that knows little; when it has learnt what these
/// teach, since learning began or continued, the luck of the dice hides the rest.
fn manner(variant: Variant, games: u64, lessons: u64) -> Manner {
    if games < 2_560 {
        Manner::Thrown { trust: 0.9 }
    } else if lessons >= LUCK_COUNTS_AFTER && luck_is_taken_out(variant) {
        Manner::LuckTakenOut { trust: 0.9 }
    } else {
        Manner::Thrown { trust: 0.7 }
    }
}

/// Whether looking at every throw has improved the network: docs/training.md, "How it learns".
fn luck_is_taken_out(variant: Variant) -> bool {
    variant == Variant::standard(Game::Tavla)
}
