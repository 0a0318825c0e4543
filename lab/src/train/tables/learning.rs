//! How the networks learn: by playing against themselves, as Tesauro's TD-Gammon did.
//!
//! A [`Student`] holds the weights. Rounds of games are played with the weights of that time ([`play`]);
//! every position of a game is a lesson, whose target mixes the network's values of the positions that
//! followed with how the game ended (temporal differences, λ-returns). Then the weights follow the gradient
//! of the cross entropy ([`Student::learn`], Adam). The network that plays and is shipped is the running mean
//! of the weights, which depends less on the luck of the last games. The same seed gives the same weights,
//! however many threads play.

use lusoria_rules::{Die, Side, Variant, tables};
use lusoria_search::{
    Random, Value,
    endings::known,
    network::{self, HIDDEN, Layers, Memory, Net, OUTPUTS, Phase, Throw, Weights, WeightsError, throws},
};

use super::{endings, weights::write, widening::read_widened};

/// Up to this many ends of a turn are all evaluated; of more only the most promising.
const ENDS: usize = 240;
/// The beam width: the number of positions that are continued from.
const WIDTH: usize = 8;
/// A game that has not ended after this many turns is aborted, and nothing learnt from it.
const TURNS_MAX: usize = 3_000;
/// The number of positions whose gradients are followed together.
const BATCH: usize = 128;
/// How often each lesson is learnt from: playing a game takes far longer.
const PASSES: usize = 3;
/// The weight of the newest batch, after that many batches, in the running mean of the weights: the mean
/// covers about the last quarter of them, but at least a thousand and at most ten thousand.
fn settling(batches: u32) -> f32 {
    (4.0 / batches as f32).clamp(1e-4, 1e-3)
}

/// A position with the value that it turned out to have.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lesson {
    phase: Phase,
    inputs: Vec<(u16, f32)>,
    target: [f32; OUTPUTS],
}

impl Lesson {
    pub(super) fn new(position: &tables::Position, target: &Value) -> Self {
        Self {
            phase: Phase::of(position),
            inputs: network::inputs(position),
            target: [target.win, target.win_double, target.lose_double, target.draw],
        }
    }

    #[cfg(test)]
    pub(super) fn inputs(&self) -> &[(u16, f32)] {
        &self.inputs
    }
}

/// A network ready to play: a copy of a student's weights.
#[derive(Debug)]
pub(crate) struct Teacher {
    rules: &'static tables::Rules,
    net: Net,
    throws: Vec<Throw>,
}

/// Weights that learn.
#[derive(Debug, Clone)]
pub(crate) struct Student {
    weights: Weights,
    /// Running means of the gradients and of their squares.
    means: Vec<Layers>,
    squares: Vec<Layers>,
    /// Running means of the weights themselves.
    settled: Vec<Layers>,
    /// The number of gradients that each phase has followed.
    batches: [u32; Phase::COUNT],
}

impl Student {
    /// Draws small weights from the seed.
    ///
    /// # Panics
    ///
    /// If the game has no dice.
    pub(crate) fn new(variant: Variant, seed: u64) -> Self {
        assert!(variant.game().dice() > 0, "{} is played without dice", variant.game());
        let mut random = Random::new(seed);
        let phases = (0..Phase::COUNT)
            .map(|_| {
                let mut layers = Layers::zero();
                for weight in layers.rows.iter_mut().flatten() {
                    *weight = (random.unit() - 0.5) * 0.2;
                }
                for weight in layers.out.iter_mut().flatten() {
                    *weight = (random.unit() - 0.5) * 0.2;
                }
                // Draws and double wins are rare.
                layers.out_bias = [0.0, -2.0, -2.0, -5.0];
                layers
            })
            .collect();
        Self::begin(Weights { variant, seed, games: 0, phases })
    }

    fn begin(weights: Weights) -> Self {
        let still = vec![Layers::zero(); Phase::COUNT];
        let settled = weights.phases.clone();
        Self { weights, means: still.clone(), squares: still, settled, batches: [0; Phase::COUNT] }
    }

    /// Continues from weights alone, as the program embeds them, or as it did when the hidden layer was
    /// narrower: the means of the gradients begin anew.
    ///
    /// # Errors
    ///
    /// The bytes are not the weights of a network of this program.
    pub(crate) fn from_weights(bytes: &[u8]) -> Result<Self, WeightsError> {
        read_widened(bytes).map(Self::begin)
    }

    /// The game with its options.
    pub(crate) fn variant(&self) -> Variant {
        self.weights.variant
    }

    /// The same network, to play the game with those options.
    pub(crate) fn playing(mut self, variant: Variant) -> Self {
        self.weights.variant = variant;
        self
    }

    /// The same network, to learn from games of that seed.
    pub(crate) fn with_seed(mut self, seed: u64) -> Self {
        self.weights.seed = seed;
        self
    }

    /// The seed.
    pub(crate) fn seed(&self) -> u64 {
        self.weights.seed
    }

    /// The number of games that it has learnt from.
    pub(crate) fn games(&self) -> u64 {
        self.weights.games
    }

    /// The number of positions that it has learnt from since learning began, or continued from weights alone.
    pub(crate) fn lessons(&self) -> u64 {
        let batches: u64 = self.batches.iter().map(|&batches| u64::from(batches)).sum();
        batches * BATCH as u64 / PASSES as u64
    }

    /// The weights as the program embeds them.
    pub(crate) fn weights(&self) -> Vec<u8> {
        write(&Weights { phases: self.settled.clone(), ..self.weights.clone() })
    }

    /// Everything needed to continue learning.
    pub(crate) fn save(&self) -> Vec<u8> {
        let moments =
            |phases: &Vec<Layers>| write(&Weights { phases: phases.clone(), ..self.weights.clone() });
        let mut bytes: Vec<u8> = self.batches.iter().flat_map(|count| count.to_le_bytes()).collect();
        for part in [write(&self.weights), moments(&self.means), moments(&self.squares), self.weights()] {
            bytes.extend(part);
        }
        bytes
    }

    /// Continues from what [`Student::save`] returned.
    ///
    /// # Errors
    ///
    /// The bytes are not a student of this program.
    pub(crate) fn restore(bytes: &[u8]) -> Result<Self, WeightsError> {
        let (counts, parts) = bytes.split_at_checked(4 * Phase::COUNT).ok_or(WeightsError::Damaged)?;
        let mut batches = [0; Phase::COUNT];
        for (count, bytes) in batches.iter_mut().zip(counts.as_chunks().0) {
            *count = u32::from_le_bytes(*bytes);
        }
        if parts.is_empty() || parts.len() % 4 != 0 {
            return Err(WeightsError::Damaged);
        }
        let mut parts = parts.chunks_exact(parts.len() / 4).map(Weights::read);
        let mut next = || parts.next().unwrap_or(Err(WeightsError::Damaged));
        let (weights, means, squares, settled) = (next()?, next()?.phases, next()?.phases, next()?.phases);
        Ok(Self { weights, means, squares, settled, batches })
    }

    /// A copy of the network, to play with.
    pub(crate) fn teacher(&self) -> Teacher {
        let rules = tables::Rules::of(self.variant()).expect("the game has dice");
        Teacher { rules, net: Net::new(self.settled.clone()), throws: throws(rules.dice()) }
    }

    /// Learns from the lessons of that many games, in an order drawn from the seed.
    pub(crate) fn learn(&mut self, mut lessons: Vec<Lesson>, games: u64, rate: f32) {
        let mut random = Random::new(self.seed() ^ self.games().wrapping_mul(0x9e37_79b9));
        for _ in 0..PASSES {
            random.shuffle(&mut lessons);
            for phase in [Phase::Opening, Phase::Contact, Phase::Race] {
                let of_phase: Vec<&Lesson> = lessons.iter().filter(|lesson| lesson.phase == phase).collect();
                for batch in of_phase.chunks(BATCH) {
                    self.follow(phase, batch, rate);
                }
            }
        }
        self.weights.games += games;
    }

    fn follow(&mut self, phase: Phase, batch: &[&Lesson], rate: f32) {
        let layers = &mut self.weights.phases[phase as usize];
        let mut slope = Layers::zero();
        for lesson in batch {
            add_slope(layers, lesson, &mut slope);
        }
        let batches = &mut self.batches[phase as usize];
        *batches = batches.saturating_add(1);
        // The means begin at zero: the share of them that is due so far.
        let due = |decay: f32| 1.0 - decay.powf(*batches as f32);
        let (mean_due, square_due) = (due(0.9), due(0.999));
        let share = 1.0 / batch.len() as f32;
        let means = self.means[phase as usize].numbers_mut();
        let squares = self.squares[phase as usize].numbers_mut();
        let settling = settling(*batches);
        let settled = self.settled[phase as usize].numbers_mut();
        let all = layers.numbers_mut().zip(slope.numbers()).zip(means.zip(squares)).zip(settled);
        for (((weight, slope), (mean, square)), settled) in all {
            let slope = slope * share;
            *mean += (slope - *mean) * 0.1;
            *square += (slope * slope - *square) * 0.001;
            *weight -= rate * (*mean / mean_due) / ((*square / square_due).sqrt() + 1e-6);
            *settled += (*weight - *settled) * settling;
        }
    }
}

/// Adds the gradient of the cross entropy between the layers' output and the target.
fn add_slope(layers: &Layers, lesson: &Lesson, slope: &mut Layers) {
    let mut units = layers.bias;
    for &(input, amount) in &lesson.inputs {
        network::add(&mut units, &layers.rows[usize::from(input)], amount);
    }
    let outputs = layers.outputs(&units);
    let mut back = [0.0; HIDDEN];
    for (index, (output, target)) in outputs.iter().zip(lesson.target).enumerate() {
        let error = output - target;
        slope.out_bias[index] += error;
        for (unit, weight) in units.iter().zip(&mut slope.out[index]) {
            *weight += error * unit.max(0.0);
        }
        network::add(&mut back, &layers.out[index], error);
    }
    for (back, unit) in back.iter_mut().zip(&units) {
        if *unit <= 0.0 {
            *back = 0.0;
        }
    }
    network::add(&mut slope.bias, &back, 1.0);
    for &(input, amount) in &lesson.inputs {
        network::add(&mut slope.rows[usize::from(input)], &back, amount);
    }
}

/// How a game is played for learning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Manner {
    /// One throw a turn, as in any game: many games in little time, whose ends the dice decide.
    Thrown {
        /// λ: how much the end of the game counts against the values on the way, 0 to 1.
        trust: f32,
    },
    /// Every throw of every turn is looked at, and the difference between the played throw's value and their
    /// mean is removed: few games, whose lessons have almost no luck in them.
    LuckTakenOut {
        /// λ.
        trust: f32,
    },
}

/// The beginning of a game to learn from, and the number of random turns that follow.
///
/// One game in eight begins with some random turns, so that the network knows positions that its own play
/// avoids, and one in eight with few pieces anywhere.
pub(super) fn begin(rules: &'static tables::Rules, random: &mut Random) -> (tables::Position, usize) {
    let mut position = tables::Position::start(rules);
    if rules.game().has_opening_throw() {
        position = position.with_to_move(if random.below(2) == 0 { Side::White } else { Side::Black });
    }
    let mut random_turns = 0;
    match random.below(8) {
        0 => random_turns = 1 + random.below(24),
        1 => position = endings::begin(rules, random),
        _ => {}
    }
    (position, random_turns)
}

/// A random end of the turn; none if neither side can move any more.
pub(super) fn random_end(turn: &tables::Turn, random: &mut Random) -> Option<tables::Position> {
    let ends = turn.ends(ENDS).positions;
    following(turn, ends[random.below(ends.len())])
}

/// The position after that end of the turn; none if neither side can move any more.
pub(super) fn following(turn: &tables::Turn, end: tables::Position) -> Option<tables::Position> {
    (turn.dice_playable() > 0 || !end.is_dead()).then_some(end)
}

/// Plays one game of the network against itself, until the position's value is known exactly, and returns the
/// lessons.
pub(crate) fn play(teacher: &Teacher, seed: u64, manner: Manner) -> Vec<Lesson> {
    let mut random = Random::new(seed);
    let (mut position, mut random_turns) = begin(teacher.rules, &mut random);
    let mut course: Vec<Met> = Vec::new();
    let mut end = None;
    for _ in 0..TURNS_MAX {
        let dice = teacher.throw(&mut random);
        let next = if random_turns > 0 {
            random_turns -= 1;
            let turn = tables::Turn::new(position, &dice).expect("as many dice as the game has");
            random_end(&turn, &mut random)
        } else {
            let (met, next) = teacher.meet(&position, &dice, manner);
            course.push(met);
            next
        };
        let Some(next) = next else {
            end = Some(Value::DRAWN);
            break;
        };
        position = next;
        end = known(&position);
        if end.is_some() {
            break;
        }
    }
    end.map_or_else(Vec::new, |end| lessons(&course, end, manner))
}

/// A turn of a game, as the side that threw saw it.
#[derive(Debug)]
struct Met {
    position: tables::Position,
    /// The value before the throw: the mean over all throws.
    expected: Value,
    /// The value after the throw.
    came: Value,
}

/// The lessons from the turns of a game that ended with that value for the side that would throw next.
fn lessons(course: &[Met], end: Value, manner: Manner) -> Vec<Lesson> {
    let mut lessons = Vec::with_capacity(course.len());
    // The value belongs to the side that throws next; the side that threw before has the rest.
    let (mut thought, mut outcome) = (end, end);
    for Met { position, expected, came } in course.iter().rev() {
        let mut target = Value::default();
        match manner {
            Manner::Thrown { trust } => {
                target.add(&outcome.turned(), trust);
                target.add(&thought.turned(), 1.0 - trust);
            }
            Manner::LuckTakenOut { trust } => {
                target.add(expected, 1.0);
                target.add(&outcome.turned(), trust);
                target.add(came, -trust);
            }
        }
        lessons.push(Lesson::new(position, &target));
        (thought, outcome) = (*expected, target);
    }
    lessons
}

impl Teacher {
    /// The rules of the game.
    pub(super) const fn rules(&self) -> &'static tables::Rules {
        self.rules
    }

    /// All throws.
    pub(super) fn throws(&self) -> &[Throw] {
        &self.throws
    }

    /// A random throw, from the lowest die.
    pub(super) fn throw(&self, random: &mut Random) -> Vec<Die> {
        let mut dice: Vec<Die> =
            (0..self.rules.game().dice()).map(|_| Die::ALL[random.below(Die::ALL.len())]).collect();
        dice.sort_unstable();
        dice
    }

    /// The values of the ends of a turn for the side that moved, -1.5 to 1.5.
    pub(super) fn worths(&self, ends: &[tables::Position]) -> Vec<f32> {
        let mut memory: Memory = None;
        ends.iter().map(|end| self.worth(end, &mut memory)).collect()
    }

    /// Plays a turn with those dice, from the lowest. No turn follows if neither side can move any more.
    fn meet(
        &self,
        position: &tables::Position,
        dice: &[Die],
        manner: Manner,
    ) -> (Met, Option<tables::Position>) {
        let best = |dice: &[Die]| {
            let turn = tables::Turn::new(*position, dice).expect("as many dice as the game has");
            following(&turn, self.best_end(&turn))
        };
        let next = best(dice);
        let mut met = Met { position: *position, expected: Value::default(), came: Value::default() };
        match manner {
            Manner::Thrown { .. } => met.expected = self.net.value(position, &mut Memory::None),
            Manner::LuckTakenOut { .. } => {
                for throw in &self.throws {
                    let is_played = throw.dice == dice;
                    let end = if is_played { next } else { best(&throw.dice) };
                    let value = end.map_or(Value::DRAWN, |end| self.value(&end, &mut Memory::None).turned());
                    met.expected.add(&value, throw.chance);
                    if is_played {
                        met.came = value;
                    }
                }
            }
        }
        (met, next)
    }

    /// The end of the turn with the highest value.
    pub(crate) fn best_end(&self, turn: &tables::Turn) -> tables::Position {
        let mut memory: Memory = None;
        let mut ends = turn.ends(ENDS);
        if ends.truncated {
            ends.positions = turn.ends_guided(WIDTH, |end| self.worth(end, &mut memory));
        }
        let mut best = (f32::NEG_INFINITY, ends.positions[0]);
        if ends.positions.len() > 1 {
            for end in ends.positions {
                let worth = self.worth(&end, &mut memory);
                if worth > best.0 {
                    best = (worth, end);
                }
            }
        }
        best.1
    }

    /// The value of a position for the side that has just moved.
    fn worth(&self, end: &tables::Position, memory: &mut Memory) -> f32 {
        worth(&self.value(end, memory).turned())
    }

    /// The value for the side to move.
    fn value(&self, position: &tables::Position, memory: &mut Memory) -> Value {
        known(position).unwrap_or_else(|| self.judgement(position, memory))
    }

    /// The value for the side to move, by the network alone.
    pub(super) fn judgement(&self, position: &tables::Position, memory: &mut Memory) -> Value {
        self.net.value(position, memory)
    }
}

/// The value as one number to compare turns by, -1.5 to 1.5: a win counts 1, a double win half as much again.
pub(super) fn worth(value: &Value) -> f32 {
    2.0 * value.score() - 1.0 + 0.5 * (value.win_double - value.lose_double)
}

#[cfg(test)]
mod tests {
    use lusoria_rules::Game;

    use super::*;

    fn lessons(teacher: &Teacher) -> Vec<Lesson> {
        (0..4).flat_map(|seed| play(teacher, seed, Manner::Thrown { trust: 0.7 })).collect()
    }

    /// The mean cross entropy of the student's output.
    fn error(student: &Student, lessons: &[Lesson]) -> f32 {
        let of = |lesson: &Lesson| {
            let layers = &student.weights.phases[lesson.phase as usize];
            let mut units = layers.bias;
            for &(input, amount) in &lesson.inputs {
                network::add(&mut units, &layers.rows[usize::from(input)], amount);
            }
            let outputs = layers.outputs(&units);
            outputs
                .iter()
                .zip(lesson.target)
                .map(|(y, t)| -t * y.ln() - (1.0 - t) * (1.0 - y).ln())
                .sum::<f32>()
        };
        lessons.iter().map(of).sum::<f32>() / lessons.len() as f32
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_error() {
        let student = Student::new(Variant::standard(Game::Tavla), 7);
        let lesson = lessons(&student.teacher()).swap_remove(5);
        let mut slope = Layers::zero();
        let phase = lesson.phase as usize;
        add_slope(&student.weights.phases[phase], &lesson, &mut slope);
        let slopes: Vec<f32> = slope.numbers().copied().collect();
        let steepest =
            (0..slopes.len()).max_by(|&a, &b| slopes[a].abs().total_cmp(&slopes[b].abs())).unwrap();
        let row = usize::from(lesson.inputs[3].0) * HIDDEN;
        for index in [steepest, row + 1, row + 2, INPUT_BIAS, slopes.len() - 1] {
            let moved = |by: f32| {
                let mut moved = student.clone();
                *moved.weights.phases[phase].numbers_mut().nth(index).unwrap() += by;
                error(&moved, std::slice::from_ref(&lesson))
            };
            let measured = (moved(1e-3) - moved(-1e-3)) / 2e-3;
            assert!((measured - slopes[index]).abs() < 2e-3, "{index}: {measured} {}", slopes[index]);
        }
    }

    /// The beginning of the hidden layer's biases among the numbers: behind the inputs' rows.
    const INPUT_BIAS: usize = Layers::LEN - HIDDEN - OUTPUTS * HIDDEN - OUTPUTS;

    #[test]
    fn learning_reduces_the_error_and_continues_from_a_saved_state() {
        let mut student = Student::new(Variant::standard(Game::Tavla), 7);
        let lessons = lessons(&student.teacher());
        let before = error(&student, &lessons);
        for _ in 0..5 {
            student.learn(lessons.clone(), 4, 1e-3);
        }
        assert!(error(&student, &lessons) < before);
        let mut restored = Student::restore(&student.save()).unwrap();
        student.learn(lessons.clone(), 4, 1e-3);
        restored.learn(lessons, 4, 1e-3);
        assert_eq!(student.save(), restored.save());
        assert_eq!(student.games(), 24);
    }

    #[test]
    fn the_same_seed_is_the_same_game() {
        let teacher = Student::new(Variant::standard(Game::Zeno), 3).teacher();
        let targets = |seed| {
            play(&teacher, seed, Manner::Thrown { trust: 0.7 })
                .iter()
                .map(|lesson| lesson.target)
                .collect::<Vec<_>>()
        };
        assert_eq!(targets(5), targets(5));
        assert_ne!(targets(5), targets(6));
    }

    #[test]
    fn every_throw_is_looked_at_and_the_played_one_is_among_them() {
        let teacher = Student::new(Variant::standard(Game::Tavla), 3).teacher();
        let start = tables::Position::start(teacher.rules);
        let mean: Value = teacher.throws.iter().fold(Value::default(), |mut mean, throw| {
            let (met, next) = teacher.meet(&start, &throw.dice, Manner::LuckTakenOut { trust: 0.7 });
            let next = next.expect("at the start all can move");
            assert_eq!(met.came, teacher.value(&next, &mut Memory::None).turned(), "{throw:?}");
            mean.add(&met.came, throw.chance);
            mean
        });
        let (met, _) = teacher.meet(&start, &teacher.throws[0].dice, Manner::LuckTakenOut { trust: 0.7 });
        assert!((met.expected.win - mean.win).abs() < 1e-5, "{met:?} {mean:?}");
    }

    #[test]
    fn luck_is_not_learnt() {
        let position = tables::Position::start(tables::Rules::of(Variant::standard(Game::Tavla)).unwrap());
        let win = |win| Value { win, ..Value::default() };
        // The first throw was lucky and the second was not, by the network's values.
        let course = [
            Met { position, expected: win(0.5), came: win(0.7) },
            Met { position, expected: win(0.3), came: win(0.1) },
        ];
        let targets = |end| {
            let lessons = super::lessons(&course, end, Manner::LuckTakenOut { trust: 0.5 });
            lessons.iter().map(|lesson| lesson.target[0]).collect::<Vec<_>>()
        };
        let close = |found: Vec<f32>, expected: [f32; 2]| {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} {expected:?}");
        };
        // The last position had the value that it was estimated at: then all had. The last comes first.
        close(targets(win(0.9)), [0.3, 0.5]);
        // Its value was 0.2 less for the side that throws then: 0.1 of that reaches the turn before, 0.05 the
        // first.
        close(targets(win(0.7)), [0.4, 0.45]);
    }
}
