//! Sockets on which no hello is said.

use std::io;

use super::{About, Lane};

pub(super) const ABOUT: About = About {
    does: "opens sockets and says no hello",
    lanes: 400,
    per_s: 400,
    ends: &["503 too_many_connections"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let mut wire = lane.open().await?;
    wire.upgrade().await?;
    lane.hold(wire).await
}
