//! What was promised before holds today: databases that earlier servers have written, and the
//! descriptions by which earlier clients were made.

mod compatible;
mod databases;
mod party;
mod wire;

pub(crate) use databases::{packed, unpacked};
