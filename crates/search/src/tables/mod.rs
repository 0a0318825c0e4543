//! The four dice games: a network that values positions, and what is made of its judgement.

mod bearing_off;
mod choose;
mod features;
mod judge;
mod learning;
mod level;
mod mind;
mod net;
#[cfg(test)]
mod tests;
mod throws;
mod trial;
mod weights;

pub(crate) use choose::{appraise, choose, rank, review};
pub use learning::{Lesson, Student, Teacher, play};
pub(crate) use mind::shipped;
pub use trial::trial;
pub use weights::WeightsError;
