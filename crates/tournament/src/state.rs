//! A tournament as its events leave it.

use std::collections::HashMap;

use lusoria_play::{Colours, Length, MatchId, Millis, PlayerId, TournamentId};

use crate::{Bye, EndedWhy, Entrant, Format, PairingEnd, PairingNo, Place, Settings};

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
    pub(crate) texts_replaced_at: u32,
    /// The number and the time of the last event.
    pub(crate) head: u32,
    pub(crate) at: Millis,
    /// When it begins: as set, or later after an outage; once it has begun, the time from which rounds and
    /// the end count.
    pub(crate) begins_at: Millis,
    /// By how much outages and stops have moved the end that the settings name.
    pub(crate) moved_ms: Millis,
    /// When it began.
    pub(crate) began_at: Option<Millis>,
    pub(crate) stopped: Option<(Millis, String)>,
    /// How long it was stopped before, all stops together.
    pub(crate) stopped_ms: Millis,
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
    /// The reason given for their exclusion.
    pub exclusion: Option<String>,
    /// How often they have entered or said that they are here.
    pub(crate) said: u16,
    /// Since when they are free to be paired, in an arena.
    pub(crate) free_since: Millis,
    /// The hours since the start in which they said that they are here, for the end of a round robin.
    pub(crate) hours_here: Vec<u16>,
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
    /// When it was paired, or was to be played again.
    pub(crate) called_at: Millis,
    /// Until when it waits for both, if it does.
    pub waits_until: Option<Millis>,
    /// Whether its match is to be made, or is made.
    pub seated: bool,
    /// Where its (last) match is.
    pub stage: MatchStage,
    /// Whether both were at the board at the same time while it waited.
    pub(crate) both_came: bool,
    /// How its last match ended, if something is to follow from it.
    pub(crate) to_settle: Option<PairingEnd>,
    /// How many of its matches were drawn.
    pub draws: u8,
    /// Its outcome.
    pub outcome: Option<Outcome>,
}

/// Where the match of a pairing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchStage {
    /// It has not been made.
    ToCome,
    /// It is being played.
    Running,
    /// It has ended.
    Over,
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
    /// The number of the event by which the operator has replaced texts last: those of earlier events are shown to nobody.
    /// 0 if there is none.
    pub const fn texts_replaced_at(&self) -> u32 {
        self.texts_replaced_at
    }

    /// How long "I am here" counts.
    pub const HERE_MS: Millis = 10 * 60_000;
    /// How long before the start check-in opens.
    pub const CHECK_IN_MS: Millis = 15 * 60_000;
    /// How long matches that run at the end of an arena are played on.
    pub const PLAYED_OUT_MS: Millis = 10 * 60_000;
    /// An arena admits entrants until so long before its end.
    pub const ARENA_CLOSES_MS: Millis = 5 * 60_000;
    /// How long a tournament may be stopped, all stops together.
    pub const STOPPED_MAX_MS: Millis = 7 * 86_400_000;
    /// The most byes of half a point, on request and for late entry together.
    pub const BYES_MAX: u8 = 2;
    /// The most pairings: an arena ends there.
    pub const PAIRINGS_MAX: usize = 20_000;
    /// Above this many events only what leads to the end is admitted.
    pub const EVENTS_OPEN_MAX: u32 = 50_000;
    /// How often one entrant may enter and say that they are here, so that nobody uses up the events of all.
    pub const SAID_MAX: u16 = 5_000;
    /// The most events: what has not ended by then ends.
    pub const EVENTS_MAX: u32 = 100_000;

    /// Its id.
    pub const fn id(&self) -> TournamentId {
        self.id
    }

    /// Who organises it.
    pub const fn organiser(&self) -> PlayerId {
        self.organiser
    }

    /// The settings.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The number of its last event.
    pub const fn head(&self) -> u32 {
        self.head
    }

    /// Where it is.
    pub fn phase(&self, now: Millis) -> Phase {
        if self.ended.is_some() {
            Phase::Ended
        } else if self.stopped.is_some() {
            Phase::Stopped
        } else if self.began_at.is_some() {
            Phase::Running
        } else if self.checks_in() && now + Self::CHECK_IN_MS >= self.begins_at {
            Phase::CheckIn
        } else {
            Phase::Announced
        }
    }

    /// When it begins: as set, or later after an outage; once it has begun, the time from which rounds and
    /// the end count.
    pub const fn begins_at(&self) -> Millis {
        self.begins_at
    }

    /// When it began.
    pub const fn began_at(&self) -> Option<Millis> {
        self.began_at
    }

    /// When a round robin forfeits what is not played, or an arena pairs no more.
    pub const fn ends_at(&self) -> Option<Millis> {
        match self.settings.format {
            Format::RoundRobin { ends_at, .. } => Some(ends_at + self.moved_ms),
            Format::Arena { lasts_ms } => Some(self.begins_at + lasts_ms),
            Format::Swiss { .. } | Format::Knockout { .. } => None,
        }
    }

    /// When the next round of a Swiss with fixed times opens.
    pub fn next_round_at(&self) -> Option<Millis> {
        match self.settings.format {
            Format::Swiss { every_ms: Some(every_ms), .. } if self.rounds_left() => {
                Some(self.begins_at + every_ms * self.rounds.len() as Millis)
            }
            _ => None,
        }
    }

    /// Since when and why it is stopped.
    pub fn stopped(&self) -> Option<(Millis, &str)> {
        self.stopped.as_ref().map(|(at, reason)| (*at, reason.as_str()))
    }

    /// How it ended.
    pub const fn ended(&self) -> Option<&Ended> {
        self.ended.as_ref()
    }

    /// The number of rounds, once it has begun: of a Swiss, a round robin, or the main bracket of a
    /// knock-out.
    pub const fn rounds_planned(&self) -> u16 {
        self.rounds_planned
    }

    /// The entrants in order of entry, those who left too.
    pub fn entrants(&self) -> &[EntrantState] {
        &self.entrants
    }

    /// How many take part: all who entered and have not left.
    pub fn entrants_in(&self) -> usize {
        self.entrants.iter().filter(|entrant| !entrant.is_gone()).count()
    }

    /// An entrant.
    pub fn entrant(&self, entrant: Entrant) -> Option<&EntrantState> {
        self.entrants.get(usize::from(entrant.0).checked_sub(1)?)
    }

    /// A player's entry.
    pub fn entrant_of(&self, player: PlayerId) -> Option<&EntrantState> {
        self.entrant(*self.by_player.get(&player)?)
    }

    /// The rounds that were paired, or the waves of an arena.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// All pairings in order.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// A pairing.
    pub fn pairing(&self, pairing: PairingNo) -> Option<&Pairing> {
        self.pairings.get((pairing.0 as usize).checked_sub(1)?)
    }

    /// The pairing of a match.
    pub fn pairing_of_match(&self, match_id: MatchId) -> Option<&Pairing> {
        self.pairing(*self.by_match.get(&match_id)?)
    }

    /// The pairings without an outcome, and those whose matches are being played, in order.
    pub fn open_pairings(&self) -> impl Iterator<Item = &Pairing> {
        self.open.iter().filter_map(|&pairing| self.pairing(pairing))
    }

    /// The length of the match of a pairing: later rounds of a knock-out may be longer.
    pub fn length_of(&self, pairing: &Pairing) -> Length {
        match (&self.settings.format, self.settings.length) {
            (&Format::Knockout { points_more_by_round: more, .. }, Length::Points(points)) => {
                let rounds = pairing.round.min(self.rounds_planned).saturating_sub(1);
                Length::Points(points.saturating_add(more.saturating_mul(rounds)).min(Length::POINTS_MAX))
            }
            (_, length) => length,
        }
    }

    /// Whether it is played live, not by correspondence.
    pub(crate) const fn is_live(&self) -> bool {
        !self.settings.clock.is_correspondence()
    }

    /// Whether entrants check in, and a pairing waits for both.
    pub(crate) const fn checks_in(&self) -> bool {
        self.is_live() && matches!(self.settings.format, Format::Swiss { .. } | Format::Knockout { .. })
    }

    pub(crate) const fn is_arena(&self) -> bool {
        matches!(self.settings.format, Format::Arena { .. })
    }

    pub(crate) fn rounds_left(&self) -> bool {
        self.began_at.is_none() || self.rounds.len() < usize::from(self.rounds_planned)
    }

    /// An entrant that an event has named.
    pub(crate) fn known(&self, entrant: Entrant) -> &EntrantState {
        self.entrant(entrant).expect("a fold admits known entrants only")
    }

    /// The place of an entrant in the order of the start: the lower, the higher the seed.
    pub(crate) fn seed(&self, entrant: Entrant) -> usize {
        self.order.iter().position(|&seeded| seeded == entrant).unwrap_or(usize::MAX)
    }
}

impl EntrantState {
    /// Whether they have withdrawn or were excluded.
    pub const fn is_gone(&self) -> bool {
        matches!(self.status, EntrantStatus::Withdrawn | EntrantStatus::Excluded)
    }

    /// Whether they are at the board.
    pub const fn is_here(&self, now: Millis) -> bool {
        self.here_until > now
    }
}

impl Pairing {
    /// Both entrants, the first one first.
    pub const fn entrants(&self) -> [Entrant; 2] {
        [self.first, self.second]
    }

    /// The other entrant.
    pub fn opponent(&self, entrant: Entrant) -> Entrant {
        if self.first == entrant { self.second } else { self.first }
    }

    /// What an entrant got: half points, or points of an arena.
    pub fn points(&self, entrant: Entrant) -> Option<u8> {
        let [first, second] = self.outcome.as_ref()?.half_points;
        Some(if self.first == entrant { first } else { second })
    }

    /// Who won.
    pub fn winner(&self) -> Option<Entrant> {
        match self.outcome.as_ref()?.half_points {
            [first, second] if first > second => Some(self.first),
            [first, second] if second > first => Some(self.second),
            _ => None,
        }
    }

    /// Whether it was decided without play.
    pub fn is_forfeit(&self) -> bool {
        matches!(&self.outcome, Some(outcome) if outcome.how == How::Forfeited)
    }
}
