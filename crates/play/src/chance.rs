//! The random inputs of a match: dice, the lot, secrets and seeds.

use std::{fmt, str::FromStr};

use lusoria_rules::Die;
use serde::{Deserialize, Serialize};

use crate::Seat;

/// The source of chance that the server hands in (`lusoria-dice-v1`). The same arguments give the same
/// result, except for [`Chance::seed`].
pub trait Chance {
    /// The dice of a throw, in the order drawn.
    fn throw(&mut self, throw: Throw<'_>, dice: usize) -> Vec<Die>;
    /// The lot for colours in game `game` (from 1): the seat that takes White
    /// (in a tafl game the king).
    fn lot(&mut self, game: u16, seeds: (&Seed, &Seed)) -> Seat;
    /// The secret of game `game` (from 1), to be published in its last event.
    fn secret(&mut self, game: u16) -> Bytes32;
    /// A new seed for a seat that brought none.
    fn seed(&mut self) -> Seed;
    /// The hash with which a seat commits to this seed: SHA-256 of its text.
    fn seed_hash(&mut self, seed: &Seed) -> Bytes32;
}

/// A throw of the match.
#[derive(Debug, Clone, Copy)]
pub struct Throw<'a> {
    /// The game, from 1.
    pub game: u16,
    /// The throw within the game, from 0; every throw counts, tied opening throws too.
    pub index: u32,
    /// The seeds of seats 1 and 2.
    pub seeds: (&'a Seed, &'a Seed),
}

/// A player's seed for the dice: 1 to 64 printable ASCII characters without `|`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(utoipa::ToSchema),
    schema(
        as = PlayerSeed,
        value_type = String,
        min_length = 1,
        max_length = 64,
        pattern = r"^[ -{}~]+$",
        example = "alea iacta est"
    )
)]
#[serde(try_from = "String", into = "String")]
pub struct Seed(String);

impl Seed {
    /// The longest seed, in characters.
    pub const CHARS_MAX: usize = 64;

    /// The seed as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The text cannot be a seed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a seed has 1 to {} printable ASCII characters without \"|\"", Seed::CHARS_MAX)]
pub struct SeedError;

impl TryFrom<String> for Seed {
    type Error = SeedError;

    fn try_from(text: String) -> Result<Self, SeedError> {
        let printable = text.bytes().all(|b| (b' '..=b'~').contains(&b) && b != b'|');
        if (1..=Self::CHARS_MAX).contains(&text.len()) && printable { Ok(Self(text)) } else { Err(SeedError) }
    }
}

impl FromStr for Seed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        text.to_owned().try_into()
    }
}

impl From<Seed> for String {
    fn from(seed: Seed) -> Self {
        seed.0
    }
}

/// A SHA-256 hash, or 32 bytes that were secret: 64 lower-case hexadecimal digits.
// A commitment, the hash of a seed, or the secret of a game once it is revealed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(utoipa::ToSchema),
    schema(
        as = Hash,
        value_type = String,
        min_length = 64,
        max_length = 64,
        pattern = "^[0-9a-f]{64}$",
        example = "e2770e6e67abfda9c1bf43462d75eb96c0f340a23d470a175b769a3e787a769d"
    )
)]
#[serde(try_from = "String", into = "String")]
pub struct Bytes32(pub [u8; 32]);

impl fmt::Display for Bytes32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Bytes32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a hash has 64 lower-case hexadecimal digits")]
pub struct NotBytes32;

impl TryFrom<String> for Bytes32 {
    type Error = NotBytes32;

    fn try_from(text: String) -> Result<Self, NotBytes32> {
        text.parse()
    }
}

impl FromStr for Bytes32 {
    type Err = NotBytes32;

    fn from_str(text: &str) -> Result<Self, NotBytes32> {
        let digit = |b: u8| match b {
            b'0'..=b'9' => Ok(b - b'0'),
            b'a'..=b'f' => Ok(b - b'a' + 10),
            _ => Err(NotBytes32),
        };
        let mut bytes = [0; 32];
        if text.len() != 64 {
            return Err(NotBytes32);
        }
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Self(bytes))
    }
}

impl From<Bytes32> for String {
    fn from(bytes: Bytes32) -> Self {
        bytes.to_string()
    }
}
