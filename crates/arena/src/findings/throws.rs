//! The worth of throws.

use lusoria_rules::Die;
use lusoria_search::network::Throw;
use serde::Serialize;

use super::course::Course;
use crate::Estimate;

/// The worth of a throw: how much it improves the chance of winning, on average over all turns of the games.
/// Each turn contributes to every throw: those that were not thrown are evaluated, too.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ThrowWorth {
    /// The dice, the highest first.
    pub throw: String,
    /// Its kind.
    pub kind: ThrowKind,
    /// Its probability.
    pub chance: f64,
    /// Its worth, in chances of winning.
    #[serde(flatten)]
    pub worth: Estimate,
}

/// The mean worth of throws of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct KindWorth {
    /// The kind.
    pub kind: ThrowKind,
    /// The probability of one of them.
    pub chance: f64,
    /// Its worth, in chances of winning.
    #[serde(flatten)]
    pub worth: Estimate,
}

/// How many dice of a throw are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ThrowKind {
    /// None.
    Different,
    /// Two.
    Double,
    /// Three.
    Triple,
}

/// The worth of a throw in the turns of a game in which it was possible.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Worth {
    sum: f64,
    turns: u32,
}

impl Worth {
    /// Adds a turn; none if the throw was impossible.
    pub(super) fn add(&mut self, worth: Option<f64>) {
        if let Some(worth) = worth {
            self.sum += worth;
            self.turns += 1;
        }
    }
}

impl ThrowKind {
    /// All kinds, the most frequent first.
    const ALL: [Self; 3] = [Self::Different, Self::Double, Self::Triple];

    /// The kind of a throw whose dice are sorted.
    fn of(dice: &[Die]) -> Self {
        match dice.windows(2).filter(|two| two[0] == two[1]).count() {
            0 => Self::Different,
            1 => Self::Double,
            _ => Self::Triple,
        }
    }
}

/// The worth of each throw, the best first.
pub(super) fn worths(throws: &[Throw], courses: &[Course]) -> Vec<ThrowWorth> {
    let dice = |throw: &Throw| throw.dice.iter().rev().map(Die::to_string).collect::<Vec<_>>().join("-");
    let mut worths: Vec<ThrowWorth> = throws
        .iter()
        .enumerate()
        .map(|(nth, throw)| ThrowWorth {
            throw: dice(throw),
            kind: ThrowKind::of(&throw.dice),
            chance: throw.chance.into(),
            worth: worth(courses, &[(nth, 1.0)]),
        })
        .collect();
    worths.sort_by(|a, b| b.worth.value.total_cmp(&a.worth.value));
    worths
}

/// The worth of each kind of throw.
pub(super) fn kinds(throws: &[Throw], courses: &[Course]) -> Vec<KindWorth> {
    let of = |kind| {
        let alike = throws.iter().enumerate().filter(|(_, throw)| ThrowKind::of(&throw.dice) == kind);
        let alike: Vec<(usize, f64)> = alike.map(|(nth, throw)| (nth, throw.chance.into())).collect();
        let chance = alike.iter().map(|(_, chance)| chance).sum();
        (!alike.is_empty()).then(|| KindWorth { kind, chance, worth: worth(courses, &alike) })
    };
    ThrowKind::ALL.into_iter().filter_map(of).collect()
}

/// The mean worth of these throws, each with its weight.
fn worth(courses: &[Course], throws: &[(usize, f64)]) -> Estimate {
    let of_game = |course: &Course| {
        throws.iter().fold((0.0, 0.0), |(sum, turns), &(nth, weight)| {
            let worth = course.worths[nth];
            (sum + weight * worth.sum, turns + weight * f64::from(worth.turns))
        })
    };
    Estimate::ratio(&courses.iter().map(of_game).collect::<Vec<_>>())
}
