//! Conditional turns of correspondence matches: lines that a player prepares and `live` plays for them.

use std::sync::Arc;

use lusoria_play::{ConditionalTurns, LineFault, Match, MatchId, Phase, Refusal, Seat, Sits};
use lusoria_protocol::{
    Code, ConditionalMatch, ConditionalTurns as WireTurns, ConditionalTurnsList, Problem,
};
use lusoria_rules::Family;

use crate::app::{App, Caller, problem, wire};

impl App {
    /// The caller's conditional turns in a match: the lines that can still be played.
    ///
    /// # Errors
    /// `no_such_match`; `not_a_player`; `no_conditional_turns`; `unavailable`.
    pub async fn conditional_turns(&self, caller: &Caller, id: MatchId) -> Result<WireTurns, Problem> {
        let state = self.state(id).await?;
        self.note_presence(&state, Some(caller));
        check_match(&state, caller)?;
        let kept = self.store().conditional_turns(id, caller.id()).await.map_err(problem::store)?;
        self.left_of(&state, kept.unwrap_or_default()).await
    }

    /// Replaces the caller's conditional turns in a match.
    ///
    /// # Errors
    /// `no_such_match`; `not_a_player`; `no_conditional_turns`; `match_over`, `not_playing`; `wrong_seq` if
    /// the match has moved on; `own_turn` if there are lines and it is not the opponent's turn;
    /// `illegal_step`, `invalid_body` of a line that cannot be played; `unavailable`.
    pub async fn set_conditional_turns(
        &self,
        caller: &Caller,
        id: MatchId,
        WireTurns { seq, lines, forced }: WireTurns,
    ) -> Result<WireTurns, Problem> {
        let state = self.state(id).await?;
        self.note_presence(&state, Some(caller));
        let seat = check_match(&state, caller)?;
        let refused = |refusal: Refusal| problem::command(refusal.into());
        let to_play = match (state.phase(), state.to_play()) {
            (Phase::Ended(_), _) => return Err(refused(Refusal::Over)),
            (Phase::Playing, Some(to_play)) => to_play,
            _ => return Err(refused(Refusal::NotPlaying { waiting_for_seed: false })),
        };
        if seq != to_play.given_by {
            return Err(refused(Refusal::WrongSeq { given: seq, expected: to_play.given_by }));
        }
        if !lines.is_empty() {
            if !matches!(state.terms().variant.family(), Family::Tafl(_)) {
                return Err(problem::no_lines());
            }
            if to_play.seat == seat {
                let why = "it is your turn: lines begin with one of your opponent's";
                return Err(Problem::new(Code::OwnTurn, why));
            }
            if lines.len() > ConditionalTurns::LINES_MAX {
                return Err(problem::too_many_lines());
            }
            for (number, line) in lines.iter().enumerate() {
                wire::check_steps(line).map_err(|problem| problem::in_line(number, problem))?;
            }
            state.check_lines(&lines).map_err(|fault| faulty(&fault))?;
        }
        let turns = ConditionalTurns { after: seq, lines, forced };
        if !self
            .store()
            .set_conditional_turns(id, caller.id(), turns.clone())
            .await
            .map_err(problem::store)?
        {
            return Err(self.gone(caller, caller.id()).await);
        }
        // The opponent may have played meanwhile, or a turn without a choice may wait.
        self.live.play_conditional(id);
        Ok(wire_turns(seq, turns))
    }

    /// All conditional turns of a guest.
    ///
    /// # Errors
    /// `unavailable`.
    pub(in crate::app) async fn conditional_turns_of(
        &self,
        caller: &Caller,
    ) -> Result<ConditionalTurnsList, Problem> {
        let found = self.store().conditional_turns_of(caller.id()).await.map_err(problem::store)?;
        let of_match = |(id, turns): (MatchId, ConditionalTurns)| ConditionalMatch {
            id,
            turns: wire_turns(turns.after, turns),
        };
        Ok(ConditionalTurnsList { matches: found.into_iter().map(of_match).collect() })
    }

    /// The part of these turns that can still be played.
    async fn left_of(&self, state: &Arc<Match>, turns: ConditionalTurns) -> Result<WireTurns, Problem> {
        let seq = state.to_play().map_or(state.head(), |to_play| to_play.given_by);
        if turns.lines.is_empty() {
            return Ok(wire_turns(seq, turns));
        }
        let since = self
            .store()
            .events(state.id(), turns.after, ConditionalTurns::SINCE_MAX)
            .await
            .map_err(problem::store)?
            .events;
        let lines = ConditionalTurns::played(&since).map(|played| turns.left_after(&played));
        Ok(wire_turns(seq, ConditionalTurns { lines: lines.unwrap_or_default(), ..turns }))
    }
}

/// The caller's seat, in a match that allows conditional turns.
fn check_match(state: &Match, caller: &Caller) -> Result<Seat, Problem> {
    let seat = match state.sits(caller.id()) {
        Sits::At(seat) => seat,
        Sits::Nowhere => return Err(problem::not_a_player()),
        Sits::InBoth => return Err(Code::NoConditionalTurns.into()),
    };
    if !state.terms().clock.is_correspondence() || state.is_computer(seat.other()) {
        return Err(Code::NoConditionalTurns.into());
    }
    Ok(seat)
}

fn faulty(fault: &LineFault) -> Problem {
    match fault {
        LineFault::Illegal { turn, why, .. } => {
            Problem { detail: fault.to_string(), ..problem::illegal_step(*turn, why) }
        }
        LineFault::TooLong { .. } => Problem::new(Code::InvalidBody, fault.to_string())
            .with_limit(ConditionalTurns::LINE_TURNS_MAX as u64),
        LineFault::Unanswered { .. } | LineFault::GoesOn { .. } | LineFault::Contradiction { .. } => {
            Problem::new(Code::InvalidBody, fault.to_string())
        }
    }
}

fn wire_turns(seq: u32, ConditionalTurns { lines, forced, .. }: ConditionalTurns) -> WireTurns {
    WireTurns { seq, lines, forced }
}
