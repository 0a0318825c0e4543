//! Questions to other nodes that wait for answers.

use std::collections::BTreeMap;

use lusoria_play::BySeat;
use lusoria_store::NodeId;
use parking_lot::Mutex;
use tokio::sync::mpsc;

use super::Presence;

/// How many answers wait to be read. Nodes that the asking node does not know of answer too.
const ANSWERS_MAX: usize = 64;

/// The questions to other nodes that are not answered yet.
#[derive(Default)]
pub(super) struct Questions(Mutex<Open>);

#[derive(Default)]
struct Open {
    next: u64,
    asked: BTreeMap<u64, mpsc::Sender<(NodeId, BySeat<Presence>)>>,
}

/// A question to other nodes. Dropping it removes it.
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

    /// Adds the answer of a node.
    pub(super) fn answer(&self, number: u64, node: NodeId, presence: BySeat<Presence>) {
        if let Some(asked) = self.0.lock().asked.get(&number) {
            // The channel is only full if nodes answer twice.
            let _ = asked.try_send((node, presence));
        }
    }
}

impl Drop for Question<'_> {
    fn drop(&mut self) {
        self.questions.0.lock().asked.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use lusoria_play::Seat;
    use uuid::Uuid;

    use super::*;

    const fn node_of(number: u128) -> NodeId {
        NodeId(Uuid::from_u128(number))
    }

    #[test]
    fn answers_of_many_nodes_are_kept_until_they_are_read() {
        let questions = Questions::default();
        let mut question = questions.ask();
        let gone = BySeat(Presence::Gone { since: 1 }, Presence::Gone { since: 2 });
        for node in 0..64 {
            questions.answer(question.number, node_of(node), gone);
        }
        questions.answer(question.number + 1, node_of(1_000), gone);
        for node in 0..64 {
            let (told_by, told) = question.answers.try_recv().expect("kept");
            assert_eq!(told_by, node_of(node));
            assert_eq!(*told.get(Seat::Two), Presence::Gone { since: 2 });
        }
        assert!(question.answers.try_recv().is_err(), "nothing of another question");
        let number = question.number;
        drop(question);
        assert!(questions.0.lock().asked.is_empty(), "question {number} is forgotten");
    }
}
