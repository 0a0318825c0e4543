//! Plays turns, shows turns being built, and lists legal steps.

use std::{pin::pin, sync::Arc};

use lusoria_play::{Command, Event, Match, MatchId, PlayerId, Refusal, Seat, Sits};
use lusoria_protocol::{Building, Legal, LegalQuestion, PlayTurn, Problem, TakenStep};
use lusoria_rules::{Step, Turn};

use crate::{
    app::{App, Caller, CommandResponse, problem, wire},
    live::{Arrived, CommandError, MatchRequest, Notice, Outcome, Room},
};

/// What identifies repeats of a turn: the player, the match, the event it responds to, and the steps.
pub(in crate::app) type SameTurn = Arc<(PlayerId, MatchId, u32, Vec<Step>)>;

/// The most events in the refusal of a stale turn.
const SINCE_MAX: u32 = 64;

/// How many events after the one that gave a turn are searched for the turn: in between are only a few
/// offers, and a credit for each outage.
const BETWEEN_MAX: u32 = 256;

impl App {
    /// Plays a whole turn. The same turn again gets the same response again.
    pub(in crate::app) async fn play_turn(
        &self,
        caller: &Caller,
        room: &Arc<Room>,
        PlayTurn { seq, steps }: PlayTurn,
    ) -> Result<CommandResponse, Problem> {
        wire::check_steps(&steps)?;
        let same = Arc::new((caller.id(), room.id(), seq, steps));
        self.turns.run(Arc::clone(&same), pin!(self.play_unless_played(caller, room, &same))).await
    }

    async fn play_unless_played(
        &self,
        caller: &Caller,
        room: &Arc<Room>,
        turn: &SameTurn,
    ) -> Result<CommandResponse, Problem> {
        let (by, _, seq, ref steps) = **turn;
        // Only a request on a socket measures the lag of its line.
        let is_of_socket = caller.arrived().is_some_and(Arrived::is_of_socket);
        let lag_ms = if is_of_socket { room.lag_ms(seq) } else { 0 };
        let command = Command::Turn { by, answers: seq, steps: steps.clone(), thought: None, lag_ms };
        match self.submit(caller, room, MatchRequest::Command { command, key: None, spends: None }).await {
            Ok(outcome) => Ok(CommandResponse::of(&outcome)),
            Err(CommandError::Refused(Refusal::AlreadyAnswered { given, turned })) => {
                Box::pin(self.played_before(&room.state(), steps, given, turned)).await
            }
            Err(error @ CommandError::Refused(_)) if is_forgotten(&room.state(), caller, seq) => {
                match Box::pin(self.turned_long_ago(caller, &room.state(), seq)).await? {
                    Some(turned) => Box::pin(self.played_before(&room.state(), steps, seq, turned)).await,
                    None => Err(problem::command(error)),
                }
            }
            Err(error) => Err(problem::command(error)),
        }
    }

    /// The event in which a player responded to event `given`, looked up in the journal.
    ///
    /// # Errors
    /// `unavailable`, also if too many others wait for the same.
    async fn turned_long_ago(
        &self,
        caller: &Caller,
        state: &Match,
        given: u32,
    ) -> Result<Option<u32>, Problem> {
        let _permit = self.old_turns.acquire().await?;
        let after = self.store().events(state.id(), given, BETWEEN_MAX).await.map_err(problem::store)?;
        Ok(after.events.iter().find_map(|recorded| match recorded.event {
            Event::Turned { seat, answers, .. } if answers == given && holds(state, caller, seat) => {
                Some(recorded.seq)
            }
            _ => None,
        }))
    }

    async fn played_before(
        &self,
        state: &Arc<Match>,
        steps: &[Step],
        given: u32,
        turned: u32,
    ) -> Result<CommandResponse, Problem> {
        let events = self.append_at(state.id(), turned).await?;
        let same = events.first().is_some_and(|recorded| match &recorded.event {
            Event::Turned { steps: taken, .. } => taken.iter().map(TakenStep::step).eq(steps.iter().cloned()),
            _ => false,
        });
        if same {
            let (state, events) = (Arc::clone(state), self.live.rendered(state, &events));
            return Ok(CommandResponse::of(&Outcome { state, events, next: None }));
        }
        let since = self.store().events(state.id(), given, SINCE_MAX).await.map_err(problem::store)?;
        let since = since.events.iter().map(|recorded| wire::event(state, recorded)).collect();
        Err(problem::command(CommandError::Refused(Refusal::AlreadyAnswered { given, turned }))
            .with_events(since))
    }

    /// Shows all watchers the steps of a turn that is being built.
    ///
    /// # Errors
    /// As for playing the turn, except that it need not be complete; `too_many_requests` if the match has
    /// just shown too many.
    pub async fn show_building(
        &self,
        caller: &Caller,
        id: MatchId,
        request: &Building,
    ) -> Result<(), Problem> {
        let room = self.live.room(id).await.map_err(problem::command)?;
        let state = room.state();
        self.note_presence(&state, Some(caller));
        let to_play = state.to_play().ok_or_else(|| problem::command(not_playing(&state).into()))?;
        if !holds(&state, caller, to_play.seat) {
            let refusal = match state.sits(caller.id()) {
                Sits::Nowhere => Refusal::NotAPlayer,
                Sits::At(_) | Sits::InBoth => {
                    Refusal::NotYourTurn { game: state.terms().variant.game(), side: to_play.side }
                }
            };
            return Err(problem::command(refusal.into()));
        }
        if to_play.given_by != request.seq {
            let refusal = Refusal::WrongSeq { given: request.seq, expected: to_play.given_by };
            return Err(problem::command(refusal.into()));
        }
        let (turn, _) = play_checked(&state, &request.steps)?;
        let (seat, answers, steps) = (to_play.seat, to_play.given_by, request.steps.clone());
        let notice = Notice::Building { id, seat, answers, steps, position: turn.position() };
        if self.live.show_building(&room, &notice) { Ok(()) } else { Err(problem::shown_too_often()) }
    }

    /// The legal next steps of the present turn after some steps. Anybody may ask.
    ///
    /// # Errors
    /// `not_playing`; `illegal_step` with the reason.
    pub async fn legal(
        &self,
        caller: Option<&Caller>,
        id: MatchId,
        request: &LegalQuestion,
    ) -> Result<Legal, Problem> {
        let state = self.state(id).await?;
        self.note_presence(&state, caller);
        let to_play = state.to_play().ok_or_else(|| problem::command(not_playing(&state).into()))?;
        let (turn, notation) = play_checked(&state, &request.steps)?;
        Ok(Legal {
            seq: to_play.given_by,
            to_play: wire::side(state.terms().variant.game(), to_play.side),
            dice_left: turn.dice_left(),
            complete: turn.is_complete(),
            steps: turn.steps(),
            reach: turn.reach().iter().filter_map(|steps| wire::reach(steps)).collect(),
            forced: turn.forced(),
            position: wire::position(&turn.position().setup(), state.terms().variant.game()),
            notation,
        })
    }
}

/// Plays the steps of a request in the present turn.
fn play_checked(state: &Match, steps: &[Step]) -> Result<(Turn, String), Problem> {
    wire::check_steps(steps)?;
    play(state.turn().ok_or_else(problem::unavailable)?, steps)
}

/// Plays steps in a turn. Returns the partial turn, and the steps in notation.
pub(in crate::app) fn play(mut turn: Turn, steps: &[Step]) -> Result<(Turn, String), Problem> {
    for (index, step) in steps.iter().enumerate() {
        turn.play(step).map_err(|why| problem::illegal_step(index, &why))?;
    }
    let notation = turn.write();
    Ok((turn, notation))
}

/// Whether a player may have responded to event `given` so long ago that only the journal knows.
fn is_forgotten(state: &Match, caller: &Caller, given: u32) -> bool {
    state.has_forgotten(given) && state.sits(caller.id()) != Sits::Nowhere
}

fn holds(state: &Match, caller: &Caller, seat: Seat) -> bool {
    match state.sits(caller.id()) {
        Sits::Nowhere => false,
        Sits::At(own) => own == seat,
        Sits::InBoth => true,
    }
}

pub(in crate::app) fn not_playing(state: &Match) -> Refusal {
    match state.phase() {
        lusoria_play::Phase::Ended(_) => Refusal::Over,
        lusoria_play::Phase::AwaitingSeeds(_) => Refusal::NotPlaying { waiting_for_seed: true },
        lusoria_play::Phase::Open | lusoria_play::Phase::Playing => {
            Refusal::NotPlaying { waiting_for_seed: false }
        }
    }
}
