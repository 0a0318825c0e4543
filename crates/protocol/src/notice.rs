//! Notices: messages that are not stored. They have no number, and a client can miss any of them without harm.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{
    Challenge, MatchCard, MatchId, Position, Remark, Seat, Seek, Snapshot, Step, TournamentId,
    TournamentPlayer, TvChannel,
};

/// A notice, on the WebSocket or as a line of a stream. New ones may be added within this version of the API: ignore
/// those that you do not know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(tag = "notice", rename_all = "snake_case")]
pub enum Notice {
    /// In a match that you watch: a player connected or disconnected.
    Presence {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// The seat.
        seat: Seat,
        /// Whether they are connected now.
        connected: bool,
    },
    /// In a match that you watch: the number of spectators has changed. Sent every two seconds at most.
    Spectators {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// The number of sockets and streams that watch it, without those of its players.
        count: u32,
    },
    /// In a match that you watch: a turn is being built.
    Building {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// The seat that builds it.
        seat: Seat,
        /// The number of the event that gave the turn.
        answers: u32,
        /// The steps so far.
        steps: Vec<Step>,
        /// The position after them.
        position: Position,
    },
    /// In a match that you watch with `on_lag: snapshot`: events were skipped because you fell behind.
    Skipped {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// The first skipped event.
        from: u32,
        /// The last skipped event.
        to: u32,
        /// The match after that event.
        snapshot: Box<Snapshot>,
    },
    /// In a talk room that you have switched on: a remark that you may read. If notices were dropped because you fell
    /// behind, each of the last remarks is sent again.
    Remark {
        /// The remark.
        remark: Box<Remark>,
    },
    /// In your own topic: a match waits for you.
    YourTurn {
        /// The match.
        #[serde(rename = "match")]
        card: Box<MatchCard>,
    },
    /// In your own topic: a match of yours changed without giving you the turn: somebody joined, made an offer, or it
    /// ended; in a correspondence match also if your turn was played, on another device or as a conditional turn.
    /// Also at the start of the stream, for each match with an offer to you.
    MatchChanged {
        /// The match.
        #[serde(rename = "match")]
        card: Box<MatchCard>,
    },
    /// In your own topic: a seek of yours was answered. Also at the start of the stream, for each of your seeks.
    Seek {
        /// The seek.
        seek: Box<Seek>,
    },
    /// In your own topic: a challenge that you sent or received was created, answered or withdrawn. Also at the start
    /// of the stream, for each of your challenges.
    Challenge {
        /// The challenge.
        challenge: Box<Challenge>,
    },
    /// In the lobby: a match waits for an opponent.
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
    /// In the stream of TV: a channel shows another match, or its match has ended. Also at the start of the stream,
    /// for each channel.
    TvSwitched {
        /// The channel now.
        channel: TvChannel,
    },
    /// In a tournament that you have switched on: it has changed. Sent once a second at most.
    TournamentChanged {
        /// The tournament.
        tournament: TournamentId,
        /// The number of its last event.
        head: u32,
    },
    /// In your own topic: a tournament needs you: your pairing waits for you to say that you are here, or your match
    /// was made. Also at the start of the stream, and when you turn the topic on, for a pairing of yours that waits for
    /// you until some time or whose live match has not ended.
    TournamentCall {
        /// The tournament.
        tournament: TournamentId,
        /// Its name.
        name: String,
        /// The round.
        round: u16,
        /// Your opponent.
        opponent: Box<TournamentPlayer>,
        /// Your match, once it is made.
        #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
        id: Option<MatchId>,
        /// Until when your pairing waits for you.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<u64>,
    },
    /// In your own topic: a tournament in which you played has ended.
    TournamentEnded {
        /// The tournament.
        tournament: TournamentId,
        /// Its name.
        name: String,
    },
    /// The server's time, sent with every keep-alive.
    Time {
        /// In milliseconds since the epoch.
        server_time: u64,
    },
}
