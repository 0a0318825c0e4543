//! Clocks: how much time each side has.

use serde::{Deserialize, Serialize};

use crate::Millis;

/// The clock of a match. It starts afresh in each game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "schema",
    schema(examples(json!({"kind": "fischer", "base_ms": 600_000, "increment_ms": 10_000})))
)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Clock {
    /// No clock. A player who has been gone for ten minutes can be claimed against.
    None {},
    /// A stock of time, and an increment added after every turn.
    // Except after a side's first turn of a game, which is free.
    Fischer {
        /// The stock: 5 seconds to 3 hours.
        base_ms: u64,
        /// What a turn adds: at most 3 minutes.
        increment_ms: u64,
    },
    /// A stock of time that only runs after the first moments of every turn.
    Delay {
        /// The stock: 5 seconds to 3 hours.
        base_ms: u64,
        /// How long a turn is free: at most 3 minutes.
        delay_ms: u64,
    },
    /// So many days for every turn.
    Days {
        /// 1 to 14.
        days: u8,
    },
}

/// Whether a match is live or played over days. A player has a rating for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// Every clock but that of days.
    Live,
    /// So many days for every turn.
    Days,
}

impl Pace {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Live, Self::Days];

    /// Its name on the wire and in the store: `live` or `days`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Days => "days",
        }
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::None {}
    }
}

impl Clock {
    /// Whether it is a correspondence clock, with days for each turn.
    pub const fn is_correspondence(&self) -> bool {
        matches!(self, Self::Days { .. })
    }

    /// The pace of a match with this clock, for ratings.
    pub const fn pace(&self) -> Pace {
        if self.is_correspondence() { Pace::Days } else { Pace::Live }
    }

    /// The shortest stock: 5 seconds.
    pub const BASE_MIN_MS: Millis = 5_000;
    /// The longest stock: 3 hours.
    pub const BASE_MAX_MS: Millis = 3 * 3_600_000;
    /// The longest increment or delay: 3 minutes.
    pub const STEP_MAX_MS: Millis = 180_000;
    /// The most days for a turn.
    pub const DAYS_MAX: u8 = 14;
    /// A day.
    pub const DAY_MS: Millis = 86_400_000;
    /// The term for a side's first turn, and for revealing a seed, in games with a running clock;
    /// correspondence games have their ordinary term for both.
    pub const FIRST_TURN_MS: Millis = 60_000;
    /// The break before each later game of a series with a running clock: both sides' terms for the first
    /// turn are longer by this.
    pub const BREAK_MS: Millis = 30_000;
    /// Without a clock: how long a player must be gone before the opponent may claim the game.
    pub const CLAIM_AFTER_MS: Millis = 10 * 60_000;
    /// Without a clock: the term for revealing a seed.
    pub const SEED_WITHOUT_CLOCK_MS: Millis = 10 * 60_000;
    /// Without a clock: how long a match may wait for one turn before it is abandoned.
    pub const ABANDONED_AFTER_MS: Millis = 30 * Self::DAY_MS;
    /// How long an open match waits for an opponent.
    pub const OPEN_FOR_MS: Millis = Self::DAY_MS;
    /// How long an invitation waits to be spent.
    pub const INVITED_FOR_MS: Millis = 7 * Self::DAY_MS;

    /// Checks the ranges above.
    ///
    /// # Errors
    /// If a time is out of its range.
    pub fn check(&self) -> Result<(), ClockError> {
        let (base_ms, step_ms) = match *self {
            Self::None {} => return Ok(()),
            Self::Days { days } => {
                return if (1..=Self::DAYS_MAX).contains(&days) {
                    Ok(())
                } else {
                    Err(ClockError::Days(days))
                };
            }
            Self::Fischer { base_ms, increment_ms } => (base_ms, increment_ms),
            Self::Delay { base_ms, delay_ms } => (base_ms, delay_ms),
        };
        if !(Self::BASE_MIN_MS..=Self::BASE_MAX_MS).contains(&base_ms) {
            return Err(ClockError::Base(base_ms));
        }
        if step_ms > Self::STEP_MAX_MS {
            return Err(ClockError::Step(step_ms));
        }
        Ok(())
    }

    /// The time on each clock when a game starts: the stock, or one term of a correspondence game; none
    /// without a clock.
    pub const fn stock_ms(&self) -> Option<Millis> {
        match *self {
            Self::None {} => None,
            Self::Fischer { base_ms, .. } | Self::Delay { base_ms, .. } => Some(base_ms),
            Self::Days { days } => Some(days as Millis * Self::DAY_MS),
        }
    }

    /// The term for revealing a seed.
    pub(crate) const fn seed_term_ms(&self) -> Millis {
        match *self {
            Self::None {} => Self::SEED_WITHOUT_CLOCK_MS,
            Self::Fischer { .. } | Self::Delay { .. } | Self::Days { .. } => self.first_term_ms(1),
        }
    }

    /// The term for a side's first turn of the game with this number.
    pub(crate) const fn first_term_ms(&self, game: u16) -> Millis {
        match *self {
            Self::None {} => Self::ABANDONED_AFTER_MS,
            Self::Fischer { .. } | Self::Delay { .. } if game > 1 => Self::FIRST_TURN_MS + Self::BREAK_MS,
            Self::Fischer { .. } | Self::Delay { .. } => Self::FIRST_TURN_MS,
            Self::Days { days } => days as Millis * Self::DAY_MS,
        }
    }

    /// The term for any later turn of a side with this much time on its clock.
    pub(crate) const fn term_ms(&self, clock_ms: Millis) -> Millis {
        match *self {
            Self::None {} => Self::ABANDONED_AFTER_MS,
            Self::Fischer { .. } => clock_ms,
            Self::Delay { delay_ms, .. } => clock_ms.saturating_add(delay_ms),
            Self::Days { days } => days as Millis * Self::DAY_MS,
        }
    }

    /// How much a turn of this duration takes from the clock. A side's first turn of a game takes nothing
    /// (and adds no increment); correspondence games always count.
    pub(crate) const fn charge(&self, elapsed_ms: Millis, first: bool) -> Millis {
        match *self {
            Self::None {} => 0,
            Self::Fischer { .. } | Self::Delay { .. } if first => 0,
            Self::Fischer { .. } | Self::Days { .. } => elapsed_ms,
            Self::Delay { delay_ms, .. } => elapsed_ms.saturating_sub(delay_ms),
        }
    }

    /// The time on the clock after a turn of this duration, of which `lag_ms` is given back.
    pub(crate) const fn after_turn_ms(
        &self,
        clock_ms: Millis,
        elapsed_ms: Millis,
        lag_ms: Millis,
        first: bool,
    ) -> Millis {
        let charge_ms = self.charge(elapsed_ms, first).saturating_sub(lag_ms);
        let left_ms = clock_ms.saturating_sub(charge_ms);
        match *self {
            Self::None {} | Self::Fischer { .. } | Self::Delay { .. } => {
                left_ms.saturating_add(self.earned_ms(first))
            }
            Self::Days { days } => days as Millis * Self::DAY_MS,
        }
    }

    /// How much a turn adds to the clock.
    pub(crate) const fn earned_ms(&self, first: bool) -> Millis {
        match *self {
            Self::Fischer { increment_ms, .. } if !first => increment_ms,
            Self::None {} | Self::Fischer { .. } | Self::Delay { .. } | Self::Days { .. } => 0,
        }
    }
}

/// A clock out of its range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClockError {
    /// The stock.
    #[error("the base must be {min} to {max} ms, not {0}", min = Clock::BASE_MIN_MS, max = Clock::BASE_MAX_MS)]
    Base(Millis),
    /// The increment or delay.
    #[error("the increment or delay must be at most {max} ms, not {0}", max = Clock::STEP_MAX_MS)]
    Step(Millis),
    /// The days.
    #[error("a turn has 1 to {max} days, not {0}", max = Clock::DAYS_MAX)]
    Days(u8),
}
