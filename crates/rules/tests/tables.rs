//! The four dice games against their rules.

#![allow(missing_docs, clippy::unwrap_used)]

#[path = "tables/perft.rs"]
mod perft;
#[path = "tables/support.rs"]
mod support;
#[path = "tables/vectors.rs"]
mod vectors;
