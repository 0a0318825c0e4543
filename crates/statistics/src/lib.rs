//! Statistics of games for scholars: what finished matches come to, as counts that add up.
//!
//! [`of_match`] folds the events of a finished match into [`Counts`]. Counts of several matches are added in any
//! order, so they can be kept and brought up to date, or counted again from the journals, with the same numbers.
//! [`summary`] is what they say as the API tells it, [`csv`] the counts themselves. docs/statistics.md defines
//! every number.
//!
//! The crate is pure: it reads journals that are handed in, and knows neither clock nor store.

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

/// The number of the definitions by which matches are counted. Another fold of the same journals is another number:
/// then a server counts everything again.
pub const DEFINITIONS: u32 = 1;
