//! One file for each game of the family.

pub(super) mod scripta;
pub(super) mod tabula;
pub(super) mod tavla;
pub(super) mod zeno;
