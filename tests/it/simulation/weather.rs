//! The faults of the store over time: in fair weather it answers within milliseconds; in foul weather
//! it is slow, refuses, stands still, or does not say what became of a commit.

use crate::support::random::Random;

/// A kind of weather.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    /// All is well.
    #[default]
    Fair,
    /// Nothing is answered until it is over.
    Still,
    /// Everything takes up to so many milliseconds.
    Slow { up_to_ms: u64 },
    /// So many of a thousand writes are refused, for so many the outcome is unknown; as
    /// many reads fail.
    Foul { refused: u64, unknown: u64, reads: u64 },
}

/// The weather, and until when it lasts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Weather {
    kind: Kind,
    since_ms: u64,
    until_ms: u64,
    /// The end of what was last not fair.
    cleared_ms: u64,
}

/// What becomes of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Write {
    /// It is made and answered.
    Made,
    /// It is refused and not made.
    Busy,
    /// It is refused and not made.
    Full,
    /// It is made, and nobody knows.
    MadeUnknown,
    /// It is not made, and nobody knows.
    LostUnknown,
}

impl Weather {
    /// The weather changes until then.
    pub(super) fn turn(&mut self, kind: Kind, now_ms: u64, until_ms: u64) {
        *self = Self { kind, since_ms: now_ms, until_ms, cleared_ms: until_ms };
    }

    /// It clears up at once and stays so.
    pub(super) fn clear(&mut self, now_ms: u64) {
        let cleared_ms = self.cleared_ms.min(now_ms);
        *self = Self { kind: Kind::Fair, since_ms: now_ms, until_ms: now_ms, cleared_ms };
    }

    pub(super) fn kind(&self, now_ms: u64) -> Kind {
        if (self.since_ms..self.until_ms).contains(&now_ms) { self.kind } else { Kind::Fair }
    }

    /// When the store moves again, if it stands still.
    pub(super) fn still_until(&self, now_ms: u64) -> Option<u64> {
        (self.kind(now_ms) == Kind::Still).then_some(self.until_ms)
    }

    /// Since when it has been fair; none if it is not.
    pub(super) fn fair_since(&self, now_ms: u64) -> Option<u64> {
        (self.kind(now_ms) == Kind::Fair).then_some(self.cleared_ms)
    }

    /// How long something takes the store, in milliseconds.
    pub(super) fn delay_ms(&self, now_ms: u64, random: &mut Random) -> u64 {
        match self.kind(now_ms) {
            Kind::Slow { up_to_ms } => random.below(up_to_ms),
            Kind::Fair | Kind::Still | Kind::Foul { .. } => random.below(8).saturating_sub(4),
        }
    }

    /// What becomes of a write.
    pub(super) fn write(&self, now_ms: u64, random: &mut Random) -> Write {
        let Kind::Foul { refused, unknown, .. } = self.kind(now_ms) else { return Write::Made };
        match random.below(1_000) {
            drawn if drawn < refused / 2 => Write::Busy,
            drawn if drawn < refused => Write::Full,
            drawn if drawn < refused + unknown / 2 => Write::MadeUnknown,
            drawn if drawn < refused + unknown => Write::LostUnknown,
            _ => Write::Made,
        }
    }

    /// Whether a read fails.
    pub(super) fn read_fails(&self, now_ms: u64, random: &mut Random) -> bool {
        matches!(self.kind(now_ms), Kind::Foul { reads, .. } if random.permille(reads))
    }
}

/// Weather that comes up.
pub(super) fn foul(random: &mut Random) -> (Kind, u64) {
    match random.below(4) {
        0 => (Kind::Still, random.between(200, 12_000)),
        1 => (Kind::Slow { up_to_ms: random.between(20, 1_500) }, random.between(1_000, 20_000)),
        2 => {
            let (refused, unknown, reads) = (random.below(400), random.below(500), random.below(300));
            (Kind::Foul { refused, unknown, reads }, random.between(2_000, 40_000))
        }
        _ => {
            let kind = Kind::Foul { refused: 0, unknown: random.between(300, 900), reads: 0 };
            (kind, random.between(1_000, 30_000))
        }
    }
}
