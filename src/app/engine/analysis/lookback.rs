//! Goes through a finished match event by event, and reviews each turn in the position it was played from.

use std::ops::Range;

use lusoria_play::{Corrupt, Event, Match, MatchId, Recorded, TakenStep};
use lusoria_protocol::{AnalysedPass, AnalysedTurn, BestTurn, Chances, EvaluatedTurn};
use lusoria_rules::Step;
use lusoria_search::{Budget, Review, review};

use crate::app::{self, wire};

/// A match as it was before its next event.
pub(super) struct Lookback {
    id: MatchId,
    budget: Budget,
    /// The events of turns that were taken back.
    taken_back: Vec<Range<u32>>,
    state: Option<Match>,
}

/// A turn that was played, or a throw that could not be played.
pub(in crate::app) struct ReviewRequest {
    turn: app::TurnToPlay,
    steps: Vec<Step>,
    budget: Budget,
}

/// The result of a review.
pub(in crate::app) struct Reviewed {
    before: Chances,
    thrown: Chances,
    best: BestTurn,
    played: Chances,
    luck: f32,
    lost: f32,
    forced: bool,
}

/// What an analysis says about an event.
pub(super) enum Found {
    Turn(AnalysedTurn),
    Pass(AnalysedPass),
}

impl Lookback {
    /// Begins before the first event of the match. Reviews each turn within the budget, except those taken
    /// back.
    pub(super) const fn new(of: &Match, budget: Budget, taken_back: Vec<Range<u32>>) -> Self {
        Self { id: of.id(), budget, taken_back, state: None }
    }

    /// The number of the game that is being played; 0 before the first.
    pub(super) fn game(&self) -> u16 {
        self.state.as_ref().and_then(Match::game).map_or(0, |game| game.number)
    }

    /// What must be reviewed before the next event is applied; none if nothing.
    pub(super) fn question(&self, next: &Recorded) -> Option<ReviewRequest> {
        if self.taken_back.iter().any(|events| events.contains(&next.seq)) {
            return None;
        }
        let steps = match &next.event {
            Event::Turned { steps, .. } => steps.iter().map(TakenStep::step).collect(),
            Event::Passed { .. } => Vec::new(),
            _ => return None,
        };
        Some(ReviewRequest { turn: app::TurnToPlay::of(self.state.as_ref()?)?, steps, budget: self.budget })
    }

    /// What the analysis says about that event.
    pub(super) fn found(&self, at: &Recorded, reviewed: Reviewed) -> Option<Found> {
        let variant = self.state.as_ref()?.terms().variant.game();
        let Reviewed { before, thrown, best, played, luck, lost, forced } = reviewed;
        match &at.event {
            Event::Turned { seat, side, answers, steps, .. } => Some(Found::Turn(AnalysedTurn {
                seq: at.seq,
                answers: *answers,
                seat: *seat,
                side: wire::side(variant, *side),
                notation: wire::notation(variant, steps),
                before,
                thrown,
                best,
                played,
                luck,
                lost,
                forced,
            })),
            Event::Passed { seat, side } => Some(Found::Pass(AnalysedPass {
                seq: at.seq,
                seat: *seat,
                side: wire::side(variant, *side),
                before,
                thrown,
                luck,
            })),
            _ => None,
        }
    }

    /// Applies the event.
    pub(super) fn go_on(&mut self, next: Recorded) -> Result<(), Corrupt> {
        match &mut self.state {
            Some(state) => state.fold(&next),
            None => Match::from_journal(self.id, [next]).map(|state| self.state = Some(state)),
        }
    }
}

impl ReviewRequest {
    /// A turn to review within the budget.
    pub(in crate::app) fn new(turn: app::TurnToPlay, steps: Vec<Step>, budget: Budget) -> Self {
        Self { turn, steps, budget }
    }

    /// Reviews it; none if today's rules do not allow the turn: the journal keeps what was played, even if
    /// the rules change.
    pub(in crate::app) fn review(&self) -> Option<Reviewed> {
        let app::TurnToPlay { position, dice, stakes, .. } = &self.turn;
        let turn = position.turn(dice).ok()?;
        let forced = turn.ends(2).positions.len() < 2;
        let review = review(&self.turn.decision(), &self.steps, self.budget);
        let Review { before, thrown, best, played } = &review.ok()?;
        let mut better = turn;
        for step in &best.steps {
            better.play(step).expect("the computer plays by the rules");
        }
        Some(Reviewed {
            before: wire::chances(before),
            thrown: wire::chances(thrown),
            best: BestTurn {
                steps: best.steps.clone(),
                notation: better.write(),
                value: wire::chances(&best.value),
            },
            played: wire::chances(played),
            luck: wire::gained(*stakes, before, thrown),
            lost: if forced { 0.0 } else { wire::lost(*stakes, &best.value, played) },
            forced,
        })
    }
}

impl From<Reviewed> for EvaluatedTurn {
    fn from(Reviewed { best, played, luck, lost, forced, .. }: Reviewed) -> Self {
        Self { best, played, luck, lost, forced }
    }
}

#[cfg(test)]
mod tests {
    use lusoria_rules::{Game, History, Position, Variant};
    use lusoria_search::Stakes;

    use super::*;

    fn first_move(from: &str, to: &str) -> Option<Reviewed> {
        let position = Position::start(Variant::standard(Game::Tablut));
        let history = History::start(&position);
        let turn = app::TurnToPlay { position, dice: Vec::new(), history, stakes: Stakes::Game };
        let steps = vec![Step { die: None, from: from.to_owned(), to: to.to_owned() }];
        ReviewRequest { turn, steps, budget: Budget { nodes: 100 } }.review()
    }

    #[test]
    fn what_the_rules_do_not_know_is_left_out() {
        assert!(first_move("e5", "e9").is_none());
        let reviewed = first_move("d1", "c1").expect("a legal move");
        assert!(!reviewed.forced && reviewed.lost >= 0.0);
        assert!(!reviewed.best.notation.is_empty());
    }
}
