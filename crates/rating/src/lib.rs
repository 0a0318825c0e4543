//! Ratings of players: Glicko-2 for games in which one side has an advantage and chance plays a part.
//!
//! The formulas are those of Mark Glickman, "Example of the Glicko-2 system" (2022), with an [`Advantage`]
//! `a` of the player's side and a [`Slope`] `k`: how much the better player's strength shows in a match of
//! that length. With μ = (points − 1500)/173.7178, φ = deviation/173.7178, σ = volatility and t = days since
//! the player's last match · 0.21436, for the games of one match against the opponent j:
//!
//! - g = 1/√(1 + 3φⱼ²/π²)
//! - E = 1/(1 + exp(−k·g·(μ − μⱼ + a/173.7178)))
//! - 1/v = Σ k²g²E(1 − E), Γ = Σ k·g·(s − E), Δ = vΓ
//! - σ′ by Glickman's iteration from φ, σ, v, Δ and τ
//! - φ′ = 1/√(1/(φ² + tσ′²) + 1/v), μ′ = μ + φ′²Γ
//!
//! [`System::rate`] gives both players' new ratings for a [`RatedMatch`]. The types hold their ranges, so it
//! never fails and no result is infinite or NaN.
//!
//! # The same bits everywhere
//!
//! A rating is built from all earlier matches, so a difference in the last bit of one would spread to all
//! later ones, and ratings that are computed again from the journals would differ from the stored ones. The
//! crate adds, subtracts, multiplies and divides, which IEEE 754 rounds exactly, and takes square roots with
//! [`f64::sqrt`], which Rust guarantees to round exactly too. For `exp` and `ln` there is no such guarantee:
//! they come from `libm`, which is Rust and so the same everywhere, and a test checks their bits. Nothing is
//! fused (`mul_add`), and no sum depends on an unspecified order.
//!
//! Store the three numbers of a [`Rating`] unchanged, as `REAL` in SQLite or `DOUBLE PRECISION` in
//! PostgreSQL: both preserve all 64 bits. Neither text nor JSON is safe everywhere, and rounding to whole
//! numbers would change ratings at every match.

#[cfg(all(target_arch = "x86", not(target_feature = "sse2")))]
compile_error!("the registers of an x87 round twice: ratings would have other bits than elsewhere");

mod formulas;
mod rated_match;
mod rating;
mod system;

pub use rated_match::{Advantage, FULL_MATCHES_A_DAY, Kind, Outcome, Player, RatedMatch, Slope, Verdict};
pub use rating::{OutOfRange, Rating};
pub use system::System;
