//! Rollouts of turns in finished matches: the turn is compared with the best ones by playing the game on many
//! times. One turn at a time, game by game. All other work of the computer goes first.

use std::{
    collections::{HashMap, VecDeque},
    panic::AssertUnwindSafe,
    sync::Arc,
};

use futures_util::FutureExt;
use lusoria_play::{Event, Match, MatchId, Refusal, TakenStep};
use lusoria_protocol::{AnalysisState, Code, Problem, RolledOutTurn, TurnRollout};
use lusoria_rules::{Game, Step};
use lusoria_search::{GAMES_A_ROUND, NoRollout, RolledOut, RollingOut, RolloutPlan, Value};
use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::{
    app::{
        App, ClientAddress, TurnToPlay,
        engine::hints,
        limits::{
            permits::take_one,
            quota::{AddressQuota, QuotaShare},
        },
        problem, wire,
    },
    config::Limits,
};

/// With how many of the best-looking turns the played one is compared (it may be one of them), and after how
/// many turns of both sides a game is cut off and evaluated: the luck after that says little about the turn.
/// Three dice can be thrown and played in so many more ways that less must do, because a game is played in
/// one piece while others wait.
const fn reach(game: Game) -> (usize, u32) {
    if game.dice() < 3 { (4, 16) } else { (2, 4) }
}

/// How many finished rollouts are remembered.
const REMEMBERED: usize = 256;

/// The match, and the event in which the turn was played.
type PlayedTurn = (MatchId, u32);

/// The requested rollouts, and the last finished ones.
pub(in crate::app) struct Rollouts {
    games_max: u32,
    waiting_max: usize,
    lines: Mutex<Lines>,
    arrived: Notify,
    quota: AddressQuota,
}

#[derive(Default)]
struct Lines {
    /// Those not in progress, the oldest first.
    waiting: VecDeque<PlayedTurn>,
    /// All that are requested and not finished.
    asked: HashMap<PlayedTurn, Asked>,
    /// Those that are finished.
    ready: HashMap<PlayedTurn, Arc<TurnRollout>>,
    /// Their keys, the one that finished first in front.
    order: VecDeque<PlayedTurn>,
}

struct Asked {
    question: Arc<Question>,
    so_far: Arc<TurnRollout>,
    /// A share of the quota of the first address that asked.
    _share: QuotaShare,
}

/// What is compared.
struct Question {
    turn: TurnToPlay,
    steps: Vec<Step>,
}

impl Rollouts {
    pub(in crate::app) fn new(limits: &Limits) -> Self {
        Self {
            games_max: limits.rollout_games.next_multiple_of(GAMES_A_ROUND),
            waiting_max: limits.rollouts_waiting as usize,
            lines: Mutex::default(),
            arrived: Notify::new(),
            quota: AddressQuota::per_address(limits.costly_per_address),
        }
    }

    /// The result so far; none if nobody has asked for it lately.
    fn so_far(&self, of: PlayedTurn) -> Option<Arc<TurnRollout>> {
        self.lines.lock().so_far(of)
    }

    /// The result so far. Queues the rollout if nobody has asked for it yet.
    ///
    /// # Errors
    /// `unavailable` if too many are waiting; `too_many_requests` if too many of them are from this address.
    fn ask(
        &self,
        of: PlayedTurn,
        question: Question,
        address: ClientAddress,
    ) -> Result<Arc<TurnRollout>, Problem> {
        let mut lines = self.lines.lock();
        if let Some(so_far) = lines.so_far(of) {
            return Ok(so_far);
        }
        if lines.waiting.len() >= self.waiting_max {
            return Err(problem::unavailable());
        }
        let share = take_one(&self.quota, address)?;
        let so_far = Arc::new(TurnRollout {
            id: of.0,
            seq: of.1,
            state: AnalysisState::Pending,
            games: 0,
            games_max: self.games_max,
            sure: false,
            turns: Vec::new(),
        });
        let question = Arc::new(question);
        lines.asked.insert(of, Asked { question, so_far: Arc::clone(&so_far), _share: share });
        lines.waiting.push_back(of);
        lines.tell();
        drop(lines);
        self.arrived.notify_one();
        Ok(so_far)
    }

    /// Waits for one and takes it from the queue.
    async fn next(&self) -> (PlayedTurn, Arc<Question>) {
        loop {
            let arrived = self.arrived.notified();
            if let Some(next) = self.lines.lock().take() {
                return next;
            }
            arrived.await;
        }
    }

    /// Publishes the result so far.
    fn show(&self, of: PlayedTurn, so_far: TurnRollout) {
        if let Some(asked) = self.lines.lock().asked.get_mut(&of) {
            asked.so_far = Arc::new(so_far);
        }
    }

    /// Removes a rollout that is finished or was given up.
    fn finish(&self, of: PlayedTurn, ready: Option<TurnRollout>) {
        let mut lines = self.lines.lock();
        lines.asked.remove(&of);
        let Some(ready) = ready else { return };
        lines.ready.insert(of, Arc::new(ready));
        lines.order.push_back(of);
        if lines.order.len() > REMEMBERED
            && let Some(oldest) = lines.order.pop_front()
        {
            lines.ready.remove(&oldest);
        }
    }
}

impl Lines {
    fn so_far(&self, of: PlayedTurn) -> Option<Arc<TurnRollout>> {
        let asked = || self.asked.get(&of).map(|asked| &asked.so_far);
        self.ready.get(&of).or_else(asked).cloned()
    }

    fn take(&mut self) -> Option<(PlayedTurn, Arc<Question>)> {
        let of = self.waiting.pop_front()?;
        self.tell();
        Some((of, Arc::clone(&self.asked.get(&of)?.question)))
    }

    fn tell(&self) {
        #[expect(clippy::cast_precision_loss, reason = "there are at most a few thousand")]
        metrics::gauge!("lusoria_rollouts_waiting").set(self.waiting.len() as f64);
    }
}

impl App {
    /// The rollout of a turn in a finished match, as far as it has come: the turn compared with the best ones
    /// by playing each on many times. The first request starts it. The last finished ones are remembered.
    ///
    /// # Errors
    /// `no_such_match`; `match_not_over`; `ahead_of_journal` if there is no such event; `no_choice` if
    /// nothing was chosen in it, the game has no dice, or today's rules do not allow the turn;
    /// `too_many_requests` if the address asks too often, or has too many waiting; `unavailable`, also if too
    /// many are waiting.
    pub async fn rollout(
        &self,
        id: MatchId,
        seq: u32,
        address: ClientAddress,
    ) -> Result<Arc<TurnRollout>, Problem> {
        let state = self.state(id).await?;
        if state.end().is_none() {
            return Err(problem::refusal(&Refusal::NotOver));
        }
        problem::within_head(seq, state.head())?;
        if let Some(so_far) = self.rollouts.so_far((id, seq)) {
            self.admit_items(address, 1)?;
            return Ok(so_far);
        }
        self.admit_items(address, seq as usize)?;
        let question = self.turn_played(&state, seq, address).await?;
        self.rollouts.ask((id, seq), question, address)
    }

    /// The turn that was played in an event.
    async fn turn_played(
        &self,
        state: &Match,
        seq: u32,
        address: ClientAddress,
    ) -> Result<Question, Problem> {
        let no_choice = || Problem::new(Code::NoChoice, "this event has no choice that could be rolled out");
        if seq < 2 || state.terms().variant.game().dice() == 0 {
            return Err(no_choice());
        }
        let _passed = self.records.acquire(address).await?;
        let page = self.store().events(state.id(), seq - 1, 1).await.map_err(problem::store)?.events;
        let Some(Event::Turned { steps, .. }) = page.first().map(|recorded| &recorded.event) else {
            return Err(no_choice());
        };
        let steps = steps.iter().map(TakenStep::step).collect();
        let before = self.past(state.id(), seq - 1).await?;
        let turn = TurnToPlay::of(&before).ok_or_else(no_choice)?;
        let question = Question { turn, steps };
        if question.is_a_choice() { Ok(question) } else { Err(no_choice()) }
    }

    /// Computes the requested rollouts, one after the other.
    pub(super) async fn work_out_rollouts(&self) {
        loop {
            let (of, question) = self.rollouts.next().await;
            let found = AssertUnwindSafe(self.work_out_rollout(of, &question)).catch_unwind().await;
            let found = found.ok().flatten();
            if found.is_none() {
                tracing::error!(id = %of.0.0, seq = of.1, "could not roll out a turn; giving up");
            }
            metrics::counter!("lusoria_rollouts_total").increment(u64::from(found.is_some()));
            self.rollouts.finish(of, found);
        }
    }

    /// None if it panicked.
    async fn work_out_rollout(&self, of: PlayedTurn, question: &Arc<Question>) -> Option<TurnRollout> {
        let games_max = self.rollouts.games_max;
        let begun = Arc::clone(question);
        let begun = self.thinking.run_when_idle(move || begun.begin(of.1, games_max)).await?;
        let mut rolling = begun.ok()?;
        while !rolling.is_over() {
            let mut values = Vec::new();
            for game in rolling.round() {
                values.push(self.thinking.run_when_idle(move || game.play()).await?);
                tokio::task::yield_now().await;
            }
            rolling.take(&values);
            self.rollouts.show(of, question.told(of, &rolling, games_max, AnalysisState::Pending)?);
        }
        question.told(of, &rolling, games_max, AnalysisState::Ready)
    }
}

impl Question {
    /// Whether today's rules allow the turn, and at least one other.
    fn is_a_choice(&self) -> bool {
        let TurnToPlay { position, dice, history, .. } = &self.turn;
        let Ok(mut turn) = position.turn(dice) else { return false };
        turn.ends(2).positions.len() > 1
            && self.steps.iter().all(|step| turn.play(step).is_ok())
            && turn.end(history).is_ok()
    }

    /// Finds the turns that are compared.
    fn begin(&self, seed: u32, games_max: u32) -> Result<RollingOut, NoRollout> {
        let game = self.turn.position.variant().game();
        let (turns_max, horizon) = reach(game);
        let plan = RolloutPlan {
            turns_max,
            games_max,
            horizon: Some(horizon),
            budget: hints::budget(game),
            seed: seed.into(),
        };
        RollingOut::begin(&self.turn.decision(), Some(&self.steps), &plan)
    }

    /// The result so far as a wire type; none if the rules do not allow a turn.
    fn told(
        &self,
        (id, seq): PlayedTurn,
        rolling: &RollingOut,
        games_max: u32,
        state: AnalysisState,
    ) -> Option<TurnRollout> {
        let found = rolling.found();
        let turns = found.turns.iter().enumerate();
        let turns = turns.map(|(nth, turn)| self.told_turn(turn, found.asked == Some(nth)));
        Some(TurnRollout {
            id,
            seq,
            state,
            games: rolling.played(),
            games_max,
            sure: found.is_sure,
            turns: turns.collect::<Option<_>>()?,
        })
    }

    fn told_turn(&self, rolled: &RolledOut, played: bool) -> Option<RolledOutTurn> {
        let TurnToPlay { position, dice, stakes, .. } = &self.turn;
        let mut turn = position.turn(dice).ok()?;
        for step in &rolled.steps {
            turn.play(step).ok()?;
        }
        #[expect(clippy::cast_possible_truncation, reason = "four digits are sent")]
        let told = |number: f64| wire::rounded(stakes.difference(number) as f32);
        Some(RolledOutTurn {
            steps: rolled.steps.clone(),
            notation: turn.write(),
            played,
            games: rolled.games,
            value: wire::chances(&within_bounds(&rolled.value)),
            behind: told(rolled.behind.mean.max(0.0)),
            behind_error: told(rolled.behind.error),
        })
    }
}

/// Limits a value to what chances can be: with luck removed, the mean of few games may lie slightly outside.
fn within_bounds(value: &Value) -> Value {
    let draw = value.draw.clamp(0.0, 1.0);
    let win = value.win.clamp(0.0, 1.0 - draw);
    Value {
        win,
        win_double: value.win_double.clamp(0.0, win),
        lose_double: value.lose_double.clamp(0.0, 1.0 - draw - win),
        draw,
    }
}
