//! Writes and reads the values of tags.

use lusoria_protocol::{CardPlayer, Clock, Level, Options, PlayerKind, PlayerSeed, SeatSeed, meant, word};
use serde_json::{Map, Value};

use super::{
    exact::number,
    moment::{read_seconds, seconds},
};

pub(super) fn options(options: Options) -> String {
    let Ok(Value::Object(fields)) = serde_json::to_value(options) else {
        unreachable!("options are written as an object")
    };
    let pair = |(name, value): (String, Value)| match value {
        Value::String(word) => format!("{name}={word}"),
        other => format!("{name}={other}"),
    };
    fields.into_iter().map(pair).collect::<Vec<_>>().join(" ")
}

pub(super) fn clock(clock: Clock) -> String {
    let short = |ms: u64| {
        let whole = seconds(ms);
        whole.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    match clock {
        Clock::None {} => "none".to_owned(),
        Clock::Fischer { base_ms, increment_ms } => {
            format!("fischer {}+{}", short(base_ms), short(increment_ms))
        }
        Clock::Delay { base_ms, delay_ms } => format!("delay {}+{}", short(base_ms), short(delay_ms)),
        Clock::Days { days } => format!("days {days}"),
    }
}

/// The kind of a player; empty for a person.
pub(super) fn kind(player: &CardPlayer) -> Option<String> {
    match (player.kind, player.level) {
        (PlayerKind::Person, _) => None,
        (kind, Some(level)) => Some(format!("{} {}", word(&kind), level.number())),
        (kind, None) => Some(word(&kind)),
    }
}

pub(super) fn seed(seed: &SeatSeed) -> String {
    match seed {
        SeatSeed::Brought { seed } => format!("brought {}", seed.as_str()),
        SeatSeed::Drawn { seed } => format!("drawn {}", seed.as_str()),
        SeatSeed::Committed { seed_hash } => format!("hash {seed_hash}"),
    }
}

pub(super) const SEED: &str = "\"drawn\" or \"brought\" with a seed, or \"hash\" with 64 hexadecimal digits";

pub(super) fn read_options(text: &str) -> Option<Options> {
    let mut fields = Map::new();
    for pair in text.split(' ') {
        let (name, value) = pair.split_once('=')?;
        let value = match value {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            word => Value::String(word.to_owned()),
        };
        fields.insert(name.to_owned(), value);
    }
    let read = serde_json::from_value(Value::Object(fields)).ok()?;
    Some(read).filter(|&read| options(read) == text)
}

pub(super) fn read_clock(text: &str) -> Option<Clock> {
    let read = match text.split_once(' ') {
        None => Clock::None {},
        Some(("days", days)) => Clock::Days { days: days.parse().ok()? },
        Some((kind, times)) => {
            let (base, step) = times.split_once('+')?;
            let (base_ms, step_ms) = (read_short(base)?, read_short(step)?);
            match kind {
                "fischer" => Clock::Fischer { base_ms, increment_ms: step_ms },
                "delay" => Clock::Delay { base_ms, delay_ms: step_ms },
                _ => return None,
            }
        }
    };
    Some(read).filter(|&read| clock(read) == text)
}

/// Seconds with as many digits after the point as are needed.
fn read_short(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    read_seconds(&format!("{whole}.{fraction:0<3}"))
}

pub(super) fn read_kind(text: &str) -> Option<(PlayerKind, Option<Level>)> {
    let (kind, level) = match text.split_once(' ') {
        Some((kind, level)) => (kind, Some(Level::try_from(number::<i64>(level)?).ok()?)),
        None => (text, None),
    };
    // A person has no such tag.
    meant(kind).filter(|kind| *kind != PlayerKind::Person).map(|kind| (kind, level))
}

pub(super) fn read_seed(text: &str) -> Option<SeatSeed> {
    let (kind, text) = text.split_once(' ')?;
    let seed = || PlayerSeed::try_from(text.to_owned()).ok();
    match kind {
        "brought" => Some(SeatSeed::Brought { seed: seed()? }),
        "drawn" => Some(SeatSeed::Drawn { seed: seed()? }),
        "hash" => Some(SeatSeed::Committed { seed_hash: meant(text)? }),
        _ => None,
    }
}
