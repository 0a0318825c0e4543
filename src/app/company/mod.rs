//! What people are to each other: opponents found, followed, blocked, talked with and reported; what pushes tell.

pub(super) mod blocks;
pub(super) mod challenges;
pub(super) mod conduct;
pub(super) mod follows;
pub(super) mod players;
pub(super) mod pushes;
pub(super) mod seeks;
pub(super) mod talk;
