//! Checks the clocks after an outage: no player loses time by it, and none gains more than the server could
//! not measure.

use lusoria_protocol::{Clock, Event, EventKind, Snapshot};
use serde_json::value::RawValue;

use super::{
    TrialError,
    error::{self, promised},
    seen::Seen,
};

/// The server notes every second that it is alive. The time between its last note and its end is credited
/// too.
const NOTED_EVERY_MS: u64 = 1_000;

/// How late such a note may be on a busy machine.
const NOTED_LATE_MS: u64 = 3_000;

/// How far the clocks of two processes may be apart by rounding.
const ROUNDING_MS: u64 = 5;

/// A time without a server, in milliseconds since the epoch, by the clock of the trial.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outage {
    /// The last moment at which the server certainly ran.
    pub(crate) ran_until: u64,
    /// The first moment at which it certainly did not run.
    pub(crate) ended_by: u64,
    /// When the next server was started.
    pub(crate) started_at: u64,
    /// When the next server listened.
    pub(crate) listened_at: u64,
}

/// The events of a journal.
pub(crate) fn read(journal: &[Box<RawValue>]) -> Result<Vec<Event>, TrialError> {
    journal.iter().map(|text| error::read(text.get())).collect()
}

/// Whether a turn that answers the event is among what was seen.
pub(crate) fn answers(seen: &Seen, seq: u32) -> bool {
    (seq + 1..=seen.head()).filter_map(|number| seen.event(number)).any(|text| {
        serde_json::from_str(text).is_ok_and(
            |event: Event| matches!(event.kind, EventKind::Turned { answers, .. } if answers == seq),
        )
    })
}

/// Checks that a running match was credited with the outage: from the last note until the next server was up.
pub(crate) fn credited(events: &[Event], outage: &Outage) -> Result<(), TrialError> {
    let before = events.iter().take_while(|event| event.at <= outage.ended_by);
    let mut before = before.filter(|event| !matches!(event.kind, EventKind::Credited { .. })).peekable();
    if before.peek().is_none() || before.any(|event| matches!(event.kind, EventKind::MatchEnded { .. })) {
        return Ok(());
    }
    let id = events[0].id;
    let given = events.iter().rev().find_map(|event| match event.kind {
        EventKind::Credited { down_at, up_at, credit_ms }
            if up_at + ROUNDING_MS >= outage.started_at && up_at <= outage.listened_at + ROUNDING_MS =>
        {
            Some((down_at, up_at, credit_ms))
        }
        _ => None,
    });
    promised!(given.is_some(), "the clocks of {id}: no credit for the outage; {outage:?}");
    let (down_at, up_at, credit_ms) = given.unwrap_or_default();
    let earliest = outage.ran_until.saturating_sub(NOTED_EVERY_MS + NOTED_LATE_MS);
    promised!(
        (earliest..=outage.ended_by + ROUNDING_MS).contains(&down_at),
        "the clocks of {id}: the outage is said to begin at {down_at}; {outage:?}"
    );
    let was_down_ms = up_at - down_at;
    promised!(
        credit_ms <= was_down_ms,
        "the clocks of {id}: {credit_ms} ms are credited for {was_down_ms} ms; {outage:?}"
    );
    Ok(())
}

/// Checks that the running clock shows its time at the beginning of the turn, less the time since then
/// during which the server ran.
pub(crate) fn running(events: &[Event], snapshot: &Snapshot) -> Result<(), TrialError> {
    let (Some(clocks), Some(to_play)) = (&snapshot.clocks, &snapshot.to_play) else { return Ok(()) };
    let Some(given_at) = events.get(to_play.seq as usize - 1).map(|event| event.at) else { return Ok(()) };
    let free_ms = match snapshot.clock {
        Clock::Fischer { .. } if !to_play.first_turn => 0,
        Clock::Delay { delay_ms, .. } if !to_play.first_turn => delay_ms,
        _ => return Ok(()),
    };
    let stood = events.iter().rev().find_map(|event| match &event.kind {
        EventKind::Turned { clocks_ms, .. } | EventKind::GameStarted { clocks_ms, .. } => *clocks_ms,
        _ => None,
    });
    let Some(stood) = stood else { return Ok(()) };
    let credit_ms: u64 = events[to_play.seq as usize..]
        .iter()
        .filter_map(|event| match event.kind {
            EventKind::Credited { credit_ms, .. } => Some(credit_ms),
            _ => None,
        })
        .sum();
    let used_ms = (snapshot.server_time - given_at).saturating_sub(credit_ms).saturating_sub(free_ms);
    let expected_ms = stood.get(to_play.seat).saturating_sub(used_ms);
    let shown_ms = *clocks.remaining_ms.get(to_play.seat);
    promised!(
        shown_ms.abs_diff(expected_ms) <= ROUNDING_MS,
        "the clock of {} shows {shown_ms} ms, not {expected_ms}: {clocks:?} {to_play:?} {credit_ms}",
        snapshot.id
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ID: &str = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";

    /// It ran until 10,000, and again from 12,000.
    const OUTAGE: Outage =
        Outage { ran_until: 10_000, ended_by: 10_010, started_at: 11_990, listened_at: 12_040 };

    fn events(events: &[serde_json::Value]) -> Vec<Event> {
        let read = |(seq, mut event): (u32, serde_json::Value)| {
            event["match"] = json!(ID);
            event["seq"] = json!(seq);
            serde_json::from_value(event).expect("an event")
        };
        (1..).zip(events.iter().cloned()).map(read).collect()
    }

    fn thrown(at: u64) -> serde_json::Value {
        json!({"type": "thrown", "at": at, "seat": 1, "side": "white", "throw": 0, "dice": [1, 2]})
    }

    fn credit(down_at: u64, up_at: u64, credit_ms: u64) -> serde_json::Value {
        json!({"type": "credited", "at": up_at, "down_at": down_at, "up_at": up_at, "credit_ms": credit_ms})
    }

    #[test]
    fn an_outage_is_credited_from_the_last_note_on() {
        for (given, is_good) in [
            (Some(credit(9_500, 12_000, 2_500)), true),
            (Some(credit(9_500, 12_000, 1_000)), true),
            (None, false),
            (Some(credit(9_500, 12_000, 2_501)), false),
            (Some(credit(10_100, 12_000, 1_900)), false),
            (Some(credit(1_000, 12_000, 11_000)), false),
            (Some(credit(9_500, 12_100, 2_600)), false),
            (Some(credit(9_500, 11_000, 1_500)), false),
        ] {
            let all: Vec<_> = std::iter::once(thrown(9_000)).chain(given).collect();
            assert_eq!(credited(&events(&all), &OUTAGE).is_ok(), is_good, "{all:?}");
        }
    }

    #[test]
    fn a_match_that_did_not_wait_gets_no_credit() {
        assert!(credited(&events(&[thrown(13_000)]), &OUTAGE).is_ok(), "it was created later");
        let ended = json!({"type": "match_ended", "at": 9_001, "result": "drawn"});
        assert!(credited(&events(&[thrown(9_000), ended]), &OUTAGE).is_ok());
    }
}
