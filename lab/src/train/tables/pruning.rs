//! How a pruning network learns which ends of a turn the large one values most.
//!
//! The large network plays against itself. At every turn it evaluates all ends; the higher the value of one,
//! the larger its share. The pruning network computes shares, too, and follows the gradient of the cross
//! entropy between both (`ListNet`; Z. Cao and others, 2007): only the order of the best ends counts, not
//! their values.

use lusoria_rules::{Game, Side, tables};
use lusoria_search::{
    Random,
    network::{PRUNING_UNITS, Phase, PruningLayers, PruningNet, PruningUnits, pruning_inputs},
};

use super::learning::Teacher;

/// Turns with more ends teach nothing: none of them is pruned.
const ENDS: usize = 400;
/// Turns with fewer teach nothing either.
const ENDS_MIN: usize = 5;
/// Games that have not ended after this many turns are aborted: the longest games would teach nothing more.
const TURNS_MAX: usize = 400;
/// The number of turns whose gradients are followed together.
const BATCH: usize = 8;

/// A turn: its ends, with the target share of each.
#[derive(Debug, Clone)]
pub(super) struct Lesson {
    ends: Vec<End>,
}

#[derive(Debug, Clone)]
struct End {
    phase: Phase,
    inputs: Vec<(u16, f32)>,
    share: f32,
}

/// The lessons of a game. The end of each turn is drawn by the shares.
pub(super) fn play(teacher: &Teacher, seed: u64) -> Vec<Lesson> {
    let mut random = Random::new(seed);
    let mut position = tables::Position::start(teacher.rules());
    if teacher.rules().game().has_opening_throw() && random.below(2) == 0 {
        position = position.with_to_move(Side::Black);
    }
    let mut lessons = Vec::new();
    for _ in 0..TURNS_MAX {
        let dice = teacher.throw(&mut random);
        let turn = tables::Turn::new(position, &dice).expect("as many dice as the game has");
        let ends = turn.ends(ENDS);
        if ends.truncated {
            position = ends.positions[random.below(ends.positions.len())];
            continue;
        }
        let shares = shares(&teacher.worths(&ends.positions), tolerance(teacher.rules().game()));
        let drawn = random.unit();
        let mut sum = 0.0;
        let next = shares.iter().position(|share| {
            sum += share;
            drawn < sum
        });
        position = ends.positions[next.unwrap_or(shares.len() - 1)];
        if ends.positions.len() >= ENDS_MIN {
            let end = |(end, share)| End { phase: Phase::of(end), inputs: pruning_inputs(end), share };
            lessons.push(Lesson { ends: ends.positions.iter().zip(shares).map(end).collect() });
        }
        if position.outcome().is_some() || turn.dice_playable() == 0 && position.is_dead() {
            break;
        }
    }
    lessons
}

/// The difference in value from the best end at which an end has about a third of the best one's share;
/// values run from -1.5 to 1.5. With three dice, and in scripta, where a turn decides less, more ends are
/// nearly as good as the best.
const fn tolerance(game: Game) -> f32 {
    if matches!(game, Game::Tavla) { 0.03 } else { 0.01 }
}

/// The shares of ends with those values; together 1.
fn shares(worths: &[f32], tolerance: f32) -> Vec<f32> {
    let odds: Vec<f32> = worths.iter().map(|worth| worth / tolerance).collect();
    softmax(&odds)
}

fn softmax(odds: &[f32]) -> Vec<f32> {
    let most = odds.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut shares: Vec<f32> = odds.iter().map(|odds| (odds - most).exp()).collect();
    let sum: f32 = shares.iter().sum();
    for share in &mut shares {
        *share /= sum;
    }
    shares
}

/// A pruning network that learns.
#[derive(Debug, Clone)]
pub(super) struct Student {
    layers: Vec<PruningLayers>,
    /// Running means of the gradients and of their squares.
    means: Vec<PruningLayers>,
    squares: Vec<PruningLayers>,
    batches: u32,
    turns: u64,
}

impl Student {
    /// Small weights drawn from the seed.
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let still = vec![PruningLayers::zero(); Phase::COUNT];
        let mut layers = still.clone();
        for layers in &mut layers {
            for weight in layers.rows.iter_mut().flatten().chain(&mut layers.out) {
                *weight = (random.unit() - 0.5) * 0.4;
            }
        }
        Self { layers, means: still.clone(), squares: still, batches: 0, turns: 0 }
    }

    /// The number of turns that it has learnt from.
    pub(super) const fn turns(&self) -> u64 {
        self.turns
    }

    /// The network, ready to use.
    pub(super) fn net(&self) -> PruningNet {
        PruningNet::new(self.layers.clone())
    }

    /// The file that the program embeds, as [`PruningNet::read`] reads it.
    pub(super) fn weights(&self) -> Vec<u8> {
        let numbers = self.layers.iter().flat_map(PruningLayers::numbers);
        PruningNet::MAGIC.iter().copied().chain(numbers.flat_map(|number| number.to_le_bytes())).collect()
    }

    /// Learns from the turns, in random order.
    pub(super) fn learn(&mut self, mut lessons: Vec<Lesson>, seed: u64) {
        Random::new(seed).shuffle(&mut lessons);
        for batch in lessons.chunks(BATCH) {
            self.follow(batch);
        }
        self.turns += lessons.len() as u64;
    }

    fn follow(&mut self, batch: &[Lesson]) {
        let mut slope = vec![PruningLayers::zero(); Phase::COUNT];
        for lesson in batch {
            add_slope(&self.layers, lesson, &mut slope);
        }
        self.batches += 1;
        let due = |decay: f32| 1.0 - decay.powf(self.batches as f32);
        let (mean_due, square_due) = (due(0.9), due(0.999));
        let (rate, share) = (rate(self.turns), 1.0 / batch.len() as f32);
        let all = self.layers.iter_mut().zip(&slope).zip(self.means.iter_mut().zip(&mut self.squares));
        for ((layers, slope), (means, squares)) in all {
            let running = means.numbers_mut().zip(squares.numbers_mut());
            for ((weight, slope), (mean, square)) in layers.numbers_mut().zip(slope.numbers()).zip(running) {
                let slope = slope * share;
                *mean += (slope - *mean) * 0.1;
                *square += (slope * slope - *square) * 0.001;
                *weight -= rate * (*mean / mean_due) / ((*square / square_due).sqrt() + 1e-8);
            }
        }
    }
}

/// The learning rate: it falls with the turns.
fn rate(turns: u64) -> f32 {
    (3e-3 / (1.0 + turns as f32 / 2e5)).max(5e-5)
}

/// Adds the gradient of the cross entropy between the target shares and the layers' output.
fn add_slope(layers: &[PruningLayers], lesson: &Lesson, slope: &mut [PruningLayers]) {
    let units: Vec<PruningUnits> = lesson.ends.iter().map(|end| units(layers, end)).collect();
    let promises: Vec<f32> = lesson
        .ends
        .iter()
        .zip(&units)
        .map(|(end, units)| layers[end.phase as usize].promise(units))
        .collect();
    for ((end, units), said) in lesson.ends.iter().zip(&units).zip(softmax(&promises)) {
        let error = said - end.share;
        let (layers, slope) = (&layers[end.phase as usize], &mut slope[end.phase as usize]);
        slope.out_bias += error;
        let mut back = [0.0; PRUNING_UNITS];
        for (index, unit) in units.iter().enumerate().filter(|(_, unit)| **unit > 0.0) {
            slope.out[index] += error * unit;
            back[index] = error * layers.out[index];
        }
        add(&mut slope.bias, &back, 1.0);
        for &(input, amount) in &end.inputs {
            add(&mut slope.rows[usize::from(input)], &back, amount);
        }
    }
}

fn units(layers: &[PruningLayers], end: &End) -> PruningUnits {
    let layers = &layers[end.phase as usize];
    let mut units = layers.bias;
    for &(input, amount) in &end.inputs {
        add(&mut units, &layers.rows[usize::from(input)], amount);
    }
    units
}

fn add(units: &mut PruningUnits, row: &PruningUnits, amount: f32) {
    for (unit, weight) in units.iter_mut().zip(row) {
        *unit += weight * amount;
    }
}

/// How often the best end is among the `kept` most promising ones, 0 to 1, and the mean loss of the best of
/// these, in the chance of winning; over some games.
pub(super) fn trial(teacher: &Teacher, net: &PruningNet, kept: usize, games: u64) -> (f32, f32) {
    let (mut turns, mut found, mut lost) = (0.0, 0.0, 0.0);
    for seed in 0..games {
        let mut random = Random::new(!seed);
        let mut position = tables::Position::start(teacher.rules());
        for _ in 0..TURNS_MAX {
            let turn = tables::Turn::new(position, &teacher.throw(&mut random))
                .expect("as many dice as the game has");
            let ends = turn.ends(ENDS).positions;
            let worths = teacher.worths(&ends);
            let best = (0..ends.len())
                .max_by(|&a, &b| worths[a].total_cmp(&worths[b]))
                .expect("a turn ends somewhere");
            if ends.len() > 2 * kept {
                let promises = net.promises(&ends);
                let mut order: Vec<usize> = (0..ends.len()).collect();
                order.sort_by(|&a, &b| promises[b].total_cmp(&promises[a]));
                let most = order[..kept].iter().map(|&end| worths[end]).fold(f32::NEG_INFINITY, f32::max);
                turns += 1.0;
                found += if most >= worths[best] { 1.0 } else { 0.0 };
                lost += (worths[best] - most) / 2.0;
            }
            position = ends[best];
            if position.outcome().is_some() || turn.dice_playable() == 0 && position.is_dead() {
                break;
            }
        }
    }
    (found / turns, lost / turns)
}

#[cfg(test)]
mod tests {
    use lusoria_rules::Variant;

    use super::*;
    use crate::train::tables::learning;

    fn lessons() -> Vec<Lesson> {
        let teacher = learning::Student::new(Variant::standard(Game::Tavla), 7).teacher();
        play(&teacher, 1)
    }

    fn error(student: &Student, lessons: &[Lesson]) -> f32 {
        let of = |lesson: &Lesson| {
            let promise = |end| student.layers[end_phase(end)].promise(&units(&student.layers, end));
            let said = softmax(&lesson.ends.iter().map(promise).collect::<Vec<_>>());
            lesson.ends.iter().zip(said).map(|(end, said)| -end.share * said.ln()).sum::<f32>()
        };
        lessons.iter().map(of).sum::<f32>() / lessons.len() as f32
    }

    const fn end_phase(end: &End) -> usize {
        end.phase as usize
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_error() {
        let student = Student::new(3);
        let lesson = lessons().swap_remove(5);
        let mut slope = vec![PruningLayers::zero(); Phase::COUNT];
        add_slope(&student.layers, &lesson, &mut slope);
        let phase = end_phase(&lesson.ends[0]);
        let slopes: Vec<f32> = slope[phase].numbers().copied().collect();
        let steepest =
            (0..slopes.len()).max_by(|&a, &b| slopes[a].abs().total_cmp(&slopes[b].abs())).unwrap();
        let behind_rows = slopes.len() - 1 - 2 * PRUNING_UNITS;
        let steepest_of = |first: usize| {
            let of = &slopes[first..first + PRUNING_UNITS];
            first + (0..of.len()).max_by(|&a, &b| of[a].abs().total_cmp(&of[b].abs())).unwrap()
        };
        for index in [steepest, steepest_of(behind_rows), steepest_of(behind_rows + PRUNING_UNITS)] {
            assert!(slopes[index].abs() > 4e-3, "{index}: {}", slopes[index]);
            let moved = |by: f32| {
                let mut moved = student.clone();
                *moved.layers[phase].numbers_mut().nth(index).unwrap() += by;
                error(&moved, std::slice::from_ref(&lesson))
            };
            let measured = (moved(1e-2) - moved(-1e-2)) / 2e-2;
            assert!((measured - slopes[index]).abs() < 2e-3, "{index}: {measured} {}", slopes[index]);
        }
    }

    #[test]
    fn learning_reduces_the_error() {
        let (mut student, lessons) = (Student::new(3), lessons());
        let before = error(&student, &lessons);
        for seed in 0..5 {
            student.learn(lessons.clone(), seed);
        }
        assert!(error(&student, &lessons) < before - 0.1, "{before}");
        assert_eq!(student.turns(), 5 * lessons.len() as u64);
    }

    #[test]
    fn a_written_network_reads_back_with_the_same_output() {
        let student = Student::new(3);
        let read = PruningNet::read(&student.weights()).unwrap();
        for game in [Game::Zeno, Game::Tavla, Game::Scripta] {
            let teacher = learning::Student::new(Variant::standard(game), 7).teacher();
            let mut random = Random::new(5);
            let mut position = tables::Position::start(teacher.rules());
            // Pieces are soon hit or pinned: the ends of a turn do not all leave the other side the same
            // pieces.
            for _ in 0..40 {
                let turn = tables::Turn::new(position, &teacher.throw(&mut random)).unwrap();
                let ends = turn.ends(ENDS).positions;
                let going: Vec<_> = ends.iter().copied().filter(|end| end.outcome().is_none()).collect();
                for (end, fast) in going.iter().zip(read.promises(&going)) {
                    let end = End { phase: Phase::of(end), inputs: pruning_inputs(end), share: 0.0 };
                    let slow = student.layers[end_phase(&end)].promise(&units(&student.layers, &end));
                    assert!((fast - slow).abs() < 1e-4, "{game}: {fast} {slow}");
                }
                let Some(next) = going.get(random.below(going.len().max(1))) else { break };
                position = *next;
            }
        }
        let mut damaged = student.weights();
        damaged.pop();
        assert!(PruningNet::read(&damaged).is_err());
        assert!(PruningNet::read(b"something else").is_err());
    }
}
