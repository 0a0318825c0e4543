//! The computer of several nodes: it plays anything, and the world knows how often it has thought.

use lusoria::bots::{Mind, ThinkRequest};
use lusoria_search::{Choice, Player, Value, choose};

use super::world::Shared;

/// Plays anything.
pub(super) struct Anything {
    pub(super) world: Shared,
    pub(super) node: usize,
}

impl Mind for Anything {
    fn choose(&self, question: &ThinkRequest) -> Choice {
        let mut world = self.world.lock();
        world.note(format_args!("the computer thinks at node {}", self.node));
        world.thoughts += 1;
        drop(world);
        choose(&question.turn.decision(), Player::Random, question.budget, question.seed)
    }

    fn appraise(&self, _: &ThinkRequest) -> Value {
        Value::EVEN
    }
}
