//! Exact chances at the end of a race.
//!
//! Where the sides travel in opposite directions and both have brought their last pieces home, neither can
//! disturb the other, and the chances can be computed. With at most [`PIECES_MAX`] pieces a side that is less
//! than a million positions: they are computed once, from the rules themselves, and never shipped. Where both
//! travel in the same direction, pieces in the last cells can still be hit, and there is no such table.

use std::collections::HashMap;

use lusoria_rules::{Side, tables};

use super::{
    home::{self, HOME},
    throws::{Throw, throws},
};

/// The most pieces of a side in the table.
const PIECES_MAX: u8 = 6;
/// The number of codes for pieces on six cells, in base seven.
const CODES: usize = 7_usize.pow(6);

/// One side's pieces at home, as an index.
type Home = u16;

/// The chances of the side to move, for every pair of homes.
#[derive(Debug)]
pub(super) struct BearingOff {
    /// The index of each home by its code.
    homes: Vec<Home>,
    /// The number of homes.
    count: usize,
    /// By the home of the side to move, then by the other's.
    wins: Vec<f32>,
}

impl BearingOff {
    /// Computes the table of a game; none where the sides travel in the same direction.
    pub(super) fn of(rules: &'static tables::Rules) -> Option<Self> {
        if !tables::Position::start(rules).is_opposed() {
            return None;
        }
        let codes: Vec<u32> = homes();
        let mut numbers = vec![Home::MAX; CODES];
        for (number, &code) in codes.iter().enumerate() {
            numbers[code as usize] = Home::try_from(number).expect("there are few homes");
        }
        let throws = throws(rules.game().dice());
        let follow = Follow::of(rules, &codes, &numbers, &throws);
        let mut table =
            Self { homes: numbers, count: codes.len(), wins: vec![0.0; codes.len() * codes.len()] };
        table.fill(&codes, &throws, &follow);
        Some(table)
    }

    /// The chance that the side to move wins, if the table has the position.
    pub(super) fn win(&self, position: &tables::Position) -> Option<f32> {
        let me = position.to_move();
        let (mine, theirs) = (self.home(position, me)?, self.home(position, me.other())?);
        Some(self.wins[mine * self.count + theirs])
    }

    fn home(&self, position: &tables::Position, side: Side) -> Option<usize> {
        let counts = home::of(position, side).filter(|counts| counts.iter().sum::<u8>() <= PIECES_MAX)?;
        Some(usize::from(self.homes[code(counts) as usize]))
    }

    /// A turn shortens its side's way, so every chance follows from chances of shorter ways.
    fn fill(&mut self, codes: &[u32], throws: &[Throw], follow: &Follow) {
        let mut by_pips: Vec<Vec<usize>> = Vec::new();
        for (home, &code) in codes.iter().enumerate() {
            let pips = pips(code);
            if by_pips.len() <= pips {
                by_pips.resize(pips + 1, Vec::new());
            }
            by_pips[pips].push(home);
        }
        let longest = by_pips.len() - 1;
        for both in 0..=2 * longest {
            for my_pips in both.saturating_sub(longest)..=both.min(longest) {
                for &mine in &by_pips[my_pips] {
                    for &theirs in &by_pips[both - my_pips] {
                        self.wins[mine * self.count + theirs] = self.chance(mine, theirs, throws, follow);
                    }
                }
            }
        }
    }

    fn chance(&self, mine: usize, theirs: usize, throws: &[Throw], follow: &Follow) -> f32 {
        // Homes are numbered from the empty one.
        if mine == 0 {
            return 1.0;
        }
        if theirs == 0 {
            return 0.0;
        }
        let their_row = &self.wins[theirs * self.count..][..self.count];
        throws
            .iter()
            .enumerate()
            .map(|(index, throw)| {
                let least = follow
                    .of_throw(mine, index)
                    .iter()
                    .map(|&next| their_row[usize::from(next)])
                    .fold(1.0, f32::min);
                throw.chance * (1.0 - least)
            })
            .sum()
    }
}

/// The homes in which a turn can end, by the home in which it begins and the throw.
struct Follow {
    throws: usize,
    starts: Vec<u32>,
    homes: Vec<Home>,
}

impl Follow {
    fn of(rules: &'static tables::Rules, codes: &[u32], numbers: &[Home], throws: &[Throw]) -> Self {
        let mut follow = Self { throws: throws.len(), starts: vec![0], homes: Vec::new() };
        let mut known: HashMap<u32, tables::Position> = HashMap::new();
        for &code in codes {
            let position =
                *known.entry(code).or_insert_with(|| home::position(rules, digits(code), [0; HOME]));
            for throw in throws {
                if code > 0 {
                    let turn = tables::Turn::new(position, &throw.dice).expect("a throw of the game");
                    let ends = turn.ends(usize::MAX).positions;
                    let number = |end| numbers[self::code(home::counts(end, Side::White)) as usize];
                    let mut ends: Vec<Home> = ends.iter().map(number).collect();
                    ends.sort_unstable();
                    ends.dedup();
                    follow.homes.extend(ends);
                }
                follow.starts.push(u32::try_from(follow.homes.len()).expect("there are few ends"));
            }
        }
        follow
    }

    fn of_throw(&self, home: usize, throw: usize) -> &[Home] {
        let at = home * self.throws + throw;
        &self.homes[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// The codes of all homes, the empty one first.
fn homes() -> Vec<u32> {
    let all = 0..u32::try_from(CODES).expect("codes are small");
    all.filter(|&code| digits(code).iter().sum::<u8>() <= PIECES_MAX).collect()
}

/// The pieces on the last cells, in the order of travel, as one number.
fn code(counts: home::Counts) -> u32 {
    counts.into_iter().fold(0, |code, count| code * 7 + u32::from(count))
}

/// The reverse of [`code`].
fn digits(mut code: u32) -> home::Counts {
    let mut counts = [0; HOME];
    for count in counts.iter_mut().rev() {
        *count = u8::try_from(code % 7).expect("a digit is small");
        code /= 7;
    }
    counts
}

/// The pip count.
fn pips(code: u32) -> usize {
    digits(code).into_iter().zip((1..=6).rev()).map(|(count, way)| usize::from(count * way)).sum()
}

#[cfg(test)]
mod tests;
