//! Hints: what the computer would play in a player's place. Only in matches against the computer.

use lusoria_play::{Match, MatchId, Seat, Sits};
use lusoria_protocol::{Hint, HintedTurn, Problem};
use lusoria_rules::Game;
use lusoria_search::{Budget, Choice, Level, Player, rank};

use crate::app::{App, Caller, ClientAddress, TurnToPlay, matches::turn::not_playing, problem, wire};

/// How many turns a hint has.
const TURNS_MAX: usize = 5;

/// A hint may spend one part in this many of the strongest level's budget: about a tenth of a second.
const PART: u32 = 10;

impl App {
    /// What the strongest level would play in the caller's place.
    ///
    /// # Errors
    /// `no_hints` unless it is the caller's turn and they play against the computer or for both sides;
    /// `not_playing`; `too_many_requests` if they ask too often, or their address has too many requests
    /// waiting; `unavailable` if too many hints are being computed.
    pub async fn hint(&self, caller: &Caller, id: MatchId, address: ClientAddress) -> Result<Hint, Problem> {
        let state = self.state(id).await?;
        self.note_presence(&state, Some(caller));
        let question = TurnToPlay::of(&state).ok_or_else(|| problem::refusal(&not_playing(&state)))?;
        let to_play = state.to_play().ok_or_else(|| problem::refusal(&not_playing(&state)))?;
        if !may_be_helped(&state, caller, to_play.seat) {
            return Err(problem::no_hints());
        }
        self.rate_limiters.admit_hint(caller.id())?;
        let permit = self.hints.acquire(address).await?;
        let budget = budget(state.terms().variant.game());
        let answered = self.thinking.run(move || {
            let turns = turns(&question, budget);
            drop(permit);
            turns
        });
        Ok(Hint { seq: to_play.given_by, turns: answered.await.ok_or_else(problem::internal)? })
    }
}

/// The budget of a hint.
pub(in crate::app) fn budget(game: Game) -> Budget {
    Player::Level(Level::HIGHEST).budget_max(game).shared_by(PART)
}

/// Whether it is the caller's turn in that seat, and only the computer is against them.
fn may_be_helped(state: &Match, caller: &Caller, to_play: Seat) -> bool {
    match state.sits(caller.id()) {
        Sits::Nowhere => false,
        Sits::At(seat) => seat == to_play && state.is_computer(seat.other()),
        Sits::InBoth => true,
    }
}

/// The best turns, at most [`TURNS_MAX`], each with its loss against the best one.
pub(in crate::app) fn turns(question: &TurnToPlay, budget: Budget) -> Vec<HintedTurn> {
    let ranked = rank(&question.decision(), budget, TURNS_MAX);
    let best = ranked.first().map(|best| best.value);
    let hinted = |Choice { steps, value, .. }: Choice| {
        let turn = question.position.turn(&question.dice);
        let mut turn = turn.expect("the dice were thrown for this position");
        for step in &steps {
            turn.play(step).expect("the computer plays by the rules");
        }
        HintedTurn {
            steps: steps.clone(),
            notation: turn.write(),
            lost: wire::lost(question.stakes, &best.unwrap_or(value), &value),
            value: wire::chances(&value),
        }
    };
    ranked.into_iter().map(hinted).collect()
}
