//! The tables of a tournament: entrants, standings, pairings, and the standings without luck.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{EntrantPresence, MatchId, TournamentPlayer, WhyBye};

/// The entrants, in order of entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct EntrantList {
    /// The number of the tournament's last event.
    pub head: u32,
    /// The entrants.
    pub entrants: Vec<ShownEntrant>,
}

/// An entrant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ShownEntrant {
    /// Their number: 1, 2, 3 … in order of entry.
    pub entrant: u16,
    /// The player.
    pub player: TournamentPlayer,
    /// Their rating at entry.
    pub rating: u16,
    /// Whether they are there.
    pub state: EntrantPresence,
}

/// The standings, the first place first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Standings {
    /// The number of the tournament's last event.
    pub head: u32,
    /// The tie-breaks of `ties`, the first one first.
    pub ties: Vec<TieBreak>,
    /// The rows.
    pub standings: Vec<StandingRow>,
}

/// A tie-break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// The half points against those with as many points; nothing if not all of them met.
    DirectEncounter,
    /// The half points of the opponents, without the lowest.
    #[serde(rename = "buchholz_cut_1")]
    BuchholzCut1,
    /// In quarter points: the points of opponents beaten, and half of those drawn with.
    SonnebornBerger,
    /// The number of wins.
    Wins,
    /// The rating that the results are worth.
    Performance,
    /// The last round of the main bracket that they reached; one more for its winner.
    RoundReached,
}

/// A row of the standings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct StandingRow {
    /// The place, from 1; equal entrants share it.
    pub place: u16,
    /// The entrant's number.
    pub entrant: u16,
    /// The player.
    pub player: TournamentPlayer,
    /// Their rating at entry.
    pub rating: u16,
    /// Half points; in an arena points, 2 for a win and 1 for a draw.
    pub half_points: u16,
    /// How many matches count: played ones, without forfeits and byes.
    pub played: u16,
    /// How many they won, at the board or by forfeit.
    pub wins: u16,
    /// How many were drawn.
    pub draws: u16,
    /// How many they lost, at the board or by forfeit.
    pub losses: u16,
    /// The tie-breaks, in the order of `ties`.
    pub ties: Vec<Option<i64>>,
    /// Whether they are there.
    pub state: EntrantPresence,
    /// Whether their results count: not those of an entrant who left a round robin before half of it was played.
    pub counts: bool,
}

/// Pairings and byes, by round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PairingList {
    /// The number of the tournament's last event.
    pub head: u32,
    /// The pairings, by round and board.
    pub pairings: Vec<TournamentPairing>,
    /// The byes, by round.
    pub byes: Vec<TournamentBye>,
}

/// A pairing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TournamentPairing {
    /// Its number: 1, 2, 3 … in order of pairing.
    pub pairing: u32,
    /// Its round, from 1; in an arena the wave.
    pub round: u16,
    /// Its board: 1 is that of the leaders.
    pub board: u16,
    /// Takes seat 1 and plays White first.
    pub first: PairedEntrant,
    /// Takes seat 2.
    pub second: PairedEntrant,
    /// Its last match, once it is made.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    pub match_id: Option<MatchId>,
    /// Its earlier matches, which were drawn in a knock-out or aborted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<MatchId>,
    /// Its bracket in a knock-out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bracket: Option<TournamentBracket>,
    /// The place in its round of a knock-out, from 0 at the top. Slots 2n and 2n + 1 of the main bracket lead to n.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<u16>,
    /// Its state.
    pub state: PairingState,
    /// Until when it waits for both entrants, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
    /// The half points of `first` and `second`, once it is decided; points of an arena.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half_points: Option<[u8; 2]>,
    /// Whether it was decided without a match that decides it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forfeit: bool,
    /// Whether the organiser decided it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
    /// The organiser's reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// An entrant of a pairing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PairedEntrant {
    /// Their number.
    pub entrant: u16,
    /// The player.
    pub player: TournamentPlayer,
}

/// The brackets of a knock-out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TournamentBracket {
    /// The bracket of entrants without a loss.
    Main,
    /// The bracket of entrants with a loss.
    Consolation,
}

/// The state of a pairing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PairingState {
    /// It waits until `until` for both entrants.
    Called,
    /// It is played whenever both entrants are here.
    Open,
    /// Its match is being played, or is made in a moment.
    Playing,
    /// It is decided.
    Ended,
}

/// An entrant who is not paired in a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct TournamentBye {
    /// The round.
    pub round: u16,
    /// Their number.
    pub entrant: u16,
    /// The player.
    pub player: TournamentPlayer,
    /// 0 to 2 half points.
    pub half_points: u8,
    /// Why.
    pub why: WhyBye,
}

/// What the results come to with luck taken out. It rewards help from an engine, so nothing depends on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct LuckTable {
    /// The number of the tournament's last event.
    pub head: u32,
    /// How many ended matches have been analysed. Those of unrated matches, and of games without an analysis, never
    /// are.
    pub known: u32,
    /// How many matches have ended.
    pub all: u32,
    /// The rows, the most points without luck first.
    pub table: Vec<LuckRow>,
}

/// A row of the table without luck.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct LuckRow {
    /// The entrant's number.
    pub entrant: u16,
    /// The player.
    pub player: TournamentPlayer,
    /// How many analysed matches they played.
    pub matches: u32,
    /// The half points that they won in those.
    pub half_points: u32,
    /// What these come to without luck, in points of the tournament: 1 a win.
    pub without_luck: f64,
    /// The luck that they had: the points in those matches less `without_luck`.
    pub luck: f64,
}
