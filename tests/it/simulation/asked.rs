//! The requests of the players, and which of them the server has read and answered.

use std::collections::{BTreeMap, BTreeSet};

use lusoria_play::{MatchId, PlayerId};
use lusoria_rules::Step;
use serde_json::Value;

/// What makes two requests the same one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Question {
    /// An idempotency key.
    Key(PlayerId, String),
    /// A turn: the match, the event that gave it, its steps.
    Turn(PlayerId, MatchId, u64, String),
}

/// How often the server has read and answered a question.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count {
    pub(super) read: u32,
    pub(super) answered: u32,
}

/// Everything that players have asked for.
#[derive(Default)]
pub(super) struct RequestId {
    ops: BTreeSet<(PlayerId, MatchId, String)>,
    anywhere: BTreeSet<(PlayerId, String)>,
    turns: BTreeMap<(PlayerId, MatchId, u32), Vec<Vec<Step>>>,
    counts: BTreeMap<Question, Count>,
    /// The first answer that a question got, without what may differ.
    answers: BTreeMap<Question, Value>,
}

impl RequestId {
    pub(super) fn ask(&mut self, player: PlayerId, id: Option<MatchId>, op: &str) {
        match id {
            Some(id) => self.ops.insert((player, id, op.to_owned())),
            None => self.anywhere.insert((player, op.to_owned())),
        };
    }

    pub(super) fn ask_turn(&mut self, player: PlayerId, id: MatchId, seq: u32, steps: Vec<Step>) {
        self.turns.entry((player, id, seq)).or_default().push(steps);
    }

    pub(super) fn asked(&self, player: PlayerId, id: MatchId, op: &str) -> bool {
        self.ops.contains(&(player, id, op.to_owned()))
    }

    pub(super) fn anywhere(&self, player: PlayerId, op: &str) -> bool {
        self.anywhere.contains(&(player, op.to_owned()))
    }

    pub(super) fn turn(&self, player: PlayerId, id: MatchId, seq: u32, steps: &[Step]) -> bool {
        self.turns.get(&(player, id, seq)).is_some_and(|asked| asked.iter().any(|turn| turn == steps))
    }

    pub(super) fn read(&mut self, question: &Question) {
        self.counts.entry(question.clone()).or_default().read += 1;
    }

    pub(super) fn answered(&mut self, question: &Question) {
        self.counts.entry(question.clone()).or_default().answered += 1;
    }

    pub(super) fn count(&self, question: &Question) -> Count {
        self.counts.get(question).copied().unwrap_or_default()
    }

    /// The next answer to it is the first one again.
    pub(super) fn begins_anew(&mut self, question: &Question) {
        self.answers.remove(question);
    }

    /// The first answer to a question: this one, if there was none.
    pub(super) fn first_answer(&mut self, question: &Question, answer: Value) -> &Value {
        self.answers.entry(question.clone()).or_insert(answer)
    }
}
