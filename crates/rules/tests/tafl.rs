//! Tablut: the rules of rules/tablut.md.

#[path = "tafl/calls_and_ends.rs"]
mod calls_and_ends;
#[path = "tafl/captures.rs"]
mod captures;
#[path = "tafl/common.rs"]
mod common;
#[path = "tafl/laws.rs"]
mod laws;
#[path = "tafl/moves.rs"]
mod moves;
#[path = "tafl/naive.rs"]
mod naive;
#[path = "tafl/setup.rs"]
mod setup;
#[path = "tafl/vectors.rs"]
mod vectors;
