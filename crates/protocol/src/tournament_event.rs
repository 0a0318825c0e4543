//! The events of a tournament: everything that happens in it follows from them.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{
    Clock, Game, GuestId, MatchId, Options, Seat, ShownConditions, TournamentBracket, TournamentFormat,
    WhoEnters, WhyBye, WhyEnded,
};

/// A page of events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TournamentEvents {
    /// The number of the tournament's last event.
    pub head: u32,
    /// The events.
    pub events: Vec<TournamentEvent>,
}

/// An event of a tournament. Entrants, pairings and rounds have numbers; the tables say who they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TournamentEvent {
    /// Its number: 1, 2, 3 … without gaps.
    pub seq: u32,
    /// Its time.
    pub at: u64,
    /// What happened.
    #[serde(flatten)]
    pub event: TournamentEventKind,
}

/// What happened. New kinds may be added within this version of the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TournamentEventKind {
    /// It was announced.
    Created {
        /// Who organises it.
        organiser: GuestId,
        /// The settings.
        settings: Box<TournamentSettings>,
    },
    /// The organiser changed the settings.
    Edited {
        /// All of them, as they are now.
        settings: Box<TournamentSettings>,
    },
    /// The server's operator replaced the name or the description. Earlier events show those of now.
    TextsReplaced {
        /// The name, as it is now.
        name: String,
        /// The description, as it is now.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        description: String,
    },
    /// A player entered, or came again.
    Entered {
        /// Their number.
        entrant: u16,
        /// The player.
        player: GuestId,
        /// Their rating.
        rating: u16,
        /// Half points for the rounds of a Swiss that were paired before; absent if none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        half_points: Option<u8>,
    },
    /// An entrant is at the board. Ends a pause and an absence.
    Here {
        /// The entrant.
        entrant: u16,
        /// Until when that counts.
        until: u64,
    },
    /// An entrant paused.
    Paused {
        /// The entrant.
        entrant: u16,
    },
    /// An entrant withdrew.
    Withdrew {
        /// The entrant.
        entrant: u16,
    },
    /// An entrant asked for a bye.
    ByeAsked {
        /// The entrant.
        entrant: u16,
        /// The round.
        round: u16,
    },
    /// An entrant was excluded.
    Excluded {
        /// The entrant.
        entrant: u16,
        /// By whom.
        by: WhoExcluded,
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// It started.
    Began {
        /// The number of rounds; 0 of an arena.
        rounds: u16,
        /// Those who take part from the start: seeds, numbers in the Berger tables, or ranks.
        order: Vec<u16>,
        /// Entrants who had not checked in.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        absent: Vec<u16>,
    },
    /// A round, or a wave of an arena, was paired.
    RoundPaired {
        /// From 1.
        round: u16,
        /// Its pairings.
        pairings: Vec<EventPairing>,
        /// Who is not paired.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        byes: Vec<EventBye>,
        /// Whether the organiser paired it; absent if not.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_hand: bool,
    },
    /// Both entrants of these pairings are there: their matches are made.
    Seated {
        /// The pairings.
        pairings: Vec<u32>,
    },
    /// A match was made.
    MatchBegan {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
    },
    /// A match ended.
    MatchEnded {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// How.
        end: PairingEnd,
        /// The winner's seat, or the seat that did not play.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
    },
    /// A pairing was decided without a match that decides it.
    Forfeited {
        /// The pairing.
        pairing: u32,
        /// Who was not there.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        absent: Vec<u16>,
        /// Who gets the points, or goes on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        winner: Option<u16>,
    },
    /// A pairing is to be played again: its match was drawn in a knock-out, or aborted.
    Again {
        /// The pairing.
        pairing: u32,
        /// Its next match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// Who takes seat 1 in it.
        first: u16,
    },
    /// The organiser decided a pairing.
    ResultSet {
        /// The pairing.
        pairing: u32,
        /// The half points of its first and second entrant.
        half_points: [u8; 2],
        /// The reason.
        reason: String,
    },
    /// The organiser stopped it.
    Stopped {
        /// The reason.
        reason: String,
    },
    /// It goes on.
    Resumed {},
    /// The server was not running: every open deadline moved.
    Credited {
        /// By how much.
        by_ms: u64,
    },
    /// It ended.
    Ended {
        /// Why.
        why: WhyEnded,
        /// The reason that was given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

/// The settings of a tournament, as everybody sees them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TournamentSettings {
    /// Its name.
    pub name: String,
    /// Its description.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// How entrants are paired.
    pub format: TournamentFormat,
    /// The game.
    pub game: Game,
    /// Its options.
    pub options: Options,
    /// Points to win each match.
    pub points: u16,
    /// 2 if each match is a pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u8>,
    /// The clock of each match.
    pub clock: Clock,
    /// Whether the matches change ratings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// When it begins.
    pub begins_at: u64,
    /// How long a live pairing waits for both entrants.
    pub wait_ms: u64,
    /// Whether lists show it.
    pub listed: bool,
    /// People, bots or both.
    pub who: WhoEnters,
    /// The most entrants.
    pub entrants_max: u16,
    /// Whether entering takes a code.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_code: bool,
    /// Who else may enter.
    pub conditions: ShownConditions,
}

/// Who excluded an entrant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum WhoExcluded {
    /// The organiser.
    Organiser,
    /// The server's operator.
    Operator,
    /// The server: their account is blocked or erased.
    Server,
}

/// A new pairing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct EventPairing {
    /// Its number.
    pub pairing: u32,
    /// Its board.
    pub board: u16,
    /// Takes seat 1 and plays White first.
    pub first: u16,
    /// Takes seat 2.
    pub second: u16,
    /// The id of its match, which may not be made yet.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// Its bracket in a knock-out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bracket: Option<TournamentBracket>,
    /// Its place in the bracket's round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<u16>,
}

/// An entrant who is not paired in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct EventBye {
    /// The entrant.
    pub entrant: u16,
    /// 0 to 2 half points.
    pub half_points: u8,
    /// Why.
    pub why: WhyBye,
}

/// How the match of a pairing ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PairingEnd {
    /// Won by `seat`.
    Won,
    /// Drawn.
    Drawn,
    /// Aborted, because `seat` did not play.
    NoShow,
    /// Aborted by nobody at the board.
    Aborted,
}
