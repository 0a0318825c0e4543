//! Checks the dice of a game against the published data: the commitment, the seeds, and the secret of the
//! game once it has ended.

use sha2::{Digest, Sha256};

use crate::{GAMES_MAX, Game, Secret, lot, seed_hash, throw};

/// With at least this many throws, checks first whether all of them come from other seeds, before reporting
/// each.
const SEEDS_FROM: usize = 3;

/// What a record claims about the dice of one game.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// The match, the game and the seeds.
    pub game: Game<'a>,
    /// `s[0]`, as published before the first throw.
    pub commitment: [u8; 32],
    /// `s[g]`, as published after the last.
    pub secret: [u8; 32],
    /// The throws in recorded order: the number of each in the game, and its dice in the order drawn. The
    /// number of dice in a throw is not checked here.
    pub throws: &'a [(u32, Vec<u8>)],
    /// The seat, 1 or 2, that was drawn to play White; none if colours were not drawn.
    pub lot: Option<u8>,
}

/// A difference between the dice of a game and the scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mismatch {
    /// The secret does not lead down to the commitment.
    Secret,
    /// The lot differs from the recomputed one.
    Lot {
        /// The seat that the scheme gives White.
        expected: u8,
        /// The seat that the record gives White.
        recorded: u8,
    },
    /// Most of the throws do not come from these seeds; the others match by chance.
    Seeds {
        /// Number of throws that do not match.
        wrong: usize,
        /// Number of throws.
        throws: usize,
    },
    /// A throw has the wrong number.
    Numbered {
        /// The expected number.
        expected: u32,
        /// The number found.
        found: u32,
    },
    /// A throw is missing: each one after it is the next one.
    Missing {
        /// Its number, from 0.
        index: u32,
    },
    /// A throw was added: each one after it is the previous one.
    PutIn {
        /// Its number, from 0.
        index: u32,
    },
    /// The throws are genuine, but in another order.
    Moved {
        /// Their numbers, from 0; at least two.
        indices: Vec<u32>,
    },
    /// A throw differs from the recomputed one.
    Throw {
        /// Its index among the throws of the game, from 0.
        place: usize,
        /// Its number, from 0.
        index: u32,
        /// The dice by the scheme.
        expected: Vec<u8>,
        /// The recorded dice.
        recorded: Vec<u8>,
    },
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Secret => {
                f.write_str("the secret does not lead to the commitment: it is not the one that was promised")
            }
            Self::Lot { expected, recorded } => write!(
                f,
                "the lot gives White (in a tafl game the king) to seat {expected}, but seat {recorded} took it"
            ),
            Self::Seeds { wrong, throws } => write!(
                f,
                "{wrong} of its {throws} throws do not come from these seeds: a seed is not the one that was used"
            ),
            Self::Numbered { expected, found } => {
                write!(f, "a throw is numbered {found} where throw {expected} must come")
            }
            Self::Missing { index } => {
                write!(f, "throw {index} is missing: those after it are each the next one")
            }
            Self::PutIn { index } => {
                write!(f, "throw {index} was put in: those after it are each the one before")
            }
            Self::Moved { indices } => {
                write!(f, "throws {} stand in each other's places", list(indices))
            }
            Self::Throw { index, expected, recorded, .. } => {
                write!(f, "throw {index} shows {}, but {} was thrown", dice(recorded), dice(expected))
            }
        }
    }
}

impl std::error::Error for Mismatch {}

fn list(indices: &[u32]) -> String {
    let (last, rest) = indices.split_last().expect("throws change places with each other");
    let rest: Vec<String> = rest.iter().map(ToString::to_string).collect();
    format!("{} and {last}", rest.join(", "))
}

fn dice(values: &[u8]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join("-")
}

impl Claim<'_> {
    /// Recomputes everything and returns the differences. Distinguishes a changed die from a changed order,
    /// seed, secret or lot. Empty if everything is correct.
    pub fn mismatches(&self) -> Vec<Mismatch> {
        if !secret_fits(self.game.number, &self.secret, &self.commitment) {
            return vec![Mismatch::Secret];
        }
        let secret = Secret::new(self.secret);
        let mut found = Vec::new();
        if let Some(recorded) = self.lot {
            let expected = lot(&secret, self.game);
            if expected != recorded {
                found.push(Mismatch::Lot { expected, recorded });
            }
        }
        let computed = |index: u32, like: &[u8]| throw(&secret, self.game, index, like.len());
        if let Some((expected, (number, _))) =
            (0..).zip(self.throws).find(|(place, (number, _))| place != number)
        {
            found.push(Mismatch::Numbered { expected, found: *number });
            // With wrong numbers, a throw may be correct by its number or by its index.
            for (place, (number, recorded)) in (0..).zip(self.throws) {
                let expected = computed(*number, recorded);
                if expected != *recorded && computed(place, recorded) != *recorded {
                    let (index, recorded) = (*number, recorded.clone());
                    found.push(Mismatch::Throw { place: place as usize, index, expected, recorded });
                }
            }
            return found;
        }
        let recorded: Vec<&[u8]> = self.throws.iter().map(|(_, dice)| dice.as_slice()).collect();
        let expected: Vec<Vec<u8>> = self.throws.iter().map(|(index, dice)| computed(*index, dice)).collect();
        found.extend(differences(&recorded, &expected, computed));
        found
    }
}

/// The differences between throws whose numbers are right.
fn differences(
    recorded: &[&[u8]],
    expected: &[Vec<u8>],
    computed: impl Fn(u32, &[u8]) -> Vec<u8>,
) -> Vec<Mismatch> {
    let wrong: Vec<usize> = (0..recorded.len()).filter(|&at| recorded[at] != expected[at]).collect();
    let Some(&first) = wrong.first() else { return Vec::new() };
    let index = |at: usize| u32::try_from(at).expect("throws are numbered by u32");
    let several = recorded.len() - first > 1;
    // From the first wrong one on, each is the next one, or the previous one.
    if several && (first..recorded.len()).all(|at| computed(index(at + 1), recorded[at]) == recorded[at]) {
        return vec![Mismatch::Missing { index: index(first) }];
    }
    if several && (first + 1..recorded.len()).all(|at| expected[at - 1] == recorded[at]) {
        return vec![Mismatch::PutIn { index: index(first) }];
    }
    let mut found: Vec<&[u8]> = wrong.iter().map(|&at| recorded[at]).collect();
    let mut due: Vec<&[u8]> = wrong.iter().map(|&at| expected[at].as_slice()).collect();
    found.sort_unstable();
    due.sort_unstable();
    if found == due {
        return vec![Mismatch::Moved { indices: wrong.into_iter().map(index).collect() }];
    }
    // Of throws from other seeds at most one in 36 matches.
    if recorded.len() >= SEEDS_FROM && wrong.len() * 4 >= recorded.len() * 3 {
        return vec![Mismatch::Seeds { wrong: wrong.len(), throws: recorded.len() }];
    }
    let differs = |at: usize| Mismatch::Throw {
        place: at,
        index: index(at),
        expected: expected[at].clone(),
        recorded: recorded[at].to_vec(),
    };
    wrong.into_iter().map(differs).collect()
}

/// Whether `secret` is the secret of game `game` under the commitment `s[0]`:
/// hashed `game` times it gives the commitment.
pub fn secret_fits(game: u16, secret: &[u8; 32], commitment: &[u8; 32]) -> bool {
    if !(1..=GAMES_MAX).contains(&game) {
        return false;
    }
    let first = (0..game).fold(*secret, |secret, _| Sha256::digest(secret).into());
    first == *commitment
}

/// Whether a revealed seed is the one that its seat committed to.
pub fn seed_fits(seed: &str, hash: &[u8; 32]) -> bool {
    seed_hash(seed) == *hash
}
