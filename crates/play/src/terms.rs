//! The terms of a match: the game, its length, its clock, who may join, whether it is rated.

use lusoria_rules::{Game, Side, Variant};
use serde::{Deserialize, Serialize};

use crate::{Clock, ClockError};

/// The terms that both players agree to when they take their seats. They never change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The game and its options.
    pub variant: Variant,
    /// How long the match is: `"points": n`, or `"games": 2`.
    #[serde(flatten)]
    pub length: Length,
    /// The clock.
    pub clock: Clock,
    /// Who takes White (in a tafl game the king) in the first game.
    pub colours: Colours,
    /// Who may take seat 2.
    pub admission: Admission,
    /// Whether the match changes the ratings of both players.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
}

/// How long a match is (rules/README.md, "Draws, resignation, score").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "WrittenLength", into = "WrittenLength")]
pub enum Length {
    /// The number of points: 1 is a single game, 2 to [`Length::POINTS_MAX`] a series.
    Points(u16),
    /// A pair: two games with the sides exchanged in the second, both of which are played. Each counts one
    /// point, even if its rules score more.
    Pair,
}

impl Length {
    /// A single game.
    pub const SINGLE: Self = Self::Points(1);
    /// The longest series: 4 × 99 games fit the chain of 1024 secrets.
    pub const POINTS_MAX: u16 = 99;

    /// Points to win: 1 for a single game and for each game of a pair.
    pub const fn points(self) -> u16 {
        match self {
            Self::Points(points) => points,
            Self::Pair => 1,
        }
    }

    /// Whether it is a series: to more than one point.
    pub const fn is_series(self) -> bool {
        self.points() > 1
    }

    /// Whether it is a pair.
    pub const fn is_pair(self) -> bool {
        matches!(self, Self::Pair)
    }

    /// The greatest number of games: 1, 2 of a pair, or 4 × points.
    pub const fn games_max(self) -> u16 {
        match self {
            Self::Points(1) => 1,
            Self::Points(points) => 4 * points,
            Self::Pair => 2,
        }
    }
}

/// [`Length`] in a journal.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WrittenLength {
    Points(u16),
    Games(u16),
}

/// A match has 1 point or more, or 2 games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the only fixed number of games is 2, not {0}")]
struct NoSuchLength(u16);

impl TryFrom<WrittenLength> for Length {
    type Error = NoSuchLength;

    fn try_from(written: WrittenLength) -> Result<Self, NoSuchLength> {
        match written {
            WrittenLength::Points(points) => Ok(Self::Points(points)),
            WrittenLength::Games(2) => Ok(Self::Pair),
            WrittenLength::Games(games) => Err(NoSuchLength(games)),
        }
    }
}

impl From<Length> for WrittenLength {
    fn from(length: Length) -> Self {
        match length {
            Length::Points(points) => Self::Points(points),
            Length::Pair => Self::Games(2),
        }
    }
}

impl Terms {
    /// Checks what the types do not: ranges, and the conditions of a rated match.
    ///
    /// # Errors
    /// If the length or the clock is out of range, or such a match is never rated.
    pub fn check(&self) -> Result<(), TermsError> {
        if let Length::Points(points) = self.length
            && !(1..=Length::POINTS_MAX).contains(&points)
        {
            return Err(TermsError::Points(points));
        }
        self.clock.check()?;
        if self.rated { self.check_rated() } else { Ok(()) }
    }

    fn check_rated(&self) -> Result<(), TermsError> {
        let game = self.variant.game();
        if self.clock == (Clock::None {}) {
            Err(TermsError::RatedClock)
        } else if self.variant != Variant::standard(game) {
            Err(TermsError::RatedOptions(game))
        } else if self.admission == Admission::BothSeats {
            Err(TermsError::RatedSeats)
        } else if game.is_rated_in_pairs() && !self.length.is_pair() {
            Err(TermsError::RatedInPairs(game))
        } else {
            Ok(())
        }
    }
}

/// Terms that are out of range, or those of a match that cannot be rated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TermsError {
    /// The number of points.
    #[error("a match is played to 1 to {max} points, not {0}", max = Length::POINTS_MAX)]
    Points(u16),
    /// The clock.
    #[error(transparent)]
    Clock(#[from] ClockError),
    /// Rated, without a clock.
    #[error("a match without a clock is not rated")]
    RatedClock,
    /// Rated, with other options than the game's own.
    #[error("{0} is rated with its own options only")]
    RatedOptions(Game),
    /// Rated, with one player in both seats.
    #[error("a match of a player who has both seats is not rated")]
    RatedSeats,
    /// Rated, in a game of which only pairs are rated.
    #[error("{0} is rated in pairs only: two games with sides exchanged")]
    RatedInPairs(Game),
}

/// Who takes White (in a tafl game the king's side) in the first game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Colours {
    /// Drawn at random when the first game starts.
    Lot,
    /// Seat 1 plays this side.
    SeatOne(Side),
}

/// Who may take seat 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Admission {
    /// Anyone; the match is listed.
    #[default]
    Open,
    /// The first to spend the invitation; the match is not listed. Anybody with its id can read it.
    Invitation,
    /// The creator takes both seats, for trying out; the match is not listed.
    BothSeats,
}
