//! A tournament as its events leave it.

use std::collections::{BTreeMap, HashMap};

use lusoria_play::{Colours, Length, MatchId, Millis, PlayerId, TournamentId};
use lusoria_rules::Side;

use crate::{
    Bye, EndedWhy, Entrant, Event, Format, JOURNAL_VERSION, PairingNo, Place, Recorded, Refusal, Settings,
};

/// What a tournament takes from outside: lots, ids, and who must not meet.
pub trait Chance {
    /// A random number, every one equally likely.
    fn lot(&mut self) -> u64;

    /// A new id for a match.
    fn match_id(&mut self) -> MatchId;

    /// Whether these two block each other. Arenas do not pair them; the other formats do not ask.
    fn avoids(&mut self, one: PlayerId, other: PlayerId) -> bool;
}

/// A tournament: the fold of its events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tournament {
    pub(crate) id: TournamentId,
    pub(crate) organiser: PlayerId,
    pub(crate) settings: Settings,
    /// The number and the time of the last event.
    pub(crate) head: u32,
    pub(crate) at: Millis,
    /// By how much outages and stops have moved the deadlines that settings name.
    pub(crate) moved_ms: Millis,
    /// When it began.
    pub(crate) began_at: Option<Millis>,
    pub(crate) stopped: Option<(Millis, String)>,
    pub(crate) ended: Option<Ended>,
    pub(crate) rounds_planned: u16,
    pub(crate) order: Vec<Entrant>,
    /// Entrant n is at n - 1.
    pub(crate) entrants: Vec<EntrantState>,
    pub(crate) by_player: HashMap<PlayerId, Entrant>,
    pub(crate) rounds: Vec<Round>,
    /// Pairing n is at n - 1.
    pub(crate) pairings: Vec<Pairing>,
    /// The pairings that are not settled, in order.
    pub(crate) open: Vec<PairingNo>,
    pub(crate) by_match: HashMap<MatchId, PairingNo>,
    /// When the last round was closed, or the start: deadlines of a round that cannot be paired run from it.
    pub(crate) closed_at: Millis,
}

/// Where a tournament is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// It has not begun.
    Announced,
    /// It begins within [`Tournament::CHECK_IN_MS`], and entrants say that they are here.
    CheckIn,
    /// It has begun.
    Running,
    /// The organiser has stopped it.
    Stopped,
    /// It has ended.
    Ended,
}

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// When.
    pub at: Millis,
    /// Why.
    pub why: EndedWhy,
    /// The reason given.
    pub reason: Option<String>,
}

/// An entrant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntrantState {
    /// Their number.
    pub entrant: Entrant,
    /// The player.
    pub player: PlayerId,
    /// The rating shown at entry.
    pub rating: u16,
    /// Whether it is a bot.
    pub is_bot: bool,
    /// Whether they take part.
    pub status: EntrantStatus,
    /// Until when they are at the board.
    pub here_until: Millis,
    /// The rounds for which they asked for a bye.
    pub byes_asked: Vec<u16>,
    /// Half points for the rounds that they missed before they entered.
    pub late_half_points: u8,
    /// The rounds that had been paired when they entered.
    pub missed: u16,
    /// Since when they are free to be paired, in an arena.
    pub(crate) free_since: Millis,
    /// The days since the start on which they said that they are here, for the end of a round robin.
    pub(crate) days_here: Vec<u16>,
}

/// Whether an entrant takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntrantStatus {
    /// They are paired.
    Active,
    /// They were not there, and are not paired until they are.
    Absent,
    /// They have paused.
    Paused,
    /// They have withdrawn.
    Withdrawn,
    /// They were excluded.
    Excluded,
}

/// A round, or a wave of an arena.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// From 1.
    pub number: u16,
    /// When it was paired.
    pub at: Millis,
    /// Its pairings, the first board first.
    pub pairings: Vec<PairingNo>,
    /// Who was not paired.
    pub byes: Vec<Bye>,
    /// Whether the organiser paired it.
    pub by_hand: bool,
}

/// A pairing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// Its number.
    pub pairing: PairingNo,
    /// Its round.
    pub round: u16,
    /// Its board.
    pub board: u16,
    /// Takes seat 1 of its (next) match and plays White.
    pub first: Entrant,
    /// Takes seat 2.
    pub second: Entrant,
    /// Its (last) match.
    pub match_id: MatchId,
    /// All its matches.
    pub matches: Vec<MatchId>,
    /// Its place in a knock-out.
    pub place: Option<Place>,
    /// Until when it waits for both, if it does.
    pub waits_until: Option<Millis>,
    /// Whether its match is to be made, or is made.
    pub seated: bool,
    /// Whether its match is being played.
    pub is_running: bool,
    /// How its last match ended, if nothing has followed from it.
    pub(crate) to_settle: Option<crate::PairingEnd>,
    /// How many of its matches were drawn.
    pub draws: u8,
    /// Its outcome.
    pub outcome: Option<Outcome>,
}

/// The outcome of a pairing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The half points of `first` and `second`, as they were paired last. Whole points of an arena.
    pub half_points: [u8; 2],
    /// How it came about.
    pub how: How,
}

/// How an outcome came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum How {
    /// A match was played.
    Played,
    /// Nobody or only one was there.
    Forfeited,
    /// The organiser said so.
    SetByHand {
        /// For this reason.
        reason: String,
    },
}

/// A match that is to be made. Making it twice is making it once: it has its id already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToMake {
    /// Its pairing.
    pub pairing: PairingNo,
    /// The id of the match.
    pub id: MatchId,
    /// Seat 1.
    pub first: PlayerId,
    /// Seat 2.
    pub second: PlayerId,
    /// The length.
    pub length: Length,
    /// Who plays White.
    pub colours: Colours,
}

impl Tournament {
    /// How long "I am here" counts.
    pub const HERE_MS: Millis = 10 * 60_000;
    /// How long before the start check-in opens.
    pub const CHECK_IN_MS: Millis = 15 * 60_000;
    /// The most byes of half a point, on request and for late entry together.
    pub const BYES_MAX: u16 = 2;
    /// The most pairings: an arena ends there.
    pub const PAIRINGS_MAX: usize = 20_000;
    /// Above this many events only what leads to the end is admitted.
    pub const EVENTS_OPEN_MAX: u32 = 50_000;
    /// The most events: what has not ended by then ends.
    pub const EVENTS_MAX: u32 = 100_000;
}
