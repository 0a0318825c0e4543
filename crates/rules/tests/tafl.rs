//! Tablut: the rules of rules/tablut.md.

#[path = "tafl/calls_and_ends.rs"]
mod calls_and_ends;
#[path = "tafl/captures.rs"]
mod captures;
#[path = "tafl/common.rs"]
mod common;
#[path = "tafl/moves.rs"]
mod moves;
#[path = "tafl/setup.rs"]
mod setup;
