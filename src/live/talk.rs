//! Talk: sends stored remarks to the subscribers. A subscriber who misses one finds it in the store.

use std::{collections::BTreeSet, sync::Arc};

use bytes::Bytes;
use lusoria_bus::Subject;
use lusoria_play::{Match, MatchId, Phase, PlayerId, Sits, TalkRoom};
use lusoria_store::StoreError;

use super::{context::Context, loading, topics::Hearer};

/// A stored remark to send.
#[derive(Debug, Clone)]
pub struct SaidRemark {
    /// The match.
    pub of: MatchId,
    /// The room.
    pub room: TalkRoom,
    /// The guest who said it.
    pub by: PlayerId,
    /// Whether it is in words of their own.
    pub is_text: bool,
    /// The line that readers get.
    pub line: Bytes,
}

/// Whether somebody may read a room of a match: its players read theirs; the watchers' room is closed to the
/// players until the match has ended.
pub fn hears(state: &Match, room: TalkRoom, who: Option<PlayerId>) -> bool {
    let plays = who.is_some_and(|who| state.sits(who) != Sits::Nowhere);
    match room {
        TalkRoom::Players => plays,
        TalkRoom::Watchers => !plays || matches!(state.phase(), Phase::Ended(_)),
    }
}

/// Sends a remark to subscribers on all nodes.
pub(super) fn tell(context: &Arc<Context>, remark: SaidRemark) {
    context.tell_said(Subject::Match(remark.of), &remark);
    take_told(context, remark);
}

/// Sends a remark to subscribers on this node. Looks up who may read it, so that a new block or setting
/// applies at once.
pub(super) fn take_told(context: &Arc<Context>, remark: SaidRemark) {
    let hearers = context.topics.hearers(remark.of, remark.room);
    if hearers.is_empty() {
        return;
    }
    let context_of_task = Arc::clone(context);
    context.tasks.spawn(async move {
        if let Err(error) = deliver(&context_of_task, &remark, hearers).await {
            tracing::warn!(%error, "could not look up who may read a remark; they find it in the list");
        }
    });
}

async fn deliver(
    context: &Arc<Context>,
    remark: &SaidRemark,
    hearers: Vec<Hearer>,
) -> Result<(), StoreError> {
    let SaidRemark { of, room, by, is_text, line } = remark;
    let Ok(of) = loading::room(context, *of).await else { return Ok(()) };
    let state = of.state();
    let readers: BTreeSet<PlayerId> = hearers.iter().filter_map(|hearer| hearer.reader).collect();
    let avoided = context.store.blocks_around(*by).await?;
    let readers: Vec<_> = readers
        .into_iter()
        .filter(|reader| !avoided.contains(reader) && hears(&state, *room, Some(*reader)))
        .collect();
    let readers: BTreeSet<PlayerId> = if *is_text {
        let now = context.now();
        let talkers = context.store.talkers(readers).await?;
        talkers.into_iter().filter(|of| of.refuses_text(now).is_none()).map(|of| of.guest).collect()
    } else {
        readers.into_iter().collect()
    };
    let strangers_may = !is_text && hears(&state, *room, None);
    for hearer in hearers {
        if hearer.reader.map_or(strangers_may, |reader| readers.contains(&reader)) {
            hearer.mailbox.leave(line.clone());
        }
    }
    Ok(())
}
