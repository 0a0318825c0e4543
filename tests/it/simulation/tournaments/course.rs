//! What a seed decides about a tournament beforehand.

use serde_json::{Value, json};

use crate::support::random::Random;

/// The settings, who comes, and what may go wrong.
pub(super) struct Course {
    pub(super) seed: u64,
    /// Of the tournament, for the request that announces it.
    pub(super) settings: Value,
    pub(super) format: &'static str,
    pub(super) correspondence: bool,
    pub(super) entrants: usize,
    /// How long after the beginning of the run it begins.
    pub(super) begins_in_ms: u64,
    /// How long nodes are killed and the weather is bad.
    pub(super) trouble_ms: u64,
    /// When all nodes go down for how long, if that is while entrants check in.
    pub(super) outage: Option<(u64, u64)>,
    /// Whether organiser and operator do anything.
    pub(super) is_directed: bool,
}

/// Somebody's habits.
#[derive(Debug, Clone, Default)]
pub(super) struct Habits {
    /// When they come, so many milliseconds after the beginning.
    pub(super) comes_at_ms: u64,
    /// How long they take between two looks.
    pub(super) pace_ms: u64,
    /// From when to when they are away.
    pub(super) away_ms: Option<(u64, u64)>,
    /// Whether they pause, ask for byes and may withdraw.
    pub(super) is_restless: bool,
    /// So many of a thousand of their turns are resignations.
    pub(super) resigns_permille: u64,
}

impl Habits {
    /// Whether they come in time and stay.
    pub(super) const fn is_reliable(&self, begins_in_ms: u64) -> bool {
        !self.is_restless && self.away_ms.is_none() && self.comes_at_ms + 30_000 < begins_in_ms
    }
}

impl Course {
    pub(super) fn drawn(seed: u64, now: u64) -> (Self, Vec<Habits>) {
        let mut random = Random::new(seed ^ 0x0070_0123);
        let format = match random.below(7) {
            0 | 1 => "swiss",
            2 | 3 => "knockout",
            4 | 5 => "round_robin",
            _ => "arena",
        };
        let correspondence = format != "arena" && random.permille(250);
        let entrants = random.between(if matches!(format, "swiss" | "knockout") { 4 } else { 3 }, 12);
        // Everybody meets everybody.
        let entrants = usize::try_from(if format == "round_robin" { entrants.min(6) } else { entrants });
        let begins_in_ms = random.between(60_000, 90_000);
        let begins_at = now + begins_in_ms;
        let shape = match format {
            "swiss" if random.permille(100) => json!({"kind": format, "rounds": 2, "every_ms": 600_000}),
            "swiss" => json!({"kind": format}),
            "knockout" => json!({
                "kind": format, "consolation": random.permille(300),
                "seeding": if random.permille(500) { "lot" } else { "rating" },
            }),
            "round_robin" => json!({
                "kind": format, "by_round": !correspondence && random.permille(400), "ends_at": begins_at + 900_000,
            }),
            _ => json!({"kind": format, "lasts_ms": 900_000}),
        };
        let clock = if correspondence {
            json!({"kind": "days", "days": 1})
        } else {
            json!({"kind": "fischer", "base_ms": random.between(15, 40) * 1_000, "increment_ms": 0})
        };
        let game = *random.pick(&["tablut", "tavla", "scripta"]).expect("there are some");
        let mut settings = json!({
            "name": "A Cup", "game": game, "format": shape, "clock": clock, "begins_at": begins_at,
            "wait_ms": 60_000, "rated": random.permille(300),
        });
        if random.permille(150) {
            settings["games"] = json!(2);
        }
        let course = Self {
            seed,
            settings,
            format,
            correspondence,
            entrants: entrants.expect("a few"),
            begins_in_ms,
            trouble_ms: begins_in_ms + random.between(60_000, 400_000),
            outage: random.permille(300).then(|| {
                let from = begins_in_ms - random.between(1_000, 25_000);
                (from, random.between(10_000, 60_000))
            }),
            is_directed: random.permille(600),
        };
        let habits = (0..course.entrants).map(|n| course.habits(n, &mut random)).collect();
        (course, habits)
    }

    fn habits(&self, n: usize, random: &mut Random) -> Habits {
        let resigns_permille = random.between(40, 250);
        let pace_ms = random.between(1_500, 5_000);
        let usual =
            Habits { comes_at_ms: random.below(20_000), pace_ms, resigns_permille, ..Habits::default() };
        match random.below(10) {
            // The first two always make a tournament of two.
            _ if n < 2 => usual,
            0 => Habits { comes_at_ms: self.begins_in_ms + random.below(120_000), ..usual },
            1 | 2 => {
                let from = self.begins_in_ms + random.below(200_000);
                let back =
                    if random.permille(500) { from + random.between(20_000, 200_000) } else { u64::MAX };
                Habits { away_ms: Some((from, back)), ..usual }
            }
            // Enters, and is not there when it begins.
            3 => Habits { away_ms: Some((self.begins_in_ms / 2, self.begins_in_ms + 150_000)), ..usual },
            4 | 5 => Habits { is_restless: true, ..usual },
            _ => usual,
        }
    }
}
