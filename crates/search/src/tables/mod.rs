//! The four dice games: a network that evaluates positions, and the search built on it.

mod bearing_off;
mod choose;
mod endings;
mod exact;
mod features;
mod home;
mod judge;
mod level;
mod men;
mod mind;
mod net;
mod one_sided;
mod prospects;
mod pruning;
mod rollout;
#[cfg(test)]
mod tests;
mod throws;
mod weights;

pub(crate) use choose::{appraise, choose, glance, rank, review};
pub use endings::{Endings, LastPieces, NoEndings};
pub use exact::{known, nearly_known};
pub use features::Phase;
pub use judge::pruned_to;
pub use net::{HIDDEN, Layers, Memory, Net, OUTPUTS, Units, add, inputs};
pub use pruning::{PRUNING_UNITS, PruningLayers, PruningNet, PruningUnits, pruning_inputs};
pub(crate) use rollout::game;
pub use throws::{Throw, throws};
pub use weights::{Head, Weights, WeightsError};
