//! Ratings of players: Glicko-2 for games in which one side has the better start and chance has its part.
//!
//! The formulas are those of Mark Glickman, "Example of the Glicko-2 system" (2022), with an
//! [`Advantage`] `a` of the side that a player had and a [`Slope`] `k`: how much the better player shows in
//! a match of its length. With μ = (points − 1500)/173.7178, φ = deviation/173.7178, σ = volatility and
//! t = days since the player's last match · 0.21436, for the games of one match against the opponent j:
//!
//! - g = 1/√(1 + 3φⱼ²/π²)
//! - E = 1/(1 + exp(−k·g·(μ − μⱼ + a/173.7178)))
//! - 1/v = Σ k²g²E(1 − E), Γ = Σ k·g·(s − E), Δ = vΓ
//! - σ′ by Glickman's iteration from φ, σ, v, Δ and τ
//! - φ′ = 1/√(1/(φ² + tσ′²) + 1/v), μ′ = μ + φ′²Γ
//!
//! [`System::rate`] gives both players' new ratings for a [`RatedMatch`]. Types hold their ranges, so that
//! it refuses nothing and no result is infinite or not a number.
//!
//! # The same bits everywhere
//!
//! A rating is built from all matches before it, so a difference in the last bit of one would stand in all
//! later ones, and ratings that are computed again from the journals would not be those that are stored.
//! The crate adds, subtracts, multiplies and divides, which IEEE 754 rounds exactly, and takes square roots
//! with [`f64::sqrt`], which Rust guarantees to round exactly, too. For `exp` and `ln` it makes no such
//! promise: they come from `libm`, which is Rust and so the same everywhere, and a test holds their bits.
//! Nothing is fused (`mul_add`) and no sum depends on an order that is not written down.
//!
//! Keep the three numbers of a [`Rating`] as they are, as `REAL` in SQLite or `DOUBLE PRECISION` in
//! PostgreSQL: both give back all 64 bits. Neither text nor JSON is safe everywhere, and rounding to
//! whole numbers would move ratings at every match.

#[cfg(all(target_arch = "x86", not(target_feature = "sse2")))]
compile_error!("the registers of an x87 round twice: ratings would have other bits than elsewhere");

mod formulas;
mod rated_match;
mod rating;
mod system;

pub use rated_match::{Advantage, FULL_MATCHES_A_DAY, Kind, Outcome, Player, RatedMatch, Slope, Verdict};
pub use rating::{OutOfRange, Rating};
pub use system::System;
