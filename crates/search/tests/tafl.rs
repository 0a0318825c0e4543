//! The computer in tablut.

#[path = "tafl/common.rs"]
mod common;
#[path = "tafl/draws.rs"]
mod draws;
#[path = "tafl/laws.rs"]
mod laws;
#[path = "tafl/wins.rs"]
mod wins;
