//! Chooses the computer's turns.
//!
//! [`choose`] decides a [`Decision`] within a [`Budget`] of evaluated positions, [`rank`] evaluates all
//! promising turns, [`appraise`] evaluates a position before the throw. The crate is pure: it knows no clock
//! and no random source. The same decision, player, budget and seed give the same result.
//!
//! ```
//! use lusoria_rules::{Die, Game, History, Position, Variant};
//! use lusoria_search::{Decision, Player, Stakes, choose};
//!
//! let position = Position::start(Variant::standard(Game::Tabula));
//! let history = History::start(&position);
//! let dice = [Die::new(6), Die::new(5), Die::new(2)].map(|die| die.expect("on a die"));
//! let decision = Decision { position, dice: &dice, history: &history, stakes: Stakes::Game };
//! let choice = choose(&decision, Player::Greedy, Player::Greedy.budget(Game::Tabula), 1);
//! let mut turn = position.turn(&dice)?;
//! for step in &choice.steps {
//!     turn.play(step).expect("the computer plays by the rules");
//! }
//! assert!(turn.is_complete());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(clippy::cast_precision_loss, reason = "counts of positions, pieces and pips are small")]

mod budget;
mod choice;
mod choose;
mod edition;
mod games;
mod level;
mod player;
mod random;
mod review;
mod rollout;
mod simple;
mod tables;
mod tafl;
mod value;

pub use budget::Budget;
pub use choice::{Choice, Decision, Review};
pub use choose::{appraise, choose, rank};
pub use edition::edition;
pub use level::{Level, NoSuchLevel};
pub use player::Player;
pub use random::Random;
pub use review::{NotATurn, review};
pub use rollout::{
    Difference, GAMES_A_ROUND, NoRollout, RolledOut, RollingOut, Rollout, RolloutGame, RolloutPlan,
    difference, roll_out,
};
pub use value::{Stakes, Value};

/// The networks of the dice games, for training (docs/training.md).
pub mod network {
    pub use crate::tables::{
        HIDDEN, Head, Layers, Memory, Net, OUTPUTS, PRUNING_UNITS, Phase, PruningLayers, PruningNet,
        PruningUnits, Throw, Units, Weights, WeightsError, add, inputs, pruned_to, pruning_inputs, throws,
    };
}

/// Exact and almost exact values in the dice games, for training, and for the program that computes them
/// (docs/training.md).
pub mod endings {
    pub use crate::tables::{Endings, LastPieces, NoEndings, known, nearly_known};
}

/// The evaluation of tafl games, for training.
pub mod evaluation {
    pub use crate::edition::edition_of_values;
    pub use crate::games::TAFL;
    pub use crate::tafl::{
        CURVE_EVEN, CURVE_VALUES, ChanceCurve, ChancesError, FEATURES, GROUPS, Group, HEAD, Played, UNIT,
        UNITS, Unit, WON, Weights, WeightsError, chance, curve_shares, each_feature, is_calm, is_certain,
        is_decided, most_drawn, moves_left, outlook, play_turn,
    };
}
