//! What must hold for what a client is sent without having asked.

use lusoria_play::{MatchId, Millis};
use serde_json::Value;

use super::{Verdict, holds};
use crate::simulation::client::{Client, id_in};

/// An event of a match that the client watches is the one after the last that it has.
pub(in crate::simulation) fn follows_what_was_read(reader: &Client, event: &Value) -> Verdict {
    let view = id_in(&event["match"]).and_then(|id| reader.views.get(&id)).ok_or("not watched")?;
    holds(view.watching, || "not watched any more".to_owned())?;
    let expected = u64::from(view.cursor) + 1;
    holds(event["seq"].as_u64() == Some(expected), || format!("not event {expected}"))
}

/// Events are left out only for clients that chose so, and the notice says which.
pub(in crate::simulation) fn skip_is_announced(reader: &Client, notice: &Value) -> Verdict {
    let view = id_in(&notice["match"]).and_then(|id| reader.views.get(&id)).ok_or("not watched")?;
    holds(view.watching && view.skips, || "the client has not chosen that".to_owned())?;
    let expected = u64::from(view.cursor) + 1;
    holds(notice["from"].as_u64() == Some(expected), || format!("not from event {expected}"))?;
    holds(notice["to"] == notice["snapshot"]["head"], || "not up to the snapshot".to_owned())
}

/// No match waits again that has been told to wait no longer.
pub(in crate::simulation) fn was_not_closed(reader: &Client, id: MatchId) -> Verdict {
    holds(!reader.topics.closed.contains(&id), || "it was closed before".to_owned())
}

/// A client that was in the lobby when a match was made has received it before it closes.
pub(in crate::simulation) fn was_opened(reader: &Client, id: MatchId, made_at: Millis) -> Verdict {
    let Some(lobby) = &reader.topics.lobby else { return Ok(()) };
    let sees = lobby.contains(&id) || reader.topics.closed.contains(&id);
    holds(sees || made_at <= reader.topics.lobby_since, || "nobody has told that it opened".to_owned())
}

/// A player receives each state of a match once, one after the other; of what nodes tell each other, as far as
/// that is so.
pub(in crate::simulation) fn is_told_once(
    reader: &mut Client,
    notice: &Value,
    in_order: bool,
    once: bool,
) -> Verdict {
    let Some(told) = &mut reader.topics.personal else { return Ok(()) };
    let (Some(id), Some(head)) = (id_in(&notice["match"]["id"]), notice["match"]["head"].as_u64()) else {
        return Err("no card".to_owned());
    };
    let kind = notice["notice"].as_str().unwrap_or_default().to_owned();
    let later = told.iter().any(|(other, later, _)| *other == id && *later > head);
    holds(!later || !in_order, || format!("event {head} after a later one"))?;
    holds(told.insert((id, head, kind)) || !once, || format!("event {head} a second time"))
}
