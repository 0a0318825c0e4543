//! What thinks, and what happens if it fails.

use std::sync::Arc;

use lusoria_play::{Level, Match, Seat, Thought};
use lusoria_rules::{Die, History, Position, Step};
use lusoria_search::{Budget, Choice, Decision, Player, Stakes, Value, appraise, choose};
use tokio::time::Instant;

use super::budget::{Pace, player};
use crate::app::Aside;

/// How many positions may be valued to see whether a draw is to be accepted.
const APPRAISED_NODES: u32 = 5_000;

/// How many positions may be valued after a thought has failed.
const SMALL_NODES: u32 = 1_000;

/// Something to think about.
#[derive(Debug, Clone)]
pub struct Question {
    /// Who thinks.
    pub level: Level,
    /// The position at the start of the turn.
    pub position: Position,
    /// What was thrown; empty in tablut, and before a throw.
    pub dice: Vec<Die>,
    /// What the game remembers.
    pub history: History,
    /// What is played for.
    pub stakes: Stakes,
    /// How much may be looked at.
    pub budget: Budget,
    /// By which it chooses between equals.
    pub seed: u64,
}

/// What answers questions: the search, or in tests something that fails when it should.
pub trait Mind: Send + Sync + 'static {
    /// A whole turn.
    fn choose(&self, question: &Question) -> Choice;
    /// What the side to move can hope for before it throws.
    fn appraise(&self, question: &Question) -> Value;
}

/// The search.
#[derive(Debug, Clone, Copy, Default)]
pub struct Search;

impl Mind for Search {
    fn choose(&self, question: &Question) -> Choice {
        choose(&question.decision(), player(question.level), question.budget, question.seed)
    }

    fn appraise(&self, Question { position, history, stakes, budget, .. }: &Question) -> Value {
        appraise(position, history, *stakes, *budget)
    }
}

impl Question {
    /// What a level is asked in a match in which a game is being played.
    pub(super) fn of(state: &Match, level: Level, seed: u64) -> Option<Self> {
        let game = state.game()?;
        Some(Self {
            level,
            position: game.position,
            dice: state.to_play().map(|to_play| to_play.dice.clone()).unwrap_or_default(),
            history: game.history.clone(),
            stakes: if state.terms().points > 1 { Stakes::Points } else { Stakes::Game },
            budget: Budget { nodes: APPRAISED_NODES },
            seed,
        })
    }

    fn decision(&self) -> Decision<'_> {
        Decision { position: self.position, dice: &self.dice, history: &self.history, stakes: self.stakes }
    }
}

/// A turn that has been thought of.
#[derive(Debug)]
pub(super) struct Thinking {
    pub(super) steps: Vec<Step>,
    pub(super) thought: Thought,
    /// What it is worth; none if it was not weighed.
    pub(super) value: Option<Value>,
}

/// Where and how fast something thinks.
pub(super) struct Thinker {
    pub(super) mind: Arc<dyn Mind>,
    pub(super) aside: Arc<Aside>,
    pub(super) pace: Pace,
}

impl Thinker {
    /// Thinks of a turn within `share_ms` milliseconds. If that fails, it thinks less, and if
    /// that fails too, it plays anything.
    pub(super) async fn think(&self, mut question: Question, share_ms: f64) -> Thinking {
        let game = question.position.variant().game();
        let budget = self.pace.budget(question.level, game, share_ms);
        for budget in [budget, budget.min(Budget { nodes: SMALL_NODES })] {
            question.budget = budget;
            let asked = question.clone();
            let mind = Arc::clone(&self.mind);
            let answer = self.aside.run(move || {
                let begun = Instant::now();
                (mind.choose(&asked), begun.elapsed())
            });
            if let Some((Choice { steps, value, nodes }, took)) = answer.await {
                self.pace.note(game, nodes, took.as_secs_f64() * 1_000.0);
                metrics::histogram!("lusoria_computer_thought_seconds").record(took);
                metrics::histogram!("lusoria_computer_budget_nodes").record(budget.nodes);
                let thought = Thought { budget: budget.nodes, nodes };
                return Thinking { steps, thought, value: Some(value) };
            }
            metrics::counter!("lusoria_computer_failures_total").increment(1);
            tracing::error!(%game, level = question.level.number(), budget = budget.nodes, "a thought failed");
        }
        anything(&question)
    }

    /// What a seat stands to gain; none if that cannot be said.
    pub(super) async fn appraise(&self, state: &Match, seat: Seat, question: Question) -> Option<Value> {
        let to_play = state.to_play()?.seat;
        let mind = Arc::clone(&self.mind);
        let value = self.aside.run(move || mind.appraise(&question)).await?;
        Some(if seat == to_play { value } else { value.turned() })
    }
}

/// Some legal turn, for when thinking fails.
pub(super) fn anything(question: &Question) -> Thinking {
    let Choice { steps, nodes, .. } =
        choose(&question.decision(), Player::Random, question.budget, question.seed);
    Thinking { steps, thought: Thought { budget: question.budget.nodes, nodes }, value: None }
}

/// Whether a draw is at least as good as what a seat stands to gain.
pub(super) fn is_content_with_draw(stakes: Stakes, value: &Value) -> bool {
    stakes.worth(value) <= stakes.worth(&Value::DRAWN)
}
