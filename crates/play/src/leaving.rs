//! Leaving: who left a live match, and how long players who leave repeatedly may not be paired.

use crate::{AbortReason, Event, GameEnd, Match, MatchEnd, Millis, Pace, Phase, PlayerKind, Recorded, Seat};

const MINUTE_MS: Millis = 60_000;
const DAY_MS: Millis = 24 * 60 * MINUTE_MS;

/// A player whose time runs out in a turn of at least this length has left, or makes the opponent wait.
const LEFT_TURN_MS: Millis = MINUTE_MS;

/// After an outage nobody counts as leaving for this long: clients reconnect when they can.
const AFTER_OUTAGE_MS: Millis = 10 * MINUTE_MS;

/// How long a leaving counts.
pub const LEAVINGS_COUNT_FOR_MS: Millis = 14 * DAY_MS;

const FIRST_BAR_MS: Millis = 10 * MINUTE_MS;
const LONGEST_BAR_MS: Millis = 48 * 60 * MINUTE_MS;

impl Match {
    /// The seat that left the match, if these events, which follow, end it that way. A player leaves a live
    /// match between two people or bots by not coming (no seed, no first turn), by being gone when the
    /// opponent claims the game, or by letting a minute or more pass in the turn in which their time runs
    /// out. Within ten minutes after an outage for which time was given back nobody leaves.
    pub fn leaver(&self, events: &[Recorded]) -> Option<Seat> {
        let (ended, end) = events.iter().find_map(|recorded| match recorded.event {
            Event::MatchEnded { end } => Some((recorded.at, end)),
            _ => None,
        })?;
        let is_person_or_bot =
            |seat| self.player(seat).is_some_and(|player| !matches!(player.kind, PlayerKind::Computer(_)));
        let [one, two] = Seat::BOTH.map(|seat| self.player(seat).map(|player| player.id));
        let counts = self.terms().clock.pace() == Pace::Live
            && !matches!(self.phase(), Phase::Open)
            && Seat::BOTH.into_iter().all(is_person_or_bot)
            && one != two;
        let credited_until = events.iter().filter_map(|recorded| match recorded.event {
            Event::Credited { until, .. } => Some(until),
            _ => None,
        });
        let credited_until = credited_until.fold(self.credited_until, Millis::max);
        let was_out = credited_until > 0 && ended < credited_until.saturating_add(AFTER_OUTAGE_MS);
        if !counts || was_out {
            return None;
        }
        match end {
            MatchEnd::Aborted(AbortReason::NoShow(seat) | AbortReason::SeedNotRevealed(seat)) => Some(seat),
            MatchEnd::Won(_) | MatchEnd::Drawn => {
                let (winner, reason) = events.iter().rev().find_map(|recorded| match recorded.event {
                    Event::GameEnded { winner, reason, .. } => Some((winner?, reason)),
                    _ => None,
                })?;
                let has_left = match reason {
                    GameEnd::NoShow | GameEnd::Claimed => true,
                    GameEnd::Time => self.term.is_some_and(|term| term.elapsed(ended) >= LEFT_TURN_MS),
                    GameEnd::Rules(_) | GameEnd::Resigned | GameEnd::Agreed | GameEnd::Aborted => false,
                };
                has_left.then(|| winner.other())
            }
            MatchEnd::Aborted(_) => None,
        }
    }
}

/// Until when a player may not be paired who left live matches at these times, the earliest first, all within
/// [`LEAVINGS_COUNT_FOR_MS`]; none if they may. Each leaving raises their level by one, each whole day
/// between two lowers it by one. Level 1 has no consequence; at level 2 they wait 10 minutes from the last
/// leaving, and at each further level twice as long, at most 48 hours.
pub fn barred_until(leavings: &[Millis]) -> Option<Millis> {
    let mut level: u64 = 0;
    let mut last: Option<Millis> = None;
    let mut until: Option<Millis> = None;
    for &at in leavings {
        let days = last.map_or(0, |last| at.saturating_sub(last) / DAY_MS);
        level = level.saturating_sub(days) + 1;
        last = Some(at);
        if level >= 2 {
            let doublings = u32::try_from(level - 2).unwrap_or(u32::MAX).min(16);
            let bar_ms = (FIRST_BAR_MS << doublings).min(LONGEST_BAR_MS);
            until = until.max(Some(at.saturating_add(bar_ms)));
        }
    }
    until
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR_MS: Millis = 60 * MINUTE_MS;

    /// How many minutes after the last leaving they may be paired again.
    fn minutes(leavings: &[Millis]) -> Option<Millis> {
        barred_until(leavings).map(|until| (until - leavings[leavings.len() - 1]) / MINUTE_MS)
    }

    #[test]
    fn each_leaving_doubles_the_time_to_48_hours() {
        assert_eq!(barred_until(&[]), None);
        let leavings: Vec<Millis> = (1..=14).map(|n| n * HOUR_MS).collect();
        let told: Vec<_> = (1..=leavings.len()).map(|count| minutes(&leavings[..count])).collect();
        let times = [10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 2_880, 2_880, 2_880, 2_880];
        assert_eq!(told[0], None, "once is nothing");
        assert_eq!(told[1..], times.map(Some));
    }

    #[test]
    fn each_day_without_one_takes_a_step_back() {
        assert_eq!(minutes(&[0, HOUR_MS, 2 * HOUR_MS]), Some(20));
        assert_eq!(minutes(&[0, HOUR_MS, HOUR_MS + DAY_MS - 1]), Some(20));
        assert_eq!(minutes(&[0, HOUR_MS, HOUR_MS + DAY_MS]), Some(10));
        assert!(barred_until(&[0, HOUR_MS, HOUR_MS + 2 * DAY_MS]).is_some_and(|until| until < 2 * HOUR_MS));
        assert_eq!(barred_until(&[0, DAY_MS, 2 * DAY_MS, 9 * DAY_MS]), None, "once a day is nothing");
    }
}
