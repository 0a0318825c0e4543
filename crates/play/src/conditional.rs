//! Conditional turns: lines of a correspondence match that a player prepares, and that are played for them
//! once the opponent has played.

use lusoria_rules::{Illegal, Step};
use serde::{Deserialize, Serialize};

use crate::{Command, Event, Match, PlayerId, Recorded, Sits};

/// A player's conditional turns in a match.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ConditionalTurns {
    /// The event that gave the opponent the turn with which each line begins.
    pub after: u32,
    /// Lines of turns, the opponent's and the player's own in alternation, in games without dice: each turn
    /// is one step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Vec<Step>>,
    /// Whether turns without a choice are played too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
}

/// The reason that a line is refused. Lines and turns count from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// It does not end with the player's own turn.
    #[error("lines[{line}] must end with a turn of your own")]
    Unanswered {
        /// Its number.
        line: usize,
    },
    /// It has too many turns.
    #[error("lines[{line}] has more than {} turns", ConditionalTurns::LINE_TURNS_MAX)]
    TooLong {
        /// Its number.
        line: usize,
    },
    /// A turn is not legal.
    #[error("lines[{line}][{turn}]: {why}")]
    Illegal {
        /// Its number.
        line: usize,
        /// Its turn.
        turn: usize,
        /// The reason.
        why: Illegal,
    },
    /// The game ends before the line does.
    #[error("lines[{line}][{turn}] ends the game, and the line goes on")]
    GoesOn {
        /// Its number.
        line: usize,
        /// Its turn.
        turn: usize,
    },
    /// Two lines answer the same turns differently.
    #[error("lines[{line}] and lines[{other}] answer the same turns differently")]
    Contradiction {
        /// One line.
        line: usize,
        /// The other line.
        other: usize,
    },
}

impl ConditionalTurns {
    /// The most lines.
    pub const LINES_MAX: usize = 32;
    /// The most turns of a line, those of both players.
    pub const LINE_TURNS_MAX: usize = 16;
    /// The most events between the beginning of a line and its end: its turns, and a few offers and credits
    /// for each.
    pub const SINCE_MAX: u32 = 256;

    /// Whether there are no conditional turns.
    pub const fn is_empty(&self) -> bool {
        self.lines.is_empty() && !self.forced
    }

    /// The rest of the lines after the played turns, where the opponent is to move next.
    pub fn left_after(&self, played: &[Step]) -> Vec<Vec<Step>> {
        if played.len() % 2 == 1 {
            return Vec::new();
        }
        let left = self.lines.iter().filter_map(|line| line.strip_prefix(played));
        left.filter(|rest| !rest.is_empty()).map(<[Step]>::to_vec).collect()
    }

    /// The player's own turn that follows the played ones.
    fn answer_to(&self, played: &[Step]) -> Option<&Step> {
        let is_own_turn = played.len() % 2 == 1;
        self.lines.iter().filter(|_| is_own_turn).find_map(|line| line.strip_prefix(played)?.first())
    }

    /// The turns played since the lines were set, from the events after [`Self::after`]; none if the game has
    /// ended since.
    pub fn played(since: &[Recorded]) -> Option<Vec<Step>> {
        let mut played = Vec::new();
        for recorded in since {
            match &recorded.event {
                Event::Turned { steps, .. } => played.push(steps.first()?.step()),
                Event::GameStarted { .. }
                | Event::TakenBack { .. }
                | Event::GameEnded { .. }
                | Event::MatchEnded { .. } => return None,
                _ => {}
            }
        }
        Some(played)
    }
}

impl Match {
    /// Checks lines against the rules, from the present position, in which the opponent is to move.
    ///
    /// # Errors
    /// The first fault found.
    pub fn check_lines(&self, lines: &[Vec<Step>]) -> Result<(), LineFault> {
        for (number, line) in lines.iter().enumerate() {
            self.check_line(number, line)?;
            for (other, earlier) in lines[..number].iter().enumerate() {
                let alike = line.iter().zip(earlier).take_while(|(a, b)| a == b).count();
                let differ = alike < line.len().min(earlier.len());
                if differ && alike % 2 == 1 {
                    return Err(LineFault::Contradiction { line: other, other: number });
                }
            }
        }
        Ok(())
    }

    fn check_line(&self, line: usize, turns: &[Step]) -> Result<(), LineFault> {
        if turns.is_empty() || turns.len() % 2 == 1 {
            return Err(LineFault::Unanswered { line });
        }
        if turns.len() > ConditionalTurns::LINE_TURNS_MAX {
            return Err(LineFault::TooLong { line });
        }
        let Some(game) = &self.game else { return Err(LineFault::Unanswered { line }) };
        let (mut position, mut history) = (game.position, game.history.clone());
        for (number, step) in turns.iter().enumerate() {
            let mut turn = position.turn(&[]).map_err(|_| LineFault::Unanswered { line })?;
            turn.play(step).map_err(|why| LineFault::Illegal { line, turn: number, why })?;
            let end = turn.end(&history).expect("one step is a whole turn of a game without dice");
            if end.outcome.is_some() && number + 1 < turns.len() {
                return Err(LineFault::GoesOn { line, turn: number });
            }
            history.record(&end.position, end.captured);
            position = end.position;
        }
        Ok(())
    }

    /// The conditional turn to play now, if there is one. `since` are the events after
    /// [`ConditionalTurns::after`]. None while the opponent offers a draw, or anybody a takeback: a turn would
    /// decline it, and only the player may do that.
    pub fn conditional_turn(
        &self,
        by: PlayerId,
        laid_down: &ConditionalTurns,
        since: &[Recorded],
    ) -> Option<Command> {
        let to_play = self.to_play()?;
        let has_offer = self.draw_offer() == Some(to_play.seat.other()) || self.takeback_offer().is_some();
        if has_offer || self.sits(by) != Sits::At(to_play.seat) {
            return None;
        }
        let in_line = || {
            let played = ConditionalTurns::played(since)?;
            laid_down.answer_to(&played).map(|step| vec![step.clone()])
        };
        let forced = || self.turn()?.forced().filter(|steps| laid_down.forced && !steps.is_empty());
        let steps = in_line().or_else(forced)?;
        Some(Command::Turn { by, answers: to_play.given_by, steps, thought: None, lag_ms: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Vec<Step> {
        let step = |word: &str| {
            let (from, to) = word.split_once('-').expect("a step");
            Step { die: None, from: from.to_owned(), to: to.to_owned() }
        };
        text.split_whitespace().map(step).collect()
    }

    fn laid_down(lines: &[&str]) -> ConditionalTurns {
        ConditionalTurns { after: 3, lines: lines.iter().map(|text| line(text)).collect(), forced: false }
    }

    #[test]
    fn a_line_answers_the_turns_that_it_begins_with() {
        let turns = laid_down(&["d1-c1 e4-f4 a4-b4 f4-f3", "d1-b1 e3-f3"]);
        let answer = |played: &str| turns.answer_to(&line(played)).cloned();
        assert_eq!(answer("d1-c1"), Some(line("e4-f4")[0].clone()));
        assert_eq!(answer("d1-b1"), Some(line("e3-f3")[0].clone()));
        assert_eq!(answer("d1-c1 e4-f4 a4-b4"), Some(line("f4-f3")[0].clone()));
        for other in ["", "d1-a1", "d1-c1 e4-f4", "d1-c1 e4-g4 a4-b4", "d1-b1 e3-f3 a4-b4"] {
            assert_eq!(answer(other), None, "{other}");
        }
    }

    #[test]
    fn what_is_left_begins_with_the_opponent() {
        let turns = laid_down(&["d1-c1 e4-f4 a4-b4 f4-f3", "d1-b1 e3-f3"]);
        assert_eq!(turns.left_after(&[]), turns.lines);
        assert_eq!(turns.left_after(&line("d1-c1 e4-f4")), [line("a4-b4 f4-f3")]);
        for over in ["d1-c1", "d1-b1 e3-f3", "d1-c1 e4-g4"] {
            assert_eq!(turns.left_after(&line(over)), Vec::<Vec<Step>>::new(), "{over}");
        }
    }
}
