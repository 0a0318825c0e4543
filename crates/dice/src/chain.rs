//! Secrets and their hash chain.

use sha2::{Digest, Sha256};

/// The number of secrets in a chain, and so the greatest number of a game.
pub const GAMES_MAX: u16 = 1024;

/// Thirty-two bytes that must stay secret until the end of their game.
///
/// The type can be neither printed, compared, copied nor serialised; only [`Secret::reveal`] gives the bytes,
/// so a search for that word finds every use.
///
/// ```compile_fail
/// println!("{:?}", lusoria_dice::Secret::new([0; 32]));
/// ```
/// ```compile_fail
/// let _ = lusoria_dice::Secret::new([0; 32]).clone();
/// ```
pub struct Secret([u8; 32]);

impl Secret {
    /// The secret with these bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes: for the table of secrets, or to publish the secret of a finished game.
    pub const fn reveal(&self) -> &[u8; 32] {
        &self.0
    }

    /// The chain of which this is the last secret, `s[1024]`.
    pub const fn chain(self) -> Chain {
        Chain { last: self }
    }

    /// The secret before this one in its chain.
    fn earlier(&self) -> Self {
        Self(Sha256::digest(self.0).into())
    }
}

/// The secrets of a match, `s[0]` to `s[1024]`.
pub struct Chain {
    last: Secret,
}

impl Chain {
    /// `s[game]`, the secret of game `game`; none above [`GAMES_MAX`]. Costs
    /// `1024 − game` hashes, so keep it for the game.
    pub fn secret(&self, game: u16) -> Option<Secret> {
        let steps = GAMES_MAX.checked_sub(game)?;
        Some((0..steps).fold(Secret(self.last.0), |secret, _| secret.earlier()))
    }

    /// `s[1]`, and `s[0]`, published when the match is created.
    pub fn beginning(&self) -> (Secret, [u8; 32]) {
        let first = (1..GAMES_MAX).fold(Secret(self.last.0), |secret, _| secret.earlier());
        let commitment = first.earlier().0;
        (first, commitment)
    }

    /// `s[0]`.
    pub fn commitment(&self) -> [u8; 32] {
        self.beginning().1
    }
}

/// The hash with which a seat commits to a seed that it reveals later: SHA-256 of the seed's text.
pub fn seed_hash(seed: &str) -> [u8; 32] {
    Sha256::digest(seed).into()
}
