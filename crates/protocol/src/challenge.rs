//! Challenges to other players; followed players.

use lusoria_play::{ChallengesFrom, DeclineReason};
use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Clock, Game, GuestId, Handle, Hash, MatchId, Options, OtherPlayer, PlayAs};

const fn one() -> u16 {
    1
}

/// Challenges somebody to a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(
    feature = "schema",
    schema(example = json!({"to": "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f", "game": "tavla"}))
)]
pub struct CreateChallenge {
    /// The challenged player.
    pub to: GuestId,
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
    /// The clock. A challenge to a correspondence match is open for two weeks, one to a live match for as long as you
    /// listen to your own topic, and 60 seconds more.
    #[serde(default)]
    pub clock: Clock,
    /// The side that you play in the first game: `lot`, or a side by its name in the game.
    #[serde(default)]
    pub side: PlayAs,
    /// Whether the match changes the ratings of both players. Refused without a clock, with other options than
    /// the game's own, in zeno without `games`, and unless both players have accounts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// The SHA-256 of a seed for the dice, which you reveal in the match. If left out, the server draws one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_hash: Option<Hash>,
}

/// Accepts a challenge.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AcceptChallenge {
    /// The SHA-256 of a seed for the dice, which you reveal in the match. If left out, the server draws one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_hash: Option<Hash>,
}

/// Declines a challenge.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct DeclineChallenge {
    /// The reason, if you want to give one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<DeclineReason>,
}

/// A challenge that you sent or received.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Challenge {
    /// Its id, and that of the match if it is accepted.
    pub id: MatchId,
    /// The challenger. They take seat 1.
    pub from: OtherPlayer,
    /// Their handle; absent without an account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_handle: Option<Handle>,
    /// The challenged player.
    pub to: OtherPlayer,
    /// Their handle; absent without an account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_handle: Option<Handle>,
    /// The game.
    pub game: Game,
    /// Its options.
    pub options: Options,
    /// Points to win the match.
    pub points: u16,
    /// The number of games: 2 in a pair, in which the sides are exchanged; absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(minimum = 2, maximum = 2))]
    pub games: Option<u8>,
    /// The clock.
    pub clock: Clock,
    /// The side that the challenger plays in the first game.
    pub side: PlayAs,
    /// Whether it changes the ratings of both players; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// Its state.
    pub state: ChallengeState,
    /// The reason why it was declined; absent if none was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<DeclineReason>,
    /// The time of its creation.
    pub created_at: u64,
    /// The time at which it expires, unless the challenger renews it; after its end, the time at which it is deleted.
    pub expires_at: u64,
}

/// The state of a challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChallengeState {
    /// It is open.
    Waiting,
    /// It was accepted: there is a match with its id.
    Accepted,
    /// The challenged player declined it.
    Declined,
    /// The challenger withdrew it, or is playing another match.
    Withdrawn,
}

/// The challenges that you sent or received, the newest first: open ones, and those that ended in the last hour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ChallengeList {
    /// The challenges.
    pub challenges: Vec<Challenge>,
}

/// The challenges that you accept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ChallengeSettings {
    /// The challengers.
    pub from: ChallengesFrom,
    /// The games, each once; all if empty or left out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(max_items = 10))]
    pub games: Vec<Game>,
}

/// The people you follow, the latest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct FollowList {
    /// The players.
    pub followed: Vec<OtherPlayer>,
}
