//! Reports, and sanctions by an operator.

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
    /// The reported guest: a player of the match, or the author of a remark in it.
    pub player: GuestId,
    /// The reason.
    pub reason: ReportReason,
    /// Your description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<ReportText>,
}

/// A report that you sent. Its outcome is not shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Report {
    /// Its id.
    pub id: ReportId,
    /// The match.
    #[serde(rename = "match")]
    pub of: MatchId,
    /// The reported player.
    pub player: GuestId,
    /// The time, in milliseconds since the epoch.
    pub made_at: u64,
}

/// Your report in the archive of your data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct OwnReport {
    /// Its id.
    pub id: ReportId,
    /// The match.
    #[serde(rename = "match")]
    pub of: MatchId,
    /// The reported player.
    pub player: OtherPlayer,
    /// The reason.
    pub reason: ReportReason,
    /// Your description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The time, in milliseconds since the epoch.
    pub made_at: u64,
}

/// Your sanctions, and the actions that are closed to you now.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Standing {
    /// Unread warnings, the latest first.
    pub warnings: Vec<Warning>,
    /// Your mute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub muted: Option<Sanction>,
    /// Your ban.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banned: Option<Sanction>,
    /// The time until which you are not paired in live matches, because you left some, in milliseconds since the
    /// epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unpaired_until: Option<u64>,
}

/// A warning by the operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Warning {
    /// Its id.
    pub id: SanctionId,
    /// The time, in milliseconds since the epoch.
    pub warned_at: u64,
    /// The operator's explanation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A mute or a ban.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Sanction {
    /// Its beginning, in milliseconds since the epoch.
    pub since: u64,
    /// Its end; absent if permanent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
    /// The operator's explanation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Marks your warnings as read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ReadWarnings {
    /// The latest warning that you have read.
    pub upto: SanctionId,
}

/// Your remarks, reports and sanctions, in the archive of your data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct OwnConduct {
    /// Your standing.
    pub standing: Standing,
    /// Your reports, the latest first.
    pub reports: Vec<OwnReport>,
    /// Live matches that you left in the last two weeks, with the times.
    pub left: Vec<LeftMatch>,
}

/// A live match that you left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct LeftMatch {
    /// The match.
    #[serde(rename = "match")]
    pub of: MatchId,
    /// The time, in milliseconds since the epoch.
    pub left_at: u64,
}
