//! Scopes: what an API token may do.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

macro_rules! scopes {
    ($($(#[doc = $doc:literal])+ $name:ident $text:tt,)+) => {
        /// What an API token may do beyond what everybody may.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(ToSchema))]
        pub enum Scope {
            $($(#[doc = $doc])+ #[serde(rename = $text)] $name,)+
        }

        impl Scope {
            /// All there are.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Its name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// What it permits.
            pub const fn description(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc),+),)+ }
            }
        }
    };
}

scopes! {
    /// Reads your account.
    AccountRead "account:read",
    /// Lists your matches, hears what waits for you, and sees matches as their player does.
    MatchRead "match:read",
    /// Plays as you: makes and joins matches and does all that their players do. Includes `match:read`. Only for people.
    MatchPlay "match:play",
    /// The same for an account that is a bot's. Only for bots.
    BotPlay "bot:play",
    /// Seeks opponents for you, lists your seeks and withdraws them.
    SeekWrite "seek:write",
    /// Lists the challenges that you made or got, and reads which you take.
    ChallengeRead "challenge:read",
    /// Challenges people for you, answers challenges and withdraws yours. Includes `challenge:read`.
    ChallengeWrite "challenge:write",
    /// Sets which challenges you take.
    PreferenceWrite "preference:write",
    /// Lists those whom you follow or have blocked.
    FollowRead "follow:read",
    /// Follows and blocks people for you. Includes `follow:read`.
    FollowWrite "follow:write",
    /// Talks for you in matches, and reads what you may read there.
    TalkWrite "talk:write",
    /// Reports people to the server's operator for you.
    ReportWrite "report:write",
    /// Has you told by push messages of what waits for you, lists where, and ends that.
    NotifyWrite "notify:write",
}
