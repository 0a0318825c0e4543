//! What an organiser chooses, and its ranges.

use lusoria_play::{Admission, Bytes32, Clock, Colours, Length, Millis, PlayerId, Terms, TermsError};
use lusoria_rules::{Side, Variant};
use serde::{Deserialize, Serialize};

use crate::Refusal;

/// Everything that an organiser chooses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The name: 1 to [`Self::NAME_MAX`] characters.
    pub name: String,
    /// The description: at most [`Self::DESCRIPTION_MAX`] characters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The format.
    pub format: Format,
    /// The game and its options.
    pub variant: Variant,
    /// The length of every match. Matches of a knock-out may grow ([`Format::Knockout`]).
    pub length: Length,
    /// The clock of every match; never [`Clock::None`].
    pub clock: Clock,
    /// Whether the matches are rated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// When it starts.
    pub begins_at: Millis,
    /// How long a live pairing of a Swiss or a knock-out waits for both entrants: [`Self::WAIT_MIN_MS`] to
    /// [`Self::WAIT_MAX_MS`].
    pub wait_ms: Millis,
    /// Whether lists show it.
    pub listed: bool,
    /// Who may enter.
    pub conditions: Conditions,
}

/// How entrants are paired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Format {
    /// Everybody meets everybody, after the Berger tables. 3 to 16 entrants.
    RoundRobin {
        /// When unplayed pairings are forfeited.
        ends_at: Millis,
        /// Whether rounds open one after the other; otherwise all are open from the start.
        by_round: bool,
    },
    /// Entrants with equal scores meet. 4 to 500 entrants.
    Swiss {
        /// 1 to 15 rounds, and fewer than there are entrants; ⌈log₂ n⌉ + 1 of n entrants if none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rounds: Option<u8>,
        /// The time between the starts of two rounds; without it a round starts when the last one has ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        every_ms: Option<Millis>,
    },
    /// Who loses is out. 4 to 64 entrants.
    Knockout {
        /// What decides the seeds.
        seeding: Seeding,
        /// Whether those who lose go on in a second bracket.
        consolation: bool,
        /// How many points longer the matches of each round are than those of the one before.
        #[serde(default)]
        points_more_by_round: u16,
    },
    /// Who is free is paired at once. 2 to 500 entrants, live clocks only.
    Arena {
        /// How long it lasts: [`Settings::ARENA_MIN_MS`] to [`Settings::ARENA_MAX_MS`].
        lasts_ms: Millis,
    },
}

/// What decides the seeds of a knock-out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seeding {
    /// The ratings shown at entry; equal ones at random.
    Rating,
    /// The lot alone.
    Lot,
}

/// Who may enter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    /// People, bots or both.
    pub who: Who,
    /// The most entrants at a time.
    pub entrants_max: u16,
    /// How many rated matches of this game and pace they must have ended.
    #[serde(default)]
    pub rated_matches_min: u32,
    /// The lowest rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_min: Option<u16>,
    /// The highest rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_max: Option<u16>,
    /// How old their account must be.
    #[serde(default)]
    pub account_age_ms_min: Millis,
    /// Only these, if not empty; at most [`Self::PLAYERS_MAX`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<PlayerId>,
    /// SHA-256 of the code of invitation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<Bytes32>,
}

/// People, bots or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// People only.
    People,
    /// Bots only.
    Bots,
    /// Both.
    Both,
}

impl Conditions {
    /// The longest list of players: with the longest description it still fits into a request of 16 KiB.
    pub const PLAYERS_MAX: usize = 150;
}

impl Format {
    /// The fewest and the most entrants.
    pub const fn entrants(&self) -> (u16, u16) {
        match self {
            Self::RoundRobin { .. } => (3, 16),
            Self::Swiss { .. } => (4, 500),
            Self::Knockout { .. } => (4, 64),
            Self::Arena { .. } => (2, 500),
        }
    }

    /// Its name in every interface: `round_robin`, `swiss`, `knockout` or `arena`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::RoundRobin { .. } => "round_robin",
            Self::Swiss { .. } => "swiss",
            Self::Knockout { .. } => "knockout",
            Self::Arena { .. } => "arena",
        }
    }
}

impl Settings {
    /// The longest name, in characters.
    pub const NAME_MAX: usize = 60;
    /// The longest description, in characters.
    pub const DESCRIPTION_MAX: usize = 2000;
    /// The longest reason, in characters.
    pub const REASON_MAX: usize = 200;
    /// The shortest wait for both entrants.
    pub const WAIT_MIN_MS: Millis = 60_000;
    /// The longest wait for both entrants.
    pub const WAIT_MAX_MS: Millis = 30 * 60_000;
    /// The usual wait for both entrants.
    pub const WAIT_MS: Millis = 3 * 60_000;
    /// The shortest arena.
    pub const ARENA_MIN_MS: Millis = 15 * 60_000;
    /// The longest arena.
    pub const ARENA_MAX_MS: Millis = 7 * Clock::DAY_MS;
    /// How far ahead a tournament may be announced.
    pub const AHEAD_MAX_MS: Millis = 365 * Clock::DAY_MS;
    /// The longest time between the start and the end of a round robin.
    pub const ROUND_ROBIN_MAX_MS: Millis = 365 * Clock::DAY_MS;
    /// The shortest time between the start and the end of a round robin.
    pub const ROUND_ROBIN_MIN_MS: Millis = 15 * 60_000;
    /// The shortest time between two rounds of a Swiss.
    pub const EVERY_MIN_MS: Millis = 10 * 60_000;
    /// The longest time between two rounds of a Swiss.
    pub const EVERY_MAX_MS: Millis = 31 * Clock::DAY_MS;
    /// The most rounds of a Swiss.
    pub const ROUNDS_MAX: u8 = 15;

    /// The terms of a match of this length. The first entrant of a pairing takes seat 1 and plays White.
    pub const fn terms(&self, length: Length) -> Terms {
        Terms {
            variant: self.variant,
            length,
            clock: self.clock,
            colours: Colours::SeatOne(Side::White),
            admission: Admission::Invitation,
            rated: self.rated,
        }
    }

    /// Checks every range. The caller has trimmed the texts.
    ///
    /// # Errors
    /// The first range that is left.
    pub fn check(&self, now: Millis) -> Result<(), Refusal> {
        check_texts(&self.name, &self.description)?;
        self.terms(self.length).check().map_err(Refusal::Terms)?;
        if self.clock == (Clock::None {}) {
            return Err(Refusal::NoClock);
        }
        if self.begins_at < now {
            return Err(Refusal::BeginsInThePast);
        }
        if self.begins_at > now + Self::AHEAD_MAX_MS {
            return Err(Refusal::BeginsTooLate);
        }
        if !(Self::WAIT_MIN_MS..=Self::WAIT_MAX_MS).contains(&self.wait_ms) {
            return Err(Refusal::Wait);
        }
        self.check_format()?;
        self.conditions.check(&self.format)
    }

    fn check_format(&self) -> Result<(), Refusal> {
        match self.format {
            Format::RoundRobin { ends_at, .. } => {
                let lasts_ms = ends_at.saturating_sub(self.begins_at);
                let range = Self::ROUND_ROBIN_MIN_MS..=Self::ROUND_ROBIN_MAX_MS;
                if range.contains(&lasts_ms) { Ok(()) } else { Err(Refusal::EndsAt) }
            }
            Format::Swiss { rounds, every_ms } => {
                if rounds.is_some_and(|rounds| !(1..=Self::ROUNDS_MAX).contains(&rounds)) {
                    return Err(Refusal::Rounds);
                }
                if every_ms.is_some_and(|every| !(Self::EVERY_MIN_MS..=Self::EVERY_MAX_MS).contains(&every)) {
                    return Err(Refusal::Every);
                }
                Ok(())
            }
            Format::Knockout { points_more_by_round: 0, .. } => Ok(()),
            Format::Knockout { points_more_by_round: more, .. } => match self.length {
                // Six rounds bring 64 entrants to the final.
                Length::Points(points)
                    if u32::from(points) + 5 * u32::from(more) <= u32::from(Length::POINTS_MAX) =>
                {
                    Ok(())
                }
                Length::Points(_) | Length::Pair => Err(Refusal::PointsMore),
            },
            Format::Arena { .. } if self.clock.is_correspondence() => Err(Refusal::ArenaByCorrespondence),
            Format::Arena { lasts_ms } => {
                let range = Self::ARENA_MIN_MS..=Self::ARENA_MAX_MS;
                if range.contains(&lasts_ms) { Ok(()) } else { Err(Refusal::Lasts) }
            }
        }
    }
}

impl Conditions {
    fn check(&self, format: &Format) -> Result<(), Refusal> {
        let (min, max) = format.entrants();
        if !(min..=max).contains(&self.entrants_max) {
            return Err(Refusal::EntrantsMax);
        }
        if matches!((self.rating_min, self.rating_max), (Some(min), Some(max)) if min > max) {
            return Err(Refusal::RatingRange);
        }
        if self.players.len() > Self::PLAYERS_MAX {
            return Err(Refusal::PlayersMax);
        }
        Ok(())
    }
}

/// Checks a reason that everybody can read.
///
/// # Errors
/// It is empty, too long, not trimmed or has control characters.
pub(crate) fn check_reason(reason: &str) -> Result<(), Refusal> {
    check_text(reason, 1, Settings::REASON_MAX, Refusal::Reason)
}

/// Checks a name and a description.
///
/// # Errors
/// As [`check_reason`]; a description may be empty.
pub(crate) fn check_texts(name: &str, description: &str) -> Result<(), Refusal> {
    check_text(name, 1, Settings::NAME_MAX, Refusal::Name)?;
    check_description(description)
}

fn check_description(text: &str) -> Result<(), Refusal> {
    let lines = text.replace('\n', " ");
    check_text(lines.trim_end(), 0, Settings::DESCRIPTION_MAX, Refusal::Description)
}

fn check_text(text: &str, min: usize, max: usize, refusal: Refusal) -> Result<(), Refusal> {
    let length = text.chars().count();
    let is_clean = text.trim() == text && !text.chars().any(char::is_control);
    if is_clean && (min..=max).contains(&length) { Ok(()) } else { Err(refusal) }
}

impl From<TermsError> for Refusal {
    fn from(error: TermsError) -> Self {
        Self::Terms(error)
    }
}
