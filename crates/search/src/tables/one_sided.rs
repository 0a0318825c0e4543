//! The end of a race with more pieces than [`BearingOff`](super::bearing_off::BearingOff) has.
//!
//! Computed for each side alone: the distribution of the number of turns until everything is off, if it plays
//! for the fewest turns on average. A side's play then cannot depend on how far the other has come, although
//! it should in rare positions. With at most six pieces a side, where the exact table can be compared, the
//! chances are wrong by a few hundredths of a percentage point on average (the tests check it); the error
//! with more pieces is unknown. Backgammon programs call this a one-sided database.

use lusoria_rules::{Side, tables};

use super::{
    home::{self, Counts, HOME},
    throws::throws,
};

/// The most pieces of a side in the table: a side that has borne off one has this many. With all fifteen,
/// more can be at stake than who is first: in tavla a win then counts double.
const PIECES_MAX: u8 = 14;
/// How many numbers of turns are distinguished; longer ones count as the last.
const TURNS: usize = 28;
/// A home by its [`number`].
type Home = u16;
/// The probability of needing each number of turns, from none.
type Lengths = [f32; TURNS];

/// How many turns a side alone needs from every home.
#[derive(Debug)]
pub(super) struct OneSided {
    lengths: Vec<Lengths>,
}

impl OneSided {
    /// Computes the table of a game; none where the sides travel in the same direction and can disturb each
    /// other to the end.
    pub(super) fn of(rules: &'static tables::Rules) -> Option<Self> {
        if !tables::Position::start(rules).is_opposed() {
            return None;
        }
        let dice = Hand::all(rules);
        let homes = homes();
        let mut lengths = vec![[0.0; TURNS]; homes.len()];
        lengths[0][0] = 1.0;
        let mut means = vec![0.0_f32; homes.len()];
        // For each hand still to be played and each home: the best home it leads to.
        let mut best: Vec<Vec<Home>> = vec![vec![0; homes.len()]; dice.len()];
        for (home, &counts) in homes.iter().enumerate().skip(1) {
            let steps: [Vec<Home>; HOME] = std::array::from_fn(|die| steps(counts, die + 1));
            let (mut mean, mut all) = (1.0, [0.0; TURNS]);
            for (at, Hand { played, chance }) in dice.iter().enumerate() {
                let ends = played.iter().flat_map(|&(die, left)| {
                    let ends = left.map(|left: usize| &best[left]);
                    steps[die - 1].iter().map(move |&next| ends.map_or(next, |ends| ends[usize::from(next)]))
                });
                let end = ends
                    .reduce(|a, b| if means[usize::from(b)] < means[usize::from(a)] { b } else { a })
                    .expect("a side with pieces at home can play every die");
                best[at][home] = end;
                if *chance > 0.0 {
                    let end = usize::from(end);
                    mean += chance * means[end];
                    for (turns, likely) in lengths[end].iter().enumerate() {
                        all[(turns + 1).min(TURNS - 1)] += chance * likely;
                    }
                }
            }
            (means[home], lengths[home]) = (mean, all);
        }
        Some(Self { lengths })
    }

    /// The chance that the side to move wins, if the table has the position.
    pub(super) fn win(&self, position: &tables::Position) -> Option<f32> {
        let me = position.to_move();
        let (mine, theirs) = (self.lengths(position, me)?, self.lengths(position, me.other())?);
        // I am first with as many turns as they need, or fewer.
        let (mut win, mut later) = (0.0, 1.0);
        for (mine, theirs) in mine.iter().zip(theirs) {
            win += mine * later;
            later -= theirs;
        }
        Some(win.clamp(0.0, 1.0))
    }

    fn lengths(&self, position: &tables::Position, side: Side) -> Option<&Lengths> {
        let counts = home::of(position, side)?;
        let left: u8 = counts.iter().sum();
        (left <= PIECES_MAX).then(|| &self.lengths[number(counts)])
    }
}

/// Dice still to be played in a turn.
struct Hand {
    /// Each die that can come next, with the remaining hand; none if it was the last.
    played: Vec<(usize, Option<usize>)>,
    /// The probability that a turn begins with it.
    chance: f32,
}

impl Hand {
    /// All hands that throws give, and their remainders: the smaller first.
    fn all(rules: &'static tables::Rules) -> Vec<Self> {
        let position = home::position(rules, [1; HOME], [0; HOME]);
        let mut hands: Vec<(Vec<usize>, f32)> = Vec::new();
        for throw in throws(rules.game().dice()) {
            let turn = tables::Turn::new(position, &throw.dice).expect("a throw of the game");
            let mut values: Vec<usize> =
                turn.dice_left().iter().map(|die| usize::from(die.value())).collect();
            values.sort_unstable();
            add(&mut hands, values, throw.chance);
        }
        hands.sort_by_key(|(values, _)| values.len());
        let at = |values: &[usize]| hands.iter().position(|(known, _)| known == values);
        let played = |values: &[usize]| {
            let mut played: Vec<(usize, Option<usize>)> = Vec::new();
            for (index, &die) in values.iter().enumerate() {
                if played.last().is_none_or(|&(last, _)| last != die) {
                    let mut left = values.to_vec();
                    left.remove(index);
                    played.push((die, at(&left)));
                }
            }
            played
        };
        hands.iter().map(|(values, chance)| Self { played: played(values), chance: *chance }).collect()
    }
}

/// Adds a hand with which a turn begins, its probability, and its remainders.
fn add(hands: &mut Vec<(Vec<usize>, f32)>, values: Vec<usize>, chance: f32) {
    if let Some((_, known)) = hands.iter_mut().find(|(known, _)| *known == values) {
        *known += chance;
        return;
    }
    if values.len() > 1 {
        for index in 0..values.len() {
            let mut left = values.clone();
            left.remove(index);
            add(hands, left, 0.0);
        }
    }
    hands.push((values, chance));
}

/// All homes, each at its index.
fn homes() -> Vec<Counts> {
    let mut homes = vec![[0; HOME]];
    for cell in 0..HOME {
        let fewer = std::mem::take(&mut homes);
        for counts in fewer {
            let room = PIECES_MAX - counts.iter().sum::<u8>();
            homes.extend((0..=room).map(|count| {
                let mut counts = counts;
                counts[cell] = count;
                counts
            }));
        }
    }
    homes.sort_by_cached_key(|&counts| number(counts));
    homes
}

/// The index of a home: pieces that move on or off lead to a lower one, and the empty home has 0.
///
/// It is the colexicographic rank of six increasing numbers: for each cell, the pieces up to it, counted from
/// the farthest, plus the cells before it.
fn number(counts: Counts) -> usize {
    let (mut sum, mut number) = (0, 0);
    for (index, count) in counts.into_iter().enumerate() {
        sum += usize::from(count);
        number += choose(sum + index, index + 1);
    }
    number
}

/// The binomial coefficient.
fn choose(of: usize, count: usize) -> usize {
    if of < count { 0 } else { (1..=count).fold(1, |ways, one| ways * (of - count + one) / one) }
}

/// The homes that a die leads to: a piece moves on or off exactly, or, if no other piece is that far, the
/// farthest one goes off.
fn steps(counts: Counts, die: usize) -> Vec<Home> {
    let with = |from: usize, to: Option<usize>| {
        let mut counts = counts;
        counts[from] -= 1;
        if let Some(to) = to {
            counts[to] += 1;
        }
        Home::try_from(number(counts)).expect("there are fewer than 65,536 homes")
    };
    let far_enough = HOME - die;
    let steps: Vec<Home> = (0..=far_enough)
        .filter(|&from| counts[from] > 0)
        .map(|from| with(from, (from < far_enough).then_some(from + die)))
        .collect();
    if !steps.is_empty() {
        return steps;
    }
    counts.iter().position(|&count| count > 0).map(|from| with(from, None)).into_iter().collect()
}

#[cfg(test)]
mod tests;
