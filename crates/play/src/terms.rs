//! What a match is played for: the game, its length, its clock, who may join.

use lusoria_rules::{Side, Variant};
use serde::{Deserialize, Serialize};

use crate::{Clock, ClockError};

/// What both players agree to when they take their seats. Fixed for the match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The game and its options.
    pub variant: Variant,
    /// Points to win the match: 1 is a single game, 2 to [`Terms::POINTS_MAX`] a series
    /// (rules/README.md, "Draws, resignation, score").
    pub points: u16,
    /// The clock.
    pub clock: Clock,
    /// Who takes White (in a tafl game the king) in the first game.
    pub colours: Colours,
    /// Who may take seat 2.
    pub admission: Admission,
}

impl Terms {
    /// The longest series: 4 × 99 games fit the chain of 1024 secrets.
    pub const POINTS_MAX: u16 = 99;

    /// Checks ranges that the types do not.
    ///
    /// # Errors
    /// If the length or the clock is out of its range.
    pub fn check(&self) -> Result<(), TermsError> {
        if !(1..=Self::POINTS_MAX).contains(&self.points) {
            return Err(TermsError::Points(self.points));
        }
        Ok(self.clock.check()?)
    }

    /// The greatest number of games the match can take: 1, or 4 × points.
    pub const fn games_max(&self) -> u16 {
        if self.points == 1 { 1 } else { 4 * self.points }
    }
}

/// Terms out of their range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TermsError {
    /// The number of points.
    #[error("a match is played to 1 to {max} points, not {0}", max = Terms::POINTS_MAX)]
    Points(u16),
    /// The clock.
    #[error(transparent)]
    Clock(#[from] ClockError),
}

/// Who takes White (in a tafl game the king's side) in the first game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Colours {
    /// Drawn by lot when the first game starts.
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
    /// The first to spend the invitation; the match is not listed.
    Invitation,
    /// The creator takes both seats, for trying out; the match is not listed.
    BothSeats,
}
