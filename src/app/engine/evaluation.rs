//! The computer's evaluation of positions, and of variations in finished matches.

use lusoria_play::{Match, MatchId, Refusal};
use lusoria_protocol::{
    Code, EvaluatedTurn, Evaluation, EvaluationQuestion, Game, PositionQuestion, Problem, TriedTurn,
    VARIATION_TURNS_MAX,
};
use lusoria_rules::{Die, History, Position, Step};
use lusoria_search::{Budget, Stakes, appraise};
use lusoria_store::StoreError;

use crate::app::{
    App, ClientAddress, TurnToPlay,
    engine::{analysis::ReviewRequest, hints, rules},
    limits::permits::Permit,
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
        check(&question.turns)?;
        self.rate_limiters.admit_evaluation(address.0)?;
        self.admit_items(address, question.seq as usize)?;
        let permit = self.evaluations.acquire(address).await?;
        let past = self.past(id, question.seq).await?;
        let start = Variation::after(&past)?;
        self.think(permit, start, question.turns, question.dice).await
    }

    /// Evaluates a position, or a variation that begins with it.
    ///
    /// # Errors
    /// `impossible_position`, and those of [`Self::evaluate`] that concern no match.
    pub async fn evaluate_position(
        &self,
        game: Game,
        question: PositionQuestion,
        address: ClientAddress,
    ) -> Result<Evaluation, Problem> {
        check(&question.turns)?;
        let position = rules::position(game, question.options, question.position.as_ref())?;
        self.rate_limiters.admit_evaluation(address.0)?;
        let permit = self.evaluations.acquire(address).await?;
        let start = Variation::from(position, History::start(&position), Stakes::Game);
        self.think(permit, start, question.turns, question.dice).await
    }

    async fn think(
        &self,
        permit: Permit,
        mut variation: Variation,
        turns: Vec<TriedTurn>,
        dice: Option<Vec<Die>>,
    ) -> Result<Evaluation, Problem> {
        // A person waits for it, so it may spend no more than a hint.
        let most = hints::budget(variation.game()).nodes;
        let budget = Budget { nodes: self.limits.analysis_nodes.min(most) };
        let evaluated = self.thinking.run(move || {
            let played = variation.play(&turns, dice.as_deref());
            let evaluated = played.map(|()| evaluate(variation, dice.is_some(), budget));
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

/// Checks the size of a variation.
fn check(turns: &[TriedTurn]) -> Result<(), Problem> {
    if turns.len() > VARIATION_TURNS_MAX {
        let detail = format!("turns: a variation has at most {VARIATION_TURNS_MAX} turns");
        return Err(Problem::new(Code::InvalidBody, detail).with_limit(VARIATION_TURNS_MAX as u64));
    }
    turns.iter().try_for_each(|turn| wire::check_steps(&turn.steps))
}

fn evaluate(variation: Variation, has_dice: bool, budget: Budget) -> Evaluation {
    let game = variation.game();
    let Variation { now, outcome, last } = variation;
    let last = last.and_then(|(turn, steps)| ReviewRequest::new(turn, steps, budget).review());
    let last = last.map(EvaluatedTurn::from);
    let position = wire::position(&now.position.setup(), game);
    if let Some(outcome) = outcome {
        let outcome = Some(wire::outcome(game, outcome));
        return Evaluation { position, to_play: None, value: None, turns: Vec::new(), outcome, last };
    }
    let is_thrown = game.dice() == 0 || has_dice;
    let turns = if is_thrown { hints::turns(&now, budget) } else { Vec::new() };
    let value = turns.first().map_or_else(
        || wire::chances(&appraise(&now.position, &now.history, now.stakes, budget)),
        |best| best.value,
    );
    let to_play = Some(wire::side(game, now.position.to_move()));
    Evaluation { position, to_play, value: Some(value), turns, outcome: None, last }
}

impl Variation {
    /// One that begins in a match as it was.
    fn after(past: &Match) -> Result<Self, Problem> {
        let game = past.game().ok_or_else(|| problem::refusal(&not_playing(past)))?;
        Ok(Self::from(game.position, game.history.clone(), stakes(past)))
    }

    /// One without turns so far.
    fn from(position: Position, history: History, stakes: Stakes) -> Self {
        let outcome = position.outcome().or_else(|| history.drawn(&position));
        Self { now: TurnToPlay { position, dice: Vec::new(), history, stakes }, outcome, last: None }
    }

    fn game(&self) -> lusoria_rules::Game {
        self.now.position.variant().game()
    }

    /// Plays turns by the rules, and gives the side to move its dice.
    fn play(&mut self, turns: &[TriedTurn], dice: Option<&[Die]>) -> Result<(), Problem> {
        turns.iter().try_for_each(|turn| self.go_on(turn))?;
        dice.map_or(Ok(()), |dice| self.throw(dice))
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
