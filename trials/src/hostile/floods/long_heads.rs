//! Heads that are longer than anybody needs, and heads of too many lines.

use std::io;

use super::{About, Lane};

pub(super) const ABOUT: About = About {
    does: "sends heads of 20 KiB, and heads of 90 lines",
    lanes: 20,
    per_s: 1_000,
    ends: &["431 head_too_large"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let long = format!("GET /api/v1/games HTTP/1.1\r\nhost: x\r\nx: {}\r\n\r\n", "x".repeat(20 * 1024));
    let many = format!("GET /api/v1/games HTTP/1.1\r\nhost: x\r\n{}\r\n", "x: x\r\n".repeat(90));
    lane.ask(|lane| if lane.fresh().is_multiple_of(2) { long.clone() } else { many.clone() }.into_bytes()).await
}
