//! The arena: games between two players, without a server.
//!
//! [`run`] plays pairs of games. Both games of a pair have the same dice, throw for throw of White and of
//! Black, and the players exchange the sides, so that luck cancels as far as it can. Everything except times
//! depends only on the [`Contest`], whatever the number of threads. Outside engines use lines of JSON
//! ([`Program`]; docs/bots.md, "Engines for the arena"); one that breaks the protocol forfeits its game.

mod calibration;
mod contest;
mod engine;
mod entrant;
mod error;
mod estimate;
pub mod fair_play;
pub mod findings;
mod game;
mod losses;
mod pair_randomness;
mod question;
pub mod ratings;
mod report;
mod rollouts;
mod run;
mod score;
mod seat;
mod share;
mod speaker;
mod tally;

pub use calibration::Bucket;
pub use contest::{Contest, Limits};
pub use engine::{Fault, exit_with_engines};
pub use entrant::{ByEntrant, Entrant, EntrantId, NoSuchEntrant, Program};
pub use error::ArenaError;
pub use estimate::Estimate;
pub use losses::{Comparison, LossProgress, Losses, PlayerLosses, losses};
pub use report::{Elo, Mean, Player, Report, Settings, Spread, Stopped};
pub use rollouts::play_at_the_same_time;
pub use run::{FORFEITS_IN_A_ROW_MAX, Progress, run};
pub use score::{Forfeit, Score};
pub use share::{Interval, Share};
pub use speaker::{SpeakError, speak};
