//! Laws that hold for any bytes: each function reads them as input from outside, or as a row of choices,
//! and panics if a law is broken.
//!
//! The fuzz targets of `fuzz/fuzz_targets` call them with bytes that libFuzzer makes up; the
//! tests of this crate call them with every seed in `fuzz/seeds`, so that an old fault cannot come back
//! unnoticed.

pub mod commands;
pub mod ends;
pub mod journals;
pub mod messages;
pub mod notation;
pub mod positions;
pub mod record_texts;
pub mod records;
pub mod requests;
pub mod tables;
pub mod tafl;
pub mod texts;
pub mod vectors;

mod board;
mod bytes;
mod naive;
mod table;
