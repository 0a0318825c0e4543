//! A turn, built step by step.

use super::{
    Illegal, Position,
    compulsion::Found,
    dice::Hand,
    road::{Pace, Progress, Road},
};
use crate::{DiceError, Die, Incomplete, Outcome, Played, Reason, Step};

/// A partial turn: the position so far, the dice left, and how many of them must still be played.
#[derive(Debug, Clone)]
pub struct Turn {
    start: Position,
    now: Position,
    pub(super) road: Road,
    pub(super) progress: Progress,
    pub(super) playable: u8,
    pub(super) owed: u8,
    pub(super) line: Vec<(Pace, Mark)>,
}

/// The effect of a step on the enemy where it landed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Nothing,
    Hit,
    Pin,
}

/// The result of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// The position with the other side to move.
    pub position: Position,
    /// The end of the game, if it has ended.
    pub outcome: Option<Outcome>,
    /// Whether the turn passed because no step was legal.
    pub passed: bool,
}

impl Turn {
    /// The turn of the side to move with that roll, two or three dice in any order.
    ///
    /// # Errors
    ///
    /// The game throws another number of dice.
    pub fn new(position: Position, roll: &[Die]) -> Result<Self, DiceError> {
        let (road, progress) = Road::of(&position, Hand::of_roll(position.rules(), roll)?);
        let playable = road.most(&progress, progress.hand.len(), &mut Found::default()).unwrap_or(0);
        Ok(Self {
            start: position,
            now: position,
            road,
            progress,
            playable,
            owed: playable,
            line: Vec::new(),
        })
    }

    /// The position after the steps so far, the same side still to move.
    pub const fn position(&self) -> &Position {
        &self.now
    }

    /// The position in which the dice were thrown.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// How many dice the turn must play in total; all of them if it can win.
    pub const fn dice_playable(&self) -> u8 {
        self.playable
    }

    /// The dice not yet played, the lowest first; some may stay unplayed.
    pub fn dice_left(&self) -> Vec<Die> {
        self.progress.hand.dice()
    }

    /// Whether no further step is legal, so that the turn ends.
    pub const fn is_complete(&self) -> bool {
        self.owed == 0 || self.progress.has_won()
    }

    /// The legal next steps, by die and then by the name of their origin.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps: Vec<Step> = self.paces().into_iter().map(|pace| self.written(pace)).collect();
        steps.sort_unstable();
        steps
    }

    /// Plays a step and returns its effect on the enemy.
    ///
    /// # Errors
    ///
    /// The step is not legal; the turn is unchanged.
    pub fn play(&mut self, step: &Step) -> Result<Played, Illegal> {
        let pace = self.judge(step)?;
        let mark = self.mark(pace);
        self.progress = self.progress.after(&self.road, pace);
        self.now = self.start.played(self.progress.own, self.progress.hits);
        self.owed -= 1;
        self.line.push((pace, mark));
        Ok(Played { hit: mark == Mark::Hit, pin: mark == Mark::Pin, captures: Vec::new() })
    }

    /// Ends the turn: the other side is to move, unless the game is over.
    ///
    /// # Errors
    ///
    /// Dice must still be played.
    pub fn end(self) -> Result<End, Incomplete> {
        if !self.is_complete() {
            return Err(Incomplete::Dice { left: self.owed });
        }
        let position = self.now.with_to_move(self.now.to_move().other());
        let passed = self.playable == 0;
        let dead = || {
            (passed && position.is_dead()).then_some(Outcome {
                winner: None,
                points: 0,
                reason: Reason::DeadPosition,
            })
        };
        Ok(End { position, outcome: position.outcome().or_else(dead), passed })
    }

    /// The legal next steps by places, in no particular order.
    pub(super) fn paces(&self) -> Vec<Pace> {
        if self.is_complete() {
            return Vec::new();
        }
        let mut found = Found::default();
        let hand = self.progress.hand;
        hand.values()
            .flat_map(|die| self.road.paces(&self.progress.own, die))
            .filter(|&pace| self.keeps_dice(pace, &mut found))
            .collect()
    }

    /// Whether the required number of dice can still be played after the step.
    pub(super) fn keeps_dice(&self, pace: Pace, found: &mut Found) -> bool {
        self.road.keeping_dice(&self.progress, pace, self.owed, found).is_some()
    }

    fn mark(&self, pace: Pace) -> Mark {
        let rules = self.road.rules;
        if !pace.to.is_cell() || self.progress.own.count(pace.to) > 0 {
            return Mark::Nothing;
        }
        match self.now.pieces(self.now.to_move().other()).count(rules.across(pace.to)) {
            0 => Mark::Nothing,
            _ if rules.pins() => Mark::Pin,
            _ => Mark::Hit,
        }
    }

    pub(super) fn written(&self, pace: Pace) -> Step {
        let rules = self.road.rules;
        Step {
            die: Some(pace.die),
            from: rules.name(pace.from).to_owned(),
            to: rules.name(pace.to).to_owned(),
        }
    }
}
