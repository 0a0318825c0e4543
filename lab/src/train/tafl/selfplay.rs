//! Games of the computer against itself, to learn from and to measure by.

use lusoria_rules::{History, Position as Any, Side, Throne, tafl::Position};
use lusoria_search::{
    Budget, Random,
    evaluation::{FEATURES, TAFL, UNIT, WON, Weights, chance, each_feature, is_calm, is_decided, play_turn},
};

/// The positions that are searched for a turn.
const BUDGET: Budget = Budget { nodes: 800 };
/// The most random moves at the start, so that no two games are alike.
const LOT_MAX: usize = 12;
/// One turn in this many of the others is a little worse than the best,
const LAPSE: usize = 12;
/// by at most this loss of the chance to win.
const LAPSE_LOSS: f32 = 0.1;
/// The factor by which a value counts less a ply before.
const FADING: f32 = 0.98;

/// A position with the value that it turned out to have.
#[derive(Debug, Clone)]
pub(super) struct Lesson {
    /// The features that are present, each with its count.
    pub(super) features: Vec<(u8, i8)>,
    /// The defenders' value by a search, in units.
    pub(super) searched: f32,
    /// The chance of the defenders by what followed: the searches of the positions after it, the later the
    /// less, and the end.
    pub(super) later: f32,
    /// The defenders' result: 0, ½ or 1.
    pub(super) result: f32,
}

/// A running game.
pub(super) struct Play {
    pub(super) position: Position,
    pub(super) history: History,
    /// The defenders' result once it has ended: 0, ½ or 1.
    pub(super) result: Option<f32>,
}

impl Play {
    /// A new game.
    pub(super) fn new(throne: Throne) -> Self {
        let position = Position::start(TAFL.with_throne(throne));
        Self { position, history: History::start(&Any::Tafl(position)), result: None }
    }

    /// A game after a few random moves, none of which loses the game at once. One game in four has a closed
    /// throne.
    fn start(random: &mut Random) -> Self {
        let throne = if random.below(4) == 0 { Throne::Closed } else { Throne::King };
        let mut play = Self::new(throne);
        for _ in 0..random.below(LOT_MAX + 1) {
            let mut sane = Vec::new();
            play.position.for_each_move(|played| {
                let (after, captured) = play.position.after(played);
                if !is_decided(&after) {
                    sane.push((after, captured != 0));
                }
            });
            if sane.is_empty() {
                break;
            }
            let (after, captured) = sane[random.below(sane.len())];
            play.go_on(after, captured);
        }
        play
    }

    fn go_on(&mut self, after: Position, captured: bool) {
        self.position = after;
        self.history.record(&Any::Tafl(after), captured);
        self.result = match after.outcome() {
            Some(outcome) => Some(if outcome.winner == Some(Side::White) { 1.0 } else { 0.0 }),
            None if self.history.repetitions(&Any::Tafl(after)) >= History::REPETITIONS => Some(0.5),
            None => (self.history.since_capture() >= History::DROUGHT).then_some(0.5),
        };
    }

    /// Plays a turn with that budget. Returns the defenders' value, and whether it captures.
    pub(super) fn turn(
        &mut self,
        weights: &Weights,
        budget: Budget,
        loss: f32,
        random: &mut Random,
    ) -> (i32, bool) {
        let played = play_turn(weights, &self.position, &self.history, budget, loss, random);
        self.go_on(played.after, played.captures);
        (played.value, played.captures)
    }
}

/// A game of the weights against themselves, and the lessons from it: its quiet positions. The game is over
/// when one side sees its win.
pub(super) fn play(weights: &Weights, seed: u64) -> Vec<Lesson> {
    let mut random = Random::new(seed);
    let mut play = Play::start(&mut random);
    let mut quiet = Vec::new();
    let mut turns = 0;
    let result = loop {
        if let Some(result) = play.result {
            break result;
        }
        let (position, since_capture) = (play.position, play.history.since_capture());
        let lapses = random.below(LAPSE) == 0;
        let (value, captured) =
            play.turn(weights, BUDGET, if lapses { LAPSE_LOSS } else { 0.0 }, &mut random);
        if value.abs() > WON {
            break if value > 0 { 1.0 } else { 0.0 };
        }
        if !captured && is_calm(&position, since_capture) {
            quiet.push(Quiet { position, value, turns });
        }
        turns += 1;
    };
    lessons(&quiet, weights.scale(), result)
}

/// A quiet position: nothing threatens the side to move.
struct Quiet {
    position: Position,
    /// The defenders' value by a search.
    value: i32,
    /// Turns played before.
    turns: i32,
}

/// The lessons from a game, the last position first.
fn lessons(quiet: &[Quiet], scale: f32, result: f32) -> Vec<Lesson> {
    let mut later = result;
    let mut next: Option<&Quiet> = None;
    let mut lessons = Vec::with_capacity(quiet.len());
    for quiet in quiet.iter().rev() {
        if let Some(next) = next {
            let kept = FADING.powi(next.turns - quiet.turns);
            later = kept * later + (1.0 - kept) * chance(next.value as f32 / scale);
        }
        lessons.push(lesson(quiet, later, result));
        next = Some(quiet);
    }
    lessons
}

#[expect(clippy::cast_possible_truncation, reason = "there are fewer than 256 features, and 100 cells")]
fn lesson(quiet: &Quiet, later: f32, result: f32) -> Lesson {
    let mut counts = [0; FEATURES];
    each_feature(&quiet.position, |feature, count| counts[feature] += count);
    let there = counts.iter().enumerate().filter(|(_, count)| **count != 0);
    Lesson {
        features: there.map(|(feature, &count)| (feature as u8, count as i8)).collect(),
        searched: quiet.value as f32 / UNIT,
        later,
        result,
    }
}

/// The score of the weights in two games against others, with the same random moves at the start and sides
/// exchanged: 0 to 2, a draw counting half. Both search the same number of positions.
pub(super) fn trial(weights: &Weights, others: &Weights, seed: u64) -> f32 {
    Side::BOTH
        .into_iter()
        .map(|side| {
            let mut random = Random::new(seed);
            let mut play = Play::start(&mut random);
            let result = loop {
                if let Some(result) = play.result {
                    break result;
                }
                let mover = if play.position.to_move() == side { weights } else { others };
                play.turn(mover, BUDGET, 0.0, &mut random);
            };
            if side == Side::White { result } else { 1.0 - result }
        })
        .sum()
}
