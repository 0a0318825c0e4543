//! Converts live matches to wire types: the conversions of `lusoria_wire`, and those that depend on `live` or
//! on the computer's search.

mod card;
mod challenge;
mod other;
mod remark;
mod render;
mod seek;
pub mod tournament;
mod value;

pub use card::card;
pub use challenge::challenge;
pub use lusoria_wire::*;
pub use other::{of as other, other_player};
pub use remark::remark;
pub use render::JsonRender;
pub use seek::{seek, seek_of_other};
pub use value::{chances, gained, lost, rounded, worth};
