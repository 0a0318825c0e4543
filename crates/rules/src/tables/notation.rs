//! Turns in backgammon notation: `24/18 bar/5* supply/3 6/off`, `*` for a hit and `^` for a pin, `(2)` for
//! the same step twice.

use super::{Illegal, Turn, pieces::Place, rules::Rules, turn::Mark};
use crate::{Die, Step};

/// A turn that passes.
const PASS: &str = "pass";

/// The most steps in a text: a turn has at most twelve.
const STEPS_MAX: usize = 12;

/// The reason why a text cannot be read as steps of this turn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// A word that is not a step.
    #[error("\"{word}\" is not a step such as 24/18, bar/5*, supply/3, 6/off or 13/8(2)")]
    NotAStep {
        /// The word.
        word: String,
    },
    /// More steps than any turn has.
    #[error("a turn has at most {STEPS_MAX} steps")]
    TooLong,
    /// `pass` although a die can be played.
    #[error("the turn does not pass: a die can be played")]
    NoPass,
    /// A mark that does not match the step.
    #[error("\"{word}\" does not hit or pin a piece as its mark says")]
    WrongMark {
        /// The word.
        word: String,
    },
    /// No die left, and no sum of dice, leads there.
    #[error("\"{word}\": none of the dice left lead there")]
    NoWay {
        /// The word.
        word: String,
    },
    /// The step is not legal.
    #[error("\"{word}\": {reason}")]
    Illegal {
        /// The word.
        word: String,
        /// The reason.
        reason: Illegal,
    },
}

/// One piece's way from place to place, as written: by one die or several.
#[derive(Debug, Clone, Copy)]
struct Leg<'a> {
    word: &'a str,
    from: Place,
    to: Place,
    mark: Mark,
    /// Whether this is the rest of a leg whose first dice have been played.
    onward: bool,
}

/// The steps found so far, and the failure that came farthest.
#[derive(Default)]
struct Reading {
    steps: Vec<Step>,
    failure: Option<Failure>,
}

struct Failure {
    /// How many legs were still to be played; fewer is farther.
    legs: usize,
    reason: NotationError,
}

impl Reading {
    /// Records a failure. Of failures at the same leg the first with a reason is kept: that of the single die
    /// that leads there, if there is one.
    fn fail(&mut self, legs: usize, reason: NotationError) {
        let tells_more = match &self.failure {
            Some(Failure { legs: before, reason: NotationError::NoWay { .. } }) => legs <= *before,
            Some(Failure { legs: before, .. }) => legs < *before,
            None => true,
        };
        if tells_more {
            self.failure = Some(Failure { legs, reason });
        }
    }
}

impl Turn {
    /// The steps so far: `24/18 13/8*(2)`; `pass` for a turn that passes.
    ///
    /// The dice are not written. Reading a text leads to the same position, although a smaller die may be
    /// used for a piece that was borne off with a larger one than needed.
    pub fn write(&self) -> String {
        if self.playable == 0 {
            return PASS.to_owned();
        }
        let words = self.line.iter().map(|&(pace, mark)| {
            let mark = match mark {
                Mark::Nothing => "",
                Mark::Hit => "*",
                Mark::Pin => "^",
            };
            format!("{}/{}{mark}", self.road.rules.name(pace.from), self.road.rules.name(pace.to))
        });
        let mut runs: Vec<(String, usize)> = Vec::new();
        for word in words {
            match runs.last_mut() {
                Some((last, times)) if *last == word => *times += 1,
                _ => runs.push((word, 1)),
            }
        }
        let runs =
            runs.into_iter().map(|(word, times)| if times == 1 { word } else { format!("{word}({times})") });
        runs.collect::<Vec<_>>().join(" ")
    }

    /// Reads the next steps from text.
    ///
    /// Besides the output of [`Turn::write`] it accepts one piece's way by several dice (`24/18/13`, or
    /// `24/13` where the landing in between makes no difference), steps separated by commas, and cells in
    /// either case. Marks are optional, but must be right.
    ///
    /// # Errors
    ///
    /// The first word that cannot be read, or that no dice left can play.
    pub fn parse(&self, text: &str) -> Result<Vec<Step>, NotationError> {
        if text.trim() == PASS {
            return if self.playable == 0 { Ok(Vec::new()) } else { Err(NotationError::NoPass) };
        }
        let mut legs = Vec::new();
        for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
            self.read(word, &mut legs)?;
            if legs.len() > STEPS_MAX {
                return Err(NotationError::TooLong);
            }
        }
        let mut reading = Reading::default();
        if self.follow(&legs, &mut reading) {
            return Ok(reading.steps);
        }
        Err(reading.failure.expect("a leg that cannot be followed leaves its reason").reason)
    }

    fn read<'a>(&self, word: &'a str, legs: &mut Vec<Leg<'a>>) -> Result<(), NotationError> {
        let not_a_step = || NotationError::NotAStep { word: word.to_owned() };
        let (way, times) = match word.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
            Some((way, times)) => (way, times.parse().map_err(|_| not_a_step())?),
            None => (word, 1),
        };
        if !(1..=STEPS_MAX).contains(&times) {
            return Err(NotationError::TooLong);
        }
        let mut places = way.split('/');
        let mut from = place(self.road.rules, places.next().unwrap_or_default()).ok_or_else(not_a_step)?;
        let mut once = Vec::new();
        for stop in places {
            let (name, mark) = match (stop.strip_suffix('*'), stop.strip_suffix('^')) {
                (Some(name), _) => (name, Mark::Hit),
                (None, Some(name)) => (name, Mark::Pin),
                (None, None) => (stop, Mark::Nothing),
            };
            let to = place(self.road.rules, name).ok_or_else(not_a_step)?;
            once.push(Leg { word, from, to, mark, onward: false });
            from = to;
        }
        if once.is_empty() {
            return Err(not_a_step());
        }
        legs.extend(once.iter().cycle().take(once.len() * times));
        Ok(())
    }

    /// Plays the legs in order, each with any dice that lead there.
    fn follow(&self, legs: &[Leg<'_>], reading: &mut Reading) -> bool {
        let Some((leg, rest)) = legs.split_first() else { return true };
        reading.fail(legs.len(), self.refusal(leg));
        let (straight, part): (Vec<_>, Vec<_>) =
            self.paces().into_iter().filter(|pace| pace.from == leg.from).partition(|pace| pace.to == leg.to);
        for pace in straight.into_iter().chain(part) {
            let mut remaining = Vec::new();
            if pace.to != leg.to {
                if !leads_on(pace.to, leg.to) {
                    continue;
                }
                remaining.push(Leg { from: pace.to, onward: true, ..*leg });
            }
            remaining.extend_from_slice(rest);
            let step = self.written(pace);
            let mut after = self.clone();
            after.play(&step).expect("a listed step is accepted");
            let done = after.line.last().map(|&(_, mark)| mark);
            if pace.to == leg.to && leg.mark != Mark::Nothing && done != Some(leg.mark) {
                reading.fail(legs.len(), NotationError::WrongMark { word: leg.word.to_owned() });
                continue;
            }
            reading.steps.push(step);
            if after.follow(&remaining, reading) {
                return true;
            }
            reading.steps.pop();
        }
        false
    }

    /// The reason why the leg cannot be one step, if it cannot.
    fn refusal(&self, leg: &Leg<'_>) -> NotationError {
        let word = leg.word.to_owned();
        let rules = self.road.rules;
        let distance = distance(rules, leg.from, leg.to);
        let exact = distance.and_then(Die::new);
        let larger = self.progress.hand.values().find(|&die| Some(die) > exact);
        let die = match exact {
            Some(die) if leg.to == Place::OFF && self.progress.hand.count(die) == 0 => larger.or(exact),
            exact => exact,
        };
        let Some(die) = die else { return NotationError::NoWay { word } };
        let step =
            Step { die: Some(die), from: rules.name(leg.from).to_owned(), to: rules.name(leg.to).to_owned() };
        match self.judge(&step) {
            Err(Illegal::DieNotLeft { .. } | Illegal::NoDiceLeft) if leg.onward => {
                NotationError::NoWay { word }
            }
            Err(reason) => NotationError::Illegal { word, reason },
            Ok(_) => NotationError::NoWay { word },
        }
    }
}

fn place(rules: &Rules, name: &str) -> Option<Place> {
    let upper = name.to_ascii_uppercase();
    rules.place_named(&name.to_ascii_lowercase()).or_else(|| rules.place_named(&upper))
}

/// Whether a piece on `at` may still reach `to`.
fn leads_on(at: Place, to: Place) -> bool {
    at.is_cell() && (to == Place::OFF || at < to)
}

/// The distance in pips.
fn distance(rules: &Rules, from: Place, to: Place) -> Option<u8> {
    let length = rules.length();
    let end = if to == Place::OFF { length } else { to.index() };
    match from {
        Place::OFF => None,
        Place::SUPPLY | Place::BAR => Some(end + 1),
        middle if middle.index() >= length => (end + 1).checked_sub(middle.index() - length),
        cell => end.checked_sub(cell.index()),
    }
}
