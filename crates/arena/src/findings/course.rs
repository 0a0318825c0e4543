//! The course of a game.

use std::hash::{DefaultHasher, Hash, Hasher};

use lusoria_rules::{BySide, End, Reason, Side, Step};
use lusoria_search::{Decision, network::Throw};

use super::{
    incidents::{Count, Incident, incidents},
    luck::ThrowChances,
    throws::Worth,
};
use crate::game::Played;

/// The course of a game.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Course {
    /// The reason of its end: a code of the rules, or `turn_limit`.
    pub(super) end: &'static str,
    /// White's score: 1 for a win, ½ for a draw.
    pub(super) white: f64,
    /// The winner's points; 0 for a draw.
    pub(super) points: u8,
    /// The side that had the first turn.
    pub(super) first: Side,
    /// Turns of both sides, including passes.
    pub(super) turns: u32,
    /// How many of these were passes.
    pub(super) passes: u32,
    /// White's luck minus Black's, in White's chance of winning.
    pub(super) luck: f64,
    /// The sum of the squared luck of single throws.
    pub(super) luck_squares: f64,
    /// The expectation before each throw, and the luck of the throw.
    pub(super) expected: Vec<Expected>,
    /// The worth of each possible throw, turn by turn.
    pub(super) worths: Vec<Worth>,
    /// How often each incident happened.
    pub(super) incidents: Vec<(Incident, Count)>,
    /// The call after which the king escaped with the defenders' next move, if that ended the game.
    pub(super) decided_by: Option<Incident>,
    /// Equal for games with the same turns.
    pub(super) fingerprint: u64,
}

/// A side's expectation before its throw, a draw counting half.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Expected {
    /// The side.
    pub(super) side: Side,
    /// Its chance of winning, by the computer's evaluation.
    pub(super) chance: f64,
    /// The luck of the throw.
    pub(super) luck: f64,
}

/// Observes a game turn by turn.
pub(super) struct Observer<'a> {
    /// The game's throws; none in a game without dice.
    throws: &'a [Throw],
    course: Course,
    /// The call after the defenders' last move.
    called: Option<Incident>,
    steps: DefaultHasher,
}

impl<'a> Observer<'a> {
    pub(super) fn new(throws: &'a [Throw], kinds: &[Incident]) -> Self {
        let course = Course {
            end: "",
            white: 0.5,
            points: 0,
            first: Side::White,
            turns: 0,
            passes: 0,
            luck: 0.0,
            luck_squares: 0.0,
            expected: Vec::new(),
            worths: vec![Worth::default(); throws.len()],
            incidents: kinds.iter().map(|&incident| (incident, Count::default())).collect(),
            decided_by: None,
            fingerprint: 0,
        };
        Self { throws, course, called: None, steps: DefaultHasher::new() }
    }

    /// Observes a turn.
    pub(super) fn look(&mut self, decision: &Decision<'_>, steps: &[Step], end: &End) {
        let (course, mover) = (&mut self.course, decision.position.to_move());
        if course.turns == 0 {
            course.first = mover;
        }
        if !self.throws.is_empty() {
            let is_opening = course.turns == 0 && decision.position.variant().game().has_opening_throw();
            let chances = ThrowChances::of(decision, self.throws, is_opening);
            let luck = chances.luck();
            course.luck += if mover == Side::White { luck } else { -luck };
            course.luck_squares += luck * luck;
            course.expected.push(Expected { side: mover, chance: chances.before(), luck });
            for (worth, of_throw) in course.worths.iter_mut().zip(chances.worths()) {
                worth.add(of_throw);
            }
        }
        course.turns += 1;
        course.passes += u32::from(end.passed);
        for (incident, times) in incidents(decision, steps, end) {
            let known = course.incidents.iter_mut().find(|(known, _)| *known == incident);
            known.expect("it can happen in the game").1.add(mover, times);
        }
        if mover == Side::White {
            let has_escaped = end.outcome.is_some_and(|outcome| outcome.reason == Reason::KingEscaped);
            course.decided_by = self.called.filter(|_| has_escaped);
            self.called = end.call.map(Incident::of_call);
        }
        steps.hash(&mut self.steps);
    }

    /// The course so far.
    #[cfg(test)]
    pub(super) const fn looked(&self) -> &Course {
        &self.course
    }

    /// The course, with the end of the game.
    pub(super) fn course(self, played: &Played) -> Course {
        let white = match played.winner {
            Some(Side::White) => 1.0,
            None => 0.5,
            Some(Side::Black) => 0.0,
        };
        let fingerprint = self.steps.finish();
        Course { end: played.end.code(), white, points: played.points, fingerprint, ..self.course }
    }
}

impl Course {
    /// That side's score.
    pub(super) fn score_of(&self, side: Side) -> f64 {
        let scores = BySide { white: self.white, black: 1.0 - self.white };
        *scores.get(side)
    }

    /// 1 if the winner scored this many points, else 0.
    pub(super) fn ended_with(&self, points: u8) -> f64 {
        f64::from(u8::from(self.points == points))
    }

    /// The expectations before each throw, the last first, each with the score minus the luck of this throw
    /// and those after it.
    pub(super) fn expected_and_scored(&self) -> impl Iterator<Item = (f64, f64)> {
        self.expected.iter().rev().scan(self.white, |white, &Expected { side, chance, luck }| {
            let of_side = |white: f64| if side == Side::White { white } else { 1.0 - white };
            let scored = of_side(*white) - luck;
            *white = of_side(scored);
            Some((chance, scored))
        })
    }

    /// White's score minus White's luck.
    pub(super) fn white_without_luck(&self) -> f64 {
        self.white - self.luck
    }

    /// The same for the side that had the first turn.
    pub(super) fn first_without_luck(&self) -> f64 {
        match self.first {
            Side::White => self.white_without_luck(),
            Side::Black => 1.0 - self.white_without_luck(),
        }
    }
}
