//! A message in frames of nothing, which never gets any longer. Nothing is heard in it: the
//! connection is broken off after a minute, later than any flood here lasts.

use std::io;

use super::{
    super::wire::{Frame, frame},
    About, Lane,
};

pub(super) const ABOUT: About = About {
    does: "sends a message in empty frames, 100,000 a second on 20 sockets",
    lanes: 20,
    per_s: 200,
    ends: &["101"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let mut wire = lane.socket(None).await?;
    wire.send(&frame(Frame::Text, false, b"")).await?;
    let many = frame(Frame::Continuation, false, b"").repeat(500);
    lane.pour(wire, |_| many.clone()).await
}
