//! Resigning, aborting, claiming, taking back, and offers of a draw or a rematch.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::Hash;

/// Resigns.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// The part that is resigned.
    #[serde(default)]
    pub scope: ResignScope,
}

/// The part that a resignation concedes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ResignScope {
    /// This game.
    #[default]
    Game,
    /// The whole match.
    Match,
}

/// Takes back your last turn, and everything since: against the computer at once, against a person once they accept
/// your offer. An offer, once for each turn, lapses when anybody plays a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(example = json!({"seq": 12})))]
pub struct Takeback {
    /// The number of the event in which you played that turn; to answer, the one in which the opponent played theirs.
    pub seq: u32,
    /// The action; against the computer only `offer`.
    #[serde(default)]
    pub action: OfferAction,
}

/// Ends the match without a result: as the creator while nobody has joined, else until
/// both sides have made their first turn.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Abort {}

/// In a match without a clock, claims the game because the opponent is away.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Claim {}

/// An action on an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OfferAction {
    /// Makes an offer. If the opponent has made it already, this accepts it.
    #[default]
    Offer,
    /// Accepts the opponent's offer.
    Accept,
    /// Declines the opponent's offer.
    Decline,
}

/// Offers a draw of this game, once per turn of the offerer, or answers an offer. It lapses
/// when the opponent plays their next turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(example = json!({"action": "offer"})))]
pub struct Draw {
    /// The action.
    pub action: OfferAction,
}

/// Offers to play again with changed sides after the match has ended, or answers an offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(example = json!({"action": "offer"})))]
pub struct Rematch {
    /// The action.
    pub action: OfferAction,
    /// The SHA-256 of a seed that you reveal in the new match; if left out, the server draws one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_hash: Option<Hash>,
}
