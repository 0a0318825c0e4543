//! Laws of the rules that hold for any bytes: each `check` reads them as input from outside, or as a row of
//! choices, and panics if a law is broken. The tests call them with bytes that proptest makes up, the fuzz
//! targets with libFuzzer's.

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
