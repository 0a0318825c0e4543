//! What the operations take that live on a connection.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{MatchId, TalkRoom, Token};

/// What to do with a client that falls behind in a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OnLag {
    /// Send every event, at the client's own pace.
    #[default]
    Journal,
    /// Leave out what it missed and send a snapshot (notice `skipped`).
    Snapshot,
}

const fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_yes(value: &bool) -> bool {
    *value
}

macro_rules! requests {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(ToSchema))]
        #[serde(deny_unknown_fields)]
        pub struct $name { $($(#[$field_doc])* pub $field: $type,)* }
    )*};
}

requests! {
    /// Says who you are. Without a token you can watch.
    Hello {
        /// Your token.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<Token>,
    }
    /// Watches a match.
    Watch {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// The number of the last event that you have; you get those after it. Without it
        /// you get a snapshot, and the events after that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<u32>,
        /// What to do if you fall behind.
        #[serde(default)]
        on_lag: OnLag,
        /// Whether the event of a turn has the position after it; true if left out.
        #[serde(default = "yes", skip_serializing_if = "is_yes")]
        positions: bool,
        /// Whether you count among the spectators while you do not play; true if left out.
        #[serde(default = "yes", skip_serializing_if = "is_yes")]
        spectating: bool,
    }
    /// An operation on a match that takes nothing else.
    OfMatch {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
    }
    /// Turns the talk in a room of a match on or off.
    TalkSwitch {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// Where.
        room: TalkRoom,
        /// On or off; on if left out.
        #[serde(default = "yes", skip_serializing_if = "is_yes")]
        on: bool,
    }
    /// Turns a topic on or off.
    Switch {
        /// On or off.
        on: bool,
    }
}
