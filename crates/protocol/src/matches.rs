//! Creating a match and taking a seat in it.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Admission, Clock, Computer, Game, Hash, OneTimeCode, Options, PlayAs, PlayerSeed, Snapshot};

const fn one() -> u16 {
    1
}

/// Creates a match and takes seat 1 of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(example = json!({"game": "zeno"})))]
pub struct CreateMatch {
    /// The game.
    pub game: Game,
    /// The game's options.
    #[serde(default)]
    pub options: Options,
    /// Points to win the match: 1 is a single game, more is a series.
    #[serde(default = "one")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 99, default = 1))]
    pub points: u16,
    /// A pair instead: 2 games with the sides exchanged, both of which are played. Each counts one point.
    /// Refused beside other `points` than 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(minimum = 2, maximum = 2))]
    pub games: Option<u8>,
    /// The clock.
    #[serde(default)]
    pub clock: Clock,
    /// The side that you play in the first game: `lot`, or a side by its name in the game.
    #[serde(default)]
    pub side: PlayAs,
    /// The admission: who may take seat 2.
    #[serde(default)]
    pub admission: Admission,
    /// Whether the match changes the ratings of both players. Refused without a clock, with other options than
    /// the game's own, in zeno without `games`, and unless both players have accounts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// The computer takes seat 2 at once. If left out, seat 2 is open to others. Refused where `admission` is
    /// `both_seats`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<Computer>,
    /// The computer takes seat 1 in your place. You watch, and may abort. Refused without `opponent`, and beside
    /// `seed_hash`: the server draws the seeds of both seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stand_in: Option<Computer>,
    /// The SHA-256 of a seed for the dice, which you reveal once seat 2 is taken. If left
    /// out, the server draws a seed for you. Refused beside `stand_in`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_hash: Option<Hash>,
}

/// A new match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Created {
    /// The match.
    #[serde(rename = "match")]
    pub created: Snapshot,
    /// The invitation to it, if one is needed. It is shown only once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<Invitation>,
}

/// An invitation: the guest who spends the code takes seat 2.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Invitation {
    /// The code. Put it into the fragment of a link (`…#code`), which browsers do not
    /// send to servers.
    pub code: OneTimeCode,
    /// The time at which it expires.
    pub expires_at: u64,
}

/// Takes seat 2 of an open match.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct JoinMatch {
    /// Your seed for the dice; if left out, the server draws one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<PlayerSeed>,
}

/// Takes seat 2 of the match to which a code invites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SpendInvitation {
    /// The code.
    pub code: OneTimeCode,
    /// Your seed for the dice; if left out, the server draws one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<PlayerSeed>,
}

/// Asks for the match to which a code invites, without spending the code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LookInvitation {
    /// The code.
    pub code: OneTimeCode,
}

/// Reveals the seed whose hash you sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RevealSeed {
    /// The seed.
    pub seed: PlayerSeed,
}
