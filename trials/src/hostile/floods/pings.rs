//! Pings.

use std::io;

use super::{
    super::wire::{Frame, frame},
    About, Lane,
};

pub(super) const ABOUT: About = About {
    does: "sends 20,000 pings a second on 20 sockets",
    lanes: 20,
    per_s: 200,
    ends: &["close 4429"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let hundred = frame(Frame::Ping, true, b"").repeat(100);
    let wire = lane.socket(None).await?;
    lane.pour(wire, |_| hundred.clone()).await
}
