//! One file for each game of the family; `crate::game` names them.

pub(crate) mod scripta;
pub(crate) mod tabula;
pub(crate) mod tavla;
pub(crate) mod zeno;
