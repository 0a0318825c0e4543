//! Clocks that suit the length of each game.

use lusoria_protocol::{Clock, ClockPreset};

use super::entry::Pace;

const SECOND_MS: u64 = 1_000;
const MINUTE_MS: u64 = 60 * SECOND_MS;

/// The presets of a game, the fastest first.
pub(super) fn presets(pace: &Pace) -> Vec<ClockPreset> {
    let [quick, normal, slow] = pace.clocks;
    let delay = (normal.0, normal.1);
    let mut presets = vec![
        fischer(pace, "quick", "Quick", quick),
        fischer(pace, "normal", "Normal", normal),
        fischer(pace, "slow", "Slow", slow),
        ClockPreset {
            id: "delay".to_owned(),
            name: format!("{} min, {} s delay", delay.0, delay.1),
            clock: Clock::Delay { base_ms: delay.0 * MINUTE_MS, delay_ms: delay.1 * SECOND_MS },
            lasts_ms: Some(lasts_ms(pace, delay)),
        },
    ];
    presets.extend(pace.days.iter().map(|&days| ClockPreset {
        id: format!("days_{days}"),
        name: if days == 1 { "A day for each turn".to_owned() } else { format!("{days} days for each turn") },
        clock: Clock::Days { days },
        lasts_ms: None,
    }));
    presets.push(ClockPreset {
        id: "none".to_owned(),
        name: "No clock".to_owned(),
        clock: Clock::None {},
        lasts_ms: None,
    });
    presets
}

fn fischer(pace: &Pace, id: &str, name: &str, (minutes, seconds): (u64, u64)) -> ClockPreset {
    ClockPreset {
        id: id.to_owned(),
        name: format!("{name}: {minutes} min + {seconds} s"),
        clock: Clock::Fischer { base_ms: minutes * MINUTE_MS, increment_ms: seconds * SECOND_MS },
        lasts_ms: Some(lasts_ms(pace, (minutes, seconds))),
    }
}

fn lasts_ms(pace: &Pace, (minutes, seconds): (u64, u64)) -> u64 {
    2 * minutes * MINUTE_MS + u64::from(pace.typical_turns) * seconds * SECOND_MS
}
