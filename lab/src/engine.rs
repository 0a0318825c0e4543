//! `lusoria-lab engine`: a player of this program in another one's arena.

use std::io::{self, Write};

use clap::Args;
use lusoria_arena::{self as arena, Entrant, SpeakError};
use lusoria_search::Budget;

use super::{Failure, Verdict};

/// The player and its budget.
#[derive(Debug, Args)]
pub(super) struct Engine {
    /// Who plays: 1 to 5, random or greedy
    #[arg(default_value = "5", value_name = "PLAYER")]
    player: Entrant,
    /// How many positions it may search in a turn, instead of its usual number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    nodes: Option<u32>,
}

impl Engine {
    /// Answers until the input ends.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let Entrant::Computer(player) = self.player else {
            return Err(Failure::Usage("an engine is a level 1 to 5, random or greedy".to_owned()));
        };
        let budget = self.nodes.map(|nodes| Budget { nodes });
        match arena::speak(player, budget, io::stdin().lock(), out) {
            Ok(()) => Ok(Verdict::Good),
            Err(SpeakError::Io(why)) => Err(Failure::Io { what: "the arena".to_owned(), why }),
            Err(why @ SpeakError::Line { .. }) => Err(Failure::Usage(why.to_string())),
        }
    }
}
