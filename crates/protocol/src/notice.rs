//! Notices: what need not last. They have no number, and nothing depends on having seen one.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Challenge, MatchCard, MatchId, Position, Remark, Seat, Seek, Snapshot, Step, TvChannel};

/// A notice, on the WebSocket or as a line of the lobby's stream or your own. New ones may be added within this version of the API: ignore
/// those that you do not know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(tag = "notice", rename_all = "snake_case")]
pub enum Notice {
    /// In a match that you watch: a player came or left.
    Presence {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// Who.
        seat: Seat,
        /// Whether they are connected now.
        connected: bool,
    },
    /// In a match that you watch: how many watch it without playing in it has changed. Told every two seconds at
    /// most.
    Spectators {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// How many sockets and streams of people who do not play in it watch it.
        count: u32,
    },
    /// In a match that you watch: a turn is being built.
    Building {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// Who builds it.
        seat: Seat,
        /// The number of the event that gave the turn.
        answers: u32,
        /// The steps so far.
        steps: Vec<Step>,
        /// The position after them.
        position: Position,
    },
    /// In a match that you watch with `on_lag: snapshot`: events were left out because you
    /// fell behind.
    Skipped {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// The first event that was left out.
        from: u32,
        /// The last one.
        to: u32,
        /// The match after that one.
        snapshot: Box<Snapshot>,
    },
    /// In the talk of a match that you have turned on: somebody said something that you may read. Also after notices were
    /// left out because you fell behind, for each of the last remarks.
    Remark {
        /// What was said.
        remark: Box<Remark>,
    },
    /// In your own topic: a match waits for you.
    YourTurn {
        /// The match.
        #[serde(rename = "match")]
        card: Box<MatchCard>,
    },
    /// In your own topic: something happened in a match of yours that does not make it your
    /// turn: somebody joined, an offer was made, it ended; in a match by days also that your turn was
    /// played, on another device or as a conditional turn. Also when the stream begins, for each
    /// match in which something is offered to you.
    MatchChanged {
        /// The match.
        #[serde(rename = "match")]
        card: Box<MatchCard>,
    },
    /// In your own topic: a seek of yours was answered. Also when the stream begins, for each of your seeks.
    Seek {
        /// The seek.
        seek: Box<Seek>,
    },
    /// In your own topic: a challenge that you made or got, when it is made, answered or withdrawn. Also when the stream
    /// begins, for each of your challenges.
    Challenge {
        /// The challenge.
        challenge: Box<Challenge>,
    },
    /// In the lobby: a match waits for somebody to join.
    Opened {
        /// The match.
        #[serde(rename = "match")]
        card: Box<MatchCard>,
    },
    /// In the lobby: a match no longer waits.
    Closed {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
    },
    /// In the stream of TV: a channel shows another match, or its match has ended. Also when the stream begins, for each
    /// channel.
    TvSwitched {
        /// What it shows now.
        channel: TvChannel,
    },
    /// The server's time, sent with every keep-alive.
    Time {
        /// In milliseconds since the epoch.
        server_time: u64,
    },
}
