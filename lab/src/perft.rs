//! `lusoria-lab perft`: counts positions, to compare with other implementations of the rules.

use std::io::Write;

use clap::{Args, value_parser};
use lusoria_rules::{Game, Position};

use super::{Failure, Verdict, options, say};

/// What to count.
#[derive(Debug, Args)]
pub(super) struct Perft {
    #[arg(help = Game::list("or"))]
    game: Game,
    /// How many turns deep
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=20))]
    depth: u32,
    /// An option of the game, such as `shift=die`; may be repeated
    #[arg(long = "option", short = 'o', value_name = "NAME=VALUE")]
    options: Vec<String>,
}

impl Perft {
    /// Prints the count of each depth, and on the last line the deepest one alone.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let start = Position::start(options::variant(self.game, &self.options)?);
        let mut count = 1;
        for depth in 1..=self.depth {
            count = start.perft(depth);
            say(out, format_args!("depth {depth}: {count}"))?;
        }
        say(out, count)?;
        Ok(Verdict::Good)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_depth_is_counted_and_the_last_line_is_the_number_alone() {
        let perft = Perft { game: Game::Tablut, depth: 2, options: Vec::new() };
        let mut out = Vec::new();
        perft.run(&mut out).expect("a buffer takes everything");
        assert_eq!(String::from_utf8(out).expect("text"), "depth 1: 80\ndepth 2: 4400\n4400\n");
    }
}
