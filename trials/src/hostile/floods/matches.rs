//! Thousands of matches by one guest, each under an idempotency key of its own.

use std::io;

use super::{super::wire::text, About, Lane};

pub(super) const ABOUT: About = About {
    does: "makes matches, 1000 a second, each under a key",
    lanes: 10,
    per_s: 1_000,
    ends: &["error too_many_matches", "error too_many_requests"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let token = lane.token().to_owned();
    let wire = lane.socket(Some(&token)).await?;
    lane.pour(wire, |lane| {
        text(&format!(r#"{{"id":1,"op":"create","game":"tablut","key":"{}"}}"#, lane.fresh()))
    })
    .await
}
