//! What this node has asked others and waits for.

use std::collections::BTreeMap;

use lusoria_play::BySeat;
use lusoria_store::NodeId;
use parking_lot::Mutex;
use tokio::sync::mpsc;

use super::Presence;

/// How many answers wait to be read. Nodes answer, too, that the one that asks does not know to run.
const ANSWERS_MAX: usize = 64;

/// The questions to other nodes that are not answered yet.
#[derive(Default)]
pub(super) struct Questions(Mutex<Open>);

#[derive(Default)]
struct Open {
    next: u64,
    asked: BTreeMap<u64, mpsc::Sender<(NodeId, BySeat<Presence>)>>,
}

/// A question to other nodes. Dropping it forgets it.
pub(super) struct Question<'a> {
    questions: &'a Questions,
    pub(super) number: u64,
    pub(super) answers: mpsc::Receiver<(NodeId, BySeat<Presence>)>,
}

impl Questions {
    /// Opens a question to all nodes.
    pub(super) fn ask(&self) -> Question<'_> {
        let (sender, answers) = mpsc::channel(ANSWERS_MAX);
        let mut open = self.0.lock();
        let number = open.next;
        open.next += 1;
        open.asked.insert(number, sender);
        drop(open);
        Question { questions: self, number, answers }
    }

    /// A node has answered.
    pub(super) fn answer(&self, number: u64, node: NodeId, presence: BySeat<Presence>) {
        if let Some(asked) = self.0.lock().asked.get(&number) {
            // If there are too many, somebody answers twice.
            let _ = asked.try_send((node, presence));
        }
    }
}

impl Drop for Question<'_> {
    fn drop(&mut self) {
        self.questions.0.lock().asked.remove(&self.number);
    }
}
