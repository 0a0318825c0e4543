//! A match, rule by rule, against a naive model, and against every journal ever written.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod against_model;
mod bench;
mod chance;
mod claims;
mod clocks;
mod computers;
mod covered_variants;
mod credit;
mod golden;
mod lag;
mod model;
mod offers;
mod pairs;
mod ratings;
mod rematch;
mod seeds;
mod series;
mod starting;
mod takebacks;
mod turns;
