//! The result of judging a record.

use std::fmt;

use lusoria_protocol::{EventKind, Record, Seat, word};

use super::differences::Difference;

/// How many faults are listed: a wrong seed makes every throw wrong.
const FAULTS_MAX: usize = 100;

/// The result of judging a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The games, in order.
    pub games: Vec<GameReport>,
    /// The faults in the order found, at most a hundred.
    pub faults: Vec<Fault>,
    /// Number of further faults.
    pub faults_more: usize,
    /// Number of events in the record.
    pub events: usize,
    /// Number of leading events that could be replayed.
    pub judged: usize,
}

/// A recorded game, and whether its dice could be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameReport {
    /// From 1.
    pub number: u16,
    /// Turns played.
    pub turns: u32,
    /// Turns that passed because nothing could be played.
    pub passes: u32,
    /// Throws, opening throws included.
    pub throws: u32,
    /// The result of their check.
    pub dice: DiceChecked,
    /// Its end in words; none while it is in progress.
    pub end: Option<String>,
}

/// Whether the dice of a game could be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiceChecked {
    /// Its secret is revealed and leads to the commitment; every throw was computed.
    Yes,
    /// Its secret is published when the game ends.
    NotYet,
    /// Its secret does not lead to the commitment.
    SecretWrong,
}

/// A fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The number of the event; none if the fault is outside the events.
    pub seq: Option<u32>,
    /// The kind of fault.
    pub kind: FaultKind,
}

/// The kinds of faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultKind {
    /// The event is missing: another number is in its place.
    Misnumbered {
        /// The number found there.
        found: u32,
    },
    /// The record stops where this type of event must follow.
    Missing {
        /// The type.
        expected: String,
    },
    /// A field differs from the rules or the dice.
    Differs(Difference),
    /// The secret does not lead to the commitment.
    Secret,
    /// The recorded event is impossible, for this reason.
    Impossible(String),
}

impl Report {
    /// A report with the recorded games, before anything is judged.
    pub(super) fn new(record: &Record) -> Self {
        let mut games: Vec<GameReport> = Vec::new();
        for event in &record.events {
            if let EventKind::GameStarted { game_number, .. } = &event.kind {
                games.push(GameReport {
                    number: *game_number,
                    turns: 0,
                    passes: 0,
                    throws: 0,
                    dice: DiceChecked::NotYet,
                    end: None,
                });
            }
            if let Some(game) = games.last_mut() {
                game.count(&event.kind);
            }
        }
        Self { games, faults: Vec::new(), faults_more: 0, events: record.events.len(), judged: 0 }
    }

    pub(super) fn fault(&mut self, seq: Option<u32>, kind: FaultKind) {
        if self.faults.len() < FAULTS_MAX {
            self.faults.push(Fault { seq, kind });
        } else {
            self.faults_more += 1;
        }
    }

    /// Whether there are no faults, as far as can be judged.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }

    /// How many throws cannot be checked before their game has ended.
    pub fn throws_unchecked(&self) -> u32 {
        let unchecked = self.games.iter().filter(|game| game.dice == DiceChecked::NotYet);
        unchecked.map(|game| game.throws).sum()
    }
}

impl Fault {
    /// Whether the fault is in the dice: a throw, the lot or a secret.
    pub fn is_chance(&self) -> bool {
        match &self.kind {
            FaultKind::Secret => true,
            FaultKind::Differs(Difference { field, .. }) => {
                ["dice", "white", "black"].contains(&field.as_str()) || field.starts_with("sides.")
            }
            FaultKind::Misnumbered { .. } | FaultKind::Missing { .. } | FaultKind::Impossible(_) => false,
        }
    }
}

impl GameReport {
    fn count(&mut self, kind: &EventKind) {
        match kind {
            EventKind::Turned { .. } => self.turns += 1,
            EventKind::Passed { .. } => self.passes += 1,
            EventKind::Thrown { .. } | EventKind::OpeningThrown { .. } => self.throws += 1,
            EventKind::GameEnded { winner_seat, winner_side, points, reason, score, .. } => {
                let won = match (winner_seat, winner_side) {
                    (Some(seat), Some(side)) => {
                        let number = u8::from(Seat::clone(seat));
                        format!("seat {number} ({}) won {points}", word(side))
                    }
                    _ => "no winner".to_owned(),
                };
                self.end = Some(format!("{won}: {}, score {}-{}", word(reason), score.one, score.two));
            }
            EventKind::Created { .. }
            | EventKind::Joined { .. }
            | EventKind::SeedRevealed { .. }
            | EventKind::GameStarted { .. }
            | EventKind::TakenBack { .. }
            | EventKind::TakebackOffered { .. }
            | EventKind::TakebackDeclined { .. }
            | EventKind::DrawOffered { .. }
            | EventKind::DrawDeclined { .. }
            | EventKind::Credited { .. }
            | EventKind::MatchEnded { .. }
            | EventKind::Rated { .. }
            | EventKind::Unrated { .. }
            | EventKind::RematchOffered { .. }
            | EventKind::RematchDeclined { .. }
            | EventKind::RematchAgreed { .. } => {}
        }
    }
}

impl fmt::Display for GameReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, turns, passes, throws, dice, end } = self;
        write!(f, "game {number}: {turns} turns, {passes} passes, {throws} throws ")?;
        f.write_str(match dice {
            DiceChecked::Yes => "checked",
            DiceChecked::NotYet => "not yet checkable (the secret is published when the game ends)",
            DiceChecked::SecretWrong => "not checkable (the secret is wrong)",
        })?;
        write!(f, "; {}", end.as_deref().unwrap_or("being played"))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seq {
            Some(seq) => write!(f, "event {seq}: {}", self.kind),
            None => write!(f, "outside the events: {}", self.kind),
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Misnumbered { found } => {
                write!(f, "missing: the event in its place has the number {found}")
            }
            Self::Missing { expected } => write!(f, "missing: {expected} must follow"),
            Self::Differs(difference) => difference.fmt(f),
            Self::Secret => f.write_str("the secret does not lead to the commitment"),
            Self::Impossible(why) => write!(f, "this could not happen: {why}"),
        }
    }
}
