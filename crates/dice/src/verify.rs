//! Checking a match from what was published: the commitment, the seeds, and the
//! secret of a game that has ended.

use sha2::{Digest, Sha256};

use crate::{GAMES_MAX, Game, Secret, lot, seed_hash, throw};

/// What a record claims about the dice of one game.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// The match, the game and the seeds.
    pub game: Game<'a>,
    /// `s[0]`, as published before the first throw.
    pub commitment: [u8; 32],
    /// `s[g]`, as published after the last.
    pub secret: [u8; 32],
    /// The throws, from number 0: the dice of each in the order drawn. How many dice
    /// a throw must have is the game's affair.
    pub throws: &'a [Vec<u8>],
    /// The seat, 1 or 2, that took White by lot; none if colours were not drawn.
    pub lot: Option<u8>,
}

/// Why the dice of a game are not what the scheme gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mismatch {
    /// The secret does not lead down to the commitment.
    Secret,
    /// A throw differs from the recomputed one.
    Throw {
        /// Which throw, from 0.
        index: u32,
        /// What the scheme gives.
        expected: Vec<u8>,
        /// What the record says.
        recorded: Vec<u8>,
    },
    /// The lot differs from the recomputed one.
    Lot {
        /// The seat that the scheme gives White.
        expected: u8,
        /// The seat that the record gives White.
        recorded: u8,
    },
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Secret => f.write_str("the secret does not lead to the commitment"),
            Self::Throw { index, expected, recorded } => {
                write!(f, "throw {index} must be {expected:?}, but {recorded:?} is recorded")
            }
            Self::Lot { expected, recorded } => {
                write!(f, "the lot gives White to seat {expected}, but seat {recorded} is recorded")
            }
        }
    }
}

impl std::error::Error for Mismatch {}

impl Claim<'_> {
    /// Recomputes everything.
    ///
    /// # Errors
    /// The first thing that differs.
    pub fn check(&self) -> Result<(), Mismatch> {
        if !secret_fits(self.game.number, &self.secret, &self.commitment) {
            return Err(Mismatch::Secret);
        }
        let secret = Secret::new(self.secret);
        if let Some(recorded) = self.lot {
            let expected = lot(&secret, self.game);
            if expected != recorded {
                return Err(Mismatch::Lot { expected, recorded });
            }
        }
        for (index, recorded) in (0..).zip(self.throws) {
            let expected = throw(&secret, self.game, index, recorded.len());
            if expected != *recorded {
                return Err(Mismatch::Throw { index, expected, recorded: recorded.clone() });
            }
        }
        Ok(())
    }
}

/// Whether `secret` is the secret of game `game` under the commitment `s[0]`:
/// hashed `game` times it gives the commitment.
pub fn secret_fits(game: u16, secret: &[u8; 32], commitment: &[u8; 32]) -> bool {
    let first = (0..game).fold(*secret, |secret, _| Sha256::digest(secret).into());
    (1..=GAMES_MAX).contains(&game) && first == *commitment
}

/// Whether a revealed seed is the one that its seat committed to.
pub fn seed_fits(seed: &str, hash: &[u8; 32]) -> bool {
    seed_hash(seed) == *hash
}
