//! A message in frames of one byte each.

use std::io;

use super::{
    super::wire::{Frame, frame},
    About, Lane,
};

pub(super) const ABOUT: About = About {
    does: "sends messages in frames of one byte, 100,000 a second on 10 sockets",
    lanes: 10,
    per_s: 100,
    ends: &["close 1009"],
    patience_s: 12,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let mut wire = lane.socket(None).await?;
    wire.send(&frame(Frame::Text, false, b" ")).await?;
    let many = frame(Frame::Continuation, false, b" ").repeat(1_000);
    lane.pour(wire, |_| many.clone()).await
}
