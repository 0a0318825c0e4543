//! Talk beside a match, and how you talk.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Code, MatchId, OtherPlayer, PasskeyAnswer, Password, Phrase, RemarkId, RemarkText, TalkRoom};

/// Says something in a match: `phrase` or `text`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(example = json!({"room": "players", "phrase": "good_luck"})))]
pub struct Say {
    /// Where.
    pub room: TalkRoom,
    /// A phrase, which each reader has in their own language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrase: Option<Phrase>,
    /// Words of your own, where you may write them (`speech` of the talk).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<RemarkText>,
}

/// Something said in a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Remark {
    /// Its id; later remarks have greater ones.
    pub id: RemarkId,
    /// In which match.
    #[serde(rename = "match")]
    pub of: MatchId,
    /// Where.
    pub room: TalkRoom,
    /// Who said it.
    pub from: OtherPlayer,
    /// When, in milliseconds since the epoch.
    pub said_at: u64,
    /// The name of a phrase. There may be new ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrase: Option<Phrase>,
    /// Words of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<RemarkText>,
}

/// What somebody can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Speech {
    /// Nothing.
    Nothing,
    /// Phrases.
    Phrases,
    /// Phrases, and words of their own.
    Text,
}

/// What was said in a room of a match, and what you can say there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Talk {
    /// The last remarks that you may read, at most 100, the earliest first.
    pub remarks: Vec<Remark>,
    /// What you can say now.
    pub speech: Speech,
    /// Why not more, if it is less than `text`: the code with which that would be refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Code>,
}

/// How you talk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TalkSettings {
    /// Whether you write and read words beside phrases, where the others do, too.
    pub text: bool,
    /// Whether your account is in children's mode.
    pub childrens_mode: bool,
    /// Whether the whole server is in children's mode.
    pub server_childrens_mode: bool,
    /// What can be said on this server at most.
    pub server_speech: Speech,
    /// Why you do not write or read words now, if you do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_no_text: Option<WhyNoText>,
}

/// Why somebody neither writes nor reads words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum WhyNoText {
    /// The server permits phrases at most.
    Server,
    /// You are a bot.
    Bot,
    /// You have no account.
    Guest,
    /// Your account is in children's mode.
    ChildrensMode,
    /// You have not switched it on.
    NotSwitchedOn,
    /// Your account is younger than a day.
    NewAccount,
    /// You have finished fewer than five matches that were not against the computer.
    FewMatches,
}

/// Sets how you talk. Leaving children's mode needs `password` or `passkey`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SetTalkSettings {
    /// Whether you write and read words beside phrases.
    pub text: bool,
    /// Whether your account is in children's mode.
    pub childrens_mode: bool,
    /// Your password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Password>,
    /// In place of the password, one of your passkeys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkey: Option<PasskeyAnswer>,
}
