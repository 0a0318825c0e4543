//! Reports, and what an operator has imposed on you.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{GuestId, MatchId, OtherPlayer, ReportId, ReportReason, ReportText, SanctionId};

/// Reports somebody in a match to the server's operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(
    feature = "schema",
    schema(example = json!({"player": "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f", "reason": "abuse"}))
)]
pub struct CreateReport {
    /// Whom: a player of the match, or somebody who has said something in it.
    pub player: GuestId,
    /// What for.
    pub reason: ReportReason,
    /// What happened, in your words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<ReportText>,
}

/// A report that you made. What comes of it is not told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Report {
    /// Its id.
    pub id: ReportId,
    /// In which match.
    #[serde(rename = "match")]
    pub of: MatchId,
    /// Whom.
    pub player: GuestId,
    /// When, in milliseconds since the epoch.
    pub made_at: u64,
}

/// Your report as your own data has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct OwnReport {
    /// Its id.
    pub id: ReportId,
    /// In which match.
    #[serde(rename = "match")]
    pub of: MatchId,
    /// Whom.
    pub player: OtherPlayer,
    /// What for.
    pub reason: ReportReason,
    /// What you wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// When, in milliseconds since the epoch.
    pub made_at: u64,
}

/// What the operator has imposed on you, and from what you are kept for now.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Standing {
    /// Warnings that you have not read, the latest first.
    pub warnings: Vec<Warning>,
    /// That you do not talk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub muted: Option<Sanction>,
    /// That you neither play nor talk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banned: Option<Sanction>,
    /// Until when you are not paired in live matches, because you have left some, in milliseconds since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unpaired_until: Option<u64>,
}

/// Something that the operator tells you once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Warning {
    /// Its id.
    pub id: SanctionId,
    /// When, in milliseconds since the epoch.
    pub warned_at: u64,
    /// What the operator says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A mute or a ban.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Sanction {
    /// Since when, in milliseconds since the epoch.
    pub since: u64,
    /// Until when; absent if for good.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
    /// What the operator says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Says that you have read your warnings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ReadWarnings {
    /// Up to this one.
    pub upto: SanctionId,
}

/// What you have said, whom you have reported, and what was imposed on you, in your own data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct OwnConduct {
    /// How you stand.
    pub standing: Standing,
    /// Your reports, the latest first.
    pub reports: Vec<OwnReport>,
    /// Live matches that you have left in the last two weeks, with when.
    pub left: Vec<LeftMatch>,
}

/// A live match that you have left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct LeftMatch {
    /// Which.
    #[serde(rename = "match")]
    pub of: MatchId,
    /// When, in milliseconds since the epoch.
    pub left_at: u64,
}
