//! The computer's evaluation of variations in finished matches.

use lusoria_play::{Match, MatchId, Refusal};
use lusoria_protocol::{
    Code, EvaluatedTurn, Evaluation, EvaluationQuestion, Problem, TriedTurn, VARIATION_TURNS_MAX,
};
use lusoria_rules::{Die, Position, Step};
use lusoria_search::{Budget, appraise};
use lusoria_store::StoreError;

use crate::app::{
    App, ClientAddress, TurnToPlay,
    engine::{analysis::ReviewRequest, hints},
    matches::{
        read::EVENTS_MAX,
        turn::{not_playing, play},
        turn_to_play::stakes,
    },
    problem, wire,
};

/// A variation that the rules have played. Two searches evaluate it: one its last turn, one the turns that
/// can follow.
struct Variation {
    /// The turn to play next.
    now: TurnToPlay,
    /// How the game has ended, if it has ended.
    outcome: Option<lusoria_rules::Outcome>,
    /// The last turn.
    last: Option<(TurnToPlay, Vec<Step>)>,
}

impl App {
    /// Evaluates a variation of a finished match.
    ///
    /// # Errors
    /// `no_such_match`; `match_not_over`; `ahead_of_journal` if there is no such event; `not_playing` if no
    /// game had begun then, or a turn comes after the end of the game; `invalid_body`, `wrong_dice`,
    /// `illegal_step`, `turn_incomplete`; `too_many_requests` if the address asks too often, or has too many
    /// waiting; `unavailable` if it takes too long.
    pub async fn evaluate(
        &self,
        id: MatchId,
        question: EvaluationQuestion,
        address: ClientAddress,
    ) -> Result<Evaluation, Problem> {
        let state = self.state(id).await?;
        if state.end().is_none() {
            return Err(problem::refusal(&Refusal::NotOver));
        }
        problem::within_head(question.seq, state.head())?;
        check(&question)?;
        self.rate_limiters.admit_evaluation(address.0)?;
        self.admit_items(address, question.seq as usize)?;
        let permit = self.evaluations.acquire(address).await?;
        let past = self.past(id, question.seq).await?;
        // A person waits for it, so it may spend no more than a hint.
        let most = hints::budget(state.terms().variant.game()).nodes;
        let budget = Budget { nodes: self.limits.analysis_nodes.min(most) };
        let evaluated = self.thinking.run(move || {
            let evaluated = evaluate(&past, &question, budget);
            drop(permit);
            evaluated
        });
        evaluated.await.unwrap_or_else(|| Err(problem::internal()))
    }

    /// The match as it was after an event.
    pub(in crate::app) async fn past(&self, id: MatchId, seq: u32) -> Result<Match, Problem> {
        let mut state: Option<Match> = None;
        let mut since = 0;
        let corrupt = |why: String| problem::store(StoreError::Corrupt(why));
        while since < seq {
            let limit = (seq - since).min(EVENTS_MAX);
            let page = self.store().events(id, since, limit).await.map_err(problem::store)?.events;
            let Some(last) = page.last() else {
                return Err(corrupt("a journal is shorter than its head".to_owned()));
            };
            since = last.seq;
            let folded = match state.take() {
                None => Match::from_journal(id, page),
                Some(mut state) => page.iter().try_for_each(|recorded| state.fold(recorded)).map(|()| state),
            };
            state = Some(folded.map_err(|why| corrupt(why.to_string()))?);
        }
        state.ok_or_else(|| problem::refusal(&Refusal::NotPlaying { waiting_for_seed: false }))
    }
}

/// Checks the size of the question.
fn check(question: &EvaluationQuestion) -> Result<(), Problem> {
    if question.turns.len() > VARIATION_TURNS_MAX {
        let detail = format!("turns: a variation has at most {VARIATION_TURNS_MAX} turns");
        return Err(Problem::new(Code::InvalidBody, detail).with_limit(VARIATION_TURNS_MAX as u64));
    }
    question.turns.iter().try_for_each(|turn| wire::check_steps(&turn.steps))
}

fn evaluate(past: &Match, question: &EvaluationQuestion, budget: Budget) -> Result<Evaluation, Problem> {
    let game = past.terms().variant.game();
    let variation = Variation::of(past, question)?;
    let Variation { now, outcome, last } = variation;
    let last = last.and_then(|(turn, steps)| ReviewRequest::new(turn, steps, budget).review());
    let last = last.map(EvaluatedTurn::from);
    let position = wire::position(&now.position.setup(), game);
    if let Some(outcome) = outcome {
        let outcome = Some(wire::outcome(game, outcome));
        return Ok(Evaluation { position, to_play: None, value: None, turns: Vec::new(), outcome, last });
    }
    let is_thrown = game.dice() == 0 || question.dice.is_some();
    let turns = if is_thrown { hints::turns(&now, budget) } else { Vec::new() };
    let value = turns.first().map_or_else(
        || wire::chances(&appraise(&now.position, &now.history, now.stakes, budget)),
        |best| best.value,
    );
    let to_play = Some(wire::side(game, now.position.to_move()));
    Ok(Evaluation { position, to_play, value: Some(value), turns, outcome: None, last })
}

impl Variation {
    /// Plays the variation by the rules.
    fn of(past: &Match, question: &EvaluationQuestion) -> Result<Self, Problem> {
        let game = past.game().ok_or_else(|| problem::refusal(&not_playing(past)))?;
        let (position, history) = (game.position, game.history.clone());
        let outcome = position.outcome().or_else(|| history.drawn(&position));
        let now = TurnToPlay { position, dice: Vec::new(), history, stakes: stakes(past) };
        let mut variation = Self { now, outcome, last: None };
        for turn in &question.turns {
            variation.go_on(turn)?;
        }
        if let Some(dice) = &question.dice {
            variation.throw(dice)?;
        }
        Ok(variation)
    }

    fn go_on(&mut self, TriedTurn { dice, steps }: &TriedTurn) -> Result<(), Problem> {
        self.throw(dice.as_deref().unwrap_or_default())?;
        let (turn, _) = play(self.turn()?, steps)?;
        let end = turn.end(&self.now.history);
        let end = end.map_err(|why| Problem::new(Code::TurnIncomplete, why.to_string()))?;
        let mut history = self.now.history.clone();
        history.record(&end.position, end.captured);
        let next = TurnToPlay { position: end.position, dice: Vec::new(), history, ..self.now.clone() };
        self.last = Some((std::mem::replace(&mut self.now, next), steps.clone()));
        self.outcome = end.outcome;
        Ok(())
    }

    /// Gives the side to move its dice.
    fn throw(&mut self, dice: &[Die]) -> Result<(), Problem> {
        if self.outcome.is_some() {
            return Err(Problem::new(Code::NotPlaying, "the game is over before this turn"));
        }
        dice.clone_into(&mut self.now.dice);
        self.turn().map(|_| ())
    }

    fn turn(&self) -> Result<lusoria_rules::Turn, Problem> {
        let position: &Position = &self.now.position;
        position.turn(&self.now.dice).map_err(|why| problem::wrong_dice(&why))
    }
}
