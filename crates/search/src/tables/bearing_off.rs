//! The end of a race, exactly.
//!
//! Where the sides travel in opposite directions and both have brought their last pieces home,
//! neither can disturb the other, and the chances follow from counting. With at most
//! [`PIECES_MAX`] pieces a side that is less than a million positions: they are computed once,
//! from the rules themselves, and never shipped. Where both travel the same way (zeno, scripta)
//! pieces in the last cells can still be hit, and there is no such table.

use std::collections::HashMap;

use lusoria_rules::{BySide, DiceSide, Setup, Side, tables};

use super::throws::{Throw, throws};

/// The most pieces a side that the table knows.
const PIECES_MAX: u8 = 6;
/// The last cells, from which pieces are borne off.
const HOME: u8 = 6;
/// How many numbers the pieces on six cells can be written as, in base seven.
const CODES: usize = 7_usize.pow(HOME as u32);

/// One side's pieces at home, by how they are numbered here.
type Home = u16;

/// The chances of the side to move, for every two homes.
#[derive(Debug)]
pub(super) struct BearingOff {
    /// The number of a home by its code.
    homes: Vec<Home>,
    /// How many homes there are.
    count: usize,
    /// By the home of the side to move, then by the other's.
    wins: Vec<f32>,
}

impl BearingOff {
    /// Counts the table of a game; none where the sides travel the same way.
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

    /// The chance that the side to move wins, if the table knows the position.
    pub(super) fn win(&self, position: &tables::Position) -> Option<f32> {
        let me = position.to_move();
        let (mine, theirs) = (self.home(position, me)?, self.home(position, me.other())?);
        Some(self.wins[mine * self.count + theirs])
    }

    fn home(&self, position: &tables::Position, side: Side) -> Option<usize> {
        let length = position.length();
        let left = 15 - position.off(side);
        let home = ((1_u64 << HOME) - 1) << (length - HOME);
        let elsewhere = position.occupied(side) & !home != 0
            || position.supply(side) + position.bar(side) > 0
            || position.pinned(side) != 0;
        if left > PIECES_MAX || elsewhere {
            return None;
        }
        let counts = (length - HOME..length).map(|cell| position.on(side, cell));
        Some(usize::from(self.homes[code(counts) as usize]))
    }

    /// A turn shortens its side's way, so every chance follows from those of shorter ways.
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
        // The homes are numbered from the empty one.
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
            let position = *known.entry(code).or_insert_with(|| alone(rules, code));
            for throw in throws {
                if code > 0 {
                    let turn = tables::Turn::new(position, &throw.dice).expect("a throw of the game");
                    let length = position.length();
                    let mut ends: Vec<Home> = turn
                        .ends(usize::MAX)
                        .positions
                        .iter()
                        .map(|end| {
                            let counts = (length - HOME..length).map(|cell| end.on(Side::White, cell));
                            numbers[self::code(counts) as usize]
                        })
                        .collect();
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

/// White with these last pieces, Black gone.
fn alone(rules: &'static tables::Rules, code: u32) -> tables::Position {
    let game = rules.game();
    let cells = (1..=24_u8).rev().take(usize::from(HOME)).rev();
    let names = cells.map(|cell| match game {
        lusoria_rules::Game::Tavla => (25 - cell).to_string(),
        _ => cell.to_string(),
    });
    let counts = digits(code);
    let points = names.zip(counts).filter(|(_, count)| *count > 0).collect();
    let left: u8 = counts.iter().sum();
    let sides = BySide {
        white: DiceSide { points, off: 15 - left, ..DiceSide::default() },
        black: DiceSide { off: 15, ..DiceSide::default() },
    };
    let setup = Setup::Tables { sides, to_move: Side::White };
    match lusoria_rules::Position::recorded(rules.variant(), &setup) {
        Ok(lusoria_rules::Position::Tables(position)) => position,
        other => unreachable!("a home can be recorded: {other:?}"),
    }
}

/// The codes of all homes, the empty one first.
fn homes() -> Vec<u32> {
    let all = 0..u32::try_from(CODES).expect("codes are small");
    all.filter(|&code| digits(code).iter().sum::<u8>() <= PIECES_MAX).collect()
}

/// The pieces on the last cells in the order of travel, as one number.
fn code(counts: impl Iterator<Item = u8>) -> u32 {
    counts.fold(0, |code, count| code * 7 + u32::from(count))
}

/// The reverse of [`code`].
fn digits(mut code: u32) -> [u8; HOME as usize] {
    let mut counts = [0; HOME as usize];
    for count in counts.iter_mut().rev() {
        *count = u8::try_from(code % 7).expect("a digit is small");
        code /= 7;
    }
    counts
}

/// How far the pieces have to go.
fn pips(code: u32) -> usize {
    digits(code).into_iter().zip((1..=HOME).rev()).map(|(count, way)| usize::from(count * way)).sum()
}

#[cfg(test)]
mod tests {
    use lusoria_rules::{Game, Variant};

    use super::*;

    fn position(game: Game, mine: &[(u8, u8)], theirs: &[(u8, u8)]) -> tables::Position {
        let rules = tables::Rules::of(Variant::standard(game)).unwrap();
        let name = |way: u8| if game == Game::Tavla { way.to_string() } else { (25 - way).to_string() };
        let side = |men: &[(u8, u8)]| DiceSide {
            points: men.iter().map(|&(way, count)| (name(way), count)).collect(),
            off: 15 - men.iter().map(|(_, count)| count).sum::<u8>(),
            ..DiceSide::default()
        };
        let sides = BySide { white: side(mine), black: side(theirs) };
        let setup = Setup::Tables { sides, to_move: Side::White };
        match lusoria_rules::Position::from_setup(rules.variant(), &setup).unwrap() {
            lusoria_rules::Position::Tables(position) => position,
            lusoria_rules::Position::Tafl(_) => unreachable!("{game} has dice"),
        }
    }

    fn table(game: Game) -> BearingOff {
        BearingOff::of(tables::Rules::of(Variant::standard(game)).unwrap()).unwrap()
    }

    #[test]
    fn chances_of_two_dice_are_those_that_one_counts_by_hand() {
        let table = table(Game::Tavla);
        for (mine, theirs, wins_of_36) in [
            // One piece on 1 goes off with anything.
            (&[(1, 1)][..], &[(1, 1)][..], 36.0),
            // One piece on 6 needs a 6, a sum of six, or a double of 2 and more: backgammon's 27.
            (&[(6, 1)], &[(1, 1)], 27.0),
            // Two pieces on 2: all but the throws with a 1, of which 1-1 does it.
            (&[(2, 2)], &[(1, 1)], 26.0),
        ] {
            let win = table.win(&position(Game::Tavla, mine, theirs)).unwrap();
            assert!((win - wins_of_36 / 36.0).abs() < 1e-6, "{mine:?} {theirs:?}: {win}");
        }
    }

    #[test]
    fn three_dice_bear_off_three_pieces_and_a_triple_six() {
        let table = table(Game::Tabula);
        let win = |mine, theirs| table.win(&position(Game::Tabula, mine, theirs)).unwrap();
        assert!((win(&[(1, 3)], &[(1, 1)]) - 1.0).abs() < 1e-6);
        // Four pieces on 1 need two dice alike: 96 of 216.
        assert!((win(&[(1, 4)], &[(1, 1)]) - 96.0 / 216.0).abs() < 1e-6);
        // Six need a triple.
        assert!((win(&[(1, 6)], &[(1, 1)]) - 6.0 / 216.0).abs() < 1e-6);
    }

    #[test]
    fn positions_with_pieces_outside_home_are_not_in_the_table() {
        let table = table(Game::Tabula);
        // Hit, and entered again.
        assert_eq!(table.win(&position(Game::Tabula, &[(22, 1)], &[(1, 1)])), None);
        assert_eq!(table.win(&position(Game::Tabula, &[(1, 7)], &[(1, 1)])), None);
        assert!(table.win(&position(Game::Tabula, &[(1, 6)], &[(1, 1)])).is_some());
    }

    #[test]
    fn games_in_one_direction_have_no_table() {
        for game in [Game::Zeno, Game::Scripta] {
            assert!(BearingOff::of(tables::Rules::of(Variant::standard(game)).unwrap()).is_none());
        }
    }
}
