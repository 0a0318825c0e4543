//! Statistics of games for scholars: counts of finished matches that can be added up.
//!
//! [`of_match`] folds the events of a finished match into [`Counts`]. Counts of several matches can be added
//! in any order, so they can be kept up to date, or counted again from the journals, with the same numbers.
//! [`summary`] evaluates them for the API, [`csv`] writes the counts themselves. docs/statistics.md defines
//! every number.
//!
//! The crate is pure: it reads the journals it is given, and knows neither clock nor store.

mod chance;
mod counts;
mod csv;
mod fold;
mod opening;
mod summary;

pub use chance::{Interval, chi_square_p, wilson};
pub use counts::{Counts, Key, Measure, NotAKey, Players};
pub use csv::{COLUMNS, csv};
pub use fold::{OfMatch, of_match};
pub use opening::{PLIES_MAX, canonical, told};
pub use summary::{OPENING_GAMES_MIN, OPENINGS_MAX, summary};

/// The version of the definitions by which matches are counted. A change of the fold needs a new number; a
/// server then counts everything again.
pub const DEFINITIONS: u32 = 1;
