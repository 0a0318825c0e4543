//! Frames that no client sends: binary, unmasked, of unknown kinds, too long, not UTF-8.

use std::io;

use super::{
    super::wire::{Frame, frame},
    About, Lane,
};

pub(super) const ABOUT: About = About {
    does: "sends frames that are binary, unmasked, too long or not UTF-8",
    lanes: 20,
    per_s: 500,
    ends: &["close 1002", "close 1003", "close 1007", "close 1009"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let bad = [
        frame(Frame::Binary, true, b"x"),
        b"\x81\x02hi".to_vec(),
        b"\xc1\x80\0\0\0\0".to_vec(),
        frame(Frame::Text, true, b"\xff\xfe"),
        frame(Frame::Text, true, &vec![b'x'; 17 * 1024]),
        frame(Frame::Text, true, &vec![b'x'; 70 * 1024]),
    ];
    let mut wire = lane.socket(None).await?;
    lane.beat().await;
    let which = (lane.nth + lane.attempts()) % bad.len();
    wire.send(&bad[which]).await?;
    lane.hold(wire).await
}
