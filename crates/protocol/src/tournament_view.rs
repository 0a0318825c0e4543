//! Tournaments: what everybody sees of one, and what concerns the caller.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{
    Clock, Cursor, Game, GuestId, Handle, MatchId, Name, Options, PlayerKind, TournamentFormat, TournamentId,
    TournamentPairing, WhoEnters,
};

/// A player in a tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TournamentPlayer {
    /// Their id.
    pub id: GuestId,
    /// Their name.
    pub name: Name,
    /// A person or a bot.
    pub kind: PlayerKind,
    /// Their handle; absent if their account is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handle: Option<Handle>,
}

/// The tournament that a match belongs to; only if lists show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct OfTournament {
    /// Its id.
    pub id: TournamentId,
    /// Its name.
    pub name: String,
}

/// Where a tournament is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TournamentPhase {
    /// It has not begun.
    Announced,
    /// It begins within 15 minutes; the entrants of a live Swiss or knock-out say that they are here.
    CheckIn,
    /// It has begun.
    Running,
    /// The organiser has stopped it.
    Stopped,
    /// It has ended.
    Ended,
}

/// A tournament in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TournamentCard {
    /// Its id.
    pub id: TournamentId,
    /// The number of its last event.
    pub head: u32,
    /// Its name.
    pub name: String,
    /// How entrants are paired.
    pub format: TournamentFormat,
    /// The game.
    pub game: Game,
    /// Its options.
    pub options: Options,
    /// Points to win each match.
    pub points: u16,
    /// 2 if each match is a pair; absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(minimum = 2, maximum = 2))]
    pub games: Option<u8>,
    /// The clock of each match.
    pub clock: Clock,
    /// Whether the matches change ratings; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// Whether lists show it.
    pub listed: bool,
    /// Where it is.
    pub phase: TournamentPhase,
    /// When it begins or began.
    pub begins_at: u64,
    /// When check-in opens; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_in_at: Option<u64>,
    /// When an arena or a round robin ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<u64>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<u64>,
    /// The last round that was paired, from 1; waves of an arena are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u16>,
    /// The number of rounds, once it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u16>,
    /// The number of entrants, without those who have left before the start.
    pub entrants: u16,
    /// The most entrants.
    pub entrants_max: u16,
    /// Who may enter: people, bots or both.
    pub who: WhoEnters,
    /// Whether entering takes a code.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_code: bool,
    /// Who organises it.
    pub organiser: TournamentPlayer,
    /// Who won, once it was played to the end; absent if several share the first place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<TournamentPlayer>,
}

/// A page of tournaments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TournamentList {
    /// The tournaments.
    pub tournaments: Vec<TournamentCard>,
    /// The beginning of the next page; absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Cursor>,
}

/// A tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Tournament {
    /// What lists show.
    #[serde(flatten)]
    pub card: TournamentCard,
    /// What entrants should know, in plain text with line breaks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// How long a live pairing of a Swiss or a knock-out waits for both entrants.
    pub wait_ms: u64,
    /// Who may enter.
    pub conditions: ShownConditions,
    /// Why it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<WhyEnded>,
    /// The reason that was given when it was stopped or ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When the next round of a Swiss with fixed times starts, if no board is being played then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_round_at: Option<u64>,
    /// How many matches are being played now.
    pub playing: u32,
    /// The best boards being played now, at most 4.
    pub best: Vec<TournamentPairing>,
    /// What concerns you; absent without a token, or if you neither play nor may do anything here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub you: Option<YouInTournament>,
}

/// Who may enter, as everybody sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ShownConditions {
    /// How many rated matches of this game and pace they must have ended.
    pub rated_matches_min: u32,
    /// The lowest rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_min: Option<u16>,
    /// The highest rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_max: Option<u16>,
    /// How old their account must be.
    pub account_age_ms_min: u64,
    /// How many players are on the list of those who may enter; absent if there is no list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<u16>,
}

/// Why a tournament ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum WhyEnded {
    /// It was played to the end.
    Finished,
    /// Too few were there at the start.
    TooFew,
    /// The organiser ended it.
    Organiser,
    /// The server's operator ended it.
    Operator,
}

/// What concerns you in a tournament.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct YouInTournament {
    /// Your number, if you have entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entrant: Option<u16>,
    /// Whether you are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<EntrantPresence>,
    /// Until when you count as here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub here_until: Option<u64>,
    /// Why you were excluded, if a reason was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Your place, once it has begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<u16>,
    /// Your half points, once it has begun; points of an arena.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half_points: Option<u16>,
    /// Your pairing that is not decided; the one being played if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairing: Option<YourPairing>,
    /// Your bye in the last round that was paired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bye: Option<YourBye>,
    /// The rounds to come for which you have asked for a bye.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<u16>,
    /// The commands that may succeed now: of entrants, and of the organiser.
    pub may: Vec<TournamentCommandName>,
    /// Who is on the list of those who may enter; for the organiser only, absent if there is no list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<TournamentPlayer>,
}

/// Whether an entrant is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum EntrantPresence {
    /// Their match is being played.
    Playing,
    /// They are at the board, ready to play.
    Here,
    /// They take part, and have not said lately that they are here.
    Away,
    /// They were not there, and are not paired until they say that they are here.
    Absent,
    /// They have paused.
    Paused,
    /// They are out of the knock-out.
    Out,
    /// They have withdrawn.
    Withdrawn,
    /// They were excluded.
    Excluded,
}

/// Your pairing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct YourPairing {
    /// Its number.
    pub pairing: u32,
    /// Its round.
    pub round: u16,
    /// Your opponent.
    pub opponent: TournamentPlayer,
    /// Your match, once it is made.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    pub match_id: Option<MatchId>,
    /// Until when it waits for both of you; absent if it does not, or waits without a limit of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
    /// Whether you count as here.
    pub is_here: bool,
    /// Whether your opponent does.
    pub opponent_here: bool,
}

/// Your bye.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct YourBye {
    /// The round.
    pub round: u16,
    /// Why.
    pub why: WhyBye,
}

/// Why an entrant is not paired in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum WhyBye {
    /// There was an odd number of entrants.
    Odd,
    /// They asked for it.
    Asked,
    /// They entered after the round had been paired.
    Late,
    /// They were not there, or had paused.
    Absent,
    /// A top seed of a knock-out goes on without a match.
    Top,
}

/// The name of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TournamentCommandName {
    /// Of an entrant.
    Enter,
    /// Of an entrant.
    Here,
    /// Of an entrant.
    Pause,
    /// Of an entrant.
    Withdraw,
    /// Of an entrant.
    AskBye,
    /// Of the organiser: `PATCH`.
    Edit,
    /// Of the organiser.
    Start,
    /// Of the organiser.
    Stop,
    /// Of the organiser.
    Resume,
    /// Of the organiser.
    NextRound,
    /// Of the organiser.
    Pair,
    /// Of the organiser.
    SetResult,
    /// Of the organiser.
    Exclude,
    /// Of the organiser.
    End,
}
