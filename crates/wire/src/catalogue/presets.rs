//! Clocks that suit the length of each game.

use lusoria_protocol::{Clock, ClockPreset};
use lusoria_rules::Game;

const SECOND_MS: u64 = 1_000;
const MINUTE_MS: u64 = 60 * SECOND_MS;

/// The presets of a game, the fastest first.
pub(super) fn presets(game: Game) -> Vec<ClockPreset> {
    // Minutes at the start and seconds for each turn: a long game has short turns. In the
    // games of three dice a turn is more to think about than in those of two.
    let [quick, normal, slow] = match game {
        Game::Zeno => [(5, 6), (12, 12), (25, 25)],
        Game::Tavla => [(4, 4), (10, 8), (20, 20)],
        Game::Scripta => [(5, 2), (12, 4), (25, 8)],
        Game::Tabula => [(5, 4), (12, 8), (25, 15)],
        Game::Tablut => [(3, 3), (10, 8), (25, 20)],
    };
    let delay = (normal.0, normal.1);
    // A game of 280 turns at three days a turn could last for more than two years.
    let days: &[u8] = match game {
        Game::Scripta => &[1],
        Game::Zeno | Game::Tavla | Game::Tabula | Game::Tablut => &[1, 3],
    };
    let mut presets = vec![
        fischer(game, "quick", "Quick", quick),
        fischer(game, "normal", "Normal", normal),
        fischer(game, "slow", "Slow", slow),
        ClockPreset {
            id: "delay".to_owned(),
            name: format!("{} min, {} s delay", delay.0, delay.1),
            clock: Clock::Delay { base_ms: delay.0 * MINUTE_MS, delay_ms: delay.1 * SECOND_MS },
            lasts_ms: Some(lasts_ms(game, delay)),
        },
    ];
    presets.extend(days.iter().map(|&days| ClockPreset {
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

/// How many turns a simulated game has on average, of both sides together.
pub(super) const fn typical_turns(game: Game) -> u32 {
    match game {
        Game::Zeno => 75,
        Game::Tavla => 90,
        Game::Scripta => 280,
        Game::Tabula => 120,
        Game::Tablut => 125,
    }
}

fn fischer(game: Game, id: &str, name: &str, (minutes, seconds): (u64, u64)) -> ClockPreset {
    ClockPreset {
        id: id.to_owned(),
        name: format!("{name}: {minutes} min + {seconds} s"),
        clock: Clock::Fischer { base_ms: minutes * MINUTE_MS, increment_ms: seconds * SECOND_MS },
        lasts_ms: Some(lasts_ms(game, (minutes, seconds))),
    }
}

fn lasts_ms(game: Game, (minutes, seconds): (u64, u64)) -> u64 {
    2 * minutes * MINUTE_MS + u64::from(typical_turns(game)) * seconds * SECOND_MS
}
