//! Counts the spectators of each match, on this node and, as far as is known, on others. Their names are not
//! shared. Changes are published every few seconds, so that a crowd that comes and goes causes few notices.

mod telling;

pub(super) use telling::tell_now_and_then;

use std::collections::HashMap;

use lusoria_play::{MatchId, Millis};
use lusoria_store::NodeId;
use parking_lot::Mutex;

/// How long another node's count is valid, in milliseconds. Nodes compare three times as often; an older
/// count is from a node without spectators whose last message was lost.
const COUNTS_FOR_MS: Millis = 60_000;

/// The matches that have spectators, or had some in the last notice.
#[derive(Default)]
pub(super) struct Spectators(Mutex<HashMap<MatchId, Crowd>>);

/// The spectators of a match.
#[derive(Debug, Default)]
struct Crowd {
    here: u32,
    /// On other nodes; a node with 0 has no entry.
    elsewhere: Vec<Elsewhere>,
    /// The last number sent to watchers here.
    told: u32,
    /// The last number of spectators here that was sent to other nodes.
    told_others: u32,
    /// Whether the number may have changed since.
    is_news: bool,
}

/// The spectators of a match on another node.
#[derive(Debug, Clone, Copy)]
struct Elsewhere {
    node: NodeId,
    count: u32,
    /// The time of its last report.
    at: Millis,
}

/// A change to publish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct News {
    pub(super) id: MatchId,
    /// For watchers here: the number of spectators everywhere.
    pub(super) all: Option<u32>,
    /// For other nodes: the number of spectators here.
    pub(super) here: Option<u32>,
}

impl Crowd {
    fn all(&self) -> u32 {
        self.elsewhere.iter().fold(self.here, |all, other| all.saturating_add(other.count))
    }

    /// Removes the reports of some other nodes.
    fn forget(&mut self, is_over: impl Fn(&Elsewhere) -> bool) {
        let before = self.elsewhere.len();
        self.elsewhere.retain(|other| !is_over(other));
        self.is_news |= self.elsewhere.len() < before;
    }

    /// Whether the entry can be removed.
    fn is_over(&self) -> bool {
        self.all() == 0 && self.told == 0 && self.told_others == 0
    }
}

impl Spectators {
    /// Adds a spectator on this node.
    pub(super) fn came(&self, id: MatchId) {
        self.change(id, |crowd| crowd.here += 1);
    }

    /// Removes a spectator on this node, who left or now plays.
    pub(super) fn left(&self, id: MatchId) {
        self.change(id, |crowd| crowd.here = crowd.here.saturating_sub(1));
    }

    /// Takes another node's number of spectators.
    pub(super) fn note_elsewhere(&self, id: MatchId, node: NodeId, count: u32, now: Millis) {
        self.change(id, |crowd| {
            crowd.elsewhere.retain(|other| other.node != node);
            if count > 0 {
                crowd.elsewhere.push(Elsewhere { node, count, at: now });
            }
        });
    }

    /// Removes nodes that stopped, with their spectators.
    pub(super) fn lose(&self, nodes: &[NodeId]) {
        for crowd in self.0.lock().values_mut() {
            crowd.forget(|other| nodes.contains(&other.node));
        }
    }

    /// Forgets other nodes' reports on a match that nobody follows here any more: there is nobody to notify.
    pub(super) fn forget_elsewhere(&self, id: MatchId) {
        self.change(id, |crowd| {
            crowd.elsewhere = Vec::new();
            crowd.told = 0;
        });
    }

    /// The number of spectators everywhere, as far as is known here.
    pub(super) fn of(&self, id: MatchId) -> u32 {
        self.0.lock().get(&id).map_or(0, Crowd::all)
    }

    /// The number of spectators here.
    pub(super) fn here(&self, id: MatchId) -> u32 {
        self.0.lock().get(&id).map_or(0, |crowd| crowd.here)
    }

    fn change(&self, id: MatchId, change: impl FnOnce(&mut Crowd)) {
        let mut crowds = self.0.lock();
        let crowd = crowds.entry(id).or_default();
        change(crowd);
        crowd.is_news = true;
        if crowd.is_over() {
            crowds.remove(&id);
        }
    }

    /// Takes the changes since the last call, in the order of the matches. Outdated reports of other nodes no
    /// longer count.
    pub(super) fn take_news(&self, now: Millis) -> Vec<News> {
        let mut news = Vec::new();
        self.0.lock().retain(|&id, crowd| {
            crowd.forget(|other| other.at + COUNTS_FOR_MS <= now);
            if std::mem::take(&mut crowd.is_news) {
                let all = crowd.all();
                let told = News {
                    id,
                    all: (all != crowd.told).then_some(all),
                    here: (crowd.here != crowd.told_others).then_some(crowd.here),
                };
                (crowd.told, crowd.told_others) = (all, crowd.here);
                news.extend((told.all.is_some() || told.here.is_some()).then_some(told));
            }
            !crowd.is_over()
        });
        news.sort_unstable_by_key(|told| told.id);
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: MatchId = MatchId(uuid::Uuid::from_u128(1));

    fn news(all: Option<u32>, here: Option<u32>) -> News {
        News { id: ID, all, here }
    }

    #[test]
    fn spectators_who_come_and_go_in_between_are_not_published() {
        let spectators = Spectators::default();
        assert_eq!(spectators.take_news(0), []);
        for _ in 0..3 {
            spectators.came(ID);
        }
        spectators.left(ID);
        assert_eq!((spectators.of(ID), spectators.here(ID)), (2, 2));
        assert_eq!(spectators.take_news(0), [news(Some(2), Some(2))]);
        spectators.came(ID);
        spectators.left(ID);
        assert_eq!(spectators.take_news(0), []);
        spectators.left(ID);
        spectators.left(ID);
        assert_eq!(spectators.take_news(0), [news(Some(0), Some(0))]);
        assert!(spectators.0.lock().is_empty(), "nothing is remembered");
    }

    #[test]
    fn spectators_on_other_nodes_count_until_the_nodes_are_lost() {
        let spectators = Spectators::default();
        let [a, b] = [1, 2].map(|n| NodeId(uuid::Uuid::from_u128(n)));
        spectators.came(ID);
        spectators.note_elsewhere(ID, a, 5, 0);
        spectators.note_elsewhere(ID, b, 1, 0);
        spectators.note_elsewhere(ID, a, 4, 0);
        assert_eq!(spectators.take_news(0), [news(Some(6), Some(1))]);
        spectators.note_elsewhere(ID, b, 0, 0);
        assert_eq!(spectators.take_news(0), [news(Some(5), None)]);
        spectators.lose(&[a]);
        assert_eq!(spectators.take_news(0), [news(Some(1), None)]);
        // The last spectator here leaves: other nodes are told, and nobody here remains to be told.
        spectators.note_elsewhere(ID, b, 2, 0);
        spectators.left(ID);
        spectators.forget_elsewhere(ID);
        assert_eq!(spectators.of(ID), 0);
        assert_eq!(spectators.take_news(0), [news(None, Some(0))]);
        assert!(spectators.0.lock().is_empty());
    }

    #[test]
    fn a_report_counts_for_a_minute() {
        let spectators = Spectators::default();
        let [a, b] = [1, 2].map(|n| NodeId(uuid::Uuid::from_u128(n)));
        spectators.came(ID);
        for at in [0, 20_000] {
            spectators.note_elsewhere(ID, a, 5, at);
        }
        spectators.note_elsewhere(ID, b, 2, 1_000);
        assert_eq!(spectators.take_news(60_999), [news(Some(8), Some(1))]);
        assert_eq!(spectators.take_news(61_000), [news(Some(6), None)]);
        assert_eq!(spectators.take_news(79_999), []);
        assert_eq!(spectators.take_news(80_000), [news(Some(1), None)]);
        assert_eq!(spectators.of(ID), 1);
    }
}
