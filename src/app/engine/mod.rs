//! What the computer knows of a position: what is legal, hints, evaluations, analyses.

pub(super) mod analysis;
pub(super) mod evaluation;
pub(super) mod hints;
pub(super) mod rules;
