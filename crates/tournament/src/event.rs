//! The events of a tournament, as the store keeps them.

use std::fmt;

use lusoria_play::{AbortReason, MatchEnd, MatchId, Millis, PlayerId, Seat};
use serde::{Deserialize, Serialize};

use crate::Settings;

/// The version of the events below, written into the first one of each tournament.
pub const JOURNAL_VERSION: u16 = 1;

/// An event with its number and time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// The sequence number: 1, 2, 3 … without gaps.
    pub seq: u32,
    /// The time, never before that of the previous event.
    pub at: Millis,
    /// The event.
    pub event: Event,
}

/// The number of an entrant: 1, 2, 3 … in order of entry. Another player never gets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Entrant(pub u16);

/// The number of a pairing: 1, 2, 3 … in order of pairing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PairingNo(pub u32);

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for PairingNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An event. It contains everything that a fold needs; rules decide which event comes, not what it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The tournament was announced.
    Created {
        /// [`JOURNAL_VERSION`] when it was written.
        version: u16,
        /// Who organises it.
        organiser: PlayerId,
        /// The settings.
        settings: Box<Settings>,
    },
    /// The organiser changed the settings.
    Edited {
        /// All settings, as they are now.
        settings: Box<Settings>,
    },
    /// The server's operator replaced texts that offended; those of earlier events are shown to nobody any more.
    TextsReplaced {
        /// The name, as it is now.
        name: String,
        /// The description, as it is now.
        description: String,
    },
    /// A player entered; also one who had withdrawn before the start and comes again, under the same number.
    Entered {
        /// The entrant's number.
        entrant: Entrant,
        /// The player.
        player: PlayerId,
        /// The rating that was shown at entry.
        rating: u16,
        /// Whether it is a bot.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_bot: bool,
        /// Half points for the rounds of a Swiss that were paired before.
        #[serde(default, skip_serializing_if = "is_zero")]
        half_points: u8,
    },
    /// An entrant is at the board, ready to play. Ends a pause and an absence.
    Here {
        /// The entrant.
        entrant: Entrant,
        /// Until when that counts.
        until: Millis,
    },
    /// An entrant does not want to be paired until they say that they are here.
    Paused {
        /// The entrant.
        entrant: Entrant,
    },
    /// An entrant left the tournament.
    Withdrew {
        /// The entrant.
        entrant: Entrant,
    },
    /// An entrant asked for a bye of half a point.
    ByeAsked {
        /// The entrant.
        entrant: Entrant,
        /// The round.
        round: u16,
    },
    /// An entrant was excluded.
    Excluded {
        /// The entrant.
        entrant: Entrant,
        /// Who excluded them.
        by: ExcludedBy,
        /// The reason, for all to read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The tournament started.
    Began {
        /// The number of rounds: of a Swiss, of a round robin, of the main bracket of a knock-out; 0 of an
        /// arena.
        rounds: u16,
        /// Those who take part from the start: seeds of a knock-out, numbers in the Berger tables, ranks of a
        /// Swiss or an arena.
        order: Vec<Entrant>,
        /// Entrants who had not checked in.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        absent: Vec<Entrant>,
    },
    /// A round, or a wave of an arena, was paired.
    RoundPaired {
        /// From 1.
        round: u16,
        /// Its pairings.
        pairings: Vec<Paired>,
        /// Who is not paired.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        byes: Vec<Bye>,
        /// Whether the organiser paired it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_hand: bool,
    },
    /// Both entrants of these pairings are there: their matches are to be made.
    Seated {
        /// The pairings.
        pairings: Vec<PairingNo>,
    },
    /// The match of a pairing was made. Written with the match, whatever the state of the tournament.
    MatchBegan {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
    },
    /// The match of a pairing ended. Written with the match's end, whatever the state of the tournament.
    MatchEnded {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// How it ended.
        end: PairingEnd,
    },
    /// A pairing was decided without a match that decides it.
    Forfeited {
        /// The pairing.
        pairing: PairingNo,
        /// Who was not there; nobody after the last draw of a knock-out, or if its matches were aborted.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        absent: Vec<Entrant>,
        /// Who gets the points, or goes on; nobody gets any if none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        winner: Option<Entrant>,
    },
    /// A pairing is to be played again: its match was drawn in a knock-out, or aborted.
    Again {
        /// The pairing.
        pairing: PairingNo,
        /// The id of its next match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// Who takes seat 1 and plays White in it.
        first: Entrant,
        /// Whether both are there: the match is to be made.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        seated: bool,
    },
    /// The organiser decided a pairing.
    ResultSet {
        /// The pairing.
        pairing: PairingNo,
        /// The half points of its first and second entrant.
        half_points: [u8; 2],
        /// The reason, for all to read.
        reason: String,
    },
    /// The organiser stopped the tournament: nothing is paired, no deadline passes.
    Stopped {
        /// The reason, for all to read.
        reason: String,
    },
    /// It goes on; every open deadline is later by the time that it was stopped.
    Resumed {},
    /// The server was not running: every open deadline moves.
    Credited {
        /// By how much.
        by_ms: Millis,
    },
    /// The tournament ended.
    Ended {
        /// Why.
        why: EndedWhy,
        /// The reason that the organiser or the operator gave.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

/// A new pairing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paired {
    /// Its number.
    pub pairing: PairingNo,
    /// Its board: 1 is that of the leaders.
    pub board: u16,
    /// Takes seat 1 and plays White first.
    pub first: Entrant,
    /// Takes seat 2.
    pub second: Entrant,
    /// The id of its match, which is not made yet.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// Its place in a knock-out.
    #[serde(default, flatten, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Whether the match is to be made at once, without waiting for both.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub seated: bool,
}

/// A place in a knock-out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The bracket.
    pub bracket: Bracket,
    /// The place in its round, from 0 at the top. Slots 2n and 2n + 1 of the main bracket lead to n.
    pub slot: u16,
}

/// The two brackets of a knock-out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bracket {
    /// The bracket of entrants without a loss.
    Main,
    /// The bracket of entrants with a loss.
    Consolation,
}

/// An entrant who is not paired in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bye {
    /// The entrant.
    pub entrant: Entrant,
    /// 0 to 2 half points.
    pub half_points: u8,
    /// Why.
    pub why: ByeWhy,
}

/// Why an entrant is not paired in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ByeWhy {
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

/// Who excluded an entrant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExcludedBy {
    /// The organiser.
    Organiser,
    /// The server's operator.
    Operator,
    /// The server: their account is blocked or erased.
    Server,
}

/// How the match of a pairing ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PairingEnd {
    /// Won.
    Won(Seat),
    /// Drawn.
    Drawn,
    /// Aborted by this seat: it did not play its first turn, did not reveal its seed, or aborted.
    NoShow(Seat),
    /// Aborted by nobody at the board.
    Aborted,
}

impl From<MatchEnd> for PairingEnd {
    fn from(end: MatchEnd) -> Self {
        match end {
            MatchEnd::Won(seat) => Self::Won(seat),
            MatchEnd::Drawn => Self::Drawn,
            // Who aborts must not fare better than who does not come.
            MatchEnd::Aborted(
                AbortReason::NoShow(seat) | AbortReason::SeedNotRevealed(seat) | AbortReason::Player(seat),
            ) => Self::NoShow(seat),
            MatchEnd::Aborted(
                AbortReason::Withdrawn
                | AbortReason::Expired
                | AbortReason::Abandoned
                | AbortReason::Operator,
            ) => Self::Aborted,
        }
    }
}

/// Why a tournament ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndedWhy {
    /// It was played to the end.
    Finished,
    /// Too few were there at the start.
    TooFew,
    /// The organiser ended it.
    Organiser,
    /// The server's operator ended it.
    Operator,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_zero(half_points: &u8) -> bool {
    *half_points == 0
}
