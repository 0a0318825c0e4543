//! Playing a record again.

use lusoria_play::{Chance, Match, Millis, Recorded};
use lusoria_protocol::{Event, Record};
use serde_json::Value;

use super::{
    calls::take_over_earlier,
    dice::Revealed,
    differences::{Difference, differences},
    report::{Report, What},
};
use lusoria_wire::{self as wire, Cause};

/// A match being played again beside its record.
struct Again<'a> {
    record: &'a Record,
    /// The events that are numbered rightly.
    events: &'a [Event],
    state: Match,
    /// What should have happened so far.
    happened: Vec<Recorded>,
}

/// Playing on makes no sense: what follows builds on what is not there.
struct Stop;

/// Plays the first `numbered` events again and reports what differs. The answer is how
/// many events could be judged; none if there was no time for it. Where only a field differs, play goes on from what should
/// have happened; where something else should have happened, or nothing, it stops.
pub(super) fn play(
    record: &Record,
    numbered: usize,
    (dice, report): (&mut Revealed, &mut Report),
    is_time: &dyn Fn() -> bool,
) -> Option<usize> {
    let events = &record.events[..numbered];
    if events.is_empty() {
        if record.events.is_empty() {
            report.fault(Some(1), What::Missing { expected: "created".to_owned() });
        }
        return Some(0);
    }
    let made = wire::creation(record.id, events)
        .and_then(|creation| Match::create(creation, events[0].at, dice).map_err(|error| error.to_string()));
    let (state, first) = match made {
        Ok(made) => made,
        Err(why) => {
            report.fault(Some(1), What::Impossible(why));
            return Some(0);
        }
    };
    let mut again = Again { record, events, state, happened: Vec::new() };
    let mut ended = again.take(first, dice, report);
    while ended.is_ok() && again.happened.len() < events.len() {
        if !is_time() {
            return None;
        }
        ended = again.go_on(dice, report);
    }
    let judged = again.happened.len();
    if ended.is_ok() && judged == record.events.len() {
        again.compare_frame(report);
    }
    Some(judged)
}

impl Again<'_> {
    /// Plays what the next event must have come from.
    fn go_on(&mut self, dice: &mut Revealed, report: &mut Report) -> Result<(), Stop> {
        let rest = &self.events[self.happened.len()..];
        let fits = |state: &Match, expected: &[Recorded]| fits(state, expected, rest);
        let events = wire::causes(&self.state, rest)
            .and_then(|causes| play_on(&mut self.state, causes, rest[0].at, dice, fits))
            .map_err(|why| {
                report.fault(Some(rest[0].seq), What::Impossible(why));
                Stop
            })?;
        self.take(events, dice, report)
    }

    /// Compares what should have happened next with what is recorded, and takes it over.
    fn take(
        &mut self,
        expected: Vec<Recorded>,
        dice: &mut Revealed,
        report: &mut Report,
    ) -> Result<(), Stop> {
        let mut events: Vec<Event> =
            expected.iter().map(|recorded| wire::event(&self.state, recorded)).collect();
        let game = self.state.terms().variant.game();
        take_over_earlier(game, &mut events, &self.events[self.happened.len()..]);
        for (recorded, expected) in expected.into_iter().zip(events) {
            let index = self.happened.len();
            let Some(found) = self.events.get(index) else {
                // Where a number is missing, that has been said.
                if self.events.len() == self.record.events.len() {
                    let missing = What::Missing {
                        expected: type_of(&expected).as_str().unwrap_or_default().to_owned(),
                    };
                    report.fault(Some(expected.seq), missing);
                }
                return Err(Stop);
            };
            if std::mem::discriminant(&expected.kind) != std::mem::discriminant(&found.kind) {
                let difference = Difference::new("type", &type_of(&expected), &type_of(found));
                report.fault(Some(found.seq), What::Differs(difference));
                return Err(Stop);
            }
            if expected != *found {
                for difference in differences(&expected, found) {
                    report.fault(Some(found.seq), What::Differs(difference));
                }
            }
            dice.pass(std::slice::from_ref(found));
            self.happened.push(recorded);
        }
        Ok(())
    }

    /// Compares what the record says outside its events.
    fn compare_frame(&self, report: &mut Report) {
        let frame = |of: Record| Record { events: Vec::new(), server: String::new(), ..of };
        let expected = frame(wire::record(&self.state, &self.happened));
        // What the computer thinks of it is no part of what happened.
        let found = frame(Record { events: Vec::new(), analysis: None, ..self.record.clone() });
        for difference in differences(&expected, &found) {
            report.fault(None, What::Differs(difference));
        }
    }
}

/// Lets the first of these causes happen that makes what `fits`, else the first that makes
/// anything at all.
///
/// # Errors
/// In words, if none of them can have made anything.
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

/// What a cause makes happen; why nothing, if nothing.
fn happen(
    cause: Cause,
    state: &mut Match,
    now: Millis,
    chance: &mut dyn Chance,
) -> Result<Vec<Recorded>, String> {
    let (events, otherwise) = match cause {
        Cause::Asked(command) => (
            state.apply(command, now, chance).map_err(|why| why.to_string())?,
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
