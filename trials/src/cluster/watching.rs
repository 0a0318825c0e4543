//! Watchers: one on each node, who watches all matches through everything that goes wrong, and must reach
//! their heads.

use std::{collections::BTreeMap, time::Duration};

use lusoria_client::{Connection, Incoming};
use lusoria_protocol::{
    MatchId,
    socket::{OnLag, Op, Watch},
};
use serde_json::value::RawValue;
use tokio::{sync::watch, task::JoinSet, time::timeout};

use super::{
    NODES,
    nodes::{Addresses, Listening},
};
use crate::{
    crash::{
        check::journal,
        error::{TrialError, broken, promised},
        pair::Pair,
    },
    in_time::in_time,
};

/// How long a watcher may take to the head once nothing is wrong any more: a hint may be lost, and then a
/// node looks every 2 s.
const REACHED_WITHIN: Duration = Duration::from_secs(10);

/// How long a watcher who lost their node waits before they come back.
const COMES_BACK_AFTER: Duration = Duration::from_millis(50);

/// One watcher on each node.
pub(super) struct Watchers {
    watching: Vec<watch::Receiver<Watched>>,
    /// They end with this.
    _tasks: JoinSet<()>,
}

/// What a watcher has seen.
#[derive(Debug, Default)]
struct Watched {
    /// The number of the last event of each match.
    heads: BTreeMap<MatchId, u32>,
    events: Vec<(MatchId, Box<str>)>,
    broken: Option<String>,
}

impl Watchers {
    /// Watches the matches that the pairs play now, each from the first event that its players lack.
    pub(super) fn begin(pairs: &[Pair], listening: &watch::Receiver<Listening>) -> Self {
        let current = pairs.iter().filter_map(|pair| pair.current.as_ref());
        let heads: BTreeMap<_, _> =
            current.map(|current| (current.id(), current.seen.whole_until())).collect();
        let mut tasks = JoinSet::new();
        let watching = (0..NODES)
            .map(|node| {
                let watched = watch::Sender::new(Watched { heads: heads.clone(), ..Watched::default() });
                let receiver = watched.subscribe();
                tasks.spawn(watch_on(node, listening.clone(), watched));
                receiver
            })
            .collect();
        Self { watching, _tasks: tasks }
    }

    /// Waits until each watcher has seen every match up to its head, and compares what they saw with what
    /// the players know.
    pub(super) async fn reach_heads(
        mut self,
        pairs: &mut [Pair],
        at: Addresses<NODES>,
    ) -> Result<(), TrialError> {
        let ids: Vec<_> = self.watching[0].borrow().heads.keys().copied().collect();
        let mut heads = BTreeMap::new();
        for id in ids {
            let mut head = 0;
            for node in at {
                head = head.max(journal(node, id).await?.len());
            }
            heads.insert(id, u32::try_from(head).expect("no match is so long"));
        }
        for (node, watching) in self.watching.iter_mut().enumerate() {
            let has_all = |watched: &Watched| {
                let reached = |(id, head): (&MatchId, &u32)| watched.heads.get(id) >= Some(head);
                watched.broken.is_some() || heads.iter().all(reached)
            };
            let reached = timeout(REACHED_WITHIN, watching.wait_for(has_all)).await;
            let is_late = reached.is_err();
            drop(reached);
            let watched = watching.borrow();
            if let Some(what) = &watched.broken {
                return Err(broken!("the watcher on node {node}: {what}"));
            }
            promised!(
                !is_late,
                "the watcher on node {node} does not reach the heads in {} s: {:?} of {heads:?}",
                REACHED_WITHIN.as_secs(),
                watched.heads
            );
            for (id, event) in &watched.events {
                if let Some(seen) = pairs.iter_mut().find_map(|pair| pair.seen_of(*id)) {
                    seen.see(event)?;
                }
            }
        }
        Ok(())
    }
}

/// Watches on one node, and comes back whenever it is gone.
async fn watch_on(node: usize, mut listening: watch::Receiver<Listening>, watched: watch::Sender<Watched>) {
    loop {
        // An error means that the trial is over.
        let Ok(now) = listening.wait_for(|listening| listening[node].is_some()).await.map(|now| *now) else {
            return;
        };
        let Some(at) = now[node] else { continue };
        match look(at, &watched).await {
            Err(TrialError::Broken(what)) => {
                watched.send_modify(|watched| watched.broken = Some(what));
                return;
            }
            Err(TrialError::NoAnswer(_)) | Ok(()) => tokio::time::sleep(COMES_BACK_AFTER).await,
        }
    }
}

/// Watches all matches, each from its head, until the connection is lost.
async fn look(at: std::net::SocketAddr, watched: &watch::Sender<Watched>) -> Result<(), TrialError> {
    let (mut connection, _) = in_time(Connection::open(&at.into(), at, None, None)).await?;
    let heads = watched.borrow().heads.clone();
    for (id, since) in heads {
        let watch =
            Watch { id, since: Some(since), on_lag: OnLag::Journal, positions: true, spectating: true };
        let _: Box<RawValue> = in_time(connection.ask(Op::Watch(watch))).await?;
    }
    loop {
        let Incoming::Event(event) = connection.receive().await? else { continue };
        let mut told = Ok(());
        watched.send_modify(|watched| told = watched.see(event.id, event.seq, event.text()));
        told?;
    }
}

impl Watched {
    fn see(&mut self, id: MatchId, seq: u32, text: &str) -> Result<(), TrialError> {
        let head = self.heads.get_mut(&id);
        let head = head.ok_or_else(|| broken!("an event of a match that is not watched"))?;
        promised!(seq == *head + 1, "event {seq} of {id} was pushed after {head}");
        *head = seq;
        self.events.push((id, text.into()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_once_and_in_order() {
        let id: MatchId = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f".parse().unwrap();
        let other: MatchId = "0190a6c2-7b1e-7cc3-98c4-dc0c0c073990".parse().unwrap();
        let mut watched = Watched { heads: BTreeMap::from([(id, 3)]), ..Watched::default() };
        assert!(watched.see(id, 4, "four").is_ok());
        assert!(watched.see(id, 4, "four").is_err(), "twice");
        assert!(watched.see(id, 6, "six").is_err(), "five is missing");
        assert!(watched.see(id, 5, "five").is_ok());
        assert!(watched.see(other, 1, "one").is_err(), "nobody watches it");
        assert_eq!(watched.heads[&id], 5);
    }
}
