//! Scopes: the permissions of an API token.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

macro_rules! scopes {
    ($($(#[doc = $doc:literal])+ $name:ident $text:tt,)+) => {
        /// A permission of an API token beyond public access.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(ToSchema))]
        pub enum Scope {
            $($(#[doc = $doc])+ #[serde(rename = $text)] $name,)+
        }

        impl Scope {
            /// All scopes.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Its name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// Its description.
            pub const fn description(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc),+),)+ }
            }
        }
    };
}

scopes! {
    /// Reads your account.
    AccountRead "account:read",
    /// Lists your matches, receives notices about them, and sees matches as their player does.
    MatchRead "match:read",
    /// Plays as you: creates and joins matches, and acts in them as a player. Includes `match:read`. Only for people.
    MatchPlay "match:play",
    /// The same for an account that is a bot's. Only for bots.
    BotPlay "bot:play",
    /// Seeks opponents for you, lists your seeks and withdraws them.
    SeekWrite "seek:write",
    /// Lists the challenges that you sent or received, and reads which you accept.
    ChallengeRead "challenge:read",
    /// Challenges people for you, answers challenges and withdraws yours. Includes `challenge:read`.
    ChallengeWrite "challenge:write",
    /// Sets which challenges you accept.
    PreferenceWrite "preference:write",
    /// Lists the people you follow or have blocked.
    FollowRead "follow:read",
    /// Follows and blocks people for you. Includes `follow:read`.
    FollowWrite "follow:write",
    /// Organises tournaments for you, and enters, checks in, pauses and withdraws for you.
    TournamentWrite "tournament:write",
    /// Talks for you in matches, and reads the talk that you can read.
    TalkWrite "talk:write",
    /// Reports people to the server's operator for you.
    ReportWrite "report:write",
    /// Creates, lists and removes your push subscriptions.
    NotifyWrite "notify:write",
}
