//! What those operations of the socket take that have no body of their own over HTTP.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Cursor, Game, MatchId, MatchStage, SeekId, SessionId, TalkRoom, Token};

/// What to do with a client that falls behind in a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
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
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
    /// Asks for the record of a match.
    RecordOf {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// Whether with its analysis, if that is ready.
        #[serde(default)]
        analysis: bool,
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
    /// An operation on a session of yours.
    OfSession {
        /// The session.
        session: SessionId,
    }
    /// An operation on a seek of yours.
    OfSeek {
        /// The seek.
        seek: SeekId,
    }
    /// An operation on a challenge of yours.
    OfChallenge {
        /// The challenge.
        challenge: MatchId,
    }
    /// An operation on a game of the catalogue.
    GameNamed {
        /// The game.
        game: Game,
    }
    /// Turns a topic on or off.
    Switch {
        /// On or off.
        on: bool,
    }
    /// Asks for a page of events.
    EventsOf {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// The number of the last event that you have; you get those after it.
        #[serde(default)]
        since: u32,
        /// How many at most, 1 to 1000; 100 if left out. A message has 200 at most.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(minimum = 1, maximum = 1000)]
        limit: Option<u32>,
        /// Whether the event of a turn has the position after it; true if left out.
        #[serde(default = "yes", skip_serializing_if = "is_yes")]
        positions: bool,
    }
    /// Asks for a page of public matches.
    ListMatches {
        /// Where they stand; `open` if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<MatchStage>,
        /// Of which game; all if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<Game>,
        /// Where the page begins: `next` of the page before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cursor: Option<Cursor>,
        /// How many at most, 1 to 100; 20 if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(minimum = 1, maximum = 100)]
        limit: Option<u32>,
    }
    /// Asks for a page of your own matches.
    ListMine {
        /// Where they stand; all if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<MatchStage>,
        /// Where the page begins: `next` of the page before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cursor: Option<Cursor>,
        /// How many at most, 1 to 100; 20 if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(minimum = 1, maximum = 100)]
        limit: Option<u32>,
    }
}
