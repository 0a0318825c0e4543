//! The common interface of both engines, and the checker of test vectors.

#[path = "facade/games.rs"]
mod games;
#[path = "facade/vectors.rs"]
mod vectors;
