//! Contests: the players, the game, and the number of games.

use std::{num::NonZeroUsize, time::Duration};

use lusoria_rules::Variant;
use lusoria_search::{Budget, Player, Stakes};

use super::{ByEntrant, Entrant, EntrantId};

/// The settings that determine a contest.
#[derive(Debug, Clone)]
pub struct Contest {
    /// The game and its options.
    pub variant: Variant,
    /// The two players.
    pub entrants: ByEntrant<Entrant>,
    /// The budget of each player for a turn; none for the usual budget. Outside engines have none.
    pub budgets: ByEntrant<Option<Budget>>,
    /// The number of pairs of games.
    pub pairs: u32,
    /// The seed of the dice and of the players' random choices.
    pub seed: u64,
    /// The stakes.
    pub stakes: Stakes,
    /// After how many turns of both sides together, passes included, a game counts as drawn.
    pub turns_max: u32,
    /// How long outside engines may take.
    pub limits: Limits,
    /// How many games are played at the same time.
    pub threads: NonZeroUsize,
    /// How many turns of each game are kept, drawn at random among those with a choice.
    pub kept: usize,
}

impl Contest {
    /// A single pair of games between players of the computer, with their usual budgets, for the win only.
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

    /// The player's budget for a turn; none for an outside engine.
    pub fn budget(&self, entrant: EntrantId) -> Option<Budget> {
        match self.entrants.get(entrant) {
            &Entrant::Computer(player) => Some(self.allowed(entrant, player)),
            Entrant::Program(_) => None,
        }
    }

    /// The name of the stakes for programs.
    pub(super) const fn stakes_name(&self) -> &'static str {
        match self.stakes {
            Stakes::Game => "game",
            Stakes::Points => "points",
        }
    }

    /// The budget of the given player in this seat.
    pub(super) fn allowed(&self, entrant: EntrantId, player: Player) -> Budget {
        self.budgets.get(entrant).unwrap_or_else(|| player.budget(self.variant.game()))
    }
}

/// The time limits of an outside engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// From its start until it is ready.
    pub ready: Duration,
    /// For each turn.
    pub turn: Duration,
}
