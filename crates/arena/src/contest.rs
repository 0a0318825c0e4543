//! Who plays what, and how often.

use std::{num::NonZeroUsize, time::Duration};

use lusoria_rules::Variant;
use lusoria_search::{Budget, Player, Stakes};

use super::{ByEntrant, Entrant, EntrantId};

/// Everything that decides what happens in the arena.
#[derive(Debug, Clone)]
pub struct Contest {
    /// The game and its options.
    pub variant: Variant,
    /// The two players.
    pub entrants: ByEntrant<Entrant>,
    /// What each may look at in a turn; none for what the player is usually given. Outside
    /// engines look at what they like.
    pub budgets: ByEntrant<Option<Budget>>,
    /// How many pairs of games.
    pub pairs: u32,
    /// What dice and players' chance begin with.
    pub seed: u64,
    /// What the players play for.
    pub stakes: Stakes,
    /// After how many turns of both sides together, passes included, a game counts as drawn.
    pub turns_max: u32,
    /// How long outside engines may take.
    pub limits: Limits,
    /// How many games are played at the same time.
    pub threads: NonZeroUsize,
    /// How many turns of each game are kept, drawn by lot among those with a choice.
    pub kept: usize,
}

impl Contest {
    /// A single pair of games between players of the computer, who look at what they are usually given, for the
    /// win alone.
    pub(super) fn of_computers(variant: Variant, [a, b]: [Player; 2], seed: u64) -> Self {
        Self {
            variant,
            entrants: ByEntrant { a: Entrant::Computer(a), b: Entrant::Computer(b) },
            budgets: ByEntrant { a: None, b: None },
            pairs: 1,
            seed,
            stakes: Stakes::Game,
            turns_max: u32::MAX,
            limits: Limits { ready: Duration::ZERO, turn: Duration::ZERO },
            threads: NonZeroUsize::MIN,
            kept: 0,
        }
    }

    /// What that player may look at in a turn; none for an outside engine.
    pub fn budget(&self, entrant: EntrantId) -> Option<Budget> {
        match self.entrants.get(entrant) {
            &Entrant::Computer(player) => Some(self.allowed(entrant, player)),
            Entrant::Program(_) => None,
        }
    }

    /// What the players play for, as programs read it.
    pub(super) const fn stakes_name(&self) -> &'static str {
        match self.stakes {
            Stakes::Game => "game",
            Stakes::Points => "points",
        }
    }

    /// What that player may look at, who is this one.
    pub(super) fn allowed(&self, entrant: EntrantId, player: Player) -> Budget {
        self.budgets.get(entrant).unwrap_or_else(|| player.budget(self.variant.game()))
    }
}

/// How long an outside engine may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// From its start until it says that it is ready.
    pub ready: Duration,
    /// For each turn.
    pub turn: Duration,
}
