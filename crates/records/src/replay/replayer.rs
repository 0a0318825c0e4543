//! Replays a record.

use lusoria_play::{Chance, Match, Millis, Recorded};
use lusoria_protocol::{Event, Record};
use serde_json::Value;

use super::{
    calls::take_over_earlier,
    dice::Revealed,
    differences::{Difference, differences},
    ratings::take_over_ratings,
    report::{FaultKind, Report},
};
use lusoria_wire::{self as wire, Cause};

/// A match that is replayed and compared with its record.
struct Replayer<'a> {
    record: &'a Record,
    /// The correctly numbered events.
    events: &'a [Event],
    state: Match,
    /// The events so far, by the rules.
    happened: Vec<Recorded>,
}

/// The replay cannot continue, because later events depend on a missing one.
struct Unplayable;

/// Replays the first `numbered` events and reports the differences. Returns how many events could be judged;
/// none if it took too long. If only a field differs, the replay continues from the expected event. If
/// another event was expected, or none, it stops.
pub(super) fn play(
    record: &Record,
    numbered: usize,
    (dice, report): (&mut Revealed, &mut Report),
    is_time: &dyn Fn() -> bool,
) -> Option<usize> {
    let events = &record.events[..numbered];
    if events.is_empty() {
        if record.events.is_empty() {
            report.fault(Some(1), FaultKind::Missing { expected: "created".to_owned() });
        }
        return Some(0);
    }
    let made = wire::creation(record.id, events)
        .and_then(|creation| Match::create(creation, events[0].at, dice).map_err(|error| error.to_string()));
    let (state, first) = match made {
        Ok(made) => made,
        Err(why) => {
            report.fault(Some(1), FaultKind::Impossible(why));
            return Some(0);
        }
    };
    let mut replayer = Replayer { record, events, state, happened: Vec::new() };
    let mut ended = replayer.take(first, dice, report);
    while ended.is_ok() && replayer.happened.len() < events.len() {
        if !is_time() {
            return None;
        }
        ended = replayer.go_on(dice, report);
    }
    let judged = replayer.happened.len();
    if ended.is_ok() && judged == record.events.len() {
        replayer.compare_frame(report);
    }
    Some(judged)
}

impl Replayer<'_> {
    /// Plays the cause of the next event.
    fn go_on(&mut self, dice: &mut Revealed, report: &mut Report) -> Result<(), Unplayable> {
        let rest = &self.events[self.happened.len()..];
        if take_over_ratings(&mut self.state, &mut self.happened, &rest[0].kind) {
            let recorded = self.happened.last().expect("it has been taken over");
            for difference in differences(&wire::event(&self.state, recorded), &rest[0]) {
                report.fault(Some(rest[0].seq), FaultKind::Differs(difference));
            }
            return Ok(());
        }
        let fits = |state: &Match, expected: &[Recorded]| fits(state, expected, rest);
        let events = wire::causes(&self.state, rest)
            .and_then(|causes| play_on(&mut self.state, causes, rest[0].at, dice, fits))
            .map_err(|why| {
                report.fault(Some(rest[0].seq), FaultKind::Impossible(why));
                Unplayable
            })?;
        self.take(events, dice, report)
    }

    /// Compares the expected events with the recorded ones, and continues from the expected ones.
    fn take(
        &mut self,
        expected: Vec<Recorded>,
        dice: &mut Revealed,
        report: &mut Report,
    ) -> Result<(), Unplayable> {
        let mut events: Vec<Event> =
            expected.iter().map(|recorded| wire::event(&self.state, recorded)).collect();
        let game = self.state.terms().variant.game();
        take_over_earlier(game, &mut events, &self.events[self.happened.len()..]);
        for (recorded, expected) in expected.into_iter().zip(events) {
            let index = self.happened.len();
            let Some(found) = self.events.get(index) else {
                // A wrong number has been reported already.
                if self.events.len() == self.record.events.len() {
                    let missing = FaultKind::Missing {
                        expected: type_of(&expected).as_str().unwrap_or_default().to_owned(),
                    };
                    report.fault(Some(expected.seq), missing);
                }
                return Err(Unplayable);
            };
            if std::mem::discriminant(&expected.kind) != std::mem::discriminant(&found.kind) {
                let difference = Difference::new("type", &type_of(&expected), &type_of(found));
                report.fault(Some(found.seq), FaultKind::Differs(difference));
                return Err(Unplayable);
            }
            if expected != *found {
                for difference in differences(&expected, found) {
                    report.fault(Some(found.seq), FaultKind::Differs(difference));
                }
            }
            dice.pass(std::slice::from_ref(found));
            self.happened.push(recorded);
        }
        Ok(())
    }

    /// Compares the statements of the record outside its events.
    fn compare_frame(&self, report: &mut Report) {
        let frame = |of: Record| Record { events: Vec::new(), server: String::new(), ..of };
        let expected = frame(wire::record(&self.state, &self.happened));
        // The computer's analysis is not part of the match.
        let found = frame(Record { events: Vec::new(), analysis: None, ..self.record.clone() });
        for difference in differences(&expected, &found) {
            report.fault(None, FaultKind::Differs(difference));
        }
    }
}

/// Applies the first of these causes whose events match; if none does, the first that has any effect.
///
/// # Errors
/// In words, if none of them has any effect.
pub(crate) fn play_on(
    state: &mut Match,
    causes: Vec<Cause>,
    now: Millis,
    chance: &mut dyn Chance,
    fits: impl Fn(&Match, &[Recorded]) -> bool,
) -> Result<Vec<Recorded>, String> {
    let mut refused = "nothing led to it".to_owned();
    let mut chosen = None;
    for cause in causes {
        let mut after = state.clone();
        match happen(cause, &mut after, now, chance) {
            Err(why) => refused = why,
            Ok(events) => {
                let fits = fits(&after, &events);
                if fits || chosen.is_none() {
                    chosen = Some((after, events));
                }
                if fits {
                    break;
                }
            }
        }
    }
    let (after, events) = chosen.ok_or(refused)?;
    *state = after;
    Ok(events)
}

/// The events of a cause, or the reason that it has none.
fn happen(
    cause: Cause,
    state: &mut Match,
    now: Millis,
    chance: &mut dyn Chance,
) -> Result<Vec<Recorded>, String> {
    let (events, otherwise) = match cause {
        Cause::Asked(command) => (
            state.apply(&command, now, chance).map_err(|why| why.to_string())?,
            "there was nothing to give back",
        ),
        Cause::Time => (state.on_deadline(now, chance), "the time had not run out"),
    };
    if events.is_empty() { Err(otherwise.to_owned()) } else { Ok(events) }
}

fn fits(state: &Match, expected: &[Recorded], found: &[Event]) -> bool {
    expected.len() <= found.len()
        && expected.iter().zip(found).all(|(expected, found)| wire::event(state, expected) == *found)
}

fn type_of(event: &Event) -> Value {
    let mut value = serde_json::to_value(event).expect("wire types are plain data");
    value["type"].take()
}
