//! Going through a match that is over, one event after the other, and looking at each turn from
//! where it was played.

use lusoria_play::{Corrupt, Event, Match, MatchId, Recorded};
use lusoria_protocol::{AnalysedPass, AnalysedTurn, BestTurn, Chances};
use lusoria_rules::{Die, History, Position, Step};
use lusoria_search::{Budget, Decision, Review, Stakes, review};

use crate::app::{hints::stakes, wire};

/// A match as it was before its next event.
pub(super) struct Lookback {
    id: MatchId,
    stakes: Stakes,
    budget: Budget,
    state: Option<Match>,
}

/// A turn that was played, or a throw that could not be.
pub(super) struct Question {
    position: Position,
    dice: Vec<Die>,
    history: History,
    steps: Vec<Step>,
    stakes: Stakes,
    budget: Budget,
}

/// What there is to say of it.
pub(super) struct Reviewed {
    before: Chances,
    thrown: Chances,
    best: BestTurn,
    played: Chances,
    luck: f32,
    lost: f32,
    forced: bool,
}

/// What is found at an event.
pub(super) enum Found {
    Turn(AnalysedTurn),
    Pass(AnalysedPass),
}

impl Lookback {
    /// Begins before the first event of the match, to look at each turn within the budget.
    pub(super) fn new(of: &Match, budget: Budget) -> Self {
        Self { id: of.id(), stakes: stakes(of), budget, state: None }
    }

    /// The number of the game that is being played; 0 before the first.
    pub(super) fn game(&self) -> u16 {
        self.state.as_ref().and_then(Match::game).map_or(0, |game| game.number)
    }

    /// What is to be looked at before going on with that event; none if nothing.
    pub(super) fn question(&self, next: &Recorded) -> Option<Question> {
        let steps = match &next.event {
            Event::Turned { steps, .. } => steps.iter().map(|taken| taken.step.clone()).collect(),
            Event::Passed { .. } => Vec::new(),
            _ => return None,
        };
        let state = self.state.as_ref()?;
        let game = state.game()?;
        Some(Question {
            position: game.position,
            dice: state.to_play()?.dice.clone(),
            history: game.history.clone(),
            steps,
            stakes: self.stakes,
            budget: self.budget,
        })
    }

    /// What is found at that event.
    pub(super) fn found(&self, at: &Recorded, reviewed: Reviewed) -> Option<Found> {
        let variant = self.state.as_ref()?.terms().variant.game();
        let Reviewed { before, thrown, best, played, luck, lost, forced } = reviewed;
        match &at.event {
            Event::Turned { seat, side, answers, steps, .. } => Some(Found::Turn(AnalysedTurn {
                seq: at.seq,
                answers: *answers,
                seat: wire::seat(*seat),
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
                seat: wire::seat(*seat),
                side: wire::side(variant, *side),
                before,
                thrown,
                luck,
            })),
            _ => None,
        }
    }

    /// Takes over the event.
    pub(super) fn go_on(&mut self, next: Recorded) -> Result<(), Corrupt> {
        match &mut self.state {
            Some(state) => state.fold(next),
            None => Match::from_journal(self.id, [next]).map(|state| self.state = Some(state)),
        }
    }
}

impl Question {
    /// Looks at it; none if the rules of today know no such turn: the journal keeps what was
    /// played, whatever becomes of the rules.
    pub(super) fn review(&self) -> Option<Reviewed> {
        let Self { position, ref dice, ref history, ref steps, stakes, budget } = *self;
        let decision = Decision { position, dice, history, stakes };
        let turn = position.turn(dice).ok()?;
        let forced = turn.ends(2).positions.len() < 2;
        let Review { before, thrown, best, played } = &review(&decision, steps, budget).ok()?;
        let mut better = turn;
        for step in &best.steps {
            better.play(step).expect("the computer plays by the rules");
        }
        let unit = unit(stakes);
        let worth = |value| stakes.worth(value) * unit;
        Some(Reviewed {
            before: wire::chances(before),
            thrown: wire::chances(thrown),
            best: BestTurn {
                steps: best.steps.iter().map(wire::step).collect(),
                notation: better.write(),
                value: wire::chances(&best.value),
            },
            played: wire::chances(played),
            luck: wire::rounded(worth(thrown) - worth(before)),
            lost: if forced { 0.0 } else { wire::rounded((worth(&best.value) - worth(played)).max(0.0)) },
            forced,
        })
    }
}

/// By what the search's worth, from −1 to 1 for a single game, is told: as a chance of winning
/// there, in points in a series.
fn unit(stakes: Stakes) -> f32 {
    match stakes {
        Stakes::Game => 0.5,
        Stakes::Points => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use lusoria_rules::{Game, Variant};

    use super::*;

    fn first_move(from: &str, to: &str) -> Option<Reviewed> {
        let position = Position::start(Variant::standard(Game::Tablut));
        let question = Question {
            position,
            dice: Vec::new(),
            history: History::start(&position),
            steps: vec![Step { die: None, from: from.to_owned(), to: to.to_owned() }],
            stakes: Stakes::Game,
            budget: Budget { nodes: 100 },
        };
        question.review()
    }

    #[test]
    fn what_the_rules_do_not_know_is_left_out() {
        assert!(first_move("e5", "e9").is_none());
        let reviewed = first_move("d1", "c1").expect("a legal move");
        assert!(!reviewed.forced && reviewed.lost >= 0.0);
        assert!(!reviewed.best.notation.is_empty());
    }
}
