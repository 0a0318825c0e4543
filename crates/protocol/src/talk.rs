//! Talk in a match, and settings for it.

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
    /// The room.
    pub room: TalkRoom,
    /// A phrase, shown in each reader's language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrase: Option<Phrase>,
    /// A text, where you may write one (`speech` of the talk).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<RemarkText>,
}

/// A remark in a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Remark {
    /// Its id; later remarks have greater ones.
    pub id: RemarkId,
    /// The match.
    #[serde(rename = "match")]
    pub of: MatchId,
    /// The room.
    pub room: TalkRoom,
    /// Its author.
    pub from: OtherPlayer,
    /// The time, in milliseconds since the epoch.
    pub said_at: u64,
    /// The name of a phrase. New ones may be added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrase: Option<Phrase>,
    /// A text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<RemarkText>,
}

/// The forms of remarks that somebody can write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Speech {
    /// Nothing.
    Nothing,
    /// Phrases.
    Phrases,
    /// Phrases and texts.
    Text,
}

/// The remarks in a room of a match, and the forms that you can write there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Talk {
    /// The last remarks that you may read, at most 100, the earliest first.
    pub remarks: Vec<Remark>,
    /// The forms that you can write now.
    pub speech: Speech,
    /// If it is less than `text`, the code with which a text would be refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Code>,
}

/// Your settings for talk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TalkSettings {
    /// Whether you write and read texts besides phrases, where the others do, too.
    pub text: bool,
    /// Whether your account is in children's mode.
    pub childrens_mode: bool,
    /// Whether the whole server is in children's mode.
    pub server_childrens_mode: bool,
    /// The forms of remarks that this server permits.
    pub server_speech: Speech,
    /// The reason why you cannot write or read texts now, if you cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_no_text: Option<WhyNoText>,
}

/// The reason why somebody cannot write or read texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum WhyNoText {
    /// The server does not permit texts.
    Server,
    /// You are a bot.
    Bot,
    /// You have no account.
    Guest,
    /// Your account is in children's mode.
    ChildrensMode,
    /// You have not switched texts on.
    NotSwitchedOn,
    /// Your account is younger than a day.
    NewAccount,
    /// You have finished fewer than five matches against people or bots.
    FewMatches,
}

/// Changes your settings for talk. Leaving children's mode needs `password` or `passkey`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SetTalkSettings {
    /// Whether you write and read texts besides phrases.
    pub text: bool,
    /// Whether your account is in children's mode.
    pub childrens_mode: bool,
    /// Your password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Password>,
    /// One of your passkeys, instead of the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkey: Option<PasskeyAnswer>,
}
