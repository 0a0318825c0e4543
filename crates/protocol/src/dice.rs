//! The public data of the dice (`lusoria-dice-v1`).

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Hash, PlayerSeed, Seated};

/// The scheme of the dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub enum Scheme {
    /// Described at `/api/v1/dice` and in docs/dice.md.
    #[default]
    #[serde(rename = "lusoria-dice-v1")]
    LusoriaDiceV1,
}

/// The seed of a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SeatSeed {
    /// The player chose it.
    Brought {
        /// The seed.
        seed: PlayerSeed,
    },
    /// The server drew it, because the player chose none.
    Drawn {
        /// The seed.
        seed: PlayerSeed,
    },
    /// The player has committed to a seed that is not revealed yet.
    Committed {
        /// The SHA-256 of the seed.
        seed_hash: Hash,
    },
}

/// The public data of a match's dice. Keep the commitment: with it, the seeds, and the secrets that are published
/// when games end, anyone can compute every throw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct DiceView {
    /// The scheme.
    pub scheme: Scheme,
    /// `s[0]`, published before any seed was known.
    pub commitment: Hash,
    /// The known seeds of the seats.
    pub seeds: Seated<SeatSeed>,
}
