//! Sockets that ask for much and read nothing.

use std::io;

use super::{super::wire::text, About, Lane};

pub(super) const ABOUT: About = About {
    does: "asks for events on 20 sockets and reads nothing",
    lanes: 20,
    per_s: 1_000,
    ends: &["closed"],
    patience_s: 310,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let id = lane.stage.long.clone();
    let token = lane.token().to_owned();
    let wire = lane.socket(Some(&token)).await?;
    let ask = text(&format!(r#"{{"id":1,"op":"events","match":"{id}","limit":200}}"#));
    loop {
        lane.beat().await;
        wire.try_send(&ask)?;
    }
}
