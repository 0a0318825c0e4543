//! The four dice games against their rules.

#![allow(missing_docs, clippy::unwrap_used)]

#[path = "tables/support.rs"]
mod support;

#[path = "tables/drawing.rs"]
mod drawing;
#[path = "tables/illegal.rs"]
mod illegal;
#[path = "tables/notation.rs"]
mod notation;
#[path = "tables/outcome.rs"]
mod outcome;
#[path = "tables/reach.rs"]
mod reach;
#[path = "tables/scripta.rs"]
mod scripta;
#[path = "tables/setup.rs"]
mod setup;
#[path = "tables/shared.rs"]
mod shared;
#[path = "tables/tabula.rs"]
mod tabula;
#[path = "tables/tavla.rs"]
mod tavla;
#[path = "tables/zeno.rs"]
mod zeno;
