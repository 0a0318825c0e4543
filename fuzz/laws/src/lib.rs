//! Laws that hold for any bytes: each function reads them as input from outside, or as a row of choices,
//! and panics if a law is broken.
//!
//! The fuzz targets of `fuzz/fuzz_targets` call them with bytes that libFuzzer makes up; the
//! tests of this crate call them with every seed in `fuzz/seeds`, so that an old fault cannot come back
//! unnoticed.

pub mod commands;
pub mod journals;
pub mod messages;
pub mod passkeys;
pub mod record_texts;
pub mod records;
pub mod requests;
pub mod texts;

/// The laws of the rules stand with the rules, whose tests call them too.
#[path = "../../../crates/rules/tests/laws/mod.rs"]
mod rules;

pub use rules::{ends, notation, positions, tables, tafl, vectors};

mod table;
