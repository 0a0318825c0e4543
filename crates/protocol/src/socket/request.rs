//! The requests of a connection's own operations.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{MatchId, TalkRoom, Token, TournamentId};

/// The treatment of a client that falls behind in a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OnLag {
    /// Sends every event, at the client's own pace.
    #[default]
    Journal,
    /// Skips the missed events and sends a snapshot (notice `skipped`).
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
    /// Identifies you. Without a token you can only watch and read.
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
        /// The number of the last event that you have; you receive the later ones. Without it you receive a snapshot,
        /// and the events after it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<u32>,
        /// The treatment if you fall behind.
        #[serde(default)]
        on_lag: OnLag,
        /// Whether the event of a turn has the position after it; true if left out.
        #[serde(default = "yes", skip_serializing_if = "is_yes")]
        positions: bool,
        /// Whether you count among the spectators while you do not play; true if left out.
        #[serde(default = "yes", skip_serializing_if = "is_yes")]
        spectating: bool,
    }
    /// An operation on a match without other fields.
    OfMatch {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
    }
    /// Switches the talk in a room of a match on or off.
    TalkSwitch {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// The room.
        room: TalkRoom,
        /// On or off; on if left out.
        #[serde(default = "yes", skip_serializing_if = "is_yes")]
        on: bool,
    }
    /// Switches the notices of a tournament's changes on or off.
    TournamentSwitch {
        /// The tournament.
        tournament: TournamentId,
        /// On or off; on if left out.
        #[serde(default = "yes", skip_serializing_if = "is_yes")]
        on: bool,
    }
    /// Switches a topic on or off.
    Switch {
        /// On or off.
        on: bool,
    }
}
