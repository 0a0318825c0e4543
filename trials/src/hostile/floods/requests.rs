//! Requests, one after the other without waiting for answers.

use std::io;

use super::{super::lane::request, About, Lane};

pub(super) const ABOUT: About = About {
    does: "sends 5000 requests a second in pipelines",
    lanes: 50,
    per_s: 500,
    ends: &["429 too_many_requests"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let ten = request("GET", "/matches?state=open", None, "").repeat(10);
    lane.ask(|_| ten.clone()).await
}
