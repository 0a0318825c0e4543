//! Runs the search, and handles its failures.

use std::sync::Arc;

use lusoria_play::{Level, Match, Seat, Thought};
use lusoria_rules::Step;
use lusoria_search::{Budget, Choice, Player, Value, appraise, choose, rank};
use tokio::time::Instant;

use super::budget::{Pace, player};
use crate::app::{self, BackgroundPool};

/// The budget for deciding whether to accept a draw, in positions.
const APPRAISED_NODES: u32 = 5_000;

/// The budget after a search has failed, in positions.
const SMALL_NODES: u32 = 1_000;

/// A request to choose or evaluate a turn.
#[derive(Debug, Clone)]
pub struct ThinkRequest {
    /// The computer player.
    pub level: Level,
    /// The turn.
    pub turn: app::TurnToPlay,
    /// The budget in positions.
    pub budget: Budget,
    /// The seed for choices between equal turns.
    pub seed: u64,
}

/// Chooses turns: the search, or in tests one that fails on purpose.
pub trait Mind: Send + Sync + 'static {
    /// Chooses a whole turn.
    fn choose(&self, question: &ThinkRequest) -> Choice;
    /// The value of the position for the side to move, with its dice if it has thrown.
    fn appraise(&self, question: &ThinkRequest) -> Value;
}

/// The search.
#[derive(Debug, Clone, Copy, Default)]
pub struct Search;

impl Mind for Search {
    fn choose(&self, question: &ThinkRequest) -> Choice {
        choose(&question.turn.decision(), player(question.level), question.budget, question.seed)
    }

    fn appraise(&self, ThinkRequest { turn, budget, .. }: &ThinkRequest) -> Value {
        let best = if turn.dice.is_empty() { None } else { rank(&turn.decision(), *budget, 1).pop() };
        match best {
            Some(best) => best.value,
            None => appraise(&turn.position, &turn.history, turn.stakes, *budget),
        }
    }
}

impl ThinkRequest {
    /// The request to a level in a match whose game is in progress.
    pub(super) fn of(state: &Match, level: Level, seed: u64) -> Option<Self> {
        let turn = app::TurnToPlay::of(state)?;
        Some(Self { level, turn, budget: Budget { nodes: APPRAISED_NODES }, seed })
    }
}

/// A chosen turn.
#[derive(Debug)]
pub(super) struct Thinking {
    pub(super) steps: Vec<Step>,
    pub(super) thought: Thought,
    /// Its value; none if it was not evaluated.
    pub(super) value: Option<Value>,
}

/// Runs searches, and knows the machine's speed.
pub(super) struct Thinker {
    pub(super) mind: Arc<dyn Mind>,
    pub(super) background: Arc<BackgroundPool>,
    pub(super) pace: Pace,
}

impl Thinker {
    /// Chooses a turn within `share_ms` milliseconds. If the search fails, tries again with a smaller
    /// budget; if that fails too, takes any legal turn. None if there is none.
    pub(super) async fn think(&self, mut question: ThinkRequest, share_ms: f64) -> Option<Thinking> {
        let game = question.turn.position.variant().game();
        let budget = self.pace.budget(question.level, game, share_ms);
        for budget in [budget, budget.min(Budget { nodes: SMALL_NODES })] {
            question.budget = budget;
            let asked = question.clone();
            let mind = Arc::clone(&self.mind);
            let answer = self.background.run(move || {
                let begun = Instant::now();
                (mind.choose(&asked), begun.elapsed())
            });
            if let Some((Choice { steps, value, nodes }, took)) = answer.await {
                self.pace.note(game, nodes, took.as_secs_f64() * 1_000.0);
                metrics::histogram!("lusoria_computer_thought_seconds").record(took);
                metrics::histogram!("lusoria_computer_budget_nodes").record(budget.nodes);
                let thought = Thought { budget: budget.nodes, nodes };
                return Some(Thinking { steps, thought, value: Some(value) });
            }
            metrics::counter!("lusoria_computer_failures_total").increment(1);
            tracing::error!(%game, level = question.level.number(), budget = budget.nodes, "the search panicked; trying a smaller budget");
        }
        self.anything(question).await
    }

    /// Any legal turn, for when the search fails; none if there is none.
    pub(super) async fn anything(&self, question: ThinkRequest) -> Option<Thinking> {
        let Budget { nodes: budget } = question.budget;
        let chosen = self
            .background
            .run(move || choose(&question.turn.decision(), Player::Random, question.budget, question.seed));
        let Choice { steps, nodes, .. } = chosen.await?;
        Some(Thinking { steps, thought: Thought { budget, nodes }, value: None })
    }

    /// The value of the match for a seat; none if it is unknown.
    pub(super) async fn appraise(&self, state: &Match, seat: Seat, question: ThinkRequest) -> Option<Value> {
        let to_play = state.to_play()?.seat;
        let mind = Arc::clone(&self.mind);
        let value = self.background.run(move || mind.appraise(&question)).await?;
        Some(if seat == to_play { value } else { value.turned() })
    }
}

#[cfg(test)]
mod tests {
    use lusoria_rules::{BySide, DiceSide, Die, Game, History, Position, Setup, Side, Variant};
    use lusoria_search::Stakes;

    use super::*;

    fn question(position: Position, dice: &[u8]) -> ThinkRequest {
        let dice = dice.iter().map(|&eyes| Die::new(eyes).expect("on a die")).collect();
        let history = History::start(&position);
        let turn = app::TurnToPlay { position, dice, history, stakes: Stakes::Game };
        ThinkRequest { level: Level::ALL[0], turn, budget: Budget { nodes: APPRAISED_NODES }, seed: 1 }
    }

    /// Both sides are almost home: the side to move has one piece left on each of these places, the other
    /// needs any throw.
    fn last_throw(places: [&str; 2]) -> Position {
        let points = |places: &[&str]| places.iter().map(|&place| (place.to_owned().into(), 1)).collect();
        let white = DiceSide { points: points(&places), off: 13, ..DiceSide::default() };
        let black = DiceSide { points: points(&["1"]), off: 14, ..DiceSide::default() };
        let setup = Setup::Tables { sides: BySide { white, black }, to_move: Side::White };
        Position::from_setup(Variant::standard(Game::Tavla), &setup).expect("a position")
    }

    #[test]
    fn after_a_throw_the_value_counts_its_dice() {
        let position = last_throw(["5", "2"]);
        let hopes = |dice| Search.appraise(&question(position, dice)).win;
        assert!((0.4..0.6).contains(&hopes(&[])), "{}", hopes(&[]));
        assert!(hopes(&[1, 2]) < 0.01, "{}", hopes(&[1, 2]));
        assert!(hopes(&[6, 2]) > 0.99, "{}", hopes(&[6, 2]));
    }

    #[tokio::test]
    async fn no_turn_is_chosen_where_none_is_legal() {
        let mind = Arc::new(Search);
        let thinker = Thinker { mind, background: Arc::new(BackgroundPool::Inline), pace: Pace::default() };
        let position = Position::start(Variant::standard(Game::Tavla));
        assert!(thinker.think(question(position, &[1, 2]), 10.0).await.is_some());
        // Not a throw of this game.
        assert!(thinker.think(question(position, &[1, 2, 3]), 10.0).await.is_none());
    }
}
