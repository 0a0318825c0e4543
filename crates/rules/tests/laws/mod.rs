//! Laws of the rules that hold for any bytes: each `check` reads them as input from outside, or as a sequence
//! of choices, and panics if a law is broken. The tests call them with bytes of proptest, the fuzz targets
//! with bytes of libFuzzer.

pub(crate) mod board;
pub(crate) mod bytes;
pub mod ends;
pub mod notation;
pub mod positions;
pub mod tables;
pub mod tafl;
pub mod vectors;

mod naive_tables;
mod naive_tafl;
